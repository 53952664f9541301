//! Texts with a grammar of their own: names, durations, rates, icons, patterns.
//!
//! Pure string code. The runtime reads them again where they come from a constant; here only literals are seen.

/// Whether a tool's name is one that every client takes.
pub(crate) fn is_portable_name(name: &str) -> bool {
    is_name(name, "_-")
}

/// Whether a tool's name is one that the specification allows.
pub(crate) fn is_spec_name(name: &str) -> bool {
    is_name(name, "_-./")
}

fn is_name(name: &str, others: &str) -> bool {
    (1..=64).contains(&name.len()) && name.chars().all(|c| c.is_ascii_alphanumeric() || others.contains(c))
}

/// Whether text is a duration such as `30s`, in milliseconds: `None` when it is none.
pub(crate) fn milliseconds(text: &str) -> Option<u64> {
    let digits = text.len() - text.trim_start_matches(|c: char| c.is_ascii_digit()).len();
    let (count, unit) = text.split_at_checked(digits)?;
    let factor = match unit {
        "ms" => 1,
        "s" => 1_000,
        "m" => 60_000,
        "h" => 3_600_000,
        _ => return None,
    };
    count.parse::<u64>().ok()?.checked_mul(factor)
}

/// Whether text is a duration but for its number, which is too large.
pub(crate) fn is_endless(text: &str) -> bool {
    let unit = text.trim_start_matches(|c: char| c.is_ascii_digit());
    unit.len() < text.len() && ["ms", "s", "m", "h"].contains(&unit) && milliseconds(text).is_none()
}

/// Whether text is a rate such as `10/s`.
pub(crate) fn is_rate(text: &str) -> bool {
    text.split_once('/').is_some_and(|(count, unit)| {
        let is_count = count.bytes().all(|b| b.is_ascii_digit()) && count.parse::<u32>().is_ok_and(|count| count > 0);
        is_count && matches!(unit, "s" | "m" | "h")
    })
}

/// Whether clients show an icon from this address.
pub(crate) fn is_icon(text: &str) -> bool {
    ["https://", "http://", "data:"].iter().any(|scheme| text.starts_with(scheme))
}

/// Whether text is a media type, as far as its shape tells.
pub(crate) fn is_mime(text: &str) -> bool {
    text.split_once('/').is_some_and(|(kind, rest)| {
        let is_kind = !kind.is_empty() && kind.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'-');
        is_kind && rest.starts_with(|c: char| c.is_ascii_alphanumeric())
    })
}

/// Whether text can be a part of an HTTP header's name (a token of RFC 9110).
pub(crate) fn is_token(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|b| b.is_ascii_alphanumeric() || b"!#$%&'*+-.^_`|~".contains(&b))
}

/// What is wrong with a regular expression, as far as its brackets tell. The runtime compiles it when the server is built.
pub(crate) fn pattern_fault(pattern: &str) -> Option<&'static str> {
    let mut open = 0_usize;
    let mut rest = pattern;
    // Whether there is something that `*` could repeat.
    let mut is_repeatable = false;
    while let Some(c) = rest.chars().next() {
        rest = rest.get(c.len_utf8()..)?;
        match c {
            '\\' => match rest.chars().next() {
                None => return Some("ends in `\\`"),
                Some('1'..='9') => return Some("refers back to a group, which is not supported"),
                Some(escaped) => rest = rest.get(escaped.len_utf8()..)?,
            },
            '[' => match class_end(rest) {
                Some(end) => rest = rest.get(end..)?,
                None => return Some("has a `[` that is not closed"),
            },
            '(' if ["?=", "?!", "?<=", "?<!"].iter().any(|look| rest.starts_with(look)) => {
                return Some("looks ahead or behind, which is not supported");
            }
            '(' => {
                open += 1;
                rest = rest.strip_prefix('?').unwrap_or(rest);
            }
            ')' if open == 0 => return Some("has a `)` that closes nothing"),
            ')' => open -= 1,
            '*' | '+' | '?' if !is_repeatable => return Some("repeats nothing"),
            _ => {}
        }
        is_repeatable = !matches!(c, '(' | '|');
    }
    (open > 0).then_some("has a `(` that is not closed")
}

