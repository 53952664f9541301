//! What the function returns, on its way out.
//!
//! As with the parameters: what the type asks of its own arguments is told wherever a value of it is. There the expansion is as
//! long as the type, so that it is the one error of the function itself.

use proc_macro2::{Ident, Span, TokenStream};
use quote::{ToTokens as _, quote};
use syn::Type;

use super::place::{again, borrowed, parenthesized, placed, spanning};
use super::twin;
use crate::handler::Handler;
use crate::kind::Kind;
use crate::path::Runtime;
use crate::spelled::{Extent, bounded, is_bounded};

/// The constant that says how the type becomes a reply.
pub(super) fn constant(runtime: &Runtime, handler: &Handler) -> TokenStream {
    let (kind, bound) = match handler.kind {
        Kind::Tool => (quote!(ToolReturns), quote!(ToolOutput)),
        Kind::Resource => (quote!(ResourceReturns), quote!(ResourceOutput)),
        Kind::Prompt => (quote!(PromptReturns), quote!(PromptOutput)),
    };
    let name = &handler.function.signature.ident;
    // Where nothing is returned there is no type to point at, but the function's name.
    let nothing = || Type::Verbatim(parenthesized(TokenStream::new(), name.span()));
    let ty = handler.returns.clone().unwrap_or_else(nothing);
    let constant = again(&ty, name, NAME);
    quote!(const #constant: #runtime::__private::#kind<#ty> = <#ty as #runtime::#bound>::RETURNS;)
}

const NAME: &str = "__R";

/// A call of the function.
pub(super) fn called(handler: &Handler, values: &[TokenStream]) -> TokenStream {
    let name = &handler.function.signature.ident;
    // A future that is not `Send` is told at the function's name.
    let Extent { start, end } = part(handler).filter(|_| !handler.is_async()).unwrap_or_else(|| at_name(handler));
    let function = if handler.has_twin { twin::callee(name) } else { name.to_token_stream() };
    let (function, values) = (placed(start, function), parenthesized(quote!(#(#values),*), end));
    quote!(#function #values)
}

/// What the runtime does with the constant and what else it takes.
pub(super) fn passed_to(function: &str, runtime: &Runtime, handler: &Handler, others: &TokenStream) -> TokenStream {
    let function = Ident::new(function, Span::call_site());
    let Some(Extent { start, end }) = part(handler) else {
        let (place, constant) = (handler.function.signature.ident.span(), Ident::new(NAME, Span::call_site()));
        return placed(place, quote!(#constant.#function(#others)));
    };
    let (before, after) =
        (placed(start, quote!(<#runtime::__private::Returns<_,)), placed(end, quote!(_>>::#function)));
    let constant = borrowed(start, Ident::new(NAME, end));
    let passed = parenthesized(quote!(#constant, #others), end);
    quote!(#before #after #passed)
}

/// The call under way of an `async fn`.
pub(super) fn running(runtime: &Runtime, handler: &Handler, called: &TokenStream) -> TokenStream {
    let extent = part(handler).unwrap_or_else(|| at_name(handler));
    let function = spanning(extent, quote!(#runtime::bounds::Runs::run));
    let constant = borrowed(extent.start, Ident::new(NAME, extent.end));
    let passed = parenthesized(quote!(#constant, #called), extent.end);
    quote!(#function #passed)
}

/// Where the compiler tells of a bound inside the type, if there may be one. All else is told at the function's name.
fn part(handler: &Handler) -> Option<Extent> {
    handler.returns.as_ref().map(bounded).filter(|part| is_bounded(part)).map(Extent::of)
}

fn at_name(handler: &Handler) -> Extent {
    let name = handler.function.signature.ident.span();
    Extent { start: name, end: name }
}
