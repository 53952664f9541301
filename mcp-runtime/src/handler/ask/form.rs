//! Forms: the flat objects that a client can have a person fill in, as data, and how each revision writes them.
//!
//! See <https://modelcontextprotocol.io/specification/draft/client/elicitation>.

use std::fmt;

use serde::ser::SerializeMap;
use serde::{Serialize, Serializer};
use serde_json::{Value, json};

use super::answers::{Answers, Refused};
use crate::handler::param::{DefaultValue, Range};
use crate::protocol::features::Features;
use crate::protocol::render::entry_if;
use crate::schema::Bound;

/// A type that a person can be asked for with a form: derive it.
///
/// ```
/// use mcp_runtime::Elicit;
///
/// #[derive(Elicit)]
/// struct Booking {
///     /// Where to stay
///     city: String,
///     /// How many nights
///     #[elicit(default = 2, range(min = 1, max = 30))]
///     nights: u8,
///     class: Class,
///     /// Anything else?
///     wishes: Option<String>,
/// }
///
/// #[derive(Elicit)]
/// enum Class {
///     /// Second class
///     Second,
///     /// First class
///     First,
/// }
/// ```
///
/// Forms are flat. A field is text, a number, a `bool`, an enum without data, a `Vec` of such an enum (several may be
/// chosen), or an `Option` of one of these.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be asked for with a form",
    label = "does not derive `Elicit`",
    note = "add `#[derive(mcp_runtime::Elicit)]` to it"
)]
pub trait Elicit: Sized + Send + Sync + 'static {
    /// The form.
    #[doc(hidden)]
    const FORM: &'static Form;

    /// The value that an answer gives.
    #[doc(hidden)]
    fn read(answers: &mut Answers<'_>) -> Result<Self, Refused>;
}

/// A form, as data.
#[derive(Clone, Copy, Debug)]
pub struct Form {
    pub(crate) name: &'static str,
    pub(crate) fields: &'static [Field],
}

impl Form {
    /// A form; `name` is what its questions are called where they are given no key.
    #[must_use]
    pub const fn new(name: &'static str, fields: &'static [Field]) -> Self {
        Self { name, fields }
    }

    /// The form as a client of these features knows it.
    pub(crate) const fn with(&'static self, features: &'static Features) -> FormFor {
        FormFor(self, features)
    }
}

/// A type that a field of a form may have.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be a field of a form",
    label = "is not text, a number, `bool` or an enum of names",
    note = "forms are flat: move the fields of a struct into the form itself; an enum without data derives `Elicit`"
)]
pub trait FormField: Sized {
    #[doc(hidden)]
    const KIND: FieldKind;

    #[doc(hidden)]
    const IS_OPTIONAL: bool = false;

    #[doc(hidden)]
    const PART: FormPart<Self> = part();

    /// The value, from what the kind has accepted; `None` when it does not fit into the type all the same.
    #[doc(hidden)]
    fn from_answer(value: Value) -> Option<Self>;

    /// What it is when nothing was filled in.
    #[doc(hidden)]
    fn absent() -> Option<Self> {
        None
    }

    /// The value as JSON, for a default.
    #[doc(hidden)]
    fn to_answer(&self) -> Value;
}

/// An enum of names, of which several can be chosen.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be chosen several times in a form",
    label = "is not an enum that derives `Elicit`",
    note = "a list in a form is a choice of several: make it a `Vec` of an enum without data"
)]
pub trait Choices: FormField {
    #[doc(hidden)]
    const CHOICES: &'static [Choice];
}

/// The kinds of field that the protocol has.
#[derive(Clone, Copy, Debug)]
pub enum FieldKind {
    /// A text.
    Text,
    /// A whole number, with what its type holds.
    Integer(i128, i128),
    /// A number.
    Number,
    /// Yes or no.
    Bool,
    /// One of these.
    One(&'static [Choice]),
    /// Any of these.
    Several(&'static [Choice]),
}

/// One thing to choose.
#[derive(Clone, Copy, Debug)]
pub struct Choice {
    pub(crate) value: &'static str,
    /// For people; empty when there is none.
    pub(crate) title: &'static str,
}

impl Choice {
    /// A choice; the title is for people, and may be empty.
    #[must_use]
    pub const fn new(value: &'static str, title: &'static str) -> Self {
        Self { value, title }
    }

    pub(crate) const fn label(&self) -> &'static str {
        if self.title.is_empty() { self.value } else { self.title }
    }
}

/// A text's format.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// `email`
    Email,
    /// `uri`
    Uri,
    /// `date`
    Date,
    /// `date-time`
    DateTime,
}

