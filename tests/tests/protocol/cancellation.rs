//! Cancelled requests: the future is dropped, nothing is answered, and nothing else suffers.

use mcp_tests::{Link, Revision, Session};
use serde_json::json;

use super::{FIXTURE, on_every_revision, open};

#[test]
fn the_future_is_dropped_and_nothing_is_answered() {
    on_every_revision(|session| {
        let id = session.begin("tools/call", json!({"name": "forever", "arguments": {"bell": "dropped"}}));
        session.cancel(&json!(id));
        session.text("wait", json!({"name": "dropped"}));
        // A second one, and one for a request that never was, are nobody's mistake.
        session.cancel(&json!(id));
        session.cancel(&json!("never was"));
        session.cancel(&json!(id.to_string()));
        // Nor does the server cancel anything of its own by it.
        assert_eq!(session.notifications(), Vec::<serde_json::Value>::new());
        assert!(!session.has_response(&json!(id)));
        // The id is free again.
        let params = session.params(json!({"name": "fixed"}));
        session.process.send(&json!({"jsonrpc": "2.0", "id": id, "method": "tools/call", "params": params}));
        assert_eq!(session.response(&json!(id))["result"]["content"][0]["text"], "fixed");
    });
}

#[test]
fn a_text_id_is_not_a_number_id() {
    let mut session = open(Revision::V2025_11_25);
    let id = session.begin("tools/call", json!({"name": "wait", "arguments": {"name": "bell"}}));
    session.cancel(&json!(id.to_string()));
    session.text_or_nothing("nothing");
    session.text("ring", json!({"name": "bell"}));
    assert_eq!(session.outcome(id).unwrap()["content"][0]["text"], "bell");
}

#[test]
fn tasks_beside_the_handler_and_blocking_handlers_hear_of_it() {
    for revision in [Revision::V2024_11_05, Revision::V2026_07_28] {
        let mut session = open(revision);
        for (tool, bell) in [("watch_cancel", "beside"), ("poll_cancel", "pool")] {
            let id = session.begin("tools/call", json!({"name": tool, "arguments": {"bell": bell}}));
            session.text("wait", json!({"name": format!("{bell} started")}));
            session.cancel(&json!(id));
            session.text("wait", json!({"name": bell}));
            session.sync();
            assert!(!session.has_response(&json!(id)));
        }
    }
}

#[test]
fn a_cancelled_handler_that_panics_while_it_is_dropped_harms_nobody() {
    let mut session = open(Revision::V2025_11_25);
    for _ in 0..3 {
        let id = session.begin("tools/call", json!({"name": "panic_when_cancelled"}));
        session.sync();
        session.cancel(&json!(id));
        assert_eq!(session.text("add", json!({"a": 1, "b": 1})), "2");
        assert!(!session.has_response(&json!(id)));
    }
    assert!(session.process.rest().is_empty());
}

#[test]
fn initialize_cannot_be_cancelled_and_neither_can_what_is_finished() {
    let mut session = Session::over(mcp_tests::Process::start(FIXTURE, Link::Pipe, &[]), Revision::V2025_11_25);
    session.cancel(&json!(1));
    assert_eq!(session.initialize()["protocolVersion"], "2025-11-25");
    session.cancel(&json!(1));
    session.sync();
}

#[test]
fn the_same_id_twice_in_flight_is_refused_and_the_first_goes_on() {
    for revision in [Revision::V2025_06_18, Revision::V2026_07_28] {
        let mut session = open(revision);
        let params = session.params(json!({"name": "wait", "arguments": {"name": "bell"}}));
        let message = json!({"jsonrpc": "2.0", "id": "same", "method": "tools/call", "params": params});
        session.process.send(&message);
        session.process.send(&message);
        let refused = session.response(&json!("same"));
        assert_eq!(refused["error"]["code"], -32600, "{refused}");
        session.text("ring", json!({"name": "bell"}));
        assert_eq!(session.response(&json!("same"))["result"]["content"][0]["text"], "bell");
    }
}

