//! Functions that were quick and then block their threads, on a runtime of two: nobody else is held up.

use std::sync::{Condvar, Mutex, PoisonError};

use http_body_util::BodyExt as _;
use hyper_util::rt::{TokioExecutor, TokioIo};
use mcp_runtime::CompletionContext;
use mcp_runtime::prelude::*;
use serde_json::{Map, Value, json};
use tokio::net::TcpStream;
use tokio::runtime::{Builder, Runtime};
use tokio::time::timeout;

use crate::attacks::h2;
use crate::client::{Connection, PATIENCE, Request};
use crate::server::{Seen, Tested, initialize, text, until};

/// So many quick calls make a function count as quick, whatever it did before.
const ENOUGH: usize = 110;

/// Where functions stay with their threads while a test wants them to.
#[derive(Default)]
pub struct Gate {
    state: Mutex<Inside>,
    opened: Condvar,
}

#[derive(Default)]
struct Inside {
    is_closed: bool,
    count: usize,
}

impl Gate {
    fn pass(&self) {
        let mut state = self.state.lock().unwrap();
        state.count += 1;
        let (mut state, _) = self.opened.wait_timeout_while(state, PATIENCE, |state| state.is_closed).unwrap();
        state.count -= 1;
    }

    fn close(&self) -> Closed<'_> {
        self.state.lock().unwrap().is_closed = true;
        Closed(self)
    }

    fn inside(&self) -> usize {
        self.state.lock().unwrap().count
    }
}

/// Open again when this is dropped: a test that fails waits for nobody.
struct Closed<'a>(&'a Gate);

impl Drop for Closed<'_> {
    fn drop(&mut self) {
        self.0.state.lock().unwrap_or_else(PoisonError::into_inner).is_closed = false;
        self.0.opened.notify_all();
    }
}

/// Pass the gate.
#[tool]
fn pass(seen: State<Seen>) -> &'static str {
    seen.gate.pass();
    "passed"
}

/// What is behind the gate.
#[resource("gate://{name}", list = gates)]
fn gate(#[arg(complete = gate_names)] name: String) -> String {
    name
}

fn gates(ctx: &Ctx) -> Result<Vec<String>> {
    ctx.state::<Seen>()?.gate.pass();
    Ok(vec!["one".to_owned()])
}

fn gate_names(_: &str, ctx: &CompletionContext) -> Result<Vec<String>> {
    ctx.state::<Seen>()?.gate.pass();
    Ok(vec!["one".to_owned()])
}

async fn method(ctx: Ctx, _: Map<String, Value>) -> Result<Map<String, Value>> {
    ctx.state::<Seen>()?.gate.pass();
    Ok(Map::new())
}

/// A server on two threads of its own.
struct Served {
    server: Tested,
    runtime: Option<Runtime>,
}

impl Served {
    async fn start() -> Self {
        let runtime = Builder::new_multi_thread().worker_threads(2).enable_all().build().unwrap();
        let server = runtime.spawn(Tested::with(|server| server.method("test/pass", method))).await.unwrap();
        Self { server, runtime: Some(runtime) }
    }

    /// Teaches the server that the function is quick.
    async fn practise(&self, request: &Request) {
        let mut connection = self.server.connect().await;
        for _ in 0..ENOUGH {
            let mut response = connection.send(request).await;
            let answer = response.json().await;
            assert!(answer.get("result").is_some(), "{answer}");
            connection = response.connection();
        }
    }

    /// Whoever comes now is served: over new connections and old ones, in sessions and outside.
    async fn serves(&self, others: &mut Option<Connection>, session: &str) {
        let serving = async {
            let add = Request::call("add", json!({"a": 1, "b": 2}));
            assert_eq!(text(&self.server.send(&add).await.json().await), "3");
            let mut response = others.take().unwrap().send(&add).await;
            assert_eq!(text(&response.json().await), "3");
            *others = Some(response.connection());
            let add =
                Request::legacy(session, "other", "tools/call", json!({"name": "add", "arguments": {"a": 1, "b": 2}}));
            assert_eq!(text(&self.server.send(&add).await.json().await), "3");
            assert_eq!(self.server.send(&initialize("2025-11-25")).await.status, 200);
        };
        timeout(PATIENCE / 3, serving).await.expect("somebody is held up");
    }
}

