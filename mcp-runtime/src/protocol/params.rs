//! The parameters of a message: found by name, decoded when they are asked for.

use std::borrow::Cow;

use serde::Deserialize;

use super::error::ProtocolError;
use super::message::plain;
use super::scan::{Broken, Places, Raw, Scan};

/// The members of `params` or of an object in it, each as the text that came.
#[derive(Debug, Default)]
pub(crate) struct Params<'a> {
    members: Vec<(Cow<'a, str>, Raw<'a>)>,
    /// Where the members of `arguments` are.
    arguments: Places,
    shape: Shape,
    /// Which object of `params`; nothing for `params` itself.
    within: Option<&'static str>,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Shape {
    #[default]
    Absent,
    Object,
    /// Something else than an object; or a member twice.
    Wrong(&'static str),
}

/// No method has a tenth of this; the search for doubles stays cheap whatever a peer sends.
const MOST_MEMBERS: usize = 64;

impl<'a> Params<'a> {
    /// Reads them, whatever they are.
    pub(super) fn read(scan: &mut Scan<'a>) -> Result<Self, Broken> {
        if scan.peek() != Some(b'{') {
            // `null` for what is absent is what some languages write; nothing else can be meant.
            let is_absent = scan.value()?.is_null();
            let shape = if is_absent { Shape::Absent } else { Shape::Wrong("`params` must be an object") };
            return Ok(Self { shape, ..Self::default() });
        }
        // As many as most requests have.
        let mut members: Vec<(Cow<'a, str>, Raw<'a>)> = Vec::with_capacity(4);
        let (mut shape, mut arguments) = (Shape::Object, Places::default());
        scan.object(|key, scan| {
            let value = if key == "arguments" && scan.peek() == Some(b'{') {
                let (value, places) = scan.noted()?;
                arguments = places;
                value
            } else {
                scan.value()?
            };
            if members.len() == MOST_MEMBERS {
                shape = Shape::Wrong("`params` has too many members");
                return Ok(());
            }
            if members.iter().any(|(known, _)| *known == key) {
                shape = Shape::Wrong("a member of `params` stands twice");
            }
            members.push((key, value));
            Ok(())
        })?;
        Ok(Self { members, arguments, shape, within: None })
    }

    /// Where the members of the member `arguments` are, if it is an object.
    pub(crate) const fn arguments(&self) -> &Places {
        &self.arguments
    }

    /// The member, if it is there (`null` counts as there).
    pub(crate) fn raw(&self, name: &str) -> Option<Raw<'a>> {
        self.members.iter().find(|(key, _)| key == name).map(|(_, raw)| *raw)
    }

    /// The member decoded; `null` and absent are `None`.
    pub(crate) fn get<T: Deserialize<'a>>(&self, name: &str) -> Result<Option<T>, ProtocolError> {
        match self.raw(name) {
            None => Ok(None),
            Some(raw) if raw.is_null() => Ok(None),
            Some(raw) => {
                serde_json::from_str(raw.get()).map(Some).map_err(|error| misfit(&self.path(name), &plain(&error)))
            }
        }
    }

    /// The member decoded; absent is an error that names it.
    pub(crate) fn require<T: Deserialize<'a>>(&self, name: &str) -> Result<T, ProtocolError> {
        self.get(name)?.ok_or_else(|| missing(&self.path(name)))
    }

    /// The member as text, borrowed where it holds no escape; `null` and absent are `None`.
    pub(crate) fn text(&self, name: &str) -> Result<Option<Cow<'a, str>>, ProtocolError> {
        match self.raw(name).and_then(Raw::text) {
            Some(text) => Ok(Some(text)),
            None => self.get::<String>(name).map(|text| text.map(Cow::Owned)),
        }
    }

    /// The member as text; absent is an error that names it.
    pub(crate) fn require_text(&self, name: &str) -> Result<Cow<'a, str>, ProtocolError> {
        self.text(name)?.ok_or_else(|| missing(&self.path(name)))
    }

    /// The member, which must be an object; `null` and absent are `None`.
    pub(crate) fn raw_object(&self, name: &str) -> Result<Option<Raw<'a>>, ProtocolError> {
        match self.raw(name) {
            Some(raw) if raw.is_null() => Ok(None),
            Some(raw) if !raw.is_object() => {
                Err(ProtocolError::invalid_params(format!("`params.{name}` must be an object")))
            }
            raw => Ok(raw),
        }
    }

    /// What is in a member, which must be an object; `null` and absent are `None`.
    pub(crate) fn object(&self, name: &'static str) -> Result<Option<Self>, ProtocolError> {
        let Some(raw) = self.raw_object(name)? else { return Ok(None) };
        match Self::read(&mut Scan::new(raw.get())) {
            Ok(inner) if inner.shape == Shape::Object => Ok(Some(Self { within: Some(name), ..inner })),
            _ => Err(misfit(name, "a member of it stands twice, or it has too many")),
        }
    }

    /// What is in a member, which must be an object; absent is an error that names it.
    pub(crate) fn require_object(&self, name: &'static str) -> Result<Self, ProtocolError> {
        self.object(name)?.ok_or_else(|| missing(name))
    }

    /// How a member is called in a message.
    fn path(&self, name: &str) -> String {
        self.within.map_or_else(|| name.to_owned(), |within| format!("{within}.{name}"))
    }

    /// The members, in the order they came.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (&str, Raw<'a>)> {
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

/// What is said of a parameter that is there, but not as it should be.
pub(super) fn misfit(name: &str, why: &str) -> ProtocolError {
    ProtocolError::invalid_params(format!("`params.{name}` does not fit: {why}"))
}

fn missing(name: &str) -> ProtocolError {
    ProtocolError::invalid_params(format!("`params.{name}` is missing"))
}
