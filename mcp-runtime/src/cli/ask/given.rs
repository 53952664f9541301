//! Answers given on the command line, for scripts and for whoever knows the question.

use std::collections::BTreeSet;
use std::sync::{Mutex, PoisonError};

use crate::handler::error::{Error, Result};

/// What one `--answer` says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Answer {
    /// The value of a field, in every form that has it.
    Field(String, String),
    /// Agrees to what needs nothing filled in.
    Yes,
    /// Declines what is not answered otherwise.
    No,
}

/// `field=value`, `yes` or `no`
pub(crate) fn parse(word: &str) -> Result<Answer, String> {
    match (word, word.split_once('=')) {
        (_, Some((field, value))) if !field.is_empty() => Ok(Answer::Field(field.to_owned(), value.to_owned())),
        ("yes", _) => Ok(Answer::Yes),
        ("no" | "/decline", _) => Ok(Answer::No),
        _ => Err("write FIELD=VALUE, yes or no".to_owned()),
    }
}

/// All answers of a command line.
#[derive(Debug, Default)]
pub(super) struct Given {
    fields: Vec<(String, String)>,
    /// The answer to what asks for nothing else.
    rest: Option<Consent>,
    used: Mutex<BTreeSet<String>>,
}

/// A plain answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Consent {
    Yes,
    No,
}

impl Given {
    pub(super) fn new(answers: &[Answer]) -> Result<Self> {
        let mut given = Self::default();
        for answer in answers {
            match answer {
                Answer::Field(field, _) if given.has(field) => {
                    return Err(Error::msg(format!(
                        "--answer {field}=… stands there twice: several values take commas"
                    )));
                }
                Answer::Field(field, value) => given.fields.push((field.clone(), value.clone())),
                Answer::Yes => given.consent(Consent::Yes)?,
                Answer::No => given.consent(Consent::No)?,
            }
        }
        Ok(given)
    }

    fn consent(&mut self, consent: Consent) -> Result<()> {
        match self.rest.replace(consent) {
            Some(before) if before != consent => Err(Error::msg("--answer yes and --answer no exclude each other")),
            _ => Ok(()),
        }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.fields.is_empty() && self.rest.is_none()
    }

    pub(super) const fn rest(&self) -> Option<Consent> {
        self.rest
    }

    pub(super) fn has(&self, field: &str) -> bool {
        self.fields.iter().any(|(name, _)| name == field)
    }

    /// The answer for a field.
    pub(super) fn field(&self, field: &str) -> Option<&str> {
        let (name, value) = self.fields.iter().find(|(name, _)| name == field)?;
        self.used.lock().unwrap_or_else(PoisonError::into_inner).insert(name.clone());
        Some(value)
    }

    /// Fields that no question had.
    pub(super) fn unused(&self) -> Vec<&str> {
        let used = self.used.lock().unwrap_or_else(PoisonError::into_inner);
        self.fields.iter().map(|(name, _)| name.as_str()).filter(|name| !used.contains(*name)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_answer_is_a_field_or_a_word() {
        assert_eq!(parse("to=a=b"), Ok(Answer::Field("to".into(), "a=b".into())));
        assert_eq!(parse("text="), Ok(Answer::Field("text".into(), String::new())));
        assert_eq!(parse("yes"), Ok(Answer::Yes));
        assert_eq!(parse("/decline"), Ok(Answer::No));
        assert!(parse("maybe").is_err() && parse("=x").is_err() && parse("").is_err());
    }

    #[test]
    fn answers_that_contradict_each_other_are_refused() {
        let field = |value: &str| Answer::Field("to".into(), value.into());
        assert!(Given::new(&[field("a"), field("b")]).is_err());
        assert!(Given::new(&[Answer::Yes, Answer::No]).is_err());
        assert!(Given::new(&[Answer::Yes, Answer::Yes, field("a")]).is_ok());
    }

    #[test]
    fn what_no_question_had_is_known() {
        let given = Given::new(&[parse("a=1").unwrap(), parse("b=2").unwrap()]).unwrap();
        assert_eq!(given.field("b"), Some("2"));
        assert_eq!(given.unused(), ["a"]);
    }
}
