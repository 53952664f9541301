//! Enumerating the concrete resources of a template: what `list = FN` may return.

use std::future::Future;

use serde::Serialize;
use serde_json::Value;

use crate::handler::call::BoxFuture;
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

/// A list, or a `Result` of one, now or later; `M` only keeps the cases apart.
#[doc(hidden)]
pub trait IntoList<'c, M> {
    fn into_list(self) -> BoxFuture<'c, Result<Vec<Listed>, Failure>>;
}

fn listed<T: IntoListed>(items: Vec<T>) -> Result<Vec<Listed>, Failure> {
    items.into_iter().map(T::into_listed).collect()
}

fn now<'c>(list: Result<Vec<Listed>, Failure>) -> BoxFuture<'c, Result<Vec<Listed>, Failure>> {
    Box::pin(std::future::ready(list))
}

#[doc(hidden)]
#[derive(Debug)]
pub struct Plain;
#[doc(hidden)]
#[derive(Debug)]
pub struct Fallible;
#[doc(hidden)]
#[derive(Debug)]
pub struct Later<M>(M);

#[diagnostic::do_not_recommend]
impl<'c, T: IntoListed> IntoList<'c, Plain> for Vec<T> {
    fn into_list(self) -> BoxFuture<'c, Result<Vec<Listed>, Failure>> {
        now(listed(self))
    }
}

#[diagnostic::do_not_recommend]
impl<'c, T: IntoListed, E: HandlerError> IntoList<'c, Fallible> for Result<Vec<T>, E> {
    fn into_list(self) -> BoxFuture<'c, Result<Vec<Listed>, Failure>> {
        now(self.map_err(HandlerError::into_failure).and_then(listed))
    }
}

#[diagnostic::do_not_recommend]
impl<'c, F, M> IntoList<'c, Later<M>> for F
where
    F: Future + Send + 'c,
    F::Output: IntoList<'c, M>,
{
    fn into_list(self) -> BoxFuture<'c, Result<Vec<Listed>, Failure>> {
        Box::pin(async move {
            let list = self.await.into_list();
            list.await
        })
    }
}

/// A function without parameters or with `&Ctx`; `M` only keeps the cases apart.
#[doc(hidden)]
#[diagnostic::on_unimplemented(
    message = "`{Self}` does not enumerate resources",
    label = "is not `fn()` or `fn(&Ctx)` that gives a `Vec`",
    note = "return `Vec<Resource>`, `Vec<String>` for a template of one variable, or a `Result` of it whose error has `Display`, from a `fn`, or an `async fn` whose future is `Send`"
)]
pub trait ListFunction<'c, M> {
    /// The list.
    fn list(self, ctx: &'c Ctx) -> BoxFuture<'c, Result<Vec<Listed>, Failure>>;
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
    R: IntoList<'c, M>,
{
    fn list(self, _: &'c Ctx) -> BoxFuture<'c, Result<Vec<Listed>, Failure>> {
        self().into_list()
    }
}

#[diagnostic::do_not_recommend]
impl<'c, F, R, M> ListFunction<'c, WithCtx<M>> for F
where
    F: FnOnce(&'c Ctx) -> R,
    R: IntoList<'c, M>,
{
    fn list(self, ctx: &'c Ctx) -> BoxFuture<'c, Result<Vec<Listed>, Failure>> {
        self(ctx).into_list()
    }
}
