//! Regular expressions of schemas, compiled once and matched in linear time.
//!
//! Whoever has a pattern carries a pointer to what reads it, so that a program without patterns links no engine.

use std::{
    collections::HashMap,
    fmt,
    sync::{Arc, PoisonError, RwLock},
};

use regex_lite::Regex;

/// Compiles a pattern of a schema; one that does not compile is not enforced.
pub(super) type CompilePattern = fn(&str) -> Option<Pattern>;

/// A pattern of a schema.
pub(super) struct Pattern {
    pub(super) text: String,
    matches: Box<dyn Fn(&str) -> bool + Send + Sync>,
}

impl Pattern {
    pub(super) fn is_match(&self, text: &str) -> bool {
        (self.matches)(text)
    }
}

impl fmt::Debug for Pattern {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Pattern").field(&self.text).finish()
    }
}

/// A [`CompilePattern`].
pub(super) fn compile(pattern: &str) -> Option<Pattern> {
    let regex = Regex::new(pattern).ok()?;
    Some(Pattern { text: pattern.to_owned(), matches: Box::new(move |text| regex.is_match(text)) })
}

/// Why `pattern` cannot be enforced here, if it cannot, and what to do.
#[must_use]
pub(super) fn pattern_error(pattern: &str) -> Option<String> {
    let error = Regex::new(pattern).err()?;
    Some(format!(
        "`pattern` `{pattern}` cannot be enforced: {error}\n\
         write it in the syntax of the crate regex-lite, or leave it out and check the text in the body"
    ))
}

/// A pattern that is written in an attribute.
#[derive(Clone, Copy, Debug)]
pub(super) struct StaticPattern {
    pub(super) text: &'static str,
    matches: fn(&'static str, &str) -> bool,
    error: fn(&str) -> Option<String>,
}

impl StaticPattern {
    pub(super) const fn new(text: &'static str) -> Self {
        Self { text, matches: matches_static, error: pattern_error }
    }

    pub(super) fn is_match(&self, text: &str) -> bool {
        (self.matches)(self.text, text)
    }

    /// Why it is not enforced, if it is not.
    pub(super) fn error(&self) -> Option<String> {
        (self.error)(self.text)
    }
}

impl PartialEq for StaticPattern {
    fn eq(&self, other: &Self) -> bool {
        self.text == other.text
    }
}

/// Whether `text` matches a pattern written in an attribute. Such patterns live as long as the program, so each is
/// compiled at its first use and kept.
fn matches_static(pattern: &'static str, text: &str) -> bool {
    type Compiled = HashMap<&'static str, Option<Arc<Regex>>>;
    static COMPILED: RwLock<Option<Compiled>> = RwLock::new(None);

    let known = COMPILED.read().unwrap_or_else(PoisonError::into_inner);
    let found = known.as_ref().and_then(|map| map.get(pattern)).cloned();
    drop(known);
    let regex = found.unwrap_or_else(|| {
        let regex = Regex::new(pattern).ok().map(Arc::new);
        let mut known = COMPILED.write().unwrap_or_else(PoisonError::into_inner);
        known.get_or_insert_default().insert(pattern, regex.clone());
        regex
    });
    regex.is_none_or(|regex| regex.is_match(text))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pattern_is_searched_for_unless_it_is_anchored() {
        assert!(matches_static("b+", "abbc"));
        assert!(!matches_static("^b+$", "abbc"));
        assert!(matches_static("^b+$", "bbb"));
    }

    #[test]
    fn a_pattern_that_does_not_compile_refuses_nothing_and_is_reported() {
        assert!(matches_static("(?=lookahead)", "anything"));
        assert!(pattern_error("(?=lookahead)").is_some());
        assert_eq!(pattern_error("^[a-z]+$"), None);
    }
}
