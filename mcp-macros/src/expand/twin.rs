//! A function whose name another handler has, with other types.
//!
//! In two modules that is right. In one, rustc says so and takes the first of the two for both: what stands beside the second
//! would not fit. So it is called in a way that the compiler checks only where it makes the program.

use proc_macro2::{Ident, TokenStream};
use quote::{ToTokens, quote};
use syn::Type;

use super::place::{local, placed};
use crate::handler::Handler;
use crate::param::Param;
use crate::spelled::ungroup;

/// The function as a method that is its own if it fits, and otherwise one that no program is made with.
pub(super) fn items(handler: &Handler) -> TokenStream {
    let types: Vec<_> = handler.params.iter().map(passed).collect();
    let names: Vec<_> =
        (0..types.len()).map(|at| local(&format!("a{at}"), handler.function.signature.ident.span())).collect();
    let returned = handler.returns.as_ref().map_or_else(|| quote!(()), ToTokens::to_token_stream);
    let (bound, given) = if handler.is_async() {
        (quote!(::core::future::Future<Output = #returned>), quote!(::core::future::Pending<#returned>))
    } else {
        (quote!(__Is<#returned>), returned)
    };
    let (made, itself) = if handler.is_async() { (quote!(R), None) } else { (given.clone(), Some(quote!(.itself()))) };
    let unfit = format!(
        "`{0}` takes or returns something else than it says, and another handler is called `{0}`: rename one of them",
        handler.function.signature.ident
    );
    quote! {
        struct __Twin<'c, F>(F, ::core::marker::PhantomData<&'c ()>);
        trait __Is<T> { fn itself(self) -> T; }
        impl<T> __Is<T> for T { fn itself(self) -> T { self } }
        impl<'c, F: ::core::ops::Fn(#(#types),*) -> R, R: #bound> __Twin<'c, F> {
            fn call(&self, #(#names: #types),*) -> #made { (self.0)(#(#names),*) #itself }
        }
        trait __Other<'c>: ::core::marker::Sized {
            fn call(&self, #(_: #types),*) -> #given { const { ::core::panic!(#unfit) } }
        }
        impl<'c, F> __Other<'c> for __Twin<'c, F> {}
    }
}

/// What stands for the function where it is called.
pub(super) fn callee(name: &Ident) -> TokenStream {
    let twin = placed(name.span(), quote!(__Twin));
    let call = placed(name.span(), quote!(.call));
    quote!(#twin(#name, ::core::marker::PhantomData)#call)
}

/// The type of a parameter. That of the context lives as long as a call.
fn passed(param: &Param) -> TokenStream {
    match ungroup(&param.ty) {
        Type::Reference(reference) => {
            let inner = &reference.elem;
            quote!(&'c #inner)
        }
        ty => ty.to_token_stream(),
    }
}
