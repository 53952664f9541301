//! Other voices than the server's: none of them gets onto the stream, and nobody waits for somebody to listen to them.

use std::time::Duration;

use mcp_tests::{Errors, Link, Process, Revision, Session};
use serde_json::{Value, json};

use super::FIXTURE;

#[test]
fn nothing_else_gets_onto_the_stream_and_nobody_else_reads_from_it() {
    for link in Link::ALL {
        let mut session = Session::open(FIXTURE, link, Revision::V2025_06_18, &[("FIXTURE_TRACING", "1")]);
        for _ in 0..3 {
            let (first, second) =
                (session.begin("tools/call", json!({"name": "noisy"})), session.begin("ping", json!({})));
            assert_eq!(session.outcome(first).unwrap()["content"][0]["text"], "done");
            assert!(session.outcome(second).is_ok(), "the child has not eaten it");
            assert_eq!(session.text("thirsty", json!({})), "Ok(0) \"\"");
        }
        assert!(session.process.rest().is_empty());
        session.process.ended();
        let log = session.process.errors();
        for voice in ["println", "puts", "an event", "no end of line", "child", "raw", "on_start on standard output"] {
            assert!(log.contains(voice), "`{voice}` went to standard error: {log}");
        }
    }
}

/// More than any pipe or socket holds, also after it was widened.
const LOUD: usize = 1_000_000;

/// Everything that says more than anybody has room for; a child says so much.
fn loud_calls(child: usize) -> Vec<(&'static str, Value)> {
    vec![
        ("shout", json!({"lines": 1000, "bytes": 1000})),
        ("shout_in_pool", json!({"lines": 1000, "bytes": 1000})),
        ("print", json!({"lines": 1000, "bytes": 1000})),
        ("shout_from_child", json!({"bytes": child})),
        ("panic_loudly", json!({"bytes": 100_000})),
        ("panic_loudly", json!({"bytes": 100_000})),
        ("noisy", json!({})),
    ]
}

#[test]
fn a_standard_error_that_nobody_reads_holds_nobody_up() {
    for (runtime, errors) in [
        ("multi_thread", Errors::Unread(Link::Pipe)),
        ("current_thread", Errors::Unread(Link::Pipe)),
        ("multi_thread", Errors::Unread(Link::Socket)),
        ("current_thread", Errors::Unread(Link::Socket)),
    ] {
        let mut process =
            Process::start_with(FIXTURE, Link::Pipe, errors, &[("FIXTURE_RUNTIME", runtime), ("FIXTURE_TRACING", "1")]);
        process.read();
        let mut session = Session::over(process, Revision::V2025_11_25);
        session.initialize();
        // A child that was started before anybody noticed keeps its own way to the client. What fills a pipe is taken away;
        // a socket, and a pipe on other systems, is widened once.
        let is_relieved = errors == Errors::Unread(Link::Pipe) && cfg!(target_os = "linux");
        let calls: Vec<(&str, i64)> = loud_calls(if is_relieved { LOUD } else { 50_000 })
            .into_iter()
            .map(|(name, arguments)| (name, session.begin("tools/call", json!({"name": name, "arguments": arguments}))))
            .collect();
        session.ok("ping", json!({}));
        let is_fine = |name: &str, outcome: Result<Value, Value>| match outcome {
            Ok(result) if name == "shout_from_child" => result["content"][0]["text"] == "true",
            outcome => outcome.is_err() == (name == "panic_loudly"),
        };
        for (name, id) in calls {
            assert!(is_fine(name, session.outcome(id)), "{name} on {runtime}, {errors:?}");
        }
        // Whoever begins now never waits.
        for (name, arguments) in loud_calls(LOUD) {
            let outcome = session.request("tools/call", json!({"name": name, "arguments": arguments}));
            assert!(is_fine(name, outcome), "{name} afterwards on {runtime}, {errors:?}");
        }
        assert!(session.process.rest().is_empty());
        let (status, time) = session.process.ended();
        assert!(status.success() && time < Duration::from_secs(15), "{runtime}, {errors:?}: {status} after {time:?}");
    }
}

/// `eprintln!` panics when nobody is at the other end.
#[test]
fn a_standard_error_that_is_closed_does_no_harm() {
    let mut process = Process::start_with(FIXTURE, Link::Pipe, Errors::Closed, &[]);
    process.read();
    let mut session = Session::over(process, Revision::V2025_11_25);
    session.initialize();
    for (name, arguments) in loud_calls(LOUD) {
        let outcome = session.request("tools/call", json!({"name": name, "arguments": arguments}));
        assert_eq!(outcome.is_err(), name == "panic_loudly", "{name}: {outcome:?}");
    }
    assert!(session.process.rest().is_empty());
    assert!(session.process.ended().0.success());
}

/// A client may also close it later on.
#[test]
fn a_standard_error_that_is_closed_on_the_way_does_no_harm_for_long() {
    for link in Link::ALL {
        let mut process = Process::start_with(FIXTURE, Link::Pipe, Errors::Unread(link), &[]);
        process.read();
        process.close_errors();
        let mut session = Session::over(process, Revision::V2025_11_25);
        session.initialize();
        let shout = json!({"name": "shout", "arguments": {"lines": 1, "bytes": 1}});
        let mut rounds = 0;
        while session.request("tools/call", shout.clone()).is_err() {
            rounds += 1;
            assert!(rounds < 100_000, "it is never seen");
        }
        for (name, arguments) in loud_calls(LOUD) {
            let outcome = session.request("tools/call", json!({"name": name, "arguments": arguments}));
            assert_eq!(outcome.is_err(), name == "panic_loudly", "{name}: {outcome:?}");
        }
        assert!(session.process.rest().is_empty());
    }
}

#[test]
fn a_standard_error_that_is_the_stream_is_kept_off_it() {
    for link in Link::ALL {
        let mut process = Process::start_with(FIXTURE, link, Errors::OnOutput, &[]);
        process.read();
        let mut session = Session::over(process, Revision::V2025_11_25);
        session.initialize();
        for (name, arguments) in loud_calls(LOUD) {
            let outcome = session.request("tools/call", json!({"name": name, "arguments": arguments}));
            assert_eq!(outcome.is_err(), name == "panic_loudly", "{name}");
        }
        assert!(session.process.rest().is_empty());
        assert!(session.process.ended().0.success());
    }
}

/// As long as somebody reads, all of it arrives, to the last words.
#[test]
fn a_standard_error_that_is_read_is_whole() {
    let mut session = Session::open(FIXTURE, Link::Pipe, Revision::V2025_11_25, &[]);
    session.text("shout", json!({"lines": 5000, "bytes": 1000}));
    session.begin("tools/call", json!({"name": "abort"}));
    session.process.ended();
    let log = session.process.errors();
    assert_eq!(log.lines().filter(|line| *line == "e".repeat(1000)).count(), 5000);
}
