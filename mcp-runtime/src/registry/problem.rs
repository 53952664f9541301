//! What keeps a server from starting: all of it, in the words of the compiler's errors, with the places involved.

use std::fmt;

use super::entry::Location;

/// Why [`Server::build`](crate::Server::build) failed: every problem, not only the first.
///
/// Its `Debug` is meant to be read, so returning it from `main` prints the report.
#[derive(Clone, PartialEq, Eq)]
pub struct BuildError {
    problems: Vec<Problem>,
}

/// One problem.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Problem {
    rule: String,
    places: Vec<(String, Location)>,
    advice: String,
}

impl Problem {
    /// From a text of a rule and, in its next line, the advice.
    pub(crate) fn from_text(who: impl fmt::Display, text: &str) -> Self {
        let (rule, advice) = text.split_once('\n').unwrap_or((text, ""));
        Self::new(format!("{who}: {rule}"), advice)
    }

    /// `rule` says who breaks which rule, `advice` what to do.
    pub(crate) fn new(rule: impl Into<String>, advice: impl Into<String>) -> Self {
        Self { rule: rule.into(), places: Vec::new(), advice: advice.into() }
    }

    /// Adds a place involved, with a word for its part.
    pub(crate) fn at(mut self, part: impl Into<String>, place: Location) -> Self {
        self.places.push((part.into(), place));
        self
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "error: {}", self.rule.replace('\n', "\n       "))?;
        let width = self.places.iter().map(|(part, _)| part.chars().count()).max().unwrap_or_default();
        for (part, place) in &self.places {
            let colon = format!("{part}:");
            write!(f, "\n       {colon:<0$} ", width + 1)?;
            if place.is_attribute() {
                write!(f, "{}  ", place.module)?;
            }
            write!(f, "{place}")?;
        }
        if !self.advice.is_empty() {
            write!(f, "\n       {}", self.advice.replace('\n', "\n       "))?;
        }
        Ok(())
    }
}

impl BuildError {
    /// An error, if there are problems.
    pub(crate) fn check(problems: Vec<Problem>) -> Result<(), Self> {
        if problems.is_empty() { Ok(()) } else { Err(Self { problems }) }
    }

    /// The problems, each as the text that is shown.
    pub fn problems(&self) -> impl Iterator<Item = String> + '_ {
        self.problems.iter().map(ToString::to_string)
    }
}

impl From<Problem> for BuildError {
    fn from(problem: Problem) -> Self {
        Self { problems: vec![problem] }
    }
}

impl fmt::Display for BuildError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the server cannot start")?;
        for problem in &self.problems {
            write!(f, "\n{problem}")?;
        }
        Ok(())
    }
}

impl fmt::Debug for BuildError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl std::error::Error for BuildError {}
