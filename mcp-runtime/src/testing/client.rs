//! A client in memory: the same server loop as over a pipe, without the pipe.

use std::collections::HashMap;
use std::fmt;
use std::sync::atomic::{AtomicI64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value, json};
use tokio::sync::{Notify, oneshot};
use tokio::task::JoinHandle;

use super::answers::{Answers, Asked, Reply};
use crate::protocol::id::Id;
use crate::protocol::{ProtocolError, Revision, meta};
use crate::registry::problem::BuildError;
use crate::server::connection::{Connection, Start};
use crate::server::{BuiltServer, IntoBuilt, ServerHandle};

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

/// What the client and the task that reads for it share.
struct Shared {
    connection: Connection,
    waiting: Mutex<HashMap<Id, oneshot::Sender<Value>>>,
    notifications: Mutex<Vec<Value>>,
    heard: Notify,
    answers: Answers,
}

impl fmt::Debug for Client {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("testing::Client").field("revision", &self.revision).finish_non_exhaustive()
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Chooses how a [`Client`] connects.
#[derive(Clone, Debug)]
#[must_use = "nothing is connected until `.connect(…)`"]
pub struct ClientBuilder {
    revision: Revision,
    capabilities: Value,
    answers: Answers,
    is_strict: bool,
}

impl ClientBuilder {
    /// Declares these capabilities, as JSON, whatever the client answers.
    pub fn capabilities(mut self, capabilities: Value) -> Self {
        self.capabilities = capabilities;
        self
    }

    /// Fills in forms, in either era; declares that it does.
    ///
    /// ```standalone_crate
    /// use mcp_runtime::prelude::*;
    /// use mcp_runtime::testing::{Client, Reply};
    /// use mcp_runtime::Revision;
    /// use serde_json::json;
    ///
    /// #[derive(Elicit)]
    /// struct Name {
    ///     name: String,
    /// }
    ///
    /// /// Greet somebody.
    /// #[tool]
    /// fn greet(#[ask("Who are you?")] name: Name) -> String {
    ///     format!("Hello, {}!", name.name)
    /// }
    ///
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> mcp_runtime::Result<()> {
    /// for revision in [Revision::V2025_11_25, Revision::V2026_07_28] {
    ///     let client = Client::with_revision(revision)
    ///         .elicit(|asked| {
    ///             assert_eq!(asked.message(), "Who are you?");
    ///             Reply::accept(json!({"name": "Ada"}))
    ///         })
    ///         .connect(mcp_runtime::server!())
    ///         .await?;
    ///     assert_eq!(client.call("greet", json!({})).await?.text(), "Hello, Ada!");
    /// }
    /// # Ok(())
    /// # }
    /// ```
    pub fn elicit(mut self, answer: impl Fn(&Asked) -> Reply + Send + Sync + 'static) -> Self {
        self.answers.form = Some(Arc::new(answer));
        self
    }

    /// Opens pages, in either era; declares that it does.
    pub fn elicit_url(mut self, answer: impl Fn(&Asked) -> Reply + Send + Sync + 'static) -> Self {
        self.answers.url = Some(Arc::new(answer));
        self
    }

    /// Answers for a model, in either era; declares that it does.
    pub fn sample(mut self, answer: impl Fn(&Asked) -> Reply + Send + Sync + 'static) -> Self {
        self.answers.sample = Some(Arc::new(answer));
        self
    }

    /// Has these roots, in either era; declares that it has.
    pub fn roots<S: Into<String>>(mut self, uris: impl IntoIterator<Item = S>) -> Self {
        self.answers.set_roots(uris);
        self
    }

    /// Sends every round of a call twice, and fails when the two differ in their questions or `once` keys: such a handler
    /// would ask a 2026 client again and again. What `once` runs, it then runs twice. Before 2026 nothing is repeated.
    pub const fn strict_replay(mut self) -> Self {
        self.is_strict = true;
        self
    }

    fn declared(&self) -> Value {
        if self.capabilities.is_null() { self.answers.capabilities().into() } else { self.capabilities.clone() }
    }

    /// Connects to a server; before 2026-07-28 that is `initialize` and `notifications/initialized`.
    ///
    /// # Errors
    ///
    /// What keeps the server from starting.
    pub async fn connect(self, server: impl IntoBuilt) -> Result<Client, ClientError> {
        let mut built = server.into_built().map_err(ClientError::Build)?;
        built.hooks.start().await.map_err(|error| ClientError::Start(error.to_string()))?;
        let client = Client::over(&built, &self);
        if !self.revision.is_modern() {
            let params = json!({
                "protocolVersion": self.revision.as_str(),
                "capabilities": client.capabilities,
                "clientInfo": {"name": "mcp-runtime testing", "version": env!("CARGO_PKG_VERSION")},
            });
            client.request("initialize", params).await?;
            client.notify("notifications/initialized", json!({}));
        }
        Ok(client)
    }
}

/// Why a request of a [`Client`] has no result.
#[derive(Debug)]
#[non_exhaustive]
pub enum ClientError {
    /// The server cannot start.
    Build(BuildError),
    /// A start hook failed.
    Start(String),
    /// The server answered with a JSON-RPC error.
    Protocol(ProtocolError),
    /// The server never answers: the request was cancelled.
    Closed,
    /// Two runs of one round asked for different things, see [`ClientBuilder::strict_replay`].
    Unrepeatable(String),
    /// The answer is not what the method gives.
    Unreadable(String),
}

impl fmt::Display for ClientError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Build(error) => error.fmt(f),
            Self::Start(text) => write!(f, "the server did not start: {text}"),
            Self::Protocol(error) => error.fmt(f),
            Self::Unrepeatable(text) => write!(f, "the handler does not repeat itself: {text}"),
            Self::Closed => f.write_str("the request was not answered"),
            Self::Unreadable(text) => write!(f, "the answer cannot be read: {text}"),
        }
    }
}

