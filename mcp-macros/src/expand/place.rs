//! Where tokens of the expansion stand: an error about them is reported at a token of the author's.

use proc_macro2::{Delimiter, Group, Ident, Span, TokenStream};
use quote::{ToTokens, quote, quote_spanned};

/// A call of the runtime, as if it stood at a token of the author's: what is wrong with it is reported there, without a word
/// about the attribute. What is in the parentheses keeps its places.
pub(super) fn placed(place: Span, call: TokenStream) -> TokenStream {
    let moved = call.into_iter().map(|mut token| {
        token.set_span(place);
        token
    });
    moved.collect()
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

/// A constant that says a type of the function's again, at the function's name: what rustc says of a type that it does not
/// find is then the same in both places, down to the type parameter that it proposes, and it says it once.
pub(super) fn beside(function: &Ident, constant: &Ident) -> Ident {
    Ident::new(&constant.to_string(), function.span())
}

pub(super) fn span_of(tokens: impl ToTokens) -> Span {
    tokens.into_token_stream().into_iter().next().map_or_else(Span::call_site, |token| token.span())
}

/// Parentheses at the span of the function's name: what is wrong with the future is told there, not about the attribute.
pub(super) fn parenthesized(tokens: TokenStream, span: Span) -> TokenStream {
    let mut group = Group::new(Delimiter::Parenthesis, tokens);
    group.set_span(span);
    group.into_token_stream()
}
