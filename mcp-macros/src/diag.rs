//! Collects the mistakes of one item, so that its author sees all of them in one run.
//!
//! Also finds the nearest known word for "did you mean".

use std::fmt::Display;

use proc_macro2::{Span, TokenStream};
use quote::ToTokens;

/// The mistakes found so far. Must end in [`Errors::finish`]: forgetting them is a bug that the drop reports.
#[derive(Debug, Default)]
pub(crate) struct Errors {
    mistakes: Vec<syn::Error>,
    is_left: bool,
    is_finished: bool,
}

impl Errors {
    /// No mistakes yet.
    pub(crate) fn new() -> Self {
        Self::default()
    }

    /// Records a mistake at `tokens`: the rule in the first line of the message, the way out in the second.
    pub(crate) fn at(&mut self, tokens: impl ToTokens, message: impl Display) {
        self.mistakes.push(syn::Error::new_spanned(tokens, message));
    }

    /// Records a mistake at a single token's span.
    pub(crate) fn on(&mut self, span: Span, message: impl Display) {
        self.mistakes.push(syn::Error::new(span, message));
    }

    /// Notes a mistake that the compiler reports itself, in the function as it was written.
    pub(crate) fn leave_to_rustc(&mut self) {
        self.is_left = true;
    }

    /// The mistakes in the order of the source, as tokens that make the compiler report them; `None` when there are none.
    pub(crate) fn finish(mut self) -> Option<TokenStream> {
        self.is_finished = true;
        let mut mistakes = std::mem::take(&mut self.mistakes);
        // Before Rust 1.88 the compiler does not tell places, and all of them are equal here.
        mistakes.sort_by_key(|mistake| {
            let start = mistake.span().start();
            (start.line, start.column)
        });
        let is_mistaken = self.is_left || !mistakes.is_empty();
        is_mistaken.then(|| mistakes.iter().map(syn::Error::to_compile_error).collect())
    }
}

impl Drop for Errors {
    fn drop(&mut self) {
        assert!(self.is_finished || std::thread::panicking(), "errors were collected but not reported");
    }
}

/// The known word that `word` was most likely meant to be.
pub(crate) fn nearest<'a>(word: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let wanted = plain(word);
    known
        .into_iter()
        .filter_map(|candidate| {
            let other = plain(candidate);
            let edits = distance(&wanted, &other);
            let is_near = edits * 3 <= wanted.len().max(other.len());
            (is_near || begins_alike(&wanted, &other)).then_some((edits, candidate))
        })
        .min_by_key(|(edits, _)| *edits)
        .map(|(_, candidate)| candidate)
}

/// Lower case, without underscores: `readOnly` and `read_only` are the same word.
fn plain(word: &str) -> Vec<char> {
    word.chars().filter(|c| *c != '_').flat_map(char::to_lowercase).collect()
}

/// Abbreviations (`desc`) and longer forms (`mime_type`).
fn begins_alike(one: &[char], other: &[char]) -> bool {
    one.len().min(other.len()) >= 3 && (one.starts_with(other) || other.starts_with(one))
}

/// Edits between two words; swapping two neighbours is one edit.
fn distance(one: &[char], other: &[char]) -> usize {
    let mut rows = vec![(0..=other.len()).collect::<Vec<_>>()];
    for i in 1..=one.len() {
        let mut row = vec![i];
        for j in 1..=other.len() {
            let is_same = one[i - 1] == other[j - 1];
            let mut least = (rows[i - 1][j] + 1).min(row[j - 1] + 1).min(rows[i - 1][j - 1] + usize::from(!is_same));
            if i > 1 && j > 1 && one[i - 1] == other[j - 2] && one[i - 2] == other[j - 1] {
                least = least.min(rows[i - 2][j - 2] + 1);
            }
            row.push(least);
        }
        rows.push(row);
    }
    rows[one.len()][other.len()]
}

/// Words in backticks, separated by commas.
pub(crate) fn quoted(words: &mut dyn Iterator<Item = &str>) -> String {
    words.into_iter().map(|word| format!("`{word}`")).collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    const KEYS: [&str; 4] = ["name", "title", "description", "read_only"];

    #[test]
    fn a_swap_counts_as_one_edit() {
        assert_eq!(nearest("nmae", KEYS), Some("name"));
    }

    #[test]
    fn a_dropped_letter_and_other_case_are_near() {
        assert_eq!(nearest("desciption", KEYS), Some("description"));
        assert_eq!(nearest("readOnly", KEYS), Some("read_only"));
    }

    #[test]
    fn an_abbreviation_is_near() {
        assert_eq!(nearest("desc", KEYS), Some("description"));
    }

    #[test]
    fn another_word_is_not_near() {
        assert_eq!(nearest("banana", KEYS), None);
        assert_eq!(nearest("x", KEYS), None);
    }

    #[test]
    fn all_mistakes_come_out_together() {
        let mut errors = Errors::new();
        errors.on(Span::call_site(), "one");
        errors.on(Span::call_site(), "two");
        let text = errors.finish().expect("two mistakes").to_string();
        assert!(text.contains("\"one\"") && text.contains("\"two\""), "{text}");
    }
}
