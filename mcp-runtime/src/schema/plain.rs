//! Types whose schemas are data: numbers, text, `bool`, and lists of them.
//!
//! Most parameters are of such a type. Nothing has to be made for them, and a program that has no others does without
//! schemars and without the rules that shape what it makes (see `source`).

use serde_json::{Value, json};

use super::{
    SchemaProfile,
    describe::{Describe, keyword_of},
    write::{Member, Members},
};

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
        self.members(SchemaProfile::Exact).into_map().into()
    }

    /// As it is sent.
    pub(super) fn shown<'a>(&self, profile: SchemaProfile) -> Shown<'a> {
        Shown { kind: self.kind(), members: self.members(profile) }
    }

    /// What it says of itself. In the portable profile the name of the Rust type is left out, and an optional value is the
    /// value.
    fn members(&self, profile: SchemaProfile) -> Members<'static> {
        let is_exact = profile == SchemaProfile::Exact;
        let mut one = Members::default();
        one.set("type", Member::Text(self.kind));
        if let Some(format) = self.format.filter(|_| is_exact) {
            one.set("format", Member::Text(format));
        }
        let keywords = if self.kind == "string" { ["minLength", "maxLength"] } else { ["minimum", "maximum"] };
        for (keyword, limit) in keywords.into_iter().zip([self.limits.0, self.limits.1]) {
            if let Some(limit) = limit {
                one.set(keyword, Value::from(limit).into());
            }
        }
        let mut members = one;
        if self.is_list {
            let items = std::mem::take(&mut members);
            members.set("type", Member::Text("array"));
            members.set("items", Member::Members(items));
        }
        if self.is_optional && is_exact {
            members.set("type", json!([self.kind(), "null"]).into());
        }
        members
    }

    const fn kind(&self) -> &'static str {
        if self.is_list { "array" } else { self.kind }
    }
}

/// A plain type of which only is asked what fits it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Kind(&'static str);

impl Kind {
    pub(super) const fn of(plain: &Plain) -> Self {
        Self(plain.kind())
    }
}

impl<'a> Describe<'a> for Kind {
    fn kind(&self) -> Option<&str> {
        Some(self.0)
    }

    fn say(&mut self, _: &'static str, _: Member<'a>) {}

    fn limit(&mut self, kind: &str, keyword: &'static str, _: &Value) -> bool {
        keyword_of(self.0, kind, keyword).is_some()
    }
}

/// The schema of a plain type as it is sent, with what is said of it beside.
#[derive(Debug)]
pub(super) struct Shown<'a> {
    kind: &'static str,
    pub(super) members: Members<'a>,
}

impl<'a> Describe<'a> for Shown<'a> {
    fn kind(&self) -> Option<&str> {
        Some(self.kind)
    }

    fn say(&mut self, keyword: &'static str, what: Member<'a>) {
        self.members.set(keyword, what);
    }

    fn limit(&mut self, kind: &str, keyword: &'static str, limit: &Value) -> bool {
        let keyword = keyword_of(self.kind, kind, keyword);
        keyword.map(|keyword| self.members.set(keyword, limit.clone().into())).is_some()
    }
}
