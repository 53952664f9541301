//! Clients whose file is JSON, with comments perhaps: one entry is set, every other byte stays.

use serde_json::{Value, json};

use super::splice::{Member, Object, Scanner, object_at, plain};
use crate::handler::error::{Error, Result};

/// The file's text with nothing else in it.
pub(super) fn snippet(table: &str, name: &str, entry: &Value) -> String {
    let whole = json!({table: {name: entry}});
    format!("{}\n", pretty(&whole, "", "\n"))
}

/// The text with `entry` in its place.
pub(super) fn merge(before: &str, table: &str, name: &str, entry: &Value) -> Result<String> {
    if before.trim_matches(|c: char| c.is_whitespace() || c == '\u{feff}').is_empty() {
        return Ok(snippet(table, name, entry));
    }
    let mut expected: Value =
        serde_json::from_str(&plain(before)).map_err(|error| Error::msg(format!("it is broken JSON ({error})")))?;
    let root = Scanner::new(before).root().ok_or_else(|| Error::msg("it is JSON, but not an object"))?;
    let after = match find(&root, table) {
        None => insert(before, &root, 1, table, &json!({name: entry})),
        Some(member) => {
            let servers = object_at(before, member.value.start)
                .filter(|_| before.get(member.value.clone()).is_some_and(|value| value.starts_with('{')));
            let servers = servers.ok_or_else(|| Error::msg(format!("`{table}` in it is not an object")))?;
            match find(&servers, name) {
                None => insert(before, &servers, 2, name, entry),
                Some(member) => replace(before, member, entry),
            }
        }
    };
    // The entry is set in the parsed file as well: the two must agree, or something was not understood.
    if let Some(servers) = expected.as_object_mut().map(|root| root.entry(table).or_insert_with(|| json!({}))) {
        if let Some(servers) = servers.as_object_mut() {
            servers.insert(name.to_owned(), entry.clone());
        }
    }
    let read: Option<Value> = serde_json::from_str(&plain(&after)).ok();
    if read.as_ref() == Some(&expected) {
        return if parsed(before).as_ref() == Some(&expected) { Ok(before.to_owned()) } else { Ok(after) };
    }
    Err(Error::msg("it is written in a way that is not understood here"))
}

fn parsed(text: &str) -> Option<Value> {
    serde_json::from_str(&plain(text)).ok()
}

fn find<'a>(object: &'a Object, key: &str) -> Option<&'a Member> {
    object.members.iter().find(|member| member.key == key)
}

/// The line break of the file.
fn line_break(text: &str) -> &'static str {
    if text.contains("\r\n") { "\r\n" } else { "\n" }
}

/// The white space in front of a place, if nothing else is on its line.
fn indent(text: &str, at: usize) -> Option<&str> {
    let line = text.get(..at)?.rsplit('\n').next()?;
    line.chars().all(char::is_whitespace).then_some(line)
}

/// The indent of the members of an object at this depth.
fn member_indent(text: &str, object: &Object, depth: usize) -> String {
    let known = object.members.first().and_then(|member| indent(text, member.start));
    let from_brace = || {
        let unit = if text.contains("\n\t") { "\t" } else { "  " };
        indent(text, object.close).map_or_else(|| unit.repeat(depth), |outer| format!("{outer}{unit}"))
    };
    known.map_or_else(from_brace, str::to_owned)
}

/// JSON over several lines, the further ones indented, with the members in the order a person expects.
fn pretty(value: &Value, indent: &str, line_break: &str) -> String {
    let unit = if indent.starts_with('\t') { "\t" } else { "  " };
    let deeper = format!("{indent}{unit}");
    if let Some(items) = value.as_array() {
        let items: Vec<String> = items.iter().map(|item| pretty(item, &deeper, line_break)).collect();
        return format!("[{}]", items.join(", "));
    }
    let Some(members) = value.as_object().filter(|members| !members.is_empty()) else { return value.to_string() };
    let mut members: Vec<_> = members.iter().collect();
    members.sort_by_key(|(name, _)| ["type", "command", "args"].iter().position(|known| known == name));
    let lines = members.into_iter().map(|(name, value)| {
        format!("{line_break}{deeper}{}: {}", Value::from(name.as_str()), pretty(value, &deeper, line_break))
    });
    format!("{{{}{line_break}{indent}}}", lines.collect::<Vec<_>>().join(","))
}

