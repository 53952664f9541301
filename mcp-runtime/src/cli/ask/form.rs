//! One question: its text, and its form field by field; answered on the command line, or by the person.

use std::fmt;
use std::io::{BufRead, Write};

use serde_json::{Map, Value, json};

use super::field::Field;
use super::given::{Consent, Given};
use crate::handler::error::{Error, Result};

/// Where a question is shown and answered.
pub(super) struct Desk<'a> {
    pub(super) given: &'a Given,
    /// What the person types, when there is one.
    pub(super) input: Option<&'a mut dyn BufRead>,
    pub(super) output: &'a mut dyn Write,
}

/// Asks a question and returns the result of `elicitation/create`.
pub(super) fn ask(desk: &mut Desk<'_>, params: &Value) -> Result<Value> {
    let text = |name: &str| params.get(name).and_then(Value::as_str);
    let message = printable(text("message").unwrap_or("The server asks for something."));
    // A bar may stand on the line.
    let clear = if desk.input.is_some() { "\r\x1b[K" } else { "" };
    desk.say(format_args!("{clear}? {message}\n"));
    if let Some(url) = text("url") {
        desk.say(format_args!("  Open this page: {}\n", printable(url)));
        return desk.agree("Done? [yes/no]", &message);
    }
    let fields = fields(params.get("requestedSchema").unwrap_or(&Value::Null));
    if fields.is_empty() {
        return desk.agree("Agree? [yes/no]", &message);
    }
    match (fields.iter().any(|field| desk.given.has(field.name)), desk.given.rest()) {
        (false, Some(Consent::No)) => return Ok(json!({"action": "decline"})),
        (false, None) if desk.input.is_none() => return Err(unanswered(&message, &fields)),
        _ => {}
    }
    if desk.input.is_some() {
        desk.say(format_args!("  /decline says no, Ctrl-D cancels.\n"));
    }
    let mut content = Map::new();
    for field in &fields {
        match desk.answer(field, &fields, &message)? {
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

impl From<Option<Value>> for Filled {
    fn from(value: Option<Value>) -> Self {
        value.map_or(Self::Not, Self::With)
    }
}

impl Desk<'_> {
    /// The answer for one field: as given, by the person, or what it is when it is left out.
    fn answer(&mut self, field: &Field<'_>, all: &[Field<'_>], message: &str) -> Result<Filled> {
        // Alone, a field that takes yes or no is the question itself.
        let plain =
            (self.given.rest() == Some(Consent::Yes) && all.len() == 1 && field.is_yes_or_no()).then_some("yes");
        if let Some(text) = self.given.field(field.name).or(plain) {
            say(self.output, format_args!("  {}: {}\n", printable(&field.prompt()), printable(text)));
            let refused = |reason| Error::msg(format!("--answer {}={text}: {reason}", field.name));
            return field.read(text).map(Filled::from).map_err(refused);
        }
        match field.read("") {
            Ok(left_out) if self.input.is_none() || self.given.rest() == Some(Consent::Yes) => Ok(left_out.into()),
            Err(_) if self.input.is_none() => Err(unanswered(message, all)),
            _ => self.fill(field),
        }
    }

    fn fill(&mut self, field: &Field<'_>) -> Result<Filled> {
        loop {
            let Some(line) = self.line(&printable(&field.prompt()))? else { return Ok(Filled::Action("cancel")) };
            if line == "/decline" {
                return Ok(Filled::Action("decline"));
            }
            match field.read(&line) {
                Ok(value) => return Ok(value.into()),
                Err(reason) => self.say(format_args!("  {reason}\n")),
            }
        }
    }

    /// What has no form: yes or no.
    fn agree(&mut self, question: &str, message: &str) -> Result<Value> {
        let given = self.given.rest().map(|consent| if consent == Consent::Yes { "accept" } else { "decline" });
        let action = match given {
            Some(action) => action,
            None if self.input.is_none() => return Err(unanswered(message, &[])),
            None => loop {
                match self.line(question)?.map(|line| line.to_lowercase()).as_deref() {
                    None => break "cancel",
                    Some("y" | "yes") => break "accept",
                    Some("n" | "no" | "/decline") => break "decline",
                    Some(_) => {}
                }
            },
        };
        Ok(json!({"action": action}))
    }

    /// One line that was typed; `None` at the end of the input.
    fn line(&mut self, prompt: &str) -> Result<Option<String>> {
        self.say(format_args!("  {prompt}: "));
        let Some(input) = &mut self.input else { return Ok(None) };
        let mut line = String::new();
        if input.read_line(&mut line)? == 0 {
            self.say(format_args!("\n"));
            return Ok(None);
        }
        Ok(Some(line.trim().to_owned()))
    }

    fn say(&mut self, text: fmt::Arguments<'_>) {
        say(self.output, text);
    }
}

/// Standard error may be closed; who is asked there no longer answers either.
fn say(output: &mut dyn Write, text: fmt::Arguments<'_>) {
    output.write_fmt(text).and_then(|()| output.flush()).ok();
}

/// A question that nobody answers, and what would answer it.
fn unanswered(message: &str, fields: &[Field<'_>]) -> Error {
    let needed: Vec<String> = fields
        .iter()
        .filter(|field| field.read("").is_err())
        .map(|field| format!("\n  --answer {}=…  {}", field.name, printable(&field.prompt())))
        .collect();
    let needed = if needed.is_empty() { "\n  --answer yes".to_owned() } else { needed.concat() };
    Error::msg(format!("nobody answers the server's question: {message}{needed}\n  --answer no  declines"))
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

    use super::super::given::parse;

    fn asked(given: &[&str], typed: Option<&str>, params: &Value) -> (Result<Value, String>, String) {
        let given: Vec<_> = given.iter().map(|word| parse(word).unwrap()).collect();
        let (given, mut shown) = (Given::new(&given).unwrap(), Vec::new());
        let mut input = typed.map(str::as_bytes);
        let input = input.as_mut().map(|input| input as &mut dyn BufRead);
        let answer = ask(&mut Desk { given: &given, input, output: &mut shown }, params);
        (answer.map_err(|error| error.to_string()), String::from_utf8(shown).unwrap())
    }

    fn answers(params: &Value, typed: &str) -> (Value, String) {
        let (answer, shown) = asked(&[], Some(typed), params);
        (answer.unwrap(), shown)
    }

    fn scripted(given: &[&str], params: &Value) -> Result<Value, String> {
        asked(given, None, params).0
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

    #[test]
    fn a_script_answers_field_by_field_and_the_rest_is_left_out() {
        let content = json!({"action": "accept", "content": {"to": "Oslo", "people": 2}});
        assert_eq!(scripted(&["to=Oslo"], &trip()), Ok(content));
        let error = scripted(&["to=Oslo", "people=many"], &trip()).unwrap_err();
        assert_eq!(error, "--answer people=many: an integer, please");
        assert_eq!(scripted(&["no"], &trip()), Ok(json!({"action": "decline"})));
    }

    #[test]
    fn what_nobody_answers_says_what_would() {
        for given in [vec![], vec!["people=3"], vec!["yes"], vec!["town=Oslo"]] {
            let error = scripted(&given, &trip()).unwrap_err();
            assert!(error.starts_with("nobody answers the server's question: Where to?\n  --answer to=…"), "{error}");
            assert!(!error.contains("people="), "it has a default: {error}");
        }
        assert!(scripted(&[], &json!({"message": "Sure?"})).unwrap_err().contains("--answer yes"));
    }

    #[test]
    fn yes_agrees_and_is_the_answer_to_a_form_that_asks_for_nothing_else() {
        let sure = |more: Value| {
            let mut properties = json!({"sure": {"type": "boolean"}});
            properties.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
            json!({"message": "m", "requestedSchema": {"properties": properties, "required": ["sure"]}})
        };
        let yes = json!({"action": "accept", "content": {"sure": true}});
        assert_eq!(scripted(&["yes"], &sure(json!({}))), Ok(yes));
        assert!(scripted(&["yes"], &sure(json!({"other": {"type": "boolean"}}))).is_err());
        assert_eq!(scripted(&["yes"], &json!({"message": "Sure?"})), Ok(json!({"action": "accept"})));
        let page = json!({"message": "m", "url": "https://x"});
        assert_eq!(scripted(&["no"], &page), Ok(json!({"action": "decline"})));
    }

    #[test]
    fn a_person_is_asked_what_was_not_given() {
        let (answer, shown) = asked(&["to=Oslo"], Some("3\n\n"), &trip());
        assert_eq!(answer.unwrap()["content"], json!({"to": "Oslo", "people": 3}));
        assert!(shown.contains("to: Oslo\n"), "{shown}");
    }
}
