//! Where tokens of the expansion stand: an error about them is reported at a token of the author's.

use proc_macro2::{Delimiter, Group, Ident, Span, TokenStream, TokenTree};
use quote::{ToTokens, quote, quote_spanned};

use crate::path::Runtime;
use syn::Type;

use crate::spelled::{Extent, last_segment};

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

/// A path that begins with a type of the author's, standing where the type does: what the compiler finds out about lifetimes
/// when it looks at values, it says of a whole expression.
pub(super) fn standing_at(extent: Extent, path: TokenStream) -> TokenStream {
    let mut tokens: Vec<TokenTree> = path.into_iter().collect();
    if let Some(first) = tokens.first_mut() {
        first.set_span(extent.start);
    }
    if let Some(last) = tokens.last_mut() {
        last.set_span(extent.end);
    }
    tokens.into_iter().collect()
}

/// A path of the runtime that is as long as a type, as if it stood there.
pub(super) fn spanning(extent: Extent, path: TokenStream) -> TokenStream {
    standing_at(extent, placed(extent.start, path))
}

/// An item of a trait for a type, in which each part is as long as the type that it stands for: the compiler points at all of it.
pub(super) fn item_of(extent: Extent, said: impl ToTokens, bound: &TokenStream, item: &str) -> TokenStream {
    let (start, end, item) = (extent.start, extent.end, Ident::new(item, extent.end));
    let (before, bound, after) = (placed(start, quote!(<)), placed(start, quote!(as #bound)), placed(end, quote!(>::)));
    quote!(#before #said #bound #after #item)
}

/// Parentheses at the span of the function's name: what is wrong with the future is told there, not about the attribute.
pub(super) fn parenthesized(tokens: TokenStream, span: Span) -> TokenStream {
    let mut group = Group::new(Delimiter::Parenthesis, tokens);
    group.set_span(span);
    group.into_token_stream()
}