impl std::error::Error for ClientError {}

impl Client {
    /// Connects to a server on the newest revision.
    ///
    /// # Errors
    ///
    /// What keeps the server from starting.
    pub async fn connect(server: impl IntoBuilt) -> Result<Self, ClientError> {
        Self::with_revision(Revision::LATEST).connect(server).await
    }

    /// A client on this revision.
    pub fn with_revision(revision: Revision) -> ClientBuilder {
        ClientBuilder { revision, capabilities: Value::Null, answers: Answers::default(), is_strict: false }
    }

    fn over(built: &BuiltServer, builder: &ClientBuilder) -> Self {
        if builder.is_strict {
            built.core.trails.enable();
        }
        let shared = Arc::new(Shared {
            connection: Connection::new(Arc::clone(&built.core)),
            waiting: Mutex::default(),
            notifications: Mutex::default(),
            heard: Notify::new(),
            answers: builder.answers.clone(),
        });
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

    /// Calls a tool.
    ///
    /// # Errors
    ///
    /// The server's error. A tool's own failure is a result: see [`CallOutcome::is_error`].
    pub async fn call(&self, name: &str, arguments: impl Serialize + Send) -> Result<CallOutcome, ClientError> {
        let arguments = serde_json::to_value(arguments).map_err(|error| ClientError::Unreadable(error.to_string()))?;
        let result = self.request("tools/call", json!({"name": name, "arguments": arguments})).await?;
        Ok(CallOutcome { result })
    }

    /// Every tool, from all pages.
    ///
    /// # Errors
    ///
    /// The server's error.
    pub async fn list_tools(&self) -> Result<Vec<Value>, ClientError> {
        self.list("tools/list", "tools").await
    }

    /// Every resource, from all pages.
    ///
    /// # Errors
    ///
    /// The server's error.
    pub async fn list_resources(&self) -> Result<Vec<Value>, ClientError> {
        self.list("resources/list", "resources").await
    }

    /// Every resource template, from all pages.
    ///
    /// # Errors
    ///
    /// The server's error.
    pub async fn list_templates(&self) -> Result<Vec<Value>, ClientError> {
        self.list("resources/templates/list", "resourceTemplates").await
    }

    /// Every prompt, from all pages.
    ///
    /// # Errors
    ///
    /// The server's error.
    pub async fn list_prompts(&self) -> Result<Vec<Value>, ClientError> {
        self.list("prompts/list", "prompts").await
    }

    async fn list(&self, method: &str, member: &str) -> Result<Vec<Value>, ClientError> {
        let mut all = Vec::new();
        let mut cursor = None::<String>;
        loop {
            let params = cursor.map_or_else(|| json!({}), |cursor| json!({"cursor": cursor}));
            let mut page = self.request(method, params).await?;
            if let Some(Value::Array(items)) = page.get_mut(member).map(Value::take) {
                all.extend(items);
            }
            match page.get("nextCursor").and_then(Value::as_str) {
                Some(next) => cursor = Some(next.to_owned()),
                None => return Ok(all),
            }
        }
    }

    /// Reads a resource: its contents, each with `uri`, `mimeType` and `text` or `blob`.
    ///
    /// # Errors
    ///
    /// The server's error, also for a resource that does not exist.
    pub async fn read(&self, uri: &str) -> Result<Vec<Value>, ClientError> {
        let mut result = self.request("resources/read", json!({"uri": uri})).await?;
        decode(result.get_mut("contents").map(Value::take).unwrap_or_default())
    }

    /// Gets a prompt: its messages, each with `role` and `content`.
    ///
    /// # Errors
    ///
    /// The server's error.
    pub async fn prompt(&self, name: &str, arguments: impl Serialize + Send) -> Result<Vec<Value>, ClientError> {
        let arguments = serde_json::to_value(arguments).map_err(|error| ClientError::Unreadable(error.to_string()))?;
        let mut result = self.request("prompts/get", json!({"name": name, "arguments": arguments})).await?;
        decode(result.get_mut("messages").map(Value::take).unwrap_or_default())
    }

    /// Candidates for an argument of a prompt, or of a template when `of` is a URI.
    ///
    /// # Errors
    ///
    /// The server's error.
    pub async fn complete(&self, of: &str, argument: &str, partial: &str) -> Result<Vec<String>, ClientError> {
        let reference = if of.contains("://") {
            json!({"type": "ref/resource", "uri": of})
        } else {
            json!({"type": "ref/prompt", "name": of})
        };
        let params = json!({"ref": reference, "argument": {"name": argument, "value": partial}});
        let result = self.request("completion/complete", params).await?;
        decode(result.pointer("/completion/values").cloned().unwrap_or_default())
    }

    /// The notifications that have come since this was last asked, oldest first.
    #[must_use]
    pub fn notifications(&self) -> Vec<Value> {
        std::mem::take(&mut lock(&self.shared.notifications))
    }

    /// Waits for a notification of this method and takes it; those before it stay.
    pub async fn notified(&self, method: &str) -> Value {
        loop {
            let heard = self.shared.heard.notified();
            tokio::pin!(heard);
            heard.as_mut().enable();
            {
                let mut notifications = lock(&self.shared.notifications);
                let found = notifications
                    .iter()
                    .position(|message| message.get("method").and_then(Value::as_str) == Some(method));
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

fn decode<T: DeserializeOwned>(value: Value) -> Result<T, ClientError> {
    serde_json::from_value(value).map_err(|error| ClientError::Unreadable(error.to_string()))
}

/// Takes lines from the outbox and gives them to whoever waits.
async fn read(shared: Arc<Shared>) {
    let mut lines = Vec::new();
    loop {
        shared.connection.outbox().filled().await;
        lines.clear();
        shared.connection.outbox().take(&mut lines);
        for line in lines.split(|byte| *byte == b'\n').filter(|line| !line.is_empty()) {
            let Ok(message) = serde_json::from_slice::<Value>(line) else { continue };
            if let Some(response) = shared.answers.respond(&message) {
                if !response.is_null() {
                    if let Some(rest) = shared.connection.receive(response.to_string().as_bytes(), Start::Inline) {
                        drop(tokio::spawn(rest));
                    }
                }
                continue;
            }
            if message.get("method").is_some() {
                lock(&shared.notifications).push(message);
                shared.heard.notify_waiters();
                continue;
            }
            let id = message.get("id").and_then(|id| serde_json::from_value::<Id>(id.clone()).ok());
            if let Some(waiting) = id.and_then(|id| lock(&shared.waiting).remove(&id)) {
                drop(waiting.send(message));
            }
        }
    }
}

/// A request that has been sent.
#[derive(Debug)]
pub struct Pending {
    id: Id,
    answer: oneshot::Receiver<Value>,
}

impl Pending {
    /// The request's id, as JSON.
    #[must_use]
    pub fn id(&self) -> Value {
        serde_json::to_value(&self.id).unwrap_or_default()
    }
}

impl Future for Pending {
    type Output = Result<Value, ClientError>;

    fn poll(mut self: std::pin::Pin<&mut Self>, context: &mut std::task::Context<'_>) -> std::task::Poll<Self::Output> {
        std::pin::Pin::new(&mut self.answer).poll(context).map(|answer| {
            let mut answer = answer.map_err(|_| ClientError::Closed)?;
            match answer.get_mut("error").map(Value::take) {
                Some(error) => Err(ClientError::Protocol(decode(error)?)),
                None => Ok(answer.get_mut("result").map(Value::take).unwrap_or_default()),
            }
        })
    }
}

/// The result of a tool call.
#[derive(Clone, Debug, PartialEq)]
pub struct CallOutcome {
    result: Value,
}

impl CallOutcome {
    /// Whether the tool says that it failed.
    #[must_use]
    pub fn is_error(&self) -> bool {
        self.result.get("isError").and_then(Value::as_bool).unwrap_or_default()
    }

    /// The blocks of content.
    #[must_use]
    pub fn content(&self) -> &[Value] {
        self.result.get("content").and_then(Value::as_array).map_or(&[], Vec::as_slice)
    }

    /// The texts among the content, one after the other.
    #[must_use]
    pub fn text(&self) -> String {
        self.content().iter().filter_map(|block| block.get("text")?.as_str()).collect::<Vec<_>>().join("\n")
    }

    /// The structured content; `null` when there is none.
    #[must_use]
    pub fn structured(&self) -> &Value {
        self.result.get("structuredContent").unwrap_or(&Value::Null)
    }

    /// The structured content as the type it was made from.
    ///
    /// # Errors
    ///
    /// When it is something else.
    pub fn json<T: DeserializeOwned>(&self) -> Result<T, ClientError> {
        decode(self.structured().clone())
    }

    /// The whole result.
    #[must_use]
    pub const fn raw(&self) -> &Value {
        &self.result
    }
}

/// The members of an object.
pub(super) fn members(value: Value) -> Map<String, Value> {
    match value {
        Value::Object(members) => members,
        _ => Map::new(),
    }
}
