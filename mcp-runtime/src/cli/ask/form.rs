//! One question: its text, and its form field by field.

use std::io::{self, BufRead, Write};

use serde_json::{Map, Value, json};

use super::field::Field;

/// Asks a question and returns the result of `elicitation/create`.
pub(super) fn ask(input: &mut impl BufRead, output: &mut impl Write, params: &Value) -> io::Result<Value> {
    let text = |name: &str| params.get(name).and_then(Value::as_str);
    // A bar may stand on the line.
    writeln!(output, "\r\x1b[K? {}", printable(text("message").unwrap_or("The server asks for something.")))?;
    if let Some(url) = text("url") {
        writeln!(output, "  Open this page: {}", printable(url))?;
        return agree(input, output, "Done? [yes/no]");
    }
    let schema = params.get("requestedSchema").unwrap_or(&Value::Null);
    let fields = fields(schema);
    if fields.is_empty() {
        return agree(input, output, "Agree? [yes/no]");
    }
    writeln!(output, "  /decline says no, Ctrl-D cancels.")?;
    let mut content = Map::new();
    for field in fields {
        match fill(input, output, &field)? {
            Filled::With(value) => drop(content.insert(field.name.to_owned(), value)),
            Filled::Not => {}
            Filled::Action(action) => return Ok(json!({"action": action})),
        }
    }
    Ok(json!({"action": "accept", "content": content}))
}

enum Filled {
    With(Value),
    Not,
    Action(&'static str),
}

fn fill(input: &mut impl BufRead, output: &mut impl Write, field: &Field<'_>) -> io::Result<Filled> {
    loop {
        let Some(line) = line(input, output, &printable(&field.prompt()))? else { return Ok(Filled::Action("cancel")) };
        if line == "/decline" {
            return Ok(Filled::Action("decline"));
        }
        match field.read(&line) {
            Ok(Some(value)) => return Ok(Filled::With(value)),
            Ok(None) => return Ok(Filled::Not),
            Err(reason) => writeln!(output, "  {reason}")?,
        }
    }
}

fn agree(input: &mut impl BufRead, output: &mut impl Write, question: &str) -> io::Result<Value> {
    loop {
        let action = match line(input, output, question)?.map(|line| line.to_lowercase()).as_deref() {
            None => "cancel",
            Some("y" | "yes") => "accept",
            Some("n" | "no" | "/decline") => "decline",
            Some(_) => continue,
        };
        return Ok(json!({"action": action}));
    }
}

/// One line that was typed; `None` at the end of the input.
fn line(input: &mut impl BufRead, output: &mut impl Write, prompt: &str) -> io::Result<Option<String>> {
    write!(output, "  {prompt}: ")?;
    output.flush()?;
    let mut line = String::new();
    if input.read_line(&mut line)? == 0 {
        writeln!(output)?;
        return Ok(None);
    }
    Ok(Some(line.trim().to_owned()))
}

/// The fields, in the order in which the schema demands them, which is that of the form; then what may be absent.
fn fields(schema: &Value) -> Vec<Field<'_>> {
    let required: Vec<&str> =
        schema.get("required").and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_str).collect();
    let properties = schema.get("properties").and_then(Value::as_object).into_iter().flatten();
    let mut fields: Vec<Field<'_>> = properties
        .map(|(name, schema)| Field { name, schema, is_required: required.contains(&name.as_str()) })
        .collect();
    fields.sort_by_key(|field| required.iter().position(|name| *name == field.name).unwrap_or(usize::MAX));
    fields
}

/// Without what could do something to the terminal.
fn printable(text: &str) -> String {
    text.chars().filter(|c| !c.is_control() || *c == '\n').collect::<String>().replace('\n', "\n  ")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn answers(params: &Value, typed: &str) -> (Value, String) {
        let mut shown = Vec::new();
        let answer = ask(&mut typed.as_bytes(), &mut shown, params).unwrap();
        (answer, String::from_utf8(shown).unwrap())
    }

    fn trip() -> Value {
        json!({"message": "Where to?", "requestedSchema": {"type": "object", "required": ["to", "people"], "properties": {
            "people": {"type": "integer", "minimum": 1, "default": 2}, "to": {"type": "string"}, "mail": {"type": "string"}
        }}})
    }

    #[test]
    fn a_form_is_filled_field_by_field() {
        let (answer, shown) = answers(&trip(), "Oslo\n3\n\n");
        assert_eq!(answer, json!({"action": "accept", "content": {"to": "Oslo", "people": 3}}));
        assert!(shown.contains("? Where to?"), "{shown}");
    }

    #[test]
    fn nothing_typed_is_the_default_and_nonsense_is_asked_again() {
        let (answer, shown) = answers(&trip(), "\nOslo\nmany\n0\n\nme@x\n");
        assert_eq!(answer["content"], json!({"to": "Oslo", "people": 2, "mail": "me@x"}));
        assert!(shown.contains("an integer, please") && shown.contains("at least 1"), "{shown}");
    }

    #[test]
    fn a_person_can_say_no_or_leave() {
        assert_eq!(answers(&trip(), "/decline\n").0, json!({"action": "decline"}));
        assert_eq!(answers(&trip(), "Oslo\n").0, json!({"action": "cancel"}));
        assert_eq!(answers(&json!({"message": "Sure?"}), "maybe\nY\n").0, json!({"action": "accept"}));
        assert_eq!(answers(&json!({"message": "m", "url": "https://x"}), "no\n").0, json!({"action": "decline"}));
    }

    #[test]
    fn a_question_does_nothing_to_the_terminal() {
        let (_, shown) = answers(&json!({"message": "a\u{1b}[2Jb\u{7}"}), "y\n");
        assert!(shown.contains("a[2Jb"), "{shown:?}");
    }
}
