use std::marker::PhantomData;

#[allow(dead_code)]
struct Number(u64);

#[mcp_runtime::data]
#[serde(transparent)]
struct Id<T> {
    number: Number,
    #[serde(skip)]
    of: PhantomData<T>,
}

fn main() {}
