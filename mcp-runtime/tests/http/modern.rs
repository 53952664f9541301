//! 2026-07-28: JSON or events, cancellation by leaving, the heads of streams.

use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use tokio::time::timeout;

use crate::client::{PATIENCE, Request};
use crate::server::{Tested, text};

fn call() -> Request {
    Request::call("add", json!({"a": 1, "b": 2}))
}

fn meta(request: Request, change: impl FnOnce(&mut serde_json::Map<String, Value>)) -> Request {
    request.body(|body| change(body["params"]["_meta"].as_object_mut().unwrap()))
}

#[tokio::test]
async fn an_answer_is_json_until_something_precedes_it() {
    let server = Tested::start().await;
    let with_token = |request: Request| meta(request, |meta| drop(meta.insert("progressToken".to_owned(), "p".into())));
    let mut plain = server.send(&Request::call("hurry", json!({"steps": 3}))).await;
    assert_eq!(plain.header("content-type"), Some("application/json"));
    assert_eq!(text(&plain.json().await), "hurried");

    let streamed = server.send(&with_token(Request::call("hurry", json!({"steps": 3})))).await;
    assert_eq!(streamed.header("x-accel-buffering"), Some("no"));
    let mut events = streamed.events();
    let mut messages = Vec::new();
    while let Some(event) = events.next().await {
        // There is nothing to come back to.
        assert_eq!((&event.id, &event.retry), (&None, &None));
        messages.push(event.json());
    }
    let progress: Vec<_> =
        messages[..3].iter().map(|message| message["params"]["progress"].as_i64().unwrap()).collect();
    assert_eq!(progress, [1, 2, 3]);
    assert_eq!(text(&messages[3]), "hurried");
    assert_eq!(messages.len(), 4);

    // A client that takes no events gets the answer alone.
    let mut alone = server
        .send(&with_token(Request::call("hurry", json!({"steps": 3}))).header("accept", "application/json"))
        .await;
    assert_eq!(text(&alone.json().await), "hurried");
}

#[tokio::test]
async fn whatever_a_client_accepts_it_is_answered_in() {
    let server = Tested::start().await;
    for (accept, expected) in [
        (None, "application/json"),
        (Some("*/*"), "application/json"),
        (Some("application/json"), "application/json"),
        (Some("text/event-stream"), "text/event-stream"),
        (Some("application/*"), "application/json"),
        (Some("Text/Event-Stream; q=0.9, application/json; q=0"), "text/event-stream"),
    ] {
        let request = match accept {
            Some(accept) => call().header("accept", accept),
            None => call().without("accept"),
        };
        let mut response = server.send(&request).await;
        assert_eq!((response.status, response.header("content-type")), (200, Some(expected)), "{accept:?}");
        let answer =
            if expected == "application/json" { response.json().await } else { response.events().message().await };
        assert_eq!(text(&answer), "3");
    }
    assert_eq!(server.send(&call().header("accept", "*/*;q=0")).await.status, 406);
    // An error keeps its status even when only events are accepted.
    let refused = server.send(&call().without("mcp-method").header("accept", "text/event-stream")).await;
    assert_eq!(refused.status, 400);
}

