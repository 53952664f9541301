//! 2026-07-28: the checks of a request and their order, and the status of each answer.

use serde_json::{Value, json};

use crate::client::Request;
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
    let version =
        |request: Request, version: &str| meta(request, |meta| drop(meta.insert(VERSION.to_owned(), version.into())));
    for (what, request, status, code) in [
        ("all fits", call(), 200, 0),
        ("no version in the header", call().without("mcp-protocol-version"), 400, -32020),
        ("another version in the header", call().header("mcp-protocol-version", "2025-11-25"), 400, -32020),
        ("the header twice", call().and("mcp-protocol-version", "2026-07-28"), 400, -32020),
        ("no meta", no_meta(call()), 400, -32602),
        ("no meta, unknown version", no_meta(call()).header("mcp-protocol-version", "1999-01-01"), 400, -32602),
        ("no version in meta", meta(call(), |meta| drop(meta.remove(VERSION))), 400, -32602),
        ("no capabilities", meta(call(), |meta| drop(meta.remove(CAPABILITIES))), 400, -32602),
        (
            "no capabilities and no header",
            meta(call(), |meta| drop(meta.remove(CAPABILITIES))).without("mcp-protocol-version"),
            400,
            -32602,
        ),
        ("a number as version", meta(call(), |meta| drop(meta.insert(VERSION.to_owned(), 1.into()))), 400, -32602),
        ("unknown version in both", version(call(), "v999").header("mcp-protocol-version", "v999"), 400, -32022),
        ("unknown version in meta", version(call(), "v999"), 400, -32020),
        (
            "older version in both",
            version(call(), "2025-11-25").header("mcp-protocol-version", "2025-11-25"),
            400,
            -32022,
        ),
        (
            "unknown version and no method header",
            version(call(), "v999").header("mcp-protocol-version", "v999").without("mcp-method"),
            400,
            -32022,
        ),
        (
            "unknown log level",
            meta(call(), |meta| drop(meta.insert("io.modelcontextprotocol/logLevel".to_owned(), "loud".into()))),
            400,
            -32602,
        ),
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
        (
            "a session id and an event id, which mean nothing",
            call().header("mcp-session-id", "x").header("last-event-id", "y"),
            200,
            0,
        ),
    ] {
        let mut response = server.send(&request).await;
        let body = response.json().await;
        assert_eq!(
            (response.status, body["error"]["code"].as_i64().unwrap_or_default()),
            (status, code),
            "{what}: {body}"
        );
        assert_eq!(body["id"], 7, "{what}");
        assert_eq!(response.header("mcp-session-id"), None, "{what}");
    }
}

#[tokio::test]
async fn an_unsupported_version_is_answered_with_those_that_are() {
    let server = Tested::start().await;
    let request = meta(call(), |meta| drop(meta.insert(VERSION.to_owned(), "v999".into())))
        .header("mcp-protocol-version", "v999");
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
        assert_eq!(
            (response.status, code),
            (status, if status == 200 { 0 } else { -32020 }),
            "{arguments} {headers:?}"
        );
    }
}

#[tokio::test]
async fn a_uri_in_a_header_is_compared_with_the_one_in_the_body() {
    let server = Tested::start().await;
    let read = Request::modern("resources/read", json!({"uri": "page://two%20%C3%A9"}));
    assert_eq!(server.send(&read).await.json().await["result"]["contents"][0]["text"], "two é");
    assert_eq!(server.send(&read.clone().header("mcp-name", "page://one")).await.code().await, -32020);
    // What is no ASCII comes encoded, and is compared as it was before.
    let read = Request::modern("resources/read", json!({"uri": "page://two é"}));
    for (name, good) in [
        ("=?base64?cGFnZTovL3R3byDDqQ==?=", true),
        (" =?base64?cGFnZTovL3R3byDDqQ==?= ", true),
        ("=?base64?cGFnZTovL3R3byDDqQ?=", false),
        ("=?base64?cGFnZTovL29uZQ==?=", false),
        ("page://two é", false),
    ] {
        let answer = server.send(&read.clone().header("mcp-name", name)).await.json().await;
        assert_eq!(answer["error"]["code"] != -32020, good, "{name}: {answer}");
    }
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