#[test]
fn the_same_id_twice_one_after_the_other_is_answered_twice() {
    let mut session = open(Revision::V2025_11_25);
    let ping = json!({"jsonrpc": "2.0", "id": 20, "method": "ping"});
    session.process.write(format!("{ping}\n{ping}\n"));
    for _ in 0..2 {
        assert_eq!(session.response(&json!(20)), json!({"jsonrpc": "2.0", "id": 20, "result": {}}));
    }
}

#[test]
fn nothing_is_said_for_a_request_after_its_answer() {
    for revision in [Revision::V2025_11_25, Revision::V2026_07_28] {
        let mut session = open(revision);
        let params = json!({
            "name": "late_words", "arguments": {"bell": "speak"},
            "_meta": {"progressToken": 1, "io.modelcontextprotocol/logLevel": "debug"},
        });
        session.ok("tools/call", params);
        session.text("ring", json!({"name": "speak"}));
        session.text("wait", json!({"name": "speak spoken"}));
        assert_eq!(session.notifications(), Vec::<serde_json::Value>::new());
    }
}

#[test]
fn a_handler_whose_time_is_up_is_dropped_and_says_so() {
    on_every_revision(|session| {
        let text = session.failure("slow", json!({}));
        assert!(text.contains("slow") && text.contains("50ms"), "{text}");
        session.text("wait", json!({"name": "slow dropped"}));
        assert_eq!(session.text("has_deadline", json!({})), "true");
    });
}

#[test]
fn one_at_a_time_means_one_at_a_time_and_never_a_queue() {
    let mut session = open(Revision::V2025_11_25);
    let first = session.begin("tools/call", json!({"name": "single", "arguments": {"name": "a"}}));
    session.text("wait", json!({"name": "a inside"}));
    let busy = session.failure("single", json!({"name": "b"}));
    assert!(busy.contains("single") && busy.contains("busy"), "{busy}");
    session.text("ring", json!({"name": "a"}));
    assert_eq!(session.outcome(first).unwrap()["content"][0]["text"], "a");
    // A cancelled call makes room, too.
    let second = session.begin("tools/call", json!({"name": "single", "arguments": {"name": "c"}}));
    session.text("wait", json!({"name": "c inside"}));
    session.cancel(&json!(second));
    session.text("ring", json!({"name": "d"}));
    assert_eq!(session.text("single", json!({"name": "d"})), "d");
}

/// The thread of a cancelled call works on, so its place is not free: two of a tool that may run once would run at once.
#[test]
fn a_cancelled_call_keeps_its_place_while_its_thread_works() {
    let mut session = open(Revision::V2025_11_25);
    let first = session.begin("tools/call", json!({"name": "single_on_thread", "arguments": {"name": "a"}}));
    session.text("wait", json!({"name": "a inside"}));
    session.cancel(&json!(first));
    session.text("ring", json!({"name": "b"}));
    let busy = session.failure("single_on_thread", json!({"name": "b"}));
    assert!(busy.contains("busy"), "{busy}");
    session.text("ring", json!({"name": "a"}));
    // The thread is about to end: nothing tells when it has.
    let mut rounds = 0;
    while session.call("single_on_thread", json!({"name": "b"})).get("isError").is_some() {
        rounds += 1;
        assert!(rounds < 10_000, "the place is never free");
    }
}

#[test]
fn over_the_rate_the_wait_is_named() {
    let mut session = open(Revision::V2025_11_25);
    session.text_or_nothing("rare");
    session.text_or_nothing("rare");
    let text = session.failure("rare", json!({}));
    assert!(text.contains("rare") && text.contains("try again in"), "{text}");
    // Arguments that do not fit, an unknown tool: neither is a call of this one.
    assert_eq!(session.text("fixed", json!({})), "fixed");
}
