//! D1: descriptions. Models choose tools and fill in arguments by them alone.

use serde_json::Value;

use super::finding::{Findings, Level, Rule};
use crate::cli::definitions::{Definition, Definitions, text};
use crate::cli::types::{Schema, prompt_arguments};

pub(super) const TOOL_WITHOUT: Rule = Rule::new("D101", Level::Warning, "a tool without a description");
pub(super) const PROMPT_WITHOUT: Rule = Rule::new("D102", Level::Warning, "a prompt without a description");
pub(super) const RESOURCE_WITHOUT: Rule = Rule::new("D103", Level::Warning, "a resource without a description");
pub(super) const ARGUMENT_WITHOUT: Rule = Rule::new("D104", Level::Warning, "an argument without a description");
pub(super) const TOO_LONG: Rule =
    Rule::new("D105", Level::Warning, "a tool's description over 1024 characters, the most OpenAI takes");
pub(super) const CUT: Rule =
    Rule::new("D106", Level::Warning, "instructions over 2048 characters, where Claude Code cuts them");

/// A function whose description is longer is refused by the models of `OpenAI`.
const MOST_OF_A_TOOL: usize = 1024;
/// Claude Code 2.1.84 and later cut here.
const MOST_OF_INSTRUCTIONS: usize = 2048;

pub(super) fn check(definitions: &Definitions, instructions: Option<&str>, findings: &mut Findings) {
    for tool in &definitions.tools {
        described(&TOOL_WITHOUT, "tool", tool, "name", findings);
        tool_arguments(tool, findings);
        let length = text(&tool.json, "description").chars().count();
        if length > MOST_OF_A_TOOL {
            let advice =
                "say the essential first; what an argument means belongs to the argument, the rest into instructions";
            findings.add(
                &TOO_LONG,
                Some(tool),
                format!("the description of tool `{}` has {length} characters", text(&tool.json, "name")),
                advice,
            );
        }
    }
    for prompt in &definitions.prompts {
        described(&PROMPT_WITHOUT, "prompt", prompt, "name", findings);
        let owner = format!("prompt `{}`", text(&prompt.json, "name"));
        let arguments = prompt.json.as_object().into_iter().flat_map(prompt_arguments);
        for (name, ..) in arguments.filter(|(_, description, _)| description.trim().is_empty()) {
            argument(&owner, name, prompt, findings);
        }
    }
    for resource in &definitions.resources {
        described(&RESOURCE_WITHOUT, "resource", resource, "uri", findings);
    }
    for template in &definitions.templates {
        described(&RESOURCE_WITHOUT, "resource", template, "uriTemplate", findings);
    }
    let length = instructions.map_or(0, |instructions| instructions.chars().count());
    if length > MOST_OF_INSTRUCTIONS {
        findings.add(
            &CUT,
            None,
            format!("the instructions have {length} characters"),
            "put what matters most first, and shorten the rest",
        );
    }
}

fn described(rule: &'static Rule, kind: &str, definition: &Definition, key: &str, findings: &mut Findings) {
    if text(&definition.json, "description").trim().is_empty() {
        let text = format!("{kind} `{}` has no description", text(&definition.json, key));
        findings.add(rule, Some(definition), text, "write a doc comment above the function");
    }
}

fn tool_arguments(tool: &Definition, findings: &mut Findings) {
    let owner = format!("tool `{}`", text(&tool.json, "name"));
    let schema = tool.json.get("inputSchema").unwrap_or(&Value::Null);
    for (name, _) in Schema::new(schema).properties().filter(|(_, property)| property.description().trim().is_empty()) {
        argument(&owner, name, tool, findings);
    }
}

fn argument(owner: &str, name: &str, definition: &Definition, findings: &mut Findings) {
    let text = format!("argument `{name}` of {owner} has no description");
    findings.add(&ARGUMENT_WITHOUT, Some(definition), text, "write a doc comment above the parameter");
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn one(json: Value) -> Vec<Definition> {
        vec![Definition { json, at: None }]
    }

    #[test]
    fn what_is_described_is_fine() {
        let definitions = Definitions {
            tools: one(
                json!({"name": "t", "description": "x", "inputSchema": {"properties": {"a": {"description": "y"}}}}),
            ),
            ..Definitions::default()
        };
        let mut findings = Findings::default();
        check(&definitions, Some("short"), &mut findings);
        assert!(findings.codes().is_empty());
    }

    #[test]
    fn every_missing_description_is_found() {
        let definitions = Definitions {
            tools: one(json!({"name": "t", "inputSchema": {"properties": {"a": {"type": "string"}}}})),
            prompts: one(json!({"name": "p", "arguments": [{"name": "b"}]})),
            resources: one(json!({"uri": "a://b", "description": " "})),
            templates: one(json!({"uriTemplate": "a://{b}"})),
        };
        let mut findings = Findings::default();
        check(&definitions, Some(&"x".repeat(3000)), &mut findings);
        assert_eq!(findings.codes(), ["D101", "D104", "D102", "D104", "D103", "D103", "D106"]);
    }
}
