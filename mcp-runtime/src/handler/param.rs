//! Parameters: what each one is, as data, and how its value is taken.
//!
//! One trait decides whether a type is an argument or an extractor, so aliases and renamed imports behave like the type itself.

use std::any::{Any, TypeId, type_name};
use std::fmt::{self, Display};
use std::marker::PhantomData;
use std::str::FromStr;

use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::de::DeserializeOwned;
use serde_json::Value;

use super::arguments::{Arguments, Refused, absent};
use super::ask::{AskStep, EarlyStep};
use super::call::BoxFuture;
use super::ctx::{CompletionContext, Ctx};
use super::error::{Failure, HandlerError};
use super::extract::{Args, FromContext, State};
use crate::schema::{Bound, Constraints, SchemaFn};

/// Candidates for an argument's value.
pub(crate) type CompleteFn = for<'c> fn(&'c str, &'c CompletionContext) -> BoxFuture<'c, Result<Vec<String>, Failure>>;

/// What a parameter is.
#[derive(Clone, Copy, Debug)]
pub enum ParamKind {
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

/// A parameter, as data.
#[derive(Clone, Copy, Debug)]
pub struct ParamInfo {
    pub(crate) index: usize,
    pub(crate) name: &'static str,
    pub(crate) doc: &'static str,
    pub(crate) title: Option<&'static str>,
    pub(crate) kind: ParamKind,
    pub(crate) schema: SchemaFn,
    pub(crate) is_optional: fn() -> bool,
    pub(crate) accepts: fn(&Value) -> Result<(), String>,
    pub(crate) default: Option<DefaultValue>,
    pub(crate) constraints: Constraints,
    pub(crate) example: Option<fn() -> Value>,
    pub(crate) header: Option<&'static str>,
    pub(crate) complete: Option<CompleteFn>,
}

impl ParamInfo {
    /// Whether the client sends it as one argument.
    pub(crate) const fn is_argument(&self) -> bool {
        matches!(self.kind, ParamKind::Argument)
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

/// How a parameter's value is taken.
type Take<T> = fn(&ParamInfo, &Ctx, &mut Arguments<'_>) -> Result<T, Refused>;

/// A parameter with its type. The bound is met by the functions that make one; its methods have none.
pub struct Param<T> {
    info: ParamInfo,
    take: Take<T>,
    prepare: Option<MakeStep>,
    of: PhantomData<fn() -> T>,
}

impl<T> Clone for Param<T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for Param<T> {}

impl<T> fmt::Debug for Param<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.info.fmt(f)
    }
}

/// A value made before the handler is called, asynchronously.
pub(crate) type Prepared = Box<dyn Any + Send>;

/// Something that is made before the handler is called.
#[derive(Clone, Copy, Debug)]
pub enum Prepare {
    /// The value of a `#[from_context]` parameter.
    Make(MakeStep),
    /// An argument that questions look at.
    Early(EarlyStep),
    /// The answer to a question.
    Ask(AskStep),
}

/// Makes the value of a `#[from_context]` parameter.
#[derive(Clone, Copy)]
pub struct MakeStep {
    pub(crate) index: usize,
    pub(crate) make: for<'c> fn(&'c Ctx) -> BoxFuture<'c, Result<Prepared, Failure>>,
}

impl fmt::Debug for MakeStep {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("MakeStep").field("index", &self.index).finish_non_exhaustive()
    }
}

/// A type that may stand as an unmarked parameter of a handler.
///
/// Implemented for everything that is `DeserializeOwned + JsonSchema` (an argument: the client sends it), for
/// [`State`] and for [`Args`]. There is nothing to implement: derive the two traits, or mark the parameter `#[from_context]`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be an argument: it needs `Deserialize` of serde 1 and `JsonSchema` of schemars 1",
    label = "cannot be read from the client's JSON",
    note = "put `#[mcp_runtime::data]` on your type and on those inside it; what the server provides is `State<T>` or marked `#[from_context]`"
)]
pub trait Parameter: Sized {
    #[doc(hidden)]
    const KIND: ParamKind;

    // An associated constant instead of a function with a bound: the compiler then adds no "required by" of ours.
    #[doc(hidden)]
    const PARAM: Param<Self> = new(info::<Self>(), Self::take);

    #[doc(hidden)]
    fn schema(generator: &mut SchemaGenerator) -> Schema;

    #[doc(hidden)]
    fn is_optional() -> bool;

    #[doc(hidden)]
    fn accepts(value: &Value) -> Result<(), String>;

    #[doc(hidden)]
    fn take(info: &ParamInfo, ctx: &Ctx, args: &mut Arguments<'_>) -> Result<Self, Refused>;
}

#[diagnostic::do_not_recommend]
impl<T: DeserializeOwned + JsonSchema> Parameter for T {
    const KIND: ParamKind = ParamKind::Argument;

