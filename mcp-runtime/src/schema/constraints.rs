//! The constraints that an attribute puts on one parameter: shown in its schema and checked on every call.
//!
//! They are checked on the JSON text of the argument, before it is decoded and without building a tree for it.

use std::borrow::Cow;

use serde::de::{Deserializer, IgnoredAny, SeqAccess, Visitor};
use serde_json::Value;

use super::{
    SchemaError,
    describe::Describe,
    graph::Size,
    number::Bound,
    pattern::StaticPattern,
    text,
    violation::{Fault, Violation},
    walk,
};

/// Limits on one parameter.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Constraints {
    min: Option<Bound>,
    max: Option<Bound>,
    min_length: Option<u64>,
    max_length: Option<u64>,
    pattern: Option<StaticPattern>,
}

impl Constraints {
    /// No limits.
    pub const NONE: Self = Self { min: None, max: None, min_length: None, max_length: None, pattern: None };

    /// No limits yet.
    #[cfg(test)]
    #[must_use]
    pub(crate) const fn new() -> Self {
        Self::NONE
    }

    /// The smallest number allowed.
    #[must_use]
    pub(crate) const fn min(mut self, bound: Bound) -> Self {
        self.min = Some(bound);
        self
    }

    /// The largest number allowed.
    #[must_use]
    pub(crate) const fn max(mut self, bound: Bound) -> Self {
        self.max = Some(bound);
        self
    }

    /// The least, a whole number.
    #[must_use]
    pub const fn min_int(self, min: i128) -> Self {
        self.min(Bound::Int(min))
    }

    /// The most, a whole number.
    #[must_use]
    pub const fn max_int(self, max: i128) -> Self {
        self.max(Bound::Int(max))
    }

    /// The least.
    #[must_use]
    pub const fn min_float(self, min: f64) -> Self {
        self.min(Bound::Float(min))
    }

    /// The most.
    #[must_use]
    pub const fn max_float(self, max: f64) -> Self {
        self.max(Bound::Float(max))
    }

    /// The fewest characters of a string, or items of an array.
    #[must_use]
    pub const fn min_length(mut self, length: u64) -> Self {
        self.min_length = Some(length);
        self
    }

    /// The most characters of a string, or items of an array.
    #[must_use]
    pub const fn max_length(mut self, length: u64) -> Self {
        self.max_length = Some(length);
        self
    }

    /// A regular expression that is found in the string.
    #[must_use]
    pub const fn pattern(mut self, pattern: &'static str) -> Self {
        self.pattern = Some(StaticPattern::new(pattern));
        self
    }

    /// Limits a number to what `f32` holds, where nothing else does: serde would make it infinite without a word.
    #[must_use]
    pub(crate) fn within_single(mut self) -> Self {
        self.min.get_or_insert(Bound::Float(f32::MIN.into()));
        self.max.get_or_insert(Bound::Float(f32::MAX.into()));
        self
    }

    /// Whether nothing is limited.
    #[must_use]
    pub(crate) const fn is_empty(&self) -> bool {
        self.min.is_none()
            && self.max.is_none()
            && self.min_length.is_none()
            && self.max_length.is_none()
            && self.pattern.is_none()
    }

    /// What is shown to clients but not enforced.
    pub(super) fn warning(&self) -> Option<String> {
        self.pattern.and_then(|pattern| pattern.error())
    }

    /// Checks an argument, given as the JSON text that serde also reads. `null`, and values of types that a constraint
    /// is not about, pass. A violation says everything that is asked for, not only the limit that was hit.
    #[must_use]
    #[inline]
    pub(crate) fn check(&self, raw: &str) -> Option<Violation> {
        if self.is_empty() { None } else { self.check_text(raw.trim_ascii()) }
    }

    fn check_text(&self, raw: &str) -> Option<Violation> {
        let kept = match raw.bytes().next()? {
            b'"' => self.keeps_string(raw),
            b'[' => self.length().is_none_or(|size| count_items(raw).is_none_or(|count| walk::holds(size, count))),
            _ => Bound::read(raw).is_none_or(|number| self.keeps_number(number)),
        };
        (!kept).then(|| Violation::text("", Fault::Limit, self.describe(raw), raw))
    }

    fn keeps_number(&self, number: Bound) -> bool {
        let at_least = |a: Bound, b: Bound| a.compare(b).is_some_and(std::cmp::Ordering::is_ge);
        self.min.is_none_or(|min| at_least(number, min)) && self.max.is_none_or(|max| at_least(max, number))
    }

    fn keeps_string(&self, raw: &str) -> bool {
        if self.length().is_none() && self.pattern.is_none() {
            return true;
        }
        let inner = raw.strip_prefix('"').and_then(|rest| rest.strip_suffix('"')).unwrap_or(raw);
        let text = if inner.contains('\\') {
            let Ok(text) = serde_json::from_str::<String>(raw) else {
                return true;
            };
            Cow::Owned(text)
        } else {
            Cow::Borrowed(inner)
        };
        self.length().is_none_or(|size| walk::holds(size, text.chars().count()))
            && self.pattern.is_none_or(|pattern| pattern.is_match(&text))
    }

    fn length(&self) -> Option<Size> {
        let size = Size { min: self.min_length, max: self.max_length };
        (size.min.is_some() || size.max.is_some()).then_some(size)
    }

