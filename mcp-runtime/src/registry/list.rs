//! Enumerating the concrete resources of a template: what `list = FN` may return.

use serde::Serialize;
use serde_json::Value;

use crate::handler::call::BoxFuture;
use crate::handler::coming::{Comes, Coming, Gives};
use crate::handler::ctx::Ctx;
use crate::handler::error::{Failure, HandlerError};
use crate::registry::define::Resource;

/// Enumerates a template's resources.
pub(crate) type ListFn = for<'c> fn(&'c Ctx) -> BoxFuture<'c, Result<Vec<Listed>, Failure>>;

/// One enumerated resource.
#[derive(Debug)]
pub enum Listed {
    /// A whole description.
    Resource(Box<Resource>),
    /// The template's variables: one value, a list in the template's order, or an object by name.
    Variables(Value),
}

/// Something that stands for one resource in a list.
#[doc(hidden)]
pub trait IntoListed {
    fn into_listed(self) -> Result<Listed, Failure>;
}

impl IntoListed for Resource {
    fn into_listed(self) -> Result<Listed, Failure> {
        Ok(Listed::Resource(Box::new(self)))
    }
}

impl<T: Serialize> IntoListed for T {
    fn into_listed(self) -> Result<Listed, Failure> {
        serde_json::to_value(self)
            .map(Listed::Variables)
            .map_err(|error| Failure::Message(format!("a listed resource cannot be written as JSON: {error}")))
    }
}

fn listed<T: IntoListed>(items: Vec<T>) -> Result<Vec<Listed>, Failure> {
    items.into_iter().map(T::into_listed).collect()
}

#[doc(hidden)]
#[derive(Debug)]
pub struct Plain;
#[doc(hidden)]
#[derive(Debug)]
pub struct Fallible;

#[diagnostic::do_not_recommend]
impl<T: IntoListed> Gives<Vec<Listed>, Plain> for Vec<T> {
    fn give(self) -> Result<Vec<Listed>, Failure> {
        listed(self)
    }
}

#[diagnostic::do_not_recommend]
impl<T: IntoListed, E: HandlerError> Gives<Vec<Listed>, Fallible> for Result<Vec<T>, E> {
    fn give(self) -> Result<Vec<Listed>, Failure> {
        self.map_err(HandlerError::into_failure).and_then(listed)
    }
}

/// A function without parameters or with `&Ctx`; `M` only keeps the cases apart.
#[doc(hidden)]
#[diagnostic::on_unimplemented(
    message = "`{Self}` does not enumerate resources",
    label = "is not `fn()` or `fn(&Ctx)` that gives a `Vec`",
    note = "return `Vec<Resource>`, `Vec<String>` for a template of one variable, or a `Result` of it whose error has `Display`, from a `fn` or `async fn`"
)]
pub trait ListFunction<'c, M> {
    /// The list, or its future.
    type List;

    fn list(self, ctx: &'c Ctx) -> Self::List;
}

#[doc(hidden)]
#[derive(Debug)]
pub struct Bare<M>(M);
#[doc(hidden)]
#[derive(Debug)]
pub struct WithCtx<M>(M);

#[diagnostic::do_not_recommend]
impl<'c, F, R, M> ListFunction<'c, Bare<M>> for F
where
    F: FnOnce() -> R,
    R: Comes<Vec<Listed>, M>,
{
    type List = Coming<R, Vec<Listed>, M>;

    fn list(self, _: &'c Ctx) -> Self::List {
        self().coming()
    }
}

#[diagnostic::do_not_recommend]
impl<'c, F, R, M> ListFunction<'c, WithCtx<M>> for F
where
    F: FnOnce(&'c Ctx) -> R,
    R: Comes<Vec<Listed>, M>,
{
    type List = Coming<R, Vec<Listed>, M>;

    fn list(self, ctx: &'c Ctx) -> Self::List {
        self(ctx).coming()
    }
}
