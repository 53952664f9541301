//! One way in which a value differs from its schema, in words from which a model can correct itself.

use std::fmt::{self, Write as _};

use serde_json::Value;

use super::{nearest, one_of};

/// At most this much of a refused value is repeated in a message.
const SHOWN: usize = 60;

/// What is wrong with one place of a value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Violation {
    pointer: String,
    expected: String,
    got: Option<String>,
    allowed: Vec<String>,
    fault: Fault,
}

/// The kind of a violation: unions use it to tell a wrong branch from a wrong value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Fault {
    Type,
    Value,
    Missing,
    Unknown,
    Limit,
    Syntax,
}

impl Violation {
    pub(super) fn new(pointer: &str, fault: Fault, expected: impl Into<String>, got: &Value) -> Self {
        Self {
            pointer: pointer.to_owned(),
            expected: expected.into(),
            got: Some(shorten(got)),
            allowed: Vec::new(),
            fault,
        }
    }

    pub(super) fn missing(pointer: String, expected: String, allowed: Vec<String>) -> Self {
        Self { pointer, expected, got: None, allowed, fault: Fault::Missing }
    }

    pub(super) fn not_allowed(pointer: &str, allowed: Vec<String>, got: &Value) -> Self {
        let expected = one_of(&allowed);
        Self { allowed, ..Self::new(pointer, Fault::Value, expected, got) }
    }

    pub(super) fn unknown(pointer: &str, known: Vec<String>, got: &Value) -> Self {
        let expected = if known.is_empty() { "no fields".to_owned() } else { one_of(&known) };
        Self { allowed: known, ..Self::new(pointer, Fault::Unknown, expected, got) }
    }

    pub(super) fn text(pointer: &str, fault: Fault, expected: impl Into<String>, got: &str) -> Self {
        Self {
            pointer: pointer.to_owned(),
            expected: expected.into(),
            got: Some(shorten_text(got)),
            allowed: Vec::new(),
            fault,
        }
    }

    pub(super) fn duplicate(pointer: String) -> Self {
        Self {
            pointer,
            expected: "each key once".to_owned(),
            got: Some("it twice".to_owned()),
            allowed: Vec::new(),
            fault: Fault::Syntax,
        }
    }

    pub(super) fn not_json(text: &str, error: &serde_json::Error) -> Self {
        // What is JSON by its grammar alone: a reader of messages lets it pass.
        let expected = match error.to_string() {
            why if why.starts_with("recursion limit") => "at most 128 levels of nesting",
            why if why.starts_with("number out of range") => "numbers below 1.8e308",
            why if why.contains("hex escape") => "text without half a character (`\\ud800` to `\\udfff` alone)",
            _ => "JSON",
        };
        Self::text("", Fault::Syntax, expected, text)
    }

    /// Where: a JSON pointer (RFC 6901) from the value that was checked.
    #[must_use]
    pub(crate) fn pointer(&self) -> &str {
        &self.pointer
    }

    /// What the schema asks for there; empty when it only asks that something is there.
    #[must_use]
    pub(crate) fn expected(&self) -> &str {
        &self.expected
    }

    /// The values (or, for an unknown field, the names) that would be accepted, when they are a closed set.
    #[must_use]
    pub(crate) fn allowed(&self) -> &[String] {
        &self.allowed
    }

    /// The same violation seen from further up: `prefix` is the JSON pointer of the value that was checked.
    #[must_use]
    pub(crate) fn under(mut self, prefix: &str) -> Self {
        self.pointer.insert_str(0, prefix);
        self
    }

    pub(super) const fn fault(&self) -> Fault {
        self.fault
    }

    /// Widens the choice, when several branches of a union expect different values at one place.
    pub(super) fn allow_also(&mut self, more: &[String]) {
        for value in more {
            if !self.allowed.contains(value) {
                self.allowed.push(value.clone());
            }
        }
        self.expected = one_of(&self.allowed);
    }

