//! Aliases and renamed imports are what they stand for.

use mcp_runtime::Args as Everything;
use mcp_runtime::Ctx as Context;
use mcp_runtime::State as Shared;
use mcp_runtime::{Json, prompt, resource, tool};

type Maybe = Option<u32>;
type Reply = Result<Json<Vec<u8>>, String>;
type Number = Shared<u32>;
type Borrowed = Context;

#[mcp_runtime::data]
struct Query {
    text: String,
}

#[tool]
async fn count(ctx: &Context, number: Number, limit: Maybe) -> Reply {
    let _ = (ctx, number, limit);
    Ok(Json(vec![]))
}

#[tool]
fn search(query: Everything<Query>, ctx: &Borrowed, number: Shared<u32>) -> String {
    let _ = (ctx, number);
    query.0.text
}

#[resource("note://{id}")]
fn note(number: Number, id: String) -> Option<String> {
    let _ = number;
    Some(id)
}

#[prompt]
fn review(ctx: &mcp_runtime::Ctx, limit: Maybe) -> String {
    let _ = ctx;
    format!("{limit:?}")
}

fn main() {}
