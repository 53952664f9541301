//! What is kept of a schema: the bytes to send, and the way back to the walker's view when a call is refused.

use std::sync::OnceLock;

use serde_json::{Map, Value, json, value::RawValue};

use super::{
    Property, SchemaError, SchemaProfile,
    generate::{elsewhere, warnings},
    graph::{Graph, SchemaNode},
    inline::Document,
    input::write_plain,
    keywords::Keywords,
    pattern::{self, CompilePattern},
    sound,
    source::{TypeSchema, patterns, read},
    violation::Violation,
    walk::violations,
    write::raw,
};

/// The input schema of one tool.
#[derive(Debug)]
pub(crate) struct Prepared {
    /// Written already, unless it is of properties that are all plain.
    wire: OnceLock<Box<RawValue>>,
    source: Source,
    graph: OnceLock<Graph>,
    warnings: Vec<String>,
    elsewhere: Option<String>,
}

/// Where the walker's view comes from; the wire view has lost what serde accepts (`null`, widths of integers, tuples).
#[derive(Debug)]
pub(super) enum Source {
    Properties(Vec<Property>, SchemaProfile),
    Type(TypeSchema),
    Wire(CompilePattern),
}

impl Prepared {
    pub(super) fn new(wire: Box<RawValue>, source: Source, warnings: Vec<String>) -> Self {
        Self { wire: wire.into(), source, graph: OnceLock::new(), warnings, elsewhere: None }
    }

    /// Of properties that are all plain, and fit what is said of them.
    pub(super) fn later(properties: Vec<Property>, profile: SchemaProfile, warnings: Vec<String>) -> Self {
        let source = Source::Properties(properties, profile);
        Self { wire: OnceLock::new(), source, graph: OnceLock::new(), warnings, elsewhere: None }
    }

    /// A schema written by hand: it is sent exactly as it is.
    ///
    /// # Errors
    /// When it is not the schema of an object.
    pub(crate) fn from_json(schema: &Value) -> Result<Self, SchemaError> {
        Self::from_raw(raw(schema.to_string())?)
    }

    /// A schema written by hand, as text: each byte is sent as it is.
    ///
    /// # Errors
    /// When it is not the schema of an object, or none at all.
    pub(crate) fn from_raw(wire: Box<RawValue>) -> Result<Self, SchemaError> {
        let schema: Value = serde_json::from_str(wire.get()).unwrap_or_default();
        if schema.get("type").is_none_or(|kind| kind != "object") {
            return Err(SchemaError::new("an input schema is a JSON object with `\"type\": \"object\"`"));
        }
        sound::check(&schema)?;
        let mut document = Document { roots: vec![schema], definitions: Map::new() };
        let warnings = warnings(&mut document);
        // A part with an id of its own may be what is meant.
        let elsewhere = if wire.get().contains("\"$id\"") { None } else { elsewhere(&mut document) };
        Ok(Self { elsewhere, ..Self::new(wire, Source::Wire(pattern::compile), warnings) })
    }

    /// The schema as it is sent.
    #[must_use]
    pub(crate) fn wire(&self) -> &RawValue {
        self.wire.get_or_init(|| match &self.source {
            // It was found to fit, so it can be written.
            Source::Properties(properties, profile) => write_plain(properties, *profile).unwrap_or_default(),
            Source::Type(_) | Source::Wire(_) => Box::default(),
        })
    }

    /// The schema as it is sent, as a tree.
    #[must_use]
    pub(crate) fn to_value(&self) -> Value {
        serde_json::from_str(self.wire().get()).unwrap_or_default()
    }

    /// Whether an argument may be repeated in a header. Most schemas need not be written to know that, or read.
    #[must_use]
    pub(crate) fn may_have_headers(&self) -> bool {
        match (&self.source, self.wire.get()) {
            (Source::Properties(properties, _), None) => properties.iter().any(|property| property.header.is_some()),
            _ => self.wire().get().contains("x-mcp-header"),
        }
    }

    /// Whether an argument may be a number with a fraction.
    #[must_use]
    pub(crate) fn may_have_fractions(&self) -> bool {
        self.wire.get().is_none_or(|wire| wire.get().contains("\"number\""))
    }

    /// What the author should know although it prevents nothing: patterns that cannot be enforced, references that
    /// cannot be followed.
    #[must_use]
    pub(crate) fn warnings(&self) -> &[String] {
        &self.warnings
    }

    /// Where a reference of a schema written by hand leads that does not stay in it.
    #[must_use]
    pub(crate) fn elsewhere(&self) -> Option<&str> {
        self.elsewhere.as_deref()
    }

    /// The schema of the whole arguments object, as serde reads it. Made at the first use.
    #[must_use]
    pub(crate) fn root(&self) -> SchemaNode<'_> {
        self.graph.get_or_init(|| self.source.graph(|| self.wire())).root()
    }

    /// The schema of one property, as serde reads it.
    #[must_use]
    pub(crate) fn property(&self, name: &str) -> Option<SchemaNode<'_>> {
        self.root().property(name)
    }
}

impl Source {
    fn graph<'w>(&self, wire: impl FnOnce() -> &'w RawValue) -> Graph {
        match self {
            Self::Wire(patterns) => Graph::new(&serde_json::from_str(wire().get()).unwrap_or_default(), *patterns),
            Self::Type(schema) => {
                let document = read(&[*schema]);
                let root = document.roots.into_iter().next().unwrap_or_default();
                Graph::new(&with_definitions(root, document.definitions), patterns(&[*schema]))
            }
            Self::Properties(properties, _) => {
                let types: Vec<_> = properties.iter().map(|property| property.schema).collect();
                let document = read(&types);
                let mut members = Map::new();
                for (property, root) in properties.iter().zip(document.roots) {
                    members.insert(property.name.to_owned(), root);
                }
                let required: Vec<_> =
                    properties.iter().filter(|property| property.required).map(|property| property.name).collect();
                let root = json!({
                    "type": "object",
                    "properties": members,
                    "required": required,
                });
                Graph::new(&with_definitions(root, document.definitions), patterns(&types))
            }
        }
    }
}

