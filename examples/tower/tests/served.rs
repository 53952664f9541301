//! The server on a real socket, in both eras.

use std::net::SocketAddr;
use std::time::Duration;

use http::{HeaderMap, Request, StatusCode};
use http_body_util::BodyExt as _;
use hyper_util::client::legacy::Client;
use hyper_util::client::legacy::connect::HttpConnector;
use hyper_util::rt::TokioExecutor;
use serde_json::{Value, json};
use tokio::net::TcpListener;
use tokio::sync::oneshot;
use tokio::task::JoinHandle;
use tokio::time::timeout;

/// The server while it runs.
struct Site {
    endpoint: String,
    client: Client<HttpConnector, String>,
    stop: oneshot::Sender<()>,
    task: JoinHandle<mcp_runtime::Result<()>>,
}

async fn start() -> Site {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address: SocketAddr = listener.local_addr().unwrap();
    let (stop, stopped) = oneshot::channel();
    let stopped = async { drop(stopped.await) };
    let task = tokio::spawn(in_tower::serve(listener, Duration::from_millis(500), stopped));
    let client = Client::builder(TokioExecutor::new()).build_http();
    Site { endpoint: format!("http://{address}/mcp"), client, stop, task }
}

impl Site {
    async fn post(&self, headers: &[(&str, &str)], message: &str) -> (StatusCode, HeaderMap, Value) {
        let mut request = Request::post(&self.endpoint).header("accept", "application/json, text/event-stream");
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        let response = self.client.request(request.body(message.to_owned()).unwrap()).await.unwrap();
        let (head, body) = response.into_parts();
        let body = body.collect().await.unwrap().to_bytes();
        (head.status, head.headers, serde_json::from_slice(&body).unwrap_or_default())
    }

    async fn modern(&self, tool: &str, arguments: Value) -> (StatusCode, Value) {
        let meta = json!({
            "io.modelcontextprotocol/protocolVersion": "2026-07-28",
            "io.modelcontextprotocol/clientCapabilities": {},
        });
        let params = json!({"name": tool, "arguments": arguments, "_meta": meta});
        let headers = [("mcp-protocol-version", "2026-07-28"), ("mcp-method", "tools/call"), ("mcp-name", tool)];
        let message = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params});
        let (status, _, answer) = self.post(&headers, &message.to_string()).await;
        (status, answer)
    }

    async fn session(&self) -> String {
        let params = json!({"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "test", "version": "1"}});
        let message = json!({"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": params});
        let (status, headers, _) = self.post(&[], &message.to_string()).await;
        assert_eq!(status, StatusCode::OK);
        headers["mcp-session-id"].to_str().unwrap().to_owned()
    }
}

#[tokio::test]
async fn both_eras_are_served_and_an_open_stream_does_not_keep_it_from_stopping() {
    let site = start().await;
    let session = site.session().await;
    let headers = [("mcp-session-id", session.as_str())];
    let params = json!({"name": "count_words", "arguments": {"text": "one two three"}});
    let message = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params});
    let (_, _, answer) = site.post(&headers, &message.to_string()).await;
    assert_eq!(answer["result"]["content"][0]["text"], "3");
    let (status, answer) = site.modern("count_words", json!({"text": "one two"})).await;
    assert_eq!((status, &answer["result"]["content"][0]["text"]), (StatusCode::OK, &json!("2")));

    let stream = Request::get(&site.endpoint).header("accept", "text/event-stream").header("mcp-session-id", session);
    let mut stream = site.client.request(stream.body(String::new()).unwrap()).await.unwrap().into_body();
    assert!(stream.frame().await.is_some());
    site.stop.send(()).unwrap();
    timeout(Duration::from_secs(9), site.task).await.expect("it stops").unwrap().unwrap();
    assert!(stream.frame().await.is_none());
}

#[tokio::test]
async fn the_layers_do_what_they_are_there_for() {
    let site = start().await;
    assert_eq!(site.modern("dawdle", json!({})).await.0, StatusCode::REQUEST_TIMEOUT);
    let long = "word ".repeat(20_000);
    assert_eq!(site.modern("count_words", json!({"text": long})).await.0, StatusCode::PAYLOAD_TOO_LARGE);
    assert_eq!(site.modern("count_words", json!({"text": "fine"})).await.0, StatusCode::OK);
}
