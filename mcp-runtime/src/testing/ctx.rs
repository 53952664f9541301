//! A context for calling one handler directly.

use std::fmt;
use std::ops::Deref;
use std::sync::atomic::{AtomicBool, AtomicUsize};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};

use serde_json::Value;

use super::answers::{Answers, Asked, Reply};
use super::client::members;
use crate::handler::ask::{Asking, Channel};
use crate::handler::cancel::Cancel;
use crate::handler::client::{Client, ClientSource, Peer};
use crate::handler::ctx::CallState;
use crate::handler::host::{Host, Origin, Outlet, Sent};
use crate::handler::log::{LogGate, LogLevel};
use crate::handler::progress::Progress;
use crate::protocol::features::Features;
use crate::protocol::id::Id;
use crate::protocol::message::{self, Message};
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

/// Records what is said, and answers what is asked.
struct Recorder {
    said: Mutex<Vec<Value>>,
    answers: Mutex<Answers>,
    peer: Mutex<Arc<Peer>>,
}

impl Recorder {
    fn peer(&self) -> MutexGuard<'_, Arc<Peer>> {
        self.peer.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Outlet for Recorder {
    fn notify(&self, message: Vec<u8>) -> Sent {
        let message = serde_json::from_slice(&message).unwrap_or_default();
        self.said.lock().unwrap_or_else(PoisonError::into_inner).push(message);
        Sent::Queued
    }

    fn request(&self, message: Vec<u8>) -> Sent {
        let message = serde_json::from_slice(&message).unwrap_or_default();
        let answers = self.answers.lock().unwrap_or_else(PoisonError::into_inner).clone();
        let Some(answer) = answers.respond(&message) else { return Sent::Dropped };
        // The place of the answer is there already, so it can be given before it is waited for.
        if let Ok(Message::Response(response)) = message::parse(&answer.to_string()) {
            if let Some(id) = &response.id {
                self.peer().line.pending.answered(id, response.outcome);
            }
        }
        Sent::Queued
    }

    fn respond(&self, _: Vec<u8>, _: Origin) {}
}

fn peer(capabilities: ClientCapabilities) -> Arc<Peer> {
    let client = Client { revision: Revision::LATEST, info: Implementation::default(), capabilities };
    Arc::new(Peer::new(client))
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
        let peer = peer(ClientCapabilities::default());
        let recorder = Arc::new(Recorder {
            said: Mutex::default(),
            answers: Mutex::default(),
            peer: Mutex::new(Arc::clone(&peer)),
        });
        let call = CallState {
            host: built.core as Arc<dyn Host>,
            outlet: Arc::clone(&recorder) as _,
            features: Features::of(Revision::LATEST),
            client: ClientSource::Session(peer),
            meta: None,
            parsed_meta: OnceLock::new(),
            progress: Some(Box::new(Progress::new(Id::from(1)))),
            log_gate: LogGate::Request(Some(LogLevel::Debug)),
            cancel: Cancel::default(),
            deadline: OnceLock::new(),
            asking: Asking::unattended(Channel::Line),
            on_threads: AtomicUsize::new(0),
            muted: AtomicBool::new(false),
        };
        Ok(Self { ctx: crate::Ctx { call: Arc::new(call) }, recorder })
    }

    /// Fills in forms that the handler asks for. To be told before the context is cloned.
    ///
    /// ```
    /// use mcp_runtime::prelude::*;
    /// use mcp_runtime::testing::{self, Reply};
    /// use serde_json::json;
    ///
    /// #[derive(Elicit)]
    /// struct Name {
    ///     name: String,
    /// }
    ///
    /// /// Greet somebody.
    /// #[tool]
    /// async fn greet(ctx: &Ctx) -> Result<String> {
    ///     let name: Name = ctx.elicit("Who are you?").await?;
    ///     Ok(format!("Hello, {}!", name.name))
    /// }
    ///
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() {
    /// let ctx = testing::Ctx::new().elicit(|_| Reply::accept(json!({"name": "Ada"})));
    /// assert_eq!(greet(&ctx).await.unwrap(), "Hello, Ada!");
    /// # }
    /// ```
    #[must_use]
    pub fn elicit(self, answer: impl Fn(&Asked) -> Reply + Send + Sync + 'static) -> Self {
        self.answering(|answers| answers.form = Some(Arc::new(answer)))
    }

    /// Opens pages.
    #[must_use]
    pub fn elicit_url(self, answer: impl Fn(&Asked) -> Reply + Send + Sync + 'static) -> Self {
        self.answering(|answers| answers.url = Some(Arc::new(answer)))
    }

    /// Answers for a model.
    #[must_use]
    pub fn sample(self, answer: impl Fn(&Asked) -> Reply + Send + Sync + 'static) -> Self {
        self.answering(|answers| answers.sample = Some(Arc::new(answer)))
    }

    /// Has these roots.
    #[must_use]
    pub fn roots<S: Into<String>>(self, uris: impl IntoIterator<Item = S>) -> Self {
        self.answering(|answers| answers.set_roots(uris))
    }

    fn answering(mut self, change: impl FnOnce(&mut Answers)) -> Self {
        let mut answers = self.recorder.answers.lock().unwrap_or_else(PoisonError::into_inner);
        change(&mut answers);
        let capabilities = serde_json::from_value(answers.capabilities().into()).unwrap_or_default();
        drop(answers);
        if let Some(call) = Arc::get_mut(&mut self.ctx.call) {
            let peer = peer(capabilities);
            *self.recorder.peer() = Arc::clone(&peer);
            call.client = ClientSource::Session(peer);
        }
        self
    }

    fn recorded(&self, method: &str) -> Vec<Value> {
        let messages = self.recorder.said.lock().unwrap_or_else(PoisonError::into_inner);
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
