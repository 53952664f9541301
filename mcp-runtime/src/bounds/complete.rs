//! The functions that `complete = …` names.

use crate::handler::coming::{Comes, Coming, Gives};
use crate::handler::completion::CompletionContext;
use crate::handler::error::{Failure, HandlerError};

/// What `complete = …` names, with or without the context; `M` only keeps the cases apart.
#[diagnostic::on_unimplemented(
    message = "`{Self}` does not complete an argument",
    label = "is not `fn(&str, &CompletionContext) -> Vec<String>`",
    note = "take both or the text alone, and return anything that gives strings, or a `Result` of it whose error has `Display`, from a `fn` or `async fn`"
)]
pub trait CompleteFunction<'c, M> {
    /// The candidates, or their future.
    type Candidates;

    /// Calls it.
    fn complete(self, partial: &'c str, ctx: &'c CompletionContext) -> Self::Candidates;
}

#[derive(Debug)]
pub struct OfText<M>(M);
#[derive(Debug)]
pub struct WithContext<M>(M);

#[diagnostic::do_not_recommend]
impl<'c, F, R, M> CompleteFunction<'c, OfText<M>> for F
where
    F: FnOnce(&'c str) -> R,
    R: Comes<Vec<String>, M>,
{
    type Candidates = Coming<R, Vec<String>, M>;

    fn complete(self, partial: &'c str, _: &'c CompletionContext) -> Self::Candidates {
        self(partial).coming()
    }
}

#[diagnostic::do_not_recommend]
impl<'c, F, R, M> CompleteFunction<'c, WithContext<M>> for F
where
    F: FnOnce(&'c str, &'c CompletionContext) -> R,
    R: Comes<Vec<String>, M>,
{
    type Candidates = Coming<R, Vec<String>, M>;

    fn complete(self, partial: &'c str, ctx: &'c CompletionContext) -> Self::Candidates {
        self(partial, ctx).coming()
    }
}

#[derive(Debug)]
pub struct Plain;
#[derive(Debug)]
pub struct Fallible<E>(E);

#[diagnostic::do_not_recommend]
impl<T> Gives<Vec<String>, Plain> for T
where
    T: IntoIterator,
    T::Item: Into<String>,
{
    fn give(self) -> Result<Vec<String>, Failure> {
        Ok(self.into_iter().map(Into::into).collect())
    }
}

#[diagnostic::do_not_recommend]
impl<T, E> Gives<Vec<String>, Fallible<E>> for Result<T, E>
where
    T: IntoIterator,
    T::Item: Into<String>,
    E: HandlerError,
{
    fn give(self) -> Result<Vec<String>, Failure> {
        let values = self.map_err(HandlerError::into_failure)?;
        Ok(values.into_iter().map(Into::into).collect())
    }
}
