//! D2: names. One that a client or provider refuses can cost all tools of the server.

use serde_json::Value;

use super::finding::{Findings, Level, Rule};
use crate::cli::definitions::{Definition, Definitions, text};
use crate::cli::types::Schema;

pub(super) const NOT_PORTABLE: Rule = Rule::new(
    "D201",
    Level::Error,
    "a tool's name beyond a-z A-Z 0-9 _ - or 64 characters: Claude Desktop hides all tools",
);
pub(super) const TOO_LONG: Rule = Rule::new(
    "D202",
    Level::Warning,
    "a tool's and the server's name together too long: Cursor drops the tool from 60 characters on",
);
pub(super) const NOT_FOR_CURSOR: Rule =
    Rule::new("D203", Level::Warning, "a tool's name with a hyphen: some versions of Cursor disable it");
pub(super) const ARGUMENT: Rule = Rule::new(
    "D204",
    Level::Error,
    "an argument's name beyond a-z A-Z 0-9 _ . - or 64 characters: Anthropic's API refuses every request",
);

pub(super) const META: Rule = Rule::new(
    "D205",
    Level::Note,
    "a `_meta` key that is not `name` or `prefix/name`, or whose prefix the protocol keeps for itself",
);

const LONGEST: usize = 64;
/// Claude Code names the tool `mcp__server__tool`, which must keep to 64; Cursor counts both names and drops 60.
const LONGEST_TOGETHER: usize = 57;

pub(super) fn check(definitions: &Definitions, server: &str, findings: &mut Findings) {
    for tool in &definitions.tools {
        let name = text(&tool.json, "name");
        if !is_within(name, "_-") {
            let advice = "rename it, or leave `name_policy = \"spec\"` out, which lets such names pass";
            findings.add(
                &NOT_PORTABLE,
                Some(tool),
                format!("the name of tool `{name}` is refused by Claude Desktop and OpenAI"),
                advice,
            );
        } else if name.contains('-') {
            findings.add(
                &NOT_FOR_CURSOR,
                Some(tool),
                format!("the name of tool `{name}` has a hyphen"),
                "write `_` instead",
            );
        }
        let together = name.chars().count() + server.chars().count();
        if together > LONGEST_TOGETHER {
            let text = format!(
                "the names of tool `{name}` and server `{server}` have {together} characters together, more than {LONGEST_TOGETHER}"
            );
            findings.add(
                &TOO_LONG,
                Some(tool),
                text,
                "shorten one of them, or give clients a short name: `config CLIENT --name NAME`",
            );
        }
        arguments(tool, name, findings);
    }
    for definition in definitions.lists().into_iter().flat_map(|(_, list)| list) {
        let keys = definition.json.get("_meta").and_then(Value::as_object).into_iter().flat_map(serde_json::Map::keys);
        for key in keys.filter(|key| !is_own_key(key)) {
            let text =
                format!("the key `{key}` in the `_meta` of `{}` is none of yours", text(&definition.json, "name"));
            findings.add(&META, Some(definition), text, "write `example.com/name`, with a domain of your own");
        }
    }
}

/// Whether an author may give a member of `_meta` this name: `name` or `prefix/name`, where the prefix is labels with dots
/// between them, the second of which is not the protocol's.
fn is_own_key(key: &str) -> bool {
    let (prefix, name) = key.split_once('/').map_or((None, key), |(prefix, name)| (Some(prefix), name));
    let is_end = |c: char| c.is_ascii_alphanumeric();
    let is_name = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.');
    let is_label = |label: &str| {
        label.starts_with(|c: char| c.is_ascii_alphabetic())
            && label.ends_with(is_end)
            && label.chars().all(|c| c.is_ascii_alphanumeric() || c == '-')
    };
    let has_own_prefix = prefix.is_none_or(|prefix| {
        prefix.split('.').all(is_label) && !matches!(prefix.split('.').nth(1), Some("modelcontextprotocol" | "mcp"))
    });
    has_own_prefix
        && (name.is_empty() || (name.starts_with(is_end) && name.ends_with(is_end) && name.chars().all(is_name)))
}

fn arguments(tool: &Definition, name: &str, findings: &mut Findings) {
    let schema = tool.json.get("inputSchema").unwrap_or(&Value::Null);
    for (argument, _) in Schema::new(schema).properties().filter(|(argument, _)| !is_within(argument, "_.-")) {
        let text = format!("the name of argument `{argument}` of tool `{name}` is refused by Anthropic's API");
        findings.add(&ARGUMENT, Some(tool), text, "rename it");
    }
}

fn is_within(name: &str, others: &str) -> bool {
    !name.is_empty() && name.len() <= LONGEST && name.chars().all(|c| c.is_ascii_alphanumeric() || others.contains(c))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn codes(server: &str, tool: &str, argument: &str) -> Vec<&'static str> {
        let json = json!({"name": tool, "inputSchema": {"properties": {argument: {}}}});
        let definitions = Definitions { tools: vec![Definition { json, at: None }], ..Definitions::default() };
        let mut findings = Findings::default();
        check(&definitions, server, &mut findings);
        findings.codes()
    }

    #[test]
    fn names_are_held_against_what_clients_take() {
        assert_eq!(codes("s", "add_numbers", "a.b-c"), [""; 0]);
        assert_eq!(codes("s", "files.read", "a"), ["D201"]);
        assert_eq!(codes("s", "read file", "a"), ["D201"]);
        assert_eq!(codes("s", "read-file", "a"), ["D203"]);
        assert_eq!(codes("s", &"x".repeat(57), "a"), ["D202"]);
        assert_eq!(codes("s", "t", "a[0]"), ["D204"]);
    }

    #[test]
    fn a_key_of_meta_is_ones_own() {
        for good in ["a", "ui", "example.com/a", "com.example.mcp/a_b-c.d", "openai/output", "x-y.z/1"] {
            assert!(is_own_key(good), "{good}");
        }
        for bad in [
            "a b",
            "-a",
            "a-",
            "a/b/c",
            "1a.com/a",
            "a-.com/a",
            "a..b/c",
            "/a",
            "io.modelcontextprotocol/a",
            "com.mcp.x/a",
        ] {
            assert!(!is_own_key(bad), "{bad}");
        }
        let json = json!({"name": "r", "_meta": {"io.modelcontextprotocol/a": 1, "example.com/b": 2}});
        let definitions = Definitions { resources: vec![Definition { json, at: None }], ..Definitions::default() };
        let mut findings = Findings::default();
        check(&definitions, "s", &mut findings);
        assert_eq!(findings.codes(), ["D205"]);
    }
}
