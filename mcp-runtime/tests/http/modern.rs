//! 2026-07-28: checks and their order, statuses, JSON or events, cancellation by leaving, subscriptions.

use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use tokio::time::timeout;

use crate::client::{PATIENCE, Request};
use crate::server::{Tested, text};

const VERSION: &str = "io.modelcontextprotocol/protocolVersion";
const CAPABILITIES: &str = "io.modelcontextprotocol/clientCapabilities";

fn call() -> Request {
    Request::call("add", json!({"a": 1, "b": 2}))
}

fn meta(request: Request, change: impl FnOnce(&mut serde_json::Map<String, Value>)) -> Request {
    request.body(|body| change(body["params"]["_meta"].as_object_mut().unwrap()))
}

#[tokio::test]
async fn the_first_thing_that_does_not_fit_is_what_the_client_hears_of() {
    let server = Tested::start().await;
    let no_meta = |request: Request| request.body(|body| drop(body["params"].as_object_mut().unwrap().remove("_meta")));
    let version = |request: Request, version: &str| meta(request, |meta| drop(meta.insert(VERSION.to_owned(), version.into())));
    for (what, request, status, code) in [
        ("all fits", call(), 200, 0),
        ("no version in the header", call().without("mcp-protocol-version"), 400, -32020),
        ("another version in the header", call().header("mcp-protocol-version", "2025-11-25"), 400, -32020),
        ("the header twice", call().and("mcp-protocol-version", "2026-07-28"), 400, -32020),
        ("no meta", no_meta(call()), 400, -32602),
        ("no meta, unknown version", no_meta(call()).header("mcp-protocol-version", "1999-01-01"), 400, -32602),
        ("no version in meta", meta(call(), |meta| drop(meta.remove(VERSION))), 400, -32602),
        ("no capabilities", meta(call(), |meta| drop(meta.remove(CAPABILITIES))), 400, -32602),
        ("no capabilities and no header", meta(call(), |meta| drop(meta.remove(CAPABILITIES))).without("mcp-protocol-version"), 400, -32602),
        ("a number as version", meta(call(), |meta| drop(meta.insert(VERSION.to_owned(), 1.into()))), 400, -32602),
        ("unknown version in both", version(call(), "v999").header("mcp-protocol-version", "v999"), 400, -32022),
        ("unknown version in meta", version(call(), "v999"), 400, -32020),
        ("older version in both", version(call(), "2025-11-25").header("mcp-protocol-version", "2025-11-25"), 400, -32022),
        ("unknown version and no method header", version(call(), "v999").header("mcp-protocol-version", "v999").without("mcp-method"), 400, -32022),
        ("unknown log level", meta(call(), |meta| drop(meta.insert("io.modelcontextprotocol/logLevel".to_owned(), "loud".into()))), 400, -32602),
        ("no method header", call().without("mcp-method"), 400, -32020),
        ("another method", call().header("mcp-method", "tools/list"), 400, -32020),
        ("the method in capitals", call().header("mcp-method", "TOOLS/CALL"), 400, -32020),
        ("the header in capitals", call().without("mcp-method").and("MCP-METHOD", "  tools/call "), 200, 0),
        ("the method twice", call().and("mcp-method", "tools/call"), 400, -32020),
        ("no name", call().without("mcp-name"), 400, -32020),
        ("another name", call().header("mcp-name", "sub"), 400, -32020),
        ("the name encoded", call().header("mcp-name", "=?base64?YWRk?="), 200, 0),
        ("the name badly encoded", call().header("mcp-name", "=?base64?YWR?="), 400, -32020),
        ("a name in Latin-1", call().header("mcp-name", "é"), 400, -32020),
        ("unknown method", Request::modern("no/such", json!({})), 404, -32601),
        ("unknown method, wrong header", Request::modern("no/such", json!({})).header("mcp-method", "x"), 400, -32020),
        ("a method of the other era", Request::modern("ping", json!({})), 404, -32601),
        ("initialize with meta", Request::modern("initialize", json!({"protocolVersion": "2025-11-25"})), 404, -32601),
        ("unknown tool", Request::call("nope", json!({})), 200, -32602),
        ("a name that is none", call().body(|body| body["params"]["name"] = 5.into()), 200, -32602),
        ("an error of the handler with a code of ours", Request::call("relay", json!({})), 200, -32020),
        ("a panic", Request::call("panic", json!({})), 200, -32603),
        ("a name for a method that has none", Request::modern("tools/list", json!({})).header("mcp-name", "x"), 200, 0),
        ("params that are none", call().body(|body| body["params"] = json!([1])), 400, -32602),
        ("a bad cursor", Request::modern("tools/list", json!({"cursor": "zzz"})), 200, -32602),
        ("a session id and an event id, which mean nothing", call().header("mcp-session-id", "x").header("last-event-id", "y"), 200, 0),
    ] {
        let mut response = server.send(&request).await;
        let body = response.json().await;
        assert_eq!((response.status, body["error"]["code"].as_i64().unwrap_or_default()), (status, code), "{what}: {body}");
        assert_eq!(body["id"], 7, "{what}");
        assert_eq!(response.header("mcp-session-id"), None, "{what}");
    }
}

