//! Revisions before 2026-07-28: sessions that are their ids, versions, batches, cancellation.

use std::sync::atomic::Ordering;
use std::time::Duration;

use mcp_runtime::Revision;
use serde_json::{Value, json};
use tokio::time::timeout;

use crate::client::{PATIENCE, Request};
use crate::server::{Tested, get, initialize, text, until};

const KEY: &str = "AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=";
const OTHER: &str = "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1eff";

fn add(session: &str) -> Request {
    Request::legacy(session, 1, "tools/call", json!({"name": "add", "arguments": {"a": 1, "b": 2}}))
}

#[tokio::test]
async fn every_earlier_revision_is_served_and_unknown_ones_get_the_newest_of_them() {
    let server = Tested::start().await;
    for revision in ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"] {
        let session = server.session(revision).await;
        assert!(session.bytes().all(|byte| (0x21..=0x7e).contains(&byte)), "{session}");
        assert_eq!(text(&server.send(&add(&session)).await.json().await), "3");
    }
    for asked in ["2026-07-28", "1999-01-01", ""] {
        let result = server.send(&initialize(asked)).await.json().await;
        assert_eq!(result["result"]["protocolVersion"], "2025-11-25", "{asked}");
    }
    // Not even a version header that is nonsense keeps a client from beginning.
    let response = server.send(&initialize("2025-11-25").header("mcp-protocol-version", "nonsense")).await;
    assert_eq!(response.status, 200);
}

#[tokio::test]
async fn an_id_that_is_missing_is_400_and_one_that_is_no_good_404() {
    let server = Tested::with(|server| server.state_key(KEY)).await;
    let session = server.session("2025-11-25").await;
    let forged = format!("{}A", &session[..session.len() - 1]);
    let forged = if forged == session { format!("{}B", &session[..session.len() - 1]) } else { forged };
    let ended = server.session("2025-11-25").await;
    let delete = |session: &str| Request::new("DELETE").header("mcp-session-id", session);
    assert_eq!(server.send(&delete(&ended)).await.status, 204);
    let huge = "v1.".to_owned() + &"A".repeat(20_000);
    for bad in [forged.as_str(), &ended, "nonsense", "v1.", "v1.AAAA", &huge] {
        let mut response = server.send(&add(bad)).await;
        assert_eq!(response.status, 404, "{bad}");
        assert_eq!(response.json().await["id"], 1);
        assert_eq!(server.send(&get(bad)).await.status, 404, "{bad}");
        assert_eq!(server.send(&delete(bad)).await.status, 404, "{bad}");
    }
    assert_eq!(server.send(&add("").without("mcp-session-id")).await.status, 400);
    assert_eq!(server.send(&get("").without("mcp-session-id")).await.status, 400);
    assert_eq!(server.send(&delete("").without("mcp-session-id")).await.status, 400);
    assert_eq!(server.send(&add(&session).and("mcp-session-id", &session)).await.status, 400);
    let notification = Request::post(json!({"jsonrpc": "2.0", "method": "notifications/initialized"}));
    assert_eq!(server.send(&notification).await.status, 400);
    let response = Request::post(json!({"jsonrpc": "2.0", "id": 1, "result": {}}));
    assert_eq!(server.send(&response).await.status, 400);
    assert_eq!(server.send(&response.header("mcp-session-id", &session)).await.status, 202);
    assert_eq!(text(&server.send(&add(&session)).await.json().await), "3");
}

#[tokio::test]
async fn a_session_survives_a_restart_with_its_key_and_no_other() {
    let session = Tested::with(|server| server.state_key(KEY)).await.session("2025-06-18").await;
    let same = Tested::with(|server| server.state_key(OTHER).state_key(KEY)).await;
    assert_eq!(text(&same.send(&add(&session)).await.json().await), "3");
    let other = Tested::with(|server| server.state_key(OTHER)).await;
    assert_eq!(other.send(&add(&session)).await.status, 404);
    let narrowed = Tested::with(|server| server.state_key(KEY).revisions([Revision::V2025_11_25])).await;
    assert_eq!(narrowed.send(&add(&session)).await.status, 404);
}