impl Format {
    pub(crate) const fn as_str(self) -> &'static str {
        match self {
            Self::Email => "email",
            Self::Uri => "uri",
            Self::Date => "date",
            Self::DateTime => "date-time",
        }
    }
}

/// A field, as data.
#[derive(Clone, Copy, Debug)]
pub struct Field {
    pub(crate) name: &'static str,
    pub(crate) title: &'static str,
    pub(crate) description: &'static str,
    pub(crate) kind: FieldKind,
    pub(crate) is_optional: bool,
    pub(crate) default: Option<DefaultValue>,
    pub(crate) format: Option<Format>,
    pub(crate) range: Range,
    /// Of a text, or of what is chosen.
    pub(crate) length: (Option<u64>, Option<u64>),
    /// Titles in the way of 2025-06-18, which some clients know alone.
    pub(crate) enum_names: bool,
}

/// A field with its type. The bound is met by the function that makes one; its methods have none.
pub struct FormPart<T> {
    pub(crate) field: Field,
    pub(crate) index: usize,
    pub(crate) from_answer: fn(Value) -> Option<T>,
    pub(crate) absent: fn() -> Option<T>,
}

impl<T> fmt::Debug for FormPart<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.field.fmt(f)
    }
}

impl<T> Clone for FormPart<T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for FormPart<T> {}

const fn part<T: FormField>() -> FormPart<T> {
    let field = Field {
        name: "",
        title: "",
        description: "",
        kind: T::KIND,
        is_optional: T::IS_OPTIONAL,
        default: None,
        format: None,
        range: Range::NEW,
        length: (None, None),
        enum_names: false,
    };
    FormPart { field, index: 0, from_answer: T::from_answer, absent: T::absent }
}

/// The variant that an answer names; `makes` has them in the order of the choices.
pub fn chosen<T: Choices>(value: &Value, makes: &[fn() -> T]) -> Option<T> {
    let index = T::CHOICES.iter().position(|choice| *value == choice.value)?;
    makes.get(index).map(|make| make())
}

impl<T> FormPart<T> {
    /// Its place in the form, its name, and its description.
    #[must_use]
    pub const fn named(mut self, index: usize, name: &'static str, description: &'static str) -> Self {
        self.index = index;
        self.field.name = name;
        self.field.description = description;
        self
    }

    /// The field as data.
    #[must_use]
    pub const fn field(&self) -> Field {
        self.field
    }

    /// A name for people.
    #[must_use]
    pub const fn title(mut self, title: &'static str) -> Self {
        self.field.title = title;
        self
    }

    /// What is filled in already, as JSON data.
    #[must_use]
    pub const fn default_json(mut self, json: &'static str) -> Self {
        self.field.default = Some(DefaultValue::Json(json));
        self
    }

    /// What is filled in already.
    #[must_use]
    pub const fn default_with(mut self, make: fn() -> Value) -> Self {
        self.field.default = Some(DefaultValue::With(make));
        self
    }

    /// A text's format.
    ///
    /// # Panics
    ///
    /// When the field is no text; in a constant, which it always is, that is a compile error.
    #[must_use]
    #[track_caller]
    pub const fn format(mut self, format: Format) -> Self {
        assert!(matches!(self.field.kind, FieldKind::Text), "`format` is for text: remove it");
        self.field.format = Some(format);
        self
    }

    /// Bounds of a number.
    ///
    /// # Panics
    ///
    /// When the field is no number; in a constant, which it always is, that is a compile error.
    #[must_use]
    #[track_caller]
    pub const fn range(mut self, range: Range) -> Self {
        assert!(matches!(self.field.kind, FieldKind::Integer(..) | FieldKind::Number), "`range` is for numbers: use `length`, or remove it");
        self.field.range = range;
        self
    }

    /// How long a text is, or how many things are chosen.
    ///
    /// # Panics
    ///
    /// When the field is neither; in a constant, which it always is, that is a compile error.
    #[must_use]
    #[track_caller]
    pub const fn length(mut self, min: Option<u64>, max: Option<u64>) -> Self {
        assert!(matches!(self.field.kind, FieldKind::Text | FieldKind::Several(_)), "`length` is for text and lists: use `range`, or remove it");
        self.field.length = (min, max);
        self
    }

