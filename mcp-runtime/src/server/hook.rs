//! The one hook around every call, for audit and metrics.

use std::fmt;
use std::future::{Future, poll_fn};
use std::sync::Arc;
use std::task::Poll;

use super::exchange::{caught, panicked};
use super::reply::Reply;
use crate::handler::call::BoxFuture;
use crate::handler::ctx::Ctx;
use crate::handler::error::Failure;

/// What kind of handler is called.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum CallKind {
    /// `tools/call`
    Tool,
    /// `resources/read`
    Resource,
    /// `prompts/get`
    Prompt,
}

/// The call that a hook surrounds.
#[derive(Clone, Debug)]
pub struct CallInfo {
    pub(crate) kind: CallKind,
    pub(crate) name: String,
    pub(crate) ctx: Ctx,
}

impl CallInfo {
    /// What kind of handler is called.
    #[must_use]
    pub const fn kind(&self) -> CallKind {
        self.kind
    }

    /// The tool's or prompt's name, the resource's URI.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The call's context.
    #[must_use]
    pub const fn ctx(&self) -> &Ctx {
        &self.ctx
    }
}

/// The call itself; a hook that does not run it must answer in its place.
pub struct Next(pub(crate) BoxFuture<'static, Outcome>);

impl fmt::Debug for Next {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Next")
    }
}

impl Next {
    /// The call; a handler that panics has failed, and the hook hears of it like of any other failure.
    pub(crate) fn new(work: impl Future<Output = Result<Reply, Failure>> + Send + 'static) -> Self {
        let mut work = Some(Box::pin(work));
        Self(Box::pin(poll_fn(move |context| {
            let Some(running) = &mut work else { return Poll::Pending };
            if let Some(poll) = caught(|| running.as_mut().poll(context)) {
                return poll.map(Outcome);
            }
            // What is left of it may panic again when it is dropped.
            caught(|| work = None);
            Poll::Ready(Outcome(Err(Failure::Protocol(panicked()))))
        })))
    }

    /// Runs the call.
    pub async fn run(self) -> Outcome {
        self.0.await
    }
}

/// What a call came to.
#[derive(Debug)]
pub struct Outcome(pub(crate) Result<Reply, Failure>);

impl Outcome {
    /// An answer in place of the call: the model or client hears this error.
    #[must_use]
    pub fn refuse(error: crate::Error) -> Self {
        use crate::handler::error::HandlerError as _;
        Self(Err(error.into_failure()))
    }

    /// Whether the call failed: an error, or a result that says it is one.
    #[must_use]
    pub const fn is_error(&self) -> bool {
        match &self.0 {
            Ok(Reply::Tool(result)) => result.is_error,
            Ok(Reply::Incapable(_)) => true,
            Ok(_) | Err(Failure::Asks(_)) => false,
            Err(_) => true,
        }
    }

    /// Whether the client was sent away with questions: it calls again with the answers (2026-07-28).
    #[must_use]
    pub const fn needs_input(&self) -> bool {
        matches!(self.0, Err(Failure::Asks(_)))
    }
}

/// The hook.
pub(crate) type Around = Arc<dyn Fn(CallInfo, Next) -> BoxFuture<'static, Outcome> + Send + Sync>;

/// Boxes an author's hook.
pub(crate) fn around<F, Fut>(hook: F) -> Around
where
    F: Fn(CallInfo, Next) -> Fut + Send + Sync + 'static,
    Fut: Future<Output = Outcome> + Send + 'static,
{
    Arc::new(move |call, next| Box::pin(hook(call, next)))
}
