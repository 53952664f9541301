#![allow(unused)]

struct Reason;

#[mcp_runtime::data]
#[derive(Clone)]
enum Outcome<T: Clone, const N: usize>
where
    T: PartialEq,
{
    Done(Vec<T>),
    Failed { reason: std::sync::Arc<Reason>, again: Box<Outcome<T, N>> },
}

fn main() {}
