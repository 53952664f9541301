//! A handler while it may have questions: dropped when it has to wait for its client, timed without a person's time.

use std::future::Future;
use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::Duration;

use tokio::time::{Instant, Sleep};

use super::asking::Asking;
use crate::handler::call::{BoxFuture, Made};
use crate::handler::ctx::Ctx;

/// A handler's future with its questions.
pub(crate) struct Attended<'c, R> {
    asking: &'c Asking,
    handler: Option<BoxFuture<'c, Made<R>>>,
}

impl<'c, R> Attended<'c, R> {
    pub(crate) fn new(ctx: &'c Ctx, handler: BoxFuture<'c, Made<R>>) -> Self {
        Self { asking: &ctx.call.asking, handler: Some(handler) }
    }
}

impl<R> Future for Attended<'_, R> {
    type Output = Made<R>;

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Made<R>> {
        let Some(handler) = &mut self.handler else { return Poll::Pending };
        let outcome = match handler.as_mut().poll(context) {
            Poll::Ready(made) => made,
            Poll::Pending => match self.asking.after_poll(context.waker()) {
                Some(failure) => Err(failure),
                None => return Poll::Pending,
            },
        };
        self.handler = None;
        // A call that was condemned must not succeed because something raced the question.
        Poll::Ready(self.asking.end().map_or(outcome, Err))
    }
}

impl<R> Drop for Attended<'_, R> {
    fn drop(&mut self) {
        if let Some(handler) = self.handler.take() {
            drop(handler);
            self.asking.end();
        }
    }
}

/// A handler with a limit on its own time: while a person is waited for, the clock stands.
pub(crate) struct Timed<'c, F> {
    ctx: &'c Ctx,
    deadline: Instant,
    timer: Pin<Box<Sleep>>,
    handler: F,
}

/// The handler's own time is over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct TimeIsOver;

impl<'c, F> Timed<'c, F> {
    pub(crate) fn new(ctx: &'c Ctx, limit: Duration, handler: F) -> Self {
        let deadline = Instant::now() + limit;
        // A later call on the same context, of a hook, keeps the first deadline.
        let _ = ctx.call.deadline.set(deadline);
        Self { ctx, deadline, timer: Box::pin(tokio::time::sleep_until(deadline)), handler }
    }
}

impl<F: Future + Unpin> Future for Timed<'_, F> {
    type Output = Result<F::Output, TimeIsOver>;

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Self::Output> {
        if let Poll::Ready(made) = Pin::new(&mut self.handler).poll(context) {
            return Poll::Ready(Ok(made));
        }
        loop {
            let (waited, is_waiting) = self.ctx.call.asking.waited();
            if is_waiting {
                // The answer wakes the handler, and with it this.
                return Poll::Pending;
            }
            let deadline = self.deadline + waited;
            if self.timer.deadline() != deadline {
                self.timer.as_mut().reset(deadline);
            }
            if self.timer.as_mut().poll(context).is_pending() {
                return Poll::Pending;
            }
            if deadline <= Instant::now() {
                return Poll::Ready(Err(TimeIsOver));
            }
        }
    }
}
