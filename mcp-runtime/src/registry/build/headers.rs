//! The headers that repeat arguments (`x-mcp-header`): found in a tool's schema, and checked, because a client that finds one
//! where it must not be drops the whole tool.

use serde_json::Value;

use super::{Builder, Who};
use crate::registry::entry::Location;
use crate::registry::problem::Problem;
use crate::schema::{Prepared as Schema, is_header_name};

const HEADER: &str = "x-mcp-header";

/// A header's name, and the path of the argument that it repeats.
type Header = (String, Vec<String>);

impl Builder<'_> {
    pub(super) fn headers(&mut self, who: Who<'_>, at: Option<Location>, schema: &Schema) -> Vec<Header> {
        // Hardly any schema has one: most need not be read for it.
        if !schema.may_have_headers() {
            return Vec::new();
        }
        let schema = schema.to_value();
        let mut found = Vec::new();
        let mut wrong = Vec::new();
        collect(&schema, &mut Vec::new(), &mut found, &mut wrong);
        if count(&schema, false) > found.len() + wrong.len() {
            wrong.push(format!("`{HEADER}` stands where no client looks for it"));
        }
        let folded: Vec<String> = found.iter().map(|(name, _)| name.to_ascii_lowercase()).collect();
        let twice =
            folded.iter().enumerate().find(|(index, name)| folded.iter().skip(index + 1).any(|next| next == *name));
        wrong.extend(twice.map(|(_, name)| format!("two arguments have the header `{name}`")));
        let advice = "give it, as an HTTP token that is there once, to a property that is a string, an integer or a boolean and is reached by `properties` alone";
        self.problems.extend(wrong.iter().map(|what| Problem::new(format!("{who}: {what}"), advice).at("at", at)));
        found
    }
}

/// Finds the headers where they are legal: along `properties` only.
fn collect(schema: &Value, path: &mut Vec<String>, found: &mut Vec<Header>, wrong: &mut Vec<String>) {
    let Some(properties) = schema.get("properties").and_then(Value::as_object) else { return };
    for (name, property) in properties {
        path.push(name.clone());
        if let Some(header) = property.get(HEADER) {
            let is_simple = matches!(property["type"].as_str(), Some("string" | "integer" | "boolean"));
            match header.as_str() {
                Some(header) if is_simple && is_header_name(header) => found.push((header.to_owned(), path.clone())),
                _ => wrong.push(format!("argument `{name}` cannot have the header {header}")),
            }
        }
        collect(property, path, found, wrong);
        path.pop();
    }
}

/// How often the keyword stands anywhere; a property may have its name.
fn count(schema: &Value, is_map: bool) -> usize {
    match schema {
        Value::Object(members) => {
            let own = usize::from(!is_map && members.contains_key(HEADER));
            let holds_names = |key: &str| matches!(key, "properties" | "patternProperties" | "$defs" | "definitions");
            own + members.iter().map(|(key, member)| count(member, !is_map && holds_names(key))).sum::<usize>()
        }
        Value::Array(items) => items.iter().map(|item| count(item, false)).sum(),
        _ => 0,
    }
}
