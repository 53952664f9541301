//! Regular expressions of schemas, compiled once and matched in linear time.

use std::{
    collections::HashMap,
    sync::{Arc, PoisonError, RwLock},
};

use regex_lite::Regex;

/// Why `pattern` cannot be enforced here, if it cannot: it is still shown to clients, which may know more.
#[must_use]
pub(crate) fn pattern_error(pattern: &str) -> Option<String> {
    Regex::new(pattern).err().map(|error| error.to_string())
}

/// Compiles a pattern of a schema; one that does not compile is not enforced.
pub(super) fn compile(pattern: &str) -> Option<Regex> {
    Regex::new(pattern).ok()
}

/// Whether `text` matches a pattern written in an attribute. Such patterns live as long as the program, so each is
/// compiled at its first use and kept.
pub(super) fn matches_static(pattern: &'static str, text: &str) -> bool {
    type Compiled = HashMap<&'static str, Option<Arc<Regex>>>;
    static COMPILED: RwLock<Option<Compiled>> = RwLock::new(None);

    let known = COMPILED.read().unwrap_or_else(PoisonError::into_inner);
    let found = known.as_ref().and_then(|map| map.get(pattern)).cloned();
    drop(known);
    let regex = found.unwrap_or_else(|| {
        let regex = compile(pattern).map(Arc::new);
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
