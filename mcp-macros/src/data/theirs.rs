//! The keys of `#[serde(…)]` and `#[schemars(…)]`: where they work, and what they take.

use syn::{Expr, ExprPath, Lit, Meta, MetaList};

use super::needs::Words;
use crate::case::Case;
use crate::diag::nearest;
use crate::literal::{literal, string, ungroup};

/// Whose attribute it is.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Whose {
    Serde,
    Schemars,
}

/// Where an attribute stands.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Place {
    Struct,
    TupleStruct,
    UnitStruct,
    Enum,
    Variant,
    Field,
    UnnamedField,
}

/// Where a key works: the places, and their names in messages.
type On = (&'static [Place], &'static str);

const TYPES: &[Place] = &[Place::Struct, Place::TupleStruct, Place::UnitStruct, Place::Enum];
const FIELDS: &[Place] = &[Place::Field, Place::UnnamedField];

const ANYTHING: On = (
    &[
        Place::Struct,
        Place::TupleStruct,
        Place::UnitStruct,
        Place::Enum,
        Place::Variant,
        Place::Field,
        Place::UnnamedField,
    ],
    "types, variants and fields",
);
const TYPE: On = (TYPES, "types");
const ENUM: On = (&[Place::Enum], "enums");
const VARIANT: On = (&[Place::Variant], "variants");
const FIELD: On = (FIELDS, "fields");
const NAMED: On = (&[Place::Field], "fields with a name");
const INNER: On = (&[Place::Variant, Place::Field, Place::UnnamedField], "variants and fields");
const TYPE_OR_VARIANT: On =
    (&[Place::Struct, Place::TupleStruct, Place::UnitStruct, Place::Enum, Place::Variant], "types and variants");
const ENUM_OR_VARIANT: On = (&[Place::Enum, Place::Variant], "enums and variants");
const TAGGED: On = (&[Place::Struct, Place::Enum], "enums and structs with named fields");
const FULL: On = (&[Place::Struct, Place::TupleStruct], "structs with fields");
const FULL_OR_FIELD: On =
    (&[Place::Struct, Place::TupleStruct, Place::Field, Place::UnnamedField], "structs with fields, and on fields");

/// What a key takes.
#[derive(Clone, Copy, PartialEq)]
enum Takes {
    Nothing,
    Text,
    /// Text, or a list of two.
    Texts,
    Case,
    /// The name of a function or module.
    Name,
    /// Nothing, or such a name.
    OptionalName,
    /// A list of `min` and `max`.
    Bounds,
    List,
    Anything,
}

/// A key: its name, where it works, what it takes, and how it is written.
type Key = (&'static str, On, Takes, &'static str);

/// Those of serde that schemars reads in its own attribute, too.
const BOTH: &[Key] = &[
    ("rename", ANYTHING, Takes::Texts, "rename = \"name\""),
    ("rename_all", TYPE_OR_VARIANT, Takes::Case, "rename_all = \"camelCase\""),
    ("rename_all_fields", ENUM, Takes::Case, "rename_all_fields = \"camelCase\""),
    ("deny_unknown_fields", TYPE, Takes::Nothing, "deny_unknown_fields"),
    ("tag", TAGGED, Takes::Text, "tag = \"type\""),
    ("content", ENUM, Takes::Text, "content = \"content\""),
    ("untagged", ENUM_OR_VARIANT, Takes::Nothing, "untagged"),
    ("default", FULL_OR_FIELD, Takes::OptionalName, "default = \"function\""),
    ("skip", INNER, Takes::Nothing, "skip"),
    ("skip_serializing", INNER, Takes::Nothing, "skip_serializing"),
    ("skip_serializing_if", FIELD, Takes::Name, "skip_serializing_if = \"Option::is_none\""),
    ("skip_deserializing", INNER, Takes::Nothing, "skip_deserializing"),
    ("flatten", NAMED, Takes::Nothing, "flatten"),
    ("remote", TYPE, Takes::Text, "remote = \"Type\""),
    ("transparent", FULL, Takes::Nothing, "transparent"),
    ("into", TYPE, Takes::Text, "into = \"Type\""),
    ("from", TYPE, Takes::Text, "from = \"Type\""),
    ("try_from", TYPE, Takes::Text, "try_from = \"Type\""),
    ("bound", ANYTHING, Takes::Texts, "bound = \"T: Clone\""),
    ("crate", TYPE, Takes::Text, "crate = \"path\""),
];

