//! The model becomes tokens: the function as it was written, and one entry of data beside it.
//!
//! The only module that quotes. What would need an `if` here belongs into the runtime.

mod ask;
mod data;
mod elicit;
mod param;
mod place;
mod returned;
mod taken;
mod twin;
mod value;

use proc_macro2::{Ident, Literal, Span, TokenStream};
use quote::{ToTokens, format_ident, quote, quote_spanned};
use syn::{Expr, Type, Visibility};

pub(crate) use self::data::data;
pub(crate) use self::elicit::{elicit, elicit_stub};
use self::param::{constant, type_names};
use self::place::{expanded_by, local, placed, span_of};
use self::value::{Read, described, flag, holds, json, method, read, text};
use crate::clash;
use crate::docs::{Piece, Text};
use crate::function::{Choice, EXPANDED, Function};
use crate::handler::Handler;
use crate::heard;
use crate::kind::Kind;
use crate::param::{Param, ParamKind};
use crate::path::Runtime;
use crate::prompt::Prompt;
use crate::resource::Resource;
use crate::spelled::ungroup;
use crate::tool::Tool;

impl ToTokens for Function {
    fn to_tokens(&self, tokens: &mut TokenStream) {
        tokens.extend(self.attrs.iter().map(ToTokens::to_token_stream));
        self.vis.to_tokens(tokens);
        self.signature.to_tokens(tokens);
        self.body.to_tokens(tokens);
    }
}

