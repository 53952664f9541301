//! Types whose schemas refer to no other: made and normalised once, however many parameters have them.
//!
//! Most parameters are numbers and texts, and most of a start is their schemas.

use std::collections::HashMap;

use serde_json::{Map, Value};

use super::{
    Property, SchemaFn, SchemaProfile,
    generate::generate,
    inline::Document,
    normalise::{Side, normalise},
};

/// The types that were met, each with its schema if that stands for itself.
#[derive(Debug)]
pub(crate) struct PlainTypes {
    profile: SchemaProfile,
    schemas: HashMap<SchemaFn, Option<Value>>,
}

impl PlainTypes {
    /// None yet.
    pub(crate) fn new(profile: SchemaProfile) -> Self {
        Self { profile, schemas: HashMap::new() }
    }

    pub(super) const fn profile(&self) -> SchemaProfile {
        self.profile
    }

    /// The schemas of all properties in the profile's shape, if none of them refers to another.
    pub(super) fn document(&mut self, properties: &[Property<'_>]) -> Option<Document> {
        let roots = properties.iter().map(|property| self.schema(property));
        Some(Document { roots: roots.collect::<Option<_>>()?, definitions: Map::new() })
    }

    fn schema(&mut self, property: &Property<'_>) -> Option<Value> {
        let profile = self.profile;
        let schema = self.schemas.entry(property.schema).or_insert_with(|| plain(property.schema, profile));
        schema.clone()
    }
}

fn plain(schema: SchemaFn, profile: SchemaProfile) -> Option<Value> {
    let mut document = generate([schema], Side::Input);
    if !document.definitions.is_empty() {
        return None;
    }
    if profile == SchemaProfile::Portable {
        document.each(|schema| normalise(schema, Side::Input));
    }
    document.roots.pop()
}
