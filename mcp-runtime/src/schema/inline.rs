//! Definitions put in place of the references to them, because several clients cannot follow a `$ref`: all that are
//! not recursive, as long as the schema stays small (inlining can double it with each level of nesting).

use std::{
    collections::BTreeSet,
    fmt::{self, Write as _},
};

use serde_json::{Map, Value};

use super::{
    MAX_DEPTH,
    keywords::{Keywords, each_child},
    union,
};
use crate::sorted::Sorted;

/// No inlining beyond this many bytes of schema.
const LARGEST: usize = 16 * 1024;

const PREFIX: &str = "#/$defs/";

/// A schema document in pieces: what is shown, and what it refers to.
#[derive(Debug, Default)]
pub(super) struct Document {
    /// The root, or the schema of each parameter.
    pub(super) roots: Vec<Value>,
    pub(super) definitions: Map<String, Value>,
}

impl Document {
    /// Calls `f` with every schema at the top: roots and definitions.
    pub(super) fn each(&mut self, mut f: impl FnMut(&mut Value)) {
        self.roots.iter_mut().for_each(&mut f);
        self.definitions.iter_mut().for_each(|(_, schema)| f(schema));
    }

    /// The definition that a schema is nothing but a reference to.
    pub(super) fn target(&self, schema: &Value) -> Option<(String, &Value)> {
        let name = name_of(schema.as_object()?)?;
        let target = self.definitions.get(&name)?;
        Some((name, target))
    }

    /// Inlines what should be and drops the definitions that nothing refers to any more. Returns whether a branch of a
    /// union was inlined, so that the union may have become simpler.
    pub(super) fn inline(&mut self) -> bool {
        if self.definitions.is_empty() {
            return false;
        }
        self.definitions_by_plain_names();
        let uses = Uses::of(self);
        let chosen = uses.choose();
        let mut inlined = Map::new();
        let mut unions = false;
        for name in uses.in_order(&chosen) {
            if let Some(mut schema) = self.definitions.remove(&name) {
                unions |= replace(&mut schema, &inlined, 0);
                inlined.insert(name, schema);
            }
        }
        self.each(|schema| unions |= replace(schema, &inlined, 0));
        self.drop_unused();
        unions
    }

    /// Replaces the reference that a schema is, whatever its size: where a plain type is asked for.
    pub(super) fn inline_root(&mut self, index: usize) {
        for _ in 0..8 {
            let Some(root) = self.roots.get(index) else {
                return;
            };
            let Some((name, _)) = self.target(root) else {
                return;
            };
            let Some(definition) = self.definitions.get(&name).cloned() else {
                return;
            };
            if let Some(Value::Object(root)) = self.roots.get_mut(index) {
                put_in_place(root, definition);
            }
        }
    }

    /// Drops the definitions that no schema at the top leads to.
    pub(super) fn drop_unused(&mut self) {
        if self.definitions.is_empty() {
            return;
        }
        let mut open = Vec::new();
        self.roots.iter_mut().for_each(|root| references(root, 0, &mut open));
        let mut used = BTreeSet::new();
        while let Some(name) = open.pop() {
            if used.contains(&name) {
                continue;
            }
            if let Some(schema) = self.definitions.get_mut(&name) {
                references(schema, 0, &mut open);
            }
            used.insert(name);
        }
        self.definitions.retain(|name, _| used.contains(name));
    }

    /// Names without characters that need escaping in a `$ref`: clients compare them as they are written.
    fn definitions_by_plain_names(&mut self) {
        let is_plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '.');
        let odd: Vec<String> = self.definitions.keys().filter(|name| !name.chars().all(is_plain)).cloned().collect();
        let mut renamed = Sorted::default();
        for name in odd {
            let plain: String = name.chars().map(|c| if is_plain(c) { c } else { '_' }).collect();
            let free = (1_usize..).map(|n| if n == 1 { plain.clone() } else { format!("{plain}_{n}") });
            let free = free.take(1000).find(|candidate| !self.definitions.contains_key(candidate));
            if let (Some(free), Some(schema)) = (free, self.definitions.remove(&name)) {
                self.definitions.insert(free.clone(), schema);
                renamed.insert(name, free);
            }
        }
        if !renamed.is_empty() {
            self.each(|schema| rename(schema, &renamed, 0));
        }
    }
}