const SERDE: &[Key] = &[
    ("alias", INNER, Takes::Text, "alias = \"name\""),
    ("with", INNER, Takes::Name, "with = \"module\""),
    ("serialize_with", INNER, Takes::Name, "serialize_with = \"function\""),
    ("deserialize_with", INNER, Takes::Name, "deserialize_with = \"function\""),
    ("borrow", INNER, Takes::Anything, "borrow"),
    ("other", VARIANT, Takes::Nothing, "other"),
    ("getter", FIELD, Takes::Name, "getter = \"function\""),
    ("field_identifier", ENUM, Takes::Nothing, "field_identifier"),
    ("variant_identifier", ENUM, Takes::Nothing, "variant_identifier"),
    ("expecting", TYPE, Takes::Text, "expecting = \"a city\""),
];

const SCHEMARS: &[Key] = &[
    ("title", ANYTHING, Takes::Anything, "title = \"Title\""),
    ("description", ANYTHING, Takes::Anything, "description = \"What it is\""),
    ("example", ANYTHING, Takes::Anything, "example = 3"),
    ("extend", ANYTHING, Takes::List, "extend(\"key\" = 3)"),
    ("transform", ANYTHING, Takes::Anything, "transform = function"),
    ("with", ANYTHING, Takes::Text, "with = \"Type\""),
    ("schema_with", ANYTHING, Takes::Name, "schema_with = \"function\""),
    ("inline", TYPE, Takes::Nothing, "inline"),
    ("_unstable_ref_variants", ENUM, Takes::Nothing, "_unstable_ref_variants"),
    ("length", FIELD, Takes::Bounds, "length(min = 1, max = 80)"),
    ("range", FIELD, Takes::Bounds, "range(min = 1, max = 30)"),
    ("required", FIELD, Takes::Nothing, "required"),
    ("pattern", FIELD, Takes::List, "pattern(r\"^[a-z]+$\")"),
    ("regex", FIELD, Takes::List, "regex(pattern = r\"^[a-z]+$\")"),
    ("contains", FIELD, Takes::List, "contains(pattern = \"@\")"),
    ("inner", FIELD, Takes::List, "inner(range(min = 1))"),
    ("email", FIELD, Takes::Nothing, "email"),
    ("url", FIELD, Takes::Nothing, "url"),
    ("ip", FIELD, Takes::Nothing, "ip"),
    ("ipv4", FIELD, Takes::Nothing, "ipv4"),
    ("ipv6", FIELD, Takes::Nothing, "ipv6"),
];

/// What is written instead of a key that neither has.
const INSTEAD: &[(&str, &str)] = &[
    ("optional", "take an `Option<…>`, or write `#[serde(default)]`"),
    ("skip_if_none", "write `#[serde(skip_serializing_if = \"Option::is_none\")]`"),
    ("skip_serializing_none", "write `#[serde(skip_serializing_if = \"Option::is_none\")]`"),
    ("ignore", "write `#[serde(skip)]`"),
    ("name", "write `#[serde(rename = \"name\")]`"),
    ("min", "write `#[schemars(range(min = 1))]`"),
    ("max", "write `#[schemars(range(max = 30))]`"),
    ("minimum", "write `#[schemars(range(min = 1))]`"),
    ("maximum", "write `#[schemars(range(max = 30))]`"),
    ("min_length", "write `#[schemars(length(min = 1))]`"),
    ("max_length", "write `#[schemars(length(max = 80))]`"),
];

