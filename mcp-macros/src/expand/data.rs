//! A type with the derives that it lacks, and what is proven of its fields beside it.

use proc_macro2::{Literal, TokenStream};
use quote::quote;
use syn::{DeriveInput, WherePredicate};

use super::place::{expanded_by, placed, span_of};
use crate::data::{Data, Item, Need, What, name_default};
use crate::path::Runtime;

/// A type with the derives that it lacks.
pub(crate) fn data(data: &Data) -> TokenStream {
    let runtime = &data.given.clone().unwrap_or_default();
    let derives = derives(runtime, data);
    let expanded = match &data.item {
        Item::Plain(item) => quote!(#derives #item),
        Item::WithNeeds(input, needs) if needs.is_empty() => quote!(#derives #input),
        Item::WithNeeds(input, needs) => proven(runtime, &derives, input, needs),
    };
    if data.given.is_none() {
        return expanded;
    }
    // Where there is no runtime, there is one error instead of one for each derive.
    let version = env!("CARGO_PKG_VERSION");
    let expanded_by = expanded_by(runtime);
    quote!(#expanded_by { #version #expanded })
}

fn derives(runtime: &Runtime, data: &Data) -> TokenStream {
    let serialize = data.serialize.then(|| quote!(#runtime::serde::Serialize,));
    let deserialize = data.deserialize.then(|| quote!(#runtime::serde::Deserialize,));
    let json_schema = data.json_schema.then(|| quote!(#runtime::schemars::JsonSchema,));
    let (serde, schemars) = (format!("{}::serde", runtime.to_text()), format!("{}::schemars", runtime.to_text()));
    let serde = (data.serialize || data.deserialize).then(|| quote!(#[serde(crate = #serde)]));
    let schemars = data.json_schema.then(|| quote!(#[schemars(crate = #schemars)]));
    quote!(#[derive(#serialize #deserialize #json_schema)] #serde #schemars)
}

/// The derives take for granted what is proven here, so that it is missed once. Readers of the documentation need not know.
fn proven(runtime: &Runtime, derives: &TokenStream, input: &DeriveInput, needs: &[Need]) -> TokenStream {
    let name = &input.ident;
    let (parameters, arguments, holds) = input.generics.split_for_impl();
    let mut granted = input.clone();
    let (mut predicates, mut proofs) = (Vec::<WherePredicate>::new(), TokenStream::new());
    for (at, Need { ty, what }) in needs.iter().enumerate() {
        let granted_as = match what {
            What::Data => quote!(FieldOf),
            What::FixedData => quote!(FixedFieldOf),
            What::Default | What::OwnDefault => quote!(DefaultOf),
        };
        let at = Literal::usize_unsuffixed(at);
        let of = quote!(#name #arguments, #at);
        // With parameters the compiler takes `It` for a type of its own, unless it is told here which one it is.
        predicates.push(syn::parse_quote!(#ty: #runtime::bounds::#granted_as<#of, It = #ty>));
        // What is missing is told at the type; the brackets are not, lest the compiler advise a parameter there.
        let place = span_of(ty);
        let (begin, end) = (placed(place, quote!(impl)), placed(place, quote!({})));
        let proof = placed(place, quote!(#runtime::bounds::#granted_as<#of> for));
        let none = input.generics.params.is_empty().then(|| quote!(<>));
        proofs.extend(quote! {
            impl #parameters #runtime::bounds::FieldType<#of> for #ty #holds { type It = Self; }
            #begin #none #parameters #proof #ty #holds #end
        });
    }
    if needs.iter().any(|need| need.what == What::OwnDefault) {
        name_default(&mut granted);
    }
    let granted_by = granted.generics.make_where_clause();
    // The author's last: there the compiler adds what it advises.
    predicates.extend(std::mem::take(&mut granted_by.predicates));
    granted_by.predicates.extend(predicates);
    quote! {
        #[cfg(not(doc))]
        #derives
        #[allow(private_bounds, single_use_lifetimes, reason = "the types of its fields, and the type itself")]
        #granted

        #[cfg(doc)]
        #derives
        #input

        #[cfg(not(doc))]
        #[allow(single_use_lifetimes, reason = "they are those of the type")]
        const _: () = { #proofs };
    }
}
