//! Forms: the flat objects that a client can have a person fill in, as data.
//!
//! See <https://modelcontextprotocol.io/specification/draft/client/elicitation>.

use std::fmt;

use serde_json::Value;

use super::answers::{Answers, Refused};
use super::requested::FormFor;
use crate::handler::param_info::{DefaultValue, Range};
use crate::protocol::features::Features;

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
// In the words of `Answer`: what is both missed is told once.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be the answer to a question",
    label = "does not derive `Elicit`",
    note = "add `#[derive(mcp_runtime::Elicit)]` to a flat struct or an enum of names, and take it, an `Option` or an `Elicited` of it; in a body, name it: `ctx.elicit::<T>(…)`"
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
    note = "forms are flat: move the fields of a struct into the form itself; an enum without data derives `Elicit`, and of such an enum there may be a `Vec`"
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
    #[must_use]
    fn absent() -> Option<Self> {
        None
    }

    /// The value as JSON, for a default.
    #[doc(hidden)]
    fn to_answer(&self) -> Value;
}

/// An enum of names, of which several can be chosen.
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

    /// Whether what is filled in already may be this JSON data.
    #[must_use]
    pub const fn takes_default(&self, json: &str) -> bool {
        self.field.kind.may_be(json.as_bytes())
    }

    /// A text's format.
    #[must_use]
    pub const fn format(mut self, format: Format) -> Self {
        self.field.format = Some(format);
        self
    }

    /// Whether it has a format: a text.
    #[must_use]
    pub const fn takes_format(&self) -> bool {
        matches!(self.field.kind, FieldKind::Text)
    }

    /// Bounds of a number.
    #[must_use]
    pub const fn range(mut self, range: Range) -> Self {
        self.field.range = range;
        self
    }

    /// Whether it has bounds: a number.
    #[must_use]
    pub const fn takes_range(&self) -> bool {
        matches!(self.field.kind, FieldKind::Integer(..) | FieldKind::Number)
    }

    /// Whether a whole number can be what its bounds are.
    #[must_use]
    pub const fn takes_bounds(&self) -> bool {
        match self.field.kind {
            FieldKind::Integer(min, max) => self.field.range.is_within(min, max),
            _ => true,
        }
    }

    /// How long a text is, or how many things are chosen.
    #[must_use]
    pub const fn length(mut self, min: Option<u64>, max: Option<u64>) -> Self {
        self.field.length = (min, max);
        self
    }

    /// Whether it has a length: a text, or several choices.
    #[must_use]
    pub const fn takes_length(&self) -> bool {
        matches!(self.field.kind, FieldKind::Text | FieldKind::Several(_))
    }

    /// Titles of choices as `enumNames`.
    #[must_use]
    pub const fn enum_names(mut self) -> Self {
        self.field.enum_names = true;
        self
    }

    /// Whether its choices have titles: a choice of one.
    #[must_use]
    pub const fn takes_enum_names(&self) -> bool {
        matches!(self.field.kind, FieldKind::One(_))
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

    pub(crate) fn is_required(&self) -> bool {
        !self.is_optional && self.default.is_none()
    }
}
