//! Whatever comes in: a clear answer or a closed connection, within bounds, and the server goes on.

use std::time::{Duration, Instant};

use http_body_util::{BodyExt as _, Full};
use hyper::body::Bytes;
use hyper_util::rt::{TokioExecutor, TokioIo};
use serde_json::json;
use tokio::net::TcpStream;
use tokio::time::timeout;

use crate::attacks::h2;
use crate::client::{PATIENCE, Request};
use crate::process::Process;
use crate::server::{Tested, get, initialize, text};

fn call() -> Request {
    Request::call("add", json!({"a": 1, "b": 2}))
}

#[tokio::test]
async fn bodies_that_are_no_message_are_400_with_the_right_code() {
    let server = Tested::start().await;
    for (body, code) in [
        ("", -32700),
        ("{bad", -32700),
        ("\u{0}", -32700),
        ("{} {}", -32700),
        ("17", -32600),
        ("\"text\"", -32600),
        ("null", -32600),
        ("{}", -32600),
        ("[]", -32600),
        ("[{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}]", -32600),
        (r#"{"jsonrpc":"2.0","id":null,"method":"ping"}"#, -32600),
        (r#"{"jsonrpc":"2.0","id":1,"id":2,"method":"ping"}"#, -32600),
        (r#"{"jsonrpc":"2.0","id":1,"result":{}}"#, -32600),
        (r#"{"jsonrpc":"2.0","id":1,"method":"server/discover"}"#, -32602),
    ] {
        let mut response = server.send(&Request::post(body)).await;
        let answer = response.json().await;
        assert_eq!((response.status, answer["error"]["code"].as_i64().unwrap()), (400, code), "{body}");
        assert!(answer.get("id").is_none_or(|id| !id.is_null()), "{answer}");
    }
    let mut connection = server.connect().await;
    connection.write(b"POST /mcp HTTP/1.1\r\nhost: localhost\r\ncontent-length: 2\r\n\r\n\xff\xfe").await;
    assert_eq!(connection.response().await.code().await, -32700);
}

#[tokio::test]
async fn each_method_and_path_gets_its_status() {
    let server = Tested::start().await;
    for (request, status) in [
        (Request::new("OPTIONS"), 204),
        (Request::new("HEAD"), 405),
        (Request::new("PUT"), 405),
        (Request::new("PATCH"), 405),
        (Request::new("BREW"), 405),
        (Request::new("GET"), 400),
        (Request::new("GET").path("/"), 404),
        (Request::new("GET").path("/mcp/x"), 404),
        (Request::new("GET").path("/sse"), 404),
        (call().path("/mcp/"), 200),
        (call().path("/mcp?x=y"), 200),
        (Request::new("GET").path("/healthz"), 200),
        (Request::new("HEAD").path("/healthz"), 200),
        (Request::new("POST").path("/healthz"), 405),
        (Request::new("GET").path("/healthz").header("host", "10.0.0.7:8000"), 200),
        (call().header("content-type", "application/json; charset=utf-8"), 200),
        (call().header("content-type", "Application/JSON"), 200),
        (call().without("content-type"), 200),
        (call().header("content-type", "text/plain"), 415),
        (call().header("content-encoding", "gzip"), 415),
        (call().header("accept", "text/html"), 406),
        (call().without("host"), 400),
        (call().and("host", "localhost"), 400),
        (call().header("host", "evil.example.com"), 403),
        (call().header("origin", "http://evil.example.com"), 403),
        (call().header("origin", "null"), 403),
        (call().header("origin", "http://localhost:5173"), 200),
    ] {
        let response = server.send(&request).await;
        assert_eq!(response.status, status, "{request:?}");
        assert_eq!(response.header("allow").is_some(), matches!(status, 405) || response.status == 204, "{request:?}");
    }
}

#[tokio::test]
async fn a_refused_host_is_told_which_setting_it_lacks() {
    let server = Tested::with(|server| {
        server.allowed_hosts(["mcp.example.com"]).allowed_origins(["https://app.example.com:443"])
    })
    .await;
    let mut refused = server.send(&call().header("host", "other.example.com")).await;
    assert!(refused.text().await.contains("MCP_ALLOWED_HOSTS"));
    let mut refused = server.send(&call().header("origin", "https://other.example.com")).await;
    assert!(refused.text().await.contains("MCP_ALLOWED_ORIGINS"));
    let allowed =
        server.send(&call().header("host", "mcp.example.com").header("origin", "https://app.example.com")).await;
    assert_eq!((allowed.status, allowed.header("access-control-allow-origin")), (200, Some("https://app.example.com")));
    assert!(allowed.header("access-control-expose-headers").unwrap().contains("Mcp-Session-Id"));
    assert_eq!(allowed.header("vary"), Some("Origin"));
}

#[tokio::test]
async fn a_browser_is_told_what_a_page_may_do() {
    let server = Tested::start().await;
    let preflight = Request::new("OPTIONS")
        .header("origin", "http://localhost:6274")
        .header("access-control-request-method", "POST")
        .header("access-control-request-headers", "mcp-method,mcp-param-region");
    let response = server.send(&preflight).await;
    assert_eq!(response.status, 204);
    assert_eq!(response.header("access-control-allow-origin"), Some("http://localhost:6274"));
    assert_eq!(response.header("access-control-allow-headers"), Some("mcp-method,mcp-param-region"));
    assert!(response.header("access-control-allow-methods").unwrap().contains("DELETE"));
    assert_eq!(server.send(&preflight.header("origin", "https://evil.example")).await.status, 403);
}

#[tokio::test]
async fn a_body_that_is_too_long_is_413_however_it_comes() {
    let server = Tested::with(|server| server.max_body_size(1000)).await;
    let long = Request::post("x".repeat(1001));
    let mut response = server.send(&long).await;
    assert_eq!((response.status, response.code().await), (413, -32600));
    let mut chunked = server.connect().await;
    chunked.write("POST /mcp HTTP/1.1\r\nhost: localhost\r\ntransfer-encoding: chunked\r\n\r\n").await;
    for _ in 0..11 {
        if chunked.try_write(format!("64\r\n{}\r\n", "x".repeat(100))).await.is_err() {
            break;
        }
    }
    assert_eq!(chunked.response().await.status, 413);
    // Far too long, from a client that reads when it has written all.
    let mut far = server.send(&Request::post("x".repeat(50_000_000))).await;
    assert_eq!((far.status, far.code().await), (413, -32600));
    // One that asks first is spared the trouble.
    let mut careful = server.connect().await;
    careful
        .write("POST /mcp HTTP/1.1\r\nhost: localhost\r\nexpect: 100-continue\r\ncontent-length: 50000000\r\n\r\n")
        .await;
    assert_eq!(careful.response().await.status, 413);
    // As long as it may be.
    let text_of = |length: usize| Request::post(" ".repeat(length));
    assert_eq!(server.send(&text_of(1000)).await.status, 400);
}

#[tokio::test]
async fn a_body_that_is_too_long_is_413_over_http_2_and_the_connection_goes_on() {
    let server = Tested::with(|server| server.max_body_size(1000)).await;
    let stream = TokioIo::new(TcpStream::connect(server.address).await.unwrap());
    let (mut client, connection) = hyper::client::conn::http2::handshake(TokioExecutor::new(), stream).await.unwrap();
    let connection = tokio::spawn(connection);
    // Just too long, and far longer than is read before the client hears of it; told beforehand and not.
    for (length, is_told) in [(1001, true), (1001, false), (5_000_000, true), (5_000_000, false)] {
        let body = Full::new(Bytes::from("x".repeat(length)));
        let body = if is_told { body.boxed() } else { body.map_frame(|frame| frame).boxed() };
        let request = http::Request::post("http://localhost/mcp").body(body).unwrap();
        let response = timeout(PATIENCE, client.send_request(request)).await.unwrap().unwrap();
        assert_eq!(response.status(), 413, "{length} {is_told}");
        let body = response.into_body().collect().await.unwrap().to_bytes();
        let refusal: serde_json::Value = serde_json::from_slice(&body).unwrap();
        assert_eq!(refusal["error"]["code"], -32600);
    }
    let good =
        client.send_request(h2("add", json!({"a": 1, "b": 2})).map(http_body_util::BodyExt::boxed)).await.unwrap();
    assert_eq!(good.status(), 200);
    connection.abort();
}

#[tokio::test]
async fn clients_that_are_slow_are_let_go() {
    let server = Tested::with(|server| server.read_timeout(Duration::from_millis(200))).await;
    let begun = Instant::now();
    let mut silent = server.connect().await;
    let mut headers = server.connect().await;
    headers.write("POST /mcp HTTP/1.1\r\nhost: local").await;
    let mut body = server.connect().await;
    body.write("POST /mcp HTTP/1.1\r\nhost: localhost\r\ncontent-length: 100\r\n\r\n{").await;
    let mut preface = server.connect().await;
    preface.write("PRI * HT").await;
    assert!(silent.is_closed().await);
    // hyper may say 408 before it closes.
    _ = headers.is_closed().await;
    assert!(preface.is_closed().await);
    assert_eq!(body.response().await.status, 408);
    assert!(begun.elapsed() < PATIENCE / 3, "{:?}", begun.elapsed());
    assert_eq!(text(&server.send(&call()).await.json().await), "3");
}

#[tokio::test]
async fn what_is_no_http_is_refused() {
    let server = Tested::start().await;
    for (bytes, status) in [
        (&b"GARBAGE\r\n\r\n"[..], 400),
        (b"POST /mcp HTTP/1.1\r\nhost: localhost\r\ntransfer-encoding: chunked\r\n\r\nzz\r\nx\r\n0\r\n\r\n", 400),
        (b"POST /mcp HTTP/1.1\r\nhost: localhost\r\ntransfer-encoding: chunked\r\n\r\nffffffffffffffffff\r\n", 400),
        (b"POST /mcp HTTP/1.1\r\nhost: localhost\r\ncontent-length: 2\r\ncontent-length: 3\r\n\r\n{}x", 400),
        (b"POST /mcp HTTP/1.1\r\nhost: localhost\r\ncontent-length: -1\r\n\r\n", 400),
        (b"POST /mcp HTTP/1.1\r\nhost: localhost\r\nmcp-name: a\x01b\r\n\r\n", 400),
        (b"POST /mcp HTTP/1.1\r\nhost: localhost\r\n bad: x\r\n\r\n", 400),
    ] {
        let mut connection = server.connect().await;
        connection.write(bytes).await;
        assert_eq!(connection.response().await.status, status, "{}", String::from_utf8_lossy(bytes));
    }
    // Both lengths: the request must not be smuggled past a proxy as two.
    let mut both = server.connect().await;
    both.write("POST /mcp HTTP/1.1\r\nhost: localhost\r\ncontent-length: 30\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\nGET /healthz HTTP/1.1\r\n\r\n").await;
    let response = both.response().await;
    assert_eq!(response.status, 400);
    let mut huge = server.connect().await;
    let result =
        huge.try_write(format!("GET /mcp HTTP/1.1\r\nhost: localhost\r\nx: {}\r\n\r\n", "x".repeat(1_000_000))).await;
    if result.is_ok() {
        assert!(matches!(huge.response().await.status, 400 | 431));
    }
    assert_eq!(text(&server.send(&call()).await.json().await), "3");
}

#[tokio::test]
async fn bounds_that_are_reached_are_503_and_given_back() {
    let server = Tested::with(|server| server.max_in_flight(2).max_streams(2)).await;
    let session = server.session("2025-11-25").await;
    let mut busy = Vec::new();
    for _ in 0..2 {
        let mut connection = server.connect().await;
        connection.write(Request::call("wait", json!({})).bytes()).await;
        timeout(PATIENCE, server.seen.begun.notified()).await.unwrap();
        busy.push(connection);
    }
    let mut refused = server.send(&call()).await;
    assert_eq!((refused.status, refused.header("retry-after").is_some()), (503, true));
    assert_eq!(refused.code().await, -32603);
    drop(busy);
    for _ in 0..2 {
        timeout(PATIENCE, server.seen.ended.notified()).await.unwrap();
    }
    let mut last = 503;
    for _ in 0..100 {
        last = server.send(&call()).await.status;
        if last == 200 {
            break;
        }
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    assert_eq!(last, 200);

    let listen = Request::modern("subscriptions/listen", json!({"notifications": {}}));
    let streams = [server.listen(&session).await, server.send(&listen).await.events()];
    assert_eq!(server.send(&get(&session)).await.status, 503);
    assert_eq!(server.send(&listen).await.status, 503);
    drop(streams);
    let mut last = 503;
    for _ in 0..100 {
        last = server.send(&listen).await.status;
        if last == 200 {
            break;
        }
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    assert_eq!(last, 200);
}

#[tokio::test]
async fn a_reader_that_stops_reading_costs_bounded_memory() {
    // A process of its own: what other tests take is not to be measured.
    let server = Process::start("signals::the_server_of_a_process", &[]).await;
    let begun = server.send(&initialize("2025-11-25")).await;
    let session = begun.header("mcp-session-id").unwrap().to_owned();
    let params =
        |token: i64| json!({"name": "flood", "arguments": {"reports": 2000}, "_meta": {"progressToken": token}});
    let before = server.peak_memory();
    let mut modern = server.connect().await;
    modern.write(Request::modern("tools/call", params(1)).bytes()).await;
    let mut legacy = server.connect().await;
    legacy.write(Request::legacy(&session, 2, "tools/call", params(2)).bytes()).await;
    // Nobody reads, and both calls end all the same.
    let flooded = Request::call("flooded", json!({}));
    while text(&server.send(&flooded).await.json().await) != "2" {
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    let grown = server.peak_memory() - before;
    assert!(grown < 12 * 1024 * 1024, "{grown}");
    for connection in [modern, legacy] {
        let messages = connection.response().await.events().messages().await;
        assert_eq!(text(messages.last().unwrap()), "flooded");
        assert!(messages.len() < 1900);
    }
}

#[tokio::test]
async fn a_client_that_is_killed_in_the_middle_leaves_nothing_behind() {
    let server = Tested::with(|server| server.max_in_flight(8)).await;
    for round in 0..200 {
        let mut connection = server.connect().await;
        let bytes = match round % 4 {
            0 => initialize("2025-11-25").bytes(),
            1 => call().bytes(),
            2 => Request::call("wait", json!({})).bytes(),
            _ => Request::call("hurry", json!({"steps": 3})).bytes(),
        };
        connection.write(&bytes[..bytes.len() - round % 7]).await;
        drop(connection);
    }
    let mut last = 503;
    for _ in 0..400 {
        last = server.send(&call()).await.status;
        if last == 200 {
            break;
        }
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    assert_eq!(last, 200);
}
