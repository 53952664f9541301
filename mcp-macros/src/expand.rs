//! The model becomes tokens: the function as it was written, and one entry of data beside it.
//!
//! The only file that quotes. What would need an `if` here belongs into the runtime.

use proc_macro2::{Delimiter, Group, Ident, Literal, Span, TokenStream};
use quote::{ToTokens, format_ident, quote, quote_spanned};
use syn::{Expr, Type, Visibility};

use crate::arg::{Bounds, DefaultValue};
use crate::data::Data;
use crate::docs::{Piece, Text};
use crate::function::{Choice, Function};
use crate::handler::Handler;
use crate::keys::{Number, literal};
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
    let (name, params, call) = (&handler.name, infos(handler), call(runtime, handler));
    let mut entry = quote!(#p::tool(#name, #p::location!(), #params, __R.output(), #call));
    entry.extend(about(runtime, handler));
    entry.extend(method("read_only", flag(read_only)));
    entry.extend(method("destructive", flag(destructive)));
    entry.extend(method("idempotent", flag(idempotent)));
    entry.extend(method("open_world", flag(open_world)));
    entry.extend(method("max_concurrency", max_concurrency));
    entry.extend(method("rate_limit", rate_limit.as_ref().map(|rate| read(&p, "rate", rate))));
    registered(runtime, handler, &entry)
}

