//! Numbers compared exactly: an `i64` bound must not be rounded through `f64` on its way to the check or the schema.

use std::cmp::Ordering;

use serde_json::{Number, Value};

/// 2^53: up to it every integer has an `f64` of its own.
pub(crate) const EXACT: f64 = 9_007_199_254_740_992.0;

/// 2^51: below it an integer that is written as a float is read as itself.
///
/// Up to [`EXACT`] each has an `f64` of its own, but `serde_json` reads a float with an error of up to 2^-52 of its value:
/// `9007199254740991.0` becomes 9007199254740990. An error below one half shows as a fraction, a greater one does not show.
const UNSAFE: f64 = 2_251_799_813_685_248.0;

/// A limit on a number, exact for every integer type of Rust.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Bound {
    /// An integer limit.
    Int(i128),
    /// A limit with a fraction.
    Float(f64),
}

impl Bound {
    /// An integer limit.
    #[cfg(test)]
    #[must_use]
    pub(crate) const fn int(value: i128) -> Self {
        Self::Int(value)
    }

    /// A limit with a fraction.
    #[cfg(test)]
    #[must_use]
    pub(crate) const fn float(value: f64) -> Self {
        Self::Float(value)
    }

    /// Reads a number of JSON text; `None` when the text is not a number.
    pub(crate) fn read(text: &str) -> Option<Self> {
        if !text.starts_with(|c: char| c == '-' || c.is_ascii_digit()) {
            return None;
        }
        let integer = text.parse::<i128>().map(Self::Int).ok();
        integer.or_else(|| text.parse::<f64>().map(Self::Float).ok())
    }

    pub(crate) fn of(number: &Number) -> Option<Self> {
        let signed = number.as_i64().map(i128::from);
        let integer = signed.or_else(|| number.as_u64().map(i128::from));
        integer.map(Self::Int).or_else(|| number.as_f64().map(Self::Float))
    }

    /// As a JSON number; what no JSON number can hold gives `None`.
    pub(crate) fn to_value(self) -> Option<Value> {
        let number = match self {
            Self::Int(value) => {
                i64::try_from(value).map(Number::from).or_else(|_| u64::try_from(value).map(Number::from)).ok()
            }
            Self::Float(value) => Number::from_f64(value),
        };
        number.map(Value::Number)
    }

    /// Compares exactly; `None` only for NaN.
    pub(crate) fn compare(self, other: Self) -> Option<Ordering> {
        match (self, other) {
            (Self::Int(a), Self::Int(b)) => Some(a.cmp(&b)),
            (Self::Float(a), Self::Float(b)) => a.partial_cmp(&b),
            (Self::Int(a), Self::Float(b)) => compare_mixed(a, b),
            (Self::Float(a), Self::Int(b)) => compare_mixed(b, a).map(Ordering::reverse),
        }
    }

    /// Whether this is a whole multiple of `step`, as far as arithmetic can tell.
    pub(crate) fn is_multiple_of(self, step: Self) -> bool {
        match (self, step) {
            (_, Self::Int(0)) => true,
            (Self::Int(a), Self::Int(b)) => a.checked_rem(b).is_none_or(|rest| rest == 0),
            (a, b) => {
                let quotient = a.approximate() / b.approximate();
                !quotient.is_finite() || (quotient - quotient.round()).abs() < 1e-9
            }
        }
    }

    #[expect(clippy::cast_precision_loss, reason = "only the rounding check of `multipleOf` uses it")]
    fn approximate(self) -> f64 {
        match self {
            Self::Int(value) => value as f64,
            Self::Float(value) => value,
        }
    }
}

impl std::fmt::Display for Bound {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Int(value) => value.fmt(f),
            // Nobody counts the zeros.
            Self::Float(value) if value.abs() >= 1e21 => write!(f, "{value:e}"),
            Self::Float(value) => value.fmt(f),
        }
    }
}

#[expect(clippy::cast_possible_truncation, reason = "the value was checked to lie within i128")]
fn compare_mixed(a: i128, b: f64) -> Option<Ordering> {
    const LIMIT: f64 = 170_141_183_460_469_231_731_687_303_715_884_105_728.0;
    if b.is_nan() {
        return None;
    }
    if b >= LIMIT {
        return Some(Ordering::Less);
    }
    if b < -LIMIT {
        return Some(Ordering::Greater);
    }
    let whole = a.cmp(&(b.trunc() as i128));
    Some(whole.then_with(|| 0.0.partial_cmp(&b.fract()).unwrap_or(Ordering::Equal)))
}

