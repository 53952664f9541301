//! What an author writes as the value of a key, as an argument of a builder.

use proc_macro2::{Ident, Span, TokenStream};
use quote::{ToTokens, format_ident, quote};
use syn::{Expr, Type};

use super::place::{borrowed, placed, span_of};
use crate::docs::Text;
use crate::fit::DefaultValue;
use crate::literal::{Number, literal};
use crate::path::Runtime;

/// One call of the builder, if the author said anything.
pub(super) fn method(name: &str, value: impl IntoOption) -> Option<TokenStream> {
    let name = format_ident!("{name}");
    value.into_tokens().map(|value| quote!(.#name(#value)))
}

/// What a key may have said.
pub(super) trait IntoOption {
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

/// What a text says, which the runtime reads while it is compiled: a literal has been read here, of another expression the value
/// is known only there.
pub(super) fn read(runtime: &Runtime, text: Read, expr: &Expr) -> TokenStream {
    let (what, function, bound) = match text {
        Read::Duration => (quote!(duration), quote!(is_duration), quote!(DurationText)),
        Read::Rate => (quote!(rate), quote!(is_rate), quote!(RateText)),
    };
    let p = quote!(#runtime::__private);
    if literal(expr).is_some() {
        return quote!(#p::#what(#expr));
    }
    let check = holds(runtime, span_of(expr), &quote!(#p::#function(__VALUE)), &bound);
    quote!({ const __VALUE: &str = #expr; #check #p::#what(__VALUE) })
}

/// The kinds of text that the runtime reads.
#[derive(Clone, Copy, Debug)]
pub(super) enum Read {
    Duration,
    Rate,
}

/// What must be so, in the words of a bound's, at a token of the author's. As a constant that panics it would be told with
/// that constant's name.
pub(super) fn holds(runtime: &Runtime, place: Span, so: &TokenStream, bound: &TokenStream) -> TokenStream {
    let held = placed(place, quote!(<#runtime::bounds::Is<{ #so }> as #runtime::bounds::#bound>::HOLDS));
    quote!(const _: () = #held;)
}

/// A constant expression in a place of its own type, so that a misfit is reported there and nowhere else.
pub(super) fn typed(expr: &Expr, ty: &TokenStream) -> TokenStream {
    if literal(expr).is_some() {
        return expr.to_token_stream();
    }
    quote!({ const __VALUE: #ty = #expr; __VALUE })
}

pub(super) fn text(expr: Option<&Expr>) -> Option<TokenStream> {
    expr.map(|expr| typed(expr, &quote!(&str)))
}

/// A description: of doc comments, or as a key gives it.
pub(super) fn described(text: &Text) -> TokenStream {
    match text {
        Text::Expr(expr) => typed(expr, &quote!(&str)),
        other => other.to_token_stream(),
    }
}

pub(super) fn flag(expr: Option<&Expr>) -> Option<TokenStream> {
    expr.map(|expr| typed(expr, &quote!(bool)))
}

pub(super) fn json(runtime: &Runtime, expr: &Expr) -> TokenStream {
    let place = span_of(expr);
    let borrowed = borrowed(place, expr);
    let json = placed(place, quote!(#runtime::bounds::ToJson::to_json(#borrowed)));
    quote!(|| #json)
}

impl ToTokens for Number {
    fn to_tokens(&self, tokens: &mut TokenStream) {
        let digits = self.digits();
        tokens.extend(if self.is_negative() { quote!(-#digits) } else { quote!(#digits) });
    }
}

/// The builder's call for a default; `to_json` writes a value of the type.
pub(super) fn default_value(ty: &Type, default: &DefaultValue, to_json: &TokenStream) -> TokenStream {
    let (made, place) = match default {
        DefaultValue::Json(json) => return quote!(.default_json(#json)),
        DefaultValue::Expr(expr) => (expr.to_token_stream(), span_of(expr)),
        DefaultValue::OfType => (quote!(<#ty as ::core::default::Default>::default()), span_of(ty)),
    };
    // Named after the author's expression is evaluated, so it hides nothing from it.
    let value = Ident::new("value", place);
    let borrowed = borrowed(place, &value);
    let json = placed(place, quote!(#to_json(#borrowed)));
    quote!(.default_with(|| { let #value: #ty = #made; #json }))
}
