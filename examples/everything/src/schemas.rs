//! A tool that is described at run time, by a schema that somebody else wrote.

use mcp_runtime::{Tool, ToolDefinition};
use serde_json::json;

/// Uses the words of JSON Schema 2020-12 that no Rust type can say; they reach the client as they are.
pub(crate) fn json_schema_2020_12() -> ToolDefinition {
    let schema = json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "type": "object",
        "$defs": {
            "address": {
                "$anchor": "addressDef",
                "type": "object",
                "properties": {"street": {"type": "string"}, "city": {"type": "string"}}
            }
        },
        "properties": {
            "name": {"type": "string"},
            "address": {"$ref": "#/$defs/address"},
            "contactMethod": {"type": "string", "enum": ["phone", "email"]},
            "phone": {"type": "string"},
            "email": {"type": "string"}
        },
        "allOf": [{"anyOf": [{"required": ["phone"]}, {"required": ["email"]}]}],
        "if": {"properties": {"contactMethod": {"const": "phone"}}, "required": ["contactMethod"]},
        "then": {"required": ["phone"]},
        "else": {"required": ["email"]},
        "additionalProperties": false
    });
    Tool::new("json_schema_2020_12_tool")
        .description("Register a contact, by phone or by email.")
        .input_schema(schema)
        .call(|_ctx, args| async move {
            let name = args.get("name").and_then(|name| name.as_str()).unwrap_or("somebody");
            format!("Registered {name}")
        })
}