#[tokio::test]
async fn a_client_that_leaves_cancels_its_request() {
    let server = Tested::start().await;
    // While nothing was sent yet, and while events are.
    for (tool, arguments, token) in [("wait", json!({}), false), ("report", json!({"steps": 3}), true)] {
        let mut quickest = Duration::MAX;
        let mut request = Request::call(tool, arguments);
        if token {
            request = meta(request, |meta| drop(meta.insert("progressToken".to_owned(), 1.into())));
        }
        // Once at least it is heard of at once, however busy the machine is.
        for _ in 0..20 {
            let mut connection = server.connect().await;
            connection.write(request.bytes()).await;
            timeout(PATIENCE, server.seen.begun.notified()).await.unwrap();
            let left = Instant::now();
            drop(connection);
            timeout(PATIENCE, server.seen.ended.notified()).await.unwrap();
            quickest = quickest.min(left.elapsed());
            if quickest < Duration::from_millis(100) {
                break;
            }
        }
        assert!(quickest < Duration::from_millis(100), "{tool}: {quickest:?}");
        assert_eq!(server.seen.finished.load(Ordering::SeqCst), 0, "{tool}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn handlers_that_block_their_threads_hold_up_nobody_and_hear_that_their_clients_left() {
    let server = Tested::start().await;
    let session = server.session("2025-11-25").await;
    let mut blocked = Vec::new();
    for id in 0..6 {
        let request = if id % 2 == 0 {
            Request::call("block", json!({}))
        } else {
            Request::legacy(&session, id, "tools/call", json!({"name": "block"}))
        };
        let mut connection = server.connect().await;
        connection.write(request.bytes()).await;
        timeout(PATIENCE, server.seen.begun.notified()).await.unwrap();
        blocked.push(connection);
    }
    for _ in 0..20 {
        assert_eq!(text(&timeout(PATIENCE, server.send(&call())).await.unwrap().json().await), "3");
    }
    assert_eq!(server.seen.finished.load(Ordering::SeqCst), 0);
    let left = Instant::now();
    drop(blocked);
    for id in [1, 3, 5] {
        let cancel = json!({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": id}});
        assert_eq!(server.send(&Request::post(cancel).header("mcp-session-id", &session)).await.status, 202);
    }
    crate::server::until(|| server.seen.finished.load(Ordering::SeqCst) == 6).await;
    assert!(left.elapsed() < PATIENCE / 3, "{:?}", left.elapsed());
}

#[tokio::test]
async fn two_clients_may_use_the_same_id_at_the_same_time() {
    let server = Tested::start().await;
    let mut first = server.connect().await;
    first.write(Request::call("wait", json!({})).bytes()).await;
    timeout(PATIENCE, server.seen.begun.notified()).await.unwrap();
    assert_eq!(text(&server.send(&call()).await.json().await), "3");
    server.seen.go.notify_one();
    assert_eq!(text(&first.response().await.json().await), "waited");
}

#[tokio::test]
async fn notifications_are_accepted_and_nothing_else_without_an_id() {
    let server = Tested::start().await;
    let notification =
        Request::post(json!({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 7}}));
    let mut response = server.send(&notification.clone().header("mcp-protocol-version", "2026-07-28")).await;
    assert_eq!((response.status, response.text().await.as_str()), (202, ""));
    for method in ["GET", "DELETE"] {
        let response = server.send(&Request::new(method).header("mcp-protocol-version", "2026-07-28")).await;
        assert_eq!((response.status, response.header("allow").is_some()), (405, true), "{method}");
    }
}

#[tokio::test]
async fn no_proxy_keeps_or_collects_what_a_stream_says() {
    let server = Tested::with(|server| server.http_sse("/sse", "/messages")).await;
    let session = server.session("2025-11-25").await;
    let report = json!({"name": "hurry", "arguments": {"steps": 1}, "_meta": {"progressToken": 1}});
    for request in [
        Request::modern("tools/call", report.clone()),
        Request::legacy(&session, 1, "tools/call", report),
        Request::modern("subscriptions/listen", json!({"notifications": {}})),
        crate::server::get(&session),
        Request::new("GET").path("/sse").header("accept", "text/event-stream"),
    ] {
        let response = server.send(&request).await;
        let heads = ["content-type", "x-accel-buffering", "cache-control"].map(|name| response.header(name));
        assert_eq!(response.status, 200, "{request:?}");
        assert_eq!(heads, [Some("text/event-stream"), Some("no"), Some("no-cache, no-transform")], "{request:?}");
        assert_eq!(response.header("content-length"), None, "{request:?}");
    }
}
