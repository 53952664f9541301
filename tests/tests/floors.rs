//! A module imports only from floors below its own: who reads one file need not know what stands above it.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

/// The floors, lowest first. Modules of one floor may know each other.
const FLOORS: &[&[&str]] = &[
    &["diagnostics", "hash", "sorted", "spawn"],
    &["protocol", "schema", "uri_template"],
    &["handler"],
    &["registry"],
    &["server"],
    &["transport"],
    &["lifetime"],
    &["serve", "serve_http"],
    &["cli", "testing"],
];

/// The crate's faces: they show what is inside, so they may know everything, and nothing inside may know them.
const FACES: &[&str] = &["lib", "private", "bounds", "guide"];

/// Found by the feature that brings it: `tracing_layer` looks at the current request.
const ABOVE_HANDLER: &[&str] = &["tracing_layer"];

fn floor(module: &str) -> Option<usize> {
    if ABOVE_HANDLER.contains(&module) {
        return floor("registry");
    }
    FLOORS.iter().position(|modules| modules.contains(&module))
}

fn sources(directory: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    for entry in fs::read_dir(directory).unwrap() {
        let path = entry.unwrap().path();
        if path.file_stem().is_some_and(|stem| stem == "tests") {
            // Tests may look wherever they like.
        } else if path.is_dir() {
            files.extend(sources(&path));
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            files.push(path);
        }
    }
    files.sort();
    files
}

/// The code of a file: without comments, and without the tests at its end, which may look down from anywhere.
fn code(file: &Path) -> String {
    let text = fs::read_to_string(file).unwrap();
    let code = text.split("\nmod tests {").next().unwrap_or_default();
    code.lines().filter(|line| !line.trim_start().starts_with("//")).collect::<Vec<_>>().join("\n")
}

/// Every `crate::module` in the code, in `use` lines and in paths; braces directly after `crate::` are opened.
fn mentioned(code: &str) -> Vec<String> {
    let mut modules = Vec::new();
    for (at, _) in code.match_indices("crate::") {
        if code[..at].ends_with(|before: char| before == '$' || before == '_' || before.is_alphanumeric()) {
            continue;
        }
        let rest = &code[at + "crate::".len()..];
        if let Some(list) = rest.strip_prefix('{') {
            let list = list.split('}').next().unwrap_or_default();
            modules.extend(list.split(',').map(|item| first_word(item.trim())));
        } else {
            modules.push(first_word(rest));
        }
    }
    modules
}

fn first_word(text: &str) -> String {
    text.chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect()
}

#[test]
fn every_module_looks_down() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../mcp-runtime/src");
    let mut wrong = BTreeMap::new();
    let mut checked = 0;
    for file in sources(&root) {
        let inside = file.strip_prefix(&root).unwrap();
        let own = inside.components().next().unwrap().as_os_str().to_string_lossy();
        let own = own.strip_suffix(".rs").unwrap_or(&own).to_owned();
        if FACES.contains(&own.as_str()) {
            continue;
        }
        let Some(own_floor) = floor(&own) else {
            wrong.insert(inside.display().to_string(), format!("`{own}` has no floor in this test's table"));
            continue;
        };
        for module in mentioned(&code(&file)) {
            // What is no module is an item that the crate's page shows, or a macro: those stand on every floor.
            if FACES.contains(&module.as_str()) {
                wrong.insert(inside.display().to_string(), format!("looks at the crate's face `{module}`"));
            } else if let Some(floor) = floor(&module) {
                checked += 1;
                if floor > own_floor {
                    wrong.insert(inside.display().to_string(), format!("looks up to `{module}`"));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
    assert!(checked > 100, "only {checked} imports were found: the test itself is broken");
}

#[test]
fn protocol_and_transport_keep_to_their_words() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../mcp-runtime/src");
    for file in sources(&root.join("protocol"))
        .into_iter()
        .chain(sources(&root.join("schema")))
        .chain(sources(&root.join("uri_template")))
    {
        let code = code(&file);
        for word in ["tokio::", "std::fs", "std::net", "std::io::stdin"] {
            assert!(!code.contains(word), "no I/O on the lowest floor: {word} in {}", file.display());
        }
    }
    for file in sources(&root.join("transport/stdio")) {
        let code = code(&file);
        for word in ["\"tools/", "\"resources/", "\"prompts/", "\"notifications/", "\"initialize", "\"ping\""] {
            assert!(
                !code.contains(word),
                "no method of the protocol in a stream of lines: {word} in {}",
                file.display()
            );
        }
    }
}
