//! JSON Schemas: made from types, normalised for clients, walked for decoding and validation.
//!
//! Two views of one type live here. The *wire* view is what `tools/list` shows, shaped so that no client drops it
//! (`plain`, `generate`, `normalise`, `inline`, `notes`, `root`); the *walker's* view is what serde accepts (`graph`), and
//! lenient decoding and error messages follow it (`coerce`, `walk`). Nothing here does I/O.

mod budget;
mod coerce;
mod compile;
mod constraints;
mod decode;
mod describe;
mod explain;
mod field;
mod generate;
mod graph;
mod inline;
mod input;
mod keywords;
mod kinds;
mod listed;
mod nearest;
mod normalise;
mod notes;
mod number;
mod pattern;
mod plain;
mod prepared;
mod root;
mod sound;
mod source;
mod text;
mod types;
mod union;
mod violation;
mod walk;
mod write;

#[cfg(test)]
mod tests;

pub(crate) use coerce::{coerce, coerce_raw};
pub use constraints::Constraints;
pub(crate) use decode::parse;
pub use field::{
    DataField, DefaultField, DefaultOf, DescribedField, DescribedFieldOf, FieldOf, FieldType, FixedDataField,
    FixedFieldOf, OwnDefault, ReadField, ReadFieldOf, WrittenField, WrittenFieldOf, own_default,
};
#[cfg(test)]
pub(crate) use graph::Graph;
pub(crate) use graph::SchemaNode;
pub(crate) use input::{Property, input_from_properties, is_header_name};
pub(crate) use listed::{one_of, one_of_names, shown};
pub(crate) use nearest::nearest;
pub(crate) use number::{Bound, EXACT};
pub use plain::Plain;
pub(crate) use prepared::{Output, Prepared};
pub(crate) use source::TypeSchema;
pub(crate) use text::{closed_values, gives_any_text, readable_from_text};
pub(crate) use violation::Violation;
pub(crate) use walk::{violations, violations_at};

use std::fmt;

/// A function that makes the schema of one type: `schemars::SchemaGenerator::subschema_for::<T>`.
pub(crate) type SchemaFn = fn(&mut schemars::SchemaGenerator) -> schemars::Schema;

/// How schemas are shaped for the wire.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum SchemaProfile {
    /// Rewritten so that every known client and model provider accepts it.
    #[default]
    Portable,
    /// As schemars makes it.
    Exact,
}

/// A schema that cannot be offered to clients, in words for the author of the server.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct SchemaError(String);

impl SchemaError {
    pub(crate) fn new(text: impl Into<String>) -> Self {
        Self(text.into())
    }

    /// What is to be the arguments of a call may be something else.
    fn no_object() -> Self {
        Self::new(
            "the arguments of a call are a JSON object, but this type is not always one\n\
             use a struct with named fields, or an enum whose every variant is an object",
        )
    }
}

impl fmt::Display for SchemaError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for SchemaError {}

/// Schemas and values nested deeper than this are taken as they are: `serde_json` itself reads 128 levels.
const MAX_DEPTH: usize = 192;
