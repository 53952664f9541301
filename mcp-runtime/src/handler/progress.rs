//! Progress of one request: numbers of any type, only ever upwards, never more than the client takes.

use std::fmt;
use std::future::{Future, poll_fn};
use std::pin::Pin;
use std::sync::atomic::Ordering;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll};
use std::time::Duration;

use serde::Serialize;
use serde_json::Value;

use super::alarm::Alarm;
use super::amount::{Amount, Total};
use super::call::BoxFuture;
use super::ctx::{CallState, Ctx};
use super::host::Outlet;
use crate::protocol::id::Id;
use crate::protocol::write;
use crate::schema::EXACT;

/// Progress of one request: only ever upwards.
#[derive(Debug)]
pub(crate) struct Progress {
    token: Id,
    last: Mutex<f64>,
    sent: Mutex<Sent>,
}

/// What has become of the reports.
#[derive(Debug)]
struct Sent {
    /// The last one that was sent or held.
    last: f64,
    /// The newest report that the client was not ready for.
    held: Option<Vec<u8>>,
    /// The client was waited for in vain: it is not waited for again until it reads.
    is_given_up: bool,
}

/// How long a report waits for a client that takes nothing meanwhile.
const PATIENCE: Duration = Duration::from_secs(1);

/// Waits until the client has caught up, for as long as it goes on reading. False when it does not read.
async fn caught_up(outlet: &dyn Outlet) -> bool {
    loop {
        let before = outlet.taken();
        let mut alarm = Alarm::after(PATIENCE);
        let is_relieved = poll_fn(|context| match outlet.poll_relieved(context) {
            Poll::Ready(()) => Poll::Ready(true),
            Poll::Pending => alarm.poll(context).map(|()| false),
        });
        if is_relieved.await {
            return true;
        }
        if outlet.taken() == before {
            return false;
        }
    }
}

impl Progress {
    pub(crate) const fn new(token: Id) -> Self {
        let sent = Sent { last: f64::NEG_INFINITY, held: None, is_given_up: false };
        Self { token, last: Mutex::new(f64::NEG_INFINITY), sent: Mutex::new(sent) }
    }

    /// Whether `done` is more than was ever reported; if so it is what was last reported.
    fn advances_to(&self, done: f64) -> bool {
        let mut last = self.last.lock().unwrap_or_else(PoisonError::into_inner);
        let advances = done.is_finite() && done > *last;
        if advances {
            *last = done;
        }
        advances
    }

    fn is_given_up(&self) -> bool {
        self.sent().is_given_up
    }

    fn sent(&self) -> MutexGuard<'_, Sent> {
        self.sent.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl CallState {
    /// Sends the newest report that waits, if anybody is to hear of it. Nothing follows.
    pub(crate) fn fall_silent(&self) {
        let Some(progress) = &self.progress else {
            self.muted.store(true, Ordering::Relaxed);
            return;
        };
        // In the lock, as each report is sent: no late one can fall between.
        let mut sent = progress.sent();
        self.muted.store(true, Ordering::Relaxed);
        if let Some(report) = sent.held.take().filter(|_| !self.cancel.is_cancelled()) {
            self.outlet.notify(report);
        }
    }
}

/// A double as JSON: whole numbers without a fraction.
fn number(value: f64) -> Value {
    if value.fract() == 0.0 && value.abs() < EXACT {
        #[expect(clippy::cast_possible_truncation, reason = "whole and within 2^53")]
        return (value as i64).into();
    }
    value.into()
}

impl Ctx {
    /// Reports progress, if the client asked for it: `done` of `total`, both any number type, `total` possibly `None`.
    ///
    /// Only increases are sent. A client that reads slowly is waited for; one that does not read is sent the newest report in
    /// the end, never a growing queue of them.
    ///
    /// ```
    /// # use mcp_runtime::prelude::*;
    /// /// Copy files.
    /// #[tool]
    /// async fn copy(ctx: &Ctx, files: Vec<String>) {
    ///     for (done, _file) in files.iter().enumerate() {
    ///         ctx.progress(done, files.len()).await;
    ///     }
    /// }
    /// # fn main() {}
    /// ```
    pub fn progress(&self, done: impl Amount, total: impl Total) -> Reporting<'_> {
        Reporting::new(self, done.amount(), total.total(), None)
    }

