//! What a parameter is when the client sends nothing for it.

use serde::de::value::Error as Nope;
use serde::de::{DeserializeOwned, Deserializer, Error as _, Visitor};
use serde::forward_to_deserialize_any;

/// The value that a type has when the client sends nothing: whatever the type makes of that, never its spelling.
pub(crate) fn absent<T: DeserializeOwned>() -> Option<T> {
    T::deserialize(Nothing).ok()
}

/// Deserializes into optional values only, through any number of newtypes and boxes.
struct Nothing;

impl<'de> Deserializer<'de> for Nothing {
    type Error = Nope;

    fn deserialize_any<V: Visitor<'de>>(self, _: V) -> Result<V::Value, Nope> {
        Err(Nope::custom("nothing"))
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Nope> {
        visitor.visit_none()
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(self, _: &'static str, visitor: V) -> Result<V::Value, Nope> {
        visitor.visit_newtype_struct(self)
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf unit unit_struct
        seq tuple tuple_struct map struct enum identifier ignored_any
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_may_be_absent_is_decided_by_the_type() {
        #[derive(serde::Deserialize)]
        struct Alias(#[expect(dead_code, reason = "only its shape matters")] Box<Option<u8>>);
        type Maybe = Option<String>;

        assert!(absent::<Maybe>().is_some());
        assert!(absent::<Alias>().is_some());
        assert!(absent::<String>().is_none());
        assert!(absent::<Vec<u8>>().is_none());
        assert!(absent::<()>().is_none());
    }
}
