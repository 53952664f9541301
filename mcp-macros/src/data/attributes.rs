//! Mistakes in `#[serde(…)]` and `#[schemars(…)]`, each told once.
//!
//! Each of the derives would tell it, and make no implementation, which would be told wherever the type is used. So what is wrong
//! is taken off. What is not known for sure to be wrong is left to the derives.

use std::collections::HashSet;

use quote::ToTokens;
use syn::ext::IdentExt as _;
use syn::{Attribute, Data as Body, DeriveInput, Field, Fields, LitStr, Meta, Variant};

use super::needs::{Words, has_word, is_harmless, is_skipped, words};
use super::theirs::{Place, Whose};
use crate::diag::Errors;
use crate::literal::string;
use crate::spelled::last_segment;

/// Keys that may stand more than once.
const REPEATED: [&str; 4] = ["alias", "example", "extend", "transform"];

/// Keys of which a type has one.
const APART: [(&str, &str); 7] = [
    ("untagged", "tag"),
    ("untagged", "content"),
    ("transparent", "from"),
    ("transparent", "try_from"),
    ("transparent", "into"),
    ("from", "try_from"),
    ("field_identifier", "variant_identifier"),
];

/// Takes off what is wrong at the type, its variants and its fields. Whether anything was.
pub(super) fn take_mistakes(input: &mut DeriveInput, errors: &mut Errors) -> bool {
    let place = match &input.data {
        Body::Struct(data) if matches!(data.fields, Fields::Unit) => Place::UnitStruct,
        Body::Struct(data) if matches!(data.fields, Fields::Unnamed(_)) => Place::TupleStruct,
        Body::Struct(_) => Place::Struct,
        Body::Enum(_) => Place::Enum,
        Body::Union(_) => return false,
    };
    let mut has_mistakes = take_at(&mut input.attrs, place, errors);
    match &mut input.data {
        Body::Struct(data) => has_mistakes |= take_of_fields(&mut data.fields, errors),
        Body::Enum(data) => {
            for variant in &mut data.variants {
                has_mistakes |= take_at(&mut variant.attrs, Place::Variant, errors);
                has_mistakes |= take_of_fields(&mut variant.fields, errors);
            }
        }
        Body::Union(_) => {}
    }
    has_mistakes || take_disagreement(input, errors)
}

fn take_of_fields(fields: &mut Fields, errors: &mut Errors) -> bool {
    let place = if matches!(fields, Fields::Named(_)) { Place::Field } else { Place::UnnamedField };
    let mut has_mistakes = false;
    for field in fields.iter_mut() {
        has_mistakes |= take_at(&mut field.attrs, place, errors);
    }
    has_mistakes
}

/// Takes off each key that is wrong by itself. What other macros add is not known.
fn take_at(attributes: &mut [Attribute], place: Place, errors: &mut Errors) -> bool {
    if !attributes.iter().all(is_harmless) {
        return false;
    }
    let mut has_mistakes = false;
    for whose in [Whose::Serde, Whose::Schemars] {
        let mut seen = HashSet::new();
        for attribute in attributes.iter_mut().filter(|attribute| attribute.path().is_ident(whose.name())) {
            has_mistakes |= whose == Whose::Serde && is_unreadable(attribute, errors);
            has_mistakes |= keep(attribute, |meta| {
                let Some(name) = meta.path().get_ident().map(|name| name.unraw().to_string()) else { return true };
                let is_sound = is_sound(meta, &name, whose, place, errors);
                let is_new = matches!(meta, Meta::List(_)) || seen.insert(name.clone()) || REPEATED.contains(&&*name);
                if !is_new {
                    errors.at(meta.path(), format!("`{name}` is given twice\nremove one of them"));
                }
                is_sound && is_new
            });
        }
    }
    has_mistakes
}

/// Empties an attribute of serde's that is no list of keys. That of schemars may hold more than keys.
fn is_unreadable(attribute: &mut Attribute, errors: &mut Errors) -> bool {
    let Err(error) = attribute.parse_args_with(Words::parse_terminated) else { return false };
    let example = "`#[serde(default, rename = \"name\")]`";
    errors.on(error.span(), format!("`#[serde]` takes keys, with commas between them\nwrite them as in {example}"));
    attribute.meta = syn::parse_quote!(serde());
    true
}

fn is_sound(meta: &Meta, name: &str, whose: Whose, place: Place, errors: &mut Errors) -> bool {
    let (path, attribute) = (meta.path(), whose.name());
    let Some(key) = whose.key(name) else {
        let instead = whose.instead(name, place);
        if let Some(way_out) = &instead {
            errors.at(path, format!("unknown key `{name}` in `#[{attribute}]`\n{way_out}"));
        }
        return instead.is_none();
    };
    if let Some(words) = key.elsewhere(place) {
        let here = place.shown();
        errors.at(path, format!("`#[{attribute}({name})]` does not work on {here}\nit works on {words}"));
        return false;
    }
    if let Some((takes, example)) = key.refuses(meta) {
        let value: &dyn ToTokens = match meta {
            Meta::NameValue(pair) => &pair.value,
            Meta::Path(_) | Meta::List(_) => path,
        };
        errors.at(value, format!("`{name}` takes {takes}\nwrite `#[{attribute}({example})]`"));
        return false;
    }
    true
}

