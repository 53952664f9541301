//! Clients that use what HTTP allows in ways that nobody needs, and ways that it does not allow.

use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use http_body_util::{BodyExt as _, Full};
use hyper::body::Bytes;
use hyper_util::rt::{TokioExecutor, TokioIo};
use serde_json::{Value, json};
use tokio::net::TcpStream;
use tokio::time::timeout;

use crate::client::{Connection, PATIENCE, Request};
use crate::server::{Tested, text};

fn add(a: i64) -> Request {
    Request::modern_with(a.into(), "tools/call", json!({"name": "add", "arguments": {"a": a, "b": 2}}))
}

/// A call, waited for until the places are free again that others have left.
async fn add_in_the_end(server: &Tested) {
    let begun = Instant::now();
    loop {
        let mut response = server.send(&add(1)).await;
        if response.status == 200 {
            assert_eq!(text(&response.json().await), "3");
            return;
        }
        assert!(begun.elapsed() < PATIENCE, "{response:?}");
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
}

#[tokio::test]
async fn requests_that_are_sent_at_once_are_answered_in_their_order() {
    let server = Tested::start().await;
    let mut connection = server.connect().await;
    let mut all = Vec::new();
    for a in 0..50 {
        let request = if a % 10 == 9 { Request::post("{bad") } else { add(a) };
        all.extend(request.bytes());
    }
    connection.write(&all).await;
    for a in 0..50 {
        let mut response = connection.response().await;
        if a % 10 == 9 {
            assert_eq!(response.status, 400);
            response.text().await;
        } else {
            assert_eq!(text(&response.json().await), (a + 2).to_string());
        }
        connection = response.connection();
    }
}

#[tokio::test]
async fn a_client_that_only_drips_is_let_go_however_lively_it_looks() {
    let server = Tested::with(|server| server.read_timeout(Duration::from_millis(300))).await;
    let head = "POST /mcp HTTP/1.1\r\nhost: localhost\r\ncontent-length: 1000\r\n\r\n";
    let chunked = "POST /mcp HTTP/1.1\r\nhost: localhost\r\ntransfer-encoding: chunked\r\n\r\n";
    for (begin, drop, status) in
        [("POST /mcp HTTP/1.1\r\n", "x: y\r\n", None), (head, " ", Some(408)), (chunked, "1\r\n \r\n", Some(408))]
    {
        let begun = Instant::now();
        let mut connection = server.connect().await;
        connection.write(begin).await;
        let mut count = 0;
        while connection.try_write(drop).await.is_ok() && begun.elapsed() < Duration::from_millis(500) {
            tokio::time::sleep(Duration::from_millis(20)).await;
            count += 1;
        }
        assert!(count > 3, "{begin}");
        match status {
            Some(status) => assert_eq!(connection.response().await.status, status, "{begin}"),
            None => _ = connection.is_closed().await,
        }
        assert!(begun.elapsed() < PATIENCE / 3, "{begin}: {:?}", begun.elapsed());
    }
    add_in_the_end(&server).await;
}

#[tokio::test]
async fn half_of_a_connection_and_half_of_a_request_hold_nothing() {
    let server = Tested::with(|server| server.max_in_flight(4)).await;
    let wait = Request::call("wait", json!({})).bytes();
    for length in [0, 1, 20, wait.len() - 1, wait.len()] {
        for _ in 0..4 {
            let mut connection = server.connect().await;
            connection.write(&wait[..length]).await;
            connection.close_half().await;
            _ = connection.is_closed().await;
        }
    }
    add_in_the_end(&server).await;
    assert_eq!(server.seen.finished.load(Ordering::SeqCst), 0);
}

#[tokio::test]
async fn http_1_0_is_answered_and_closed() {
    let server = Tested::start().await;
    let message = json!({"jsonrpc": "2.0", "id": 1, "method": "ping"}).to_string();
    let session = server.session("2025-11-25").await;
    let mut connection = server.connect().await;
    let head = format!("POST /mcp HTTP/1.0\r\nmcp-session-id: {session}\r\ncontent-length: {}\r\n\r\n", message.len());
    connection.write(head + &message).await;
    let mut response = connection.response().await;
    assert_eq!(response.json().await["result"], json!({}));
    assert!(response.connection().is_closed().await);
}

/// A call over HTTP/2.
pub fn h2(tool: &str, arguments: Value) -> http::Request<Full<Bytes>> {
    let meta = json!({
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientCapabilities": {},
    });
    let params = json!({"name": tool, "arguments": arguments, "_meta": meta});
    let body = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params}).to_string();
    http::Request::post("http://localhost/mcp")
        .header("mcp-protocol-version", "2026-07-28")
        .header("mcp-method", "tools/call")
        .header("mcp-name", tool)
        .body(Full::new(Bytes::from(body)))
        .unwrap()
}

