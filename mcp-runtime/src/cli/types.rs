//! Types as a schema tells them, to read a value that was typed on a command line.

use serde_json::{Map, Value};

/// So many references are followed from one place: one may lead back to itself.
const DEPTH: usize = 16;

/// So many alternatives of a union are looked at, for the same reason.
const MOST: usize = 256;

/// A schema within the schema of a tool, where its references lead.
#[derive(Clone, Copy, Debug)]
pub(super) struct Schema<'a> {
    root: &'a Value,
    here: &'a Value,
}

impl<'a> Schema<'a> {
    pub(super) const fn new(root: &'a Value) -> Self {
        Self { root, here: root }
    }

    const fn at(self, here: &'a Value) -> Self {
        Self { root: self.root, here }
    }

    /// Follows references.
    pub(super) fn resolved(self) -> Self {
        let mut here = self.here;
        for _ in 0..DEPTH {
            let Some(reference) = here.get("$ref").and_then(Value::as_str) else { break };
            let target = reference.strip_prefix('#').and_then(|pointer| self.root.pointer(pointer));
            let Some(target) = target else { break };
            here = target;
        }
        self.at(here)
    }

    /// The arguments of a tool, in order.
    pub(super) fn properties(self) -> impl Iterator<Item = (&'a str, Self)> {
        let properties = self.resolved().here.get("properties").and_then(Value::as_object);
        properties.into_iter().flatten().map(move |(name, schema)| (name.as_str(), self.at(schema)))
    }

    pub(super) fn property(self, name: &str) -> Option<Self> {
        self.resolved().here.get("properties")?.get(name).map(|schema| self.at(schema))
    }

    /// Whether an argument must be there.
    pub(super) fn requires(self, name: &str) -> bool {
        let required = self.resolved().here.get("required").and_then(Value::as_array);
        required.is_some_and(|names| names.iter().any(|required| required == name))
    }

    /// Whether an object may have members that are not described.
    pub(super) fn is_open(self) -> bool {
        let additional = self.resolved().here.get("additionalProperties");
        additional.is_some_and(|additional| *additional != Value::Bool(false))
            || self.here.get("patternProperties").is_some()
    }

    pub(super) fn description(self) -> &'a str {
        let own = self.here.get("description").and_then(Value::as_str);
        own.or_else(|| self.resolved().here.get("description")?.as_str()).unwrap_or_default()
    }

    /// What it says under a keyword.
    pub(super) fn keyword(self, name: &str) -> Option<&'a Value> {
        self.here.get(name)
    }

    /// The alternatives of a union, or the schema itself.
    pub(super) fn alternatives(self) -> Vec<Self> {
        let (mut found, mut open) = (Vec::new(), vec![self]);
        for _ in 0..MOST {
            let Some(resolved) = open.pop().map(Self::resolved) else { break };
            let union = ["anyOf", "oneOf"].iter().find_map(|keyword| resolved.here.get(keyword)?.as_array());
            match union {
                Some(union) => open.extend(union.iter().rev().map(|schema| resolved.at(schema))),
                None => found.push(resolved),
            }
        }
        found
    }

    /// The values it is limited to.
    pub(super) fn choices(self) -> Option<&'a [Value]> {
        let here = self.here;
        here.get("enum")
            .and_then(Value::as_array)
            .map(Vec::as_slice)
            .or_else(|| here.get("const").map(std::slice::from_ref))
    }

    /// The names of its types; none when it says nothing.
    pub(super) fn type_names(self) -> Vec<&'a str> {
        match self.here.get("type") {
            Some(Value::String(name)) => vec![name],
            Some(Value::Array(names)) => names.iter().filter_map(Value::as_str).collect(),
            _ => Vec::new(),
        }
    }

    pub(super) fn items(self) -> Option<Self> {
        self.here.get("items").map(|items| self.at(items))
    }

    /// Whether several values of one name make a list.
    fn is_list(self) -> Option<Self> {
        self.alternatives().into_iter().find(|schema| schema.type_names().contains(&"array"))
    }

    /// Reads the values that were given under one name. What does not fit is passed on as the text it is: the server
    /// knows best how to say what is wrong with it.
    pub(super) fn read(self, texts: &[&str]) -> Value {
        match (texts, self.is_list()) {
            ([text], None) => self.read_one(text),
            ([text], Some(list)) if text.trim_start().starts_with('[') => {
                serde_json::from_str(text).unwrap_or_else(|_| list.read_list(texts))
            }
            (texts, Some(list)) => list.read_list(texts),
            (texts, None) => texts.iter().map(|text| self.read_one(text)).collect(),
        }
    }

    fn read_list(self, texts: &[&str]) -> Value {
        let read = |text: &&str| self.items().map_or_else(|| Value::from(*text), |items| items.read_one(text));
        texts.iter().map(read).collect()
    }

    /// Reads one value: as a type that is not a string if the text is exactly that, as a string otherwise.
    fn read_one(self, text: &str) -> Value {
        let alternatives = self.alternatives();
        let typed = alternatives.iter().find_map(|schema| schema.typed(text));
        typed.unwrap_or_else(|| Value::from(text))
    }

    fn typed(self, text: &str) -> Option<Value> {
        let value: Option<Value> = serde_json::from_str(text).ok();
        if let Some(choices) = self.choices() {
            let is_meant =
                |choice: &&Value| choice.as_str().map_or(value.as_ref() == Some(choice), |word| word == text);
            return choices.iter().find(is_meant).cloned();
        }
        let (names, value) = (self.type_names(), value?);
        let fits = |name: &&str| match *name {
            "integer" | "number" => value.is_number(),
            "boolean" => value.is_boolean(),
            "null" => value.is_null(),
            "array" => value.is_array(),
            "object" => value.is_object(),
            _ => false,
        };
        (names.is_empty() || names.iter().any(fits)).then_some(value)
    }
}

