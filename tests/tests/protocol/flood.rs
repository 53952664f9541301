//! More than anybody should send: memory stays bounded, nothing is lost, nothing waits for ever.

use std::collections::BTreeSet;
use std::io::Write as _;

use mcp_tests::{Link, Process, Revision, Session};
use serde_json::{Value, json};

use super::{FIXTURE, open, open_with, start};

const MIB: usize = 1 << 20;

/// Writes a line of `size` bytes that begins with `head` and ends with `tail`, piece by piece.
fn write_long(process: &mut Process, head: &str, tail: &str, size: usize) {
    process.write(head);
    let piece = vec![b'x'; MIB];
    for _ in 0..size / MIB {
        process.write(&piece);
    }
    process.write(format!("{tail}\n"));
}

#[test]
fn a_line_over_the_limit_is_skipped_in_bounded_memory_and_answered_with_its_id() {
    for link in Link::ALL {
        let mut process = Process::start(FIXTURE, link, &[]);
        process.line("{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}");
        process.receive();
        write_long(
            &mut process,
            "{\"jsonrpc\":\"2.0\",\"id\":\"long\",\"method\":\"tools/call\",\"params\":{\"name\":\"echo\",\"arguments\":{\"text\":\"",
            "\"}}}",
            64 * MIB,
        );
        let answer = process.receive();
        assert_eq!((&answer["id"], &answer["error"]["code"]), (&json!("long"), &json!(-32600)), "{answer}");
        write_long(&mut process, "", "", 100 * MIB);
        let answer = process.receive();
        assert_eq!((answer.get("id"), &answer["error"]["code"]), (None, &json!(-32600)), "{answer}");
        process.line("{\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"ping\"}");
        assert_eq!(process.receive()["id"], 2);
        assert!(process.peak_memory() < 100 * 1024, "{} KiB", process.peak_memory());
        assert!(process.rest().is_empty());
    }
}

#[test]
fn a_hundred_megabytes_without_an_end_do_no_harm() {
    let mut process = start(&[]);
    let piece = vec![b'x'; MIB];
    for _ in 0..100 {
        process.write(&piece);
    }
    assert_eq!(process.receive()["error"]["code"], -32600);
    assert!(process.peak_memory() < 100 * 1024, "{} KiB", process.peak_memory());
    assert!(process.rest().is_empty());
    assert!(process.ended().0.success());
}

#[test]
fn a_long_line_below_the_limit_is_served() {
    let mut session = open(Revision::V2025_11_25);
    let text = "é".repeat(3 * MIB);
    assert_eq!(session.text("echo", json!({"text": text})), text);
    assert_eq!(session.text("echo", json!({"text": "short"})), "short");
}

#[test]
fn two_thousand_calls_at_once_are_all_answered_once() {
    for (link, revision) in [(Link::Pipe, Revision::V2025_11_25), (Link::Socket, Revision::V2026_07_28)] {
        let mut session = Session::open(FIXTURE, link, revision, &[]);
        let mut lines = String::new();
        for id in 0..2000 {
            let params = session.params(json!({"name": "add", "arguments": {"a": id, "b": 1}}));
            lines.push_str(&format!(
                "{}\n",
                json!({"jsonrpc": "2.0", "id": id, "method": "tools/call", "params": params})
            ));
        }
        session.process.write(lines);
        let mut seen = BTreeSet::new();
        for _ in 0..2000 {
            let answer = session.process.receive();
            let id = answer["id"].as_i64().unwrap();
            assert_eq!(answer["result"]["content"][0]["text"], (id + 1).to_string());
            assert!(seen.insert(id), "{id} twice");
        }
        assert!(session.process.rest().is_empty());
    }
}

