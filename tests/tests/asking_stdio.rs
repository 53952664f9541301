//! Questions over real pipes and sockets, to clients of both kinds on one connection.

#![cfg(unix)]

use mcp_tests::{Link, Process};
use serde_json::{Value, json};

const ASKER: &str = env!("CARGO_BIN_EXE_asker");

fn request(id: u32, method: &str, params: Value) -> Value {
    json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params})
}

/// A call of 2026-07-28.
fn modern(id: u32, name: &str, more: Value) -> Value {
    let mut params = json!({"name": name, "arguments": {"what": "Paint"}, "_meta": {
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientCapabilities": {"elicitation": {}},
    }});
    params.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    request(id, "tools/call", params)
}

fn initialize(process: &mut Process) {
    let params = json!({"protocolVersion": "2025-11-25", "capabilities": {"elicitation": {}}, "clientInfo": {"name": "t", "version": "1"}});
    process.send(&request(0, "initialize", params));
    assert_eq!(process.receive()["id"], 0);
    process.send(&json!({"jsonrpc": "2.0", "method": "notifications/initialized"}));
}

#[test]
fn a_client_that_waits_and_one_that_comes_back_share_a_connection() {
    for link in Link::ALL {
        let mut process = Process::start(ASKER, link, &[]);
        initialize(&mut process);
        process.send(&request(1, "tools/call", json!({"name": "confirm_twice", "arguments": {"what": "Walk"}})));
        let question = process.receive();
        assert_eq!(
            (question["method"].as_str(), question["params"]["message"].as_str()),
            (Some("elicitation/create"), Some("Walk?"))
        );
        // While the first client thinks, the second is served from beginning to end.
        process.send(&modern(2, "confirm_twice", json!({})));
        let mut result = process.receive()["result"].clone();
        for (id, message) in [(3, "Paint?"), (4, "Really Paint?")] {
            let (key, asked) = result["inputRequests"].as_object().unwrap().iter().next().unwrap();
            assert_eq!(asked["params"]["message"], message);
            let answers = json!({key: {"action": "accept", "content": {"sure": true}}});
            process.send(&modern(
                id,
                "confirm_twice",
                json!({"inputResponses": answers, "requestState": result["requestState"]}),
            ));
            result = process.receive()["result"].clone();
        }
        assert_eq!(result["content"][0]["text"], "Paint: true true");
        let answer = |id: &Value, sure: bool| json!({"jsonrpc": "2.0", "id": id, "result": {"action": "accept", "content": {"sure": sure}}});
        process.send(&answer(&question["id"], true));
        let question = process.receive();
        assert_eq!(question["params"]["message"], "Really Walk?");
        process.send(&answer(&question["id"], false));
        let last = process.receive();
        assert_eq!((&last["id"], &last["result"]["content"][0]["text"]), (&json!(1), &json!("Walk: true false")));
        assert!(process.rest().is_empty());
        assert!(process.ended().0.success());
    }
}

/// A form is filled in from top to bottom.
#[test]
fn the_fields_of_a_form_arrive_in_the_order_of_the_source() {
    let mut process = Process::start(ASKER, Link::Pipe, &[]);
    initialize(&mut process);
    for call in [request(1, "tools/call", json!({"name": "fill_in"})), modern(2, "fill_in", json!({"arguments": {}}))] {
        process.send(&call);
        let line = process.next_line(std::time::Duration::from_secs(30)).unwrap();
        let places = ["\"properties\"", "\"zucchini\"", "\"apple\"", "\"mango\""].map(|name| line.find(name));
        assert!(places.iter().all(Option::is_some) && places.is_sorted(), "{places:?}: {line}");
    }
}

#[test]
fn a_declared_question_is_asked_before_a_plain_function() {
    let mut process = Process::start(ASKER, Link::Pipe, &[]);
    process.send(&modern(
        1,
        "confirm_first",
        json!({"inputResponses": {"confirm": {"action": "accept", "content": {"sure": true}}}}),
    ));
    assert_eq!(process.receive()["result"]["content"][0]["text"], "Paint: true");
    initialize(&mut process);
    process.send(&request(2, "tools/call", json!({"name": "confirm_first", "arguments": {"what": "Walk"}})));
    let question = process.receive();
    process.send(&json!({"jsonrpc": "2.0", "id": question["id"], "result": {"action": "decline"}}));
    let told = process.receive()["result"].clone();
    assert_eq!(
        (&told["isError"], told["content"][0]["text"].as_str()),
        (&json!(true), Some("the user declined to answer `confirm`"))
    );
    assert!(process.rest().is_empty());
}

#[test]
fn a_client_that_has_left_is_not_waited_for() {
    let mut process = Process::start(ASKER, Link::Pipe, &[]);
    initialize(&mut process);
    process.send(&request(1, "tools/call", json!({"name": "confirm_twice", "arguments": {"what": "Walk"}})));
    assert_eq!(process.receive()["method"], "elicitation/create");
    let rest = process.rest();
    let told = rest.iter().find(|message| message["id"] == 1).expect("an answer");
    let expected = "the client could not ask: it has closed its side of the connection";
    assert_eq!(told["result"]["content"][0]["text"], expected);
    let (status, took) = process.ended();
    assert!(status.success() && took < std::time::Duration::from_secs(10), "{took:?}");
}

#[test]
fn cancelling_a_call_cancels_its_question_over_a_pipe() {
    let mut process = Process::start(ASKER, Link::Pipe, &[]);
    initialize(&mut process);
    process.send(&request(1, "tools/call", json!({"name": "confirm_twice", "arguments": {"what": "Walk"}})));
    let question = process.receive();
    process.send(&json!({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 1}}));
    let cancelled = process.receive();
    assert_eq!(
        (cancelled["method"].as_str(), &cancelled["params"]["requestId"]),
        (Some("notifications/cancelled"), &question["id"])
    );
    assert!(process.rest().is_empty());
    assert!(process.ended().0.success());
}

/// As many handlers as may run wait for answers, which come in over the same pipe as the calls.
#[test]
fn answers_come_through_however_many_handlers_wait_for_them() {
    const CALLS: u32 = 1024;
    let mut process = Process::start(ASKER, Link::Pipe, &[]);
    initialize(&mut process);
    for id in 1..=CALLS {
        process.send(&request(id, "tools/call", json!({"name": "confirm_twice", "arguments": {"what": "Walk"}})));
    }
    let questions: Vec<Value> = (1..=CALLS).map(|_| process.receive()["id"].clone()).collect();
    process.send(&request(CALLS + 1, "ping", json!({})));
    assert_eq!(process.receive()["id"], CALLS + 1);
    // A call that asks nothing does not wait for theirs.
    process.send(&modern(
        CALLS + 2,
        "confirm_first",
        json!({"inputResponses": {"confirm": {"action": "accept", "content": {"sure": true}}}}),
    ));
    assert_eq!(process.receive()["id"], CALLS + 2);
    let sure = json!({"action": "accept", "content": {"sure": true}});
    for id in questions {
        process.send(&json!({"jsonrpc": "2.0", "id": id, "result": sure}));
        let question = process.receive();
        assert_eq!(question["method"], "elicitation/create", "{question}");
        process.send(&json!({"jsonrpc": "2.0", "id": question["id"], "result": sure}));
        assert_eq!(process.receive()["result"]["content"][0]["text"], "Walk: true true");
    }
    assert!(process.rest().is_empty());
    assert!(process.ended().0.success());
}
