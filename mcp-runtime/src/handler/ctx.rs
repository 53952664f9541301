//! `Ctx`: what a handler may ask for while it runs.
//!
//! What it says to the client has files of its own: `progress`, `log`, and `ask` for questions.

use std::any::TypeId;
use std::fmt;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use serde_json::{Map, Value};
use tokio::time::Instant;

use super::ask::Asking;
use super::cancel::Cancel;
use super::client::{Client, ClientSource};
use super::extract::{Shared, State};
use super::host::{Host, Outlet};
use super::log::LogGate;
use super::progress::Progress;
use crate::protocol::features::Features;

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
    pub(crate) meta: Option<Box<str>>,
    pub(crate) parsed_meta: OnceLock<Map<String, Value>>,
    pub(crate) progress: Option<Box<Progress>>,
    pub(crate) log_gate: LogGate,
    pub(crate) cancel: Cancel,
    pub(crate) deadline: OnceLock<Instant>,
    pub(crate) asking: Asking,
    /// How many of its functions run on threads of the pool, or wait for one: they go on after its end.
    pub(crate) on_threads: AtomicUsize,
    /// Set when the call is over: nothing may follow its answer.
    pub(crate) muted: AtomicBool,
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
    /// While a handler repeats what it did in an earlier round, what it says has been said.
    pub(super) fn is_muted(&self) -> bool {
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
            self.call.meta.as_deref().and_then(|text| serde_json::from_str(text).ok()).unwrap_or_default()
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
            ClientSource::Session(peer) => &peer.client,
            ClientSource::Meta { raw, read } => read.get_or_init(|| Box::new(raw(&self.call))),
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
    pub fn state<T: ?Sized + Shared>(&self) -> Result<State<T>, super::error::Error> {
        self.try_state().ok_or_else(no_state::<T>)
    }
}

pub(super) fn no_state<T: ?Sized>() -> super::error::Error {
    super::error::Error::internal(format!("the server has no state of type `{}`", std::any::type_name::<T>()))
}

/// Runs a handler's code as part of its request.
pub(crate) fn within<T>(call: &Arc<CallState>, work: impl FnOnce() -> T) -> T {
    #[cfg(feature = "tracing")]
    return super::current::within(&Ctx { call: Arc::clone(call) }, work);
    #[cfg(not(feature = "tracing"))]
    {
        let _ = call;
        work()
    }
}
