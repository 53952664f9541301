//! The four lists: what stands in them on each revision, and their pages.

use std::collections::BTreeSet;

use mcp_tests::{Revision, Session, outside_of_strict_subset};
use serde_json::{Value, json};

use super::{on_every_revision, open_with};

const LISTS: [(&str, &str); 4] = [
    ("tools/list", "tools"),
    ("prompts/list", "prompts"),
    ("resources/list", "resources"),
    ("resources/templates/list", "resourceTemplates"),
];

fn listed(session: &mut Session, method: &str, member: &str, name: &str) -> Value {
    let list = session.ok(method, json!({}));
    let found = list[member].as_array().unwrap().iter().find(|entry| entry["name"] == name);
    found.unwrap_or_else(|| panic!("{name} in {list}")).clone()
}

#[test]
fn a_tool_stands_in_the_list_with_what_its_revision_has() {
    on_every_revision(|session| {
        let revision = session.revision;
        let mut expected = json!({
            "name": "all-keys",
            "description": "Version one.",
            "inputSchema": {"type": "object", "properties": {}, "additionalProperties": false},
        });
        if revision >= Revision::V2025_03_26 {
            expected["annotations"] =
                json!({"readOnlyHint": true, "destructiveHint": false, "idempotentHint": true, "openWorldHint": false});
        }
        if revision >= Revision::V2025_06_18 {
            expected["title"] = json!("All keys");
            expected["_meta"] = json!({"example.com/kind": "test"});
        }
        if revision >= Revision::V2025_11_25 {
            expected["icons"] = json!([{"src": "https://example.com/tool.png"}]);
        }
        assert_eq!(listed(session, "tools/list", "tools", "all-keys"), expected);
        // Hints that nobody wrote are not claimed.
        let plain = listed(session, "tools/list", "tools", "add");
        let keys: BTreeSet<&str> = plain.as_object().unwrap().keys().map(String::as_str).collect();
        assert_eq!(keys, BTreeSet::from(["description", "inputSchema", "name"]));
        let one_hint = listed(session, "tools/list", "tools", "documented");
        assert_eq!(
            one_hint.get("annotations"),
            (revision >= Revision::V2025_03_26).then_some(&json!({"destructiveHint": true}))
        );
    });
}

/// None is forgotten, however its attribute is written.
#[test]
fn every_tool_of_the_source_is_in_the_list() {
    let source = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("src/bin/fixture");
    let files = std::fs::read_dir(source).unwrap().map(|file| file.unwrap().path());
    let texts = files
        .filter(|file| file.extension().is_some_and(|extension| extension == "rs"))
        .map(|file| std::fs::read_to_string(file).unwrap());
    let is_attribute = |line: &&str| line.starts_with("#[tool") || line.starts_with("#[mcp_runtime::tool");
    let written: usize = texts.map(|text| text.lines().filter(is_attribute).count()).sum();
    let mut session = open_with(Revision::V2025_11_25, &[]);
    let listed = session.ok("tools/list", json!({}))["tools"].as_array().unwrap().len();
    // One is disabled until a test enables it.
    assert!(written > 80 && listed + 1 == written, "{listed} are listed, {written} are written");
}

#[test]
fn descriptions_come_from_docs_constants_and_files() {
    on_every_revision(|session| {
        let mut description =
            |name: &str| listed(session, "tools/list", "tools", name)["description"].as_str().unwrap().to_owned();
        assert_eq!(description("described"), "From a constant.");
        assert_eq!(description("documented"), "First line.\n\nSecond paragraph, `code`.");
        assert_eq!(description("included"), "Words from a file.\n\nWith a second paragraph.");
        assert_eq!(description("match"), "Words of a raw name.");
        assert_eq!(description("with.dot"), "A name with a dot.");
    });
}

