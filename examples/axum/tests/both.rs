//! The application on a real socket: its own routes, and MCP beside them.

use std::net::SocketAddr;
use std::time::Duration;

use axum::body::Body;
use axum::http::{HeaderMap, Request, Response, StatusCode};
use http_body_util::BodyExt as _;
use hyper_util::client::legacy::Client;
use hyper_util::rt::TokioExecutor;
use serde_json::{Value, json};
use tokio::net::TcpListener;
use tokio::sync::oneshot;
use tokio::task::JoinHandle;
use tokio::time::timeout;

/// The application while it runs.
struct App {
    address: SocketAddr,
    stop: oneshot::Sender<()>,
    task: JoinHandle<std::io::Result<()>>,
}

async fn start() -> App {
    let (app, mcp) = in_axum::app().unwrap();
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    let (stop, stopped) = oneshot::channel();
    let stopped = async move {
        drop(stopped.await);
        mcp.shutdown();
    };
    let task = tokio::spawn(async { axum::serve(listener, app).with_graceful_shutdown(stopped).await });
    App { address, stop, task }
}

impl App {
    async fn send(&self, method: &str, path: &str, headers: &[(&str, &str)], body: String) -> Response<Body> {
        let mut request = Request::builder().method(method).uri(format!("http://{}{path}", self.address));
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        let client = Client::builder(TokioExecutor::new()).build_http::<Body>();
        client.request(request.body(Body::from(body)).unwrap()).await.unwrap().map(Body::new)
    }

    /// A message to the MCP server from one who has this token.
    async fn mcp(&self, token: &str, more: &[(&str, &str)], message: Value) -> (StatusCode, HeaderMap, Value) {
        let token = format!("Bearer {token}");
        let mut headers = vec![
            ("authorization", token.as_str()),
            ("content-type", "application/json"),
            ("accept", "application/json, text/event-stream"),
        ];
        headers.extend_from_slice(more);
        let response = self.send("POST", "/mcp", &headers, message.to_string()).await;
        let (head, body) = response.into_parts();
        let body = body.collect().await.unwrap().to_bytes();
        (head.status, head.headers, serde_json::from_slice(&body).unwrap_or_default())
    }

    /// A call in the revision without sessions.
    async fn call(&self, token: &str, tool: &str, arguments: Value) -> Value {
        let meta = json!({
            "io.modelcontextprotocol/protocolVersion": "2026-07-28",
            "io.modelcontextprotocol/clientCapabilities": {},
        });
        let params = json!({"name": tool, "arguments": arguments, "_meta": meta});
        let headers = [("mcp-protocol-version", "2026-07-28"), ("mcp-method", "tools/call"), ("mcp-name", tool)];
        let message = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params});
        let (status, _, answer) = self.mcp(token, &headers, message).await;
        assert_eq!(status, StatusCode::OK, "{answer}");
        answer["result"].clone()
    }

    async fn session(&self, token: &str) -> String {
        let params = json!({"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "test", "version": "1"}});
        let message = json!({"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": params});
        let (_, headers, _) = self.mcp(token, &[], message).await;
        headers["mcp-session-id"].to_str().unwrap().to_owned()
    }
}

fn list() -> Value {
    json!({"jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": {"name": "list_tasks"}})
}

#[tokio::test]
async fn what_a_person_adds_the_same_persons_model_sees() {
    let app = start().await;
    let ada = [("authorization", "Bearer ada-secret"), ("content-type", "text/plain")];
    assert_eq!(app.send("POST", "/tasks", &ada, "write a letter".into()).await.status(), StatusCode::CREATED);
    let listed = app.call("ada-secret", "list_tasks", json!({})).await;
    assert_eq!(listed["structuredContent"], json!(["write a letter"]));
    let added = app.call("ada-secret", "add_task", json!({"task": "post it"})).await;
    assert_eq!(added["content"][0]["text"], "ada has 2 tasks");
    assert_eq!(app.call("bob-secret", "list_tasks", json!({})).await["structuredContent"], json!([]));
    let body = app.send("GET", "/tasks", &ada, String::new()).await.into_body().collect().await.unwrap().to_bytes();
    assert_eq!(serde_json::from_slice::<Value>(&body).unwrap(), json!(["write a letter", "post it"]));
}

#[tokio::test]
async fn who_has_no_token_reaches_nothing() {
    let app = start().await;
    for (method, path) in [("GET", "/tasks"), ("POST", "/mcp"), ("GET", "/mcp")] {
        for headers in [&[][..], &[("authorization", "Bearer guessed")]] {
            let response = app.send(method, path, headers, "{}".into()).await;
            assert_eq!(response.status(), StatusCode::UNAUTHORIZED, "{method} {path}");
            assert_eq!(response.headers()["www-authenticate"], "Bearer");
        }
    }
}

#[tokio::test]
async fn a_session_is_its_owners() {
    let app = start().await;
    let session = app.session("ada-secret").await;
    let headers = [("mcp-session-id", session.as_str())];
    assert_eq!(app.mcp("ada-secret", &headers, list()).await.2["result"]["content"][0]["text"], "[]");
    assert_eq!(app.mcp("bob-secret", &headers, list()).await.0, StatusCode::NOT_FOUND);
}

#[tokio::test]
async fn an_open_stream_does_not_keep_it_from_stopping() {
    let app = start().await;
    let session = app.session("ada-secret").await;
    let headers =
        [("authorization", "Bearer ada-secret"), ("accept", "text/event-stream"), ("mcp-session-id", session.as_str())];
    let mut stream = app.send("GET", "/mcp", &headers, String::new()).await.into_body();
    assert!(stream.frame().await.is_some());
    app.stop.send(()).unwrap();
    timeout(Duration::from_secs(10), app.task).await.expect("it stops").unwrap().unwrap();
    assert!(stream.frame().await.is_none());
}
