//! Questions of a handler, asked on the terminal: one line for each field of a form.
//!
//! The questions go to standard error, so that the result alone is on standard output.

use std::io::{self, BufRead, Write};

use serde_json::{Map, Value};

use crate::testing::{Asked, ClientBuilder, Reply};

/// Gives the client of `call`, `read` and `prompt` what it needs to answer a handler's questions.
pub(super) fn prepare(client: ClientBuilder) -> ClientBuilder {
    client.elicit(|asked| form(asked, &mut io::stdin().lock(), &mut io::stderr())).elicit_url(|asked| page(asked, &mut io::stdin().lock(), &mut io::stderr()))
}

/// What declines a question.
const NO: &str = "-";

/// Asks for each field of a form. The end of the input dismisses it.
fn form(asked: &Asked, input: &mut impl BufRead, output: &mut impl Write) -> Reply {
    say(output, &format!("{} (`{NO}` declines)\n", asked.message()));
    let schema = asked.schema();
    let required: Vec<&str> = schema.get("required").and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_str).collect();
    let mut content = Map::new();
    for (name, field) in schema.get("properties").and_then(Value::as_object).into_iter().flatten() {
        loop {
            say(output, &prompt(name, field));
            let Some(line) = read(input) else { return Reply::cancel() };
            let line = line.trim();
            if line == NO {
                return Reply::decline();
            }
            match value(line, field, required.contains(&name.as_str())) {
                Ok(Some(value)) => {
                    content.insert(name.clone(), value);
                    break;
                }
                Ok(None) => break,
                Err(expected) => say(output, &format!("  {expected}\n")),
            }
        }
    }
    Reply::accept(content.into())
}

/// Asks whether to open a page; opening it is left to the person.
fn page(asked: &Asked, input: &mut impl BufRead, output: &mut impl Write) -> Reply {
    say(output, &format!("{}\n  open {}\n  opened? [y/n] ", asked.message(), asked.url().unwrap_or_default()));
    match read(input).as_deref().map(str::trim) {
        None => Reply::cancel(),
        Some("y" | "Y" | "yes") => Reply::accept(Value::Null),
        Some(_) => Reply::decline(),
    }
}

/// A terminal that is gone is no reason to fail: the answers are then missing, too.
fn say(output: &mut impl Write, text: &str) {
    drop(output.write_all(text.as_bytes()).and_then(|()| output.flush()));
}

fn read(input: &mut impl BufRead) -> Option<String> {
    let mut line = String::new();
    (input.read_line(&mut line).ok()? > 0).then_some(line)
}

fn text<'v>(field: &'v Value, member: &str) -> Option<&'v str> {
    field.get(member).and_then(Value::as_str)
}

/// The values of a choice.
fn choices(field: &Value) -> Option<Vec<&str>> {
    let field = field.get("items").unwrap_or(field);
    if let Some(values) = field.get("enum").and_then(Value::as_array) {
        return Some(values.iter().filter_map(Value::as_str).collect());
    }
    let titled = field.get("oneOf").or_else(|| field.get("anyOf"))?.as_array()?;
    Some(titled.iter().filter_map(|one| text(one, "const")).collect())
}

/// `  Nights, how many nights [2]: `
fn prompt(name: &str, field: &Value) -> String {
    let mut prompt = format!("  {}", text(field, "title").unwrap_or(name));
    if let Some(description) = text(field, "description") {
        prompt.push_str(&format!(", {description}"));
    }
    match (choices(field), text(field, "type")) {
        (Some(choices), Some("array")) => prompt.push_str(&format!(" (any of {}, with commas)", choices.join(", "))),
        (Some(choices), _) => prompt.push_str(&format!(" ({})", choices.join(", "))),
        (None, Some("boolean")) => prompt.push_str(" (y/n)"),
        _ => {}
    }
    if let Some(default) = field.get("default") {
        let default = default.as_str().map_or_else(|| default.to_string(), str::to_owned);
        prompt.push_str(&format!(" [{default}]"));
    }
    prompt.push_str(": ");
    prompt
}

