//! Where the schema of a type comes from: it is data, or schemars makes it.
//!
//! What makes schemas and shapes them is a good part of this library, and is reached through the types that need it
//! alone: there a pointer to it is kept beside the type, and nothing else names it. So the linker drops it from a program
//! whose parameters are all plain.

use serde_json::Map;

use super::{
    Output, Prepared, Property, SchemaError, SchemaFn, SchemaProfile, generate,
    inline::Document,
    normalise::Side,
    pattern::{self, CompilePattern},
    plain::Plain,
};

/// Where the schema of a type comes from.
#[derive(Clone, Copy, Debug)]
pub(crate) enum TypeSchema {
    /// It is data.
    Plain(&'static Plain),
    /// schemars makes it.
    Made(SchemaFn, &'static Maker),
}

/// What makes schemas and shapes them.
#[derive(Debug)]
pub(crate) struct Maker {
    pub(super) input: fn(Vec<Property>, SchemaProfile) -> Result<Prepared, SchemaError>,
    whole: fn(TypeSchema, SchemaProfile) -> Result<Prepared, SchemaError>,
    output: fn(TypeSchema, SchemaProfile) -> Result<Output, SchemaError>,
    read: fn(&[TypeSchema]) -> Document,
    patterns: CompilePattern,
}

static MAKER: Maker = Maker {
    input: generate::input,
    whole: generate::input_from_type,
    output: generate::output,
    read: |types| generate::generate(types, Side::Input),
    patterns: pattern::compile,
};

impl TypeSchema {
    /// One that schemars makes.
    pub(crate) const fn made(make: SchemaFn) -> Self {
        Self::Made(make, &MAKER)
    }

    pub(super) const fn plain(&self) -> Option<&'static Plain> {
        match self {
            Self::Plain(plain) => Some(plain),
            Self::Made(..) => None,
        }
    }

    pub(super) const fn maker(&self) -> Option<&'static Maker> {
        match self {
            Self::Plain(_) => None,
            Self::Made(_, maker) => Some(maker),
        }
    }

    /// The input schema of a tool that takes its arguments as this one type.
    ///
    /// # Errors
    /// When the type is not always an object; the text is for the author.
    pub(crate) fn input(self, profile: SchemaProfile) -> Result<Prepared, SchemaError> {
        match self {
            Self::Plain(_) => Err(SchemaError::no_object()),
            Self::Made(_, maker) => (maker.whole)(self, profile),
        }
    }

    /// The output schema of a tool: what serde writes for the type. A plain type has none.
    ///
    /// # Errors
    /// Only when the schema cannot be written as JSON.
    pub(crate) fn output(self, profile: SchemaProfile) -> Option<Result<Output, SchemaError>> {
        self.maker().map(|maker| (maker.output)(self, profile))
    }

    /// Whether it is an `f32`, or may be absent and otherwise is one.
    pub(crate) fn is_single(self) -> bool {
        match self {
            Self::Plain(plain) => plain.is_single(),
            Self::Made(..) => {
                let document = read(&[self]);
                let format = document.roots.first().and_then(|root| root.get("format"));
                format.is_some_and(|format| format == "float")
            }
        }
    }
}

/// The types as serde reads them, with what they refer to.
pub(super) fn read(types: &[TypeSchema]) -> Document {
    if let Some(maker) = types.iter().find_map(TypeSchema::maker) {
        return (maker.read)(types);
    }
    let plain = types.iter().filter_map(TypeSchema::plain);
    Document { roots: plain.map(Plain::read).collect(), definitions: Map::new() }
}

/// What reads the patterns of the types' schemas; plain types have none.
pub(super) fn patterns(types: &[TypeSchema]) -> CompilePattern {
    types.iter().find_map(TypeSchema::maker).map_or(|_| None, |maker| maker.patterns)
}