fn rename(schema: &mut Value, renamed: &Sorted<String, String>, depth: usize) {
    let Value::Object(map) = schema else { return };
    if depth > MAX_DEPTH {
        return;
    }
    if let Some(plain) = name_of(map).and_then(|name| renamed.get(&name)) {
        map.set("$ref", format!("{PREFIX}{plain}").into());
    }
    each_child(map, &mut |child| rename(child, renamed, depth + 1));
}

/// The definition that `$ref` names, its escapes read.
fn name_of(map: &Map<String, Value>) -> Option<String> {
    let name = map.keyword("$ref")?.as_str()?.strip_prefix(PREFIX)?;
    let name = percent_encoding::percent_decode_str(name).decode_utf8().ok()?;
    Some(name.replace("~1", "/").replace("~0", "~"))
}

fn references(schema: &mut Value, depth: usize, found: &mut Vec<String>) {
    let Value::Object(map) = schema else { return };
    if depth > MAX_DEPTH {
        return;
    }
    found.extend(name_of(map));
    each_child(map, &mut |child| references(child, depth + 1, found));
}

/// Puts the definitions in the place of their references; whether one was a branch of a union.
fn replace(schema: &mut Value, inlined: &Map<String, Value>, depth: usize) -> bool {
    let Value::Object(map) = schema else {
        return false;
    };
    if depth > MAX_DEPTH {
        return false;
    }
    let branches = map.keyword("anyOf").and_then(Value::as_array).into_iter().flatten();
    let mut unions = branches.filter_map(Value::as_object).any(|branch| branch.has("$ref"));
    each_child(map, &mut |child| {
        unions |= replace(child, inlined, depth + 1);
    });
    if let Some(definition) = name_of(map).and_then(|name| inlined.get(&name)) {
        put_in_place(map, definition.clone());
    }
    unions
}

/// What stands beside the reference (a field's own description) wins over what the definition says.
fn put_in_place(map: &mut Map<String, Value>, definition: Value) {
    let Value::Object(definition) = definition else {
        return;
    };
    map.remove("$ref");
    if let Err(definition) = union::merge(map, definition) {
        let parts = map.entry("allOf").or_insert_with(|| Value::Array(Vec::new()));
        if let Value::Array(parts) = parts {
            parts.push(Value::Object(definition));
        }
    }
}

/// Counts what is written to it.
struct Length(usize);

impl fmt::Write for Length {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        self.0 += text.len();
        Ok(())
    }
}

fn length(schema: &Value) -> usize {
    let mut length = Length(0);
    // Neither a value nor this writer fails.
    _ = write!(length, "{schema}");
    length.0
}

/// Which definition is used where, and how large everything is.
struct Uses {
    roots: (usize, Vec<String>),
    definitions: Sorted<String, (usize, Vec<String>)>,
    recursive: BTreeSet<String>,
}

impl Uses {
    fn of(document: &mut Document) -> Self {
        let mut measure = |schema: &mut Value| {
            let mut found = Vec::new();
            references(schema, 0, &mut found);
            (length(schema), found)
        };
        let roots = document.roots.iter_mut().map(&mut measure).fold((0, Vec::new()), |mut sum, (size, found)| {
            sum.0 += size;
            sum.1.extend(found);
            sum
        });
        let mut definitions = Sorted::default();
        for (name, schema) in &mut document.definitions {
            definitions.insert(name.clone(), measure(schema));
        }
        let mut recursive = BTreeSet::new();
        for name in definitions.keys() {
            if reaches_itself(name, &definitions) {
                recursive.insert(name.clone());
            }
        }
        Self { roots, definitions, recursive }
    }

