//! Asking the client's model, under way: `ctx.sample(…)`.

use std::fmt;
use std::future::Future;
use std::pin::Pin;
use std::task::{Context, Poll, ready};
use std::time::Duration;

use super::asked::{Asked, Unanswered};
use super::error::AskError;
use super::message::{Sampled, read};
use super::pose::Pose;
use super::sampling::SampleRequest;
use crate::handler::ctx::Ctx;

/// A question for the client's model, under way; made by [`Ctx::sample`].
#[must_use = "a question is asked when it is awaited"]
pub struct Sampling<'c> {
    asked: Asked<'c>,
}

impl fmt::Debug for Sampling<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Sampling").field("key", &self.asked.key()).finish_non_exhaustive()
    }
}

impl<'c> Sampling<'c> {
    pub(crate) fn new(ctx: &'c Ctx, request: SampleRequest) -> Self {
        Self { asked: Asked::new(ctx, Pose::Sample(Box::new(request))) }
    }

    /// What tells this question from the others of the call.
    pub fn key(mut self, key: impl fmt::Display) -> Self {
        self.asked.set_key(key.to_string());
        self
    }

    /// How long an answer is waited for; after that it is [`AskError::Expired`].
    pub fn expires(mut self, after: Duration) -> Self {
        self.asked.set_expires(after);
        self
    }

    /// `None` when the client has no model to ask, which otherwise ends the call.
    pub const fn optional(self) -> OptionalSampling<'c> {
        OptionalSampling(self)
    }

    fn poll_optional(&mut self, context: &mut Context<'_>) -> Poll<Result<Sampled, Unanswered>> {
        /// "User rejected sampling request", in the specification's own example.
        const REJECTED: i64 = -1;
        let answer = match ready!(self.asked.poll_optional(context)) {
            Err(Unanswered::Error(AskError::Client { code: REJECTED, .. })) => {
                let error = AskError::Declined { key: self.asked.key().to_owned() };
                return Poll::Ready(Err(Unanswered::Error(error)));
            }
            answer => answer?,
        };
        match read(&answer) {
            Ok(sampled) => Poll::Ready(Ok(sampled)),
            Err(faults) => self.asked.misfit(faults).map(|error| Err(Unanswered::Error(error))),
        }
    }
}

impl Future for Sampling<'_> {
    type Output = Result<Sampled, AskError>;

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Self::Output> {
        match ready!(self.poll_optional(context)) {
            Ok(sampled) => Poll::Ready(Ok(sampled)),
            Err(unanswered) => self.asked.end_call(unanswered).map(Err),
        }
    }
}

/// A question for the model of a client that perhaps has none; made by [`Sampling::optional`].
#[derive(Debug)]
#[must_use = "a question is asked when it is awaited"]
pub struct OptionalSampling<'c>(Sampling<'c>);

impl Future for OptionalSampling<'_> {
    type Output = Result<Option<Sampled>, AskError>;

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Self::Output> {
        Poll::Ready(match ready!(self.0.poll_optional(context)) {
            Ok(sampled) => Ok(Some(sampled)),
            Err(Unanswered::Unaskable(_)) => Ok(None),
            Err(Unanswered::Error(error)) => Err(error),
        })
    }
}