impl Drop for Served {
    fn drop(&mut self) {
        if let Some(runtime) = self.runtime.take() {
            runtime.shutdown_background();
        }
    }
}

/// A request for each kind of function that an author writes.
fn requests(session: &str) -> [Request; 5] {
    let complete =
        json!({"ref": {"type": "ref/resource", "uri": "gate://{name}"}, "argument": {"name": "name", "value": ""}});
    [
        Request::call("pass", json!({})),
        Request::legacy(session, 2, "tools/call", json!({"name": "pass"})),
        Request::modern("resources/list", json!({})),
        Request::modern("completion/complete", complete),
        Request::modern("test/pass", json!({})),
    ]
}

#[tokio::test]
async fn a_function_that_was_quick_and_blocks_then_holds_up_nobody() {
    let served = Served::start().await;
    let session = served.server.session("2025-11-25").await;
    let mut others = Some(served.server.connect().await);
    for request in requests(&served.server.session("2025-06-18").await) {
        served.practise(&request).await;
        let gate = &served.server.seen.gate;
        let closed = gate.close();
        let mut blocked = Vec::new();
        for count in 1..=4_i64 {
            let mut connection = served.server.connect().await;
            connection.write(request.clone().body(|body| body["id"] = count.into()).bytes()).await;
            until(|| gate.inside() == blocked.len() + 1).await;
            blocked.push(connection);
            served.serves(&mut others, &session).await;
        }
        drop(closed);
        for connection in blocked {
            assert!(connection.response().await.json().await.get("result").is_some(), "{request:?}");
        }
    }
}

#[tokio::test]
async fn functions_that_block_at_the_same_moment_leave_a_thread_to_others() {
    let served = Served::start().await;
    let session = served.server.session("2025-11-25").await;
    let mut others = Some(served.server.connect().await);
    // Of several functions, each of which was quick.
    let requests = requests(&session);
    for _ in 0..3 {
        for request in &requests {
            served.practise(request).await;
        }
        let gate = &served.server.seen.gate;
        let mut connections = Vec::new();
        for _ in 0..2 * requests.len() {
            connections.push(served.server.connect().await);
        }
        let closed = gate.close();
        for (id, connection) in connections.iter_mut().enumerate() {
            let request = requests[id % requests.len()].clone().body(|body| body["id"] = id.into());
            connection.write(request.bytes()).await;
        }
        until(|| gate.inside() == connections.len()).await;
        served.serves(&mut others, &session).await;
        drop(closed);
        for connection in connections {
            assert!(connection.response().await.json().await.get("result").is_some());
        }
    }
}

#[tokio::test]
async fn a_function_that_blocks_holds_up_no_other_request_of_its_connection() {
    let served = Served::start().await;
    let stream = TcpStream::connect(served.server.address).await.unwrap();
    stream.set_nodelay(true).unwrap();
    let stream = TokioIo::new(stream);
    let (client, connection) = hyper::client::conn::http2::handshake(TokioExecutor::new(), stream).await.unwrap();
    let connection = tokio::spawn(connection);
    let send = |tool, arguments| {
        let (mut client, request) = (client.clone(), h2(tool, arguments));
        async move {
            let response = client.send_request(request).await.unwrap();
            let body = response.into_body().collect().await.unwrap().to_bytes();
            text(&serde_json::from_slice(&body).unwrap()).to_owned()
        }
    };
    // Short requests, and some about half as long as may be sent unread: there the connection has to say that more may come.
    for length in [0, 515_000, 520_000, 525_000, 530_000] {
        let padded = || json!({"padding": "x".repeat(length)});
        for _ in 0..ENOUGH {
            assert_eq!(send("pass", json!({})).await, "passed");
        }
        let gate = &served.server.seen.gate;
        let closed = gate.close();
        let mut blocked = Vec::new();
        for count in 1..=4 {
            blocked.push(tokio::spawn(send("pass", padded())));
            until(|| gate.inside() == count).await;
            let other = timeout(PATIENCE / 3, send("add", json!({"a": 1, "b": 2}))).await;
            assert_eq!(other.expect("the connection is held up"), "3");
        }
        drop(closed);
        for answer in blocked {
            assert_eq!(answer.await.unwrap(), "passed");
        }
    }
    connection.abort();
}