#[tokio::test]
async fn a_session_grows_too_old() {
    let server = Tested::with(|server| server.session_max_age(Duration::from_secs(1))).await;
    let session = server.session("2025-11-25").await;
    let mut standing = server.listen(&session).await;
    assert!(standing.next().await.is_some());
    tokio::time::sleep(Duration::from_millis(1100)).await;
    assert_eq!(server.send(&add(&session)).await.status, 404);
    assert_eq!(standing.next().await, None);
}

#[tokio::test]
async fn what_a_client_sets_is_its_sessions_own() {
    let server = Tested::start().await;
    let (quiet, other) = (server.session("2025-11-25").await, server.session("2025-11-25").await);
    let set = Request::legacy(&quiet, 1, "logging/setLevel", json!({"level": "error"}));
    assert_eq!(server.send(&set).await.json().await["result"], json!({}));
    let subscribe = Request::legacy(&quiet, 2, "resources/subscribe", json!({"uri": "page://one"}));
    assert_eq!(server.send(&subscribe).await.json().await["result"], json!({}));
    let (mut first, mut second) = (server.listen(&quiet).await, server.listen(&other).await);
    server.handle.resource_updated("page://one");
    server.handle.tools().disable("add");
    let heard = [first.message().await, first.message().await];
    assert_eq!(heard[0]["method"], "notifications/tools/list_changed");
    assert_eq!(heard[1]["params"], json!({"uri": "page://one"}));
    assert_eq!(second.message().await["method"], "notifications/tools/list_changed");
}

#[tokio::test]
async fn errors_are_200_and_methods_of_the_later_era_do_not_exist() {
    let server = Tested::start().await;
    let session = server.session("2025-11-25").await;
    for (method, params, code) in [
        ("server/discover", json!({}), -32601),
        ("subscriptions/listen", json!({"notifications": {}}), -32601),
        ("no/such", json!({}), -32601),
        ("tools/call", json!({"name": "nope"}), -32602),
        ("resources/read", json!({"uri": "none://x"}), -32002),
        ("prompts/list", json!({}), -32601),
        ("logging/setLevel", json!({"level": "loud"}), -32602),
        ("ping", json!({}), 0),
    ] {
        let mut response = server.send(&Request::legacy(&session, 1, method, params)).await;
        let code_seen = response.code().await;
        assert_eq!((response.status, code_seen), (200, code), "{method}");
    }
    // Headers of the later era are no business of this one.
    let request = add(&session).header("mcp-method", "wrong").header("mcp-name", "wrong");
    assert_eq!(server.send(&request).await.status, 200);
}

#[tokio::test]
async fn a_call_is_no_task_although_its_client_asks_for_one() {
    let server = Tested::start().await;
    let response = server.send(&initialize("2025-11-25")).await;
    let session = response.header("mcp-session-id").unwrap().to_owned();
    // Not declared, so what concerns tasks is not looked at, and their methods are not there.
    let task = add(&session).body(|body| body["params"]["task"] = json!({"ttl": 60_000}));
    assert_eq!(text(&server.send(&task).await.json().await), "3");
    for method in ["tasks/get", "tasks/result", "tasks/list", "tasks/cancel"] {
        let request = Request::legacy(&session, 2, method, json!({"taskId": "1"}));
        assert_eq!(server.send(&request).await.code().await, -32601, "{method}");
    }
}