/// What a line means for a field: its value, nothing, or what is expected instead.
fn value(line: &str, field: &Value, is_required: bool) -> Result<Option<Value>, String> {
    let kind = text(field, "type").unwrap_or_default();
    if line.is_empty() {
        return match field.get("default") {
            Some(default) => Ok(Some(default.clone())),
            None if is_required && kind == "array" => Ok(Some(Value::Array(Vec::new()))),
            None if is_required => Err("an answer is needed".to_owned()),
            None => Ok(None),
        };
    }
    let one_of = |choices: &[&str], text: &str| {
        let found = choices.iter().find(|choice| choice.eq_ignore_ascii_case(text));
        found.map(|choice| Value::from(*choice)).ok_or_else(|| format!("one of {}", choices.join(", ")))
    };
    let value = match (kind, choices(field)) {
        ("array", Some(choices)) => {
            let parts = line.split(',').map(str::trim).filter(|part| !part.is_empty());
            Value::Array(parts.map(|part| one_of(&choices, part)).collect::<Result<_, _>>()?)
        }
        (_, Some(choices)) => one_of(&choices, line)?,
        ("boolean", None) => match line {
            "y" | "Y" | "yes" | "true" => true.into(),
            "n" | "N" | "no" | "false" => false.into(),
            _ => return Err("`y` or `n`".to_owned()),
        },
        ("integer" | "number", None) => {
            let number: serde_json::Number = line.parse().map_err(|_| "a number".to_owned())?;
            Value::Number(number)
        }
        _ => line.into(),
    };
    Ok(Some(value))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn ask(params: Value, answers: &str) -> (Reply, String) {
        let asked = Asked { key: None, method: "elicitation/create".to_owned(), params };
        let mut output = Vec::new();
        let reply = if asked.url().is_some() { page(&asked, &mut answers.as_bytes(), &mut output) } else { form(&asked, &mut answers.as_bytes(), &mut output) };
        (reply, String::from_utf8(output).unwrap())
    }

    fn trip() -> Value {
        let class = json!([{"const": "first", "title": "First"}, {"const": "second", "title": "Second"}]);
        json!({"message": "Where to?", "requestedSchema": {"type": "object", "required": ["a", "c", "d", "e"], "properties": {
            "a": {"type": "string", "title": "City", "description": "where to go"},
            "b": {"type": "integer", "default": 2},
            "c": {"type": "boolean"},
            "d": {"type": "string", "oneOf": class},
            "e": {"type": "array", "items": {"anyOf": class}},
            "f": {"type": "number"},
        }}})
    }

    #[test]
    fn a_form_is_filled_in_line_by_line() {
        let (reply, said) = ask(trip(), "Rome\n\ny\nFIRST\nsecond, first\n\n");
        let content = json!({"a": "Rome", "b": 2, "c": true, "d": "first", "e": ["second", "first"]});
        assert_eq!(reply, Reply::accept(content));
        assert!(said.starts_with("Where to? (`-` declines)\n  City, where to go:   b [2]: "), "{said}");
        assert!(said.contains("  c (y/n): ") && said.contains("  d (first, second): ") && said.contains("  e (any of first, second, with commas): "), "{said}");
    }

    #[test]
    fn what_does_not_fit_is_asked_again() {
        let (reply, said) = ask(trip(), "\nRome\nmany\n3\nmaybe\nn\nthird\nsecond\n\n1.5\n");
        assert_eq!(reply, Reply::accept(json!({"a": "Rome", "b": 3, "c": false, "d": "second", "e": [], "f": 1.5})));
        for expected in ["an answer is needed", "a number", "`y` or `n`", "one of first, second"] {
            assert!(said.contains(expected), "{said}");
        }
    }

    #[test]
    fn a_dash_declines_and_the_end_dismisses() {
        assert_eq!(ask(trip(), "Rome\n-\n").0, Reply::decline());
        assert_eq!(ask(trip(), "Rome\n").0, Reply::cancel());
    }

    #[test]
    fn a_page_is_opened_or_not() {
        let page = || json!({"message": "Sign in", "mode": "url", "url": "https://example.com"});
        assert_eq!(ask(page(), "y\n").0, Reply::accept(Value::Null));
        assert_eq!(ask(page(), "n\n").0, Reply::decline());
        assert_eq!(ask(page(), "").0, Reply::cancel());
    }
}