#[test]
fn more_calls_than_may_run_wait_their_turn_and_are_not_lost() {
    let mut session = open(Revision::V2025_11_25);
    let mut lines = String::new();
    for id in 0..3000 {
        let name = if id % 2 == 0 { "wait" } else { "forever" };
        let params = json!({"name": name, "arguments": {"name": "go", "bell": "dropped"}});
        lines.push_str(&format!("{}\n", json!({"jsonrpc": "2.0", "id": id, "method": "tools/call", "params": params})));
        if name == "forever" {
            lines.push_str(&format!(
                "{}\n",
                json!({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": id}})
            ));
        }
        if id == 500 {
            let ring = json!({"jsonrpc": "2.0", "id": "ring", "method": "tools/call", "params": {"name": "ring", "arguments": {"name": "go"}}});
            lines.push_str(&format!("{ring}\n"));
        }
    }
    let mut input = session.process.take_input();
    let writer = std::thread::spawn(move || {
        input.write_all(lines.as_bytes()).unwrap();
        input
    });
    let mut seen = BTreeSet::new();
    for _ in 0..1501 {
        assert!(seen.insert(session.process.receive()["id"].to_string()));
    }
    drop(writer.join().unwrap());
    let rest = session.process.rest();
    assert!(rest.is_empty(), "{rest:?}");
}

/// How often a bell of the server has been rung.
fn count(session: &mut Session, bell: &str) -> u32 {
    session.text("rung", json!({"name": bell})).parse().unwrap()
}

fn wait_for(least: u32, mut count: impl FnMut() -> u32) {
    let mut rounds = 0;
    while count() < least {
        rounds += 1;
        assert!(rounds < 10_000, "it is {} instead of {least}", count());
    }
}

/// The handlers that may run all wait, and more calls wait behind them: what ends them still comes through.
#[test]
fn pings_and_cancellations_come_through_however_many_calls_wait() {
    for runtime in ["multi_thread", "current_thread"] {
        let mut session = open_with(Revision::V2025_11_25, &[("FIXTURE_RUNTIME", runtime)]);
        let forever = json!({"name": "forever", "arguments": {"bell": "dropped"}});
        // All but one of those that may run, so that it is known which they are: the one that is left can be asked.
        let mut calls: Vec<i64> = (0..1023).map(|_| session.begin("tools/call", forever.clone())).collect();
        wait_for(1023, || count(&mut session, "dropped started"));
        calls.extend((1023..1500).map(|_| session.begin("tools/call", forever.clone())));
        let last = session.begin("tools/call", json!({"name": "add", "arguments": {"a": 1, "b": 1}}));
        session.ok("ping", json!({}));
        // Two that have not begun and never will, the last first; then all that run.
        for id in calls.iter().rev() {
            session.cancel(&json!(id));
        }
        assert_eq!(session.outcome(last).unwrap()["content"][0]["text"], "2");
        // All of those are dropped that had begun, each by its own task: as many as may run, and one or two more where two
        // threads looked for room at the same time.
        wait_for(1024, || count(&mut session, "dropped"));
        let started = count(&mut session, "dropped started");
        assert!(started < 1030, "started are {started}");
        wait_for(started, || count(&mut session, "dropped"));
        assert!(session.process.rest().is_empty());
        assert!(session.process.ended().0.success());
    }
}

#[test]
fn a_client_that_does_not_read_costs_bounded_memory_and_gets_everything_later() {
    for link in Link::ALL {
        let mut process = Process::start_unread(FIXTURE, link, &[]);
        let mut input = process.take_input();
        // 2,000 answers of 64 KiB are 128 MB.
        let writer = std::thread::spawn(move || {
            input.write_all(b"{\"jsonrpc\":\"2.0\",\"id\":\"i\",\"method\":\"initialize\"}\n").unwrap();
            for id in 0..2000 {
                let call = json!({"jsonrpc": "2.0", "id": id, "method": "tools/call", "params": {"name": "big", "arguments": {"bytes": 65536}}});
                input.write_all(format!("{call}\n").as_bytes()).unwrap();
            }
            input
        });
        // The server stops reading when it cannot write, so the writer stalls: give it the time to do its worst.
        std::thread::sleep(std::time::Duration::from_millis(700));
        let peak = process.peak_memory();
        assert!(peak < 64 * 1024, "{peak} KiB");
        assert_eq!(process.receive()["id"], "i");
        let mut seen = BTreeSet::new();
        for _ in 0..2000 {
            assert!(seen.insert(process.receive()["id"].as_i64().unwrap()));
        }
        drop(writer.join().unwrap());
        assert!(process.rest().is_empty());
    }
}

#[test]
fn a_flood_of_progress_to_a_client_that_does_not_read_is_bounded() {
    let mut process = Process::start_unread(FIXTURE, Link::Pipe, &[]);
    process.line("{\"jsonrpc\":\"2.0\",\"id\":\"i\",\"method\":\"initialize\"}");
    process.send(&json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {
        "name": "much_progress", "arguments": {"reports": 200_000, "size": 1000}, "_meta": {"progressToken": "p"},
    }}));
    std::thread::sleep(std::time::Duration::from_millis(700));
    let peak = process.peak_memory();
    assert!(peak < 64 * 1024, "{peak} KiB");
    assert_eq!(process.receive()["id"], "i");
    let mut last = 0;
    loop {
        let message = process.receive();
        if message["id"] == 1 {
            assert_eq!(message["result"]["content"][0]["text"], "done");
            break;
        }
        let progress = message["params"]["progress"].as_i64().unwrap();
        assert!(progress > last);
        last = progress;
    }
}

