//! A client in memory: the same server loop as over a pipe, without the pipe.

mod builder;
mod methods;
mod outcome;
mod wire;

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};
use std::time::Duration;

use serde_json::{Map, Value, json};
use tokio::sync::oneshot;
use tokio::task::JoinHandle;
use tokio::time::timeout;

pub use self::builder::ClientBuilder;
pub use self::outcome::{CallOutcome, ClientError};
pub use self::wire::Pending;
use self::wire::{Shared, lock, read};
use crate::handler::call::BoxFuture;
use crate::protocol::id::Id;
use crate::protocol::{Revision, meta};
use crate::server::connection::{Connection, Start};
use crate::server::{BuiltServer, IntoBuilt, ServerHandle};

/// A notification is waited for so long: in memory it is there at once, or never.
const PATIENCE: Duration = Duration::from_secs(10);

/// So many of those that came instead are named.
const MOST_SHOWN: usize = 8;

/// A client that is connected to a server in memory, on any revision.
///
/// ```standalone_crate
/// use mcp_runtime::prelude::*;
/// use mcp_runtime::testing::Client;
/// use serde_json::json;
///
/// /// Add two numbers.
/// #[tool]
/// fn add(a: i64, b: i64) -> i64 {
///     a + b
/// }
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> mcp_runtime::Result<()> {
/// let client = Client::connect(mcp_runtime::server!()).await?;
/// let sum = client.call("add", json!({"a": 1, "b": 2})).await?;
/// assert_eq!(sum.text(), "3");
/// # Ok(())
/// # }
/// ```
pub struct Client {
    revision: Revision,
    capabilities: Value,
    is_strict: bool,
    shared: Arc<Shared>,
    handle: ServerHandle,
    next_id: AtomicI64,
    reader: JoinHandle<()>,
}

impl fmt::Debug for Client {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("testing::Client").field("revision", &self.revision).finish_non_exhaustive()
    }
}