/// Where a bracketed class ends. A `]` that comes first is one of its characters.
fn class_end(rest: &str) -> Option<usize> {
    let mut is_escaped = false;
    let first = usize::from(rest.starts_with('^'));
    for (at, c) in rest.char_indices().skip(first) {
        match c {
            _ if is_escaped => is_escaped = false,
            '\\' => is_escaped = true,
            ']' if at > first => return Some(at + 1),
            _ => {}
        }
    }
    None
}

/// Whether a text is of a form's `format`, as far as one sees at a glance; what is no format is reported elsewhere.
pub(crate) fn is_format(format: &str, text: &str) -> bool {
    let is_date = |text: &str| {
        let parts: Vec<&str> = text.split('-').collect();
        let lengths: Vec<usize> = parts.iter().map(|part| part.len()).collect();
        lengths == [4, 2, 2] && parts.iter().all(|part| part.bytes().all(|byte| byte.is_ascii_digit()))
    };
    match format {
        "email" => text
            .split_once('@')
            .is_some_and(|(name, host)| !name.is_empty() && !host.is_empty() && !text.contains(char::is_whitespace)),
        "uri" => text
            .split_once(':')
            .is_some_and(|(scheme, rest)| scheme.starts_with(|c: char| c.is_ascii_alphabetic()) && !rest.is_empty()),
        "date" => is_date(text),
        "date-time" => text.split_once(['T', 't', ' ']).is_some_and(|(date, time)| is_date(date) && !time.is_empty()),
        _ => true,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_have_up_to_64_plain_characters() {
        assert!(is_portable_name("add_numbers-2") && !is_portable_name("a.b") && is_spec_name("a.b/c"));
        assert!(is_portable_name(&"a".repeat(64)) && !is_portable_name(&"a".repeat(65)));
        assert!(!is_portable_name("") && !is_spec_name("größe") && !is_spec_name("a b"));
    }

    #[test]
    fn durations_need_a_unit() {
        assert_eq!(milliseconds("30s"), Some(30_000));
        assert_eq!(milliseconds("500ms"), Some(500));
        assert_eq!(milliseconds("2h"), Some(7_200_000));
        for text in ["30", "s", "", "-1s", "1.5s", "30 s", "99999999999999999999s", "1é"] {
            assert_eq!(milliseconds(text), None, "{text}");
            assert_eq!(is_endless(text), text.len() > 10, "{text}");
        }
    }

    #[test]
    fn rates_are_a_count_and_a_unit() {
        assert!(is_rate("10/s") && is_rate("100/m") && is_rate("5/h"));
        assert!(!["10", "0/s", "/s", "10/d", "+1/s", "10/ s"].iter().any(|text| is_rate(text)));
    }

    #[test]
    fn media_types_have_two_halves() {
        assert!(is_mime("text/markdown; charset=utf-8") && is_mime("image/svg+xml"));
        assert!(!is_mime("markdown") && !is_mime("/plain") && !is_mime("text/"));
    }

    #[test]
    fn broken_patterns_are_named() {
        assert_eq!(pattern_fault("(a"), Some("has a `(` that is not closed"));
        assert_eq!(pattern_fault("a)"), Some("has a `)` that closes nothing"));
        assert_eq!(pattern_fault("[a-z"), Some("has a `[` that is not closed"));
        assert_eq!(pattern_fault("*a"), Some("repeats nothing"));
        assert_eq!(pattern_fault("a|+"), Some("repeats nothing"));
        assert_eq!(pattern_fault("a\\"), Some("ends in `\\`"));
        assert_eq!(pattern_fault(r"(?=a)"), Some("looks ahead or behind, which is not supported"));
        assert_eq!(pattern_fault(r"(a)\1"), Some("refers back to a group, which is not supported"));
    }

    #[test]
    fn sound_patterns_pass() {
        for pattern in
            [r"^[a-z]{2,3}$", r"[]a]+", r"[^\]]*?", r"(?:a|b)+", r"\(\d+\)", "", "é*", r"^(?P<y>\d{4})-(?<m>\d\d)$"]
        {
            assert_eq!(pattern_fault(pattern), None, "{pattern}");
        }
    }
}