#[test]
fn an_output_schema_is_there_where_it_is_defined_and_of_the_shape_that_is() {
    on_every_revision(|session| {
        let revision = session.revision;
        for name in ["point", "aliased", "numbers", "scalar", "perhaps", "either"] {
            let schema = listed(session, "tools/list", "tools", name).get("outputSchema").cloned();
            assert_eq!(schema.is_some(), revision >= Revision::V2025_06_18, "{name}");
            let Some(schema) = schema else { continue };
            if !revision.is_modern() {
                assert_eq!(schema["type"], "object", "{name}: {schema}");
            }
            if name == "numbers" {
                let own = json!({"type": "array", "items": {"type": "integer"}});
                let expected = if revision.is_modern() {
                    own
                } else {
                    json!({"type": "object", "properties": {"result": own}, "required": ["result"]})
                };
                assert_eq!(schema, expected);
            }
        }
        assert!(listed(session, "tools/list", "tools", "echo").get("outputSchema").is_none());
    });
}

#[test]
fn resources_and_prompts_stand_in_their_lists() {
    on_every_revision(|session| {
        let has_titles = session.revision >= Revision::V2025_06_18;
        let mut direct = json!({
            "uri": "text://direct", "name": "direct", "description": "A text.", "mimeType": "text/plain", "size": 6,
            "annotations": {"audience": ["user", "assistant"], "priority": 0.8},
        });
        let mut review = json!({
            "name": "review", "description": "Review some code.",
            "arguments": [
                {"name": "code", "description": "The code to review", "required": true},
                {"name": "language", "required": false},
                {"name": "depth", "required": false},
            ],
        });
        if has_titles {
            direct["title"] = json!("Direct");
            review["title"] = json!("Review");
            review["arguments"][0]["title"] = json!("Code");
        }
        assert_eq!(listed(session, "resources/list", "resources", "direct"), direct);
        assert_eq!(listed(session, "prompts/list", "prompts", "review"), review);
        assert_eq!(
            listed(session, "resources/templates/list", "resourceTemplates", "note"),
            json!({"uriTemplate": "note://{id}", "name": "note", "description": "A note.", "mimeType": "text/markdown"})
        );
        let notes = session.ok("resources/list", json!({}));
        let notes: Vec<&Value> = notes["resources"]
            .as_array()
            .unwrap()
            .iter()
            .filter(|entry| entry["uri"].as_str().unwrap().starts_with("note://"))
            .collect();
        assert_eq!(notes.len(), 3, "`list = …` enumerates");
        assert_eq!(
            *notes[1],
            json!({"uri": "note://1", "name": "1", "description": "A note.", "mimeType": "text/markdown"})
        );
    });
}

fn pages(session: &mut Session, method: &str, member: &str, size: usize) -> Vec<String> {
    let mut names = Vec::new();
    let mut cursor = Value::Null;
    loop {
        // `null` is the first page, as is none.
        let page = session.ok(method, json!({"cursor": cursor}));
        let entries = page[member].as_array().unwrap();
        assert!(entries.len() <= size && !entries.is_empty(), "{}", entries.len());
        names.extend(entries.iter().map(|entry| entry.get("uri").unwrap_or(&entry["name"]).to_string()));
        match page.get("nextCursor") {
            Some(next) => cursor = next.clone(),
            None => return names,
        }
    }
}

#[test]
fn pages_give_every_entry_once_and_in_order() {
    for revision in Revision::ALL {
        let mut whole = open_with(revision, &[]);
        let mut session = open_with(revision, &[("FIXTURE_PAGE", "3")]);
        for (method, member) in LISTS {
            let names = pages(&mut session, method, member, 3);
            assert_eq!(names.iter().collect::<BTreeSet<_>>().len(), names.len(), "{method}");
            assert_eq!(names, pages(&mut whole, method, member, 1000), "{method}");
        }
    }
}

#[test]
fn a_cursor_survives_a_restart_and_a_change_of_the_list() {
    let environment = [("FIXTURE_PAGE", "5")];
    let mut first = open_with(Revision::V2025_11_25, &environment);
    let page = first.ok("tools/list", json!({}));
    let cursor = page["nextCursor"].clone();
    let last = page["tools"][4]["name"].as_str().unwrap().to_owned();
    let mut second = open_with(Revision::V2026_07_28, &environment);
    let next = second.ok("tools/list", json!({"cursor": cursor}));
    assert!(next["tools"][0]["name"].as_str().unwrap() > last.as_str(), "{last} before {next}");
}

