//! Where tokens of the expansion stand: an error about them is reported at a token of the author's.

use proc_macro2::{Delimiter, Group, Ident, Span, TokenStream};
use quote::{ToTokens, quote, quote_spanned};

use crate::path::Runtime;
use syn::Type;

use crate::spelled::last_segment;

/// A call of the runtime, as if it stood at a token of the author's: what is wrong with it is reported there, without a word
/// about the attribute. What is in the parentheses keeps its places.
pub(super) fn placed(place: Span, call: TokenStream) -> TokenStream {
    let moved = call.into_iter().map(|mut token| {
        token.set_span(place);
        token
    });
    moved.collect()
}

/// The macro that all of an expansion stands in: where there is no runtime, that is told once, at the path to it.
pub(super) fn expanded_by(runtime: &Runtime) -> TokenStream {
    placed(span_of(runtime), quote!(#runtime::bounds::expanded_by!))
}

/// A borrow of a value, at a token of the author's.
pub(super) fn borrowed(place: Span, value: impl ToTokens) -> TokenStream {
    let sign = quote_spanned!(place=> &);
    quote!(#sign #value)
}

/// A name of the expansion, at a token of the author's: errors point there, and no name of the author's is meant.
pub(super) fn local(name: &str, place: Span) -> Ident {
    Ident::new(name, Span::mixed_site().located_at(place))
}

/// A constant that says a type of the function's or form's again, placed so that rustc says the same of both when it does not find
/// the type, and says it once: of what stands in `<…>` it proposes a type parameter behind the name of the function or constant.
pub(super) fn again(ty: &Type, of: &Ident, constant: &str) -> Ident {
    let is_generic = last_segment(ty).is_some_and(|segment| !segment.arguments.is_none());
    Ident::new(constant, if is_generic { of.span() } else { Span::call_site() })
}

pub(super) fn span_of(tokens: impl ToTokens) -> Span {
    tokens.into_token_stream().into_iter().next().map_or_else(Span::call_site, |token| token.span())
}

pub(super) fn end_of(tokens: impl ToTokens) -> Span {
    tokens.into_token_stream().into_iter().last().map_or_else(Span::call_site, |token| token.span())
}

/// Parentheses at the span of the function's name: what is wrong with the future is told there, not about the attribute.
pub(super) fn parenthesized(tokens: TokenStream, span: Span) -> TokenStream {
    let mut group = Group::new(Delimiter::Parenthesis, tokens);
    group.set_span(span);
    group.into_token_stream()
}
