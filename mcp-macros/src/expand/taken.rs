//! The values of the parameters on their way to the function.
//!
//! What a type asks of its own arguments, the compiler looks at wherever a value of the type is passed, and would tell each time.
//! There the expansion is as long as the type: in the same words at the same place it is one error, that of the function itself.

use proc_macro2::{Ident, Span, TokenStream};
use quote::quote;

use super::param::{Way, constant_name, on_its_way};
use super::place::{borrowed, local, parenthesized, placed, spanning, standing_at};
use crate::handler::Handler;
use crate::param::Param;
use crate::path::Runtime;

/// What is said of a parameter.
pub(super) fn info(runtime: &Runtime, at: usize, param: &Param) -> TokenStream {
    let constant = constant_name(at);
    if !param.is_bounded {
        return quote!(#constant.info());
    }
    passed_to(placed_at(param, quote!(#runtime::bounds::info)), constant_of(at, param), param)
}

/// Takes it; what is wrong with it is told with what is wrong with the others.
pub(super) fn take(
    runtime: &Runtime,
    handler: &Handler,
    (at, param): (usize, &Param),
    (ctx, args): (&Ident, &Ident),
) -> TokenStream {
    let (constant, value) = (constant_name(at), value_name(at, param));
    let (function, passed) =
        if handler.asks() { (quote!(kept), quote!(#args)) } else { (quote!(take), quote!(#ctx, #args)) };
    if !param.is_bounded {
        return quote!(let #value = #constant.#function(#passed););
    }
    let constant = constant_of(at, param);
    let taken = passed_to(placed_at(param, quote!(#runtime::bounds::#function)), quote!(#constant, #passed), param);
    quote!(let #value = (#taken,);)
}

/// The value out of its result, where `?` is not as long as the type.
pub(super) fn found(runtime: &Runtime, at: usize, param: &Param) -> Option<TokenStream> {
    if !param.is_bounded {
        return None;
    }
    let (value, found) = (value_name(at, param), local("found", Span::call_site()));
    let ok = spanning(param.extent, quote!(::core::result::Result::Ok));
    let refused = quote!(return ::core::result::Result::Err(#runtime::__private::Refused));
    Some(quote!(let #ok(#found) = #value.0 else { #refused }; let #value = (#found,);))
}

/// The value, to be passed.
pub(super) fn value(at: usize, param: &Param) -> TokenStream {
    let value = value_name(at, param);
    let after = if param.is_bounded { quote!(.0) } else { quote!(?) };
    let after = placed(param.extent.end, after);
    quote!(#value #after)
}

/// The value made ready for another thread.
pub(super) fn packed(runtime: &Runtime, handler: &Handler, at: usize, param: &Param) -> TokenStream {
    // What questions may look at is `Send` already.
    let way = if handler.asks() { Way::Itself("Movable") } else { Way::of(param, "Movable", "Moves") };
    let pack = on_its_way(runtime, (at, param), way, "pack");
    let (name, packed) = (value_name(at, param), passed_to(pack, value(at, param), param));
    if param.is_bounded { quote!(let #name = (#packed,);) } else { quote!(let #name = #packed;) }
}

/// The value, on that thread.
pub(super) fn unpacked(runtime: &Runtime, at: usize, param: &Param) -> TokenStream {
    let name = value_name(at, param);
    let packed = if param.is_bounded { value(at, param) } else { quote!(#name) };
    passed_to(placed_at(param, quote!(#runtime::bounds::unpack)), packed, param)
}

/// It hides nothing of the author's by its name, because it stands at the type, as if it were written there.
fn value_name(at: usize, param: &Param) -> Ident {
    Ident::new(&format!("__a{at}"), param.extent.start)
}

fn constant_of(at: usize, param: &Param) -> TokenStream {
    let constant = Ident::new(&constant_name(at).to_string(), param.extent.end);
    borrowed(param.extent.start, constant)
}

fn placed_at(param: &Param, path: TokenStream) -> TokenStream {
    placed(param.extent.start, path)
}

/// A call that is as long as the type.
fn passed_to(function: TokenStream, passed: TokenStream, param: &Param) -> TokenStream {
    let (function, passed) = (standing_at(param.extent, function), parenthesized(passed, param.extent.end));
    quote!(#function #passed)
}
