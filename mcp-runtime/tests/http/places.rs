//! From where the server may be called: every method of every route asks, and the environment has a say.

use serde_json::json;

use crate::client::Request;
use crate::process::Process;
use crate::server::{Tested, get, text};

fn call() -> Request {
    Request::call("add", json!({"a": 1, "b": 2}))
}

#[tokio::test]
async fn no_method_is_open_to_foreign_pages_and_hosts() {
    let server = Tested::with(|server| server.http_sse("/sse", "/messages")).await;
    let session = server.session("2025-11-25").await;
    let delete = Request::new("DELETE").header("mcp-session-id", &session);
    let notification = Request::post(json!({"jsonrpc": "2.0", "method": "notifications/cancelled"}));
    for request in [
        call(),
        Request::legacy(&session, 1, "ping", json!({})),
        notification.header("mcp-session-id", &session),
        get(&session),
        delete,
        Request::new("OPTIONS"),
        Request::new("PUT"),
        Request::new("GET").path("/sse"),
        Request::post("{}").path("/messages?sessionId=x"),
    ] {
        for (name, value) in [("origin", "http://evil.example"), ("origin", "null"), ("host", "evil.example")] {
            let mut refused = server.send(&request.clone().header(name, value)).await;
            assert_eq!(refused.status, 403, "{name}: {value} {request:?}");
            assert_eq!(refused.header("access-control-allow-origin"), None);
            let body = refused.json().await;
            assert!(body["error"]["message"].is_string() && body.get("id").is_none(), "{body}");
        }
    }
    // Nothing of it has happened.
    let ping = Request::legacy(&session, 1, "ping", json!({}));
    assert_eq!(server.send(&ping).await.json().await["result"], json!({}));
}

#[tokio::test]
async fn the_environment_allows_more_hosts_and_origins() {
    let environment = [
        ("MCP_ALLOWED_HOSTS", "mcp.example.com, other.example.com:8443"),
        ("MCP_ALLOWED_ORIGINS", "https://app.example.com"),
    ];
    let server = Process::start("signals::the_server_of_a_process", &environment).await;
    for (host, origin, status) in [
        ("localhost", None, 200),
        ("mcp.example.com", None, 200),
        ("other.example.com:8443", None, 200),
        ("other.example.com", None, 403),
        ("third.example.com", None, 403),
        ("localhost", Some("https://app.example.com:443"), 200),
        ("localhost", Some("http://app.example.com"), 403),
    ] {
        let request = call().header("host", host);
        let request = origin.map_or(request.clone(), |origin| request.header("origin", origin));
        assert_eq!(server.send(&request).await.status, status, "{host} {origin:?}");
    }
    assert_eq!(text(&server.send(&call()).await.json().await), "3");
}