#[test]
fn a_bad_cursor_is_refused_on_every_list() {
    for revision in [Revision::V2024_11_05, Revision::V2025_11_25, Revision::V2026_07_28] {
        let mut session = open_with(revision, &[("FIXTURE_PAGE", "2")]);
        let cursors: Vec<String> = LISTS
            .iter()
            .map(|(method, _)| session.ok(method, json!({}))["nextCursor"].as_str().unwrap().to_owned())
            .collect();
        for (index, (method, _)) in LISTS.iter().enumerate() {
            let own = &cursors[index];
            let mut tampered = own.clone().into_bytes();
            let middle = tampered.len() / 2;
            tampered[middle] = if tampered[middle] == b'A' { b'B' } else { b'A' };
            let tampered = String::from_utf8(tampered).unwrap();
            let others = &cursors[(index + 1) % 4];
            for bad in [
                json!("zzz"),
                json!(""),
                json!(tampered),
                json!(&own[1..]),
                json!(format!("{own}A")),
                json!(others),
                json!(5),
                json!({}),
                json!(["a"]),
            ] {
                let error = session.err(method, json!({"cursor": bad}));
                assert_eq!(error["code"], -32602, "{method} {bad}: {error}");
            }
            assert_eq!(session.ok(method, json!({"cursor": own, "unknown": 1})).get("error"), None);
        }
    }
}

/// Nothing that a connection has said shows in its lists.
#[test]
fn a_list_is_the_same_whatever_was_said_before() {
    let mut session = open_with(Revision::V2025_11_25, &[]);
    let lists = |session: &mut Session, capabilities: Value| -> Vec<Value> {
        let meta = json!({"io.modelcontextprotocol/clientCapabilities": capabilities});
        [Revision::V2025_11_25, Revision::V2026_07_28]
            .into_iter()
            .flat_map(|revision| {
                session.revision = revision;
                let params = if revision.is_modern() { json!({"_meta": meta}) } else { json!({}) };
                LISTS.map(|(method, _)| session.ok(method, params.clone()))
            })
            .collect()
    };
    let before = lists(&mut session, json!({}));
    session.revision = Revision::V2025_11_25;
    session.ok("logging/setLevel", json!({"level": "emergency"}));
    session.ok("resources/subscribe", json!({"uri": "text://direct"}));
    session.text("add", json!({"a": 1, "b": 2}));
    session.ok("prompts/get", json!({"name": "plain"}));
    session.err("tools/call", json!({"name": "no_such_tool"}));
    assert_eq!(lists(&mut session, json!({"elicitation": {}, "sampling": {"tools": {}}, "roots": {}})), before);
    session.revision = Revision::V2025_11_25;
    session.initialize();
    assert_eq!(lists(&mut session, json!({})), before);
}

#[test]
fn two_processes_list_the_same_bytes() {
    for revision in Revision::ALL {
        let mut lines = Vec::new();
        for _ in 0..2 {
            let mut session = open_with(revision, &[]);
            let mut all = String::new();
            for (method, _) in LISTS {
                session.begin(method, json!({}));
                all.push_str(&session.process.next_line(std::time::Duration::from_secs(30)).unwrap());
            }
            lines.push(all);
        }
        assert_eq!(lines[0], lines[1]);
    }
}

#[test]
fn every_schema_is_within_the_subset_of_the_strictest_providers() {
    on_every_revision(|session| {
        let list = session.ok("tools/list", json!({}));
        for tool in list["tools"].as_array().unwrap() {
            let found = outside_of_strict_subset(&tool["inputSchema"]);
            // A schema that was written by hand is sent as it is.
            assert!(found.is_empty() || tool["name"] == "by_hand", "{}: {found:#?}", tool["name"]);
        }
    });
}