#[tokio::test]
async fn an_unsupported_version_is_answered_with_those_that_are() {
    let server = Tested::start().await;
    let request = meta(call(), |meta| drop(meta.insert(VERSION.to_owned(), "v999".into()))).header("mcp-protocol-version", "v999");
    let body = server.send(&request).await.json().await;
    assert_eq!(body["error"]["data"], json!({"supported": ["2026-07-28"], "requested": "v999"}));
}

#[tokio::test]
async fn headers_that_repeat_arguments_must_agree_with_them() {
    let server = Tested::start().await;
    let routed = |arguments: Value, headers: &[(&str, &str)]| {
        headers.iter().fold(Request::call("routed", arguments), |request, (name, value)| request.and(name, value))
    };
    for (arguments, headers, status) in [
        (json!({"region": "eu"}), &[("mcp-param-region", "eu")][..], 200),
        (json!({"region": "eu"}), &[("MCP-PARAM-REGION", " eu ")], 200),
        (json!({"region": "eu"}), &[("mcp-param-region", "EU")], 400),
        (json!({"region": "eu"}), &[], 400),
        (json!({"region": "eu"}), &[("mcp-param-region", "eu"), ("mcp-param-region", "eu")], 400),
        (json!({"region": "é"}), &[("mcp-param-region", "=?base64?w6k=?=")], 200),
        (json!({"region": "é"}), &[("mcp-param-region", "é")], 400),
        (json!({"region": "a"}), &[("mcp-param-region", "=?base64?YQ?=")], 400),
        (json!({"region": null}), &[], 200),
        (json!({}), &[], 200),
        (json!({}), &[("mcp-param-region", "eu")], 400),
        (json!({"count": 42}), &[("mcp-param-count", "42")], 200),
        (json!({"count": 42}), &[("mcp-param-count", "42.0")], 200),
        (json!({"count": 42}), &[("mcp-param-count", "43")], 400),
        (json!({"dry": true}), &[("mcp-param-dry", "true")], 200),
        (json!({"dry": true}), &[("mcp-param-dry", "1")], 400),
        (json!({}), &[("mcp-param-unknown", "whatever")], 200),
    ] {
        let mut response = server.send(&routed(arguments.clone(), headers)).await;
        let code = response.code().await;
        assert_eq!((response.status, code), (status, if status == 200 { 0 } else { -32020 }), "{arguments} {headers:?}");
    }
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
    let messages = streamed.events().messages().await;
    let progress: Vec<_> = messages[..3].iter().map(|message| message["params"]["progress"].as_i64().unwrap()).collect();
    assert_eq!(progress, [1, 2, 3]);
    assert_eq!(text(&messages[3]), "hurried");
    assert_eq!(messages.len(), 4);

    // A client that takes no events gets the answer alone.
    let mut alone = server.send(&with_token(Request::call("hurry", json!({"steps": 3}))).header("accept", "application/json")).await;
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
        let answer = if expected == "application/json" { response.json().await } else { response.events().message().await };
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
        let mut request = Request::call(tool, arguments);
        if token {
            request = meta(request, |meta| drop(meta.insert("progressToken".to_owned(), 1.into())));
        }
        let mut connection = server.connect().await;
        connection.write(request.bytes()).await;
        timeout(PATIENCE, server.seen.begun.notified()).await.unwrap();
        let left = Instant::now();
        drop(connection);
        timeout(PATIENCE, server.seen.ended.notified()).await.unwrap();
        assert!(left.elapsed() < Duration::from_millis(100), "{tool}: {:?}", left.elapsed());
        assert_eq!(server.seen.finished.load(Ordering::SeqCst), 0, "{tool}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn handlers_that_block_their_threads_hold_up_nobody_and_hear_that_their_clients_left() {
    let server = Tested::start().await;
    let session = server.session("2025-11-25").await;
    let mut blocked = Vec::new();
    for id in 0..6 {
        let request = if id % 2 == 0 { Request::call("block", json!({})) } else { Request::legacy(&session, id, "tools/call", json!({"name": "block"})) };
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
    assert!(left.elapsed() < Duration::from_secs(1), "{:?}", left.elapsed());
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
    let notification = Request::post(json!({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 7}}));
    let mut response = server.send(&notification.clone().header("mcp-protocol-version", "2026-07-28")).await;
    assert_eq!((response.status, response.text().await.as_str()), (202, ""));
    for method in ["GET", "DELETE"] {
        let response = server.send(&Request::new(method).header("mcp-protocol-version", "2026-07-28")).await;
        assert_eq!((response.status, response.header("allow").is_some()), (405, true), "{method}");
    }
}

#[tokio::test]
async fn every_page_of_a_list_is_reached_and_none_comes_twice() {
    let server = Tested::with(|server| server.page_size(2)).await;
    let (mut cursor, mut names, mut pages) = (None::<String>, Vec::new(), 0);
    loop {
        let params = cursor.as_ref().map_or(json!({}), |cursor| json!({"cursor": cursor}));
        let result = server.send(&Request::modern("tools/list", params)).await.json().await["result"].clone();
        let tools = result["tools"].as_array().unwrap();
        assert!(tools.len() <= 2 && result["ttlMs"].is_u64() && result["cacheScope"].is_string());
        names.extend(tools.iter().map(|tool| tool["name"].as_str().unwrap().to_owned()));
        pages += 1;
        cursor = result["nextCursor"].as_str().map(str::to_owned);
        if cursor.is_none() {
            break;
        }
    }
    let mut sorted = names.clone();
    sorted.sort();
    sorted.dedup();
    assert_eq!((pages, &sorted), (names.len().div_ceil(2), &names));
}

#[tokio::test]
async fn a_uri_in_a_header_is_compared_with_the_one_in_the_body() {
    let server = Tested::start().await;
    let read = Request::modern("resources/read", json!({"uri": "page://two%20%C3%A9"}));
    assert_eq!(server.send(&read).await.json().await["result"]["contents"][0]["text"], "two é");
    assert_eq!(server.send(&read.header("mcp-name", "page://one")).await.code().await, -32020);
}

#[tokio::test]
async fn a_subscription_acknowledges_what_it_gives_and_tells_of_nothing_else() {
    let server = Tested::start().await;
    let asked = json!({"toolsListChanged": true, "promptsListChanged": true, "resourceSubscriptions": ["page://one"], "unknown": true});
    let mut events = server.send(&Request::modern_with(json!("s"), "subscriptions/listen", json!({"notifications": asked}))).await.events();
    let acknowledged = events.message().await;
    assert_eq!(acknowledged["method"], "notifications/subscriptions/acknowledged");
    let tag = json!({"io.modelcontextprotocol/subscriptionId": "s"});
    // There are no prompts here, so none is announced.
    let given = json!({"toolsListChanged": true, "resourceSubscriptions": ["page://one"]});
    assert_eq!(acknowledged["params"], json!({"_meta": tag, "notifications": given}));

    server.handle.resources_changed();
    server.handle.resource_updated("page://two");
    server.handle.resource_updated("page://one");
    let updated = events.message().await;
    assert_eq!(updated["params"], json!({"_meta": tag, "uri": "page://one"}));
    server.handle.tools().disable("add");
    assert_eq!(events.message().await, json!({"jsonrpc": "2.0", "method": "notifications/tools/list_changed", "params": {"_meta": tag}}));
}

#[tokio::test]
async fn each_open_subscription_hears_of_a_change_with_its_own_id() {
    let server = Tested::start().await;
    let mut streams = Vec::new();
    for id in [json!(1), json!("1"), json!(0)] {
        let request = Request::modern_with(id.clone(), "subscriptions/listen", json!({"notifications": {"toolsListChanged": true}}));
        let mut events = server.send(&request).await.events();
        events.message().await;
        streams.push((id, events));
    }
    server.handle.tools().disable("add");
    for (id, events) in &mut streams {
        let changed = events.message().await;
        assert_eq!(&changed["params"]["_meta"]["io.modelcontextprotocol/subscriptionId"], id);
    }
}

#[tokio::test]
async fn a_server_that_stops_ends_subscriptions_with_their_result_and_is_gone_within_a_second() {
    let mut server = Tested::start().await;
    let mut streams = Vec::new();
    for id in 0..3 {
        let request = Request::modern_with(id.into(), "subscriptions/listen", json!({"notifications": {}}));
        let mut events = server.send(&request).await.events();
        assert_eq!(events.message().await["params"]["notifications"], json!({}));
        streams.push(events);
    }
    let session = server.session("2025-11-25").await;
    let mut standing = server.listen(&session).await;
    let idle = server.connect().await;
    let begun = Instant::now();
    server.handle.shutdown();
    for (id, events) in streams.iter_mut().enumerate() {
        let end = events.message().await;
        assert_eq!((&end["id"], &end["result"]["resultType"]), (&json!(id), &json!("complete")));
        assert_eq!(end["result"]["_meta"]["io.modelcontextprotocol/subscriptionId"], id);
        assert_eq!(events.next().await, None);
    }
    assert_eq!(standing.messages().await, [] as [Value; 0]);
    timeout(PATIENCE, &mut server.task).await.unwrap().unwrap().unwrap();
    assert!(begun.elapsed() < Duration::from_secs(1), "{:?}", begun.elapsed());
    drop(idle);
}

#[tokio::test]
async fn a_subscription_shows_that_it_is_alive() {
    let server = Tested::with(|server| server.keep_alive(Duration::from_millis(20))).await;
    let mut events = server.send(&Request::modern("subscriptions/listen", json!({"notifications": {}}))).await.events();
    events.message().await;
    for _ in 0..3 {
        assert_eq!(events.raw().await.as_deref(), Some(":\n\n"));
    }
    // A long call, too, so that proxies wait.
    let mut call = server.send(&Request::call("wait", json!({}))).await.events();
    assert_eq!(call.raw().await.as_deref(), Some(":\n\n"));
    server.seen.go.notify_one();
    assert_eq!(text(&call.message().await), "waited");
}

#[tokio::test]
async fn a_server_of_the_earlier_revisions_sends_clients_of_the_later_one_to_initialize() {
    let server = Tested::with(|server| server.revisions([mcp_runtime::Revision::V2025_11_25])).await;
    let mut response = server.send(&Request::modern("server/discover", json!({}))).await;
    let code = response.code().await;
    assert_eq!((response.status, code), (400, -32600));
    server.session("2025-11-25").await;
}

#[tokio::test]
async fn a_server_of_the_later_revision_alone_says_so() {
    let server = Tested::with(|server| server.revisions([mcp_runtime::Revision::V2026_07_28])).await;
    let mut response = server.send(&crate::server::initialize("2025-11-25")).await;
    let body = response.json().await;
    assert_eq!(response.status, 400);
    assert!(body["error"]["message"].as_str().unwrap().contains("2026-07-28"), "{body}");
    for method in ["GET", "DELETE"] {
        assert_eq!(server.send(&Request::new(method)).await.status, 405);
    }
    assert_eq!(text(&server.send(&call()).await.json().await), "3");
}
