//! A type as `list` shows it: its values or fields, its limits, its default; never more than a line takes.

use serde_json::Value;

use super::types::Schema;

/// So many values or fields are named.
const MOST: usize = 8;

/// So many characters of a value or a pattern are shown.
const LONGEST: usize = 40;

/// And so many of a type.
const LINE: usize = 160;

/// Lists within lists are looked into so far.
const DEPTH: usize = 3;

impl Schema<'_> {
    /// `integer from 1 to 100`, `"red" | "green"`, `list of string`, `object {x, y?}`
    pub(super) fn in_words(self) -> String {
        cut(&self.words(0), LINE)
    }

    /// The value that an argument has when it is left out.
    pub(super) fn default_in_words(self) -> Option<String> {
        let default = self.keyword("default").or_else(|| self.resolved().keyword("default"))?;
        Some(short(&default.to_string()))
    }

    fn words(self, depth: usize) -> String {
        let mut all: Vec<String> = Vec::new();
        for alternative in self.alternatives().into_iter().take(MOST) {
            let words = alternative.one_in_words(depth);
            if !all.contains(&words) {
                all.push(words);
            }
        }
        if all.is_empty() { "any".to_owned() } else { all.join(" | ") }
    }

    fn one_in_words(self, depth: usize) -> String {
        if let Some(choices) = self.choices() {
            return some(choices.iter().map(|choice| short(&choice.to_string())), " | ");
        }
        let names = self.type_names();
        if names.is_empty() {
            return "any".to_owned();
        }
        names.iter().map(|name| self.type_in_words(name, depth)).collect::<Vec<_>>().join(" | ")
    }

    fn type_in_words(self, name: &str, depth: usize) -> String {
        match name {
            "array" if depth < DEPTH => self.list_in_words(depth),
            "object" => self.object_in_words(),
            "string" => self.string_in_words(),
            "integer" | "number" => format!("{name}{}", self.range_in_words()),
            "array" => "list".to_owned(),
            name => name.to_owned(),
        }
    }

    fn string_in_words(self) -> String {
        let length = match self.size("minLength", "maxLength") {
            Some(size) => format!(" of {size} characters"),
            None => String::new(),
        };
        let text = |name: &str| self.keyword(name).and_then(Value::as_str).map(short);
        let pattern = text("pattern").map(|pattern| format!(" matching {pattern}")).unwrap_or_default();
        let format = text("format").map(|format| format!(" ({format})")).unwrap_or_default();
        format!("string{length}{pattern}{format}")
    }

    fn list_in_words(self, depth: usize) -> String {
        let items = self.items().map(|items| format!(" of {}", items.words(depth + 1))).unwrap_or_default();
        let size = self.size("minItems", "maxItems").map(|size| format!(", {size} of them")).unwrap_or_default();
        format!("list{items}{size}")
    }

    fn object_in_words(self) -> String {
        let field = |(name, _): (&str, Self)| format!("{}{}", short(name), if self.requires(name) { "" } else { "?" });
        let fields = some(self.properties().map(field), ", ");
        if fields.is_empty() { "object".to_owned() } else { format!("object {{{fields}}}") }
    }

    fn range_in_words(self) -> String {
        let bound = |name: &str| self.keyword(name).filter(|bound| bound.is_number());
        let (least, most) = (bound("minimum"), bound("maximum"));
        let (above, below) = (bound("exclusiveMinimum"), bound("exclusiveMaximum"));
        let low = least.map(|least| format!(" from {least}")).or_else(|| above.map(|above| format!(" above {above}")));
        let high = match (most, below) {
            (Some(most), _) if least.is_some() => Some(format!(" to {most}")),
            (Some(most), _) => Some(format!(" up to {most}")),
            (None, below) => below.map(|below| format!(" below {below}")),
        };
        [low, high].into_iter().flatten().collect()
    }

    fn size(self, least: &str, most: &str) -> Option<String> {
        let bound = |name: &str| self.keyword(name).and_then(Value::as_u64);
        match (bound(least).filter(|least| *least > 0), bound(most)) {
            (Some(least), Some(most)) if least == most => Some(least.to_string()),
            (Some(least), Some(most)) => Some(format!("{least} to {most}")),
            (Some(least), None) => Some(format!("at least {least}")),
            (None, Some(most)) => Some(format!("at most {most}")),
            (None, None) => None,
        }
    }
}

