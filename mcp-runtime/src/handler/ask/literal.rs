//! Whether a literal can be what is filled in already: what is known of it while a program is compiled.

use super::form::{Choice, FieldKind};

impl FieldKind {
    /// Whether a literal is a value of the kind, as far as its first byte, the type of a whole number and the names of choices
    /// tell.
    pub(super) const fn may_be(&self, json: &[u8]) -> bool {
        match (self, json) {
            (Self::Text, [b'"', ..]) | (Self::Bool, [b't' | b'f', ..]) | (Self::Number, [b'-' | b'0'..=b'9', ..]) => {
                true
            }
            (Self::Integer(min, max), digits) => match whole(digits) {
                Some(value) => *min <= value && value <= *max,
                None => false,
            },
            (Self::One(choices), [b'"', name @ .., b'"']) => is_among(choices, name),
            _ => false,
        }
    }
}

/// Whether one of them has this name, as it is in JSON. An escape is not read here.
const fn is_among(mut choices: &[Choice], name: &[u8]) -> bool {
    while let [first, rest @ ..] = choices {
        if is_same(first.value.as_bytes(), name) {
            return true;
        }
        choices = rest;
    }
    has_escape(name)
}

/// A whole number, if it is one and fits.
const fn whole(json: &[u8]) -> Option<i128> {
    let (sign, mut digits) = match json {
        [b'-', digits @ ..] => (-1, digits),
        digits => (1, digits),
    };
    let mut value: i128 = 0;
    while let [digit @ b'0'..=b'9', rest @ ..] = digits {
        let Some(tenfold) = value.checked_mul(10) else { return None };
        let Some(next) = tenfold.checked_add(sign * (*digit - b'0') as i128) else { return None };
        (value, digits) = (next, rest);
    }
    if digits.is_empty() { Some(value) } else { None }
}

const fn is_same(mut one: &[u8], mut other: &[u8]) -> bool {
    while let ([a, rest @ ..], [b, others @ ..]) = (one, other) {
        if *a != *b {
            return false;
        }
        (one, other) = (rest, others);
    }
    one.is_empty() && other.is_empty()
}

const fn has_escape(mut text: &[u8]) -> bool {
    while let [first, rest @ ..] = text {
        if *first == b'\\' {
            return true;
        }
        text = rest;
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_whole_number_is_one_that_its_type_holds() {
        let byte = FieldKind::Integer(0, 255);
        assert!(byte.may_be(b"0") && byte.may_be(b"255"));
        assert!(!byte.may_be(b"256") && !byte.may_be(b"-1") && !byte.may_be(b"1.5") && !byte.may_be(b"\"1\""));
        let widest = FieldKind::Integer(i128::MIN, i128::MAX);
        assert!(widest.may_be(i128::MIN.to_string().as_bytes()) && widest.may_be(i128::MAX.to_string().as_bytes()));
        assert!(!widest.may_be(b"170141183460469231731687303715884105728"));
    }

    #[test]
    fn a_choice_is_one_of_its_names() {
        const CHOICES: &[Choice] = &[Choice::new("first", ""), Choice::new("second", "")];
        let class = FieldKind::One(CHOICES);
        assert!(class.may_be(b"\"second\"") && !class.may_be(b"\"third\"") && !class.may_be(b"1"));
    }
}
