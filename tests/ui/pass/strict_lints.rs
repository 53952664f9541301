//! A crate that denies what a strict author denies.

#![forbid(unsafe_code)]
#![deny(
    warnings,
    missing_docs,
    unreachable_pub,
    unused_qualifications,
    unused_results,
    unused_lifetimes,
    single_use_lifetimes,
    let_underscore_drop,
    missing_debug_implementations,
    rust_2018_idioms,
    clippy::all,
    clippy::pedantic,
    clippy::nursery
)]

use mcp_runtime::prelude::*;

/// A number.
#[mcp_runtime::data]
#[derive(Debug)]
pub struct Number {
    /// Its value
    pub value: i64,
}

/// Add two numbers.
#[tool(read_only, timeout = "30s", rate_limit = "10/s")]
pub async fn add(
    ctx: &Ctx,
    /// First addend
    #[arg(range(min = -10, max = 100), default = 21)]
    a: i64,
    /// Second addend
    #[arg(default)]
    b: i64,
    #[arg(complete = languages)] language: String,
    yes: bool,
    no: bool,
    perhaps: bool,
    never: bool,
) -> std::result::Result<Json<Number>, String> {
    if yes && no && perhaps && never && ctx.meta().is_empty() {
        return Err(language);
    }
    Ok(Json(Number { value: a + b }))
}

fn languages(partial: &str, _: &CompletionContext) -> Vec<String> {
    vec![partial.to_owned()]
}

/// A note.
#[resource("note://{id}", list = all)]
pub fn note(number: State<Number>, id: String) -> Option<String> {
    (number.value > 0).then_some(id)
}

async fn all(_: &Ctx) -> Vec<String> {
    std::future::ready(vec![]).await
}

/// A review.
#[prompt(blocking)]
fn review(ctx: &Ctx, code: String) -> String {
    format!("Review {code} {}", ctx.meta().len())
}

fn main() {}
