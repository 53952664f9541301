//! A type with the derives that it lacks, and what is proven of its fields beside it.

use proc_macro2::{Ident, Literal, TokenStream};
use quote::{format_ident, quote};
use syn::{DeriveInput, Type, WherePredicate};

use super::place::{expanded_by, placed, span_of};
use crate::data::{Data, Item};
use crate::path::Runtime;

/// A type with the derives that it lacks.
pub(crate) fn data(data: &Data) -> TokenStream {
    let runtime = &data.given.clone().unwrap_or_default();
    let derives = derives(runtime, data);
    let expanded = match &data.item {
        Item::Plain(item) => quote!(#derives #item),
        Item::WithFields(input, fields) if fields.is_empty() => quote!(#derives #input),
        Item::WithFields(input, fields) => proven(runtime, &derives, input, fields),
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
fn proven(runtime: &Runtime, derives: &TokenStream, input: &DeriveInput, fields: &[Type]) -> TokenStream {
    let (of, fields_of) = of(input);
    let mut granted = input.clone();
    let (mut predicates, mut proofs) = (Vec::<WherePredicate>::new(), TokenStream::new());
    for (at, ty) in fields.iter().enumerate() {
        let at = Literal::usize_unsuffixed(at);
        predicates.push(syn::parse_quote!(#ty: #runtime::bounds::FieldOf<#of, #at>));
        // What is missing is told at the type; the empty brackets are not, lest the compiler advise a parameter there.
        let place = span_of(ty);
        let (begin, end) = (placed(place, quote!(impl)), placed(place, quote!({})));
        let proof = placed(place, quote!(#runtime::bounds::FieldOf<#of, #at> for));
        proofs.extend(quote! {
            impl #runtime::bounds::FieldType<#of, #at> for #ty { type It = Self; }
            #begin<> #proof #ty #end
        });
    }
    let granted_by = granted.generics.make_where_clause();
    // The author's last: there the compiler adds what it advises.
    predicates.extend(std::mem::take(&mut granted_by.predicates));
    granted_by.predicates.extend(predicates);
    quote! {
        #[cfg(not(doc))]
        #derives
        #[allow(private_bounds, reason = "the types of its fields")]
        #granted

        #[cfg(doc)]
        #derives
        #input

        #fields_of

        #[cfg(not(doc))]
        const _: () = { #proofs };
    }
}

/// The type whose fields are spoken of: one without parameters stands in for one that has some. What is said of a type with
/// parameters holds only for some of them, and is not taken for granted.
fn of(input: &DeriveInput) -> (Ident, Option<TokenStream>) {
    if input.generics.params.is_empty() {
        return (input.ident.clone(), None);
    }
    let name = format_ident!("FieldsOf_{}", input.ident);
    let item = quote! {
        #[cfg(not(doc))]
        #[allow(dead_code, non_camel_case_types, reason = "it is only named, after a type of any name")]
        enum #name {}
    };
    (name, Some(item))
}
