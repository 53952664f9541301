//! Schemas as bytes: the top level in its own order, the rest as `serde_json` orders it, the same in every run.

use serde_json::{Map, Value, value::RawValue};

use super::{SchemaError, inline::Document};

/// Text that is JSON, as bytes to send.
pub(super) fn raw(text: String) -> Result<Box<RawValue>, SchemaError> {
    RawValue::from_string(text)
        .map_err(|error| SchemaError::new(format!("the schema is not JSON: {error}")))
}

/// The text of the root: first what readers look for first, then the rest.
pub(super) fn write_root(document: &mut Document) -> String {
    const FIRST: [&str; 5] = ["type", "title", "description", "properties", "required"];
    let mut members = Members::default();
    if let Some(Value::Object(root)) = document.roots.first() {
        let rest = root
            .iter()
            .filter(|(keyword, _)| !FIRST.contains(&keyword.as_str()));
        let first = FIRST
            .iter()
            .filter_map(|keyword| root.get_key_value(*keyword));
        first
            .chain(rest)
            .for_each(|(keyword, value)| members.add(keyword, value));
    }
    members.add_definitions(&document.definitions);
    members.finish()
}

/// The text of a JSON object whose members keep the order in which they are added, whatever `serde_json::Map` does.
#[derive(Default)]
pub(super) struct Members(Vec<u8>);

impl Members {
    pub(super) fn add(&mut self, key: &str, value: &Value) {
        self.key(key);
        // Writing a tree of values to memory cannot fail.
        serde_json::to_writer(&mut self.0, value).ok();
    }

    pub(super) fn add_members(&mut self, key: &str, members: &Self) {
        self.key(key);
        self.0.push(b'{');
        self.0.extend_from_slice(&members.0);
        self.0.push(b'}');
    }

    pub(super) fn add_definitions(&mut self, definitions: &Map<String, Value>) {
        if !definitions.is_empty() {
            self.key("$defs");
            serde_json::to_writer(&mut self.0, definitions).ok();
        }
    }

    fn key(&mut self, key: &str) {
        if !self.0.is_empty() {
            self.0.push(b',');
        }
        serde_json::to_writer(&mut self.0, key).ok();
        self.0.push(b':');
    }

    pub(super) fn finish(self) -> String {
        format!("{{{}}}", String::from_utf8_lossy(&self.0))
    }
}
