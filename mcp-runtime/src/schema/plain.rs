//! Types whose schemas are data: numbers, text, `bool`, and lists of them.
//!
//! Most parameters are of such a type. Nothing has to be made for them, and a program that has no others does without
//! schemars and without the rules that shape what it makes (see `source`).

use serde_json::{Map, Value};

use super::{SchemaProfile, keywords::Keywords};

/// A type that needs no other to be described.
#[derive(Clone, Copy, Debug)]
pub struct Plain {
    kind: &'static str,
    /// The Rust type, as schemars names it.
    format: Option<&'static str>,
    /// The least and the most: of a number itself, of a text its length.
    limits: (Option<i64>, Option<i64>),
    is_list: bool,
    is_optional: bool,
}

impl Plain {
    pub(crate) const BOOLEAN: Self = Self::new("boolean", None);
    pub(crate) const STRING: Self = Self::new("string", None);
    pub(crate) const CHARACTER: Self = Self::new("string", None).within(Some(1), Some(1));

    const fn new(kind: &'static str, format: Option<&'static str>) -> Self {
        Self { kind, format, limits: (None, None), is_list: false, is_optional: false }
    }

    pub(crate) const fn integer(format: &'static str) -> Self {
        Self::new("integer", Some(format))
    }

    pub(crate) const fn number(format: &'static str) -> Self {
        Self::new("number", Some(format))
    }

    pub(crate) const fn within(self, min: Option<i64>, max: Option<i64>) -> Self {
        Self { limits: (min, max), ..self }
    }

    /// A list of it.
    pub(crate) const fn list(self) -> Self {
        Self { is_list: true, ..self }
    }

    /// It, or nothing.
    pub(crate) const fn optional(self) -> Self {
        Self { is_optional: true, ..self }
    }

    /// Whether it is an `f32`, or nothing.
    pub(super) fn is_single(&self) -> bool {
        self.format == Some("float") && !self.is_list
    }

    /// As serde reads it, which is as schemars describes it.
    pub(super) fn read(&self) -> Value {
        let mut one = self.one();
        if let Some(format) = self.format {
            one.set("format", format.into());
        }
        let mut schema = self.in_list(one);
        if self.is_optional {
            let kind = schema.remove("type").unwrap_or_default();
            schema.set("type", Value::Array(vec![kind, "null".into()]));
        }
        schema.into()
    }

    /// As it is sent: without the name of the Rust type, and an optional value is the value.
    pub(super) fn shown(&self, profile: SchemaProfile) -> Value {
        match profile {
            SchemaProfile::Portable => self.in_list(self.one()).into(),
            SchemaProfile::Exact => self.read(),
        }
    }

    fn one(&self) -> Map<String, Value> {
        let mut one = Map::new();
        one.set("type", self.kind.into());
        let keywords = if self.kind == "string" { ["minLength", "maxLength"] } else { ["minimum", "maximum"] };
        for (keyword, limit) in keywords.into_iter().zip([self.limits.0, self.limits.1]) {
            if let Some(limit) = limit {
                one.set(keyword, limit.into());
            }
        }
        one
    }

    fn in_list(&self, one: Map<String, Value>) -> Map<String, Value> {
        if !self.is_list {
            return one;
        }
        let mut list = Map::new();
        list.set("type", "array".into());
        list.set("items", one.into());
        list
    }
}
