//! What borrows is no argument, and is returned, or made and written by the author.
#![deny(warnings, unused_qualifications, unreachable_pub, single_use_lifetimes, unused_lifetimes)]
#![forbid(elided_lifetimes_in_paths)]

use std::borrow::Cow;

use mcp_runtime::prelude::*;
use mcp_runtime::serde::{Deserialize, Deserializer};

#[mcp_runtime::data]
struct Borrowed<'a> {
    name: &'a str,
    note: Option<&'a str>,
    text: Cow<'a, str>,
}

#[mcp_runtime::data]
struct Asked<'a, 'b: 'a, T: Clone + 'b>
where
    T: 'a,
{
    name: &'a str,
    other: &'b str,
    value: T,
}

#[mcp_runtime::data]
struct Sized<'a, const N: usize>(&'a str, PhantomSize<N>);

#[mcp_runtime::data]
struct PhantomSize<const N: usize>;

#[mcp_runtime::data]
enum Either<'a> {
    Borrowed {
        #[serde(borrow)]
        text: Cow<'a, str>,
    },
    Number(i64),
}

#[mcp_runtime::data]
struct Fixed {
    name: &'static str,
}

#[mcp_runtime::data]
struct Owned {
    name: Cow<'static, str>,
    bytes: Option<Cow<'static, [u8]>>,
}

#[mcp_runtime::data]
struct MayBorrow<'a> {
    name: Cow<'a, str>,
}

#[mcp_runtime::data]
struct Skipped {
    name: String,
    #[serde(skip)]
    seen: &'static str,
    #[serde(skip_deserializing)]
    made: &'static str,
}

#[mcp_runtime::data]
struct With {
    #[serde(deserialize_with = "one_of_ours")]
    name: Option<Cow<'static, str>>,
}

fn one_of_ours<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Cow<'static, str>>, D::Error> {
    let text: String = Deserialize::deserialize(deserializer)?;
    Ok(Some(text.into()))
}

/// Take what may be taken.
#[tool]
fn take(owned: Owned, skipped: Vec<Skipped>, with: Option<With>, may: MayBorrow<'static>) -> Json<Fixed> {
    let _ = (owned.name, owned.bytes, skipped.len(), with.map(|with| with.name), may.name);
    Json(Fixed { name: "fixed" })
}

/// Give what lives for ever.
#[tool]
fn give() -> Json<Borrowed<'static>> {
    Json(Borrowed { name: "a", note: None, text: "b".into() })
}

fn main() {
    let name = String::from("x");
    let asked = Asked { name: &name, other: &name, value: 1 };
    let either = [Either::Borrowed { text: Cow::Borrowed(&*name) }, Either::Number(1)];
    let sized = Sized::<'_, 2>(&name, PhantomSize);
    let _ = (serde_json::to_string(&asked), serde_json::to_string(&either), serde_json::to_string(&sized));
}