    /// Titles of choices as `enumNames`.
    ///
    /// # Panics
    ///
    /// When the field is no choice of one; in a constant, which it always is, that is a compile error.
    #[must_use]
    #[track_caller]
    pub const fn enum_names(mut self) -> Self {
        assert!(matches!(self.field.kind, FieldKind::One(_)), "`enum_names` is for an enum: remove it");
        self.field.enum_names = true;
        self
    }
}

impl Field {
    /// What is filled in already.
    pub(crate) fn default_value(&self) -> Option<Value> {
        match self.default? {
            DefaultValue::Json(json) => serde_json::from_str(json).ok(),
            DefaultValue::With(make) => Some(make()),
        }
    }

    fn is_required(&self) -> bool {
        !self.is_optional && self.default.is_none()
    }
}

macro_rules! integers {
    ($($type:ty),+) => {$(
        impl FormField for $type {
            #[expect(clippy::allow_attributes, reason = "not every integer type makes the cast lossy")]
            #[allow(clippy::cast_lossless, clippy::cast_possible_wrap, reason = "128 bits hold the bounds of every type here")]
            const KIND: FieldKind = FieldKind::Integer(<$type>::MIN as i128, <$type>::MAX as i128);

            fn from_answer(value: Value) -> Option<Self> {
                serde_json::from_value(value).ok()
            }

            fn to_answer(&self) -> Value {
                json!(self)
            }
        }
    )+};
}

integers!(i8, i16, i32, i64, isize, u8, u16, u32, u64, usize);

macro_rules! plain_fields {
    ($($type:ty = $kind:ident),+) => {$(
        impl FormField for $type {
            const KIND: FieldKind = FieldKind::$kind;

            fn from_answer(value: Value) -> Option<Self> {
                serde_json::from_value(value).ok()
            }

            fn to_answer(&self) -> Value {
                json!(self)
            }
        }
    )+};
}

plain_fields!(String = Text, bool = Bool, f32 = Number, f64 = Number);

impl<T: FormField> FormField for Option<T> {
    const KIND: FieldKind = T::KIND;
    const IS_OPTIONAL: bool = true;

    fn from_answer(value: Value) -> Option<Self> {
        T::from_answer(value).map(Some)
    }

    fn absent() -> Option<Self> {
        Some(None)
    }

    fn to_answer(&self) -> Value {
        self.as_ref().map_or(Value::Null, FormField::to_answer)
    }
}

impl<T: Choices> FormField for Vec<T> {
    const KIND: FieldKind = FieldKind::Several(T::CHOICES);

    fn from_answer(value: Value) -> Option<Self> {
        match value {
            Value::Array(values) => values.into_iter().map(T::from_answer).collect(),
            _ => None,
        }
    }

    fn to_answer(&self) -> Value {
        self.iter().map(FormField::to_answer).collect()
    }
}

/// A form for a client of these features.
pub(crate) struct FormFor(&'static Form, &'static Features);

impl Serialize for FormFor {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("type", "object")?;
        map.serialize_entry("properties", &Properties(self))?;
        let required: Vec<&str> = self.0.fields.iter().filter(|field| field.is_required()).map(|field| field.name).collect();
        entry_if(&mut map, "required", (!required.is_empty()).then_some(required))?;
        map.end()
    }
}

struct Properties<'a>(&'a FormFor);

impl Serialize for Properties<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let FormFor(form, features) = *self.0;
        serializer.collect_map(form.fields.iter().map(|field| (field.name, Property(field, features))))
    }
}

struct Property(&'static Field, &'static Features);

/// A choice as `{"const": …, "title": …}`.
#[derive(Serialize)]
struct Titled {
    r#const: &'static str,
    title: &'static str,
}

