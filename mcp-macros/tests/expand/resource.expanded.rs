#[allow(
    clippy::missing_const_for_fn,
    clippy::needless_pass_by_value,
    reason = "what a handler has to be"
)]
/// One note, as Markdown.
#[doc = include_str!("note.md")]
fn note(notes: State<Notes>, id: NoteId) -> Option<String> {
    notes.body(&id)
}
#[doc(hidden)]
#[allow(
    dead_code,
    deprecated,
    non_camel_case_types,
    reason = "what the attribute makes"
)]
trait __resource_note {
    const ENTRY: () = {
        ::mcp_runtime::bounds::expanded_by! {
            "0.1.0"
        }
        #[allow(unused_imports, reason = "types that are plain do without")]
        use ::mcp_runtime::bounds::AnyType as _;
        const __A0: ::mcp_runtime::__private::Param<State<Notes>> = <State<
            Notes,
        > as ::mcp_runtime::bounds::InPlace<::mcp_runtime::bounds::AsProvided>>::IN_PLACE
            .named(0, "notes", "");
        const __A1: ::mcp_runtime::__private::Param<NoteId> = <NoteId as ::mcp_runtime::bounds::FromText>::FROM_TEXT
            .named(1, "id", "");
        const __R: ::mcp_runtime::__private::ResourceReturns<Option<String>> = <Option<
            String,
        > as ::mcp_runtime::ResourceOutput>::RETURNS;
        ::mcp_runtime::__private::register! {
            Resource, ::mcp_runtime::__private::resource("note://{id}", "note",
            ::mcp_runtime::__private::location!(), & [__A0.info(), __A1.info()], __R
            .mime(), | ctx, args | { let __a0 = __A0.take(ctx, args); let __a1 = __A1
            .take(ctx, args); args.finish() ?; ::core::result::Result::Ok(__R
            .done(note(__a0 ?, __a1 ?))) })
            .description(::core::concat!("One note, as Markdown.", "\n",
            include_str!("note.md"))).mime("text/markdown").list(| ctx |
            ::mcp_runtime::bounds::Boxes::boxed(::mcp_runtime::bounds::ListFunction::list(all_notes,
            ctx))).audience(& [::mcp_runtime::__private::Role::User,
            ::mcp_runtime::__private::Role::Assistant]).priority(1.0)
            .cache(::mcp_runtime::__private::duration("5m"),
            ::mcp_runtime::__private::CacheScope::Public)
        }
    };
}