    fn schema(generator: &mut SchemaGenerator) -> Schema {
        generator.subschema_for::<T>()
    }

    fn is_optional() -> bool {
        absent::<T>().is_some()
    }

    fn accepts(value: &Value) -> Result<(), String> {
        T::deserialize(value).map(drop).map_err(|error| error.to_string())
    }

    fn take(info: &ParamInfo, _: &Ctx, args: &mut Arguments<'_>) -> Result<T, Refused> {
        args.decode(info)
    }
}

/// A type that the server makes, for the parameters of a resource that its template does not name.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not made by the server",
    label = "is neither a template variable nor `State<…>`",
    note = "add a variable of this name to the URI template, or mark the parameter `#[from_context]`"
)]
pub trait Provided: Sized {
    #[doc(hidden)]
    const PROVIDED: Param<Self>;
}

#[diagnostic::do_not_recommend]
impl<T: ?Sized + 'static> Provided for State<T> {
    const PROVIDED: Param<Self> = Self::PARAM;
}

// Whether `T` can be shared is told where it is put in, and by the handler's future, in the compiler's words.
#[diagnostic::do_not_recommend]
impl<T: ?Sized + 'static> Parameter for State<T> {
    const KIND: ParamKind = ParamKind::State { id: TypeId::of::<T>, name: type_name::<T> };

    fn schema(_: &mut SchemaGenerator) -> Schema {
        Schema::default()
    }

    fn is_optional() -> bool {
        false
    }

    fn accepts(_: &Value) -> Result<(), String> {
        Ok(())
    }

    fn take(_: &ParamInfo, ctx: &Ctx, args: &mut Arguments<'_>) -> Result<Self, Refused> {
        // Present for every handler that was checked by `.build()`; a definition added later may still lack it.
        ctx.try_state::<T>()
            .ok_or_else(|| args.refuse(format!("the server has no state of type `{}`", type_name::<T>())))
    }
}

#[diagnostic::do_not_recommend]
impl<T: DeserializeOwned + JsonSchema> Parameter for Args<T> {
    const KIND: ParamKind = ParamKind::Whole;

    fn schema(generator: &mut SchemaGenerator) -> Schema {
        generator.subschema_for::<T>()
    }

    fn is_optional() -> bool {
        false
    }

    fn accepts(value: &Value) -> Result<(), String> {
        T::accepts(value)
    }

    fn take(_: &ParamInfo, _: &Ctx, args: &mut Arguments<'_>) -> Result<Self, Refused> {
        args.decode_whole().map(Args)
    }
}

#[expect(clippy::large_types_passed_by_value, reason = "evaluated at compile time")]
const fn new<T>(info: ParamInfo, take: Take<T>) -> Param<T> {
    Param { info, take, prepare: None, of: PhantomData }
}

const fn info<T: Parameter>() -> ParamInfo {
    ParamInfo {
        index: 0,
        name: "",
        doc: "",
        title: None,
        kind: T::KIND,
        schema: T::schema,
        is_optional: T::is_optional,
        accepts: T::accepts,
        default: None,
        constraints: Constraints::NONE,
        example: None,
        header: None,
        complete: None,
    }
}

/// `#[from_context]`.
pub(crate) const fn from_context<T: FromContext>() -> Param<T> {
    let info = ParamInfo { kind: ParamKind::Context, ..info::<bool>() };
    Param {
        prepare: Some(MakeStep {
            index: 0,
            make: |ctx| {
                Box::pin(async move {
                    let made = T::from_context(ctx).await.map_err(HandlerError::into_failure)?;
                    Ok(Box::new(made) as Prepared)
                })
            },
        }),
        ..new(info, |info, _, args| args.prepared(info))
    }
}

/// `#[ask(…)]`.
pub(crate) const fn asked<T: 'static>() -> Param<T> {
    let info = ParamInfo { kind: ParamKind::Ask, ..info::<bool>() };
    new(info, |info, _, args| args.prepared(info))
}

/// A type that `#[arg(from_str)]` reads from text: by its `FromStr`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be read from text",
    label = "has no `FromStr` with an error that displays itself",
    note = "implement `std::str::FromStr` for it, or remove `from_str` and put `#[mcp_runtime::data]` on the type"
)]
pub trait FromText: Sized {
    #[doc(hidden)]
    const FROM_TEXT: Param<Self>;
}

#[diagnostic::do_not_recommend]
impl<T> FromText for T
where
    T: FromStr,
    T::Err: Display,
{
    const FROM_TEXT: Param<T> = {
        let info = ParamInfo {
            accepts: |value| match value.as_str() {
                Some(text) => T::from_str(text).map(drop).map_err(|error| error.to_string()),
                None => Err("not a string".to_owned()),
            },
            ..info::<String>()
        };
        new(info, |info, _, args| {
            let text: String = args.decode(info)?;
            T::from_str(&text).map_err(|error| args.refuse(format!("/{}: {error}", info.name)))
        })
    };
}

