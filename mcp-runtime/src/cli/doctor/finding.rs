//! What the doctor says: rules with codes, and where they are broken.

use std::fmt;

use serde_json::{Value, json};

use super::{build, names, schemas, sizes, texts};
use crate::cli::definitions::Definition;
use crate::registry::entry::Location;

/// How bad it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Level {
    /// Some client loses the tool, or the server does not work.
    Error,
    /// Some client or model does worse than it could.
    Warning,
    /// Worth knowing.
    Note,
}

impl Level {
    pub(super) const fn as_str(self) -> &'static str {
        match self {
            Self::Error => "error",
            Self::Warning => "warning",
            Self::Note => "note",
        }
    }
}

/// A rule.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Rule {
    pub(super) code: &'static str,
    pub(super) level: Level,
    pub(super) about: &'static str,
}

impl Rule {
    pub(super) const fn new(code: &'static str, level: Level, about: &'static str) -> Self {
        Self { code, level, about }
    }
}

/// Every rule, in the order of the codes.
pub(super) const RULES: [&Rule; 26] = [
    &build::CANNOT_START,
    &texts::TOOL_WITHOUT,
    &texts::PROMPT_WITHOUT,
    &texts::RESOURCE_WITHOUT,
    &texts::ARGUMENT_WITHOUT,
    &texts::TOO_LONG,
    &texts::CUT,
    &names::NOT_PORTABLE,
    &names::TOO_LONG,
    &names::NOT_FOR_CURSOR,
    &names::ARGUMENT,
    &names::META,
    &schemas::ROOT,
    &schemas::BOOLEAN,
    &schemas::NO_ITEMS,
    &schemas::SEVERAL_TYPES,
    &schemas::NO_TYPE,
    &schemas::ADDITIONAL,
    &schemas::FORMAT,
    &schemas::OUTPUT,
    &sizes::TOO_MANY,
    &sizes::MANY,
    &sizes::COSTLY,
    &sizes::PAGES,
    &build::ABORTS,
    &build::NO_KEY,
];

/// A rule that is broken.
#[derive(Debug)]
pub(super) struct Finding {
    pub(super) rule: &'static Rule,
    at: Option<Location>,
    text: String,
    advice: String,
}

impl Finding {
    pub(super) fn to_json(&self) -> Value {
        json!({
            "code": self.rule.code,
            "level": self.rule.level.as_str(),
            "text": self.text,
            "advice": self.advice,
            "at": self.at.map(|at| at.to_string()),
        })
    }
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}[{}]: {}", self.rule.level.as_str(), self.rule.code, self.text)?;
        if let Some(at) = self.at {
            write!(f, "\n  {at}")?;
        }
        for line in self.advice.lines() {
            write!(f, "\n  {line}")?;
        }
        Ok(())
    }
}

/// All of them.
#[derive(Debug, Default)]
pub(super) struct Findings(Vec<Finding>);

impl Findings {
    /// Adds one; `at` is the definition it is about.
    pub(super) fn add(
        &mut self,
        rule: &'static Rule,
        at: Option<&Definition>,
        text: impl Into<String>,
        advice: impl Into<String>,
    ) {
        let at = at.and_then(|definition| definition.at);
        self.0.push(Finding { rule, at, text: text.into(), advice: advice.into() });
    }

    /// The worst first.
    pub(super) fn sorted(mut self) -> Vec<Finding> {
        self.0.sort_by_key(|finding| (finding.rule.level, finding.rule.code));
        self.0
    }

    #[cfg(test)]
    pub(super) fn codes(&self) -> Vec<&'static str> {
        self.0.iter().map(|finding| finding.rule.code).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_code_is_there_once_and_in_order() {
        assert!(RULES.windows(2).all(|pair| pair[0].code < pair[1].code));
    }
}