fn titled(choices: &'static [Choice]) -> Vec<Titled> {
    choices.iter().map(|choice| Titled { r#const: choice.value, title: choice.label() }).collect()
}

fn values(choices: &'static [Choice]) -> Vec<&'static str> {
    choices.iter().map(|choice| choice.value).collect()
}

fn labels(choices: &'static [Choice]) -> Vec<&'static str> {
    choices.iter().map(Choice::label).collect()
}

fn have_titles(choices: &[Choice]) -> bool {
    choices.iter().any(|choice| !choice.title.is_empty())
}

impl Serialize for Property {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Self(field, features) = *self;
        let mut map = serializer.serialize_map(None)?;
        let kind = match field.kind {
            FieldKind::Text | FieldKind::One(_) => "string",
            FieldKind::Integer(..) => "integer",
            FieldKind::Number => "number",
            FieldKind::Bool => "boolean",
            FieldKind::Several(_) if features.elicitation_modes => "array",
            FieldKind::Several(_) => "string",
        };
        map.serialize_entry("type", kind)?;
        entry_if(&mut map, "title", (!field.title.is_empty()).then_some(field.title))?;
        self.description(&mut map)?;
        match field.kind {
            FieldKind::Text => self.text_members(&mut map)?,
            FieldKind::Integer(least, most) => {
                let fits = |bound: i128| (bound > i64::MIN.into() && bound < i64::MAX.into()).then_some(Bound::Int(bound));
                entry_if(&mut map, "minimum", field.range.min().or_else(|| fits(least)).and_then(Bound::to_value))?;
                entry_if(&mut map, "maximum", field.range.max().or_else(|| fits(most)).and_then(Bound::to_value))?;
            }
            FieldKind::Number => {
                entry_if(&mut map, "minimum", field.range.min().and_then(Bound::to_value))?;
                entry_if(&mut map, "maximum", field.range.max().and_then(Bound::to_value))?;
            }
            FieldKind::Bool => {}
            FieldKind::One(choices) if !have_titles(choices) => map.serialize_entry("enum", &values(choices))?,
            FieldKind::One(choices) if features.elicitation_modes && !field.enum_names => map.serialize_entry("oneOf", &titled(choices))?,
            FieldKind::One(choices) => {
                map.serialize_entry("enum", &values(choices))?;
                map.serialize_entry("enumNames", &labels(choices))?;
            }
            FieldKind::Several(choices) => self.several_members(&mut map, choices)?,
        }
        // 2025-06-18 knows a default for yes and no only.
        let has_default = features.elicitation_modes || matches!(field.kind, FieldKind::Bool);
        entry_if(&mut map, "default", field.default_value().filter(|value| has_default && !value.is_null()))?;
        map.end()
    }
}

impl Property {
    fn description<M: SerializeMap>(&self, map: &mut M) -> Result<(), M::Error> {
        let description = self.0.description;
        if let FieldKind::Several(choices) = self.0.kind {
            if !self.1.elicitation_modes {
                let choices: Vec<String> = choices.iter().map(|choice| format!("`{}`", choice.value)).collect();
                let text = format!("{description}\nAny of {}, with commas between them", choices.join(", "));
                return map.serialize_entry("description", text.trim_start());
            }
        }
        entry_if(map, "description", (!description.is_empty()).then_some(description))
    }

    fn text_members<M: SerializeMap>(&self, map: &mut M) -> Result<(), M::Error> {
        entry_if(map, "minLength", self.0.length.0)?;
        entry_if(map, "maxLength", self.0.length.1)?;
        entry_if(map, "format", self.0.format.map(Format::as_str))
    }

    fn several_members<M: SerializeMap>(&self, map: &mut M, choices: &'static [Choice]) -> Result<(), M::Error> {
        if !self.1.elicitation_modes {
            return Ok(());
        }
        let items = if have_titles(choices) { json!({"anyOf": titled(choices)}) } else { json!({"type": "string", "enum": values(choices)}) };
        map.serialize_entry("items", &items)?;
        entry_if(map, "minItems", self.0.length.0)?;
        entry_if(map, "maxItems", self.0.length.1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::protocol::Revision;

    const Z: FormPart<bool> = FormField::PART.named(0, "z", "");
    const A: FormPart<Option<u64>> = FormField::PART.named(1, "a", "A number");
    const M: FormPart<String> = FormField::PART.named(2, "m", "").title("M");

    static FORM: Form = Form::new("test", &[Z.field(), A.field(), M.field()]);

    #[test]
    fn fields_stand_on_the_wire_in_the_order_of_the_source() {
        let written = serde_json::to_string(&FORM.with(Features::of(Revision::LATEST))).unwrap();
        let expected = r#"{"type":"object","properties":{"z":{"type":"boolean"},"a":{"type":"integer","description":"A number","minimum":0},"m":{"type":"string","title":"M"}},"required":["z","m"]}"#;
        assert_eq!(written, expected);
    }
}