    /// All that are not recursive, if the whole stays small; otherwise the smallest, as many as there is room for.
    fn choose(&self) -> BTreeSet<String> {
        let mut plain = BTreeSet::new();
        for name in self.definitions.keys() {
            if !self.recursive.contains(name) {
                plain.insert(name.clone());
            }
        }
        if self.total(&plain) <= LARGEST {
            return plain;
        }
        let sizes = self.sizes(&plain);
        let size = |name: &String| sizes.get(name).copied().unwrap_or(usize::MAX);
        let mut chosen = BTreeSet::new();
        while let Some(name) =
            plain.iter().filter(|name| !chosen.contains(*name)).min_by_key(|name| (size(name), *name))
        {
            chosen.insert(name.clone());
            if self.total(&chosen) > LARGEST {
                chosen.remove(name);
                break;
            }
        }
        chosen
    }

    /// The size of the document when `chosen` are inlined.
    fn total(&self, chosen: &BTreeSet<String>) -> usize {
        let sizes = self.sizes(chosen);
        let size = |name: &String| sizes.get(name).copied().unwrap_or(0);
        let inlined = |found: &[String]| {
            found
                .iter()
                .filter(|name| chosen.contains(*name))
                .fold(0, |sum: usize, name| sum.saturating_add(size(name)))
        };
        let kept = self.definitions.keys().filter(|name| !chosen.contains(*name));
        let roots = self.roots.0.saturating_add(inlined(&self.roots.1));
        kept.fold(roots, |sum, name| sum.saturating_add(size(name)))
    }

    /// The size of each definition when `chosen` are inlined into it.
    fn sizes(&self, chosen: &BTreeSet<String>) -> Sorted<String, usize> {
        let mut sizes: Sorted<String, usize> = Sorted::default();
        let kept = self.definitions.keys().filter(|name| !chosen.contains(*name)).cloned();
        for name in self.in_order(chosen).into_iter().chain(kept) {
            let Some((own, found)) = self.definitions.get(&name) else {
                continue;
            };
            let inner = found.iter().filter(|inner| chosen.contains(*inner));
            let size = inner.fold(*own, |sum, inner| sum.saturating_add(sizes.get(inner).copied().unwrap_or(0)));
            sizes.insert(name, size);
        }
        sizes
    }

    /// The chosen definitions, each after those it uses. None of them is recursive, so there is such an order.
    fn in_order(&self, chosen: &BTreeSet<String>) -> Vec<String> {
        let mut order = Vec::new();
        let mut done: Sorted<&str, ()> = Sorted::default();
        let mut open: Vec<(&str, bool)> = chosen.iter().map(|name| (name.as_str(), false)).collect();
        while let Some((name, ready)) = open.pop() {
            if done.get(name).is_some() {
                continue;
            }
            if ready {
                done.insert(name, ());
                order.push(name.to_owned());
                continue;
            }
            open.push((name, true));
            let inner = self.definitions.get(name).into_iter().flat_map(|(_, found)| found);
            open.extend(inner.filter(|inner| chosen.contains(*inner)).map(|inner| (inner.as_str(), false)));
        }
        order
    }
}

fn reaches_itself(name: &str, definitions: &Sorted<String, (usize, Vec<String>)>) -> bool {
    let uses = |name: &str| definitions.get(name).into_iter().flat_map(|(_, found)| found.iter().map(String::as_str));
    let mut seen: Sorted<&str, ()> = Sorted::default();
    let mut open: Vec<&str> = uses(name).collect();
    while let Some(next) = open.pop() {
        if next == name {
            return true;
        }
        if seen.get(next).is_none() {
            seen.insert(next, ());
            open.extend(uses(next));
        }
    }
    false
}