/// The integer in the text `30` or `30.0`; one that is written as a float only if no other has the same `f64`.
pub(super) fn integer_text(text: &str) -> Option<&str> {
    let (integer, is_float) = match text.split_once('.') {
        Some((integer, zeros)) if !zeros.is_empty() && zeros.bytes().all(|byte| byte == b'0') => (integer, true),
        Some(_) => return None,
        None => (text, false),
    };
    let digits = integer.strip_prefix('-').unwrap_or(integer);
    let is_integer = !digits.is_empty()
        && digits.bytes().all(|byte| byte.is_ascii_digit())
        && (digits == "0" || !digits.starts_with('0'));
    // From 2^53 on the sender's own float may have been another number.
    let is_safe = || digits.parse::<u64>().is_ok_and(|value| value < 1 << 53);
    // `-0` is a float to serde.
    let integer = if integer == "-0" { "0" } else { integer };
    (is_integer && (!is_float || is_safe())).then_some(integer)
}

/// The integer that `number` writes as a float (`30.0`), when nothing is lost by saying so.
#[expect(clippy::cast_possible_truncation, reason = "the value was checked to be whole and small")]
pub(crate) fn whole(number: &Number) -> Option<Number> {
    let value = number.as_f64()?;
    (value.fract() == 0.0 && value.abs() < UNSAFE).then(|| Number::from(value as i64))
}

/// Whether serde reads this number into an integer type.
pub(crate) fn is_integer(number: &Number) -> bool {
    number.is_i64() || number.is_u64()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn integers_beyond_the_floats_compare_exactly() {
        let big = Bound::Int(9_007_199_254_740_993);
        assert_eq!(big.compare(Bound::Float(9_007_199_254_740_992.0)), Some(Ordering::Greater));
        assert_eq!(Bound::Int(1).compare(Bound::Float(1.5)), Some(Ordering::Less));
        assert_eq!(Bound::Int(-1).compare(Bound::Float(-1.5)), Some(Ordering::Greater));
        assert_eq!(Bound::Float(2.0).compare(Bound::Int(2)), Some(Ordering::Equal));
        assert_eq!(Bound::Int(i128::MAX).compare(Bound::Float(f64::INFINITY)), Some(Ordering::Less));
        assert_eq!(Bound::Int(0).compare(Bound::Float(f64::NAN)), None);
    }

    #[test]
    fn text_is_read_as_json_writes_numbers() {
        assert_eq!(Bound::read("18446744073709551616"), Some(Bound::Int(18_446_744_073_709_551_616)));
        assert_eq!(Bound::read("1.5e1"), Some(Bound::Float(15.0)));
        assert_eq!(Bound::read("\"1\""), None);
        assert_eq!(Bound::read("null"), None);
        assert_eq!(Bound::read("inf"), None);
    }

    #[test]
    fn only_whole_floats_that_lose_nothing_are_integers() {
        let number = |text: &str| serde_json::from_str::<Number>(text).unwrap();
        assert_eq!(whole(&number("30.0")), Some(Number::from(30)));
        assert_eq!(whole(&number("-2e3")), Some(Number::from(-2000)));
        assert_eq!(whole(&number("1.5")), None);
        assert_eq!(whole(&number("900719925474098.0")), Some(Number::from(900_719_925_474_098_i64)));
        for beyond in [
            "9007199254740991.0",
            "9007199254740992.0",
            "9007199254740993.0",
            "-9007199254740993.0",
            "9007199254740994.0",
        ] {
            assert_eq!(whole(&number(beyond)), None, "{beyond}");
        }
        assert_eq!(whole(&number("1e300")), None);
    }

    #[test]
    fn a_text_is_an_integer_to_its_last_digit() {
        for (text, integer) in [
            ("30.0", Some("30")),
            ("-0.0", Some("0")),
            ("-0", Some("0")),
            ("9007199254740991.000", Some("9007199254740991")),
            ("-9007199254740991.0", Some("-9007199254740991")),
            ("18446744073709551615", Some("18446744073709551615")),
            ("9007199254740992.0", None),
            ("9007199254740993.0", None),
            ("2251799813685247.2", None),
            ("007.0", None),
            ("30.", None),
            (".0", None),
            ("-", None),
            ("3e1", None),
        ] {
            assert_eq!(integer_text(text), integer, "{text}");
        }
    }

    #[test]
    fn multiples_are_exact_for_integers() {
        assert!(Bound::Int(9).is_multiple_of(Bound::Int(3)));
        assert!(!Bound::Int(10).is_multiple_of(Bound::Int(3)));
        assert!(Bound::Float(0.3).is_multiple_of(Bound::Float(0.1)));
        assert!(Bound::Int(3).is_multiple_of(Bound::Int(0)));
    }
}