#[tokio::test]
async fn the_version_header_may_be_absent_but_not_wrong() {
    let server =
        Tested::with(|server| server.revisions([Revision::V2025_06_18, Revision::V2025_11_25, Revision::V2026_07_28]))
            .await;
    let session = server.session("2025-11-25").await;
    for (version, status) in [
        (None, 200),
        (Some("2025-11-25"), 200),
        (Some(" 2025-06-18 "), 200),
        (Some("2024-11-05"), 400),
        (Some("1999-01-01"), 400),
        (Some("2026-07-28"), 400),
        (Some(""), 400),
    ] {
        let with = |request: Request| {
            version.map_or(request.clone(), |version| request.header("mcp-protocol-version", version))
        };
        assert_eq!(server.send(&with(add(&session))).await.status, status, "{version:?}");
        // Whatever is posted, answered or not.
        let accepted = if status == 200 { 202 } else { status };
        let notified = if version == Some("2026-07-28") { 202 } else { accepted };
        for (message, status) in [
            (json!({"jsonrpc": "2.0", "method": "notifications/initialized"}), notified),
            (json!({"jsonrpc": "2.0", "id": 1, "result": {}}), accepted),
        ] {
            let posted = with(Request::post(message).header("mcp-session-id", &session));
            assert_eq!(server.send(&posted).await.status, status, "{version:?}");
        }
        if status == 400 {
            let delete = with(Request::new("DELETE").header("mcp-session-id", &session));
            assert!(matches!(server.send(&delete).await.status, 400 | 405), "{version:?}");
        }
        let stream = match (version, status) {
            (Some("2026-07-28"), _) => 405,
            (_, status) => status,
        };
        assert_eq!(server.send(&with(get(&session))).await.status, stream, "{version:?}");
    }
    let unknown = add(&session).header("mcp-protocol-version", "1999-01-01");
    let message = server.send(&unknown).await.json().await["error"]["message"].to_string();
    assert!(message.contains("1999-01-01; served are 2025-06-18, 2025-11-25, 2026-07-28"), "{message}");
}

#[tokio::test]
async fn batches_are_answered_as_one_array_in_the_one_revision_that_has_them() {
    let server = Tested::start().await;
    let batch = json!([
        {"jsonrpc": "2.0", "id": 1, "method": "ping"},
        {"jsonrpc": "2.0", "method": "notifications/initialized"},
        {"jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": {"name": "add", "arguments": {"a": 1, "b": 2}}},
        {"jsonrpc": "2.0", "id": 3, "method": "initialize", "params": {"protocolVersion": "2025-03-26"}},
        {"id": 4, "method": "ping"},
    ]);
    let session = server.session("2025-03-26").await;
    let post = |body: &Value, session: &str| Request::post(body).header("mcp-session-id", session);
    let answers = server.send(&post(&batch, &session)).await.json().await;
    let mut ids: Vec<_> = answers
        .as_array()
        .unwrap()
        .iter()
        .map(|answer| (answer["id"].as_i64().unwrap(), answer["error"]["code"].as_i64()))
        .collect();
    ids.sort_unstable();
    assert_eq!(ids, [(1, None), (2, None), (3, Some(-32600)), (4, Some(-32600))]);
    let silent =
        json!([{"jsonrpc": "2.0", "method": "notifications/initialized"}, {"jsonrpc": "2.0", "id": 9, "result": {}}]);
    assert_eq!(server.send(&post(&silent, &session)).await.status, 202);
    assert_eq!(server.send(&post(&json!([]), &session)).await.status, 400);
    assert_eq!(server.send(&post(&batch, "").without("mcp-session-id")).await.status, 400);
    for revision in ["2024-11-05", "2025-06-18", "2025-11-25"] {
        let session = server.session(revision).await;
        let mut response = server.send(&post(&batch, &session)).await;
        let code = response.code().await;
        assert_eq!((response.status, code), (400, -32600), "{revision}");
    }
}

