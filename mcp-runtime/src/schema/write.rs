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
#[derive(Debug, Default)]
pub(super) struct Members<'a>(Vec<(&'a str, Member<'a>)>);

/// What one of them holds.
#[derive(Debug)]
pub(super) enum Member<'a> {
    Text(&'a str),
    Value(Cow<'a, Value>),
    Members(Members<'a>),
    Definitions(&'a Map<String, Value>),
}

impl<'a> Members<'a> {
    pub(super) fn add(&mut self, key: &'a str, member: Member<'a>) {
        self.0.push((key, member));
    }

    /// Sets a member where `serde_json::Map` has it: in alphabetical order, or last.
    pub(super) fn set(&mut self, key: &'a str, member: Member<'a>) {
        let is_after = |known: &str| if cfg!(feature = "preserve_order") { known == key } else { known >= key };
        let at = self.0.iter().position(|(known, _)| is_after(known)).unwrap_or(self.0.len());
        match self.0.get_mut(at).filter(|(known, _)| *known == key) {
            Some((_, known)) => *known = member,
            None => self.0.insert(at, (key, member)),
        }
    }

    /// The object as a tree.
    pub(super) fn into_map(self) -> Map<String, Value> {
        let mut map = Map::new();
        for (key, member) in self.0 {
            map.insert(key.to_owned(), member.into_value());
        }
        map
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

impl Member<'_> {
    /// The same as a tree.
    pub(super) fn into_value(self) -> Value {
        match self {
            Self::Text(text) => text.into(),
            Self::Value(value) => value.into_owned(),
            Self::Members(members) => members.into_map().into(),
            Self::Definitions(definitions) => definitions.clone().into(),
        }
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
            Self::Text(text) => text.serialize(serializer),
            Self::Value(value) => value.serialize(serializer),
            Self::Members(members) => members.serialize(serializer),
            Self::Definitions(definitions) => definitions.serialize(serializer),
        }
    }
}
