//! `Ctx`: what a handler may ask for while it runs.

use std::any::TypeId;
use std::fmt;
use std::sync::atomic::{AtomicBool, AtomicU8, Ordering};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::task::Waker;
use std::time::Duration;

use serde::Serialize;
use serde_json::value::RawValue;
use serde_json::{Map, Value};
use tokio::sync::Notify;
use tokio::time::Instant;

use super::ask::{Asking, Need};
use super::extract::State;
use super::host::{Host, Outlet};
use super::pace::Pace;
use crate::protocol::features::Features;
use crate::protocol::id::Id;
use crate::protocol::{ClientCapabilities, Implementation, Revision, write};

/// The context of one request: progress, logs, cancellation, the client, the server.
///
/// A handler takes it as `&Ctx`. It is cheap to clone, for a closure that outlives the borrow.
#[derive(Clone)]
pub struct Ctx {
    pub(crate) call: Arc<CallState>,
}

impl fmt::Debug for Ctx {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Ctx").field("revision", &self.call.features.revision).finish_non_exhaustive()
    }
}

/// What one request brought and where its messages go.
pub(crate) struct CallState {
    pub(crate) host: Arc<dyn Host>,
    pub(crate) outlet: Arc<dyn Outlet>,
    pub(crate) features: &'static Features,
    pub(crate) client: ClientSource,
    /// The request's `_meta`, as it came.
    pub(crate) meta: Option<Box<RawValue>>,
    pub(crate) parsed_meta: OnceLock<Map<String, Value>>,
    pub(crate) progress: Option<Progress>,
    pub(crate) log_gate: LogGate,
    pub(crate) cancel: Cancel,
    pub(crate) deadline: OnceLock<Instant>,
    /// How the handler's calls have gone so far.
    pub(crate) pace: OnceLock<Arc<Pace>>,
    pub(crate) asking: Asking,
    /// Set when the call is over: nothing may follow its answer.
    pub(crate) muted: AtomicBool,
}

/// Who the client is.
pub(crate) enum ClientSource {
    /// A session knows.
    Session(Arc<Client>),
    /// The request's own `_meta` says, read when somebody asks.
    Meta { raw: fn(&CallState) -> Client, read: OnceLock<Client> },
}

/// The client of a request.
#[derive(Clone, Debug)]
pub struct Client {
    pub(crate) revision: Revision,
    pub(crate) info: Implementation,
    pub(crate) capabilities: ClientCapabilities,
}

impl Client {
    /// Its name, empty when it did not say. For display and logs: a client can claim any.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.info.name
    }

    /// Its version, empty when it did not say.
    #[must_use]
    pub fn version(&self) -> &str {
        &self.info.version
    }

    /// Its name for people.
    #[must_use]
    pub fn title(&self) -> Option<&str> {
        self.info.title.as_deref()
    }

    /// The protocol revision of this request.
    #[must_use]
    pub const fn revision(&self) -> Revision {
        self.revision
    }

    /// What it declared.
    #[must_use]
    pub const fn capabilities(&self) -> &ClientCapabilities {
        &self.capabilities
    }

    /// Whether it can show a form to the user.
    #[must_use]
    pub fn can_elicit(&self) -> bool {
        Need::Forms.is_met(self, Features::of(self.revision))
    }

    /// Whether it can open a page for the user.
    #[must_use]
    pub fn can_elicit_url(&self) -> bool {
        Need::Urls.is_met(self, Features::of(self.revision))
    }

    /// Whether it can ask a model.
    #[must_use]
    pub fn can_sample(&self) -> bool {
        Need::Sampling.is_met(self, Features::of(self.revision))
    }

    /// Whether it can ask a model that uses tools.
    #[must_use]
    pub fn can_sample_with_tools(&self) -> bool {
        Need::SamplingTools.is_met(self, Features::of(self.revision))
    }

    /// Whether it has roots.
    #[must_use]
    pub fn has_roots(&self) -> bool {
        Need::Roots.is_met(self, Features::of(self.revision))
    }
}

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

