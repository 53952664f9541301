//! What is made or asked before a handler is called.

use std::any::Any;
use std::fmt;

use super::ask::{AskStep, EarlyStep};
use super::call::BoxFuture;
use super::ctx::Ctx;
use super::error::Failure;

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
