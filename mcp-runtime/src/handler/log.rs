//! Log messages to the client: their levels, and who wants to hear which.

use std::sync::atomic::{AtomicU8, Ordering};

use serde::Serialize;

use super::ctx::{CallState, Ctx};
use crate::protocol::{ToJson, write};

/// The severity of a log message, see <https://modelcontextprotocol.io/specification/draft/server/utilities/logging>.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, serde::Deserialize)]
#[serde(rename_all = "lowercase")]
#[repr(u8)]
pub enum LogLevel {
    /// Details for debugging.
    Debug,
    /// Normal operation.
    Info,
    /// Normal but noteworthy.
    Notice,
    /// Something odd.
    Warning,
    /// Something failed.
    Error,
    /// A part failed.
    Critical,
    /// Somebody must act.
    Alert,
    /// Nothing works.
    Emergency,
}

impl LogLevel {
    /// As they stand on the wire, the least severe first.
    pub(crate) const NAMES: [&str; 8] =
        ["debug", "info", "notice", "warning", "error", "critical", "alert", "emergency"];

    const ALL: [Self; 8] = [
        Self::Debug,
        Self::Info,
        Self::Notice,
        Self::Warning,
        Self::Error,
        Self::Critical,
        Self::Alert,
        Self::Emergency,
    ];
}

/// The least level that a client wants to hear.
#[derive(Clone, Copy, Debug)]
pub(crate) enum LogGate {
    /// That of its session.
    Session,
    Request(Option<LogLevel>),
}

/// A session's least level, changed by `logging/setLevel`.
#[derive(Debug)]
pub(crate) struct LogFloor(AtomicU8);

impl LogFloor {
    pub(crate) const fn new(level: LogLevel) -> Self {
        Self(AtomicU8::new(level as u8))
    }

    pub(crate) fn set(&self, level: LogLevel) {
        self.0.store(level as u8, Ordering::Relaxed);
    }

    pub(crate) fn get(&self) -> Option<LogLevel> {
        LogLevel::ALL.get(usize::from(self.0.load(Ordering::Relaxed))).copied()
    }
}

impl CallState {
    fn lets_pass(&self, level: LogLevel) -> bool {
        let floor = match self.log_gate {
            LogGate::Session => self.peer().and_then(|peer| peer.log_floor.get()),
            LogGate::Request(floor) => floor,
        };
        floor.is_some_and(|floor| level >= floor)
    }
}

/// Logs under a name; made by [`Ctx::logger`].
#[derive(Clone, Copy, Debug)]
pub struct Logger<'a> {
    ctx: &'a Ctx,
    name: &'a str,
}

impl Logger<'_> {
    /// Sends a log message under the logger's name, see [`Ctx::log`].
    #[expect(clippy::needless_pass_by_value, reason = "a value of the author's, or a reference to it")]
    pub fn log(&self, level: LogLevel, data: impl ToJson) {
        self.ctx.log_as(Some(self.name), level, &data);
    }
}

impl Ctx {
    /// Sends a log message to the client, if it wants to hear messages of this level.
    ///
    /// `data` is anything that serializes, often a text. For your own logs use `tracing` or standard error.
    #[expect(clippy::needless_pass_by_value, reason = "a value of the author's, or a reference to it")]
    pub fn log(&self, level: LogLevel, data: impl ToJson) {
        self.log_as(None, level, &data);
    }

    /// A logger with a name, for [`Logger::log`].
    #[must_use]
    pub fn logger<'a>(&'a self, name: &'a str) -> Logger<'a> {
        Logger { ctx: self, name }
    }

    fn log_as<T: ToJson>(&self, logger: Option<&str>, level: LogLevel, data: &T) {
        #[derive(Serialize)]
        struct Params<'a, T> {
            level: LogLevel,
            #[serde(skip_serializing_if = "Option::is_none")]
            logger: Option<&'a str>,
            data: &'a T,
        }

        if self.is_muted() || !self.call.lets_pass(level) {
            return;
        }
        let mut message = Vec::with_capacity(128);
        match data.to_raw_value() {
            Ok(data) => {
                write::notification(
                    &mut message,
                    "notifications/message",
                    Some(&Params { level, logger, data: &data }),
                );
            }
            Err(error) => {
                let data = format!("the data of this message cannot be written as JSON: {error}");
                write::notification(
                    &mut message,
                    "notifications/message",
                    Some(&Params { level, logger, data: &data }),
                );
            }
        }
        self.call.outlet.notify(message);
    }
}
