//! JSON text into a tree, without losing what a tree forgets: a key given twice is an error, never "the last wins".

use std::{borrow::Cow, collections::HashSet, fmt};

use serde::de::{DeserializeSeed, Deserializer, IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde_json::Value;

use super::violation::{Violation, push_step, push_step_text};

/// Reads one JSON value.
///
/// # Errors
/// When the text is not JSON, is nested deeper than 128 levels, or gives a key twice.
pub(crate) fn parse(text: &str) -> Result<Value, Violation> {
    let value: Value = serde_json::from_str(text).map_err(|error| Violation::not_json(text, &error))?;
    if text.contains('{') {
        refuse_duplicates(text)?;
    }
    Ok(value)
}

fn refuse_duplicates(text: &str) -> Result<(), Violation> {
    let mut pointer = String::new();
    let mut duplicate = None;
    let mut reader = serde_json::Deserializer::from_str(text);
    let unique = Unique { pointer: &mut pointer, duplicate: &mut duplicate };
    // Any other mistake was found when the tree was read.
    unique.deserialize(&mut reader).ok();
    duplicate.map_or(Ok(()), |at| Err(Violation::duplicate(at)))
}

struct Unique<'p> {
    pointer: &'p mut String,
    duplicate: &'p mut Option<String>,
}

impl<'de> DeserializeSeed<'de> for Unique<'_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Unique<'_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("JSON")
    }

    fn visit_bool<E>(self, _: bool) -> Result<(), E> {
        Ok(())
    }

    fn visit_i64<E>(self, _: i64) -> Result<(), E> {
        Ok(())
    }

    fn visit_u64<E>(self, _: u64) -> Result<(), E> {
        Ok(())
    }

    fn visit_f64<E>(self, _: f64) -> Result<(), E> {
        Ok(())
    }

    fn visit_str<E>(self, _: &str) -> Result<(), E> {
        Ok(())
    }

    fn visit_unit<E>(self) -> Result<(), E> {
        Ok(())
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<(), A::Error> {
        let Unique { pointer, duplicate } = self;
        let here = pointer.len();
        for index in 0_usize.. {
            push_step(pointer, index);
            let item = Unique { pointer: &mut *pointer, duplicate: &mut *duplicate };
            let more = items.next_element_seed(item)?;
            pointer.truncate(here);
            if more.is_none() || duplicate.is_some() {
                break;
            }
        }
        while items.next_element::<IgnoredAny>()?.is_some() {}
        Ok(())
    }

    fn visit_map<A: MapAccess<'de>>(self, mut members: A) -> Result<(), A::Error> {
        let Unique { pointer, duplicate } = self;
        let here = pointer.len();
        let mut seen: HashSet<Cow<'de, str>> = HashSet::new();
        while let Some(Key(key)) = members.next_key()? {
            push_step_text(pointer, &key);
            if !seen.insert(key) {
                duplicate.get_or_insert_with(|| pointer.clone());
            }
            if duplicate.is_some() {
                members.next_value::<IgnoredAny>()?;
            } else {
                members.next_value_seed(Unique { pointer: &mut *pointer, duplicate: &mut *duplicate })?;
            }
            pointer.truncate(here);
        }
        Ok(())
    }
}

/// A key, borrowed from the text when it has no escapes.
#[derive(serde::Deserialize)]
struct Key<'a>(#[serde(borrow)] Cow<'a, str>);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_given_twice_is_found_where_it_is() {
        assert_eq!(parse(r#"{"a":[{"b":1,"c":2,"b":3}]}"#).unwrap_err().pointer(), "/a/0/b");
        assert_eq!(parse(r#"{"a":1,"\u0061":2}"#).unwrap_err().pointer(), "/a");
        assert!(parse(r#"{"a":{"b":1},"b":{"b":2},"c":[true,null,"x",1.5,-1]}"#).is_ok());
    }

    #[test]
    fn deep_nesting_is_an_error_and_not_an_overflow() {
        assert!(parse(&"[".repeat(100_000)).is_err());
        assert!(parse(&format!("{}1{}", "[".repeat(100_000), "]".repeat(100_000))).is_err());
        assert!(parse("").is_err());
    }

    #[test]
    fn json_that_no_value_can_hold_is_not_called_something_else() {
        let says = |text: &str| parse(text).unwrap_err().to_string();
        // With `serde_json/arbitrary_precision` a number is its text, whatever it is.
        if serde_json::from_str::<Value>("1e400").is_err() {
            assert_eq!(says("1e400"), "expected numbers below 1.8e308, got 1e400");
        }
        let text = r"expected text without half a character (`\ud800` to `\udfff` alone), got ";
        for half in [r#""\ud800""#, r#""\ud800x""#, r#""\ud800\u0041""#, r#""\udc00""#] {
            assert_eq!(says(half), format!("{text}{half}"));
        }
    }
}
