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
use super::extract::{Args, State};
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
    note = "put `#[mcp_runtime::data]` on your type and on those inside it; what the server provides is `&Ctx` or `State<T>`, inside no other type, or marked `#[from_context]`, what a person is asked is marked `#[ask(\"…\")]`"
)]
pub trait Parameter: Sized {
    #[doc(hidden)]
    const TYPE: ParamType;

    // An associated constant instead of a function with a bound: the compiler then adds no "required by" of ours.
    #[doc(hidden)]
    const PARAM: Param<Self> = new(&Self::TYPE, Self::take);

    #[doc(hidden)]
    fn take(index: usize, ctx: &Ctx, args: &mut Arguments<'_>) -> Result<Self, Refused>;
}

#[diagnostic::do_not_recommend]
impl<T: DeserializeOwned + JsonSchema> Parameter for T {
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

/// A type that the server makes, for the parameters of a resource that its template does not name.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not made by the server",
    label = "is neither a template variable nor `State<…>`",
    note = "add a variable of this name to the URI template, or take what the server provides: `&Ctx` or `State<T>`, inside no other type, or marked `#[from_context]`"
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
    const TYPE: ParamType = made(ParamKind::State { id: TypeId::of::<T>, name: type_name::<T> });

    fn take(_: usize, ctx: &Ctx, args: &mut Arguments<'_>) -> Result<Self, Refused> {
        // Present for every handler that was checked by `.build()`; a definition added later may still lack it.
        ctx.try_state::<T>()
            .ok_or_else(|| args.refuse(format!("the server has no state of type `{}`", type_name::<T>())))
    }
}

#[diagnostic::do_not_recommend]
impl<T: DeserializeOwned + JsonSchema> Parameter for Args<T> {
    const TYPE: ParamType = ParamType { kind: ParamKind::Whole, is_optional: || false, ..T::TYPE };

    fn take(_: usize, _: &Ctx, args: &mut Arguments<'_>) -> Result<Self, Refused> {
        args.decode_whole().map(Args)
    }
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
