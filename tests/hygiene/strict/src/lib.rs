//! Handlers in a crate that tolerates nothing.
#![forbid(unsafe_code)]
#![deny(
    missing_docs,
    missing_debug_implementations,
    unused_qualifications,
    unreachable_pub,
    unused_results,
    unused,
    rust_2018_idioms,
    single_use_lifetimes,
    non_upper_case_globals,
    clippy::all,
    clippy::pedantic,
    clippy::nursery
)]

use mcp_runtime::prelude::*;

/// What is given.
#[mcp_runtime::data]
#[derive(Debug)]
pub struct Given {
    /// A number
    pub number: u8,
}

/// A tool that is asynchronous without need.
#[tool(read_only)]
async fn strict_tool(
    ctx: &Ctx,
    /// A number
    #[arg(default = 2, range(max = 10))]
    number: u8,
    text: Option<String>,
) -> Result<Json<Given>> {
    ctx.log(LogLevel::Debug, text);
    Ok(Json(Given { number }))
}

/// A tool by value.
#[tool]
fn strict_by_value(text: String, list: Vec<Given>) -> usize {
    text.len() + list.len()
}

/// A tool that others call.
///
/// # Errors
///
/// Never.
#[tool]
pub async fn strict_public(state: State<u8>) -> Result<u8, String> {
    Ok(*state)
}

/// A resource in a strict crate.
#[resource("strict://{id}", list = all)]
async fn strict_resource(id: u8) -> Option<String> {
    Some(id.to_string())
}

fn all(_: &Ctx) -> Vec<u8> {
    vec![1]
}

/// A prompt in a strict crate.
#[prompt]
fn strict_prompt(#[arg(complete = candidates)] words: String) -> Messages {
    Messages::user(words)
}

fn candidates(partial: &str, _: &CompletionContext) -> Vec<String> {
    vec![partial.to_owned()]
}

macro_rules! tools {
    ($($name:ident: $text:literal),+ $(,)?) => {$(
        #[doc = $text]
        #[tool(title = $text)]
        fn $name() -> &'static str {
            stringify!($name)
        }
    )+};
}

tools! { strict_one: "The first.", strict_two: "The second." }

macro_rules! typed {
    ($name:ident, $ty:ty, $default:expr) => {
        /// A tool of a type that a macro was given.
        #[tool]
        fn $name(#[arg(default = $default)] value: $ty, $name: Option<$ty>) -> String {
            format!("{value} {:?}", $name)
        }
    };
}

typed!(strict_typed, u16, 5);

/// Never there.
#[cfg(test)]
#[tool]
fn strict_absent() {}

/// There under a condition.
#[cfg(not(test))]
#[cfg_attr(not(test), tool(title = "Conditional"))]
fn strict_conditional(#[cfg(not(test))] yes: bool, #[cfg(test)] no: bool) -> bool {
    yes
}

/// What has the names of others, with other types.
pub mod others {
    use mcp_runtime::prelude::*;

    /// A part of something.
    #[mcp_runtime::data]
    #[derive(Debug)]
    pub struct Part<T: Copy> {
        /// What is in it
        pub inside: T,
    }

    /// A tool whose types have bounds.
    #[tool(name = "strict_other")]
    async fn strict_tool(ctx: &Ctx, part: Part<u8>, parts: Option<Vec<Part<u8>>>) -> u8 {
        ctx.log(LogLevel::Debug, "asked");
        parts.iter().flatten().map(|part| part.inside).sum::<u8>() + part.inside
    }

    /// A tool on another thread whose type has a bound.
    #[tool(name = "strict_thread", blocking)]
    fn strict_typed(part: Part<u8>) -> u8 {
        part.inside
    }
}
