#[allow(clippy::needless_pass_by_value)]
/// Ask for a careful review of some code.
pub fn review(ctx: &Ctx, code: String, language: String) -> Messages {
    Messages::user(format!("Review this {language} code:\n{code}"))
}
#[allow(deprecated)]
const _: () = {
    ::renamed::__private::expanded_by! {
        "0.1.0"
    }
    const __A0: ::renamed::__private::Param<String> = ::renamed::__private::param::<
        String,
    >(0, "code", "The code to review");
    const __A1: ::renamed::__private::Param<String> = ::renamed::__private::param::<
        String,
    >(1, "language", "")
        .default_with(|| {
            let value = <String as ::core::default::Default>::default();
            ::renamed::__private::json(&value)
        })
        .complete(|partial, ctx| ::renamed::__private::completions(
            languages(partial, ctx),
        ));
    const __R: ::renamed::__private::PromptReturns<Messages> = ::renamed::__private::prompt_returns::<
        Messages,
    >();
    const _: () = ::core::assert!(
        ::renamed::__private::alone(& [__A0.info(), __A1.info()]),
        "`Args<T>` is the whole arguments object, so it stands alone: move the other arguments into its type"
    );
    ::renamed::__private::register! {
        Prompt, ::renamed::__private::prompt("review", ::renamed::__private::location!(),
        & [__A0.info(), __A1.info()], | ctx, args | { let a0 = __A0.take(ctx, args); let
        a1 = __A1.take(ctx, args); args.finish() ?; let a0 = a0 ?; let a1 = a1 ?;
        ::core::result::Result::Ok(__R.blocking(ctx, move | ctx | review(ctx, a0, a1)))
        }).description("Ask for a careful review of some code.").group("code").meta(||
        ::renamed::__private::json(& json!({ "a" : 1 })))
    }
};
