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
    pub struct Once<'c, F, T, E> {
        run: Run<'c>,
        // The bounds are met where it is made, so a misfit is reported there and not at its `await` again.
        poll: Poller<F, T, E>,
        read: fn(&RawValue) -> serde_json::Result<T>,
        write: fn(&T) -> serde_json::Result<Box<RawValue>>,
        #[pin]
        future: F,
    }
}

/// What is run once: a future of a `Result`.
#[diagnostic::on_unimplemented(
    message = "`once` cannot run `{Self}`",
    label = "is no future of a `Result`",
    note = "call an `async fn` that returns a `Result`, or write `async {{ Ok::<_, mcp_runtime::Error>(value) }}`"
)]
pub trait Attempt<T, E> {
    #[doc(hidden)]
    fn poll_attempt(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Result<T, E>>;
}

#[diagnostic::do_not_recommend]
impl<F: Future<Output = Result<T, E>>, T, E> Attempt<T, E> for F {
    fn poll_attempt(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Result<T, E>> {
        self.poll(context)
    }
}

/// What is remembered of it: a value that can be written and read again.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be remembered by `once`: it needs `Serialize` and `Deserialize` of serde 1",
    label = "gives `{Self}`",
    note = "put `#[mcp_runtime::data]` above the type and its derives, and above those inside it"
)]
pub trait Remembered: Serialize + DeserializeOwned {}

#[diagnostic::do_not_recommend]
impl<T: Serialize + DeserializeOwned> Remembered for T {}

type Poller<F, T, E> = fn(Pin<&mut F>, &mut Context<'_>) -> Poll<Result<T, E>>;

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

impl<F, T, E> fmt::Debug for Once<'_, F, T, E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Once").field("key", &self.run.key).finish_non_exhaustive()
    }
}

impl<'c, F, T, E> Once<'c, F, T, E>
where
    F: Attempt<T, E>,
    T: Remembered,
{
    pub(crate) fn new(ctx: &'c Ctx, key: String, future: F) -> Self {
        let run = Run { ctx, key, stage: Stage::New };
        Self {
            run,
            poll: F::poll_attempt,
            read: |result| serde_json::from_str(result.get()),
            write: |value| to_raw_value(value),
            future,
        }
    }
}

impl Run<'_> {
    /// The result of an earlier round; otherwise the future begins now, if it may.
    fn begin<T>(&mut self, read: fn(&RawValue) -> serde_json::Result<T>) -> Option<T> {
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
        match read(&result) {
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

impl<F, T, E> Future for Once<'_, F, T, E> {
    type Output = Result<T, E>;

    fn poll(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Self::Output> {
        let this = self.project();
        let run = this.run;
        if run.stage == Stage::New {
            if let Some(value) = run.begin(*this.read) {
                return Poll::Ready(Ok(value));
            }
        }
        if run.stage != Stage::Running {
            return Poll::Pending;
        }
        let inside = Inside::enter(run.ctx);
        let polled = (this.poll)(this.future, context);
        drop(inside);
        let Poll::Ready(outcome) = polled else { return Poll::Pending };
        // Only what has succeeded is remembered; where nothing is repeated, nothing need be written.
        let remembered = match &outcome {
            Ok(value) if run.ctx.call.asking.is_repeated() => Some((this.write)(value)),
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
