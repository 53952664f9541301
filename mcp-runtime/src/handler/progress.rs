//! Progress of one request: numbers of any type, only ever upwards, never more than the client takes.

use std::sync::{Mutex, PoisonError};

use serde::Serialize;
use serde_json::Value;

use super::ctx::{CallState, Ctx};
use crate::protocol::id::Id;
use crate::protocol::write;

/// Progress of one request: only ever upwards.
#[derive(Debug)]
pub(crate) struct Progress {
    token: Id,
    last: Mutex<f64>,
    /// The newest report that the client was not ready for.
    held: Mutex<Option<Vec<u8>>>,
}

impl Progress {
    pub(crate) const fn new(token: Id) -> Self {
        Self { token, last: Mutex::new(f64::NEG_INFINITY), held: Mutex::new(None) }
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

    /// Keeps a report for later, in place of an earlier one; or takes what was kept.
    fn hold(&self, report: Option<Vec<u8>>) -> Option<Vec<u8>> {
        std::mem::replace(&mut self.held.lock().unwrap_or_else(PoisonError::into_inner), report)
    }
}

impl CallState {
    /// Sends the newest report that waits: the last thing said before the answer.
    pub(crate) fn flush_progress(&self) {
        if let Some(report) = self.progress.as_ref().and_then(|progress| progress.hold(None)) {
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
    const EXACT: f64 = 9_007_199_254_740_992.0;
    if value.fract() == 0.0 && value.abs() < EXACT {
        #[expect(clippy::cast_possible_truncation, reason = "whole and within 2^53")]
        return (value as i64).into();
    }
    value.into()
}

impl Ctx {
    /// Reports progress, if the client asked for it: `done` of `total`, both any number type, `total` possibly `None`.
    ///
    /// Only increases are sent. A client that reads slowly is sent fewer reports, never a growing queue of them.
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
        if self.call.outlet.is_congested() {
            // Let whoever writes come to it; a client that is slower than that hears of the newest report only.
            tokio::task::yield_now().await;
            if self.call.outlet.is_congested() {
                progress.hold(Some(message));
                return;
            }
        }
        progress.hold(None);
        self.call.outlet.notify(message);
    }
}