/// A resource's function with its entry.
pub(crate) fn resource(runtime: &Runtime, resource: &Resource) -> TokenStream {
    let p = quote!(#runtime::__private);
    let Resource { handler, uri, mime, list, size, audience, priority, cache } = resource;
    let (name, params, call) = (&handler.name, infos(handler), call(runtime, handler));
    let mut entry = quote!(#p::resource(#uri, #name, #p::location!(), #params, __R.mime(), #call));
    entry.extend(about(runtime, handler));
    entry.extend(method("mime", text(mime)));
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
        let (ttl, scope) = (read(&p, "duration", &cache.ttl), format_ident!("{}", cache.scope));
        quote!(#ttl, #p::CacheScope::#scope)
    });
    entry.extend(method("cache", cache));
    registered(runtime, handler, &entry)
}

/// A prompt's function with its entry.
pub(crate) fn prompt(runtime: &Runtime, prompt: &Prompt) -> TokenStream {
    let p = quote!(#runtime::__private);
    let handler = &prompt.handler;
    let (name, params, call) = (&handler.name, infos(handler), call(runtime, handler));
    let mut entry = quote!(#p::prompt(#name, #p::location!(), #params, #call));
    entry.extend(about(runtime, handler));
    registered(runtime, handler, &entry)
}

/// The function, and beside it the entry with the constants that it names.
fn registered(runtime: &Runtime, handler: &Handler, entry: &TokenStream) -> TokenStream {
    let function = &handler.function;
    let quiet = quiet(handler);
    let kind = match handler.kind {
        Kind::Tool => quote!(Tool),
        Kind::Resource => quote!(Resource),
        Kind::Prompt => quote!(Prompt),
    };
    let params = numbered(handler).map(|(at, param)| constant(runtime, at, param));
    let returns = returns(runtime, handler);
    let alone = alone(runtime, handler);
    let version = env!("CARGO_PKG_VERSION");
    quote! {
        #quiet
        #function
        #[allow(deprecated)]
        const _: () = {
            #runtime::__private::expanded_by! { #version }
            #(#params)*
            #returns
            #alone
            #runtime::__private::register! { #kind, #entry }
        };
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
    quote!(#[allow(#(#lints),*)])
}

fn constant_name(at: usize) -> Ident {
    format_ident!("__A{at}")
}

/// A call of the runtime, as if it stood at a token of the author's: what is wrong with it is reported there, without a word
/// about the attribute. What is in the parentheses keeps its places.
fn placed(place: Span, call: TokenStream) -> TokenStream {
    let moved = call.into_iter().map(|mut token| {
        token.set_span(place);
        token
    });
    moved.collect()
}

/// A borrow of a value, at a token of the author's.
fn borrowed(place: Span, value: impl ToTokens) -> TokenStream {
    let sign = quote_spanned!(place=> &);
    quote!(#sign #value)
}

/// A name of the expansion, at a token of the author's: errors point there, and no name of the author's is meant.
fn local(name: &str, place: Span) -> Ident {
    Ident::new(name, Span::mixed_site().located_at(place))
}

fn span_of(tokens: impl ToTokens) -> Span {
    tokens.into_token_stream().into_iter().next().map_or_else(Span::call_site, |token| token.span())
}

fn constant(runtime: &Runtime, at: usize, param: &Param) -> TokenStream {
    let Param { name, ty, doc, options, .. } = param;
    let constant = constant_name(at);
    let at = Literal::usize_unsuffixed(at);
    let mut value = match param.kind {
        ParamKind::Provided => quote!(<#ty as #runtime::Provided>::PROVIDED),
        ParamKind::FromContext => quote!(<#ty as #runtime::FromContext>::PARAM),
        _ if options.from_str => quote!(<#ty as #runtime::bounds::FromText>::FROM_TEXT),
        _ => quote!(<#ty as #runtime::Parameter>::PARAM),
    };
    value.extend(quote!(.named(#at, #name, #doc)));
    value.extend(method("title", text(&options.title)));
    value.extend(options.default.as_ref().map(|default| default_value(runtime, ty, default)));
    value.extend(method("range", options.range.as_ref().map(|bounds| range(runtime, bounds))));
    value.extend(method("length", options.length.as_ref().map(length)));
    value.extend(method("pattern", &options.pattern));
    value.extend(method("example", options.example.as_ref().map(|example| json(runtime, example))));
    value.extend(method("header", &options.header));
    value.extend(method("complete", options.complete.as_ref().map(|function| completion(runtime, function))));
    quote!(const #constant: #runtime::__private::Param<#ty> = #value;)
}

fn default_value(runtime: &Runtime, ty: &Type, default: &DefaultValue) -> TokenStream {
    let (made, place) = match default {
        DefaultValue::Json(json) => return quote!(.default_json(#json)),
        DefaultValue::Expr(expr) => (expr.to_token_stream(), span_of(expr)),
        DefaultValue::OfType => (quote!(<#ty as ::core::default::Default>::default()), span_of(ty)),
    };
    // Named after the author's expression is evaluated, so it hides nothing from it.
    let value = Ident::new("value", place);
    let borrowed = borrowed(place, &value);
    let json = placed(place, quote!(#runtime::bounds::ToJson::to_json(#borrowed)));
    quote!(.default_with(|| { let #value: #ty = #made; #json }))
}

fn range(runtime: &Runtime, bounds: &Bounds) -> TokenStream {
    let end = |name: &str, bound: &Option<Number>| {
        let bound = bound.as_ref()?;
        let kind = if bound.is_float() { "float" } else { "int" };
        Some(method(&format!("{name}_{kind}"), Some(bound)))
    };
    let (min, max) = (end("min", &bounds.min), end("max", &bounds.max));
    quote!(#runtime::__private::Range::NEW #min #max)
}

fn length(bounds: &Bounds) -> TokenStream {
    let some = |bound: &Number| quote!(::core::option::Option::Some(#bound));
    let none = || quote!(::core::option::Option::None);
    let (min, max) = (bounds.min.as_ref().map_or_else(none, some), bounds.max.as_ref().map_or_else(none, some));
    quote!(#min, #max)
}

fn json(runtime: &Runtime, expr: &Expr) -> TokenStream {
    let place = span_of(expr);
    let borrowed = borrowed(place, expr);
    let json = placed(place, quote!(#runtime::bounds::ToJson::to_json(#borrowed)));
    quote!(|| #json)
}

fn completion(runtime: &Runtime, function: &Expr) -> TokenStream {
    let place = span_of(function);
    let (partial, ctx) = (local("partial", place), local("ctx", place));
    let call = parenthesized(quote!(#partial, #ctx), place);
    let given = placed(place, quote!(#runtime::bounds::IntoCompletions::into_completions(#function #call)));
    quote!(|#partial, #ctx| #given)
}

fn listing(runtime: &Runtime, function: &Expr) -> TokenStream {
    let place = span_of(function);
    let ctx = local("ctx", place);
    let list = placed(place, quote!(#runtime::bounds::ListFunction::list(#function, #ctx)));
    quote!(|#ctx| #list)
}

/// Text that a constant function of the runtime reads: what it refuses is reported at the author's expression.
fn read(p: &TokenStream, function: &str, expr: &Expr) -> TokenStream {
    let (function, text) = (format_ident!("{function}"), typed(expr, &quote!(&str)));
    placed(span_of(expr), quote!(#p::#function(#text)))
}

/// A constant expression in a place of its own type, so that a misfit is reported there and nowhere else.
fn typed(expr: &Expr, ty: &TokenStream) -> TokenStream {
    if literal(expr).is_some() {
        return expr.to_token_stream();
    }
    quote!({ const __VALUE: #ty = #expr; __VALUE })
}

fn text(expr: &Option<Expr>) -> Option<TokenStream> {
    expr.as_ref().map(|expr| typed(expr, &quote!(&str)))
}

fn flag(expr: &Option<Expr>) -> Option<TokenStream> {
    expr.as_ref().map(|expr| typed(expr, &quote!(bool)))
}

/// One call of the builder, if the author said anything.
fn method(name: &str, value: impl IntoOption) -> Option<TokenStream> {
    let name = format_ident!("{name}");
    value.into_tokens().map(|value| quote!(.#name(#value)))
}

/// What a key may have said.
trait IntoOption {
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
fn about(runtime: &Runtime, handler: &Handler) -> TokenStream {
    let about = &handler.about;
    let mut entry = TokenStream::new();
    entry.extend(method("title", text(&about.title)));
    entry.extend(method("description", Some(&about.description).filter(|text| !text.is_empty())));
    let icon = about.icon.as_ref().map(|icon| {
        let made = placed(span_of(icon), quote!(#runtime::bounds::IntoIcon::into_icon(#icon)));
        quote!(|| #made)
    });
    entry.extend(method("icon", icon));
    entry.extend(method("group", text(&about.group)));
    let p = quote!(#runtime::__private);
    entry.extend(method("timeout", about.timeout.as_ref().map(|timeout| read(&p, "duration", timeout))));
    entry.extend(method("disabled", flag(&about.disabled)));
    entry.extend(method("meta", about.meta.as_ref().map(|meta| json(runtime, meta))));
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

fn returns(runtime: &Runtime, handler: &Handler) -> TokenStream {
    let (kind, bound) = match handler.kind {
        Kind::Tool => (quote!(ToolReturns), quote!(ToolOutput)),
        Kind::Resource => (quote!(ResourceReturns), quote!(ResourceOutput)),
        Kind::Prompt => (quote!(PromptReturns), quote!(PromptOutput)),
    };
    // Where nothing is returned there is no type to point at, but the function's name.
    let nothing = || parenthesized(TokenStream::new(), handler.function.signature.ident.span());
    let ty = handler.returns.as_ref().map_or_else(nothing, ToTokens::to_token_stream);
    quote!(const __R: #runtime::__private::#kind<#ty> = <#ty as #runtime::#bound>::RETURNS;)
}

/// `Args<T>` is told by its trait, so every handler with two arguments asserts that none of them is one.
fn alone(runtime: &Runtime, handler: &Handler) -> Option<TokenStream> {
    let plain = handler.params.iter().filter(|param| param.kind == ParamKind::Plain);
    if plain.count() < 2 {
        return None;
    }
    let params = infos(handler);
    let checked = placed(handler.function.signature.ident.span(), quote!(#runtime::__private::alone(#params)));
    Some(quote!(const _: () = #checked;))
}

/// The closure that takes the arguments and calls the function.
fn call(runtime: &Runtime, handler: &Handler) -> TokenStream {
    let (ctx, args) = (local("ctx", Span::call_site()), local("args", Span::call_site()));
    let name = &handler.function.signature.ident;
    let mut takes = TokenStream::new();
    let mut values = Vec::new();
    let mut at = 0;
    for param in &handler.params {
        values.push(match param.kind {
            ParamKind::Context => ctx.to_token_stream(),
            ParamKind::Reference => placed(span_of_reference(&param.ty), quote!(#runtime::bounds::IsContext::of(#ctx))),
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

/// What a reference by a name other than `Ctx` points to: there the bound says that only the context is borrowed.
fn span_of_reference(ty: &Type) -> Span {
    match ungroup(ty) {
        Type::Reference(reference) => span_of(&reference.elem),
        other => span_of(other),
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
