//! Request ids and progress tokens: a string or an integer, echoed with their JSON type.

use std::fmt;
use std::hash::{Hash, Hasher};

use serde::de::{Deserialize, Deserializer, Error, Visitor};
use serde::{Serialize, Serializer};

use super::scan::Raw;

/// The id of a JSON-RPC request, or a progress token.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Id {
    Int(i128),
    Text(Box<str>),
}

impl Id {
    /// The id that a value is, if it is one.
    pub(crate) fn read(raw: Raw<'_>) -> Option<Self> {
        let text = raw.get();
        if let Some(text) = raw.text() {
            return Some(Self::Text(text.into()));
        }
        // `-0` is a number with a fraction to JSON's readers, since no integer is it.
        let number = text.parse::<i64>().ok().filter(|_| text != "-0").map(i128::from);
        number.or_else(|| text.parse::<u64>().ok().map(i128::from)).map(Self::Int)
    }
}

impl Hash for Id {
    fn hash<H: Hasher>(&self, state: &mut H) {
        match self {
            // Equal numbers have equal last digits; that is all that a hash has to promise.
            #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "the last digits are meant")]
            Self::Int(number) => state.write_u64(*number as u64),
            Self::Text(text) => text.hash(state),
        }
    }
}

impl Serialize for Id {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            // Almost every id: the short way keeps 128-bit arithmetic off the path of a call.
            Self::Int(number) => match i64::try_from(*number) {
                Ok(small) => serializer.serialize_i64(small),
                Err(_) => serializer.serialize_i128(*number),
            },
            Self::Text(text) => serializer.serialize_str(text),
        }
    }
}

impl<'de> Deserialize<'de> for Id {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct IdVisitor;
        impl Visitor<'_> for IdVisitor {
            type Value = Id;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a string or an integer")
            }

            fn visit_i64<E: Error>(self, value: i64) -> Result<Id, E> {
                Ok(Id::Int(value.into()))
            }

            fn visit_u64<E: Error>(self, value: u64) -> Result<Id, E> {
                Ok(Id::Int(value.into()))
            }

            fn visit_str<E: Error>(self, value: &str) -> Result<Id, E> {
                Ok(Id::Text(value.into()))
            }
        }
        deserializer.deserialize_any(IdVisitor)
    }
}

impl fmt::Display for Id {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Int(number) => write!(f, "{number}"),
            Self::Text(text) => write!(f, "{text:?}"),
        }
    }
}

impl From<i64> for Id {
    fn from(number: i64) -> Self {
        Self::Int(number.into())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Option<Id> {
        serde_json::from_str(text).ok()
    }

    #[test]
    fn ids_keep_their_json_type() {
        for text in ["1", "-7", "\"1\"", "\"abc\"", "9223372036854775808", "\"\""] {
            let id = read(text).unwrap();
            assert_eq!(serde_json::to_string(&id).unwrap(), text);
        }
    }

    #[test]
    fn null_floats_and_objects_are_not_ids() {
        for text in ["null", "1.5", "{}", "[]", "true", "1e3"] {
            assert_eq!(read(text), None, "{text}");
        }
    }
}
