//! The server that the tests talk to, on a port of its own.

use std::net::SocketAddr;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use mcp_runtime::prelude::*;
use mcp_runtime::{Extension, ServerHandle};
use serde_json::{Value, json};
use tokio::net::TcpListener;
use tokio::sync::Notify;
use tokio::task::JoinHandle;

use crate::blocking::Gate;
use crate::client::{Connection, Events, Request, Response};

/// What the handlers tell the tests.
#[derive(Default)]
pub struct Seen {
    pub begun: Notify,
    pub ended: Notify,
    pub finished: AtomicUsize,
    /// Lets `wait` go on.
    pub go: Notify,
    pub gate: Gate,
    /// Contexts that outlive their calls.
    pub kept: Mutex<Vec<Ctx>>,
}

struct Ended(State<Seen>);

impl Drop for Ended {
    fn drop(&mut self) {
        self.0.ended.notify_one();
    }
}

/// Add two numbers.
#[tool]
fn add(a: i64, b: i64) -> i64 {
    a + b
}

/// Wait until the test says so.
#[tool]
async fn wait(seen: State<Seen>) -> &'static str {
    let ended = Ended(seen.clone());
    seen.begun.notify_one();
    seen.go.notified().await;
    seen.finished.fetch_add(1, Ordering::SeqCst);
    drop(ended);
    "waited"
}

/// Block the thread until the client cancels.
#[tool]
fn block(ctx: &Ctx, seen: State<Seen>) -> &'static str {
    seen.begun.notify_one();
    let begun = std::time::Instant::now();
    while !ctx.is_cancelled() {
        assert!(begun.elapsed() < crate::client::PATIENCE, "nobody cancels");
        std::thread::sleep(Duration::from_millis(1));
    }
    seen.finished.fetch_add(1, Ordering::SeqCst);
    seen.ended.notify_one();
    "blocked"
}

/// Report progress, then wait until the test says so.
#[tool]
async fn report(ctx: &Ctx, seen: State<Seen>, steps: u32) -> &'static str {
    let _ended = Ended(seen.clone());
    for step in 1..=steps {
        ctx.progress(step, steps).await;
        tokio::task::yield_now().await;
    }
    seen.begun.notify_one();
    seen.go.notified().await;
    seen.finished.fetch_add(1, Ordering::SeqCst);
    "reported"
}

/// Report progress, then be done.
#[tool]
async fn hurry(ctx: &Ctx, steps: u32) -> &'static str {
    for step in 1..=steps {
        ctx.progress(step, steps).await;
    }
    "hurried"
}

/// Report progress of so many bytes.
#[tool]
async fn flood(ctx: &Ctx, seen: State<Seen>, reports: u32) -> &'static str {
    let _ended = Ended(seen.clone());
    let text = "x".repeat(8 * 1024);
    for step in 1..=reports {
        ctx.progress_message(step, None, text.as_str()).await;
    }
    seen.finished.fetch_add(1, Ordering::SeqCst);
    "flooded"
}

/// How many calls have come to their end.
#[tool]
fn flooded(seen: State<Seen>) -> usize {
    seen.finished.load(Ordering::SeqCst)
}

/// Let go of the connection, then wait until the test says so.
#[tool]
async fn release(ctx: &Ctx, seen: State<Seen>) -> &'static str {
    ctx.release_connection();
    seen.go.notified().await;
    "released"
}

/// Fail like a peer that speaks of headers.
#[tool]
fn relay() -> Result<String> {
    Err(mcp_runtime::Error::protocol(-32020, "a peer said so"))
}

/// Panic.
#[tool]
async fn panic() -> &'static str {
    tokio::task::yield_now().await;
    panic!("on purpose")
}

/// Repeat what the headers say.
#[tool]
fn routed(
    #[arg(header = "Region")] region: Option<String>,
    #[arg(header = "Count")] count: Option<i64>,
    #[arg(header = "Dry")] dry: Option<bool>,
) -> String {
    format!("{region:?} {count:?} {dry:?}")
}

/// Say who calls.
#[tool]
fn whoami(#[from_context] user: Extension<User>) -> String {
    user.0.0
}

/// Say which header came.
#[tool]
fn header(#[from_context] headers: http::HeaderMap, name: String) -> String {
    headers.get(&name).and_then(|value| value.to_str().ok()).unwrap_or("none").to_owned()
}

/// Who calls, as a layer has found out.
#[derive(Clone)]
pub struct User(pub String);

/// A page.
#[resource("page://{name}", list = pages)]
fn page(name: String) -> String {
    name
}

fn pages() -> Vec<String> {
    ["one", "two é", "three"].map(str::to_owned).to_vec()
}

pub fn definition() -> Server {
    Server::new("tested", "1.0.0").state(Seen::default()).allow_empty()
}

/// A running server.
pub struct Tested {
    pub address: SocketAddr,
    pub handle: ServerHandle,
    pub seen: State<Seen>,
    pub task: JoinHandle<Result<()>>,
}

impl Drop for Tested {
    fn drop(&mut self) {
        self.task.abort();
    }
}

impl Tested {
    pub async fn start() -> Self {
        Self::with(|server| server).await
    }

    pub async fn with(change: impl FnOnce(Server) -> Server) -> Self {
        let seen = Arc::new(Seen::default());
        let server = Server::new("tested", "1.0.0").shared_state(Arc::clone(&seen));
        let server = change(server).build().unwrap();
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let (address, handle) = (listener.local_addr().unwrap(), server.handle());
        let task = tokio::spawn(server.serve_http_on(listener));
        Self { address, handle, seen: State::from_arc(seen), task }
    }

    pub async fn connect(&self) -> Connection {
        Connection::open(self.address).await
    }

    pub async fn send(&self, request: &Request) -> Response {
        self.connect().await.send(request).await
    }

    /// Begins a session.
    pub async fn session(&self, revision: &str) -> String {
        let mut response = self.send(&initialize(revision)).await;
        assert_eq!(response.status, 200);
        assert_eq!(response.json().await["result"]["protocolVersion"], revision);
        let session = response.header("mcp-session-id").unwrap().to_owned();
        let done = Request::post(json!({"jsonrpc": "2.0", "method": "notifications/initialized"}));
        assert_eq!(self.send(&done.header("mcp-session-id", &session)).await.status, 202);
        session
    }

    /// Opens a session's own stream.
    pub async fn listen(&self, session: &str) -> Events {
        let response = self.send(&get(session)).await;
        assert_eq!(response.status, 200);
        response.events()
    }
}

pub fn initialize(revision: &str) -> Request {
    let params = json!({"protocolVersion": revision, "capabilities": {"sampling": {}}, "clientInfo": {"name": "test", "version": "1"}});
    Request::post(json!({"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": params}))
}

pub fn get(session: &str) -> Request {
    Request::new("GET").header("accept", "text/event-stream").header("mcp-session-id", session)
}

/// The text of a tool's result.
pub fn text(message: &Value) -> &str {
    message["result"]["content"][0]["text"].as_str().unwrap_or_else(|| panic!("{message}"))
}

/// Waits for a condition that nothing tells of.
pub async fn until(mut condition: impl FnMut() -> bool) {
    let waiting = async {
        while !condition() {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    };
    tokio::time::timeout(crate::client::PATIENCE, waiting).await.expect("it does not happen");
}