impl<T> Param<T> {
    /// Its place among the handler's parameters, its name, and its description.
    #[must_use]
    pub const fn named(mut self, index: usize, name: &'static str, doc: &'static str) -> Self {
        if let Some(prepare) = &mut self.prepare {
            prepare.index = index;
        }
        let info = ParamInfo { index, name, doc, ..self.info };
        self.with(info)
    }

    /// The parameter as data.
    #[must_use]
    pub const fn info(&self) -> ParamInfo {
        self.info
    }

    /// What makes it before the call; only `#[from_context]` has it.
    #[must_use]
    pub const fn prepare(&self) -> Option<Prepare> {
        match self.prepare {
            Some(make) => Some(Prepare::Make(make)),
            None => None,
        }
    }

    /// Takes the value that was made before the call.
    ///
    /// # Errors
    ///
    /// When it was not.
    pub fn kept(&self, args: &mut Arguments<'_>) -> Result<T, Refused>
    where
        T: 'static,
    {
        args.prepared(&self.info)
    }

    /// Takes the value; what does not fit is recorded in `args`.
    ///
    /// # Errors
    ///
    /// When the value does not fit; [`Arguments::finish`] says all that is wrong.
    pub fn take(&self, ctx: &Ctx, args: &mut Arguments<'_>) -> Result<T, Refused> {
        (self.take)(&self.info, ctx, args)
    }

    #[expect(clippy::large_types_passed_by_value, reason = "evaluated at compile time")]
    const fn with(mut self, info: ParamInfo) -> Self {
        self.info = info;
        self
    }

    /// A name for people.
    #[must_use]
    pub const fn title(self, title: &'static str) -> Self {
        let info = ParamInfo { title: Some(title), ..self.info };
        self.with(info)
    }

    /// A default that is JSON data.
    #[must_use]
    pub const fn default_json(self, json: &'static str) -> Self {
        let info = ParamInfo { default: Some(DefaultValue::Json(json)), ..self.info };
        self.with(info)
    }

    /// A default that is computed once.
    #[must_use]
    pub const fn default_with(self, make: fn() -> Value) -> Self {
        let info = ParamInfo { default: Some(DefaultValue::With(make)), ..self.info };
        self.with(info)
    }

    /// Bounds of a number.
    #[must_use]
    pub const fn range(self, range: Range) -> Self {
        let mut constraints = self.info.constraints;
        if let Some(min) = range.min {
            constraints = constraints.min(min);
        }
        if let Some(max) = range.max {
            constraints = constraints.max(max);
        }
        self.with(ParamInfo { constraints, ..self.info })
    }

    /// Bounds of a text's or list's length.
    #[must_use]
    pub const fn length(self, min: Option<u64>, max: Option<u64>) -> Self {
        let mut constraints = self.info.constraints;
        if let Some(min) = min {
            constraints = constraints.min_length(min);
        }
        if let Some(max) = max {
            constraints = constraints.max_length(max);
        }
        self.with(ParamInfo { constraints, ..self.info })
    }

    /// A regular expression that a text matches.
    #[must_use]
    pub const fn pattern(self, pattern: &'static str) -> Self {
        let info = ParamInfo { constraints: self.info.constraints.pattern(pattern), ..self.info };
        self.with(info)
    }

    /// An example.
    #[must_use]
    pub const fn example(self, make: fn() -> Value) -> Self {
        let info = ParamInfo { example: Some(make), ..self.info };
        self.with(info)
    }

    /// The HTTP header that carries it, too.
    #[must_use]
    pub const fn header(self, name: &'static str) -> Self {
        let info = ParamInfo { header: Some(name), ..self.info };
        self.with(info)
    }

    /// Candidates for its value.
    #[must_use]
    pub const fn complete(self, complete: CompleteFn) -> Self {
        let info = ParamInfo { complete: Some(complete), ..self.info };
        self.with(info)
    }
}

/// Checks, in a constant, that an `Args<T>` stands alone among the arguments.
///
/// # Panics
///
/// When it does not; the author sees that as a compile error at the handler's name.
#[track_caller]
pub const fn alone(params: &[ParamInfo]) {
    let (mut wholes, mut singles, mut index) = (0, 0, 0);
    while index < params.len() {
        match params[index].kind {
            ParamKind::Whole => wholes += 1,
            ParamKind::Argument => singles += 1,
            ParamKind::State { .. } | ParamKind::Context | ParamKind::Ask => {}
        }
        index += 1;
    }
    assert!(
        wholes == 0 || (wholes == 1 && singles == 0),
        "`Args<T>` is the whole arguments object, so it stands alone: move the other arguments into its type"
    );
}
