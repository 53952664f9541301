//! A parameter, as data.

use std::any::TypeId;

use serde_json::Value;

use super::call::BoxFuture;
use super::completion::CompletionContext;
use super::error::Failure;
use crate::schema::{Bound, Constraints, TypeSchema};

/// Candidates for an argument's value.
pub(crate) type CompleteFn = for<'c> fn(&'c str, &'c CompletionContext) -> BoxFuture<'c, Result<Vec<String>, Failure>>;

/// What a parameter is.
#[derive(Clone, Copy, Debug)]
pub(crate) enum ParamKind {
    /// The client sends it.
    Argument,
    /// The client sends it, and it is the whole arguments object.
    Whole,
    /// `State<T>`.
    State {
        /// The id of `T`.
        id: fn() -> TypeId,
        /// The name of `T`.
        name: fn() -> &'static str,
    },
    /// `#[from_context]`.
    Context,
    /// `#[ask(…)]`.
    Ask,
}

/// A parameter's default, as the author wrote it.
#[derive(Clone, Copy, Debug)]
pub(crate) enum DefaultValue {
    /// A literal, read as JSON data by the parameter's own type.
    Json(&'static str),
    /// An expression, called once when the server is built.
    With(fn() -> Value),
}

/// What a parameter's type says: once for each type, however many parameters have it.
#[derive(Clone, Copy, Debug)]
pub struct ParamType {
    pub(crate) kind: ParamKind,
    pub(crate) schema: TypeSchema,
    pub(crate) is_optional: fn() -> bool,
    pub(crate) accepts: fn(&Value) -> Result<(), String>,
}

/// A parameter, as data. A program has one for each parameter of each handler, so what is rare stands elsewhere.
#[derive(Clone, Copy, Debug)]
pub struct ParamInfo {
    pub(crate) index: usize,
    pub(crate) name: &'static str,
    pub(crate) doc: &'static str,
    pub(crate) title: Option<&'static str>,
    pub(crate) of: &'static ParamType,
    pub(crate) default: Option<DefaultValue>,
    pub(crate) constraints: &'static Constraints,
    pub(crate) example: Option<fn() -> Value>,
    pub(crate) header: Option<&'static str>,
    pub(crate) complete: Option<CompleteFn>,
}

impl ParamInfo {
    /// Whether the client sends it as one argument.
    pub(crate) const fn is_argument(&self) -> bool {
        matches!(self.of.kind, ParamKind::Argument)
    }
}

const fn is_within(bound: Option<Bound>, least: i128, most: i128) -> bool {
    match bound {
        Some(Bound::Int(bound)) => least <= bound && bound <= most,
        Some(Bound::Float(_)) => false,
        None => true,
    }
}

/// The bounds of a number.
#[derive(Clone, Copy, Debug, Default)]
pub struct Range {
    min: Option<Bound>,
    max: Option<Bound>,
}

impl Range {
    /// No bounds.
    pub const NEW: Self = Self { min: None, max: None };

    pub(crate) const fn min(&self) -> Option<Bound> {
        self.min
    }

    pub(crate) const fn max(&self) -> Option<Bound> {
        self.max
    }

    /// Whether a whole number from `least` to `most` can be what the bounds are.
    pub(crate) const fn is_within(&self, least: i128, most: i128) -> bool {
        is_within(self.min, least, most) && is_within(self.max, least, most)
    }

    /// The least, a whole number.
    #[must_use]
    pub const fn min_int(mut self, min: i128) -> Self {
        self.min = Some(Bound::Int(min));
        self
    }

    /// The most, a whole number.
    #[must_use]
    pub const fn max_int(mut self, max: i128) -> Self {
        self.max = Some(Bound::Int(max));
        self
    }

    /// The least.
    #[must_use]
    pub const fn min_float(mut self, min: f64) -> Self {
        self.min = Some(Bound::Float(min));
        self
    }

    /// The most.
    #[must_use]
    pub const fn max_float(mut self, max: f64) -> Self {
        self.max = Some(Bound::Float(max));
        self
    }
}

/// Whether an `Args<T>`, if there is one, stands alone among the arguments.
#[must_use]
pub const fn alone(params: &[ParamInfo]) -> bool {
    let (mut wholes, mut singles, mut index) = (0, 0, 0);
    while index < params.len() {
        match params[index].of.kind {
            ParamKind::Whole => wholes += 1,
            ParamKind::Argument => singles += 1,
            ParamKind::State { .. } | ParamKind::Context | ParamKind::Ask => {}
        }
        index += 1;
    }
    wholes == 0 || (wholes == 1 && singles == 0)
}
