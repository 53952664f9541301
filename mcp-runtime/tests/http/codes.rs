//! Error codes: each revision's own, whatever a handler says.

use mcp_runtime::prelude::*;
use mcp_runtime::{Error, ErrorCode};
use serde_json::json;

use crate::client::Request;
use crate::server::Tested;

/// Fail with a code.
#[tool]
fn fail_with(code: i64) -> Result<String> {
    Err(Error::protocol(code, "as told"))
}

/// Not there, as earlier revisions say it.
#[resource("missing://{name}")]
fn missing(name: String) -> Result<String> {
    Err(Error::protocol(ErrorCode::RESOURCE_NOT_FOUND, "no such thing").with_data(json!({"name": name})))
}

#[tokio::test]
async fn no_code_reaches_a_client_that_its_revision_does_not_define() {
    let server = Tested::start().await;
    let session = server.session("2025-11-25").await;
    for (code, in_2026) in [
        // Defined in both eras, or in the later one: a handler may hand on what a peer has said.
        (-32700, -32700),
        (-32600, -32600),
        (-32601, -32601),
        (-32602, -32602),
        (-32603, -32603),
        (-32020, -32020),
        (-32022, -32022),
        // Earlier revisions' own.
        (-32002, -32602),
        (-32042, -32603),
        // Nobody's, in the range that is the protocol's.
        (-32000, -32603),
        (-32001, -32603),
        (-32019, -32603),
        (-32023, -32603),
        (-32099, -32603),
        (-32100, -32603),
        (-32604, -32603),
        (-32768, -32603),
        // An author's.
        (-32769, -32769),
        (-31999, -31999),
        (-1, -1),
        (0, 0),
        (1234, 1234),
    ] {
        let call = json!({"name": "fail_with", "arguments": {"code": code}});
        let mut modern = server.send(&Request::modern("tools/call", call.clone())).await;
        let status = modern.status;
        let error = modern.json().await["error"].take();
        assert_eq!((status, &error), (200, &json!({"code": in_2026, "message": "as told"})), "{code}");
        let legacy = server.send(&Request::legacy(&session, 1, "tools/call", call)).await.json().await;
        assert_eq!(legacy["error"], json!({"code": code, "message": "as told"}));
    }
}

#[tokio::test]
async fn what_a_resource_says_is_missing_has_the_code_of_the_era() {
    let server = Tested::start().await;
    let session = server.session("2025-06-18").await;
    let uri = json!({"uri": "missing://a"});
    for (request, code) in [
        (Request::modern("resources/read", uri.clone()), -32602),
        (Request::legacy(&session, 1, "resources/read", uri), -32002),
    ] {
        let error = server.send(&request).await.json().await["error"].take();
        assert_eq!(error, json!({"code": code, "message": "no such thing", "data": {"name": "a"}}));
    }
}