/// References stay resolvable: definitions go to the root, even when the root is nothing but a reference.
fn with_definitions(mut root: Value, definitions: Map<String, Value>) -> Value {
    if let Value::Object(root) = &mut root {
        root.set("$defs", Value::Object(definitions));
    }
    root
}

/// The output schema of one tool.
#[derive(Debug)]
pub(crate) struct Output {
    wire: Box<RawValue>,
    wrapped: Option<Box<RawValue>>,
    /// Whether a value may hold floats.
    has_numbers: bool,
    patterns: CompilePattern,
    /// Written by hand: nothing makes the values fit but their author.
    is_by_hand: bool,
    graph: OnceLock<Graph>,
}

impl Output {
    pub(super) fn new(wire: Box<RawValue>, wrapped: Option<Box<RawValue>>, patterns: CompilePattern) -> Self {
        let has_numbers = wire.get().contains("\"number\"");
        Self { wire, wrapped, has_numbers, patterns, is_by_hand: false, graph: OnceLock::new() }
    }

    fn root(&self) -> SchemaNode<'_> {
        let schema = || serde_json::from_str(self.wire.get()).unwrap_or_default();
        self.graph.get_or_init(|| Graph::new(&schema(), self.patterns)).root()
    }

    /// How a value, as JSON, differs from a schema that was written by hand, a line each.
    pub(crate) fn misfit(&self, json: Option<&str>) -> Option<String> {
        if !self.is_by_hand {
            return None;
        }
        let Some(json) = json else { return Some("\n- there is no structured content".to_owned()) };
        let value = serde_json::from_str(json).unwrap_or_default();
        let mut lines = String::new();
        for violation in violations(self.root(), &value) {
            lines.push_str("\n- ");
            lines.push_str(&violation.to_string());
        }
        (!lines.is_empty()).then_some(lines)
    }

    /// Where a value, as JSON, has `null` although a number belongs there: that is how NaN and the infinite are written.
    pub(crate) fn lost_number(&self, json: &str) -> Option<String> {
        // Most values have nothing to look for.
        if self.has_numbers && json.contains("null") { self.find_lost_number(json) } else { None }
    }

    #[cold]
    fn find_lost_number(&self, json: &str) -> Option<String> {
        let value: Value = serde_json::from_str(json).ok()?;
        let lost = |violation: &Violation| {
            value.pointer(violation.pointer()).is_some_and(Value::is_null) && violation.expected().contains("number")
        };
        violations(self.root(), &value).into_iter().find(lost).map(|violation| violation.pointer().to_owned())
    }

    /// A schema written by hand: it is sent exactly as it is, or wrapped.
    ///
    /// # Errors
    /// When it is not a JSON object.
    pub(crate) fn from_json(schema: &Value) -> Result<Self, SchemaError> {
        let Some(map) = schema.as_object() else {
            return Err(SchemaError::new("an output schema is a JSON object"));
        };
        sound::check(schema)?;
        let wrapped = if map.keyword("type").is_some_and(|kind| kind == "object") {
            None
        } else {
            let mut result = map.clone();
            let definitions = result.remove("$defs");
            let mut root = json!({"type": "object", "properties": {"result": result}, "required": ["result"]});
            if let (Some(root), Some(definitions)) = (root.as_object_mut(), definitions) {
                root.set("$defs", definitions);
            }
            Some(raw(root.to_string())?)
        };
        Ok(Self { is_by_hand: true, ..Self::new(raw(schema.to_string())?, wrapped, pattern::compile) })
    }

    /// The schema of the value itself.
    #[must_use]
    pub(crate) fn wire(&self) -> &RawValue {
        &self.wire
    }

    /// The schema for revisions in which the root must be an object: that of the value itself, or of
    /// `{"result": value}`.
    #[must_use]
    pub(crate) fn wire_object(&self) -> &RawValue {
        self.wrapped.as_ref().unwrap_or(&self.wire)
    }

    /// Whether every value is an object, so that no revision needs it wrapped.
    #[must_use]
    pub(crate) fn is_object(&self) -> bool {
        self.wrapped.is_none()
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Constraints, input_from_properties, plain::Plain};
    use super::*;

    static TEXT: Plain = Plain::STRING;
    const RANGE: Constraints = Constraints::NONE.min_int(1);

    #[test]
    fn plain_properties_are_checked_at_once_and_written_when_somebody_asks() {
        let text = || Property { schema: TypeSchema::Plain(&TEXT), ..Property::new("x", |_| unreachable!()) };
        let input = |property| input_from_properties(vec![property], SchemaProfile::Portable);
        let prepared = input(text()).unwrap();
        assert!(!prepared.may_have_headers() && prepared.property("x").is_some() && prepared.wire.get().is_none());
        assert!(prepared.wire().get().contains(r#""x":{"type":"string"}"#));
        let header = input(Property { header: Some("X"), ..text() }).unwrap();
        assert!(header.may_have_headers());
        assert!(input(Property { header: Some("no token"), ..text() }).is_err());
        assert!(input(Property { constraints: &RANGE, ..text() }).is_err());
    }
}
