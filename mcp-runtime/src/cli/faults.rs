//! What is wrong with a command line, collected in the words in which the server refuses arguments.

use std::fmt::Display;

use crate::handler::error::Error;
use crate::schema::{Violation, nearest};

/// All that is wrong, a line each.
#[derive(Debug, Default)]
pub(super) struct Faults {
    lines: Vec<String>,
    /// Where there is something to mend already, as JSON pointers: what is missing there needs no line of its own.
    told: Vec<String>,
}

/// So many names are listed.
const MOST: usize = 30;

impl Faults {
    pub(super) fn is_empty(&self) -> bool {
        self.lines.is_empty()
    }

    /// An argument has this fault.
    pub(super) fn add(&mut self, name: &str, what: impl Display) {
        let at = pointer(name);
        self.lines.push(format!("{at}: {what}"));
        self.told.push(at);
    }

    /// There is no argument of this name; one of those that are absent may be meant.
    pub(super) fn unknown(&mut self, name: &str, absent: &[&str], known: &[&str]) {
        match nearest(name, absent.iter().copied()) {
            Some(near) => {
                self.add(name, format_args!("unknown argument, did you mean `{near}`?"));
                self.told.push(pointer(near));
            }
            None => self.add(name, format_args!("unknown argument, {}", all(known))),
        }
    }

    /// A word that is no argument.
    pub(super) fn word(&mut self, word: &str) {
        self.lines.push(format!("`{word}` is not an argument: write name=value, name:=JSON or one JSON object"));
    }

    /// Nothing was given for an argument that must be there.
    pub(super) fn missing(&mut self, name: &str) {
        if !self.told.contains(&pointer(name)) {
            self.add(name, "missing");
        }
    }

    /// A value differs from its schema.
    pub(super) fn violation(&mut self, violation: &Violation) {
        if !self.told.iter().any(|told| told == violation.pointer()) {
            self.lines.push(violation.to_string());
        }
    }

    pub(super) fn into_error(self, owner: &str) -> Error {
        Error::msg(format!("the arguments of `{owner}` do not fit:\n- {}", self.lines.join("\n- ")))
    }
}

fn pointer(name: &str) -> String {
    format!("/{}", name.replace('~', "~0").replace('/', "~1"))
}

/// `did you mean …`, or the list.
pub(super) fn alternatives(name: &str, known: &[&str]) -> String {
    nearest(name, known.iter().copied()).map_or_else(|| all(known), |near| format!("did you mean `{near}`?"))
}

/// What there is.
fn all(known: &[&str]) -> String {
    if known.is_empty() {
        return "there are none".to_owned();
    }
    let names: Vec<String> = known.iter().take(MOST).map(|name| format!("`{name}`")).collect();
    let more = if known.len() > MOST { format!(", … ({} in all)", known.len()) } else { String::new() };
    format!("there is {}{more}", names.join(", "))
}
