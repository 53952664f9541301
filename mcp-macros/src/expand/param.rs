//! One constant for each parameter that is not the context.

use proc_macro2::{Ident, Literal, Span, TokenStream};
use quote::{ToTokens as _, format_ident, quote};
use syn::Expr;

use super::numbered;
use super::place::{again, item_of, local, parenthesized, placed, span_of, spanning, standing_at};
use super::value::{default_value, described, json, method, text};
use crate::arg::Options;
use crate::fit::Bounds;
use crate::handler::Handler;
use crate::literal::Number;
use crate::param::{Param, ParamKind, is_state};
use crate::path::Runtime;

pub(super) fn constant_name(at: usize) -> Ident {
    format_ident!("__A{at}")
}

/// A parameter's type by another name, for where it is said once more: told to be unknown there, it would be told twice. The
/// empty brackets make the name as long as the type, so that what is missing is told at one place.
pub(super) fn type_name(at: usize, param: &Param) -> TokenStream {
    let name = alias(at, param.extent.start);
    let brackets = placed(param.extent.end, quote!(<>));
    quote!(#name #brackets)
}

/// An item of a trait that says how a parameter gets to where the handler runs, with the words for one that cannot.
pub(super) fn on_its_way(runtime: &Runtime, (at, param): (usize, &Param), way: Way, item: &str) -> TokenStream {
    let (name, of, extent) = (type_name(at, param), quote!(#runtime::bounds), param.extent);
    match way {
        Way::Itself(bound) => {
            let bound = format_ident!("{bound}");
            item_of(extent, name, &quote!(#of::#bound), item)
        }
        Way::Carried(bound) => {
            let bound = format_ident!("{bound}");
            let (before, after) = (placed(extent.start, quote!(#of::Carried::<)), placed(extent.end, quote!(>)));
            item_of(extent, quote!(#before #name #after), &quote!(#of::#bound), item)
        }
    }
}

/// The trait that is asked.
#[derive(Clone, Copy)]
pub(super) enum Way {
    /// Of the type alone.
    Itself(&'static str),
    /// Of what the client sends, and of state: it says as well that a type is no parameter, and then nothing more.
    Carried(&'static str),
}

impl Way {
    /// The second for what it is there for, the first for all others.
    pub(super) fn of(param: &Param, itself: &'static str, carried: &'static str) -> Self {
        if is_decoded(param) { Self::Carried(carried) } else { Self::Itself(itself) }
    }
}

/// Whether the type of a parameter has a name, because it is said once more, or because it is told of at a part of it.
fn is_named(handler: &Handler, param: &Param) -> bool {
    handler.asks() || handler.is_blocking || param.is_inside
}

fn alias(at: usize, place: Span) -> Ident {
    format_ident!("__T{at}", span = place)
}

/// The names of the types that have one.
pub(super) fn type_names(handler: &Handler) -> TokenStream {
    let named = numbered(handler).filter(|(_, param)| is_named(handler, param));
    let alias = |(at, param): (usize, &Param)| {
        let ty = &param.ty;
        let name = again(ty, &handler.function.signature.ident, &alias(at, span_of(ty)).to_string());
        quote!(type #name = #ty;)
    };
    named.map(alias).collect()
}

pub(super) fn constant(runtime: &Runtime, handler: &Handler, at: usize, param: &Param) -> TokenStream {
    let Param { name, ty, doc, options, .. } = param;
    let constant = again(ty, &handler.function.signature.ident, &constant_name(at).to_string());
    let said = if is_named(handler, param) { type_name(at, param) } else { ty.to_token_stream() };
    let extent = param.extent;
    let is_in_place = handler.is_in_place() && is_state(ty);
    let in_place = |what: TokenStream| {
        let bounds = quote!(#runtime::bounds);
        quote!(<#said as #bounds::InPlace<#bounds::#what>>::IN_PLACE)
    };
    let made = match param.kind {
        ParamKind::Plain if is_in_place => in_place(quote!(AsParameter)),
        ParamKind::Provided if is_in_place => in_place(quote!(AsProvided)),
        ParamKind::Provided => quote!(<#said as #runtime::Provided>::PROVIDED),
        ParamKind::FromContext => quote!(<#said as #runtime::bounds::Extracted>::EXTRACTED),
        ParamKind::Ask => quote!(<#said as #runtime::Answer>::ASK),
        _ if options.from_str => quote!(<#said as #runtime::bounds::FromText>::FROM_TEXT),
        _ if handler.asks() => on_its_way(runtime, (at, param), Way::Carried("Keeps"), "KEPT"),
        _ if handler.is_blocking => on_its_way(runtime, (at, param), Way::Carried("Moves"), "MOVED"),
        _ => quote!(<#said as #runtime::Parameter>::PARAM),
    };
    let made = standing_at(extent, made);
    let made = if is_decoded(param) { known(runtime, handler, param, &made, &said) } else { made };
    let mut calls = TokenStream::new();
    let (at, doc) = (Literal::usize_unsuffixed(at), described(doc));
    calls.extend(quote!(.named(#at, #name, #doc)));
    calls.extend(method("title", text(options.title.as_ref())));
    calls.extend(
        options.default.as_ref().map(|default| default_value(ty, default, &quote!(#runtime::bounds::ToJson::to_json))),
    );
    calls.extend(method("limited", limits(runtime, options)));
    calls.extend(method("example", options.example.as_ref().map(|example| json(runtime, example))));
    calls.extend(method("header", &options.header));
    calls.extend(method("complete", options.complete.as_ref().map(|function| completion(runtime, function))));
    let calls = placed(extent.end, calls);
    quote!(const #constant: #runtime::__private::Param<#ty> = #made #calls;)
}

/// Whether the client sends it as JSON, unless it is state.
fn is_decoded(param: &Param) -> bool {
    param.kind == ParamKind::Plain && !param.options.from_str
}

/// The parameter with what is known of its type: what borrows is told to do so, unless more is asked of it, and told.
fn known(runtime: &Runtime, handler: &Handler, param: &Param, made: &TokenStream, said: &TokenStream) -> TokenStream {
    let extent = param.extent;
    let function = if handler.asks() || handler.is_blocking { quote!(known) } else { quote!(owned) };
    let function = spanning(extent, quote!(#runtime::bounds::#function));
    let (before, after) =
        (placed(extent.start, quote!(<#runtime::bounds::TypeOf<)), placed(extent.end, quote!(>>::KNOWN)));
    let passed = parenthesized(quote!(#made, #before #said #after), extent.end);
    quote!(#function #passed)
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
    let boxed = placed(place, quote!(#runtime::bounds::Boxes::boxed(#given)));
    quote!(|#partial, #ctx| #boxed)
}
