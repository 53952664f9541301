#[allow(
    clippy::unused_async,
    clippy::needless_pass_by_value,
    clippy::fn_params_excessive_bools,
    reason = "what a handler has to be"
)]
/// Add two numbers.
///
/// The sum may not exceed the limit.
async fn add(
    ctx: &Ctx,
    notes: State<Notes>,
    user: CurrentUser,
    a: i64,
    limit: u32,
    r#type: Option<String>,
) -> Result<Json<Sum>, NotesError> {
    notes.add(ctx, user, a, limit, r#type).await
}
#[doc(hidden)]
#[allow(
    dead_code,
    deprecated,
    non_camel_case_types,
    reason = "what the attribute makes"
)]
trait __tool_add {
    const ENTRY: () = {
        ::mcp_runtime::bounds::expanded_by! {
            "0.1.0"
        }
        #[allow(unused_imports, reason = "types that are plain do without")]
        use ::mcp_runtime::bounds::AnyType as _;
        const __A0: ::mcp_runtime::__private::Param<State<Notes>> = ::mcp_runtime::bounds::owned(
                <State<Notes> as ::mcp_runtime::Parameter>::PARAM,
                <::mcp_runtime::bounds::TypeOf<State<Notes>>>::KNOWN,
            )
            .named(0, "notes", "");
        const __A1: ::mcp_runtime::__private::Param<CurrentUser> = <CurrentUser as ::mcp_runtime::bounds::Extracted>::EXTRACTED
            .named(1, "user", "");
        const __A2: ::mcp_runtime::__private::Param<i64> = ::mcp_runtime::bounds::owned(
                <i64 as ::mcp_runtime::Parameter>::PARAM,
                <::mcp_runtime::bounds::TypeOf<i64>>::KNOWN,
            )
            .named(2, "a", "First addend")
            .default_json("21")
            .limited(
                &::mcp_runtime::__private::Constraints::NONE.min_int(-10).max_int(100),
            );
        const __A3: ::mcp_runtime::__private::Param<u32> = ::mcp_runtime::bounds::owned(
                <u32 as ::mcp_runtime::Parameter>::PARAM,
                <::mcp_runtime::bounds::TypeOf<u32>>::KNOWN,
            )
            .named(3, "limit", "")
            .default_with(|| {
                let value: u32 = limit();
                ::mcp_runtime::bounds::ToJson::to_json(&value)
            })
            .header("Limit");
        const __A4: ::mcp_runtime::__private::Param<Option<String>> = ::mcp_runtime::bounds::owned(
                <Option<String> as ::mcp_runtime::Parameter>::PARAM,
                <::mcp_runtime::bounds::TypeOf<Option<String>>>::KNOWN,
            )
            .named(4, "type", "")
            .limited(
                &::mcp_runtime::__private::Constraints::NONE
                    .max_length(80)
                    .pattern("^[a-z]+$"),
            )
            .example(|| ::mcp_runtime::bounds::ToJson::to_json(&"sum"));
        const __R: ::mcp_runtime::__private::ToolReturns<
            Result<Json<Sum>, NotesError>,
        > = <Result<Json<Sum>, NotesError> as ::mcp_runtime::ToolOutput>::RETURNS;
        const _: () = <::mcp_runtime::bounds::Is<
            {
                ::mcp_runtime::__private::alone(
                    &[__A0.info(), __A1.info(), __A2.info(), __A3.info(), __A4.info()],
                )
            },
        > as ::mcp_runtime::bounds::WholeArguments>::HOLDS;
        ::mcp_runtime::__private::register! {
            Tool, ::mcp_runtime::__private::tool("add",
            ::mcp_runtime::__private::location!(), & [__A0.info(), __A1.info(), __A2
            .info(), __A3.info(), __A4.info()], __R.output(), | ctx, args | { let __a0 =
            __A0.take(ctx, args); let __a1 = __A1.take(ctx, args); let __a2 = __A2
            .take(ctx, args); let __a3 = __A3.take(ctx, args); let __a4 = __A4.take(ctx,
            args); args.finish() ?;
            ::core::result::Result::Ok(::mcp_runtime::bounds::Runs::run(& __R,
            add(::mcp_runtime::bounds::IsContext::of(ctx), __a0 ?, __a1 ?, __a2 ?, __a3
            ?, __a4 ?))) }).title("Add")
            .description("Add two numbers.\n\nThe sum may not exceed the limit.")
            .timeout(::mcp_runtime::__private::duration("30s")).prepare(& [__A1
            .prepare()]).read_only(true).max_concurrency(4)
            .rate_limit(::mcp_runtime::__private::rate("10/s"))
        }
    };
}
