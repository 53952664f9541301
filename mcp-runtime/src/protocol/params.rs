//! The members of `params`: looked up by name, decoded when somebody asks.

use std::borrow::Cow;
use std::fmt;

use serde::de::{DeserializeSeed, Deserializer, IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde::{Deserialize, de};
use serde_json::value::RawValue;

use super::error::ProtocolError;
use super::scalar::{Text, plain};

/// The members of `params`, each as the bytes that came.
#[derive(Debug, Default)]
pub(crate) struct Params<'a> {
    members: Vec<(Cow<'a, str>, &'a RawValue)>,
    shape: Shape,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Shape {
    #[default]
    Absent,
    Object,
    /// Something else than an object; or a member twice.
    Wrong(&'static str),
}

impl<'a> Params<'a> {
    /// The member, if it is there (`null` counts as there).
    pub(crate) fn raw(&self, name: &str) -> Option<&'a RawValue> {
        self.members.iter().find(|(key, _)| key == name).map(|(_, raw)| *raw)
    }

    /// The member decoded; `null` and absent are `None`.
    pub(crate) fn get<T: Deserialize<'a>>(&self, name: &str) -> Result<Option<T>, ProtocolError> {
        match self.raw(name) {
            None => Ok(None),
            Some(raw) if raw.get() == "null" => Ok(None),
            Some(raw) => serde_json::from_str(raw.get()).map(Some).map_err(|error| {
                ProtocolError::invalid_params(format!("`params.{name}` does not fit: {}", plain(&error)))
            }),
        }
    }

    /// The member decoded; absent is an error that names it.
    pub(crate) fn require<T: Deserialize<'a>>(&self, name: &str) -> Result<T, ProtocolError> {
        self.get(name)?.ok_or_else(|| ProtocolError::invalid_params(format!("`params.{name}` is missing")))
    }

    /// The member decoded from an object; `null` and absent are `None`. (A derived struct would take an array as well.)
    pub(crate) fn object<T: Deserialize<'a>>(&self, name: &str) -> Result<Option<T>, ProtocolError> {
        match self.raw(name) {
            Some(raw) if !raw.get().starts_with('{') && raw.get() != "null" => {
                Err(ProtocolError::invalid_params(format!("`params.{name}` must be an object")))
            }
            _ => self.get(name),
        }
    }

    /// The member decoded from an object; absent is an error that names it.
    pub(crate) fn require_object<T: Deserialize<'a>>(&self, name: &str) -> Result<T, ProtocolError> {
        self.object(name)?.ok_or_else(|| ProtocolError::invalid_params(format!("`params.{name}` is missing")))
    }

    /// The members, in the order they came.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (&str, &'a RawValue)> {
        self.members.iter().map(|(key, raw)| (key.as_ref(), *raw))
    }

    /// An error unless `params` is an object or absent.
    pub(crate) fn check(&self) -> Result<(), ProtocolError> {
        match self.shape {
            Shape::Absent | Shape::Object => Ok(()),
            Shape::Wrong(why) => Err(ProtocolError::invalid_params(why)),
        }
    }
}

/// Reads `params` where they stand in the envelope.
pub(super) struct ParamsSeed<'p, 'a>(pub(super) &'p mut Params<'a>);

impl<'a> DeserializeSeed<'a> for ParamsSeed<'_, 'a> {
    type Value = ();

    fn deserialize<D: Deserializer<'a>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_any(self)
    }
}

/// No method has a tenth of this; the search for doubles stays cheap whatever a peer sends.
const MOST_MEMBERS: usize = 64;

const NOT_AN_OBJECT: Shape = Shape::Wrong("`params` must be an object");

impl<'a> Visitor<'a> for ParamsSeed<'_, 'a> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'a>>(self, mut map: A) -> Result<(), A::Error> {
        self.0.shape = Shape::Object;
        while let Some(Text(key)) = map.next_key()? {
            if self.0.members.len() == MOST_MEMBERS {
                self.0.shape = Shape::Wrong("`params` has too many members");
                map.next_value::<IgnoredAny>()?;
                continue;
            }
            if self.0.members.iter().any(|(known, _)| *known == key) {
                self.0.shape = Shape::Wrong("a member of `params` stands twice");
            }
            let raw = map.next_value()?;
            self.0.members.push((key, raw));
        }
        Ok(())
    }

    fn visit_seq<A: SeqAccess<'a>>(self, mut seq: A) -> Result<(), A::Error> {
        self.0.shape = NOT_AN_OBJECT;
        while seq.next_element::<IgnoredAny>()?.is_some() {}
        Ok(())
    }

    /// `null` for what is absent is what some languages write; nothing else can be meant.
    fn visit_unit<E: de::Error>(self) -> Result<(), E> {
        Ok(())
    }

    fn visit_bool<E: de::Error>(self, _: bool) -> Result<(), E> {
        self.0.shape = NOT_AN_OBJECT;
        Ok(())
    }

    fn visit_i64<E: de::Error>(self, _: i64) -> Result<(), E> {
        self.visit_bool(false)
    }

    fn visit_u64<E: de::Error>(self, _: u64) -> Result<(), E> {
        self.visit_bool(false)
    }

    fn visit_f64<E: de::Error>(self, _: f64) -> Result<(), E> {
        self.visit_bool(false)
    }

    fn visit_str<E: de::Error>(self, _: &str) -> Result<(), E> {
        self.visit_bool(false)
    }
}
