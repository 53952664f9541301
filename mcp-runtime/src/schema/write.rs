//! Schemas as bytes: the top level in its own order, the rest as `serde_json` orders it, the same in every run.

use std::borrow::Cow;

use serde::{Serialize, Serializer};
use serde_json::{
    Map, Value,
    value::{RawValue, to_raw_value},
};

use super::{SchemaError, inline::Document};

/// Text that is JSON, as bytes to send.
pub(super) fn raw(text: String) -> Result<Box<RawValue>, SchemaError> {
    RawValue::from_string(text).map_err(|error| not_json(&error))
}

fn not_json(error: &serde_json::Error) -> SchemaError {
    SchemaError::new(format!("the schema is not JSON: {error}"))
}

/// The bytes of the root: first what readers look for first, then the rest.
pub(super) fn write_root(document: &Document) -> Result<Box<RawValue>, SchemaError> {
    const FIRST: [&str; 5] = ["type", "title", "description", "properties", "required"];
    let mut members = Members::default();
    if let Some(Value::Object(root)) = document.roots.first() {
        let rest = root.iter().filter(|(keyword, _)| !FIRST.contains(&keyword.as_str()));
        let first = FIRST.iter().filter_map(|keyword| root.get_key_value(*keyword));
        for (keyword, value) in first.chain(rest) {
            members.add(keyword, value.into());
        }
    }
    members.add_definitions(&document.definitions);
    members.finish()
}

/// A JSON object whose members keep the order in which they are added, whatever `serde_json::Map` does.
#[derive(Default)]
pub(super) struct Members<'a>(Vec<(&'a str, Member<'a>)>);

/// What one of them holds.
pub(super) enum Member<'a> {
    Value(Cow<'a, Value>),
    Members(Members<'a>),
    Definitions(&'a Map<String, Value>),
}

impl<'a> Members<'a> {
    pub(super) fn add(&mut self, key: &'a str, member: Member<'a>) {
        self.0.push((key, member));
    }

    pub(super) fn add_definitions(&mut self, definitions: &'a Map<String, Value>) {
        if !definitions.is_empty() {
            self.add("$defs", Member::Definitions(definitions));
        }
    }

    pub(super) fn finish(self) -> Result<Box<RawValue>, SchemaError> {
        to_raw_value(&self).map_err(|error| not_json(&error))
    }
}

impl<'a> From<&'a Value> for Member<'a> {
    fn from(value: &'a Value) -> Self {
        Self::Value(Cow::Borrowed(value))
    }
}

impl From<Value> for Member<'_> {
    fn from(value: Value) -> Self {
        Self::Value(Cow::Owned(value))
    }
}

impl Serialize for Members<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().map(|(key, member)| (key, member)))
    }
}

impl Serialize for Member<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Value(value) => value.serialize(serializer),
            Self::Members(members) => members.serialize(serializer),
            Self::Definitions(definitions) => definitions.serialize(serializer),
        }
    }
}
