//! D3: schemas that some client or provider refuses. The portable profile makes none of them; schemas by hand and the
//! exact profile may.

use serde_json::{Map, Value};

use super::finding::{Findings, Level, Rule};
use crate::cli::definitions::{Definition, Definitions, text};

pub(super) const ROOT: Rule = Rule::new(
    "D301",
    Level::Error,
    "oneOf, anyOf, allOf, not or if at the top of an input schema: Claude Code drops the tool, Anthropic's and OpenAI's APIs refuse it",
);
pub(super) const BOOLEAN: Rule =
    Rule::new("D302", Level::Warning, "a property whose schema is true or false: several clients take objects only");
pub(super) const NO_ITEMS: Rule =
    Rule::new("D303", Level::Warning, "a list without `items`: VS Code and OpenAI refuse the tool");
pub(super) const SEVERAL_TYPES: Rule =
    Rule::new("D304", Level::Warning, "a list of types instead of one: Gemini refuses the tool");
pub(super) const NO_TYPE: Rule = Rule::new(
    "D305",
    Level::Warning,
    "a property that says nothing about its type: Gemini and some gateways refuse it",
);
pub(super) const ADDITIONAL: Rule =
    Rule::new("D306", Level::Warning, "`additionalProperties` that is a schema: Claude Desktop takes true or false");
pub(super) const FORMAT: Rule =
    Rule::new("D307", Level::Warning, "a `format` that JSON Schema does not know: strict validators refuse the schema");
pub(super) const OUTPUT: Rule = Rule::new(
    "D308",
    Level::Error,
    "an output schema that is not of type object: clients on the TypeScript SDK lose all tools before 2026-07-28",
);

const FORMATS: [&str; 19] = [
    "date-time",
    "date",
    "time",
    "duration",
    "email",
    "idn-email",
    "hostname",
    "idn-hostname",
    "ipv4",
    "ipv6",
    "uri",
    "uri-reference",
    "iri",
    "iri-reference",
    "uuid",
    "uri-template",
    "json-pointer",
    "relative-json-pointer",
    "regex",
];

/// Members that hold one schema, a list of them, or an object of them.
const ONE: [&str; 9] = [
    "items",
    "contains",
    "not",
    "if",
    "then",
    "else",
    "additionalProperties",
    "propertyNames",
    "unevaluatedProperties",
];
const LIST: [&str; 4] = ["anyOf", "oneOf", "allOf", "prefixItems"];
const NAMED: [&str; 5] = ["properties", "patternProperties", "$defs", "definitions", "dependentSchemas"];

/// Schemas nested deeper than this are not looked into.
const DEPTH: usize = 128;

pub(super) fn check(definitions: &Definitions, findings: &mut Findings) {
    for tool in &definitions.tools {
        let Some(schema) = tool.json.get("inputSchema") else { continue };
        if let Some(keyword) =
            ["oneOf", "anyOf", "allOf", "not", "if"].into_iter().find(|keyword| schema.get(keyword).is_some())
        {
            let text = format!("the input schema of tool `{}` has `{keyword}` at its top", text(&tool.json, "name"));
            findings.add(&ROOT, Some(tool), text, "move it into a property, or check it in the function");
        }
        Walk { tool, findings: &mut *findings }.object(schema, "", 0);
    }
}

/// Output schemas as clients of 2025-11-25 and before receive them.
pub(super) fn check_legacy_outputs(definitions: &Definitions, findings: &mut Findings) {
    for tool in &definitions.tools {
        let output = tool.json.get("outputSchema");
        if output.is_some_and(|schema| text(schema, "type") != "object") {
            let text = format!("the output schema of tool `{}` is not of type object", text(&tool.json, "name"));
            findings.add(&OUTPUT, Some(tool), text, "add `\"type\": \"object\"`");
        }
    }
}

struct Walk<'a> {
    tool: &'a Definition,
    findings: &'a mut Findings,
}

