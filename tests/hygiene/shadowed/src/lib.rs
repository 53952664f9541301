//! Handlers among names that hide everything which an expansion might lean on.
#![allow(dead_code, non_camel_case_types, non_snake_case, reason = "the names are there to be in the way")]

/// Everything of the prelude, and more, means something else here.
mod hidden {
    pub(crate) struct Result;
    pub(crate) struct Option;
    pub(crate) struct Vec;
    pub(crate) struct String;
    pub(crate) struct Box;
    pub(crate) struct Future;
    pub(crate) struct Some;
    pub(crate) struct None;
    pub(crate) struct Ok;
    pub(crate) struct Err;
    pub(crate) struct Send;
    pub(crate) struct Sync;
    pub(crate) struct Copy;
    pub(crate) struct Default;
    pub(crate) struct Fn;
    pub(crate) struct FnOnce;
    pub(crate) struct Into;
    pub(crate) struct From;
    pub(crate) struct Iterator;
    pub(crate) struct str;
    pub(crate) struct bool;
    pub(crate) struct usize;
    pub(crate) struct i64;
    pub(crate) mod std {}
    pub(crate) mod core {}
    pub(crate) mod alloc {}
    pub(crate) mod serde {}
    pub(crate) mod schemars {}
    pub(crate) mod linkme {}
    pub(crate) mod mcp_runtime {}
    pub(crate) fn drop() {}

    macro_rules! shadow {
        ($($name:ident)+) => {$(
            #[allow(unused_macros)]
            macro_rules! $name { ($d:tt) => { compile_error!(concat!("hidden ", stringify!($name))) }; }
        )+};
    }
    shadow! { concat stringify file line module_path env vec format panic assert println matches include_str }

    use ::mcp_runtime::{Ctx, Messages, State, prompt, resource, tool};

    /// A tool among hidden names.
    #[tool(title = "Shadowed", timeout = "5s", read_only, rate_limit = "100/s", max_concurrency = 5)]
    async fn shadowed_tool(
        ctx: &Ctx,
        /// A number
        #[arg(default = 3, range(min = 1, max = 9))]
        number: ::core::primitive::i64,
        #[arg(length(max = 5), pattern = "^[a-z]*$", complete = candidates)] text: ::core::option::Option<
            ::std::string::String,
        >,
    ) -> ::core::result::Result<::std::string::String, ::mcp_runtime::Error> {
        ctx.progress(1, 1).await;
        ::core::result::Result::Ok(::std::format!("{number} {text:?}"))
    }

    fn candidates(partial: &::core::primitive::str) -> [::std::string::String; 1] {
        [::std::format!("{partial}ial")]
    }

    /// A resource among hidden names.
    #[resource("shadowed://{id}", cache(ttl = "1m", scope = "private"))]
    fn shadowed_resource(id: ::core::primitive::u8) -> ::std::string::String {
        ::std::string::ToString::to_string(&id)
    }

    /// A prompt among hidden names.
    #[prompt(blocking)]
    fn shadowed_prompt(#[arg(complete = candidates)] text: ::std::string::String) -> Messages {
        Messages::user(text)
    }

    /// State among hidden names.
    #[tool]
    fn shadowed_state(state: State<::core::primitive::u8>) -> ::core::primitive::u8 {
        *state
    }

    /// Names that an expansion might use itself.
    #[tool]
    fn args(
        ctx: ::core::primitive::u8,
        args: ::core::primitive::u8,
        a0: ::core::primitive::u8,
        __A0: ::core::primitive::u8,
        partial: ::core::primitive::u8,
    ) -> ::core::primitive::u8 {
        ctx + args + a0 + __A0 + partial
    }
}