/// The least level that a client wants to hear; shared by the calls of a session.
#[derive(Clone, Debug)]
pub(crate) enum LogGate {
    Session(Arc<LogFloor>),
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

impl LogGate {
    fn lets_pass(&self, level: LogLevel) -> bool {
        let floor = match self {
            Self::Session(floor) => floor.get(),
            Self::Request(floor) => *floor,
        };
        floor.is_some_and(|floor| level >= floor)
    }
}

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

/// Whether a request was cancelled, and who waits to hear of it.
#[derive(Debug, Default)]
pub(crate) struct Cancel {
    flag: AtomicBool,
    waiters: Notify,
    /// Who polls the handler.
    job: Mutex<Option<Waker>>,
}

impl Cancel {
    pub(crate) fn cancel(&self) {
        // Release: whoever sees the flag sees what led to it.
        self.flag.store(true, Ordering::Release);
        self.waiters.notify_waiters();
        let job = self.job.lock().unwrap_or_else(PoisonError::into_inner).take();
        if let Some(job) = job {
            job.wake();
        }
    }

    /// Has the handler's task woken by a cancellation. True when there was one already.
    pub(crate) fn wake_on_cancel(&self, waker: &Waker) -> bool {
        let mut job = self.job.lock().unwrap_or_else(PoisonError::into_inner);
        match &mut *job {
            Some(known) => known.clone_from(waker),
            empty => *empty = Some(waker.clone()),
        }
        drop(job);
        // Read after the waker is in place, so that no cancellation falls between.
        self.is_cancelled()
    }

    pub(crate) fn is_cancelled(&self) -> bool {
        self.flag.load(Ordering::Acquire)
    }

