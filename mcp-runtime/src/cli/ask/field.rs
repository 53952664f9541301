//! One field of a form: how it is asked for, and what may be typed.

use serde_json::Value;

/// A field of the kinds that forms have.
#[derive(Debug)]
pub(super) struct Field<'a> {
    pub(super) name: &'a str,
    pub(super) schema: &'a Value,
    pub(super) is_required: bool,
}

/// A value among others, and how it is called.
struct Choice<'a> {
    value: &'a str,
    title: &'a str,
}

fn text<'a>(schema: &'a Value, name: &str) -> &'a str {
    schema.get(name).and_then(Value::as_str).unwrap_or_default()
}

/// The choices of a schema, in each of the forms the protocol has had.
fn choices(schema: &Value) -> Vec<Choice<'_>> {
    let list = |name: &str| schema.get(name).and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default();
    let titled = list("oneOf").iter().chain(list("anyOf")).map(|choice| (text(choice, "const"), text(choice, "title")));
    let names = list("enumNames");
    let plain = list("enum").iter().enumerate();
    let plain = plain.map(|(index, value)| {
        (value.as_str().unwrap_or_default(), names.get(index).and_then(Value::as_str).unwrap_or_default())
    });
    titled
        .chain(plain)
        .map(|(value, title)| Choice { value, title: if title.is_empty() { value } else { title } })
        .collect()
}

impl Field<'_> {
    pub(super) fn is_yes_or_no(&self) -> bool {
        text(self.schema, "type") == "boolean"
    }

    /// `people, how many of you [2]`
    pub(super) fn prompt(&self) -> String {
        let mut prompt =
            Some(text(self.schema, "title")).filter(|title| !title.is_empty()).unwrap_or(self.name).to_owned();
        let description = text(self.schema, "description");
        if !description.is_empty() {
            prompt = format!("{prompt}, {description}");
        }
        let titles = |schema| choices(schema).iter().map(|choice| choice.title).collect::<Vec<_>>().join(" | ");
        let hint = match text(self.schema, "type") {
            "boolean" => "yes/no".to_owned(),
            "array" => self
                .schema
                .get("items")
                .map(|items| format!("{}, several with commas", titles(items)))
                .unwrap_or_default(),
            _ => titles(self.schema),
        };
        if !hint.is_empty() {
            prompt = format!("{prompt} ({hint})");
        }
        match (self.schema.get("default"), self.is_required) {
            (Some(Value::String(default)), _) => format!("{prompt} [{default}]"),
            (Some(default), _) => format!("{prompt} [{default}]"),
            (None, false) => format!("{prompt} [nothing]"),
            (None, true) => prompt,
        }
    }

    /// Reads what was typed; nothing is the default, or leaves out what may be absent.
    pub(super) fn read(&self, line: &str) -> Result<Option<Value>, String> {
        if line.is_empty() {
            return match self.schema.get("default") {
                Some(default) => Ok(Some(default.clone())),
                None if self.is_required => Err("something, please".to_owned()),
                None => Ok(None),
            };
        }
        let value = match text(self.schema, "type") {
            "boolean" => yes_or_no(line)?,
            "integer" => line.parse::<i64>().map(Value::from).map_err(|_| "an integer, please".to_owned())?,
            "number" => line.parse::<f64>().map(Value::from).map_err(|_| "a number, please".to_owned())?,
            "array" => self.several(line)?,
            _ => one(&choices(self.schema), line)?,
        };
        self.check(&value).map(|()| Some(value))
    }

    fn several(&self, line: &str) -> Result<Value, String> {
        let choices = self.schema.get("items").map(choices).unwrap_or_default();
        let words = line.split(',').map(str::trim).filter(|word| !word.is_empty());
        words.map(|word| one(&choices, word)).collect::<Result<Vec<_>, _>>().map(Value::from)
    }

    fn check(&self, value: &Value) -> Result<(), String> {
        let bound = |name: &str| self.schema.get(name).and_then(Value::as_f64);
        let (size, unit, least, most) = match value {
            Value::String(text) => (count(text.chars().count()), " characters", "minLength", "maxLength"),
            Value::Array(items) => (count(items.len()), " of them", "minItems", "maxItems"),
            other => (other.as_f64().unwrap_or_default(), "", "minimum", "maximum"),
        };
        if let Some(least) = bound(least).filter(|least| size < *least) {
            return Err(format!("at least {least}{unit}, please"));
        }
        match bound(most).filter(|most| size > *most) {
            Some(most) => Err(format!("at most {most}{unit}, please")),
            None => Ok(()),
        }
    }
}

#[expect(clippy::cast_precision_loss, reason = "nobody types 2^53 characters")]
const fn count(length: usize) -> f64 {
    length as f64
}

fn yes_or_no(line: &str) -> Result<Value, String> {
    match line.to_lowercase().as_str() {
        "y" | "yes" | "true" => Ok(true.into()),
        "n" | "no" | "false" => Ok(false.into()),
        _ => Err("yes or no, please".to_owned()),
    }
}

/// A choice by its value or title, in any case; without choices, the text.
fn one(choices: &[Choice<'_>], word: &str) -> Result<Value, String> {
    if choices.is_empty() {
        return Ok(word.into());
    }
    let is_meant =
        |choice: &&Choice<'_>| choice.value.eq_ignore_ascii_case(word) || choice.title.eq_ignore_ascii_case(word);
    let exact = choices.iter().find(|choice| choice.value == word);
    match exact.or_else(|| choices.iter().find(is_meant)) {
        Some(choice) => Ok(choice.value.into()),
        None => {
            Err(format!("one of {}, please", choices.iter().map(|choice| choice.title).collect::<Vec<_>>().join(", ")))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn read(schema: &Value, line: &str) -> Result<Option<Value>, String> {
        Field { name: "f", schema, is_required: true }.read(line)
    }

    #[test]
    fn each_kind_of_field_is_read() {
        assert_eq!(read(&json!({"type": "boolean"}), "Yes"), Ok(Some(json!(true))));
        assert_eq!(read(&json!({"type": "number"}), "1.5"), Ok(Some(json!(1.5))));
        assert_eq!(read(&json!({"type": "string"}), "12"), Ok(Some(json!("12"))));
        let titled =
            json!({"type": "string", "oneOf": [{"const": "a", "title": "First"}, {"const": "b", "title": "Second"}]});
        assert_eq!(read(&titled, "second"), Ok(Some(json!("b"))));
        assert!(read(&titled, "third").unwrap_err().contains("First, Second"));
        let named = json!({"type": "string", "enum": ["a", "b"], "enumNames": ["First", "Second"]});
        assert_eq!(read(&named, "First"), Ok(Some(json!("a"))));
        let several = json!({"type": "array", "items": {"enum": ["a", "b"]}, "maxItems": 1});
        assert_eq!(read(&several, "b,"), Ok(Some(json!(["b"]))));
        assert!(read(&several, "a, b").is_err());
    }

    #[test]
    fn the_prompt_says_what_can_be_typed() {
        let schema =
            json!({"type": "string", "title": "Size", "description": "How large", "enum": ["s", "l"], "default": "s"});
        assert_eq!(Field { name: "size", schema: &schema, is_required: true }.prompt(), "Size, How large (s | l) [s]");
        assert_eq!(Field { name: "n", schema: &json!({"type": "string"}), is_required: false }.prompt(), "n [nothing]");
    }
}
