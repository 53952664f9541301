//! `#[data]`: the derives that a type needs to be an argument or a result.

use proc_macro2::{Ident, TokenStream, TokenTree};
use quote::ToTokens as _;
use syn::{Attribute, Data as Body, DeriveInput, Field, Fields, Generics, LitStr, Meta, Path, Token};

use crate::diag::Errors;
use crate::handler::RESERVED;
use crate::keys::Keys;
use crate::path::Runtime;
use crate::unadvised;

mod attributes;
mod needs;
mod owned;
mod theirs;

pub(crate) use needs::{Need, What, Words};

/// What `#[data]` adds to a type.
pub(crate) struct Data {
    /// Where the runtime is, if the author says so.
    pub(crate) given: Option<Runtime>,
    pub(crate) item: Item,
    pub(crate) serialize: bool,
    pub(crate) deserialize: bool,
    pub(crate) json_schema: bool,
    /// Whether the author says where serde is, and where schemars is.
    pub(crate) is_named: (bool, bool),
    /// The type, if it borrows what it is read from.
    pub(crate) borrows: Option<(Ident, Generics)>,
}

/// The type, and what it and those of its fields need.
pub(crate) enum Item {
    /// As it was written.
    Plain(TokenStream),
    WithNeeds(Box<DeriveInput>, Vec<Need>),
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
        let has_mistakes = take_marks(&mut input, errors)
            | take_misplaced(&mut input, errors)
            | owned::take_borrowed(&mut input, errors)
            | attributes::take_mistakes(&mut input, errors);
        let derives = |name: &str| input.attrs.iter().any(|attribute| is_derived(attribute, |derived| derived == name));
        let (serialize, deserialize, json_schema) =
            (!derives("Serialize"), !derives("Deserialize"), !derives("JsonSchema"));
        let parameters = unadvised::parameters(&input);
        fields_mut(&mut input).for_each(|field| unadvised::spell(field, &parameters));
        let asks_default = needs::is_default_of_parameters(&input);
        if asks_default {
            let function = format!("{}::bounds::own_default::<Self>", given.clone().unwrap_or_default().to_text());
            let function = LitStr::new(&function, input.ident.span());
            // As it is without saying; said so, what is missing is told at the name.
            input.attrs.push(syn::parse_quote!(#[schemars(default = #function)]));
        }
        let is_named = (needs::names_crate(&input.attrs, "serde"), needs::names_crate(&input.attrs, "schemars"));
        let needs = if serialize && deserialize && json_schema { needs::of(&input, &parameters) } else { Vec::new() };
        let is_sure = fields_mut(&mut input).all(|field| needs::is_surely_data(&field.ty));
        let borrows = needs::borrows(&input).then(|| (input.ident.clone(), input.generics.clone()));
        let item = if is_sure && needs.is_empty() && !has_mistakes && !asks_default {
            Item::Plain(item.clone())
        } else {
            Item::WithNeeds(Box::new(input), needs)
        };
        Some(Self { given, item, serialize, deserialize, json_schema, is_named, borrows })
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
