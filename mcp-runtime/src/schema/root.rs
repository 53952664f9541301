//! The root of an input: one plain object. Model providers refuse a tool, and with it the whole request, whose input
//! schema has `anyOf`, `oneOf` or `allOf` at the top. So alternatives at the top (a tagged enum, a flattened one) are
//! merged into one object, told apart in its description, and still decoded as what they are.

use serde_json::{Map, Value, json};

use super::{
    inline::Document,
    keywords::{Keywords, is_annotation},
    normalise::Side,
    normalise::normalise,
    notes,
};

/// How deep alternatives may be nested in each other.
const DEEP: usize = 16;

/// The fields of an object, gathered from its parts.
#[derive(Debug, Default)]
struct Fields {
    properties: Map<String, Value>,
    required: Vec<String>,
    lines: Vec<String>,
}

/// Makes the root a plain object; `None` when some value of the type is not an object.
pub(super) fn object(document: &mut Document) -> Option<()> {
    let root = document.roots.first()?.as_object()?;
    let fields = gather(root, document, DEEP)?;
    let is_open = root.keyword("additionalProperties").cloned();
    let merged = ["anyOf", "oneOf", "allOf", "$ref"].iter().any(|keyword| root.has(keyword));
    let accepts_anything = root.keys().all(|keyword| is_annotation(keyword));

    let Some(Value::Object(root)) = document.roots.first_mut() else {
        return None;
    };
    for keyword in ["anyOf", "oneOf", "allOf", "$ref"] {
        root.remove(keyword);
    }
    root.set("type", "object".into());
    root.set("properties", Value::Object(fields.properties));
    root.remove("required");
    if !fields.required.is_empty() {
        root.set("required", fields.required.into());
    }
    if merged && is_open == Some(Value::Bool(false)) {
        root.remove("additionalProperties");
    }
    if accepts_anything {
        root.set("additionalProperties", true.into());
    }
    for line in fields.lines {
        notes::add(root, line);
    }
    Some(())
}

fn gather(map: &Map<String, Value>, document: &Document, depth: usize) -> Option<Fields> {
    let depth = depth.checked_sub(1)?;
    if map.keyword("type").is_some_and(|kind| kind != "object") || map.has("enum") {
        return None;
    }
    let mut fields = Fields::default();
    if let Some(Value::Object(properties)) = map.keyword("properties") {
        fields.properties.clone_from(properties);
    }
    let required = map.keyword("required").and_then(Value::as_array).into_iter().flatten();
    fields.required = required.filter_map(Value::as_str).map(str::to_owned).collect();
    if map.has("$ref") {
        let only_reference = json!({"$ref": map.keyword("$ref")});
        let (_, target) = document.target(&only_reference)?;
        fields.include(gather(target.as_object()?, document, depth)?);
    }
    for part in map.keyword("allOf").and_then(Value::as_array).into_iter().flatten() {
        fields.include(gather(part.as_object()?, document, depth)?);
    }
    for union in ["anyOf", "oneOf"] {
        if let Some(Value::Array(branches)) = map.keyword(union) {
            fields.include(alternatives(branches, document, depth)?);
        }
    }
    Some(fields)
}

/// What holds whichever of the branches is meant: every field of any, required only those of all.
fn alternatives(branches: &[Value], document: &Document, depth: usize) -> Option<Fields> {
    let mut all: Option<Fields> = None;
    let mut lines = Vec::new();
    let mut how_many = "one";
    for branch in branches {
        let branch = branch.as_object()?;
        let fields = gather(branch, document, depth)?;
        let text = branch.keyword("description").and_then(Value::as_str);
        if fields.required.is_empty() {
            how_many = "at most one";
        }
        lines.push(fields.in_words(text));
        lines.extend(fields.lines.iter().map(|line| format!("  {line}")));
        match &mut all {
            None => all = Some(fields),
            Some(all) => all.widen(fields),
        }
    }
    let mut all = all?;
    all.lines = Vec::new();
    if branches.len() > 1 {
        all.lines.push(format!("Give the fields of {how_many} of these:"));
        all.lines.extend(lines);
    }
    Some(all)
}

impl Fields {
    /// Both hold.
    fn include(&mut self, other: Self) {
        for name in other.required {
            if !self.required.contains(&name) {
                self.required.push(name);
            }
        }
        self.add_properties(other.properties);
        self.lines.extend(other.lines);
    }

    /// One of the two holds.
    fn widen(&mut self, other: Self) {
        self.required.retain(|name| other.required.contains(name));
        self.add_properties(other.properties);
    }

    fn add_properties(&mut self, more: Map<String, Value>) {
        for (name, schema) in more {
            match self.properties.get_mut(&name) {
                None => {
                    self.properties.insert(name, schema);
                }
                Some(known) if *known == schema => {}
                Some(known) => {
                    let mut both = json!({"anyOf": [known.take(), schema]});
                    normalise(&mut both, Side::Input);
                    *known = both;
                }
            }
        }
    }

    /// "- `kind`: "circle", `radius`"
    fn in_words(&self, text: Option<&str>) -> String {
        let tag = |name: &String| {
            let values = self.properties.get(name)?.get("enum")?.as_array()?;
            let [only] = values.as_slice() else {
                return None;
            };
            Some(format!("`{name}`: {only}"))
        };
        let required: Vec<&String> = self.required.iter().collect();
        let named = if required.is_empty() { self.properties.keys().collect() } else { required };
        let fields = named.into_iter().map(|name| tag(name).unwrap_or_else(|| format!("`{name}`")));
        let fields = fields.collect::<Vec<_>>().join(", ");
        let fields = if fields.is_empty() { "nothing" } else { &fields };
        match text {
            Some(text) => {
                let text: Vec<_> = text.split_whitespace().collect();
                format!("- {fields} ({})", text.join(" "))
            }
            None => format!("- {fields}"),
        }
    }
}
