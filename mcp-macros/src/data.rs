//! `#[data]`: the derives that a type needs to be an argument or a result.

use proc_macro2::{Ident, TokenStream, TokenTree};
use quote::ToTokens as _;
use syn::ext::IdentExt as _;
use syn::{Attribute, Data as Body, DeriveInput, Field, Fields, Meta, Path, Token, Type};

use crate::diag::Errors;
use crate::handler::RESERVED;
use crate::keys::Keys;
use crate::path::Runtime;
use crate::spelled::Spelled;
use crate::unadvised;

/// What `#[data]` adds to a type.
pub(crate) struct Data {
    /// Where the runtime is, if the author says so.
    pub(crate) given: Option<Runtime>,
    pub(crate) item: Item,
    pub(crate) serialize: bool,
    pub(crate) deserialize: bool,
    pub(crate) json_schema: bool,
}

/// The type, and the types of its fields that may lack what they need.
pub(crate) enum Item {
    /// As it was written.
    Plain(TokenStream),
    WithFields(Box<DeriveInput>, Vec<Type>),
}

impl Data {
    /// Reads `#[data(args)]` on `item`. After a mistake in the keys or on a field the type has its derives all the same; on
    /// something else there is nothing to derive.
    pub(crate) fn parse(args: TokenStream, item: &TokenStream, errors: &mut Errors) -> Option<Self> {
        let given = Runtime::given(&args);
        let crate_only = RESERVED.get(..1).unwrap_or_default();
        Keys::parse("#[data]", args, &[crate_only], errors);
        if !check_item(item, errors) {
            return None;
        }
        let Ok(mut input) = syn::parse2::<DeriveInput>(item.clone()) else {
            errors.leave_to_rustc();
            return None;
        };
        let has_mistakes = take_marks(&mut input, errors) | take_misplaced(&mut input, errors);
        let derives = |name: &str| input.attrs.iter().any(|attribute| is_derived(attribute, |derived| derived == name));
        let (serialize, deserialize, json_schema) =
            (!derives("Serialize"), !derives("Deserialize"), !derives("JsonSchema"));
        let parameters = unadvised::parameters(&input);
        fields_mut(&mut input).for_each(|field| unadvised::spell(field, &parameters));
        let fields = if serialize && deserialize && json_schema { asked(&input, &parameters) } else { Vec::new() };
        let is_sure = fields_mut(&mut input).all(|field| is_surely_data(&field.ty));
        let item = if is_sure && !has_mistakes {
            Item::Plain(item.clone())
        } else {
            Item::WithFields(Box::new(input), fields)
        };
        Some(Self { given, item, serialize, deserialize, json_schema })
    }
}

/// Whether a `#[derive(…)]` has such a trait: two implementations of ours would clash with it.
fn is_derived(attribute: &Attribute, is_meant: impl Fn(&Ident) -> bool) -> bool {
    let Meta::List(list) = &attribute.meta else { return false };
    if !list.path.is_ident("derive") {
        return false;
    }
    let paths = list.parse_args_with(syn::punctuated::Punctuated::<Path, Token![,]>::parse_terminated);
    paths.is_ok_and(|paths| paths.iter().any(|path| path.segments.last().is_some_and(|last| is_meant(&last.ident))))
}

/// Whether it is a struct or an enum.
fn check_item(item: &TokenStream, errors: &mut Errors) -> bool {
    let mut words = item.clone().into_iter().filter_map(|token| match token {
        TokenTree::Ident(word) => Some(word),
        _ => None,
    });
    let word = words.find(|word| word != "pub" && word != "crate");
    let other = word.filter(|word| word != "struct" && word != "enum");
    if let Some(word) = &other {
        errors.at(word, "`#[data]` goes on a struct or an enum\nit derives what an argument or a result needs");
    }
    other.is_none()
}

/// Takes off a second `#[data]`, which would derive everything again.
fn take_marks(input: &mut DeriveInput, errors: &mut Errors) -> bool {
    let is_mark = |attribute: &Attribute| {
        let segments = &attribute.path().segments;
        let is_ours = segments.len() == 1 || segments.first().is_some_and(|first| first.ident == "mcp_runtime");
        is_ours && segments.last().is_some_and(|last| last.ident == "data")
    };
    let (marks, others): (Vec<_>, Vec<_>) = std::mem::take(&mut input.attrs).into_iter().partition(is_mark);
    input.attrs = others;
    for mark in &marks {
        errors.at(mark.path(), format!("`{}` has `#[data]` already\nremove one of them", input.ident));
    }
    !marks.is_empty()
}