fn insert(text: &str, object: &Object, depth: usize, key: &str, value: &Value) -> String {
    let line_break = line_break(text);
    let indent = member_indent(text, object, depth);
    let key = Value::from(key);
    let member = format!("{line_break}{indent}{key}: {}", pretty(value, &indent, line_break));
    let comma_at = object.members.last().filter(|_| !object.has_last_comma).map(|last| last.value.end);
    let mut after = String::with_capacity(text.len() + member.len() + 8);
    let (head, tail) = (text.get(..object.end).unwrap_or_default(), text.get(object.end..).unwrap_or_default());
    match comma_at.and_then(|at| Some((head.get(..at)?, head.get(at..)?))) {
        Some((values, comments)) => after.extend([values, ",", comments]),
        None => after.push_str(head),
    }
    after.push_str(&member);
    // A brace on the same line as the last member gets a line of its own.
    let gap = text.get(object.end..object.close).unwrap_or_default();
    if !gap.contains('\n') {
        let outer = indent.strip_suffix('\t').or_else(|| indent.strip_suffix("  ")).unwrap_or_default();
        after.push_str(line_break);
        after.push_str(outer);
        after.push_str(tail.get(gap.len()..).unwrap_or_default());
        return after;
    }
    after.push_str(tail);
    after
}

fn replace(text: &str, member: &Member, value: &Value) -> String {
    let indent = indent(text, member.start).unwrap_or_default();
    let value = pretty(value, indent, line_break(text));
    let (head, tail) =
        (text.get(..member.value.start).unwrap_or_default(), text.get(member.value.end..).unwrap_or_default());
    format!("{head}{value}{tail}")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry() -> Value {
        json!({"args": [], "command": "/bin/s"})
    }

    fn merged(before: &str) -> String {
        merge(before, "mcpServers", "s", &entry()).unwrap()
    }

    #[test]
    fn an_empty_file_becomes_the_snippet() {
        assert_eq!(merged(" \n"), snippet("mcpServers", "s", &entry()));
        assert_eq!(merged("\u{feff}"), snippet("mcpServers", "s", &entry()));
    }

    #[test]
    fn order_comments_and_commas_stay() {
        let before = "{\n  // mine\n  \"z\": 1,\n  \"mcpServers\": {\n    \"other\": {\"command\": \"x\"}, // keep\n  },\n  \"a\": 2\n}\n";
        let after = merged(before);
        let expected = "{\n  // mine\n  \"z\": 1,\n  \"mcpServers\": {\n    \"other\": {\"command\": \"x\"}, // keep\n    \"s\": {\n      \"command\": \"/bin/s\",\n      \"args\": []\n    }\n  },\n  \"a\": 2\n}\n";
        assert_eq!(after, expected);
    }

    #[test]
    fn an_entry_of_the_same_name_is_replaced_and_nothing_else() {
        let before = "{\"mcpServers\": {\"s\": {\"command\": \"/old\"}, \"t\": {}}}";
        let after = merged(before);
        assert!(after.starts_with("{\"mcpServers\": {\"s\": {") && after.ends_with("}, \"t\": {}}}"), "{after}");
        assert!(!after.contains("/old"));
    }

    #[test]
    fn what_is_there_already_changes_nothing() {
        let before = "{\"mcpServers\":{\"s\":{\"command\":\"/bin/s\",\"args\":[]}}}";
        assert_eq!(merged(before), before);
    }

    #[test]
    fn every_kind_of_file_keeps_its_values() {
        let kinds = [
            "{}",
            "{ }",
            "{\n}",
            "{\"a\":1}",
            "{\"a\":1,}",
            "{\n\t\"a\": 1\n}",
            "{\r\n  \"a\": 1\r\n}\r\n",
            "{/* c */}",
            "{\"a\": 1 // c\n}",
            "{\"mcpServers\": {}}",
            "{\"mcpServers\": {},}",
            "{\n  \"mcpServers\": {\n  }\n}",
            "\u{feff}{\"a\": \"//\"}",
        ];
        for before in kinds {
            let after = merged(before);
            let mut expected = parsed(before).unwrap();
            expected["mcpServers"]["s"] = entry();
            assert_eq!(parsed(&after), Some(expected), "{before} became {after}");
            assert_eq!(merged(&after), after, "a second time changes nothing");
        }
    }

    #[test]
    fn what_is_not_understood_is_refused() {
        for before in
            ["{\"a\": ", "[]", "null", "{\"mcpServers\": []}", "{\"mcpServers\": 1}", "{\"a\":1,\"a\":2} x", "not json"]
        {
            assert!(merge(before, "mcpServers", "s", &entry()).is_err(), "{before}");
        }
        let twice = "{\"mcpServers\": {\"a\": {}}, \"mcpServers\": {}}";
        assert!(merge(twice, "mcpServers", "s", &entry()).is_err());
    }
}
