//! What may stand as a parameter.
//!
//! One trait decides whether a type is an argument or an extractor, so aliases and renamed imports behave like the type itself.

use std::any::{TypeId, type_name};
use std::fmt::Display;
use std::marker::PhantomData;
use std::str::FromStr;

use schemars::{JsonSchema, SchemaGenerator};
use serde::de::DeserializeOwned;

use super::absent::absent;
use super::arguments::{Arguments, Refused};
use super::ctx::Ctx;
use super::extract::{Args, Shared, State};
use super::param::{Param, made, new};
use super::param_info::{ParamKind, ParamType};
use super::plain::PlainType;
use crate::schema::TypeSchema;

/// A type that may stand as an unmarked parameter of a handler.
///
/// Implemented for everything that is `DeserializeOwned + JsonSchema` (an argument: the client sends it), for
/// [`State`] and for [`Args`]. There is nothing to implement: derive the two traits, or mark the parameter `#[from_context]`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be an argument: it needs `Deserialize` of serde 1 and `JsonSchema` of schemars 1",
    label = "cannot be read from the client's JSON",
    note = "put `#[mcp_runtime::data]` above your type and its derives, and above those inside it, all with owned fields; what the server provides is `&Ctx` or `State<T>`, inside no other type, or marked `#[from_context]`, what a person is asked is marked `#[ask(\"…\")]`"
)]
pub trait Parameter: Sized {
    #[doc(hidden)]
    const TYPE: ParamType;

    /// What all calls share of it.
    #[doc(hidden)]
    type Shared: ?Sized;

    // An associated constant instead of a function with a bound: the compiler then adds no "required by" of ours.
    #[doc(hidden)]
    const PARAM: Param<Self> = new(&Self::TYPE, Self::take);

    #[doc(hidden)]
    fn take(index: usize, ctx: &Ctx, args: &mut Arguments<'_>) -> Result<Self, Refused>;
}

#[diagnostic::do_not_recommend]
impl<T: DeserializeOwned + JsonSchema> Parameter for T {
    type Shared = ();

    const TYPE: ParamType = ParamType {
        kind: ParamKind::Argument,
        schema: TypeSchema::made(SchemaGenerator::subschema_for::<T>),
        is_optional: || absent::<T>().is_some(),
        accepts: |value| T::deserialize(value).map(drop).map_err(|error| error.to_string()),
    };

    fn take(index: usize, _: &Ctx, args: &mut Arguments<'_>) -> Result<T, Refused> {
        args.decode(index)
    }
}

/// A parameter of which more is asked: of a type that is none at all, that alone is told, because it has no `Itself`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be an argument: it needs `Deserialize` of serde 1 and `JsonSchema` of schemars 1",
    label = "cannot be read from the client's JSON",
    note = "put `#[mcp_runtime::data]` above your type and its derives, and above those inside it, all with owned fields; what the server provides is `&Ctx` or `State<T>`, inside no other type, or marked `#[from_context]`, what a person is asked is marked `#[ask(\"…\")]`"
)]
pub trait Chosen: Sized {
    #[doc(hidden)]
    type Itself;
    #[doc(hidden)]
    const CHOSEN: Param<Self>;

    #[doc(hidden)]
    fn itself(self) -> Self::Itself;
    #[doc(hidden)]
    fn again(itself: Self::Itself) -> Self;
}

#[diagnostic::do_not_recommend]
impl<T: Parameter> Chosen for T {
    type Itself = T;
    const CHOSEN: Param<T> = T::PARAM;

    fn itself(self) -> T {
        self
    }

    fn again(itself: T) -> T {
        itself
    }
}

/// A parameter on its way to where the handler runs.
#[derive(Debug)]
pub struct Carried<T>(PhantomData<T>);

/// It, as a trait: an implementation for a type would be recommended by the compiler.
pub trait Carries {
    #[doc(hidden)]
    type Value;
}

impl<T> Carries for Carried<T> {
    type Value = T;
}

/// Implemented by nothing: an implementation for what has it, beside that for what has something else.
///
/// The compiler takes an implementation that is the only one without a look at its bounds, and finds them broken afterwards, when
/// its associated types are known already. Between two it has to choose, and of a type for which it can choose neither it tells
/// that alone.
trait Nothing {}