#[tokio::test]
async fn streams_that_are_reset_free_their_places_and_their_handlers() {
    let server = Tested::with(|server| server.max_in_flight(100)).await;
    for _ in 0..5 {
        let stream = TokioIo::new(TcpStream::connect(server.address).await.unwrap());
        let (client, connection) = hyper::client::conn::http2::handshake(TokioExecutor::new(), stream).await.unwrap();
        let connection = tokio::spawn(connection);
        // Begun and dropped in every state: not sent, sent, being worked on. A client that overdoes it is cut off.
        for round in 0..200 {
            let mut client = client.clone();
            let call = tokio::spawn(async move { client.send_request(h2("wait", json!({}))).await.map(drop) });
            if round % 3 > 0 {
                tokio::task::yield_now().await;
            }
            if round % 10 == 0 {
                _ = timeout(Duration::from_millis(20), server.seen.begun.notified()).await;
            }
            call.abort();
        }
        connection.abort();
    }
    add_in_the_end(&server).await;
    let stream = TokioIo::new(TcpStream::connect(server.address).await.unwrap());
    let (mut client, connection) = hyper::client::conn::http2::handshake(TokioExecutor::new(), stream).await.unwrap();
    let connection = tokio::spawn(connection);
    let answer = client.send_request(h2("add", json!({"a": 1, "b": 2}))).await.unwrap();
    let body = answer.into_body().collect().await.unwrap().to_bytes();
    assert_eq!(text(&serde_json::from_slice(&body).unwrap()), "3");
    assert_eq!(server.seen.finished.load(Ordering::SeqCst), 0);
    connection.abort();
}

#[tokio::test]
async fn a_storm_of_changes_is_told_in_few_words_and_its_last_change_is_not_missed() {
    let server = Tested::start().await;
    let session = server.session("2025-11-25").await;
    let changes = json!({"notifications": {"toolsListChanged": true}});
    let mut modern = server.send(&Request::modern("subscriptions/listen", changes)).await.events();
    modern.message().await;
    let mut legacy = server.listen(&session).await;
    assert_eq!(legacy.next().await.unwrap().data.as_deref(), Some(""));
    for _ in 0..5000 {
        server.handle.tools().disable("add");
        server.handle.tools().enable("add");
    }
    server.handle.tools().disable("add");
    for stream in [&mut modern, &mut legacy] {
        let mut told = 0;
        let mut patience = PATIENCE;
        while let Ok(message) = timeout(patience, stream.message()).await {
            assert_eq!(message["method"], "notifications/tools/list_changed");
            told += 1;
            patience = Duration::from_millis(300);
        }
        assert!((1..100).contains(&told), "{told}");
    }
    let tools = server.send(&Request::modern("tools/list", json!({}))).await.json().await;
    assert!(tools["result"]["tools"].as_array().unwrap().iter().all(|tool| tool["name"] != "add"));
}

#[tokio::test]
async fn panics_are_answered_each_and_hold_no_place() {
    let server = Tested::with(|server| server.max_in_flight(4)).await;
    let session = server.session("2025-11-25").await;
    for id in 0..40 {
        let (request, status) = if id % 2 == 0 {
            (Request::call("panic", json!({})), 200)
        } else {
            (Request::legacy(&session, id, "tools/call", json!({"name": "panic"})), 200)
        };
        let mut response = server.send(&request).await;
        assert_eq!((response.status, response.code().await), (status, -32603));
    }
    add_in_the_end(&server).await;
}

#[tokio::test]
async fn connections_that_say_nothing_keep_nobody_out_for_long() {
    let server = Tested::with(|server| server.max_connections(50).read_timeout(Duration::from_millis(300))).await;
    let mut idle = Vec::new();
    for _ in 0..100 {
        idle.push(Connection::open(server.address).await);
    }
    // Those that are in are let go, then those that waited.
    assert_eq!(text(&timeout(PATIENCE, server.send(&add(1))).await.unwrap().json().await), "3");
}

#[tokio::test]
async fn a_connection_that_is_not_used_any_more_is_let_go() {
    let server = Tested::with(|server| server.read_timeout(Duration::from_millis(200))).await;
    let mut response = server.send(&add(1)).await;
    assert_eq!(text(&response.json().await), "3");
    assert!(timeout(PATIENCE, response.connection().is_closed()).await.unwrap());
}

#[tokio::test]
async fn a_client_that_says_a_great_deal_of_itself_gets_a_session_like_any_other() {
    let server = Tested::start().await;
    let long = "é".repeat(100_000);
    let mut capabilities = json!({"sampling": {}, "elicitation": {"url": {}}});
    for number in 0..1000 {
        capabilities[format!("{long}{number}")[..200].to_owned() + &number.to_string()] = json!({"a": [number]});
    }
    let info = json!({"name": long, "version": long, "title": long});
    let params = json!({"protocolVersion": "2025-11-25", "capabilities": capabilities, "clientInfo": info});
    let begin = json!({"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": params});
    let response = server.send(&Request::post(begin)).await;
    let session = response.header("mcp-session-id").unwrap().to_owned();
    // Most servers and proxies take 8 KiB of headers.
    assert!(session.len() < 4096, "{}", session.len());
    let call = json!({"name": "add", "arguments": {"a": 1, "b": 2}});
    assert_eq!(text(&server.send(&Request::legacy(&session, 1, "tools/call", call)).await.json().await), "3");
}
