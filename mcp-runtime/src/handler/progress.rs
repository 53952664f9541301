//! Progress of one request: numbers of any type, only ever upwards, never more than the client takes.

use std::future::poll_fn;
use std::sync::atomic::Ordering;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::task::Poll;
use std::time::Duration;

use serde::Serialize;
use serde_json::Value;

use super::alarm::Alarm;
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

/// A number of any type, for [`Ctx::progress`].
pub trait Amount {
    /// The number as JSON's.
    #[doc(hidden)]
    fn amount(self) -> f64;
}

/// The end of the progress: a number of any type, or `None` when nobody knows.
pub trait Total {
    /// The number as JSON's.
    #[doc(hidden)]
    fn total(self) -> Option<f64>;
}

macro_rules! amounts {
    ($($type:ty),+) => {$(
        impl Amount for $type {
            #[expect(clippy::allow_attributes, reason = "not every number type makes the cast lossy")]
            #[allow(clippy::cast_lossless, clippy::cast_precision_loss, reason = "JSON numbers are doubles")]
            fn amount(self) -> f64 {
                self as f64
            }
        }

        impl Total for $type {
            fn total(self) -> Option<f64> {
                Some(self.amount())
            }
        }
    )+};
}

amounts!(i8, i16, i32, i64, isize, u8, u16, u32, u64, usize, f32, f64);

impl Total for Option<f64> {
    fn total(self) -> Self {
        self
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
    pub async fn progress(&self, done: impl Amount + Send, total: impl Total + Send) {
        self.report(done.amount(), total.total(), None).await;
    }

    /// Reports progress with a text for the person (sent from 2025-03-26).
    pub async fn progress_message(
        &self,
        done: impl Amount + Send,
        total: impl Total + Send,
        text: impl Into<String> + Send,
    ) {
        self.report(done.amount(), total.total(), Some(text.into())).await;
    }

    async fn report(&self, done: f64, total: Option<f64>, text: Option<String>) {
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

        let Some(progress) = &self.call.progress else { return };
        if self.is_muted() || !progress.advances_to(done) {
            return;
        }
        let mut message = Vec::with_capacity(128);
        let params = Params {
            progress_token: &progress.token,
            progress: number(done),
            total: total.filter(|total| total.is_finite()).map(number),
            message: text.filter(|_| self.call.features.progress_message),
        };
        write::notification(&mut message, "notifications/progress", Some(&params));
        let outlet = &*self.call.outlet;
        // A client that does not read hears of the newest report only, and keeps nobody waiting for more than a while.
        let is_ready = if outlet.is_congested() {
            // Boxed, for a handler's future holds it wherever it reports something.
            !progress.is_given_up() && Box::pin(caught_up(outlet)).await
        } else {
            true
        };
        let mut sent = progress.sent();
        // Reports that waited at the same time may come back in any order, and after the end.
        if done <= sent.last || self.is_muted() {
            return;
        }
        sent.last = done;
        sent.is_given_up = !is_ready;
        sent.held = if is_ready {
            outlet.notify(message);
            None
        } else {
            Some(message)
        };
    }
}