impl Walk<'_> {
    fn add(&mut self, rule: &'static Rule, pointer: &str, what: &str, advice: &str) {
        let place = if pointer.is_empty() { "the input schema" } else { pointer };
        let text = format!("{place} of tool `{}` {what}", text(&self.tool.json, "name"));
        self.findings.add(rule, Some(self.tool), text, advice);
    }

    /// Looks at a schema wherever one stands.
    fn object(&mut self, schema: &Value, pointer: &str, depth: usize) {
        let Some(members) = schema.as_object().filter(|_| depth < DEPTH) else { return };
        self.types(members, pointer);
        if members.get("additionalProperties").is_some_and(Value::is_object) {
            self.add(
                &ADDITIONAL,
                pointer,
                "has a schema as `additionalProperties`",
                "take a list of pairs, or describe the values in words",
            );
        }
        let format = members.get("format").and_then(Value::as_str);
        if let Some(format) = format.filter(|format| !FORMATS.contains(format)) {
            self.add(
                &FORMAT,
                pointer,
                &format!("has the format `{format}`"),
                "leave it out, or use the portable schema profile",
            );
        }
        self.deeper(members, pointer, depth);
    }

    fn types(&mut self, members: &Map<String, Value>, pointer: &str) {
        match members.get("type") {
            Some(Value::Array(_)) => {
                self.add(&SEVERAL_TYPES, pointer, "has a list of types", "write `anyOf` with a schema for each");
            }
            Some(Value::String(name))
                if name == "array" && !members.contains_key("items") && !members.contains_key("prefixItems") =>
            {
                self.add(&NO_ITEMS, pointer, "is a list without `items`", "say what it is a list of");
            }
            _ => {}
        }
    }

    fn deeper(&mut self, members: &Map<String, Value>, pointer: &str, depth: usize) {
        for name in ONE {
            if let Some(schema) = members.get(name) {
                self.object(schema, &format!("{pointer}/{name}"), depth + 1);
            }
        }
        for name in LIST {
            for (index, schema) in members.get(name).and_then(Value::as_array).into_iter().flatten().enumerate() {
                self.object(schema, &format!("{pointer}/{name}/{index}"), depth + 1);
            }
        }
        for name in NAMED {
            for (key, schema) in members.get(name).and_then(Value::as_object).into_iter().flatten() {
                let pointer = format!("{pointer}/{name}/{key}");
                if name == "properties" {
                    self.property(schema, &pointer);
                }
                self.object(schema, &pointer, depth + 1);
            }
        }
    }

    fn property(&mut self, schema: &Value, pointer: &str) {
        const SAYING: [&str; 7] = ["type", "enum", "const", "anyOf", "oneOf", "allOf", "$ref"];
        match schema {
            Value::Bool(_) => self.add(&BOOLEAN, pointer, "is true or false", "write an object; `{}` takes everything"),
            // A description alone is how the portable profile says that everything is welcome.
            Value::Object(members) if members.contains_key("description") && members.len() == 1 => {}
            Value::Object(members) if !SAYING.iter().any(|word| members.contains_key(*word)) => {
                self.add(&NO_TYPE, pointer, "says nothing about its type", "add `type`, `enum` or `anyOf`");
            }
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn codes(schema: &Value) -> Vec<&'static str> {
        let json = json!({"name": "t", "inputSchema": schema});
        let mut findings = Findings::default();
        check(&Definitions { tools: vec![Definition { json, at: None }], ..Definitions::default() }, &mut findings);
        findings.codes()
    }

    fn property(schema: &Value) -> Vec<&'static str> {
        codes(&json!({"type": "object", "properties": {"a": schema}}))
    }

    #[test]
    fn each_rule_finds_its_mistake() {
        assert_eq!(codes(&json!({"type": "object", "oneOf": []})), ["D301"]);
        assert_eq!(property(&json!(true)), ["D302"]);
        assert_eq!(property(&json!({"type": "array"})), ["D303"]);
        assert_eq!(property(&json!({"type": ["string", "null"]})), ["D304"]);
        assert_eq!(property(&json!({"title": "A"})), ["D305"]);
        assert_eq!(property(&json!({"type": "object", "additionalProperties": {"type": "string"}})), ["D306"]);
        assert_eq!(property(&json!({"type": "integer", "format": "uint8"})), ["D307"]);
        assert_eq!(property(&json!({"type": "array", "items": {"anyOf": [{"type": "array"}]}})), ["D303"]);
    }

    #[test]
    fn portable_schemas_are_fine() {
        assert_eq!(property(&json!({"type": "string", "format": "date-time"})), [""; 0]);
        assert_eq!(property(&json!({"description": "anything"})), [""; 0]);
        assert_eq!(codes(&json!({"type": "object", "properties": {}, "additionalProperties": false})), [""; 0]);
        assert_eq!(property(&json!({"properties": {"format": {"type": "string"}}, "type": "object"})), [""; 0]);
    }

    #[test]
    fn output_schemas_are_objects_before_2026() {
        let tool = |schema: Value| Definition { json: json!({"name": "t", "outputSchema": schema}), at: None };
        let mut findings = Findings::default();
        let tools = vec![tool(json!({"type": "array"})), tool(json!({"type": "object"})), tool(json!({}))];
        check_legacy_outputs(&Definitions { tools, ..Definitions::default() }, &mut findings);
        assert_eq!(findings.codes(), ["D308", "D308"]);
    }
}
