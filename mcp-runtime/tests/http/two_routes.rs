//! HTTP+SSE, the transport of 2024-11-05.

use serde_json::{Value, json};
use tokio::time::timeout;

use crate::client::{Events, PATIENCE, Request};
use crate::server::{Tested, text, until};

async fn start() -> Tested {
    Tested::with(|server| server.http_sse("/sse", "/messages")).await
}

/// Opens a stream, which says where its messages go.
async fn open(server: &Tested) -> (Events, String) {
    let mut events =
        server.send(&Request::new("GET").path("/sse").header("accept", "text/event-stream")).await.events();
    let first = events.next().await.unwrap();
    assert_eq!(first.name.as_deref(), Some("endpoint"));
    (events, first.data.unwrap())
}

async fn post(server: &Tested, path: &str, message: Value) {
    let mut response = server.send(&Request::post(message).path(path)).await;
    assert_eq!((response.status, response.text().await.as_str()), (202, ""));
}

async fn initialize(server: &Tested, path: &str) {
    let params =
        json!({"protocolVersion": "2024-11-05", "capabilities": {}, "clientInfo": {"name": "old", "version": "1"}});
    post(server, path, json!({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": params})).await;
}

#[tokio::test]
async fn messages_are_answered_on_the_stream() {
    let server = start().await;
    let (mut events, path) = open(&server).await;
    initialize(&server, &path).await;
    let event = events.next().await.unwrap();
    assert_eq!(event.name.as_deref(), Some("message"));
    assert_eq!(event.json()["result"]["protocolVersion"], "2024-11-05");
    post(&server, &path, json!({"jsonrpc": "2.0", "method": "notifications/initialized"})).await;
    let call = |id: i64, name: &str, arguments: Value| json!({"jsonrpc": "2.0", "id": id, "method": "tools/call", "params": {"name": name, "arguments": arguments}});
    post(&server, &path, call(2, "add", json!({"a": 1, "b": 2}))).await;
    assert_eq!(text(&events.message().await), "3");
    server.handle.tools().disable("add");
    assert_eq!(events.message().await["method"], "notifications/tools/list_changed");
    post(&server, &path, call(3, "wait", json!({}))).await;
    timeout(PATIENCE, server.seen.begun.notified()).await.unwrap();
    // The stream is the session: it ends with it, and so does what goes on in it.
    drop(events);
    timeout(PATIENCE, server.seen.ended.notified()).await.unwrap();
    assert_eq!(server.seen.finished.load(std::sync::atomic::Ordering::SeqCst), 0);
    let gone = Request::post(call(4, "add", json!({}))).path(&path);
    assert_eq!(server.send(&gone).await.status, 404);
}

#[tokio::test]
async fn a_handler_sees_the_headers_of_the_message_that_called_it() {
    let server = start().await;
    let (mut events, path) = open(&server).await;
    initialize(&server, &path).await;
    events.message().await;
    for (id, tenant) in [(2, "one"), (3, "two")] {
        let params = json!({"name": "header", "arguments": {"name": "x-tenant"}});
        let call = json!({"jsonrpc": "2.0", "id": id, "method": "tools/call", "params": params});
        let call = Request::post(call).path(&path).header("x-tenant", tenant);
        assert_eq!(server.send(&call).await.status, 202);
        assert_eq!(text(&events.message().await), tenant);
    }
}

#[tokio::test]
async fn the_routes_take_nothing_else_and_are_not_there_unless_asked_for() {
    let server = start().await;
    let (_events, path) = open(&server).await;
    for (request, status) in [
        (Request::post("{}").path("/sse"), 405),
        (Request::new("GET").path("/messages"), 405),
        (Request::post("{}").path("/messages"), 400),
        (Request::post("{}").path("/messages?sessionId=nonsense"), 404),
        (Request::post("{}").path(&path).header("host", "evil.example"), 403),
        (Request::post("{}").path(&path).header("content-type", "text/plain"), 415),
        (Request::new("GET").path("/sse").header("origin", "http://evil.example"), 403),
        (Request::new("OPTIONS").path("/sse"), 204),
    ] {
        assert_eq!(server.send(&request).await.status, status, "{request:?}");
    }
    assert_eq!(Tested::start().await.send(&Request::new("GET").path("/sse")).await.status, 404);
}

#[tokio::test]
async fn a_server_that_stops_ends_the_streams() {
    let server = start().await;
    let (mut events, _) = open(&server).await;
    server.handle.shutdown();
    assert_eq!(events.next().await, None);
    until(|| server.task.is_finished()).await;
}