#[tokio::test]
async fn cancelling_is_a_message_and_leaving_is_not() {
    let server = Tested::start().await;
    let session = server.session("2025-11-25").await;
    let wait = |id: i64| Request::legacy(&session, id, "tools/call", json!({"name": "wait"}));

    let mut cancelled = server.connect().await;
    cancelled.write(wait(1).bytes()).await;
    timeout(PATIENCE, server.seen.begun.notified()).await.unwrap();
    // The same id again, while it is in use.
    assert_eq!(server.send(&wait(1)).await.code().await, -32600);
    let cancel = json!({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 1}});
    assert_eq!(server.send(&Request::post(&cancel).header("mcp-session-id", &session)).await.status, 202);
    timeout(PATIENCE, server.seen.ended.notified()).await.unwrap();
    assert_eq!(cancelled.response().await.text().await, "");
    assert_eq!(server.seen.finished.load(Ordering::SeqCst), 0);

    let mut left = server.connect().await;
    left.write(wait(2).bytes()).await;
    timeout(PATIENCE, server.seen.begun.notified()).await.unwrap();
    drop(left);
    // Nobody minds what is unknown, over or malformed.
    for params in [
        json!({"requestId": "never was"}),
        json!({"requestId": 1}),
        json!({"requestId": "2"}),
        json!({}),
        json!({"requestId": {}}),
        json!([2]),
    ] {
        let cancel = Request::post(json!({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": params}));
        let mut response = server.send(&cancel.header("mcp-session-id", &session)).await;
        assert_eq!((response.status, response.text().await.as_str()), (202, ""), "{params}");
    }
    // Other sessions cannot cancel it, nor does leaving.
    let stranger = server.session("2025-11-25").await;
    let cancel = json!({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 2}});
    assert_eq!(server.send(&Request::post(&cancel).header("mcp-session-id", &stranger)).await.status, 202);
    server.seen.go.notify_one();
    until(|| server.seen.finished.load(Ordering::SeqCst) == 1).await;
}

#[tokio::test]
async fn one_stuck_call_holds_up_no_other_of_its_session() {
    let server = Tested::start().await;
    let session = server.session("2025-11-25").await;
    let mut stuck = server.connect().await;
    stuck.write(Request::legacy(&session, "stuck", "tools/call", json!({"name": "wait"})).bytes()).await;
    timeout(PATIENCE, server.seen.begun.notified()).await.unwrap();
    let calls = (0..100).map(|id| {
        let request = add(&session).body(|body| body["id"] = id.into());
        let connection = server.connect();
        async move { connection.await.send(&request).await.json().await }
    });
    for call in calls {
        assert_eq!(text(&timeout(PATIENCE, call).await.unwrap()), "3");
    }
    server.seen.go.notify_one();
    assert_eq!(text(&stuck.response().await.json().await), "waited");
}

#[tokio::test]
async fn without_sessions_each_request_stands_for_itself() {
    let server = Tested::with(|server| server.legacy_sessions(false)).await;
    let mut response = server.send(&initialize("2025-06-18")).await;
    assert_eq!((response.status, response.header("mcp-session-id")), (200, None));
    // What would need a session is neither offered nor there.
    let capabilities = response.json().await["result"]["capabilities"].clone();
    assert_eq!(
        (&capabilities["tools"], &capabilities["resources"], capabilities.get("logging")),
        (&json!({}), &json!({}), None)
    );
    for method in ["logging/setLevel", "resources/subscribe", "resources/unsubscribe"] {
        let request =
            Request::legacy("", 1, method, json!({"level": "info", "uri": "page://one"})).without("mcp-session-id");
        assert_eq!(server.send(&request).await.code().await, -32601, "{method}");
    }
    let plain = add("ignored").without("mcp-session-id");
    assert_eq!(text(&server.send(&plain).await.json().await), "3");
    assert_eq!(text(&server.send(&add("ignored")).await.json().await), "3");
    assert_eq!(server.send(&plain.clone().header("mcp-protocol-version", "2025-06-18")).await.status, 200);
    assert_eq!(server.send(&plain.clone().header("mcp-protocol-version", "1999-01-01")).await.status, 400);
    let batch = Request::post(json!([{"jsonrpc": "2.0", "id": 1, "method": "ping"}]));
    assert_eq!(server.send(&batch).await.json().await[0]["result"], json!({}));
    assert_eq!(server.send(&batch.header("mcp-protocol-version", "2025-06-18")).await.status, 400);
    for method in ["GET", "DELETE"] {
        let response = server.send(&Request::new(method).header("mcp-session-id", "x")).await;
        assert_eq!((response.status, response.header("allow")), (405, Some("POST, OPTIONS")), "{method}");
    }
    assert_eq!(server.send(&Request::modern("server/discover", json!({}))).await.status, 200);
}

#[tokio::test]
async fn sessions_that_are_abandoned_cost_nothing_that_lasts() {
    let server = Tested::with(|server| server.state_key(KEY)).await;
    let first = server.session("2025-11-25").await;
    let mut connection = server.connect().await;
    for _ in 0..1500 {
        let mut response = connection.send(&initialize("2025-11-25")).await;
        response.text().await;
        let session = response.header("mcp-session-id").unwrap().to_owned();
        let mut response = response.connection().send(&add(&session)).await;
        response.text().await;
        connection = response.connection();
    }
    // Forgotten and still known.
    assert_eq!(text(&server.send(&add(&first)).await.json().await), "3");
}