    /// Reports progress with a text for the person (sent from 2025-03-26).
    pub fn progress_message(&self, done: impl Amount, total: impl Total, text: impl Into<String>) -> Reporting<'_> {
        Reporting::new(self, done.amount(), total.total(), Some(text.into()))
    }
}

/// A report of progress, under way; made by [`Ctx::progress`].
// Not generic, as an `async fn` is over its arguments: what does not fit there would be missed at its `await` again.
#[must_use = "progress is reported when it is awaited"]
pub struct Reporting<'c> {
    ctx: &'c Ctx,
    done: f64,
    total: Option<f64>,
    text: Option<String>,
    begun: Option<Begun<'c>>,
}

/// A report that is to be sent.
struct Begun<'c> {
    message: Vec<u8>,
    client: Reader<'c>,
}

/// How the client gets on with what it is sent.
enum Reader<'c> {
    Keeps,
    /// Boxed, for a handler's future holds it wherever it reports something.
    IsWaitedFor(BoxFuture<'c, bool>),
    IsGivenUp,
}

impl fmt::Debug for Reporting<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Reporting").field("done", &self.done).field("total", &self.total).finish_non_exhaustive()
    }
}

impl<'c> Reporting<'c> {
    const fn new(ctx: &'c Ctx, done: f64, total: Option<f64>, text: Option<String>) -> Self {
        Self { ctx, done, total, text, begun: None }
    }

    /// The report, if anybody is to hear of it.
    fn begin(&mut self, progress: &Progress) -> Option<Begun<'c>> {
        #[derive(Serialize)]
        #[serde(rename_all = "camelCase")]
        struct Params<'a> {
            progress_token: &'a Id,
            progress: Value,
            #[serde(skip_serializing_if = "Option::is_none")]
            total: Option<Value>,
            #[serde(skip_serializing_if = "Option::is_none")]
            message: Option<String>,
        }

        let ctx = self.ctx;
        if ctx.is_muted() || !progress.advances_to(self.done) {
            return None;
        }
        let mut message = Vec::with_capacity(128);
        let params = Params {
            progress_token: &progress.token,
            progress: number(self.done),
            total: self.total.filter(|total| total.is_finite()).map(number),
            message: self.text.take().filter(|_| ctx.call.features.progress_message),
        };
        write::notification(&mut message, "notifications/progress", Some(&params));
        let outlet = &*ctx.call.outlet;
        // A client that does not read hears of the newest report only, and keeps nobody waiting for more than a while.
        let client = if !outlet.is_congested() {
            Reader::Keeps
        } else if progress.is_given_up() {
            Reader::IsGivenUp
        } else {
            Reader::IsWaitedFor(Box::pin(caught_up(outlet)))
        };
        Some(Begun { message, client })
    }

    fn send(&self, progress: &Progress, message: Vec<u8>, is_ready: bool) {
        let mut sent = progress.sent();
        // Reports that waited at the same time may come back in any order, and after the end.
        if self.done <= sent.last || self.ctx.is_muted() {
            return;
        }
        sent.last = self.done;
        sent.is_given_up = !is_ready;
        sent.held = if is_ready {
            self.ctx.call.outlet.notify(message);
            None
        } else {
            Some(message)
        };
    }
}

impl Future for Reporting<'_> {
    type Output = ();

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<()> {
        let this = &mut *self;
        let Some(progress) = &this.ctx.call.progress else { return Poll::Ready(()) };
        let begun = this.begun.take().or_else(|| this.begin(progress));
        let Some(Begun { message, mut client }) = begun else { return Poll::Ready(()) };
        let is_ready = match &mut client {
            Reader::Keeps => true,
            Reader::IsGivenUp => false,
            Reader::IsWaitedFor(caught_up) => match caught_up.as_mut().poll(context) {
                Poll::Ready(is_ready) => is_ready,
                Poll::Pending => {
                    this.begun = Some(Begun { message, client });
                    return Poll::Pending;
                }
            },
        };
        this.send(progress, message, is_ready);
        Poll::Ready(())
    }
}