impl Whose {
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Serde => "serde",
            Self::Schemars => "schemars",
        }
    }

    fn keys(self) -> impl Iterator<Item = &'static Key> + Clone {
        let own = match self {
            Self::Serde => SERDE,
            Self::Schemars => SCHEMARS,
        };
        BOTH.iter().chain(own)
    }

    /// The key, if the attribute has it.
    pub(super) fn key(self, name: &str) -> Option<Known> {
        self.keys().find(|key| key.0 == name).map(|key| Known(*key))
    }

    /// What to write for a key that the attribute does not have, where that is certain: the crates may get new keys.
    pub(super) fn instead(self, name: &str, place: Place) -> Option<String> {
        if let Some((_, way_out)) = INSTEAD.iter().find(|(wrong, _)| *wrong == name) {
            return Some((*way_out).to_owned());
        }
        let other = if self == Self::Serde { Self::Schemars } else { Self::Serde };
        if let Some(Known((_, _, _, example))) = other.key(name) {
            return Some(format!("write `#[{}({example})]`", other.name()));
        }
        let here = self.keys().filter(|(_, (places, _), _, _)| places.contains(&place)).map(|key| key.0);
        nearest(name, here).map(|meant| format!("did you mean `{meant}`?"))
    }
}

impl Place {
    pub(super) fn shown(self) -> &'static str {
        match self {
            Self::Struct => "a struct",
            Self::TupleStruct => "a tuple struct",
            Self::UnitStruct => "a struct without fields",
            Self::Enum => "an enum",
            Self::Variant => "a variant",
            Self::Field => "a field",
            Self::UnnamedField => "a field without a name",
        }
    }
}

/// A key that an attribute has.
pub(super) struct Known(Key);

impl Known {
    /// Where it works, unless it works at the place.
    pub(super) fn elsewhere(&self, place: Place) -> Option<&'static str> {
        let Self((_, (places, words), _, _)) = self;
        (!places.contains(&place)).then_some(*words)
    }

    /// What it takes, and how it is written, unless `meta` gives it that.
    pub(super) fn refuses(&self, meta: &Meta) -> Option<(&'static str, &'static str)> {
        let Self((_, _, takes, example)) = self;
        (!takes.accepts(meta)).then_some((takes.shown(), example))
    }
}

impl Takes {
    fn shown(self) -> &'static str {
        match self {
            Self::Nothing => "no value",
            Self::Text | Self::Texts => "a string literal",
            Self::Case => Case::NAMES,
            Self::Name => "a name in quotes",
            Self::OptionalName => "nothing, or the name of a function in quotes",
            Self::Bounds => "`min` and `max`",
            Self::List => "a list in parentheses",
            Self::Anything => "anything",
        }
    }

    /// Whether a key may be written so. What is neither a literal nor a path is left to the derives.
    fn accepts(self, meta: &Meta) -> bool {
        let value = match meta {
            _ if self == Self::Anything => return true,
            Meta::Path(_) => return matches!(self, Self::Nothing | Self::OptionalName),
            Meta::List(list) if self == Self::Bounds => return holds_bounds(list),
            Meta::List(_) => return matches!(self, Self::Texts | Self::Case | Self::List),
            Meta::NameValue(pair) => &pair.value,
        };
        match (self, string(value)) {
            (Self::Nothing | Self::Bounds | Self::List, _) => false,
            (Self::Case, Some(text)) => Case::named(&text.value()).is_some(),
            (Self::Name | Self::OptionalName, Some(text)) => text.parse::<ExprPath>().is_ok(),
            (_, Some(_)) => true,
            (_, None) => !is_plain(value),
        }
    }
}

fn holds_bounds(list: &MetaList) -> bool {
    let is_bound = |meta: &Meta| ["min", "max", "equal"].iter().any(|name| meta.path().is_ident(name));
    list.parse_args_with(Words::parse_terminated).is_ok_and(|metas| metas.iter().all(is_bound))
}

fn is_plain(value: &Expr) -> bool {
    matches!(literal(value), Some(lit) if !matches!(lit, Lit::Verbatim(_))) || matches!(ungroup(value), Expr::Path(_))
}
