//! The nearest name, for "did you mean".

/// Names longer than this are not compared: the distance is quadratic in them.
const LONGEST: usize = 64;

/// The candidate nearest to `name`, if it is near: edits within a third of its length, a swap counting as one, and
/// neither case nor separators counting (`userId` is near `user_id`).
#[must_use]
pub(crate) fn nearest<'a>(name: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    find(name, &mut candidates.into_iter())
}

fn find<'a>(name: &str, candidates: &mut dyn Iterator<Item = &'a str>) -> Option<&'a str> {
    let wanted = plain(name)?;
    candidates
        .filter(|candidate| *candidate != name)
        .filter_map(|candidate| {
            let known = plain(candidate)?;
            let edits = distance(&wanted, &known);
            let allowed = (wanted.len().max(known.len()) / 3).max(usize::from(wanted.len() > 1));
            (edits <= allowed).then_some((edits, candidate))
        })
        .min_by_key(|(edits, _)| *edits)
        .map(|(_, candidate)| candidate)
}

fn plain(name: &str) -> Option<Vec<char>> {
    let letters = name.chars().filter(|c| !matches!(c, '_' | '-' | '.' | ' '));
    let letters: Vec<char> = letters.flat_map(char::to_lowercase).take(LONGEST + 1).collect();
    (!letters.is_empty() && letters.len() <= LONGEST).then_some(letters)
}

/// Edits between two words, where a swap of neighbours is one edit (optimal string alignment).
fn distance(a: &[char], b: &[char]) -> usize {
    let mut before: Vec<usize> = Vec::new();
    let mut last: Vec<usize> = (0..=b.len()).collect();
    for (row, &x) in a.iter().enumerate() {
        let mut current = vec![row + 1];
        for (column, &y) in b.iter().enumerate() {
            let at = |line: &[usize], index: usize| line.get(index).copied().unwrap_or(usize::MAX / 2);
            let mut edits =
                (at(&last, column) + usize::from(x != y)).min(at(&last, column + 1) + 1).min(at(&current, column) + 1);
            let swapped = row > 0 && column > 0 && a.get(row - 1) == Some(&y) && b.get(column - 1) == Some(&x);
            if swapped {
                edits = edits.min(at(&before, column - 1) + 1);
            }
            current.push(edits);
        }
        before = last;
        last = current;
    }
    last.last().copied().unwrap_or(usize::MAX / 2)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_swap_is_one_edit() {
        assert_eq!(nearest("nmae", ["name", "title"]), Some("name"));
    }

    #[test]
    fn case_and_separators_do_not_count() {
        assert_eq!(nearest("userId", ["user_id", "user"]), Some("user_id"));
    }

    #[test]
    fn far_names_are_not_offered() {
        assert_eq!(nearest("colour", ["size", "weight"]), None);
        assert_eq!(nearest("", ["a"]), None);
        assert_eq!(nearest("x", ["y"]), None);
        assert_eq!(nearest(&"x".repeat(100_000), ["x"]), None);
    }

    #[test]
    fn the_nearest_of_several_wins() {
        assert_eq!(nearest("limits", ["limit", "limited", "list"]), Some("limit"));
    }
}
