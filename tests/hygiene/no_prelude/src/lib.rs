//! Handlers in a crate without a prelude.
#![no_implicit_prelude]

use ::mcp_runtime::{Args, Ctx, FromContext, Json, State, prompt, resource, tool};
// What schemars' derive expands to calls a method of this trait.
use ::std::convert::Into;
use ::std::option::Option;
use ::std::result::Result;
use ::std::string::String;

/// What is asked.
#[::mcp_runtime::data]
pub struct Question {
    /// Some words
    pub words: String,
    /// How many
    pub count: Option<u8>,
}

/// Who asks.
pub struct Caller;

impl FromContext for Caller {
    type Error = ::mcp_runtime::Error;

    async fn from_context(_: &Ctx) -> Result<Self, Self::Error> {
        Result::Ok(Self)
    }
}

/// A tool without a prelude.
#[tool(
    icon = "https://example.com/icon.png",
    description = "Said here.",
    group = "bare",
    destructive,
    idempotent = false,
    open_world
)]
pub async fn bare_tool(ctx: &Ctx, #[from_context] caller: Caller, question: Args<Question>) -> Json<u8> {
    let Caller = caller;
    let _: &Ctx = ctx;
    Json(question.0.count.unwrap_or(7))
}

/// A blocking tool without a prelude.
#[tool(blocking)]
pub fn bare_blocking(
    state: State<u8>,
    #[arg(default)] number: u8,
    #[arg(from_str, default = "1.2.3.4")] address: ::std::net::Ipv4Addr,
    #[arg(example = 5u8, header = "Size", name = "type", title = "T", description = "D")] size: Option<u8>,
) -> String {
    ::std::format!("{} {number} {address} {size:?}", *state)
}

/// A resource without a prelude.
#[resource("bare://{id}", list = all, mime = "text/plain", audience(user), priority = 0.5)]
pub async fn bare_resource(id: u8) -> Option<String> {
    Option::Some(::std::format!("{id}"))
}

fn all() -> ::std::vec::Vec<u8> {
    ::std::vec![1, 2]
}

/// A prompt without a prelude.
#[prompt]
pub fn bare_prompt(words: String) -> String {
    words
}

/// What has the name of another, with other types.
pub mod others {
    use ::mcp_runtime::{Json, tool};
    use ::std::convert::Into;
    use ::std::option::Option;

    /// A part of something.
    #[::mcp_runtime::data]
    pub struct Part<T> {
        /// What is in it
        pub inside: T,
    }

    /// Another tool without a prelude.
    #[tool(name = "bare_other")]
    pub fn bare_tool(part: Option<Part<u8>>) -> Json<u8> {
        Json(part.map_or(0, |part| part.inside))
    }
}
