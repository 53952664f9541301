//! What the derives need of types: of those of the fields, and of the type itself.
//!
//! It is proven where it can be missed and told in few words. What the author's attributes, lifetimes and parameters change is
//! left to the derives.

use proc_macro2::{Ident, TokenStream, TokenTree};
use quote::{ToTokens, quote};
use syn::ext::IdentExt as _;
use syn::punctuated::Punctuated;
use syn::{Attribute, Data as Body, DeriveInput, Field, Meta, Token, Type, parse_quote, parse_quote_spanned};

use crate::spelled::Spelled;

/// Something that a type needs.
pub(crate) struct Need {
    pub(crate) ty: Type,
    pub(crate) what: What,
}

#[derive(Clone, Copy, PartialEq)]
pub(crate) enum What {
    /// To be written as JSON and read again.
    Data,
    /// The same, from what lives for ever: so is all read that stands beside a `&'static str`.
    FixedData,
    /// A value for where none is read.
    Default,
    /// One of the type itself, for the fields that are not read.
    OwnDefault,
}

/// What is to be proven.
pub(crate) fn of(input: &DeriveInput, parameters: &[Ident]) -> Vec<Need> {
    let is_changed = |attributes: &[Attribute]| attributes.iter().any(changes_what_is_needed);
    // What is granted is also proven for the types of the fields, where `Self` is another type.
    if is_changed(&input.attrs) || mentions(&input.generics.to_token_stream(), "Self") {
        return Vec::new();
    }
    let fields: Vec<&Field> = match &input.data {
        Body::Struct(data) => data.fields.iter().collect(),
        Body::Enum(data) => {
            let variants = data.variants.iter().filter(|variant| !is_changed(&variant.attrs));
            variants.flat_map(|variant| &variant.fields).collect()
        }
        Body::Union(_) => Vec::new(),
    };
    // Of two types that differ by a lifetime, the one behind an alias, the compiler takes what is granted for both.
    if fields.iter().any(|field| lifetimes(&field.ty).iter().any(Lifetime::is_an_argument)) {
        return Vec::new();
    }
    let data = if fields.iter().any(|field| is_read_for_ever(field)) { What::FixedData } else { What::Data };
    let has_default = has_word(&input.attrs, "default");
    let mut needs = Vec::new();
    if has_word_alone(&input.attrs, "default") && input.generics.params.is_empty() {
        let name = &input.ident;
        needs.push(Need { ty: parse_quote_spanned!(name.span()=> #name), what: What::OwnDefault });
    }
    for field in fields {
        let Field { ty, attrs, .. } = field;
        if is_surely_data(ty) || !is_free_standing(ty, parameters) {
            continue;
        }
        let is_filled = is_skipped(field) && !has_default && !has_word(attrs, "default");
        if is_filled || has_word_alone(attrs, "default") {
            needs.push(Need { ty: ty.clone(), what: What::Default });
        }
        if !is_changed(attrs) {
            needs.push(Need { ty: ty.clone(), what: data });
        }
    }
    needs
}

/// A type of the standard library that has everything, by its spelling.
pub(crate) fn is_surely_data(ty: &Type) -> bool {
    match Spelled::of(ty) {
        Some(Spelled::Option(inner)) => is_surely_data(inner),
        Some(Spelled::List) => Spelled::element(ty).is_some_and(is_surely_data),
        Some(Spelled::Map) | None => false,
        Some(_) => true,
    }
}

/// Whether it borrows nothing, as what is no more than a result may, and can be named outside of the type: it mentions none of
/// the type's parameters, and no macro that may do so.
fn is_free_standing(ty: &Type, parameters: &[Ident]) -> bool {
    fn is_free(tokens: TokenStream, parameters: &[Ident]) -> bool {
        tokens.into_iter().all(|token| match token {
            TokenTree::Punct(punct) => match punct.as_char() {
                '&' | '\'' => false,
                '!' => parameters.is_empty(),
                _ => true,
            },
            TokenTree::Group(group) => is_free(group.stream(), parameters),
            TokenTree::Ident(word) => word != "Self" && !parameters.contains(&word.unraw()),
            TokenTree::Literal(_) => true,
        })
    }
    is_free(ty.to_token_stream(), parameters)
}

/// A lifetime in a type.
struct Lifetime {
    is_static: bool,
    is_of_a_reference: bool,
}

impl Lifetime {
    /// Whether it is one of the author's, given to another type.
    fn is_an_argument(&self) -> bool {
        !self.is_static && !self.is_of_a_reference
    }
}

fn lifetimes(ty: &Type) -> Vec<Lifetime> {
    fn find(tokens: TokenStream, found: &mut Vec<Lifetime>) {
        let (mut before, mut tokens) = (' ', tokens.into_iter());
        while let Some(token) = tokens.next() {
            before = match token {
                TokenTree::Punct(punct) if punct.as_char() == '\'' => {
                    let is_static = matches!(tokens.next(), Some(TokenTree::Ident(name)) if name == "static");
                    found.push(Lifetime { is_static, is_of_a_reference: before == '&' });
                    ' '
                }
                TokenTree::Punct(punct) => punct.as_char(),
                TokenTree::Group(group) => {
                    find(group.stream(), found);
                    ' '
                }
                TokenTree::Ident(_) | TokenTree::Literal(_) => ' ',
            };
        }
    }
    let mut found = Vec::new();
    find(ty.to_token_stream(), &mut found);
    found
}

/// Whether serde reads the field from nothing but what lives for ever.
fn is_read_for_ever(field: &Field) -> bool {
    let borrows = has_word(&field.attrs, "borrow");
    let is_meant = |lifetime: &Lifetime| lifetime.is_static && (lifetime.is_of_a_reference || borrows);
    !is_skipped(field) && lifetimes(&field.ty).iter().any(is_meant)
}

fn is_skipped(field: &Field) -> bool {
    has_word(&field.attrs, "skip") || has_word(&field.attrs, "skip_deserializing")
}

/// `skip`, `with` and their kin, of serde or schemars. What other macros do is not known, nor what a `cfg` leaves.
fn changes_what_is_needed(attribute: &Attribute) -> bool {
    const CHANGES: &str = "skip skip_serializing skip_deserializing with serialize_with deserialize_with schema_with getter \
                           borrow bound remote from try_from into";
    const HARMLESS: &str =
        "doc derive serde schemars elicit allow expect warn deny deprecated must_use non_exhaustive repr default";
    let path = attribute.path();
    if !HARMLESS.split(' ').any(|name| path.is_ident(name)) {
        return true;
    }
    let Meta::List(list) = &attribute.meta else { return false };
    let is_theirs = path.is_ident("serde") || path.is_ident("schemars");
    is_theirs && CHANGES.split(' ').any(|key| mentions(&list.tokens, key))
}

fn mentions(tokens: &TokenStream, word: &str) -> bool {
    tokens.clone().into_iter().any(|token| match token {
        TokenTree::Ident(found) => found == word,
        TokenTree::Group(group) => mentions(&group.stream(), word),
        TokenTree::Punct(_) | TokenTree::Literal(_) => false,
    })
}

/// Says in full whose default the fields are taken from. Where it goes without saying, serde asks whether there is one of a type
/// without parameters, to which nothing can be granted.
pub(crate) fn name_default(input: &mut DeriveInput) {
    let function = format!("<{} as ::core::default::Default>::default", input.ident);
    for attribute in input.attrs.iter_mut().filter(|attribute| attribute.path().is_ident("serde")) {
        let Ok(metas) = attribute.parse_args_with(Words::parse_terminated) else { continue };
        let named = metas.into_iter().map(|meta| match meta {
            Meta::Path(path) if path.is_ident("default") => quote!(#path = #function),
            other => other.into_token_stream(),
        });
        *attribute = parse_quote!(#[serde(#(#named),*)]);
    }
}

type Words = Punctuated<Meta, Token![,]>;

/// Whether serde is told it, with a value or without.
fn has_word(attributes: &[Attribute], word: &str) -> bool {
    words(attributes).any(|meta| meta.path().is_ident(word))
}

fn has_word_alone(attributes: &[Attribute], word: &str) -> bool {
    words(attributes).any(|meta| matches!(meta, Meta::Path(path) if path.is_ident(word)))
}

fn words(attributes: &[Attribute]) -> impl Iterator<Item = Meta> {
    let of_serde = attributes.iter().filter(|attribute| attribute.path().is_ident("serde"));
    let lists = of_serde.filter_map(|attribute| attribute.parse_args_with(Words::parse_terminated).ok());
    lists.flatten()
}
