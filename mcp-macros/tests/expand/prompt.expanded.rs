#[allow(
    clippy::missing_const_for_fn,
    clippy::needless_pass_by_value,
    clippy::missing_errors_doc,
    clippy::must_use_candidate,
    reason = "what a handler has to be"
)]
/// Ask for a careful review of some code.
pub fn review(ctx: &Ctx, code: String, language: String) -> Messages {
    Messages::user(format!("Review this {language} code:\n{code}"))
}
#[doc(hidden)]
#[allow(
    dead_code,
    deprecated,
    non_camel_case_types,
    reason = "what the attribute makes"
)]
trait __prompt_review {
    const ENTRY: () = {
        ::renamed::bounds::expanded_by! {
            "0.1.0"
        }
        #[allow(unused_imports, reason = "types that are plain do without")]
        use ::renamed::bounds::AnyType as _;
        type __T0 = String;
        type __T1 = String;
        const __A0: ::renamed::__private::Param<String> = ::renamed::bounds::known(
                <::renamed::bounds::Carried<__T0> as ::renamed::bounds::Moves>::MOVED,
                <::renamed::bounds::TypeOf<__T0>>::KNOWN,
            )
            .named(0, "code", "The code to review");
        const __A1: ::renamed::__private::Param<String> = ::renamed::bounds::known(
                <::renamed::bounds::Carried<__T1> as ::renamed::bounds::Moves>::MOVED,
                <::renamed::bounds::TypeOf<__T1>>::KNOWN,
            )
            .named(1, "language", "")
            .default_with(|| {
                let value: String = <String as ::core::default::Default>::default();
                ::renamed::bounds::ToJson::to_json(&value)
            })
            .complete(|partial, ctx| ::renamed::bounds::Boxes::boxed(
                ::renamed::bounds::CompleteFunction::complete(languages, partial, ctx),
            ));
        const __R: ::renamed::__private::PromptReturns<Messages> = <Messages as ::renamed::PromptOutput>::RETURNS;
        const _: () = <::renamed::bounds::Is<
            { ::renamed::__private::alone(&[__A0.info(), __A1.info()]) },
        > as ::renamed::bounds::WholeArguments>::HOLDS;
        ::renamed::__private::register! {
            Prompt, ::renamed::__private::prompt("review",
            ::renamed::__private::location!(), & [__A0.info(), __A1.info()], | ctx, args
            | { let __a0 = __A0.take(ctx, args); let __a1 = __A1.take(ctx, args); args
            .finish() ?; let __a0 = < ::renamed::bounds::Carried:: < __T0 < > > as
            ::renamed::bounds::Moves > ::pack(__a0 ?); let __a1 = <
            ::renamed::bounds::Carried:: < __T1 < > > as ::renamed::bounds::Moves >
            ::pack(__a1 ?); ::core::result::Result::Ok(__R.blocking(ctx, move | ctx |
            review(::renamed::bounds::IsContext::of(ctx),
            ::renamed::bounds::unpack(__a0), ::renamed::bounds::unpack(__a1)))) })
            .description("Ask for a careful review of some code.").group("code").meta(||
            ::renamed::bounds::ToJson::to_json(& json!({ "a" : 1 })))
        }
    };
}