/// Takes off what says something about a parameter, unless it may be that of another derive.
fn take_misplaced(input: &mut DeriveInput, errors: &mut Errors) -> bool {
    const KNOWN: &str =
        "Clone Copy Debug Default PartialEq Eq PartialOrd Ord Hash Serialize Deserialize JsonSchema Elicit";
    let is_foreign = |derived: &Ident| KNOWN.split(' ').all(|known| derived != known);
    if input.attrs.iter().any(|attribute| is_derived(attribute, is_foreign)) {
        return false;
    }
    let mut misplaced: Vec<Attribute> = Vec::new();
    for field in fields_mut(input) {
        let (taken, others): (Vec<_>, Vec<_>) =
            std::mem::take(&mut field.attrs).into_iter().partition(is_of_a_parameter);
        field.attrs = others;
        misplaced.extend(taken);
    }
    for attribute in &misplaced {
        let path = attribute.path();
        let written = path.to_token_stream();
        errors.at(path, format!("`#[{written}]` does not work on a field\nwrite `#[schemars(range(min = 1))]`, `#[serde(default)]`, `#[serde(rename = \"…\")]` or a doc comment"));
    }
    !misplaced.is_empty()
}

fn is_of_a_parameter(attribute: &Attribute) -> bool {
    ["arg", "range", "length", "pattern", "description"].iter().any(|name| attribute.path().is_ident(name))
}

fn fields_mut(input: &mut DeriveInput) -> impl Iterator<Item = &mut Field> {
    let all: Vec<&mut Fields> = match &mut input.data {
        Body::Struct(data) => vec![&mut data.fields],
        Body::Enum(data) => data.variants.iter_mut().map(|variant| &mut variant.fields).collect(),
        Body::Union(_) => Vec::new(),
    };
    all.into_iter().flat_map(Fields::iter_mut)
}

/// The types of the fields that are to be proven to have what the derives need: those that surely have it are left out, and
/// those of which the author's attributes, lifetimes or parameters change what is needed.
fn asked(input: &DeriveInput, parameters: &[Ident]) -> Vec<Type> {
    let is_changed = |attributes: &[Attribute]| attributes.iter().any(changes_what_is_needed);
    // Of two types that differ by a lifetime, the one behind an alias, the compiler takes what is granted for both.
    let borrows = input.generics.lifetimes().next().is_some();
    let is_guessed = !parameters.is_empty() && input.attrs.iter().any(lets_types_be_guessed);
    if is_changed(&input.attrs) || borrows || is_guessed {
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
    let fields: Vec<&Field> = fields.into_iter().filter(|field| !is_changed(&field.attrs)).collect();
    // What is borrowed for ever is read from nothing else, and so is a type around it, all of whose fields may be so.
    if fields.iter().any(|field| mentions_static(field.ty.to_token_stream())) {
        return Vec::new();
    }
    let types =
        fields.into_iter().map(|field| &field.ty).filter(|ty| !is_surely_data(ty) && is_free_standing(ty, parameters));
    types.cloned().collect()
}

fn mentions_static(ty: TokenStream) -> bool {
    ty.into_iter().any(|token| match token {
        TokenTree::Ident(word) => word == "static",
        TokenTree::Group(group) => mentions_static(group.stream()),
        TokenTree::Punct(_) | TokenTree::Literal(_) => false,
    })
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
    has_key_of_theirs(attribute, CHANGES)
}

/// Where serde does not say the type of what it reads, the compiler takes one that is granted for one with parameters.
fn lets_types_be_guessed(attribute: &Attribute) -> bool {
    has_key_of_theirs(attribute, "content transparent")
}

fn has_key_of_theirs(attribute: &Attribute, keys: &str) -> bool {
    let Meta::List(list) = &attribute.meta else { return false };
    let is_theirs = list.path.is_ident("serde") || list.path.is_ident("schemars");
    let mut words = list.tokens.clone().into_iter();
    is_theirs && words.any(|token| matches!(token, TokenTree::Ident(word) if keys.split(' ').any(|name| word == name)))
}

/// A type of the standard library that has everything, by its spelling.
fn is_surely_data(ty: &Type) -> bool {
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