impl ToTokens for Text {
    fn to_tokens(&self, tokens: &mut TokenStream) {
        match self {
            Self::Literal(text) => text.to_tokens(tokens),
            Self::Expr(expr) => expr.to_tokens(tokens),
            Self::Pieces(pieces) => tokens.extend(quote!(::core::concat!(#(#pieces),*))),
        }
    }
}

impl ToTokens for Piece {
    fn to_tokens(&self, tokens: &mut TokenStream) {
        match self {
            Self::Literal(text) => text.to_tokens(tokens),
            Self::Expr(expr) => expr.to_tokens(tokens),
        }
    }
}

/// What stands for a function in which mistakes were found. What a `where` clause asks of concrete types may not be so, which
/// would be told besides.
pub(crate) fn untouched(runtime: &Runtime, function: &Function) -> TokenStream {
    let mut mended = clash::mended(function, &Type::Verbatim(quote!(&#runtime::Ctx)));
    let generics = &mut mended.signature.generics;
    if generics.params.is_empty() && !function.is_method() {
        generics.where_clause = None;
    }
    // Whatever is returned, this fits. What stands in an `impl` needs a body as well, and in a trait one may be.
    if mended.is_bodiless() {
        mended.body = quote!({ loop {} });
        return quote!(#[allow(unused_variables, reason = "its body is made up")] #mended);
    }
    mended.to_token_stream()
}

/// What stands for a function that cannot be read.
///
/// rustc, which reads more than we do, says what is wrong with it in better words. Should it find nothing, a lint does, which
/// is not reached when anything else was said.
pub(crate) fn unread(kind: Kind, item: &TokenStream, error: &syn::Error) -> TokenStream {
    let note = format!("`{}` cannot read this function: {error}", kind.attribute());
    quote! {
        #item
        #[deny(unused_must_use, reason = "a handler must not be left out in silence")]
        const _: () = {
            #[must_use = #note]
            const fn this_function() -> bool { true }
            this_function();
        };
    }
}

/// A tool's function with its entry.
pub(crate) fn tool(runtime: &Runtime, tool: &Tool) -> TokenStream {
    let p = quote!(#runtime::__private);
    let Tool { handler, read_only, destructive, idempotent, open_world, max_concurrency, rate_limit } = tool;
    let (name, params, call) = (&handler.name, infos(runtime, handler), call(runtime, handler));
    let output = returned::passed_to("output", runtime, handler, &TokenStream::new());
    let mut entry = quote!(#p::tool(#name, #p::location!(), #params, #output, #call));
    entry.extend(about(runtime, handler));
    entry.extend(method("read_only", flag(read_only.as_ref())));
    entry.extend(method("destructive", flag(destructive.as_ref())));
    entry.extend(method("idempotent", flag(idempotent.as_ref())));
    entry.extend(method("open_world", flag(open_world.as_ref())));
    entry.extend(method("max_concurrency", max_concurrency));
    entry.extend(method("rate_limit", rate_limit.as_ref().map(|rate| read(runtime, Read::Rate, rate))));
    registered(runtime, handler, &entry)
}

/// A resource's function with its entry.
pub(crate) fn resource(runtime: &Runtime, resource: &Resource) -> TokenStream {
    let p = quote!(#runtime::__private);
    let Resource { handler, uri, mime, list, size, audience, priority, cache } = resource;
    let (name, params, call) = (&handler.name, infos(runtime, handler), call(runtime, handler));
    let mime_of_type = returned::passed_to("mime", runtime, handler, &TokenStream::new());
    let mut entry = quote!(#p::resource(#uri, #name, #p::location!(), #params, #mime_of_type, #call));
    entry.extend(about(runtime, handler));
    entry.extend(method("mime", text(mime.as_ref())));
    entry.extend(method("list", list.as_ref().map(|list| listing(runtime, list))));
    entry.extend(method("size", size));
    if !audience.is_empty() {
        let roles = audience.iter().map(|role| format_ident!("{role}"));
        entry.extend(quote!(.audience(&[#(#p::Role::#roles),*])));
    }
    // `priority = 1` is a number to its author and `f64` to the runtime.
    let priority = priority.as_ref().map(|priority| Literal::f64_unsuffixed(priority.value));
    entry.extend(method("priority", priority));
    let cache = cache.as_ref().map(|cache| {
        let (ttl, scope) = (read(runtime, Read::Duration, &cache.ttl), format_ident!("{}", cache.scope));
        quote!(#ttl, #p::CacheScope::#scope)
    });
    entry.extend(method("cache", cache));
    registered(runtime, handler, &entry)
}

/// A prompt's function with its entry.
pub(crate) fn prompt(runtime: &Runtime, prompt: &Prompt) -> TokenStream {
    let p = quote!(#runtime::__private);
    let handler = &prompt.handler;
    let (name, params, call) = (&handler.name, infos(runtime, handler), call(runtime, handler));
    let mut entry = quote!(#p::prompt(#name, #p::location!(), #params, #call));
    entry.extend(about(runtime, handler));
    registered(runtime, handler, &entry)
}

fn listing(runtime: &Runtime, function: &Expr) -> TokenStream {
    let place = span_of(function);
    let ctx = local("ctx", place);
    let list = placed(place, quote!(#runtime::bounds::ListFunction::list(#function, #ctx)));
    let boxed = placed(place, quote!(#runtime::bounds::Boxes::boxed(#list)));
    quote!(|#ctx| #boxed)
}

/// The function, and beside it the entry with the constants that it names.
///
/// They stand in a trait, which nothing implements, because a trait is the one item with a body that the parser refuses in an
/// `impl`: where the function is an associated one, that is all that rustc says, and it says to move it out. Of a
/// `const _` it says that it has no name, and then that the function cannot be found.
fn registered(runtime: &Runtime, handler: &Handler, entry: &TokenStream) -> TokenStream {
    let function = &handler.function;
    let function_name = &function.signature.ident;
    let quiet = quiet(handler);
    let kind = match handler.kind {
        Kind::Tool => quote!(Tool),
        Kind::Resource => quote!(Resource),
        Kind::Prompt => quote!(Prompt),
    };
    let name = unheard(&format_ident!("__{}_{}", handler.kind.noun(), function_name));
    let params = numbered(handler).map(|(at, param)| constant(runtime, handler, at, param));
    let (types, returns) = (type_names(handler), returned::constant(runtime, handler));
    let alone = alone(runtime, handler);
    let twin = handler.has_twin.then(|| twin::items(handler));
    let (version, expanded_by) = (env!("CARGO_PKG_VERSION"), expanded_by(runtime));
    let body = quote! {
        const ENTRY: () = {
            #expanded_by {
                #version
                #[allow(unused_imports, reason = "types that are plain do without")]
                use #runtime::bounds::AnyType as _;
                #types
                #(#params)*
                #returns
                #alone
                #twin
                #runtime::__private::register! { #kind, #entry }
            }
        };
    };
    let allowed = quote!(dead_code, deprecated, non_camel_case_types, reason = "what the attribute makes");
    let item = quote_spanned!(name.span()=> #[doc(hidden)] #[allow(#allowed)] trait #name { #body });
    quote!(#quiet #function #item)
}

/// A name that no other expansion in this crate has: of two functions of one name, rustc speaks by itself.
fn unheard(name: &Ident) -> Ident {
    match heard::times(&name.to_string()) {
        1 => name.clone(),
        times => format_ident!("{name}_{times}"),
    }
}

/// Lints that fire on what a handler has to be: owned arguments, as many as the client sends, `async` for its own sake, docs
/// that speak to the client.
fn quiet(handler: &Handler) -> TokenStream {
    let arguments = handler.params.iter().filter(|param| !param.is_context()).count();
    let needless = if handler.is_async() { quote!(clippy::unused_async) } else { quote!(clippy::missing_const_for_fn) };
    let by_value = (arguments > 0).then(|| quote!(clippy::needless_pass_by_value));
    let bools = (arguments > 3).then(|| quote!(clippy::fn_params_excessive_bools));
    let many = (arguments > 6).then(|| quote!(clippy::too_many_arguments));
    let is_public = !matches!(handler.function.vis, Visibility::Inherited);
    let documented = is_public.then(|| quote!(clippy::missing_errors_doc, clippy::must_use_candidate));
    let lints: Vec<_> = [Some(needless), by_value, bools, many, documented].into_iter().flatten().collect();
    quote!(#[allow(#(#lints),*, reason = #EXPANDED)])
}

/// What the common keys say, and what has to be made before the call.
fn about(runtime: &Runtime, handler: &Handler) -> TokenStream {
    let about = &handler.about;
    let mut entry = TokenStream::new();
    entry.extend(method("title", text(about.title.as_ref())));
    entry.extend(method("description", description(&about.description)));
    let icon = about.icon.as_ref().map(|icon| {
        let made = placed(span_of(icon), quote!(#runtime::bounds::IntoIcon::into_icon(#icon)));
        quote!(|| #made)
    });
    entry.extend(method("icon", icon));
    entry.extend(method("group", text(about.group.as_ref())));
    entry.extend(method("timeout", about.timeout.as_ref().map(|timeout| read(runtime, Read::Duration, timeout))));
    entry.extend(method("disabled", flag(about.disabled.as_ref())));
    entry.extend(method("meta", about.meta.as_ref().map(|meta| json(runtime, meta))));
    entry.extend(ask::prepare(runtime, handler));
    entry
}

fn description(text: &Text) -> Option<TokenStream> {
    (matches!(text, Text::Expr(_)) || !text.is_empty()).then(|| described(text))
}

/// The parameters that have a constant, with its number.
fn numbered(handler: &Handler) -> impl Iterator<Item = (usize, &Param)> {
    handler.params.iter().filter(|param| !param.is_context()).enumerate()
}

fn infos(runtime: &Runtime, handler: &Handler) -> TokenStream {
    let infos = numbered(handler).map(|(at, param)| taken::info(runtime, at, param));
    quote!(&[#(#infos),*])
}

/// `Args<T>` is told by its trait, so every handler with two arguments asserts that none of them is one.
fn alone(runtime: &Runtime, handler: &Handler) -> Option<TokenStream> {
    let plain = handler.params.iter().filter(|param| param.kind == ParamKind::Plain);
    if plain.count() < 2 {
        return None;
    }
    let params = infos(runtime, handler);
    let is_alone = quote!(#runtime::__private::alone(#params));
    Some(holds(runtime, handler.function.signature.ident.span(), &is_alone, &quote!(WholeArguments)))
}

/// The closure that takes the arguments and calls the function.
fn call(runtime: &Runtime, handler: &Handler) -> TokenStream {
    let (ctx, args) = (local("ctx", Span::call_site()), local("args", Span::call_site()));
    let takes = numbered(handler).map(|(at, param)| taken::take(runtime, handler, (at, param), (&ctx, &args)));
    let takes: TokenStream = takes.collect();
    let found: TokenStream = numbered(handler).filter_map(|(at, param)| taken::found(runtime, at, param)).collect();
    let mut values = Vec::new();
    let mut at = 0;
    for param in &handler.params {
        if param.is_context() {
            values.push(placed(span_of_reference(&param.ty), quote!(#runtime::bounds::IsContext::of(#ctx))));
            continue;
        }
        let value = if handler.is_blocking { taken::unpacked(runtime, at, param) } else { taken::value(at, param) };
        values.push(value);
        at += 1;
    }
    let called = returned::called(handler, &values);
    let call = if handler.is_blocking {
        let ready: TokenStream =
            numbered(handler).map(|(at, param)| taken::packed(runtime, handler, at, param)).collect();
        let inside = if handler.params.iter().any(Param::is_context) { quote!(#ctx) } else { quote!(_) };
        let running = returned::passed_to("blocking", runtime, handler, &quote!(#ctx, move |#inside| #called));
        quote!(#ready ::core::result::Result::Ok(#running))
    } else if handler.is_async() {
        let running = returned::running(runtime, handler, &called);
        quote!(::core::result::Result::Ok(#running))
    } else {
        let done = returned::passed_to("done", runtime, handler, &called);
        quote!(::core::result::Result::Ok(#done))
    };
    let takes_ctx = !handler.asks() || handler.params.iter().any(Param::is_context);
    let is_idle = (handler.params.is_empty() || !takes_ctx) && !handler.is_blocking;
    let outside = if is_idle { quote!(_) } else { quote!(#ctx) };
    quote!(|#outside, #args| { #takes #args.finish()?; #found #call })
}

/// What a reference points to: there the bound says that only the context is borrowed.
fn span_of_reference(ty: &Type) -> Span {
    match ungroup(ty) {
        Type::Reference(reference) => span_of(&reference.elem),
        other => span_of(other),
    }
}

/// Both functions of a `#[cfg]` on a parameter, each with the attribute again: the compiler keeps one.
pub(crate) fn choice(runtime: &Runtime, kind: Kind, args: &TokenStream, choice: &Choice) -> TokenStream {
    let Choice { predicate, with, without } = choice;
    let attribute = format_ident!("{}", kind.noun());
    quote! {
        #[cfg(#predicate)]
        #[#runtime::#attribute(#args)]
        #with
        #[cfg(not(#predicate))]
        #[#runtime::#attribute(#args)]
        #without
    }
}
