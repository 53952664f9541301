//! `manifest`: all definitions in one canonical form with a hash, so that a change of what clients approved is seen.

use std::fmt::Write as _;
use std::path::Path;

use serde_json::{Map, Value, json};
use sha2::{Digest as _, Sha256};

use super::definitions::{Definitions, text};
use super::output::Output;
use crate::handler::error::{Error, Result};
use crate::protocol::Revision;
use crate::protocol::features::Features;
use crate::server::BuiltServer;
use crate::server::core::Core;

/// The form of the manifest.
const FORM: u32 = 1;

/// The lists, each with the member that names an item.
const LISTS: [(&str, &str); 4] =
    [("tools", "name"), ("resources", "uri"), ("resourceTemplates", "uriTemplate"), ("prompts", "name")];

/// `manifest`
pub(super) fn run(built: &BuiltServer, check: Option<&Path>) -> Result<()> {
    let now = of(&built.core);
    let mut out = Output::plain();
    match check {
        None => out.line(serde_json::to_string_pretty(&now)?),
        Some(path) => {
            let text = std::fs::read_to_string(path)
                .map_err(|error| Error::msg(format!("{} cannot be read: {error}", path.display())))?;
            let pinned = serde_json::from_str(&text)
                .map_err(|error| Error::msg(format!("{} is not JSON: {error}", path.display())))?;
            out.line(verdict(&pinned, &now, path)?);
        }
    }
    out.finish()
}

/// The manifest of a server. Its version is not in it: a release that defines the same has the same hash.
fn of(core: &Core) -> Value {
    let definitions = Definitions::of(core, Features::of(Revision::LATEST));
    let mut body = Map::new();
    body.insert("server".to_owned(), core.identity.name.as_str().into());
    if let Some(instructions) = &core.instructions {
        body.insert("instructions".to_owned(), instructions.as_str().into());
    }
    for (name, list) in definitions.lists() {
        body.insert(name.to_owned(), list.iter().map(|definition| definition.json.clone()).collect());
    }
    let body = sorted(&Value::Object(body));
    let mut manifest = Map::new();
    manifest.insert("manifest".to_owned(), FORM.into());
    manifest.insert("hash".to_owned(), hash(&body).into());
    if let Value::Object(body) = body {
        manifest.extend(body);
    }
    Value::Object(manifest)
}

/// The same with the members of every object in the order of their names, whatever order the map type keeps.
fn sorted(value: &Value) -> Value {
    match value {
        Value::Object(members) => {
            let mut names: Vec<&String> = members.keys().collect();
            names.sort_unstable();
            names.into_iter().filter_map(|name| Some((name.clone(), sorted(members.get(name)?)))).collect()
        }
        Value::Array(items) => items.iter().map(sorted).collect(),
        other => other.clone(),
    }
}

/// Of the sorted body, written without spaces.
fn hash(body: &Value) -> String {
    let mut text = "sha256:".to_owned();
    for byte in Sha256::digest(body.to_string().as_bytes()) {
        // Writing to a string cannot fail.
        _ = write!(text, "{byte:02x}");
    }
    text
}

/// The manifest without what is not hashed.
fn body(manifest: &Value) -> Value {
    let mut body = manifest.as_object().cloned().unwrap_or_default();
    body.remove("manifest");
    body.remove("hash");
    sorted(&Value::Object(body))
}

fn verdict(pinned: &Value, now: &Value, path: &Path) -> Result<String> {
    let path = path.display();
    if pinned.get("manifest") != Some(&json!(FORM)) {
        return Err(Error::msg(format!("{path} is not a manifest of form {FORM}: make one with `manifest > {path}`")));
    }
    if hash(&body(pinned)) != text(pinned, "hash") {
        return Err(Error::msg(format!("{path} was edited: its hash is not that of its definitions")));
    }
    let changes = changes(&body(pinned), &body(now));
    if changes.is_empty() {
        return Ok(format!("unchanged: {}", text(now, "hash")));
    }
    let list = changes.join("\n  ");
    Err(Error::msg(format!(
        "the definitions differ from {path}:\n  {list}\nif that is meant, write it again: `manifest > {path}`"
    )))
}

/// What differs, one line each.
fn changes(before: &Value, after: &Value) -> Vec<String> {
    let mut changes = Vec::new();
    for member in ["server", "instructions"] {
        if before.get(member) != after.get(member) {
            changes.push(format!("changed: {member}"));
        }
    }
    for (list, key) in LISTS {
        let items = |of: &Value| -> Vec<Value> { of.get(list).and_then(Value::as_array).cloned().unwrap_or_default() };
        let (before, after) = (items(before), items(after));
        let same = |a: &Value, b: &Value| text(a, key) == text(b, key);
        for old in &before {
            match after.iter().find(|new| same(old, new)) {
                None => changes.push(format!("removed: {list} {}", text(old, key))),
                Some(new) if new != old => {
                    changes.push(format!("changed: {list} {} ({})", text(old, key), members(old, new)));
                }
                Some(_) => {}
            }
        }
        let added = after.iter().filter(|new| !before.iter().any(|old| same(old, new)));
        changes.extend(added.map(|new| format!("added: {list} {}", text(new, key))));
    }
    changes
}

/// The members that differ.
fn members(old: &Value, new: &Value) -> String {
    let names =
        |of: &Value| of.as_object().map(|members| members.keys().cloned().collect::<Vec<_>>()).unwrap_or_default();
    let mut all = names(old);
    all.extend(names(new));
    all.sort_unstable();
    all.dedup();
    all.retain(|name| old.get(name) != new.get(name));
    all.join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn manifest(tools: &Value) -> Value {
        let body = json!({"server": "s", "tools": tools});
        let mut manifest = json!({"manifest": 1, "hash": hash(&sorted(&body))});
        manifest.as_object_mut().unwrap().extend(body.as_object().unwrap().clone());
        manifest
    }

    #[test]
    fn the_hash_is_of_the_definitions_and_known() {
        assert_eq!(hash(&json!({})), "sha256:44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a");
    }

    #[test]
    fn a_change_is_named() {
        let before = manifest(&json!([{"name": "a", "description": "x"}, {"name": "b"}]));
        let after = manifest(&json!([{"name": "a", "description": "y"}, {"name": "c"}]));
        let error = verdict(&before, &after, Path::new("f")).unwrap_err().to_string();
        for line in ["changed: tools a (description)", "removed: tools b", "added: tools c"] {
            assert!(error.contains(line), "{error}");
        }
        assert!(verdict(&before, &before, Path::new("f")).is_ok());
    }

    #[test]
    fn an_edited_manifest_is_no_proof() {
        let mut edited = manifest(&json!([{"name": "a"}]));
        edited["tools"][0]["description"] = "harmless".into();
        assert!(verdict(&edited, &edited, Path::new("f")).unwrap_err().to_string().contains("edited"));
    }
}
