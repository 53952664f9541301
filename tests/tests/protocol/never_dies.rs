//! Panics everywhere, blocked threads: the server answers and lives.

use std::time::Duration;

use mcp_tests::{Link, Revision, Session};
use serde_json::{Value, json};

use super::{FIXTURE, on_every_revision, open, open_with};

#[test]
fn every_panic_is_answered_and_tells_the_client_nothing() {
    on_every_revision(|session| {
        let mut calls: Vec<(&str, Value)> = Vec::new();
        for name in
            ["before_await", "after_await", "in_sync", "in_pool", "in_drop", "in_result", "in_error", "in_extractor"]
        {
            calls.push(("tools/call", json!({"name": format!("panic_{name}"), "arguments": {}})));
        }
        calls.push(("tools/call", json!({"name": "panic_in_argument", "arguments": {"value": "panic"}})));
        calls.push(("resources/read", json!({"uri": "panic://resource"})));
        calls.push(("prompts/get", json!({"name": "panic_in_prompt"})));
        calls.push(("completion/complete", json!({"ref": {"type": "ref/prompt", "name": "panic_in_completion"}, "argument": {"name": "text", "value": ""}})));
        for (method, params) in calls {
            let error = session.err(method, params.clone());
            assert_eq!(error["code"], -32603, "{params}: {error}");
            let text = error.to_string();
            assert!(!text.contains("secret") && !text.contains(".rs"), "{params}: {error}");
            assert_eq!(session.text("add", json!({"a": 1, "b": 1})), "2", "after {params}");
        }
    });
}

#[test]
fn a_panic_is_logged_with_its_place() {
    let mut session = open(Revision::V2025_11_25);
    session.err("tools/call", json!({"name": "panic_after_await"}));
    session.process.rest();
    session.process.ended();
    let log = session.process.errors();
    assert!(log.contains("secret: after") && log.contains("faults.rs:"), "{log}");
}

/// A handler blocks the only thread there may be; pings and cancellations do not wait for it.
fn stays_awake(link: Link, runtime: &str) {
    let mut session = Session::open(FIXTURE, link, Revision::V2025_11_25, &[("FIXTURE_RUNTIME", runtime)]);
    // It blocks until it hears of a cancellation, so what is answered before is answered meanwhile.
    let blocked = session.begin("tools/call", json!({"name": "hold"}));
    for _ in 0..5 {
        session.ok("ping", json!({}));
    }
    let error = session.err("tools/call", json!({"name": "no_such_tool"}));
    assert_eq!(error["code"], -32602);
    session.cancel(&json!(blocked));
    assert_eq!(session.text("add", json!({"a": 2, "b": 2})), "4");
    // One that ends by itself is answered when it does.
    let slept = session.begin("tools/call", json!({"name": "sleep", "arguments": {"milliseconds": 100}}));
    session.ok("ping", json!({}));
    assert!(session.outcome(slept).is_ok());
    assert!(!session.has_response(&json!(blocked)), "it was cancelled");
}

#[test]
fn a_blocked_thread_keeps_nobody_from_being_answered() {
    for link in Link::ALL {
        for runtime in ["multi_thread", "current_thread"] {
            stays_awake(link, runtime);
        }
    }
}

#[test]
fn other_handlers_run_while_one_blocks_its_thread() {
    let mut session = open(Revision::V2025_11_25);
    let blocked = session.begin("tools/call", json!({"name": "block", "arguments": {"name": "gate"}}));
    session.text("wait", json!({"name": "gate blocks"}));
    session.ok("ping", json!({}));
    assert!(!session.has_response(&json!(blocked)));
    let pool = session.begin("tools/call", json!({"name": "block_in_pool", "arguments": {"name": "gate"}}));
    let waiting = session.begin("tools/call", json!({"name": "wait", "arguments": {"name": "gate"}}));
    session.begin("tools/call", json!({"name": "ring", "arguments": {"name": "gate"}}));
    for id in [blocked, pool, waiting] {
        assert_eq!(session.outcome(id).unwrap()["content"][0]["text"], "gate");
    }
}

#[test]
fn other_handlers_run_however_many_block_their_threads() {
    let mut session = open(Revision::V2025_11_25);
    let gates: Vec<String> = (0..20).map(|gate| format!("gate {gate}")).collect();
    let mut blocked = Vec::new();
    for gate in &gates {
        blocked.push(session.begin("tools/call", json!({"name": "block", "arguments": {"name": gate}})));
        session.text("wait", json!({"name": format!("{gate} blocks")}));
    }
    assert_eq!(session.text("add", json!({"a": 2, "b": 2})), "4");
    for (gate, id) in gates.iter().zip(blocked) {
        assert!(!session.has_response(&json!(id)));
        session.ok("tools/call", json!({"name": "ring", "arguments": {"name": gate}}));
        assert_eq!(session.outcome(id).unwrap()["content"][0]["text"], json!(gate));
    }
}

#[test]
fn requests_run_at_the_same_time() {
    let mut session = open_with(Revision::V2026_07_28, &[("FIXTURE_RUNTIME", "current_thread")]);
    let waiting: Vec<i64> =
        (0..100).map(|_| session.begin("tools/call", json!({"name": "wait", "arguments": {"name": "go"}}))).collect();
    session.text("ring", json!({"name": "go"}));
    for id in waiting {
        assert_eq!(session.outcome(id).unwrap()["content"][0]["text"], "go");
    }
}

#[test]
fn an_idle_server_uses_no_processor_time() {
    let mut session = open(Revision::V2025_11_25);
    session.text("add", json!({"a": 1, "b": 1}));
    // A handler that waits is idle, too.
    session.begin("tools/call", json!({"name": "forever", "arguments": {"bell": "never"}}));
    session.sync();
    let before = session.process.processor_ticks();
    session.is_silent_for(Duration::from_secs(2));
    let used = session.process.processor_ticks() - before;
    assert!(used <= 1, "{used} ticks of 10 ms in two idle seconds");
}
