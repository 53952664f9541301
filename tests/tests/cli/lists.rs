//! `list` and `manifest`.

use std::fs;

use serde_json::Value;

use super::program::{Folder, run, run_as, run_in};

#[test]
fn the_table_has_everything_with_types() {
    let out = run(&["list"]).ok();
    assert!(out.starts_with("cli-server 1.2.3\n\nTools\n"), "{out}");
    let line =
        |start: &str| out.lines().find(|line| line.trim_start().starts_with(start)).unwrap_or_default().to_owned();
    assert!(line("order").ends_with("Give back what came, each value as its type."));
    assert!(line("tags").contains("list of string (default [])"), "{out}");
    assert!(line("size").contains("\"Small\" | \"Large\" (optional)"), "{out}");
    assert!(line("text").contains("string") && !line("text").contains("optional"));
    assert!(line("note://1").starts_with("  note://1"));
    let places = ["      text ", "      count ", "      flag ", "      tags ", "      size ", "      anything "];
    let places = places.map(|start| out.find(start).unwrap_or_else(|| panic!("{start} is not in {out}")));
    assert!(places.is_sorted(), "in the order of the parameters: {out}");
    assert!(line("note://{id}").ends_with("One note."));
    assert!(line("language").contains("text (optional)"));
}

#[test]
fn limits_defaults_and_fields_are_told() {
    let out = run(&["list"]).ok();
    let lines: Vec<String> = out.lines().map(|line| line.split_whitespace().collect::<Vec<_>>().join(" ")).collect();
    for line in [
        "to object {latitude, longitude, name?} Where to",
        "pace string of 1 to 80 characters matching ^[a-z| ]+$ (default \"at once\") How fast, in words",
        "times integer from 1 to 9 How often",
        "weight number up to 2.5 (optional) How heavy",
        "stops list of string, at most 3 of them (default []) On the way",
        "count integer (default 1) How many",
    ] {
        assert!(lines.iter().any(|shown| shown == line), "{line} is not in {out}");
    }
    let markdown = run(&["list", "--markdown"]).ok();
    assert!(
        markdown.contains("string of 1 to 80 characters matching ^\\[a-z\\| \\]+$ (default \"at once\") |"),
        "{markdown}"
    );
}

#[test]
fn json_has_the_schemas() {
    let list: Value = serde_json::from_str(&run(&["list", "--json"]).ok()).unwrap();
    assert_eq!(list["server"]["name"], "cli-server");
    assert_eq!(list["tools"][0]["name"], "add");
    assert_eq!(list["tools"][0]["inputSchema"]["properties"]["a"]["type"], "integer");
    assert_eq!(list["resources"][0]["uri"], "note://1");
    assert_eq!(list["resourceTemplates"][0]["uriTemplate"], "note://{id}");
    assert_eq!(list["prompts"][1]["arguments"][0]["name"], "code");
}

#[test]
fn markdown_is_a_catalogue() {
    let out = run(&["list", "--markdown"]).ok();
    assert!(
        out.starts_with("## Tools\n\n### `add` (read-only)\n\nAdd two numbers.\n\n| Argument | Type | Description |\n"),
        "{out}"
    );
    assert!(out.contains("| `size` | \"Small\" \\| \"Large\" (optional) | How large |"), "{out}");
    assert!(out.contains("\n## Resources\n\n| URI | Type | Description |\n|---|---|---|\n| `note://1` |"), "{out}");
    assert!(out.contains("### `review`"));
}

#[test]
fn a_list_starts_and_ends_the_server() {
    let run = run(&["list"]);
    assert!(run.err.contains("started\n") && run.err.contains("shut down\n"), "{run:?}");
}

#[test]
fn the_manifest_is_the_same_from_run_to_run_and_starts_nothing() {
    let run_once = || run(&["manifest"]);
    let (first, second) = (run_once(), run_once());
    assert_eq!(first.out, second.out);
    assert_eq!(first.err, "");
    let manifest: Value = serde_json::from_str(&first.out).unwrap();
    assert_eq!(manifest["hash"].as_str().unwrap().len(), "sha256:".len() + 64);
    assert!(manifest.get("version").is_none());
    assert!(!first.out.contains("\"note://1\""), "what a function enumerates is data");
}

#[test]
fn a_manifest_is_checked() {
    let home = Folder::new();
    fs::write(home.path("m.json"), run(&["manifest"]).ok()).unwrap();
    let check = |variant: &str| run_in(&home, variant, &["manifest", "--check", "m.json"], "");
    assert!(check("").ok().starts_with("unchanged: sha256:"));
    let error = check("unhealthy").fails(1);
    assert!(error.contains("added: tools read-all"), "{error}");

    let edited = fs::read_to_string(home.path("m.json")).unwrap().replace("Add two numbers.", "Add three numbers.");
    fs::write(home.path("m.json"), edited).unwrap();
    assert!(check("").fails(1).contains("was edited"));
    fs::write(home.path("m.json"), "{").unwrap();
    assert!(check("").fails(1).contains("not JSON"));
    fs::remove_file(home.path("m.json")).unwrap();
    assert!(check("").fails(1).contains("cannot be read"));
}

#[test]
fn an_older_revision_lists_as_well() {
    assert!(run_as("legacy", &["list"]).ok().contains("note://2"));
}
