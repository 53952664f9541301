//! What there is to choose from, in a message: all of it while it is little.

use std::borrow::Cow;
use std::fmt::Write as _;

/// At most so many values or names are listed.
const LISTED: usize = 30;

/// At most so many characters of a name that a client made up are repeated.
const SHOWN: usize = 60;

/// `one of a, b`.
pub(crate) fn one_of(values: impl IntoIterator<Item = impl AsRef<str>>) -> String {
    let mut values = values.into_iter();
    let (mut list, mut count) = (String::new(), 0);
    for value in values.by_ref().take(LISTED) {
        if count > 0 {
            list.push_str(", ");
        }
        list.push_str(value.as_ref());
        count += 1;
    }
    let more = values.count();
    if more > 0 {
        let _ = write!(list, ", … ({} in all)", count + more);
    }
    match count {
        0 => "nothing".to_owned(),
        1 => list,
        _ => format!("one of {list}"),
    }
}

/// The same of names, which stand in backticks.
pub(crate) fn one_of_names(names: impl IntoIterator<Item = impl AsRef<str>>) -> String {
    one_of(names.into_iter().map(|name| format!("`{}`", name.as_ref())))
}

/// A name that a client made up, no longer than a message bears.
pub(crate) fn shown(name: &str) -> Cow<'_, str> {
    match name.char_indices().nth(SHOWN) {
        None => Cow::Borrowed(name),
        Some((end, _)) => Cow::Owned(format!("{}…", name.get(..end).unwrap_or_default())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn much_is_listed_in_part_and_counted() {
        assert_eq!(one_of([""; 0]), "nothing");
        assert_eq!(one_of(["1"]), "1");
        assert_eq!(one_of_names(["a", "b"]), "one of `a`, `b`");
        let many: Vec<String> = (0..100_000).map(|number| number.to_string()).collect();
        let listed = one_of(&many);
        assert!(listed.starts_with("one of 0, 1, ") && listed.ends_with("28, 29, … (100000 in all)"), "{listed}");
    }

    #[test]
    fn a_long_name_is_cut_between_characters() {
        assert_eq!(shown("é"), "é");
        assert_eq!(shown(&"é".repeat(1000)), format!("{}…", "é".repeat(60)));
    }
}
