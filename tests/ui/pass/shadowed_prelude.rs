//! A module that calls its own things by the names of the prelude and of the crates that expansions use.

#![allow(dead_code, non_camel_case_types)]

mod handlers {
    struct Result;
    struct Option;
    struct Vec;
    struct Box;
    struct Some;
    struct None;
    struct Ok;
    struct Err;
    struct Default;
    struct Fn;
    struct Send;
    mod std {}
    mod core {}
    mod serde {}
    mod schemars {}
    mod linkme {}
    mod mcp_runtime {}

    macro_rules! concat {
        () => {};
    }
    macro_rules! line {
        () => {};
    }
    macro_rules! assert {
        () => {};
    }

    use ::mcp_runtime::prelude::{CompletionContext, Ctx, State};
    use ::mcp_runtime::{prompt, resource, tool};
    use ::std::string::String;

    /// Echo.
    #[doc = include_str!("text/note.md")]
    #[tool(timeout = "5s", title = "Echo")]
    async fn echo(
        ctx: &Ctx,
        #[arg(default = limit(), range(min = 1))] limit: u8,
        #[arg(default, length(max = 3))] message: String,
        #[arg(complete = words)] more: ::std::option::Option<String>,
    ) -> ::std::result::Result<String, String> {
        let _ = (ctx, limit, more);
        ::std::result::Result::Ok(message)
    }

    fn limit() -> u8 {
        4
    }

    fn words(_: &str, _: &CompletionContext) -> ::std::vec::Vec<String> {
        ::std::vec::Vec::new()
    }

    #[resource("note://{id}", list = words_of)]
    fn note(number: State<u8>, id: String) -> String {
        let _ = number;
        id
    }

    fn words_of() -> ::std::vec::Vec<String> {
        ::std::vec::Vec::new()
    }

    #[prompt(blocking)]
    fn review(code: String) -> String {
        code
    }

    #[::mcp_runtime::data]
    struct Point {
        x: u8,
    }
}

fn main() {}