#[test]
fn a_client_that_reads_gets_every_report() {
    const REPORTS: i64 = 10_000;
    for runtime in ["multi_thread", "current_thread"] {
        for tool in ["much_progress", "much_progress_in_sync", "much_progress_in_pool"] {
            let mut session = open_with(Revision::V2025_11_25, &[("FIXTURE_RUNTIME", runtime)]);
            let call = session.begin(
                "tools/call",
                json!({
                    "name": tool, "arguments": {"reports": REPORTS, "size": 100}, "_meta": {"progressToken": "p"},
                }),
            );
            for done in 1..=REPORTS {
                let report = session.process.receive();
                assert_eq!(report["params"]["progress"], done, "{tool} on {runtime}: {report}");
            }
            assert_eq!(session.outcome(call).unwrap()["content"][0]["text"], "done");
        }
    }
}

/// Neither a plain function nor the thread that it blocks waits for ever for a client that does not read.
#[test]
fn reports_to_a_client_that_does_not_read_keep_no_thread() {
    for (runtime, tool) in [
        ("multi_thread", "much_progress_in_sync"),
        ("current_thread", "much_progress_in_sync"),
        ("current_thread", "much_progress_in_pool"),
    ] {
        let mut process = Process::start_unread(FIXTURE, Link::Pipe, &[("FIXTURE_RUNTIME", runtime)]);
        process.line("{\"jsonrpc\":\"2.0\",\"id\":\"i\",\"method\":\"initialize\"}");
        process.send(&json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {
            "name": tool, "arguments": {"reports": 20_000, "size": 1000}, "_meta": {"progressToken": "p"},
        }}));
        // What it does meanwhile is seen from outside only by reading.
        std::thread::sleep(std::time::Duration::from_millis(2500));
        let rest = process.rest();
        // It went on after a second, so the last report is the newest.
        let [.., newest, answer] = rest.as_slice() else { panic!("{rest:?}") };
        assert_eq!((&newest["params"]["progress"], &answer["id"]), (&json!(20_000), &json!(1)), "{tool} on {runtime}");
        assert!(rest.len() < 20_000, "{tool} on {runtime}: {}", rest.len());
    }
}

#[test]
fn a_great_many_pings_leave_no_trace() {
    let mut session = open(Revision::V2025_11_25);
    let mut round = |count: usize| {
        let ping = "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}\n".repeat(1000);
        for _ in 0..count {
            session.process.write(&ping);
            for _ in 0..1000 {
                session.process.next_line(std::time::Duration::from_secs(30)).unwrap();
            }
        }
        session.process.peak_memory()
    };
    let warm = round(20);
    let after = round(200);
    assert!(after < warm + 4 * 1024, "{warm} KiB, then {after} KiB");
}

#[test]
fn subscriptions_are_bounded_with_a_clear_error() {
    let mut session = open(Revision::V2026_07_28);
    let mut lines = String::new();
    for id in 0..1100 {
        let params = session.params(json!({"notifications": {}}));
        lines.push_str(&format!(
            "{}\n",
            json!({"jsonrpc": "2.0", "id": format!("s{id}"), "method": "subscriptions/listen", "params": params})
        ));
    }
    session.process.write(lines);
    let messages: Vec<Value> = (0..1100).map(|_| session.process.receive()).collect();
    let refused: Vec<&Value> = messages.iter().filter(|message| message.get("error").is_some()).collect();
    assert_eq!(refused.len(), 1100 - 1024);
    assert_eq!(refused[0]["error"]["code"], -32603, "{}", refused[0]);
    let many: Vec<String> = (0..10_001).map(|number| format!("test://{number}")).collect();
    session.cancel(&json!("s0"));
    assert_eq!(
        session.err("subscriptions/listen", json!({"notifications": {"resourceSubscriptions": many}}))["code"],
        -32602
    );
}
