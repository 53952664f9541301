//! A type with the derives that it lacks, and what is proven of its fields beside it.

use proc_macro2::{Ident, Literal, Span, TokenStream};
use quote::{ToTokens as _, quote};
use syn::{DeriveInput, GenericParam, Generics, Lifetime, Meta, Visibility, WherePredicate};

use super::place::{expanded_by, placed};
use crate::data::{Data, Item, Need, What, Words};
use crate::path::Runtime;
use crate::spelled::Extent;

/// A type with the derives that it lacks.
pub(crate) fn data(data: &Data) -> TokenStream {
    let runtime = &data.given.clone().unwrap_or_default();
    let derives = derives(runtime, data);
    let expanded = match &data.item {
        Item::Plain(item) => quote!(#derives #item),
        Item::WithNeeds(input, needs) if needs.is_empty() => quote!(#derives #input),
        Item::WithNeeds(input, needs) => proven(data, &derives, input, needs),
    };
    let borrows = data.borrows.as_ref().map(|(name, generics)| borrows(runtime, name, generics.clone()));
    let expanded = quote!(#expanded #borrows);
    if data.given.is_none() {
        return expanded;
    }
    // Where there is no runtime, there is one error instead of one for each derive.
    let version = env!("CARGO_PKG_VERSION");
    let expanded_by = expanded_by(runtime);
    quote!(#expanded_by { #version #expanded })
}

/// Of a type that borrows it is known that it is no argument. Lifetimes of which nothing is asked have no name, as lints want it.
fn borrows(runtime: &Runtime, name: &Ident, mut generics: Generics) -> TokenStream {
    let bounds = generics.params.to_token_stream().to_string() + &generics.where_clause.to_token_stream().to_string();
    let is_asked = |lifetime: &Lifetime| bounds.matches(&lifetime.to_string()).count() > 1;
    let arguments: Vec<TokenStream> = generics
        .params
        .iter()
        .map(|parameter| match parameter {
            GenericParam::Lifetime(parameter) if is_asked(&parameter.lifetime) => parameter.lifetime.to_token_stream(),
            GenericParam::Lifetime(_) => quote!('_),
            GenericParam::Type(parameter) => parameter.ident.to_token_stream(),
            GenericParam::Const(parameter) => parameter.ident.to_token_stream(),
        })
        .collect();
    let is_named = |parameter: &GenericParam| !matches!(parameter, GenericParam::Lifetime(parameter) if !is_asked(&parameter.lifetime));
    generics.params = generics.params.into_iter().filter(is_named).collect();
    let (parameters, _, holds) = generics.split_for_impl();
    quote!(#[doc(hidden)] impl #parameters #runtime::bounds::Borrows for #name <#(#arguments),*> #holds {})
}

fn derives(runtime: &Runtime, data: &Data) -> TokenStream {
    let serialize = data.serialize.then(|| quote!(#runtime::serde::Serialize,));
    let deserialize = data.deserialize.then(|| quote!(#runtime::serde::Deserialize,));
    let json_schema = data.json_schema.then(|| quote!(#runtime::schemars::JsonSchema,));
    let (serde, schemars) = (format!("{}::serde", runtime.to_text()), format!("{}::schemars", runtime.to_text()));
    let (is_serde_named, is_schemars_named) = data.is_named;
    let needs_serde = (data.serialize || data.deserialize) && !is_serde_named;
    let serde = needs_serde.then(|| quote!(#[serde(crate = #serde)]));
    let schemars = (data.json_schema && !is_schemars_named).then(|| quote!(#[schemars(crate = #schemars)]));
    quote!(#[derive(#serialize #deserialize #json_schema)] #serde #schemars)
}

/// The derives take for granted what is proven here, so that it is missed once. Readers of the documentation need not know.
fn proven(data: &Data, derives: &TokenStream, input: &DeriveInput, needs: &[Need]) -> TokenStream {
    let runtime = &data.given.clone().unwrap_or_default();
    // Lints that look for another way to name it are told that this is an expansion.
    let mut name = input.ident.clone();
    name.set_span(Span::call_site().located_at(name.span()));
    let name = &name;
    let (parameters, arguments, holds) = input.generics.split_for_impl();
    let mut granted = input.clone();
    let (mut predicates, mut proofs) = (Vec::<WherePredicate>::new(), TokenStream::new());
    for (at, Need { ty, what }) in needs.iter().enumerate() {
        let granted_as = match what {
            What::Data => quote!(FieldOf),
            What::FixedData => quote!(FixedFieldOf),
            What::Written => quote!(WrittenFieldOf),
            What::Read => quote!(ReadFieldOf),
            What::Schema => quote!(DescribedFieldOf),
            What::Default | What::OwnDefault => quote!(DefaultOf),
        };
        let at = Literal::usize_unsuffixed(at);
        let subject = if *what == What::OwnDefault { &input.ident } else { name };
        // What is missing is told at the type.
        let Extent { start, end } = Extent::of(ty);
        let begin = |bound| placed(start, quote!(#runtime::bounds::#bound<));
        let (ty_of, granted_as, after) = (begin(quote!(FieldType)), begin(granted_as), placed(end, quote!(, #at)));
        let (it, end) = (placed(start, quote!(It =)), placed(end, quote!(>)));
        // With parameters the compiler takes `It` for a type of its own, unless it is told here which one it is.
        predicates.push(syn::parse_quote!(#name #arguments: #granted_as #ty #after, #it #ty #end));
        proofs.extend(quote! {
            impl #parameters #ty_of #ty #after #end for #name #arguments #holds { type It = #ty; }
            impl #parameters #granted_as #ty #after #end for #subject #arguments #holds {}
        });
    }
    if needs.iter().any(|need| need.what == What::OwnDefault) {
        name_default(&mut granted);
    }
    let granted_by = granted.generics.make_where_clause();
    // The author's last: there the compiler adds what it advises.
    predicates.extend(std::mem::take(&mut granted_by.predicates));
    granted_by.predicates.extend(predicates);
    let (of_type, of_proofs) = allowed(data, input);
    quote! {
        #[cfg(not(doc))]
        #derives
        #of_type
        #granted

        #[cfg(doc)]
        #derives
        #input

        #[cfg(not(doc))]
        #of_proofs
        const _: () = { #proofs };
    }
}

/// Says in full whose default the fields are taken from. Where it goes without saying, serde asks whether there is one of a type
/// without parameters, to which nothing can be granted.
fn name_default(input: &mut DeriveInput) {
    let function = format!("<{} as ::core::default::Default>::default", input.ident);
    for attribute in input.attrs.iter_mut().filter(|attribute| attribute.path().is_ident("serde")) {
        let Ok(metas) = attribute.parse_args_with(Words::parse_terminated) else { continue };
        let named = metas.into_iter().map(|meta| match meta {
            Meta::Path(path) if path.is_ident("default") => quote!(#path = #function),
            other => other.into_token_stream(),
        });
        *attribute = syn::parse_quote!(#[serde(#(#named),*)]);
    }
}

/// The lints that would speak of what is generated, of the type and of the proofs: no more of them than need be, since one that
/// is forbidden must not be allowed. What the author allows of the type is allowed of the proofs.
fn allowed(data: &Data, input: &DeriveInput) -> (TokenStream, TokenStream) {
    let is_visible = !matches!(input.vis, Visibility::Inherited);
    let has_lifetimes = input.generics.lifetimes().next().is_some();
    let single_use =
        has_lifetimes.then(|| quote!(#[allow(single_use_lifetimes, reason = "they are those of the type")]));
    let private = is_visible.then(|| quote!(#[allow(private_bounds, reason = "the types of its fields")]));
    let qualified = data.given.is_some().then(|| quote!(#[allow(unused_qualifications, reason = "the path is given")]));
    let own = input.attrs.iter().filter_map(|attribute| match &attribute.meta {
        Meta::List(list) if list.path.is_ident("allow") || list.path.is_ident("expect") => Some(&list.tokens),
        _ => None,
    });
    (quote!(#private #single_use #qualified), quote!(#single_use #qualified #(#[allow(#own)])*))
}
