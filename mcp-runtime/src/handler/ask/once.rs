//! `ctx.once(…)`: a side effect that is not repeated when the handler is.

use std::fmt;
use std::future::Future;
use std::pin::Pin;
use std::task::{Context, Poll};

use pin_project_lite::pin_project;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::value::{RawValue, to_raw_value};

use crate::handler::ctx::Ctx;
use crate::handler::error::Failure;
use crate::protocol::ProtocolError;

pin_project! {
    /// A future that is run in one round and remembered in the others; made by [`Ctx::once`].
    #[must_use = "futures do nothing unless polled"]
    pub struct Once<'c, F> {
        run: Run<'c>,
        #[pin]
        future: F,
    }
}

struct Run<'c> {
    ctx: &'c Ctx,
    key: String,
    stage: Stage,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Stage {
    New,
    Running,
    /// The call ends, so nothing becomes of it.
    Left,
    Done,
}

impl<F> fmt::Debug for Once<'_, F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Once").field("key", &self.run.key).finish_non_exhaustive()
    }
}

impl<'c, F> Once<'c, F> {
    pub(crate) const fn new(ctx: &'c Ctx, key: String, future: F) -> Self {
        Self { run: Run { ctx, key, stage: Stage::New }, future }
    }
}

impl Run<'_> {
    /// The result of an earlier round; otherwise the future begins now, if it may.
    fn begin<T: DeserializeOwned>(&mut self) -> Option<T> {
        let asking = &self.ctx.call.asking;
        if !asking.take_once(&self.key) {
            self.stage = Stage::Left;
            return None;
        }
        let Some(result) = asking.result(&self.key) else {
            asking.begin_once();
            self.stage = Stage::Running;
            return None;
        };
        self.stage = Stage::Done;
        match serde_json::from_str(result.get()) {
            Ok(value) => Some(value),
            Err(error) => {
                self.fail(format_args!("cannot be read back: {error}"));
                None
            }
        }
    }

    fn fail(&mut self, problem: fmt::Arguments<'_>) {
        let text = format!("the result of `once(\"{}\")` {problem}", self.key);
        self.ctx.call.asking.condemn(Failure::Protocol(ProtocolError::internal(text)));
        self.stage = Stage::Left;
    }

    fn end(&mut self, result: Option<Box<RawValue>>) {
        if self.stage == Stage::Running {
            self.ctx.call.asking.end_once(&self.key, result);
            self.stage = Stage::Done;
        }
    }
}

impl Drop for Run<'_> {
    fn drop(&mut self) {
        self.end(None);
    }
}

/// Whether questions are asked inside of a `once`; ends with a panic, too.
struct Inside<'a>(&'a Ctx);

impl<'a> Inside<'a> {
    fn enter(ctx: &'a Ctx) -> Self {
        ctx.call.asking.set_inside(true);
        Self(ctx)
    }
}

impl Drop for Inside<'_> {
    fn drop(&mut self) {
        self.0.call.asking.set_inside(false);
    }
}

impl<F, T, E> Future for Once<'_, F>
where
    F: Future<Output = Result<T, E>>,
    T: Serialize + DeserializeOwned,
{
    type Output = Result<T, E>;

    fn poll(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Self::Output> {
        let this = self.project();
        let run = this.run;
        if run.stage == Stage::New {
            if let Some(value) = run.begin() {
                return Poll::Ready(Ok(value));
            }
        }
        if run.stage != Stage::Running {
            return Poll::Pending;
        }
        let inside = Inside::enter(run.ctx);
        let polled = this.future.poll(context);
        drop(inside);
        let Poll::Ready(outcome) = polled else { return Poll::Pending };
        // Only what has succeeded is remembered; where nothing is repeated, nothing need be written.
        let remembered = match &outcome {
            Ok(value) if run.ctx.call.asking.is_repeated() => Some(to_raw_value(value)),
            _ => None,
        };
        match remembered.transpose() {
            Ok(result) => run.end(result),
            Err(error) => {
                run.end(None);
                run.fail(format_args!("cannot be written as JSON: {error}"));
                return Poll::Pending;
            }
        }
        Poll::Ready(outcome)
    }
}