/// The first of several, and how many there are.
fn some(all: impl Iterator<Item = String>, separator: &str) -> String {
    let mut named = Vec::new();
    let mut count = 0_usize;
    for one in all {
        count += 1;
        if count <= MOST {
            named.push(one);
        }
    }
    let more = if count > MOST { format!("{separator}… ({count} in all)") } else { String::new() };
    format!("{}{more}", named.join(separator))
}

/// A value or a pattern on one line.
fn short(text: &str) -> String {
    cut(text, LONGEST)
}

/// A text on one line, cut where it is too long.
fn cut(text: &str, longest: usize) -> String {
    let line: String = text.chars().take(longest).map(|c| if c.is_control() { ' ' } else { c }).collect();
    if text.chars().nth(longest).is_some() { format!("{line}…") } else { line }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn words(schema: &Value) -> String {
        Schema::new(schema).in_words()
    }

    #[test]
    fn limits_are_told() {
        assert_eq!(words(&json!({"type": "integer", "minimum": 1, "maximum": 100})), "integer from 1 to 100");
        assert_eq!(words(&json!({"type": "integer", "minimum": 0})), "integer from 0");
        assert_eq!(words(&json!({"type": "number", "maximum": 1.5})), "number up to 1.5");
        assert_eq!(words(&json!({"type": "number", "exclusiveMinimum": 0, "maximum": 1})), "number above 0 up to 1");
        assert_eq!(
            words(&json!({"type": "string", "minLength": 1, "maxLength": 80, "pattern": "^[a-z]+$"})),
            "string of 1 to 80 characters matching ^[a-z]+$"
        );
        assert_eq!(words(&json!({"type": "string", "format": "date"})), "string (date)");
        assert_eq!(
            words(&json!({"type": "array", "items": {"type": "string"}, "maxItems": 3})),
            "list of string, at most 3 of them"
        );
    }

    #[test]
    fn values_and_fields_are_named_and_unions_told_once() {
        assert_eq!(words(&json!({"enum": ["red", 1]})), "\"red\" | 1");
        let place = json!({"type": "object", "properties": {"x": {}, "y": {}}, "required": ["x"]});
        assert_eq!(words(&place), "object {x, y?}");
        let union = json!({"anyOf": [{"$ref": "#/$defs/N"}, {"type": "string"}, {"type": "integer"}], "$defs": {"N": {"type": "integer"}}});
        assert_eq!(words(&union), "integer | string");
    }

    #[test]
    fn defaults_are_shown_as_json() {
        assert_eq!(
            Schema::new(&json!({"type": "string", "default": "a"})).default_in_words().as_deref(),
            Some("\"a\"")
        );
        assert_eq!(Schema::new(&json!({"type": "string"})).default_in_words(), None);
    }

    #[test]
    fn nothing_is_longer_than_a_line() {
        let many: Vec<String> = (0..500).map(|number| format!("value {number}")).collect();
        let told = words(&json!({"enum": many}));
        assert!(told.ends_with("\"value 7\" | … (500 in all)"), "{told}");
        let told = words(&json!({"type": "string", "pattern": "x".repeat(5000)}));
        assert!(told.chars().count() < 80, "{told}");
        assert_eq!(words(&json!({"$ref": "#"})), "any");
        let tree = json!({"type": "array", "items": {"$ref": "#"}});
        assert_eq!(words(&tree), "list of list of list of list");
        let list = json!({"type": "array", "items": {"$ref": "#"}});
        let wild = json!({"anyOf": (0..20).map(|_| list.clone()).collect::<Vec<_>>()});
        assert!(words(&wild).chars().count() <= LINE + 1);
    }
}
