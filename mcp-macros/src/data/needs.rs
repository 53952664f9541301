//! What the derives need of types: of those of the fields, and of the type itself.
//!
//! It is proven where it can be missed and told in few words. What the author's attributes, lifetimes and parameters change is
//! left to the derives.

use proc_macro2::{Delimiter, Ident, TokenStream, TokenTree};
use quote::ToTokens;
use syn::ext::IdentExt as _;
use syn::punctuated::Punctuated;
use syn::{Attribute, Data as Body, DeriveInput, Field, Fields, GenericParam, Meta, Token, Type, parse_quote_spanned};

use crate::spelled::{Spelled, holds_types, is_unsized, last_segment, mentions, type_arguments, ungroup};

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
    /// To be written as JSON only.
    Written,
    /// To be read from JSON only.
    Read,
    /// To have a schema only.
    Schema,
    /// A value for where none is read.
    Default,
    /// One of the type itself, for the fields that are not read.
    OwnDefault,
}

/// What is to be proven.
pub(crate) fn of(input: &DeriveInput, parameters: &[Ident]) -> Vec<Need> {
    let is_changed = |attributes: &[Attribute]| attributes.iter().any(changes_what_is_needed);
    // A parameter may be left out by a `cfg`; a proof of what is deprecated would be a use of it.
    let is_conditional = input.generics.params.iter().any(|parameter| !attributes_of(parameter).is_empty());
    let is_deprecated = input.attrs.iter().any(|attribute| attribute.path().is_ident("deprecated"));
    if is_changed(&input.attrs) || is_conditional || is_deprecated {
        return Vec::new();
    }
    let is_struct = matches!(input.data, Body::Struct(_));
    let variants = variants(input);
    let all = || variants.iter().flat_map(|(attributes, fields)| fields.iter().map(move |field| (*attributes, field)));
    // Of two types that differ by a lifetime, the one behind an alias, the compiler takes what is granted for both.
    if all().any(|(_, field)| lifetimes(&field.ty).iter().any(Lifetime::is_an_argument)) {
        return Vec::new();
    }
    let data = if all().any(|(around, field)| is_read_for_ever(around, field)) { What::FixedData } else { What::Data };
    let has_default = has_word(&input.attrs, "default");
    let (has_content, is_transparent) = (has_word(&input.attrs, "content"), has_word(&input.attrs, "transparent"));
    let mut needs = Vec::new();
    if takes_default(input) && input.generics.params.is_empty() {
        let name = &input.ident;
        needs.push(Need { ty: parse_quote_spanned!(name.span()=> #name), what: What::OwnDefault });
    }
    let kept = variants.iter().filter(|(attributes, _)| !is_changed(attributes));
    let kept = kept.flat_map(|(around, fields)| fields.iter().map(move |field| (*around, *fields, field)));
    for (around, fields, field) in kept {
        let Field { ty, attrs, .. } = field;
        if attrs.iter().any(|attribute| !is_harmless(attribute)) {
            continue;
        }
        let is_filled = is_skipped(field) && !has_default && !has_word(attrs, "default");
        if (is_filled || has_word_alone(attrs, "default")) && is_provable(ty, parameters) {
            needs.push(Need { ty: ty.clone(), what: What::Default });
        }
        let is_alone = matches!(fields, Fields::Unnamed(fields) if fields.unnamed.len() == 1);
        let is_beside_a_tag = has_content && !has_word(around, "untagged");
        let what = match what(field, data) {
            _ if is_alone && is_struct => Some(data),
            // Of a variant, schemars wants it all the same, and beside a tag serde reads it.
            Some(What::Written) if is_alone && is_beside_a_tag => Some(data),
            None if is_alone && is_beside_a_tag => (data == What::Data).then_some(What::Read),
            None if is_alone => Some(What::Schema),
            // What is transparent is nothing but the one field that is both.
            other => other.filter(|what| !is_transparent || (*what == data && !has_word(attrs, "default"))),
        };
        if let Some(what) = what.filter(|_| !attrs.iter().any(does_more_than_skip)) {
            needs.extend(parts(ty, parameters).into_iter().map(|ty| Need { ty: ty.clone(), what }));
        }
    }
    // Of a type that is granted to be read by two traits the compiler takes neither, also where one of them is behind an alias.
    if needs.iter().any(|need| matches!(need.what, What::Data | What::FixedData)) {
        needs.retain(|need| need.what != What::Read);
    }
    needs
}

/// Whether the type has parameters and a default that fields are taken from. What is granted to it would have to hold for all
/// parameters, and its default may not: schemars is the one that asks for it in the end.
pub(super) fn is_default_of_parameters(input: &DeriveInput) -> bool {
    takes_default(input)
        && !input.generics.params.is_empty()
        && !input.attrs.iter().any(does_more_than_skip)
        && !input.attrs.iter().any(|attribute| attribute.path().is_ident("schemars") && has_key(attribute, "default"))
}

fn takes_default(input: &DeriveInput) -> bool {
    let has_fields = matches!(&input.data, Body::Struct(data) if !data.fields.is_empty());
    has_fields && has_word_alone(&input.attrs, "default")
}

/// What a field's type has to be, where it is `data` for a field that is written and read.
fn what(field: &Field, data: What) -> Option<What> {
    let is_written = !has_word(&field.attrs, "skip") && !has_word(&field.attrs, "skip_serializing");
    match (is_written, !is_skipped(field)) {
        (true, true) => Some(data),
        (true, false) => Some(What::Written),
        (false, true) => (data == What::Data).then_some(What::Read),
        (false, false) => None,
    }
}

/// The type itself, or those that it consists of, where it mentions what cannot be proven.
fn parts<'t>(ty: &'t Type, parameters: &[Ident]) -> Vec<&'t Type> {
    if is_provable(ty, parameters) {
        return vec![ty];
    }
    let inside: Vec<&Type> = match ungroup(ty) {
        Type::Tuple(tuple) => tuple.elems.iter().collect(),
        Type::Array(array) => vec![&*array.elem],
        other if holds_types(other) => last_segment(other).into_iter().flat_map(type_arguments).collect(),
        _ => Vec::new(),
    };
    inside.into_iter().flat_map(|ty| parts(ty, parameters)).collect()
}

fn is_provable(ty: &Type, parameters: &[Ident]) -> bool {
    !is_surely_data(ty) && is_free_standing(ty, parameters) && !is_unsized(ty)
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
/// the type's parameters, no macro that may do so, no associated type of a trait that may be private, and no constant, which may
/// be one of the type's own.
fn is_free_standing(ty: &Type, parameters: &[Ident]) -> bool {
    fn is_free(tokens: TokenStream, parameters: &[Ident]) -> bool {
        let (mut is_argument, mut is_length) = (false, false);
        tokens.into_iter().all(|token| {
            let was_argument = is_argument;
            is_argument = false;
            match token {
                TokenTree::Punct(punct) => {
                    is_argument = matches!(punct.as_char(), '<' | ',');
                    is_length |= punct.as_char() == ';';
                    match punct.as_char() {
                        '&' | '\'' => false,
                        '!' => parameters.is_empty(),
                        _ => true,
                    }
                }
                TokenTree::Group(group) => {
                    group.delimiter() != Delimiter::Brace && !is_length && is_free(group.stream(), parameters)
                }
                TokenTree::Ident(word) => {
                    let is_constant = is_length || (was_argument && is_spelled_as_a_constant(&word));
                    !is_constant && word != "Self" && word != "as" && !parameters.contains(&word.unraw())
                }
                TokenTree::Literal(_) => true,
            }
        })
    }
    is_free(ty.to_token_stream(), parameters)
}

fn is_spelled_as_a_constant(word: &Ident) -> bool {
    let text = word.to_string();
    text.len() > 1 && text.starts_with(char::is_uppercase) && !text.contains(char::is_lowercase)
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

/// Whether serde surely reads the type from nothing but what outlives it.
pub(crate) fn borrows(input: &DeriveInput) -> bool {
    let is_read_as = |attributes: &[Attribute]| {
        let is_another = ["skip", "skip_deserializing", "from", "try_from", "remote", "deserialize_with", "with"];
        attributes.iter().all(is_harmless) && !is_another.iter().any(|word| has_word(attributes, word))
    };
    let is_borrowed = |around: &[Attribute], field: &Field| {
        let is_meant = has_word(&field.attrs, "borrow") || has_word(around, "borrow");
        let is_kept = field.attrs.iter().all(is_harmless) && !is_skipped(field);
        is_kept && (is_meant || is_reference(&field.ty))
    };
    let read = variants(input).into_iter().filter(|(around, _)| is_read_as(around));
    let mut all = read.flat_map(|(around, fields)| fields.iter().map(move |field| (around, field)));
    is_read_as(&input.attrs) && all.any(|(around, field)| is_borrowed(around, field))
}

/// Whether it is one to text or to bytes, or an `Option` of one: serde borrows those unasked.
fn is_reference(ty: &Type) -> bool {
    let present = match Spelled::of(ty) {
        Some(Spelled::Option(inner)) => inner,
        _ => ty,
    };
    let Type::Reference(reference) = ungroup(present) else { return false };
    match ungroup(&reference.elem) {
        Type::Slice(slice) => matches!(&*slice.elem, Type::Path(path) if path.path.is_ident("u8")),
        Type::Path(path) => path.path.is_ident("str"),
        _ => false,
    }
}

fn variants(input: &DeriveInput) -> Vec<(&[Attribute], &Fields)> {
    match &input.data {
        Body::Struct(data) => vec![(&[], &data.fields)],
        Body::Enum(data) => data.variants.iter().map(|variant| (&*variant.attrs, &variant.fields)).collect(),
        Body::Union(_) => Vec::new(),
    }
}

/// Whether serde reads the field, of a variant with the attributes `around`, from nothing but what lives for ever.
fn is_read_for_ever(around: &[Attribute], field: &Field) -> bool {
    let borrows = has_word(&field.attrs, "borrow") || has_word(around, "borrow");
    let is_meant = |lifetime: &Lifetime| lifetime.is_static && (lifetime.is_of_a_reference || borrows);
    // What an attribute may do away with is counted: less is needed of what is read for ever.
    !is_skipped(field) && lifetimes(&field.ty).iter().any(is_meant)
}

pub(super) fn is_skipped(field: &Field) -> bool {
    has_word(&field.attrs, "skip") || has_word(&field.attrs, "skip_deserializing")
}

/// What other macros do is not known, nor what a `cfg` leaves.
pub(super) fn is_harmless(attribute: &Attribute) -> bool {
    const HARMLESS: &str =
        "doc derive serde schemars elicit allow expect warn deny deprecated must_use non_exhaustive repr default";
    HARMLESS.split(' ').any(|name| attribute.path().is_ident(name))
}

const SKIPS: &str = "skip skip_serializing skip_deserializing";

/// `skip`, `with` and their kin, of serde or schemars.
fn changes_what_is_needed(attribute: &Attribute) -> bool {
    does_more_than_skip(attribute) || (attribute.path().is_ident("serde") && has_key(attribute, SKIPS))
}

/// The same without what [`what`] knows of.
fn does_more_than_skip(attribute: &Attribute) -> bool {
    const CHANGES: &str =
        "with serialize_with deserialize_with schema_with getter borrow bound remote from try_from into";
    let path = attribute.path();
    let (is_serde, is_schemars) = (path.is_ident("serde"), path.is_ident("schemars"));
    !is_harmless(attribute)
        || ((is_serde || is_schemars) && has_key(attribute, CHANGES))
        || (is_schemars && has_key(attribute, SKIPS))
}

fn has_key(attribute: &Attribute, keys: &str) -> bool {
    let Meta::List(list) = &attribute.meta else { return false };
    keys.split(' ').any(|key| mentions(list.tokens.clone(), key))
}

/// What stands in an attribute of serde's.
pub(crate) type Words = Punctuated<Meta, Token![,]>;

fn attributes_of(parameter: &GenericParam) -> &[Attribute] {
    match parameter {
        GenericParam::Lifetime(parameter) => &parameter.attrs,
        GenericParam::Type(parameter) => &parameter.attrs,
        GenericParam::Const(parameter) => &parameter.attrs,
    }
}

/// Whether the author says where a crate is that derives.
pub(crate) fn names_crate(attributes: &[Attribute], of: &str) -> bool {
    words(attributes, of).any(|meta| meta.path().is_ident("crate"))
}

/// Whether serde is told it, with a value or without.
pub(super) fn has_word(attributes: &[Attribute], word: &str) -> bool {
    words(attributes, "serde").any(|meta| meta.path().is_ident(word))
}

fn has_word_alone(attributes: &[Attribute], word: &str) -> bool {
    words(attributes, "serde").any(|meta| matches!(meta, Meta::Path(path) if path.is_ident(word)))
}

pub(super) fn words(attributes: &[Attribute], of: &str) -> impl Iterator<Item = Meta> {
    let theirs = attributes.iter().filter(move |attribute| attribute.path().is_ident(of));
    let lists = theirs.filter_map(|attribute| attribute.parse_args_with(Words::parse_terminated).ok());
    lists.flatten()
}