#[diagnostic::do_not_recommend]
impl<T> Chosen for T
where
    (T,): Nothing,
{
    type Itself = T;
    const CHOSEN: Param<T> = unreachable!();

    fn itself(self) -> T {
        self
    }

    fn again(itself: T) -> T {
        itself
    }
}

/// A type that the server makes, for the parameters of a resource that its template does not name.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not made by the server",
    label = "is neither a template variable nor `State<…>`",
    note = "add a variable of this name to the URI template, or take what the server provides: `&Ctx` or `State<T>`, inside no other type, or marked `#[from_context]`"
)]
pub trait Provided: Sized {
    #[doc(hidden)]
    const PROVIDED: Param<Self>;

    /// What all calls share of it.
    #[doc(hidden)]
    type Shared: ?Sized;
}

#[diagnostic::do_not_recommend]
impl<T: ?Sized + 'static> Provided for State<T> {
    type Shared = T;

    const PROVIDED: Param<Self> = Self::PARAM;
}

// Whether `T` can be shared is told where it is put in, by the handler's future, in the compiler's words, and by `InPlace`.
#[diagnostic::do_not_recommend]
impl<T: ?Sized + 'static> Parameter for State<T> {
    type Shared = T;

    const TYPE: ParamType = made(ParamKind::State { id: TypeId::of::<T>, name: type_name::<T> });

    fn take(_: usize, ctx: &Ctx, args: &mut Arguments<'_>) -> Result<Self, Refused> {
        // Present for every handler that was checked by `.build()`; a definition added later may still lack it.
        ctx.try_state::<T>()
            .ok_or_else(|| args.refuse(format!("the server has no state of type `{}`", type_name::<T>())))
    }
}

#[diagnostic::do_not_recommend]
impl<T: DeserializeOwned + JsonSchema> Parameter for Args<T> {
    type Shared = ();

    const TYPE: ParamType = ParamType { kind: ParamKind::Whole, is_optional: || false, ..T::TYPE };

    fn take(_: usize, _: &Ctx, args: &mut Arguments<'_>) -> Result<Self, Refused> {
        args.decode_whole().map(Args)
    }
}

/// A parameter of a plain `fn` that says `State`: no thread and no future is there to ask whether it can be shared. `M` says
/// what the parameter has to be besides.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not `mcp_runtime::State`, and cannot be an argument",
    label = "is another `State`",
    note = "import `mcp_runtime::State`, or give your type another name"
)]
pub trait InPlace<M>: Sized {
    #[doc(hidden)]
    const IN_PLACE: Param<Self>;
}

/// Of a tool or a prompt.
#[derive(Debug)]
pub struct AsParameter;
/// Of a resource, and not in its template.
#[derive(Debug)]
pub struct AsProvided;

impl<T: Parameter<Shared: Shared>> InPlace<AsParameter> for T {
    const IN_PLACE: Param<Self> = T::PARAM;
}

impl<T: Provided<Shared: Shared>> InPlace<AsProvided> for T {
    const IN_PLACE: Param<Self> = T::PROVIDED;
}

/// A type that `#[arg(from_str)]` reads from text: by its `FromStr`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be read from text",
    label = "has no `FromStr` with an error that displays itself",
    note = "implement `std::str::FromStr` for it, or remove `from_str` and put `#[mcp_runtime::data]` on the type; what may be absent has a `default` instead of an `Option`"
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
    const FROM_TEXT: Param<T> = new(&Text::<T>::TYPE, |index, _, args| {
        let text: String = args.decode(index)?;
        T::from_str(&text).map_err(|error| args.refuse_at(index, &error))
    });
}

/// A type that is read from text.
struct Text<T>(PhantomData<T>);

impl<T> Text<T>
where
    T: FromStr,
    T::Err: Display,
{
    const TYPE: ParamType = ParamType {
        accepts: |value| match value.as_str() {
            Some(text) => T::from_str(text).map(drop).map_err(|error| error.to_string()),
            None => Err("not a string".to_owned()),
        },
        ..<String as PlainType>::PLAIN_TYPE
    };
}
