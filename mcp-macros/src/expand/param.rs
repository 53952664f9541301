//! One constant for each parameter that is not the context.

use proc_macro2::{Ident, Literal, Span, TokenStream};
use quote::{format_ident, quote};
use syn::{Expr, Type};

use super::numbered;
use super::place::{again, end_of, local, placed, span_of, standing_at};
use super::value::{default_value, described, json, method, text};
use crate::arg::Options;
use crate::fit::Bounds;
use crate::handler::Handler;
use crate::literal::Number;
use crate::param::{Param, ParamKind};
use crate::path::Runtime;

pub(super) fn constant_name(at: usize) -> Ident {
    format_ident!("__A{at}")
}

/// A parameter's type by another name, for where it is said once more: told to be unknown there, it would be told twice. The
/// empty brackets make the name as long as the type, so that what is missing is told at one place.
pub(super) fn type_name(at: usize, ty: &Type) -> TokenStream {
    let (name, end) = (alias(at, span_of(ty)), end_of(ty));
    let brackets = placed(end, quote!(<>));
    quote!(#name #brackets)
}

fn alias(at: usize, place: Span) -> Ident {
    format_ident!("__T{at}", span = place)
}

/// The names of the types, for the handlers that say them once more.
pub(super) fn type_names(handler: &Handler) -> TokenStream {
    let named = numbered(handler).filter(|_| handler.asks() || handler.is_blocking);
    let alias = |(at, param): (usize, &Param)| {
        let ty = &param.ty;
        let name = again(ty, &handler.function.signature.ident, &alias(at, span_of(ty)).to_string());
        quote!(type #name = #ty;)
    };
    named.map(alias).collect()
}

pub(super) fn constant(runtime: &Runtime, function: &Ident, at: usize, param: &Param) -> TokenStream {
    let Param { name, ty, doc, options, .. } = param;
    let constant = again(ty, function, &constant_name(at).to_string());
    let at = Literal::usize_unsuffixed(at);
    let made = match param.kind {
        ParamKind::Provided => quote!(<#ty as #runtime::Provided>::PROVIDED),
        ParamKind::FromContext => quote!(<#ty as #runtime::FromContext>::PARAM),
        ParamKind::Ask => quote!(<#ty as #runtime::Answer>::ASK),
        _ if options.from_str => quote!(<#ty as #runtime::bounds::FromText>::FROM_TEXT),
        _ => quote!(<#ty as #runtime::Parameter>::PARAM),
    };
    let mut said = TokenStream::new();
    if param.kind == ParamKind::Plain && !options.from_str {
        said.extend(quote!(.plain(#runtime::__private::plain!(#ty))));
    }
    let doc = described(doc);
    said.extend(quote!(.named(#at, #name, #doc)));
    said.extend(method("title", text(options.title.as_ref())));
    said.extend(
        options.default.as_ref().map(|default| default_value(ty, default, &quote!(#runtime::bounds::ToJson::to_json))),
    );
    said.extend(method("limited", limits(runtime, options)));
    said.extend(method("example", options.example.as_ref().map(|example| json(runtime, example))));
    said.extend(method("header", &options.header));
    said.extend(method("complete", options.complete.as_ref().map(|function| completion(runtime, function))));
    let (made, said) = (standing_at(ty, made), placed(end_of(ty), said));
    quote!(const #constant: #runtime::__private::Param<#ty> = #made #said;)
}

/// What the value has to keep: data of its own, because few parameters have any.
fn limits(runtime: &Runtime, options: &Options) -> Option<TokenStream> {
    let length = options.length.as_ref().map(|bounds| {
        let (min, max) = (method("min_length", &bounds.min), method("max_length", &bounds.max));
        quote!(#min #max)
    });
    let (range, pattern) = (options.range.as_ref().map(ends), method("pattern", &options.pattern));
    let is_limited = range.is_some() || length.is_some() || pattern.is_some();
    is_limited.then(|| quote!(&#runtime::__private::Constraints::NONE #range #length #pattern))
}

pub(super) fn range(runtime: &Runtime, bounds: &Bounds) -> TokenStream {
    let ends = ends(bounds);
    quote!(#runtime::__private::Range::NEW #ends)
}

fn ends(bounds: &Bounds) -> TokenStream {
    let end = |name: &str, bound: &Option<Number>| {
        let bound = bound.as_ref()?;
        let kind = if bound.is_float() { "float" } else { "int" };
        method(&format!("{name}_{kind}"), Some(bound))
    };
    let (min, max) = (end("min", &bounds.min), end("max", &bounds.max));
    quote!(#min #max)
}

pub(super) fn length(bounds: &Bounds) -> TokenStream {
    let some = |bound: &Number| quote!(::core::option::Option::Some(#bound));
    let none = || quote!(::core::option::Option::None);
    let (min, max) = (bounds.min.as_ref().map_or_else(none, some), bounds.max.as_ref().map_or_else(none, some));
    quote!(#min, #max)
}

fn completion(runtime: &Runtime, function: &Expr) -> TokenStream {
    let place = span_of(function);
    let (partial, ctx) = (local("partial", place), local("ctx", place));
    let given = placed(place, quote!(#runtime::bounds::CompleteFunction::complete(#function, #partial, #ctx)));
    quote!(|#partial, #ctx| #given)
}