/// The names of a prompt's arguments, each with its description and whether it must be there.
pub(super) fn prompt_arguments(prompt: &Map<String, Value>) -> impl Iterator<Item = (&str, &str, bool)> {
    let arguments = prompt.get("arguments").and_then(Value::as_array);
    arguments.into_iter().flatten().filter_map(|argument| {
        let description = argument.get("description").and_then(Value::as_str).unwrap_or_default();
        let is_required = argument.get("required").and_then(Value::as_bool).unwrap_or_default();
        Some((argument.get("name")?.as_str()?, description, is_required))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn read(schema: &Value, text: &str) -> Value {
        Schema::new(schema).read(&[text])
    }

    #[test]
    fn a_string_stays_what_was_typed() {
        let string = json!({"type": "string"});
        for text in ["12", "true", "null", "[1]", "{}", "", " a=b "] {
            assert_eq!(read(&string, text), json!(text));
        }
    }

    #[test]
    fn other_types_are_read_as_json() {
        assert_eq!(read(&json!({"type": "integer"}), "12"), json!(12));
        assert_eq!(read(&json!({"type": "number"}), "-1.5"), json!(-1.5));
        assert_eq!(read(&json!({"type": "boolean"}), "true"), json!(true));
        assert_eq!(read(&json!({"type": "object"}), "{\"a\":1}"), json!({"a": 1}));
        assert_eq!(read(&json!({}), "12"), json!(12));
        assert_eq!(read(&json!({}), "twelve"), json!("twelve"));
    }

    #[test]
    fn what_does_not_fit_is_left_to_the_server() {
        assert_eq!(read(&json!({"type": "integer"}), "twelve"), json!("twelve"));
        assert_eq!(read(&json!({"type": "boolean"}), "1"), json!("1"));
    }

    #[test]
    fn a_list_is_json_or_one_name_several_times() {
        let list = json!({"type": "array", "items": {"type": "string"}});
        assert_eq!(read(&list, "[\"a\",\"b\"]"), json!(["a", "b"]));
        assert_eq!(read(&list, "12"), json!(["12"]));
        assert_eq!(read(&list, "[draft"), json!(["[draft"]));
        assert_eq!(Schema::new(&list).read(&["1", "2"]), json!(["1", "2"]));
        let numbers = json!({"type": "array", "items": {"type": "integer"}});
        assert_eq!(Schema::new(&numbers).read(&["1", "2"]), json!([1, 2]));
    }

    #[test]
    fn unions_and_references_are_followed() {
        let schema = json!({"properties": {"a": {"anyOf": [{"$ref": "#/$defs/N"}, {"type": "string"}]}}, "$defs": {"N": {"type": "integer"}}});
        let a = Schema::new(&schema).property("a").unwrap();
        assert_eq!(a.read(&["12"]), json!(12));
        assert_eq!(a.read(&["x"]), json!("x"));
    }

    #[test]
    fn a_reference_to_itself_ends() {
        let schema = json!({"$ref": "#"});
        assert_eq!(read(&schema, "x"), json!("x"));
        let union = json!({"anyOf": [{"type": "integer"}, {"$ref": "#"}, {"$ref": "#"}, {"$ref": "#"}]});
        assert_eq!(read(&union, "1"), json!(1));
    }

    #[test]
    fn choices_are_taken_by_their_text() {
        let schema = json!({"enum": ["red", 1]});
        assert_eq!(read(&schema, "red"), json!("red"));
        assert_eq!(read(&schema, "1"), json!(1));
    }
}