impl Client {
    /// Connects to a server on the newest revision.
    ///
    /// # Errors
    ///
    /// What keeps the server from starting.
    pub fn connect(server: impl IntoBuilt) -> BoxFuture<'static, Result<Self, ClientError>> {
        Self::with_revision(Revision::LATEST).connect(server)
    }

    /// A client on this revision.
    pub fn with_revision(revision: Revision) -> ClientBuilder {
        ClientBuilder::new(revision)
    }

    fn over(built: &BuiltServer, builder: &ClientBuilder) -> Self {
        if builder.is_strict {
            built.core.trails.enable();
        }
        let connection = Connection::new(Arc::clone(&built.core));
        let shared = Arc::new(Shared::new(connection, builder.answers.clone()));
        let reader = tokio::spawn(read(Arc::clone(&shared)));
        Self {
            revision: builder.revision,
            capabilities: builder.declared(),
            is_strict: builder.is_strict,
            shared,
            handle: built.handle(),
            next_id: AtomicI64::new(1),
            reader,
        }
    }

    /// A handle to the server.
    #[must_use]
    pub const fn server(&self) -> &ServerHandle {
        &self.handle
    }

    /// The revision.
    #[must_use]
    pub const fn revision(&self) -> Revision {
        self.revision
    }

    /// Sends one message as it is.
    pub fn send(&self, message: impl Into<String>) {
        if let Some(rest) = self.shared.connection.receive(message.into().as_bytes(), Start::Inline) {
            drop(tokio::spawn(rest));
        }
    }

    /// Sends a notification.
    #[expect(clippy::needless_pass_by_value, reason = "as for requests: `json!({…})` needs no `&`")]
    pub fn notify(&self, method: &str, params: Value) {
        self.send(json!({"jsonrpc": "2.0", "method": method, "params": params}).to_string());
    }

    /// Sends a request and waits for its result; questions in between are answered as the client was told.
    ///
    /// # Errors
    ///
    /// The server's error.
    pub async fn request(&self, method: &str, params: Value) -> Result<Value, ClientError> {
        let mut round = params.clone();
        loop {
            let result = self.round(method, round).await?;
            let Some(retry) = self.retry(&result) else { return Ok(result) };
            let mut again = members(params.clone());
            again.extend(retry);
            round = again.into();
        }
    }

    /// What a request is sent with again when its result is questions that this client answers.
    pub(crate) fn retry(&self, result: &Value) -> Option<Map<String, Value>> {
        self.shared.answers.retry(result)
    }

    async fn round(&self, method: &str, params: Value) -> Result<Value, ClientError> {
        if !self.is_strict || !self.revision.is_modern() {
            return self.begin(method, params).await;
        }
        let first = self.begin(method, params.clone());
        let first_id = first.id.clone();
        let first = first.await?;
        let second = self.begin(method, params);
        let second_id = second.id.clone();
        let second = second.await?;
        let trails = &self.handle.core().trails;
        let (one, other) = (trails.take(&first_id), trails.take(&second_id));
        if one != other {
            return Err(ClientError::Unrepeatable(format!("it came by {one}, and then by {other}")));
        }
        let (one, other) = (first.get("inputRequests"), second.get("inputRequests"));
        if one != other {
            let show = |requests: Option<&Value>| requests.map_or_else(|| "nothing".to_owned(), Value::to_string);
            return Err(ClientError::Unrepeatable(format!("it asked {}, and then {}", show(one), show(other))));
        }
        Ok(second)
    }

    /// Sends a request now; its result is the future's. [`cancel`](Self::cancel) takes [`Pending::id`].
    pub fn begin(&self, method: &str, params: Value) -> Pending {
        let id = Id::from(self.next_id.fetch_add(1, Ordering::Relaxed));
        let (sender, answer) = oneshot::channel();
        lock(&self.shared.waiting).insert(id.clone(), sender);
        let params = self.with_meta(params);
        self.send(json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params}).to_string());
        Pending { id, answer }
    }

    /// The parameters as the revision wants them: from 2026-07-28 each request says who asks.
    fn with_meta(&self, params: Value) -> Value {
        let Value::Object(mut params) = params else { return params };
        if self.revision.is_modern() {
            let own = params.entry("_meta").or_insert_with(|| json!({}));
            if let Value::Object(own) = own {
                own.entry(meta::PROTOCOL_VERSION).or_insert_with(|| self.revision.as_str().into());
                own.entry(meta::CLIENT_CAPABILITIES).or_insert_with(|| self.capabilities.clone());
            }
        }
        Value::Object(params)
    }

    /// Cancels a request.
    pub fn cancel(&self, pending: &Pending) {
        lock(&self.shared.waiting).remove(&pending.id);
        self.notify("notifications/cancelled", json!({"requestId": pending.id}));
    }

    /// The notifications that have come since this was last asked, oldest first.
    #[must_use]
    pub fn notifications(&self) -> Vec<Value> {
        std::mem::take(&mut lock(&self.shared.notifications))
    }

    /// Waits for a notification of this method and takes it; those before it stay.
    ///
    /// # Errors
    ///
    /// When none comes within ten seconds.
    pub async fn notified(&self, method: &str) -> Result<Value, ClientError> {
        timeout(PATIENCE, self.next_notified(method)).await.map_err(|_| {
            let mut others: Vec<String> = lock(&self.shared.notifications)
                .iter()
                .map(|other| format!("`{}`", method_of(other).unwrap_or_default()))
                .collect();
            others.dedup();
            others.truncate(MOST_SHOWN);
            ClientError::Silent(match &*others {
                [] => format!("no `{method}` came within {PATIENCE:?}, and nothing else"),
                others => format!("no `{method}` came within {PATIENCE:?}, but {}", others.join(", ")),
            })
        })
    }

    /// The same, however long it takes.
    pub(crate) async fn next_notified(&self, method: &str) -> Value {
        loop {
            let heard = self.shared.heard.notified();
            tokio::pin!(heard);
            heard.as_mut().enable();
            {
                let mut notifications = lock(&self.shared.notifications);
                let found = notifications.iter().position(|message| method_of(message) == Some(method));
                if let Some(found) = found {
                    return notifications.remove(found);
                }
            }
            heard.await;
        }
    }
}

impl Drop for Client {
    fn drop(&mut self) {
        self.shared.connection.abandon();
        self.reader.abort();
    }
}

fn method_of(message: &Value) -> Option<&str> {
    message.get("method").and_then(Value::as_str)
}

/// The members of an object.
pub(super) fn members(value: Value) -> Map<String, Value> {
    match value {
        Value::Object(members) => members,
        _ => Map::new(),
    }
}
