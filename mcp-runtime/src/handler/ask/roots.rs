//! The client's roots: `ctx.roots()`.

use std::fmt;
use std::future::Future;
use std::pin::Pin;
use std::task::{Context, Poll, ready};

use serde::Deserialize;
use serde_json::value::RawValue;

use super::asked::{Asked, Unanswered};
use super::error::AskError;
use super::pose::Pose;
use crate::handler::ctx::Ctx;
use crate::protocol::message::plain;

/// A folder or file that the client works in.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[non_exhaustive]
pub struct Root {
    /// Where it is: `file://…`.
    pub uri: String,
    /// Its name for people.
    #[serde(default)]
    pub name: Option<String>,
}

#[derive(Deserialize)]
#[serde(expecting = "an object with `roots`")]
struct ListRootsResult {
    roots: Vec<Root>,
}

/// The question for the client's roots, under way; made by [`Ctx::roots`].
#[must_use = "a question is asked when it is awaited"]
pub struct RootsRequest<'c> {
    asked: Asked<'c>,
    /// When they were asked for, to be kept if nothing has changed since.
    asked_at: Option<u64>,
}

impl fmt::Debug for RootsRequest<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("RootsRequest").field("key", &self.asked.key()).finish_non_exhaustive()
    }
}

impl<'c> RootsRequest<'c> {
    pub(crate) fn new(ctx: &'c Ctx) -> Self {
        Self { asked: Asked::new(ctx, Pose::Roots), asked_at: None }
    }

    /// What tells this question from the others of the call.
    pub fn key(mut self, key: impl fmt::Display) -> Self {
        self.asked.set_key(key.to_string());
        self
    }

    /// `None` when the client has no roots, which otherwise ends the call.
    pub const fn optional(self) -> OptionalRoots<'c> {
        OptionalRoots(self)
    }

    fn poll_optional(&mut self, context: &mut Context<'_>) -> Poll<Result<Vec<Root>, Unanswered>> {
        if let (None, Some(peer)) = (self.asked_at, self.asked.ctx().call.peer()) {
            match peer.line.roots.known() {
                Ok(roots) => return Poll::Ready(Ok(roots)),
                Err(now) => self.asked_at = Some(now),
            }
        }
        let answer = ready!(self.asked.poll_optional(context))?;
        let roots = match read(&answer) {
            Ok(roots) => roots,
            Err(faults) => return self.asked.misfit(faults).map(|error| Err(Unanswered::Error(error))),
        };
        let ctx = self.asked.ctx();
        // A client that never says that they changed is asked every time.
        if let (Some(asked_at), Some(peer)) = (self.asked_at, ctx.call.peer()) {
            if peer.client.capabilities.announces_roots() {
                peer.line.roots.keep(&roots, asked_at);
            }
        }
        Poll::Ready(Ok(roots))
    }
}

fn read(answer: &RawValue) -> Result<Vec<Root>, String> {
    serde_json::from_str::<ListRootsResult>(answer.get())
        .map(|result| result.roots)
        .map_err(|error| format!("\n- {}", plain(&error)))
}

impl Future for RootsRequest<'_> {
    type Output = Result<Vec<Root>, AskError>;

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Self::Output> {
        match ready!(self.poll_optional(context)) {
            Ok(roots) => Poll::Ready(Ok(roots)),
            Err(unanswered) => self.asked.end_call(unanswered).map(Err),
        }
    }
}

/// The question for the roots of a client that perhaps has none; made by [`RootsRequest::optional`].
#[derive(Debug)]
#[must_use = "a question is asked when it is awaited"]
pub struct OptionalRoots<'c>(RootsRequest<'c>);

impl Future for OptionalRoots<'_> {
    type Output = Result<Option<Vec<Root>>, AskError>;

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Self::Output> {
        Poll::Ready(match ready!(self.0.poll_optional(context)) {
            Ok(roots) => Ok(Some(roots)),
            Err(Unanswered::Unaskable(_)) => Ok(None),
            Err(Unanswered::Error(error)) => Err(error),
        })
    }
}