    pub(crate) async fn cancelled(&self) {
        let waiting = self.waiters.notified();
        tokio::pin!(waiting);
        // Registered before the flag is read, so that no cancellation falls between.
        waiting.as_mut().enable();
        if !self.is_cancelled() {
            waiting.await;
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

/// W3C trace context of a request, see <https://www.w3.org/TR/trace-context/>.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct TraceContext {
    /// The caller's span.
    pub traceparent: Option<String>,
    /// The vendors' data.
    pub tracestate: Option<String>,
    /// The caller's key-value pairs.
    pub baggage: Option<String>,
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

    /// Sends a log message to the client, if it wants to hear messages of this level.
    ///
    /// `data` is anything that serializes, often a text. For your own logs use `tracing` or standard error.
    pub fn log(&self, level: LogLevel, data: impl Serialize) {
        self.log_as(None, level, &data);
    }

    /// A logger with a name, for [`Logger::log`].
    #[must_use]
    pub fn logger<'a>(&'a self, name: &'a str) -> Logger<'a> {
        Logger { ctx: self, name }
    }

    fn log_as<T: Serialize>(&self, logger: Option<&str>, level: LogLevel, data: &T) {
        #[derive(Serialize)]
        struct Params<'a, T> {
            level: LogLevel,
            #[serde(skip_serializing_if = "Option::is_none")]
            logger: Option<&'a str>,
            data: &'a T,
        }

        if self.is_muted() || !self.call.log_gate.lets_pass(level) {
            return;
        }
        let mut message = Vec::with_capacity(128);
        match serde_json::value::to_raw_value(data) {
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

    /// While a handler repeats what it did in an earlier round, what it says has been said.
    fn is_muted(&self) -> bool {
        self.call.muted.load(Ordering::Relaxed) || self.call.asking.repeats() || self.call.cancel.is_cancelled()
    }

    /// Waits until the client cancels the request.
    ///
    /// An async handler need not: its future is dropped. This is for what runs beside it.
    pub async fn cancelled(&self) {
        self.call.cancel.cancelled().await;
    }

    /// Whether the request has been cancelled, for a `blocking` handler to look at now and then.
    #[must_use]
    pub fn is_cancelled(&self) -> bool {
        self.call.cancel.is_cancelled()
    }

    /// Lets go of the client's connection while the handler works on; the client comes back for the answer.
    ///
    /// For work that takes long, so that it does not hold a connection all the time. Only Streamable HTTP of 2025-11-25 has
    /// it; everywhere else this does nothing.
    pub fn release_connection(&self) {
        self.call.outlet.release();
    }

    /// How much time the handler's `timeout` leaves; `None` without one. Time in which a person is asked does not count.
    #[must_use]
    pub fn deadline(&self) -> Option<Duration> {
        let (waited, _) = self.call.asking.waited();
        self.call.deadline.get().map(|deadline| (*deadline + waited).saturating_duration_since(Instant::now()))
    }

    /// The request's `_meta`.
    #[must_use]
    pub fn meta(&self) -> &Map<String, Value> {
        self.call.parsed_meta.get_or_init(|| {
            self.call.meta.as_deref().and_then(|raw| serde_json::from_str(raw.get()).ok()).unwrap_or_default()
        })
    }

    /// The caller's trace context, to continue a distributed trace.
    #[must_use]
    pub fn trace_context(&self) -> TraceContext {
        let text = |key: &str| self.meta().get(key).and_then(Value::as_str).map(str::to_owned);
        TraceContext { traceparent: text("traceparent"), tracestate: text("tracestate"), baggage: text("baggage") }
    }

    /// The client: name, capabilities, revision.
    #[must_use]
    pub fn client(&self) -> &Client {
        match &self.call.client {
            ClientSource::Session(client) => client,
            ClientSource::Meta { raw, read } => read.get_or_init(|| raw(&self.call)),
        }
    }

    /// The server's state of type `T`, for code that has no [`State`] parameter; `None` when there is none.
    #[must_use]
    pub fn try_state<T: ?Sized + 'static>(&self) -> Option<State<T>> {
        self.call.host.state(TypeId::of::<T>())?.downcast_ref::<State<T>>().cloned()
    }

    /// The server's state of type `T`.
    ///
    /// # Errors
    ///
    /// When the server was built without one; a [`State`] parameter is checked before the server starts.
    pub fn state<T: ?Sized + Send + Sync + 'static>(&self) -> Result<State<T>, super::error::Error> {
        self.try_state().ok_or_else(no_state::<T>)
    }
}

fn no_state<T: ?Sized>() -> super::error::Error {
    super::error::Error::internal(format!("the server has no state of type `{}`", std::any::type_name::<T>()))
}

/// Runs a handler's code as part of its request.
pub(crate) fn within<T>(ctx: &Ctx, work: impl FnOnce() -> T) -> T {
    #[cfg(feature = "tracing")]
    return super::current::within(ctx, work);
    #[cfg(not(feature = "tracing"))]
    {
        let _ = ctx;
        work()
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
    pub fn log(&self, level: LogLevel, data: impl Serialize) {
        self.ctx.log_as(Some(self.name), level, &data);
    }
}

/// What a completion function may look at.
pub struct CompletionContext {
    pub(crate) arguments: Map<String, Value>,
    pub(crate) host: Arc<dyn Host>,
}

impl fmt::Debug for CompletionContext {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("CompletionContext").field("arguments", &self.arguments).finish_non_exhaustive()
    }
}

impl CompletionContext {
    /// An argument that the person has filled in already (sent from 2025-06-18).
    #[must_use]
    pub fn argument(&self, name: &str) -> Option<&str> {
        self.arguments.get(name).and_then(Value::as_str)
    }

    /// The server's state of type `T`.
    ///
    /// # Errors
    ///
    /// When the server was built without one.
    pub fn state<T: ?Sized + Send + Sync + 'static>(&self) -> Result<State<T>, super::error::Error> {
        let state = self.host.state(TypeId::of::<T>()).and_then(|state| state.downcast_ref::<State<T>>().cloned());
        state.ok_or_else(no_state::<T>)
    }
}
