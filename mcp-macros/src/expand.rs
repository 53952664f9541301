//! The model becomes tokens: the function as it was written, and one entry of data beside it.
//!
//! The only file that quotes. What would need an `if` here belongs into the runtime.

use proc_macro2::{Delimiter, Group, Ident, Literal, Span, TokenStream};
use quote::{ToTokens, format_ident, quote, quote_spanned};
use syn::{Expr, Type};

use crate::arg::{Bounds, DefaultValue};
use crate::data::Data;
use crate::docs::{Piece, Text};
use crate::function::{Choice, Function};
use crate::handler::Handler;
use crate::keys::Number;
use crate::kind::Kind;
use crate::param::{Param, ParamKind};
use crate::path::Runtime;
use crate::prompt::Prompt;
use crate::resource::Resource;
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

impl ToTokens for Number {
    fn to_tokens(&self, tokens: &mut TokenStream) {
        let digits = self.digits();
        tokens.extend(if self.is_negative() { quote!(-#digits) } else { quote!(#digits) });
    }
}

/// A tool's function with its entry.
pub(crate) fn tool(runtime: &Runtime, tool: &Tool) -> TokenStream {
    let p = quote!(#runtime::__private);
    let Tool { handler, read_only, destructive, idempotent, open_world, max_concurrency, rate_limit } = tool;
    let (name, params, call) = (&handler.name, infos(handler), call(&p, handler));
    let mut entry = quote!(#p::tool(#name, #p::location!(), #params, __R.output(), #call));
    entry.extend(about(&p, handler));
    entry.extend(method("read_only", read_only));
    entry.extend(method("destructive", destructive));
    entry.extend(method("idempotent", idempotent));
    entry.extend(method("open_world", open_world));
    entry.extend(method("max_concurrency", max_concurrency));
    entry.extend(method("rate_limit", rate_limit.as_ref().map(|rate| quote!(#p::rate(#rate)))));
    registered(&p, handler, &entry)
}

/// A resource's function with its entry.
pub(crate) fn resource(runtime: &Runtime, resource: &Resource) -> TokenStream {
    let p = quote!(#runtime::__private);
    let Resource { handler, uri, mime, list, size, audience, priority, cache } = resource;
    let (name, params, call) = (&handler.name, infos(handler), call(&p, handler));
    let mut entry = quote!(#p::resource(#uri, #name, #p::location!(), #params, __R.mime(), #call));
    entry.extend(about(&p, handler));
    entry.extend(method("mime", mime));
    let list = list.as_ref().map(|list| {
        let ctx = local("ctx", span_of(list));
        quote!(|#ctx| #p::list_fn(#list, #ctx))
    });
    entry.extend(method("list", list));
    entry.extend(method("size", size));
    if !audience.is_empty() {
        let roles = audience.iter().map(|role| format_ident!("{role}"));
        entry.extend(quote!(.audience(&[#(#p::Role::#roles),*])));
    }
    // `priority = 1` is a number to its author and `f64` to the runtime.
    let priority = priority.as_ref().map(|priority| Literal::f64_unsuffixed(priority.value));
    entry.extend(method("priority", priority));
    let cache = cache.as_ref().map(|cache| {
        let (ttl, scope) = (&cache.ttl, format_ident!("{}", cache.scope));
        quote!(#p::duration(#ttl), #p::CacheScope::#scope)
    });
    entry.extend(method("cache", cache));
    registered(&p, handler, &entry)
}

/// A prompt's function with its entry.
pub(crate) fn prompt(runtime: &Runtime, prompt: &Prompt) -> TokenStream {
    let p = quote!(#runtime::__private);
    let handler = &prompt.handler;
    let (name, params, call) = (&handler.name, infos(handler), call(&p, handler));
    let mut entry = quote!(#p::prompt(#name, #p::location!(), #params, #call));
    entry.extend(about(&p, handler));
    registered(&p, handler, &entry)
}

/// The function, and beside it the entry with the constants that it names.
fn registered(p: &TokenStream, handler: &Handler, entry: &TokenStream) -> TokenStream {
    let function = &handler.function;
    let quiet = quiet(handler);
    let kind = match handler.kind {
        Kind::Tool => quote!(Tool),
        Kind::Resource => quote!(Resource),
        Kind::Prompt => quote!(Prompt),
    };
    let params = handler.params.iter().filter(|param| !param.is_context()).enumerate().map(|(at, param)| constant(p, at, param));
    let returns = returns(p, handler);
    let alone = alone(p, handler);
    let version = env!("CARGO_PKG_VERSION");
    quote! {
        #quiet
        #function
        #[allow(deprecated)]
        const _: () = {
            #p::expanded_by! { #version }
            #(#params)*
            #returns
            #alone
            #p::register! { #kind, #entry }
        };
    }
}

/// Lints that fire on what a handler has to be: owned arguments, as many as the client sends, `async` for its own sake.
fn quiet(handler: &Handler) -> Option<TokenStream> {
    let arguments = handler.params.iter().filter(|param| !param.is_context()).count();
    let unused_async = handler.is_async().then(|| quote!(clippy::unused_async));
    let by_value = (arguments > 0).then(|| quote!(clippy::needless_pass_by_value));
    let bools = (arguments > 3).then(|| quote!(clippy::fn_params_excessive_bools));
    let many = (arguments > 6).then(|| quote!(clippy::too_many_arguments));
    let lints: Vec<_> = [unused_async, by_value, bools, many].into_iter().flatten().collect();
    (!lints.is_empty()).then(|| quote!(#[allow(#(#lints),*)]))
}

fn constant_name(at: usize) -> Ident {
    format_ident!("__A{at}")
}

/// A name of the expansion, at a token of the author's: errors point there, and no name of the author's is meant.
fn local(name: &str, place: Span) -> Ident {
    Ident::new(name, Span::mixed_site().located_at(place))
}

fn span_of(tokens: impl ToTokens) -> Span {
    tokens.into_token_stream().into_iter().next().map_or_else(Span::call_site, |token| token.span())
}

fn constant(p: &TokenStream, at: usize, param: &Param) -> TokenStream {
    let Param { name, ty, doc, options, .. } = param;
    let constant = constant_name(at);
    let at = Literal::usize_unsuffixed(at);
    let mut value = match param.kind {
        ParamKind::Provided => quote!(#p::provided::<#ty>(#at, #name)),
        ParamKind::FromContext => quote!(#p::from_context::<#ty>(#at, #name)),
        _ if options.from_str => quote!(#p::from_str::<#ty>(#at, #name, #doc)),
        _ => quote!(#p::param::<#ty>(#at, #name, #doc)),
    };
    value.extend(method("title", &options.title));
    value.extend(options.default.as_ref().map(|default| default_value(p, ty, default)));
    value.extend(method("range", options.range.as_ref().map(|bounds| range(p, bounds))));
    value.extend(method("length", options.length.as_ref().map(length)));
    value.extend(method("pattern", &options.pattern));
    value.extend(method("example", options.example.as_ref().map(|example| json(p, example))));
    value.extend(method("header", &options.header));
    value.extend(method("complete", options.complete.as_ref().map(|function| completion(p, function))));
    quote!(const #constant: #p::Param<#ty> = #value;)
}

fn default_value(p: &TokenStream, ty: &Type, default: &DefaultValue) -> TokenStream {
    let value = local("value", Span::call_site());
    match default {
        DefaultValue::Json(json) => quote!(.default_json(#json)),
        DefaultValue::Expr(expr) => quote!(.default_with(|| { let #value: #ty = #expr; #p::json(&#value) })),
        DefaultValue::OfType => {
            quote!(.default_with(|| { let #value = <#ty as ::core::default::Default>::default(); #p::json(&#value) }))
        }
    }
}

pub(crate) fn range(p: &TokenStream, bounds: &Bounds) -> TokenStream {
    let end = |name: &str, bound: &Option<Number>| {
        let bound = bound.as_ref()?;
        let kind = if bound.is_float() { "float" } else { "int" };
        Some(method(&format!("{name}_{kind}"), Some(bound)))
    };
    let (min, max) = (end("min", &bounds.min), end("max", &bounds.max));
    quote!(#p::Range::NEW #min #max)
}

pub(crate) fn length(bounds: &Bounds) -> TokenStream {
    let some = |bound: &Number| quote!(::core::option::Option::Some(#bound));
    let none = || quote!(::core::option::Option::None);
    let (min, max) = (bounds.min.as_ref().map_or_else(none, some), bounds.max.as_ref().map_or_else(none, some));
    quote!(#min, #max)
}

fn json(p: &TokenStream, expr: &Expr) -> TokenStream {
    quote!(|| #p::json(&#expr))
}

fn completion(p: &TokenStream, function: &Expr) -> TokenStream {
    let place = span_of(function);
    let (partial, ctx) = (local("partial", place), local("ctx", place));
    let call = parenthesized(quote!(#partial, #ctx), place);
    quote!(|#partial, #ctx| #p::completions(#function #call))
}

/// One call of the builder, if the author said anything.
pub(crate) fn method(name: &str, value: impl IntoOption) -> Option<TokenStream> {
    let name = format_ident!("{name}");
    value.into_tokens().map(|value| quote!(.#name(#value)))
}

/// What a key may have said.
pub(crate) trait IntoOption {
    fn into_tokens(self) -> Option<TokenStream>;
}

impl<T: ToTokens> IntoOption for Option<T> {
    fn into_tokens(self) -> Option<TokenStream> {
        self.map(ToTokens::into_token_stream)
    }
}

impl<T: ToTokens> IntoOption for &Option<T> {
    fn into_tokens(self) -> Option<TokenStream> {
        self.as_ref().map(ToTokens::to_token_stream)
    }
}

/// What the common keys say, and what has to be made before the call.
fn about(p: &TokenStream, handler: &Handler) -> TokenStream {
    let about = &handler.about;
    let mut entry = TokenStream::new();
    entry.extend(method("title", &about.title));
    entry.extend(method("description", Some(&about.description).filter(|text| !text.is_empty())));
    entry.extend(method("icon", about.icon.as_ref().map(|icon| quote!(|| #p::icon(#icon)))));
    entry.extend(method("group", &about.group));
    entry.extend(method("timeout", about.timeout.as_ref().map(|timeout| quote!(#p::duration(#timeout)))));
    entry.extend(method("disabled", &about.disabled));
    entry.extend(method("meta", about.meta.as_ref().map(|meta| json(p, meta))));
    let prepared: Vec<_> = numbered(handler).filter(|(_, param)| param.kind == ParamKind::FromContext).map(|(at, _)| constant_name(at)).collect();
    if !prepared.is_empty() {
        entry.extend(quote!(.prepare(&[#(#prepared.prepare()),*])));
    }
    entry
}

/// The parameters that have a constant, with its number.
fn numbered(handler: &Handler) -> impl Iterator<Item = (usize, &Param)> {
    handler.params.iter().filter(|param| !param.is_context()).enumerate()
}

fn infos(handler: &Handler) -> TokenStream {
    let constants = numbered(handler).map(|(at, _)| constant_name(at));
    quote!(&[#(#constants.info()),*])
}

fn returns(p: &TokenStream, handler: &Handler) -> TokenStream {
    let (kind, make) = match handler.kind {
        Kind::Tool => (quote!(ToolReturns), quote!(tool_returns)),
        Kind::Resource => (quote!(ResourceReturns), quote!(resource_returns)),
        Kind::Prompt => (quote!(PromptReturns), quote!(prompt_returns)),
    };
    let ty = handler.returns.as_ref().map_or_else(|| quote!(()), ToTokens::to_token_stream);
    quote!(const __R: #p::#kind<#ty> = #p::#make::<#ty>();)
}

/// `Args<T>` is told by its trait, so every handler with two arguments asserts that none of them is one.
fn alone(p: &TokenStream, handler: &Handler) -> Option<TokenStream> {
    let plain = handler.params.iter().filter(|param| param.kind == ParamKind::Plain);
    if plain.count() < 2 {
        return None;
    }
    let params = infos(handler);
    let text = "`Args<T>` is the whole arguments object, so it stands alone: move the other arguments into its type";
    let name = handler.function.signature.ident.span();
    let assert = quote_spanned!(Span::call_site().located_at(name)=> ::core::assert!(#p::alone(#params), #text));
    Some(quote!(const _: () = #assert;))
}

/// The closure that takes the arguments and calls the function.
fn call(p: &TokenStream, handler: &Handler) -> TokenStream {
    let (ctx, args) = (local("ctx", Span::call_site()), local("args", Span::call_site()));
    let name = &handler.function.signature.ident;
    let mut takes = TokenStream::new();
    let mut values = Vec::new();
    let mut at = 0;
    for param in &handler.params {
        values.push(match param.kind {
            ParamKind::Context => ctx.to_token_stream(),
            ParamKind::Reference => reference(p, &ctx, &param.ty),
            _ => {
                let (constant, value) = (constant_name(at), local(&format!("a{at}"), Span::call_site()));
                takes.extend(quote!(let #value = #constant.take(#ctx, #args);));
                at += 1;
                if handler.is_blocking { value.to_token_stream() } else { quote!(#value?) }
            }
        });
    }
    let inner = parenthesized(quote!(#(#values),*), name.span());
    let call = if handler.is_blocking {
        let owned = (0..at).map(|at| local(&format!("a{at}"), Span::call_site()));
        let ready: TokenStream = owned.map(|value| quote!(let #value = #value?;)).collect();
        let inside = if handler.params.iter().any(Param::is_context) { quote!(#ctx) } else { quote!(_) };
        quote!(#ready ::core::result::Result::Ok(__R.blocking(#ctx, move |#inside| #name #inner)))
    } else if handler.is_async() {
        quote!(::core::result::Result::Ok(__R.run(#name #inner)))
    } else {
        quote!(::core::result::Result::Ok(__R.done(#name #inner)))
    };
    let is_idle = handler.params.is_empty() && !handler.is_blocking;
    let outside = if is_idle { quote!(_) } else { quote!(#ctx) };
    quote!(|#outside, #args| { #takes #args.finish()?; #call })
}

/// A reference by a name other than `Ctx`: the bound at its type says that only the context is borrowed.
fn reference(p: &TokenStream, ctx: &Ident, ty: &Type) -> TokenStream {
    match crate::spelled::ungroup(ty) {
        Type::Reference(reference) => {
            let inner = &reference.elem;
            quote!(#p::context::<#inner>(#ctx))
        }
        _ => ctx.to_token_stream(),
    }
}

/// Parentheses at the span of the function's name: what is wrong with the future is told there, not about the attribute.
fn parenthesized(tokens: TokenStream, span: Span) -> TokenStream {
    let mut group = Group::new(Delimiter::Parenthesis, tokens);
    group.set_span(span);
    group.into_token_stream()
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

/// A type with the derives that it lacks.
pub(crate) fn data(runtime: &Runtime, data: &Data) -> TokenStream {
    let item = &data.item;
    let serialize = data.serialize.then(|| quote!(#runtime::serde::Serialize,));
    let deserialize = data.deserialize.then(|| quote!(#runtime::serde::Deserialize,));
    let json_schema = data.json_schema.then(|| quote!(#runtime::schemars::JsonSchema,));
    let (serde, schemars) = (format!("{}::serde", runtime.to_text()), format!("{}::schemars", runtime.to_text()));
    let serde = (data.serialize || data.deserialize).then(|| quote!(#[serde(crate = #serde)]));
    let schemars = data.json_schema.then(|| quote!(#[schemars(crate = #schemars)]));
    quote! {
        #[derive(#serialize #deserialize #json_schema)]
        #serde
        #schemars
        #item
    }
}