    fn suggestion(&self) -> Option<String> {
        let names = self.allowed.iter().map(String::as_str);
        match self.fault {
            Fault::Unknown => {
                let name = self.pointer.rsplit('/').next()?;
                nearest(name, names).map(|near| format!("`{near}`"))
            }
            Fault::Value => nearest(self.got.as_deref()?, names).map(str::to_owned),
            _ => None,
        }
    }
}

impl fmt::Display for Violation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if !self.pointer.is_empty() {
            write!(f, "{}: ", self.pointer)?;
        }
        match (&self.got, self.fault) {
            (_, Fault::Unknown) => write!(f, "unknown, expected {}", self.expected)?,
            (None, _) if self.expected.is_empty() => f.write_str("missing")?,
            (None, _) => write!(f, "missing, expected {}", self.expected)?,
            (Some(got), _) => write!(f, "expected {}, got {got}", self.expected)?,
        }
        match self.suggestion() {
            Some(near) => write!(f, " (did you mean {near}?)"),
            None => Ok(()),
        }
    }
}

/// The JSON text of a value, cut; the whole of a large value is never written out.
pub(super) fn shorten(value: &Value) -> String {
    let mut start = Start(Vec::with_capacity(SHOWN));
    let whole = write!(start, "{value}").is_ok();
    let text = String::from_utf8_lossy(&start.0);
    if whole { text.into_owned() } else { cut(&text) }
}

fn shorten_text(text: &str) -> String {
    let text = text.trim();
    if text.len() <= SHOWN {
        return text.to_owned();
    }
    let end = (0..=SHOWN).rev().find(|end| text.is_char_boundary(*end)).unwrap_or(0);
    cut(text.get(..end).unwrap_or_default())
}

fn cut(text: &str) -> String {
    format!("{}…", text.trim_end_matches('\u{fffd}'))
}

/// A writer that is full after the first bytes.
struct Start(Vec<u8>);

impl fmt::Write for Start {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        let room = SHOWN.saturating_sub(self.0.len());
        self.0.extend(text.bytes().take(room));
        if text.len() > room { Err(fmt::Error) } else { Ok(()) }
    }
}

/// Appends an array index to a JSON pointer.
pub(super) fn push_step(pointer: &mut String, index: usize) {
    let _ = write!(pointer, "/{index}");
}

/// Appends a key to a JSON pointer, escaped.
pub(super) fn push_step_text(pointer: &mut String, key: &str) {
    pointer.push('/');
    if key.contains(['~', '/']) {
        pointer.push_str(&key.replace('~', "~0").replace('/', "~1"));
    } else {
        pointer.push_str(key);
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn it_reads_as_a_sentence() {
        let wrong = Violation::new("/age", Fault::Type, "an integer", &json!("abc"));
        assert_eq!(wrong.to_string(), r#"/age: expected an integer, got "abc""#);
        let missing = Violation::missing("/name".into(), "a string".into(), vec![]);
        assert_eq!(missing.to_string(), "/name: missing, expected a string");
        let root = Violation::new("", Fault::Type, "an object", &json!(1));
        assert_eq!(root.under("").to_string(), "expected an object, got 1");
    }

    #[test]
    fn a_near_value_or_name_is_suggested() {
        let allowed = vec!["\"fast\"".to_owned(), "\"slow\"".to_owned()];
        let value = Violation::not_allowed("/mode", allowed, &json!("fsat"));
        assert_eq!(value.to_string(), r#"/mode: expected one of "fast", "slow", got "fsat" (did you mean "fast"?)"#);
        let name = Violation::unknown("/colour", vec!["color".into()], &json!(1));
        assert_eq!(name.to_string(), "/colour: unknown, expected color (did you mean `color`?)");
    }

    #[test]
    fn a_long_value_is_cut_between_characters() {
        let long = json!("ä".repeat(1000));
        let text = shorten(&long);
        assert!(text.ends_with('…') && text.len() < 70, "{text}");
        assert!(shorten_text(&"ä".repeat(1000)).ends_with("ä…"));
        assert_eq!(shorten(&json!({"a": 1})), r#"{"a":1}"#);
    }
}
