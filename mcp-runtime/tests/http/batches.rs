//! Batches of 2025-03-26 whose handlers keep their context: what they keep neither holds up the answer nor has it lost.

use mcp_runtime::prelude::*;
use serde_json::{Value, json};
use tokio::time::timeout;

use crate::client::{PATIENCE, Request, Response};
use crate::server::{Seen, Tested};

/// Keep the context for as long as the server lives.
#[tool]
fn keep(ctx: &Ctx, seen: State<Seen>) -> &'static str {
    seen.kept.lock().unwrap().push(ctx.clone());
    "kept"
}

/// Keep the context, then wait until the test says so.
#[tool]
async fn keep_and_wait(ctx: &Ctx, seen: State<Seen>) -> &'static str {
    seen.kept.lock().unwrap().push(ctx.clone());
    seen.begun.notify_one();
    seen.go.notified().await;
    "kept"
}

fn call(id: i64, name: &str) -> Value {
    json!({"jsonrpc": "2.0", "id": id, "method": "tools/call", "params": {"name": name, "arguments": {"a": 1, "b": 2, "steps": 2}}})
}

fn batch(session: &str, messages: &[Value]) -> Request {
    Request::post(Value::from(messages.to_vec())).header("mcp-session-id", session)
}

fn ids(answers: &Value) -> Vec<i64> {
    let mut ids: Vec<i64> = answers.as_array().unwrap().iter().map(|answer| answer["id"].as_i64().unwrap()).collect();
    ids.sort_unstable();
    ids
}

async fn answer(sending: impl Future<Output = Response>) -> Response {
    timeout(PATIENCE, sending).await.expect("the batch waits for the context")
}

#[tokio::test]
async fn a_batch_is_answered_whoever_keeps_a_context() {
    // One place: it is free again as soon as there is an answer.
    let server = Tested::with(|server| server.max_in_flight(1)).await;
    let session = server.session("2025-03-26").await;
    let messages = [call(1, "keep"), call(2, "add"), json!({"jsonrpc": "2.0", "id": 3, "method": "ping"})];
    for _ in 0..2 {
        let mut response = answer(server.send(&batch(&session, &messages))).await;
        assert_eq!((response.status, response.header("content-type")), (200, Some("application/json")));
        assert_eq!(ids(&response.json().await), [1, 2, 3]);
    }

    // Not at once, and with something in front of it.
    let mut waiting = server.connect().await;
    let mut report = call(5, "hurry");
    report["params"]["_meta"] = json!({"progressToken": "p"});
    waiting.write(batch(&session, &[call(4, "keep_and_wait"), report]).bytes()).await;
    timeout(PATIENCE, server.seen.begun.notified()).await.unwrap();
    server.seen.go.notify_one();
    let messages = answer(waiting.response()).await.events().messages().await;
    let (last, before) = messages.split_last().unwrap();
    assert_eq!(ids(last), [4, 5]);
    assert!(before.len() == 2 && before.iter().all(|message| message["params"]["progressToken"] == "p"), "{before:?}");

    // What is said afterwards is said to nobody.
    let kept = std::mem::take(&mut *server.seen.kept.lock().unwrap());
    assert_eq!(kept.len(), 3);
    for ctx in &kept {
        ctx.progress(1, None).await;
        ctx.log(LogLevel::Emergency, "late");
    }
    let mut after = answer(server.send(&batch(&session, &[call(6, "add")]))).await;
    assert_eq!(ids(&after.json().await), [6]);
}

#[tokio::test]
async fn a_batch_is_answered_without_those_that_are_cancelled() {
    let server = Tested::with(|server| server.max_in_flight(2)).await;
    let session = server.session("2025-03-26").await;
    let cancel = json!({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 1}});
    for others in [&[call(2, "keep"), call(3, "add")][..], &[]] {
        let mut waiting = server.connect().await;
        waiting.write(batch(&session, &[&[call(1, "keep_and_wait")], others].concat()).bytes()).await;
        timeout(PATIENCE, server.seen.begun.notified()).await.unwrap();
        assert_eq!(server.send(&Request::post(&cancel).header("mcp-session-id", &session)).await.status, 202);
        let mut response = answer(waiting.response()).await;
        if others.is_empty() {
            assert_eq!((response.status, response.text().await.as_str()), (202, ""));
        } else {
            assert_eq!(ids(&response.json().await), [2, 3]);
        }
    }
}

#[tokio::test]
async fn a_batch_goes_on_when_its_client_leaves_and_ends_with_its_session() {
    let server = Tested::start().await;
    let session = server.session("2025-03-26").await;
    let mut report = call(2, "report");
    report["params"]["_meta"] = json!({"progressToken": "p"});
    let mut events = server.send(&batch(&session, &[call(1, "keep"), report])).await.events();
    let last = events.next().await.unwrap();
    drop(events);
    timeout(PATIENCE, server.seen.begun.notified()).await.unwrap();
    server.seen.go.notify_one();
    let back = crate::server::get(&session).header("last-event-id", last.id.as_deref().unwrap());
    let messages = answer(server.send(&back)).await.events().messages().await;
    assert_eq!(ids(messages.last().unwrap()), [1, 2]);

    let mut waiting = server.connect().await;
    waiting.write(batch(&session, &[call(3, "keep_and_wait"), call(4, "keep")]).bytes()).await;
    timeout(PATIENCE, server.seen.begun.notified()).await.unwrap();
    assert_eq!(server.send(&Request::new("DELETE").header("mcp-session-id", &session)).await.status, 204);
    assert!(answer(waiting.response()).await.status < 300);
}
