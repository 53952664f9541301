//! The end: what was read is answered, nothing is waited for longer than the grace, signals end it at once.

use std::time::{Duration, Instant};

use mcp_tests::{Link, Process, Revision, Session};
use serde_json::{Value, json};

use super::{FIXTURE, open_with, start};

/// At once, on a machine that is busy with other things: far from the grace period, and from never.
const SOON: Duration = Duration::from_secs(15);

fn ids(messages: &[Value]) -> Vec<String> {
    let mut ids: Vec<String> = messages.iter().map(|message| message["id"].to_string()).collect();
    ids.sort();
    ids
}

#[test]
fn everything_that_was_read_is_answered_and_the_process_ends_well() {
    for link in Link::ALL {
        for runtime in ["multi_thread", "current_thread"] {
            let mut process = Process::start(FIXTURE, link, &[("FIXTURE_RUNTIME", runtime)]);
            process.write(concat!(
                "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"initialize\",\"params\":{\"protocolVersion\":\"2024-11-05\"}}\n",
                "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/initialized\"}\n",
                "{\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"tools/call\",\"params\":{\"name\":\"wait\",\"arguments\":{\"name\":\"bell\"}}}\n",
                "{\"jsonrpc\":\"2.0\",\"id\":3,\"method\":\"tools/call\",\"params\":{\"name\":\"sleep\",\"arguments\":{\"milliseconds\":200}}}\n",
                // The last line has no end.
                "{\"jsonrpc\":\"2.0\",\"id\":4,\"method\":\"tools/call\",\"params\":{\"name\":\"ring\",\"arguments\":{\"name\":\"bell\"}}}",
            ));
            let answers = process.rest();
            assert_eq!(ids(&answers), ["1", "2", "3", "4"], "{link:?} {runtime}");
            let (status, _) = process.ended();
            assert!(status.success(), "{status}");
            let log = process.errors();
            assert!(log.contains("on_start") && log.contains("on_shutdown"), "{log}");
        }
    }
}

#[test]
fn an_empty_input_is_an_end_and_half_a_line_is_an_error() {
    for link in Link::ALL {
        let mut process = Process::start(FIXTURE, link, &[]);
        assert!(process.rest().is_empty());
        assert!(process.ended().0.success());
        let mut process = Process::start(FIXTURE, link, &[]);
        process.write("{\"jsonrpc\":\"2.0\",\"id\":1,\"met");
        let rest = process.rest();
        assert_eq!((rest.len(), &rest[0]["error"]["code"], &rest[0]["id"]), (1, &json!(-32700), &json!(1)));
        assert!(process.ended().0.success());
    }
}

/// Ends the input with a call under way that never ends.
fn ends_after_the_grace(link: Link, runtime: &str, tool: &str) {
    let mut session =
        Session::open(FIXTURE, link, Revision::V2025_11_25, &[("FIXTURE_RUNTIME", runtime), ("FIXTURE_GRACE", "300")]);
    let stuck = session.begin("tools/call", json!({"name": tool, "arguments": {"name": "never", "bell": "never"}}));
    let fine = session.begin("tools/call", json!({"name": "fixed"}));
    if tool != "block" || runtime == "multi_thread" {
        session.outcome(fine).unwrap();
    }
    let began = Instant::now();
    session.process.close();
    let (status, _) = session.process.ended();
    let time = began.elapsed();
    assert!(status.success(), "{tool} {runtime}: {status}");
    assert!(time >= Duration::from_millis(300) && time < SOON, "{tool} {runtime}: {time:?}");
    let rest = session.process.rest();
    assert!(rest.iter().all(|message| message["id"] != json!(stuck)), "{rest:?}");
}

#[test]
fn a_handler_that_never_ends_is_given_up_after_the_grace() {
    for link in Link::ALL {
        for runtime in ["multi_thread", "current_thread"] {
            ends_after_the_grace(link, runtime, "forever");
        }
    }
}

#[test]
fn a_thread_of_the_pool_that_never_ends_does_not_keep_the_process() {
    for runtime in ["multi_thread", "current_thread"] {
        ends_after_the_grace(Link::Pipe, runtime, "block_in_pool");
    }
}

#[test]
fn a_blocked_thread_that_never_ends_does_not_keep_the_process() {
    for runtime in ["multi_thread", "current_thread"] {
        ends_after_the_grace(Link::Pipe, runtime, "block");
    }
}

fn ends_at_once(session: &mut Session, signal: &str, what: &str) {
    session.process.signal(signal);
    let (status, time) = session.process.ended();
    assert!(time < SOON, "{what}: {time:?}");
    // Ended from outside its own runtime, it says so, as a shell would: 128 and the number of the signal.
    let is_forced = what.starts_with("block") && status.code() == Some(143);
    assert!(status.success() || is_forced, "{what}: {status}");
}

