//! Arrays of messages: 2025-03-26 has them, nobody else.

use mcp_tests::{Revision, Session};
use serde_json::{Value, json};

use super::open;

fn batch(session: &mut Session, messages: &Value) -> Value {
    session.process.send(messages);
    session.process.receive()
}

fn sorted(answers: Value) -> Vec<Value> {
    let Value::Array(mut answers) = answers else { panic!("an array: {answers}") };
    answers.sort_by_key(|answer| answer["id"].to_string());
    answers
}

#[test]
fn a_batch_is_answered_with_an_array() {
    let mut session = open(Revision::V2025_03_26);
    let answers = batch(
        &mut session,
        &json!([
            {"jsonrpc": "2.0", "id": 101, "method": "ping"},
            {"jsonrpc": "2.0", "method": "notifications/unknown"},
            {"jsonrpc": "2.0", "id": "x", "method": "tools/call", "params": {"name": "add", "arguments": {"a": 1, "b": 2}}},
            {"jsonrpc": "2.0", "id": 102, "method": "no/such"},
            {"id": 103, "method": "ping"},
            {"jsonrpc": "2.0", "id": 104, "method": "initialize", "params": {"protocolVersion": "2025-03-26"}},
            {"jsonrpc": "2.0", "id": 900, "result": {}},
        ]),
    );
    let answers = sorted(answers);
    let ids: Vec<&Value> = answers.iter().map(|answer| &answer["id"]).collect();
    assert_eq!(ids, [&json!("x"), &json!(101), &json!(102), &json!(103), &json!(104)]);
    assert_eq!(answers[0]["result"]["content"][0]["text"], "3");
    assert_eq!(answers[1]["result"], json!({}));
    assert_eq!(answers[2]["error"]["code"], -32601);
    assert_eq!(answers[3]["error"]["code"], -32600);
    assert_eq!(answers[4]["error"]["code"], -32600);
    session.sync();
}

#[test]
fn what_is_in_no_batch_is_told_one_by_one() {
    let mut session = open(Revision::V2025_03_26);
    let answers =
        sorted(batch(&mut session, &json!([1, null, "x", [], {"jsonrpc": "2.0", "id": 5, "method": "ping"}])));
    assert_eq!(answers.len(), 5);
    assert_eq!(
        answers.iter().filter(|answer| answer["error"]["code"] == -32600 && answer.get("id").is_none()).count(),
        4
    );
    assert_eq!(batch(&mut session, &json!([]))["error"]["code"], -32600);
    session.process.line("[1,");
    assert_eq!(session.process.receive()["error"]["code"], -32700);
}

#[test]
fn a_batch_without_requests_is_not_answered() {
    let mut session = open(Revision::V2025_03_26);
    session
        .process
        .send(&json!([{"jsonrpc": "2.0", "method": "notifications/x"}, {"jsonrpc": "2.0", "id": 7, "result": {}}]));
    session.sync();
    assert!(session.process.rest().is_empty());
}

#[test]
fn progress_of_a_batch_comes_before_its_answers_and_by_itself() {
    let mut session = open(Revision::V2025_03_26);
    session.process.send(&json!([
        {"jsonrpc": "2.0", "id": 1001, "method": "tools/call", "params": {"name": "progress", "_meta": {"progressToken": "p"}}},
        {"jsonrpc": "2.0", "id": 1002, "method": "ping"},
    ]));
    for _ in 0..4 {
        assert_eq!(session.process.receive()["params"]["progressToken"], "p");
    }
    assert_eq!(sorted(session.process.receive()).len(), 2);
}

#[test]
fn a_member_of_a_batch_can_be_cancelled() {
    let mut session = open(Revision::V2025_03_26);
    session.process.send(&json!([
        {"jsonrpc": "2.0", "id": 1001, "method": "tools/call", "params": {"name": "forever", "arguments": {"bell": "dropped"}}},
        {"jsonrpc": "2.0", "id": 1002, "method": "ping"},
    ]));
    session.cancel(&json!(1001));
    let answers = session.process.receive();
    assert_eq!(answers, json!([{"jsonrpc": "2.0", "id": 1002, "result": {}}]));
    session.text("wait", json!({"name": "dropped"}));
}

/// An author may keep a context for as long as he likes: nobody waits for him.
#[test]
fn a_batch_is_answered_when_its_handlers_are_done_whoever_keeps_a_context() {
    let mut session = open(Revision::V2025_03_26);
    session.process.send(&json!([
        {"jsonrpc": "2.0", "id": 1001, "method": "tools/call", "params": {"name": "late_words", "arguments": {"bell": "speak"}}},
        {"jsonrpc": "2.0", "id": 1002, "method": "tools/call", "params": {"name": "block_in_pool", "arguments": {"name": "work"}}},
        {"jsonrpc": "2.0", "id": 1003, "method": "ping"},
    ]));
    session.text("wait", json!({"name": "work blocks"}));
    // Its thread works on.
    session.cancel(&json!(1002));
    let ids: Vec<Value> = sorted(session.process.receive()).iter().map(|answer| answer["id"].clone()).collect();
    assert_eq!(ids, [json!(1001), json!(1003)]);
    for bell in ["speak", "work"] {
        session.text("ring", json!({"name": bell}));
    }
    session.text("wait", json!({"name": "speak spoken"}));
    assert!(session.process.rest().is_empty());
}

#[test]
fn other_revisions_refuse_arrays() {
    for revision in Revision::ALL.into_iter().filter(|revision| *revision != Revision::V2025_03_26) {
        let mut session = open(revision);
        let error = batch(&mut session, &json!([{"jsonrpc": "2.0", "id": 1, "method": "ping"}]));
        assert_eq!(error["error"]["code"], -32600);
        assert!(error.get("id").is_none(), "{error}");
        session.sync();
    }
}

#[test]
fn a_huge_batch_costs_no_more_than_a_huge_message() {
    let mut session = open(Revision::V2025_03_26);
    // 8 MiB of elements that are each answered with a hundred bytes.
    let mut line = "[1".to_owned();
    line.push_str(&",1".repeat(4 << 20));
    line.push(']');
    session.process.line(&line);
    let answer = session.process.receive();
    assert_eq!(answer["error"]["code"], -32600, "one error for all of it");
    session.sync();
    assert!(session.process.peak_memory() < 200 * 1024, "{} KiB", session.process.peak_memory());
}