/// Takes off what the keys of a type do not agree about, with each other or with what it holds.
fn take_disagreement(input: &mut DeriveInput, errors: &mut Errors) -> bool {
    if !is_all_known(input) || !disagrees(input, errors) {
        return false;
    }
    let named: Vec<&str> = APART.into_iter().flat_map(|(one, other)| [one, other]).collect();
    for attribute in input.attrs.iter_mut().filter(|attribute| attribute.path().is_ident("serde")) {
        keep(attribute, |meta| named.iter().all(|name| !meta.path().is_ident(name)));
    }
    true
}

fn is_all_known(input: &DeriveInput) -> bool {
    let are_known = |attributes: &[Attribute]| attributes.iter().all(is_harmless);
    let of_fields = |fields: &Fields| fields.iter().all(|field| are_known(&field.attrs));
    let of_variant = |variant: &Variant| are_known(&variant.attrs) && of_fields(&variant.fields);
    let of_body = match &input.data {
        Body::Struct(data) => of_fields(&data.fields),
        Body::Enum(data) => data.variants.iter().all(of_variant),
        Body::Union(_) => false,
    };
    of_body && are_known(&input.attrs)
}

fn disagrees(input: &DeriveInput, errors: &mut Errors) -> bool {
    let keys: Vec<Meta> = words(&input.attrs, "serde").collect();
    let find = |name: &str| keys.iter().find(|meta| meta.path().is_ident(name));
    if let Some((one, other)) = APART.into_iter().find(|(one, other)| find(one).is_some() && find(other).is_some()) {
        errors.at(find(other).map(Meta::path), format!("`{one}` and `{other}` exclude each other\nremove one of them"));
        return true;
    }
    match (find("tag").and_then(text), find("content"), &input.data) {
        (None, Some(content), _) => {
            errors.at(content.path(), "`content` needs a `tag`\nwrite `tag = \"type\"` beside it");
            true
        }
        (Some(tag), Some(content), _) => {
            let same = text(content).filter(|content| content.value() == tag.value());
            if let Some(same) = same {
                errors.at(same, "`tag` and `content` must have different names\ngive one of them another");
            }
            same.is_some()
        }
        (Some(tag), None, Body::Enum(data)) => {
            let is_renamed = has_word(&input.attrs, "rename_all_fields");
            data.variants.iter().any(|variant| is_untaggable(variant, &tag.value(), is_renamed, errors))
        }
        (None, None, Body::Struct(data)) => {
            let transparent = find("transparent").filter(|_| !is_transparent(&data.fields));
            if let Some(transparent) = transparent {
                errors.at(transparent.path(), "`transparent` needs one field that is written and read\nput `#[serde(skip)]` on the others, or remove it");
            }
            transparent.is_some()
        }
        _ => false,
    }
}

fn is_transparent(fields: &Fields) -> bool {
    let count = |is_meant: fn(&Field) -> bool| fields.iter().filter(|field| is_meant(field)).count();
    count(is_written) == 1 && count(is_read) == 1
}

/// Whether a tag alone has no place in the variant.
fn is_untaggable(variant: &Variant, tag: &str, is_renamed: bool, errors: &mut Errors) -> bool {
    match &variant.fields {
        Fields::Unnamed(fields) if fields.unnamed.len() != 1 => {
            let name = &variant.ident;
            errors.at(name, format!("variant `{name}` has no names for its values, and the tag no place among them\nwrite `{name} {{ … }}`, or `content = \"content\"` beside the tag"));
            true
        }
        Fields::Named(fields) if !is_renamed && !has_any(&variant.attrs, &["rename_all", "untagged"]) => {
            let skips = ["skip", "skip_serializing"];
            let is_named = |field: &&Field| field.ident.as_ref().is_some_and(|name| name.unraw() == tag);
            let is_meant = |field: &&Field| is_named(field) && !has_any(&field.attrs, &skips);
            let meant = fields.named.iter().find(is_meant).filter(|_| !has_any(&variant.attrs, &skips));
            let name = meant.filter(|field| !has_word(&field.attrs, "rename")).and_then(|field| field.ident.as_ref());
            if let Some(name) = name {
                errors.at(name, format!("field `{name}` is called as the tag is\ngive one of them another name"));
            }
            name.is_some()
        }
        Fields::Named(_) | Fields::Unnamed(_) | Fields::Unit => false,
    }
}

fn has_any(attributes: &[Attribute], words: &[&str]) -> bool {
    words.iter().any(|word| has_word(attributes, word))
}

fn is_written(field: &Field) -> bool {
    !is_phantom(field) && !has_any(&field.attrs, &["skip", "skip_serializing"])
}

fn is_read(field: &Field) -> bool {
    !is_phantom(field) && !is_skipped(field) && !has_word(&field.attrs, "default")
}

fn is_phantom(field: &Field) -> bool {
    last_segment(&field.ty).is_some_and(|segment| segment.ident == "PhantomData")
}

fn text(meta: &Meta) -> Option<&LitStr> {
    match meta {
        Meta::NameValue(pair) => string(&pair.value),
        Meta::Path(_) | Meta::List(_) => None,
    }
}

/// Leaves in an attribute what is to be kept. Whether anything was not.
fn keep(attribute: &mut Attribute, is_kept: impl FnMut(&Meta) -> bool) -> bool {
    let Ok(metas) = attribute.parse_args_with(Words::parse_terminated) else { return false };
    let count = metas.len();
    let kept: Words = metas.into_iter().filter(is_kept).collect();
    let has_taken = kept.len() < count;
    if let (Meta::List(list), true) = (&mut attribute.meta, has_taken) {
        list.tokens = kept.to_token_stream();
    }
    has_taken
}