#[test]
fn signals_end_it_at_once() {
    for link in Link::ALL {
        for signal in ["TERM", "INT"] {
            for runtime in ["multi_thread", "current_thread"] {
                let environment = [("FIXTURE_RUNTIME", runtime)];
                let mut idle = Session::open(FIXTURE, link, Revision::V2025_11_25, &environment);
                ends_at_once(&mut idle, signal, "idle");
                assert!(idle.process.errors().contains("on_shutdown"));
                let mut busy = Session::open(FIXTURE, link, Revision::V2025_11_25, &environment);
                busy.begin("tools/call", json!({"name": "forever", "arguments": {"bell": "never"}}));
                busy.sync();
                ends_at_once(&mut busy, signal, "busy");
            }
        }
    }
}

#[test]
fn a_signal_ends_it_at_once_although_a_thread_blocks() {
    for runtime in ["multi_thread", "current_thread"] {
        for tool in ["block", "block_in_pool"] {
            let mut session = open_with(Revision::V2025_11_25, &[("FIXTURE_RUNTIME", runtime)]);
            session.begin("tools/call", json!({"name": tool, "arguments": {"name": "never"}}));
            session.ok("ping", json!({}));
            ends_at_once(&mut session, "TERM", &format!("{tool} {runtime}"));
        }
    }
}

/// The pool may be slow to give a thread: the process must know of a handler from the moment on that it asks for one.
#[test]
fn a_signal_ends_it_at_once_although_a_thread_is_only_about_to_block() {
    let mut processes: Vec<Process> = (0..24)
        .map(|round| start(&[("FIXTURE_RUNTIME", if round % 2 == 0 { "multi_thread" } else { "current_thread" })]))
        .collect();
    for process in &mut processes {
        process.write(concat!(
            "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"initialize\"}\n",
            "{\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"tools/call\",\"params\":{\"name\":\"block_in_pool\",\"arguments\":{\"name\":\"never\"}}}\n",
            "{\"jsonrpc\":\"2.0\",\"id\":3,\"method\":\"ping\"}\n",
        ));
        process.receive();
        process.receive();
        process.signal("TERM");
    }
    for process in &mut processes {
        let (status, time) = process.ended();
        assert!(status.success() && time < SOON, "{status} after {time:?}");
    }
}

#[test]
fn a_signal_before_anything_was_said_ends_it() {
    let mut process = start(&[]);
    // Ready when it answers.
    process.line("{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}");
    process.receive();
    process.signal("TERM");
    assert!(process.ended().0.success());
}

#[test]
fn answers_that_are_ready_are_written_before_a_signal_ends_it() {
    let mut session = open_with(Revision::V2026_07_28, &[]);
    let listen = session.begin("subscriptions/listen", json!({"notifications": {"toolsListChanged": true}}));
    session.sync();
    session.process.signal("TERM");
    assert_eq!(session.response(&json!(listen))["result"]["resultType"], "complete");
    assert!(session.process.ended().0.success());
}

#[test]
fn a_client_that_is_gone_ends_the_handlers_and_the_process() {
    for link in Link::ALL {
        let mut process = Process::start_unread(FIXTURE, link, &[]);
        process.line("{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"initialize\"}");
        process.send(&json!({"jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": {"name": "forever", "arguments": {"bell": "b"}}}));
        process.hang_up();
        process.close();
        let (status, time) = process.ended();
        assert!(status.success(), "{status}");
        assert!(time < SOON, "{link:?}: {time:?}");
    }
}

/// Nothing is written that would show it, and the input stays open.
#[test]
fn a_client_that_stops_reading_for_good_ends_the_process() {
    for link in Link::ALL {
        for call in ["forever", "fixed"] {
            let mut process = Process::start_unread(FIXTURE, link, &[]);
            process.line("{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"initialize\"}");
            process.send(&json!({"jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": {"name": call, "arguments": {"bell": "b"}}}));
            process.line("{\"jsonrpc\":\"2.0\",\"id\":3,\"method\":\"ping\"}");
            // Both answers are there, so nothing is left to write.
            process.wait_for_output(2);
            process.hang_up();
            let (status, time) = process.ended();
            assert!(status.success(), "{link:?} {call}: {status}");
            assert!(time < SOON, "{link:?} {call}: {time:?}");
        }
    }
}

#[test]
fn files_are_served_from_their_first_line_to_their_last() {
    let directory = std::env::temp_dir().join(format!("mcp-tests-{}", std::process::id()));
    std::fs::create_dir_all(&directory).unwrap();
    let (input, output) = (directory.join("in"), directory.join("out"));
    std::fs::write(
        &input,
        "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"initialize\"}\n{\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"tools/call\",\"params\":{\"name\":\"add\",\"arguments\":{\"a\":12,\"b\":30}}}",
    )
    .unwrap();
    let status = std::process::Command::new(FIXTURE)
        .stdin(std::fs::File::open(&input).unwrap())
        .stdout(std::fs::File::create(&output).unwrap())
        .stderr(std::process::Stdio::null())
        .status()
        .unwrap();
    assert!(status.success());
    let answers: Vec<Value> =
        std::fs::read_to_string(&output).unwrap().lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(ids(&answers), ["1", "2"]);
    assert!(answers.iter().any(|answer| answer["result"]["content"][0]["text"] == "42"));
    std::fs::remove_dir_all(&directory).unwrap();
}