    fn describe(&self, raw: &str) -> String {
        if raw.starts_with('[') {
            return text::count(self.length().unwrap_or_default(), "an array of", "item");
        }
        if !raw.starts_with('"') {
            return match (self.min, self.max) {
                (Some(min), Some(max)) => format!("a number from {min} to {max}"),
                (Some(min), None) => format!("a number of at least {min}"),
                (_, max) => format!("a number of at most {}", max.unwrap_or(Bound::Int(0))),
            };
        }
        let length = self.length().map(|size| text::count(size, "a string of", "character"));
        match (length, self.pattern.map(|pattern| pattern.text)) {
            (Some(length), Some(pattern)) => format!("{length} that matches `{pattern}`"),
            (Some(length), None) => length,
            (None, pattern) => format!("a string that matches `{}`", pattern.unwrap_or_default()),
        }
    }

    /// Writes the limits into the schema of the parameter.
    pub(super) fn apply(&self, name: &str, schema: &mut dyn Describe<'_>) -> Result<(), SchemaError> {
        if self.is_empty() {
            return Ok(());
        }
        let number = |bound: Option<Bound>| bound.and_then(Bound::to_value);
        let limits = [
            ("range", "number", "minimum", number(self.min)),
            ("range", "number", "maximum", number(self.max)),
            ("length", "string", "minLength", self.min_length.map(Value::from)),
            ("length", "string", "maxLength", self.max_length.map(Value::from)),
            ("pattern", "string", "pattern", self.pattern.map(|pattern| pattern.text.into())),
        ];
        for (rule, kind, keyword, limit) in limits {
            let Some(limit) = limit else { continue };
            if schema.limit(kind, keyword, &limit) {
                continue;
            }
            let what = if rule == "range" { "a number" } else { "a string" };
            let also = if rule == "length" { " or an array" } else { "" };
            let instead = match (rule, schema.kind()) {
                ("range", Some("string" | "array")) => "use `length(min = …, max = …)`, or remove it",
                ("length", Some("integer" | "number")) => "use `range(min = …, max = …)`, or remove it",
                _ => "remove it",
            };
            return Err(SchemaError::new(format!(
                "`{rule}` is for {what}{also}, but argument `{name}` is {}\n{instead}",
                kind_in_words(schema.kind())
            )));
        }
        Ok(())
    }
}

fn kind_in_words(kind: Option<&str>) -> String {
    match kind {
        Some("null") => "null".to_owned(),
        Some(kind @ ("integer" | "array" | "object")) => format!("an {kind}"),
        Some(kind) => format!("a {kind}"),
        None => "of another type".to_owned(),
    }
}

fn count_items(raw: &str) -> Option<usize> {
    struct Count;
    impl<'de> Visitor<'de> for Count {
        type Value = usize;

        fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
            f.write_str("an array")
        }

        fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<usize, A::Error> {
            let mut count = 0;
            while items.next_element::<IgnoredAny>()?.is_some() {
                count += 1;
            }
            Ok(count)
        }
    }
    serde_json::Deserializer::from_str(raw).deserialize_seq(Count).ok()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    const PORT: Constraints = Constraints::new().min(Bound::int(1)).max(Bound::int(65_535));
    const SLUG: Constraints = Constraints::new().min_length(2).max_length(5).pattern("^[a-zä\n]+$");

    #[test]
    fn a_number_outside_its_range_is_refused_exactly() {
        assert_eq!(PORT.check("1"), None);
        assert_eq!(PORT.check("null"), None);
        assert_eq!(PORT.check("0").unwrap().to_string(), "expected a number from 1 to 65535, got 0");
        let max = Constraints::new().max(Bound::int(9_007_199_254_740_992));
        assert!(max.check("9007199254740993").is_some());
        let half = Constraints::new().min(Bound::float(0.5));
        assert!(half.check("0.49").is_some() && half.check("1").is_none());
    }

    #[test]
    fn a_string_is_measured_in_characters_after_its_escapes_are_read() {
        assert_eq!(SLUG.check(r#""ää\u00e4""#), None);
        assert_eq!(SLUG.check("\"\\n\\n\""), None);
        assert!(SLUG.check(r#""a""#).is_some());
        assert!(SLUG.check(r#""A-B""#).is_some());
        assert!(SLUG.check(r#""""#).unwrap().to_string().contains("2 to 5 characters that matches"));
    }

    #[test]
    fn an_array_is_counted() {
        let three = Constraints::new().max_length(3);
        assert_eq!(three.check("[1, [2, 2, 2, 2], 3]"), None);
        assert_eq!(
            three.check("[1,2,3,4]").unwrap().to_string(),
            "expected an array of at most 3 items, got [1,2,3,4]"
        );
    }

    #[test]
    fn limits_go_where_their_type_is_or_are_refused() {
        let mut schema = json!({"type": "array"});
        let length = Constraints::new().max_length(3);
        length.apply("a", schema.as_object_mut().unwrap()).unwrap();
        assert_eq!(schema, json!({"type": "array", "maxItems": 3}));

        let mut union = json!({"anyOf": [{"type": "string"}, {"type": "integer"}]});
        PORT.apply("a", union.as_object_mut().unwrap()).unwrap();
        assert_eq!(union, json!({"anyOf": [{"type": "string"}, {"type": "integer", "minimum": 1, "maximum": 65535}]}));

        let mut text = json!({"type": "string"});
        assert_eq!(
            PORT.apply("port", text.as_object_mut().unwrap()).unwrap_err().to_string(),
            "`range` is for a number, but argument `port` is a string\nuse `length(min = …, max = …)`, or remove it"
        );
    }
}
