//! A context for calling one handler directly.

use std::fmt;
use std::ops::Deref;
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use serde_json::Value;

use super::client::members;
use crate::handler::ask::{Asking, Channel};
use crate::handler::ctx::{CallState, Cancel, Client, ClientSource, LogGate, LogLevel, Progress};
use crate::handler::host::{Host, Origin, Outlet, Sent};
use crate::protocol::features::Features;
use crate::protocol::id::Id;
use crate::protocol::{ClientCapabilities, Implementation, Revision};
use crate::registry::problem::BuildError;
use crate::server::Server;

/// A context that records what a handler says, for a test that calls the handler as a function.
///
/// ```
/// use mcp_runtime::prelude::*;
/// use mcp_runtime::testing;
///
/// /// Count.
/// #[tool]
/// async fn count(ctx: &Ctx, to: u32) -> u32 {
///     for done in 1..=to {
///         ctx.progress(done, to).await;
///     }
///     to
/// }
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() {
/// let ctx = testing::Ctx::new();
/// assert_eq!(count(&ctx, 3).await, 3);
/// assert_eq!(ctx.progress_reports().len(), 3);
/// # }
/// ```
pub struct Ctx {
    ctx: crate::Ctx,
    recorder: Arc<Recorder>,
}

impl fmt::Debug for Ctx {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("testing::Ctx")
    }
}

impl Deref for Ctx {
    type Target = crate::Ctx;

    fn deref(&self) -> &crate::Ctx {
        &self.ctx
    }
}

impl Default for Ctx {
    fn default() -> Self {
        Self::new()
    }
}

#[derive(Default)]
struct Recorder(Mutex<Vec<Value>>);

impl Outlet for Recorder {
    fn notify(&self, message: Vec<u8>) -> Sent {
        let message = serde_json::from_slice(&message).unwrap_or_default();
        self.0.lock().unwrap_or_else(PoisonError::into_inner).push(message);
        Sent::Queued
    }

    fn respond(&self, _: Vec<u8>, _: Origin) {}
}

impl Ctx {
    /// A context without state, on the newest revision.
    ///
    /// # Panics
    ///
    /// Never: a server that offers nothing can always be built.
    #[must_use]
    #[expect(clippy::expect_used, reason = "nothing can be wrong with a server that offers nothing")]
    pub fn new() -> Self {
        Self::with(Server::new("testing", "0.0.0")).expect("an empty server")
    }

    /// A context of a server with this state, instructions and so on; its handlers are left out.
    ///
    /// # Errors
    ///
    /// When the server has two states of one type.
    pub fn with(server: Server) -> Result<Self, BuildError> {
        // No crate has this name, so no handler is collected.
        let built = server.only(["-"]).allow_empty().build()?;
        let recorder = Arc::new(Recorder::default());
        let client = Client {
            revision: Revision::LATEST,
            info: Implementation::default(),
            capabilities: ClientCapabilities::default(),
        };
        let call = CallState {
            host: built.core as Arc<dyn Host>,
            outlet: Arc::clone(&recorder) as _,
            features: Features::of(Revision::LATEST),
            client: ClientSource::Session(Arc::new(client)),
            meta: None,
            parsed_meta: OnceLock::new(),
            progress: Some(Progress::new(Id::from(1))),
            log_gate: LogGate::Request(Some(LogLevel::Debug)),
            cancel: Cancel::default(),
            deadline: OnceLock::new(),
            asking: Asking::new(Channel::None("this context has nobody to ask"), None),
            muted: AtomicBool::new(false),
        };
        Ok(Self { ctx: crate::Ctx { call: Arc::new(call) }, recorder })
    }

    fn recorded(&self, method: &str) -> Vec<Value> {
        let messages = self.recorder.0.lock().unwrap_or_else(PoisonError::into_inner);
        (messages.iter())
            .filter(|message| message.get("method").and_then(Value::as_str) == Some(method))
            .filter_map(|message| message.get("params").cloned())
            .collect()
    }

    /// What was logged: `level`, `data` and perhaps `logger` of each message.
    #[must_use]
    pub fn logs(&self) -> Vec<Value> {
        self.recorded("notifications/message")
    }

    /// What progress was reported: `progress` and perhaps `total` and `message` of each.
    #[must_use]
    pub fn progress_reports(&self) -> Vec<Value> {
        let mut reports = self.recorded("notifications/progress");
        for report in &mut reports {
            let mut own = members(report.take());
            own.remove("progressToken");
            *report = Value::Object(own);
        }
        reports
    }

    /// Cancels the request.
    pub fn cancel(&self) {
        self.ctx.call.cancel.cancel();
    }
}
