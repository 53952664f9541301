//! `initialize`: what is agreed, what is told, what may come before and in between.

use mcp_tests::{Link, Process, Revision, Session};
use serde_json::{Value, json};

use super::{FIXTURE, open, open_with, start};

fn initialize(version: Value) -> Value {
    json!({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {"protocolVersion": version}})
}

fn negotiated(version: Value) -> Value {
    let mut process = start(&[]);
    process.send(&initialize(version));
    process.receive()["result"]["protocolVersion"].take()
}

#[test]
fn a_known_revision_is_echoed_and_any_other_becomes_the_newest_of_its_era() {
    for revision in Revision::ALL.iter().filter(|revision| !revision.is_modern()) {
        assert_eq!(negotiated(json!(revision.as_str())), revision.as_str());
    }
    for strange in [json!("2026-07-28"), json!("1999-01-01"), json!("9999-01-01"), json!(""), json!(null)] {
        assert_eq!(negotiated(strange.clone()), "2025-11-25", "{strange}");
    }
}

#[test]
fn parameters_of_initialize_may_be_absent() {
    let mut process = start(&[]);
    process.send(&json!({"jsonrpc": "2.0", "id": "abc", "method": "initialize"}));
    let answer = process.receive();
    assert_eq!((&answer["id"], &answer["result"]["protocolVersion"]), (&json!("abc"), &json!("2025-11-25")));
}

#[test]
fn strange_capabilities_keep_nobody_out() {
    let everything = json!({
        "roots": {"listChanged": true, "more": [1]}, "sampling": {}, "elicitation": {"form": {}, "url": {"x": 1}},
        "tasks": {"list": {}, "cancel": {}, "requests": {"sampling": {"createMessage": {}}}},
        "experimental": {"a": {"b": {"c": null}}}, "extensions": {"io.modelcontextprotocol/ui": {"mimeTypes": ["x"]}}, "unknown": true,
    });
    for capabilities in
        [everything, json!({}), json!(null), json!([]), json!("none"), json!({"elicitation": null, "sampling": true})]
    {
        let mut process = start(&[]);
        let params = json!({"protocolVersion": "2025-11-25", "capabilities": capabilities, "clientInfo": {"name": 5}, "extra": {}});
        process.send(&json!({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": params}));
        assert!(process.receive()["result"].is_object(), "{capabilities}");
    }
}

#[test]
fn the_server_says_who_it_is_with_the_members_that_the_revision_has() {
    for revision in Revision::ALL.into_iter().filter(|revision| !revision.is_modern()) {
        let mut session = Session::over(Process::start(FIXTURE, Link::Pipe, &[]), revision);
        let result = session.initialize();
        let mut identity = json!({"name": "fixture", "version": "1.2.3"});
        if revision >= Revision::V2025_06_18 {
            identity["title"] = json!("The Fixture");
        }
        if revision >= Revision::V2025_11_25 {
            identity["description"] = json!("Serves the tests.");
            identity["websiteUrl"] = json!("https://example.com/fixture");
            identity["icons"] =
                json!([{"src": "https://example.com/icon.png", "mimeType": "image/png", "sizes": ["48x48"]}]);
        }
        let mut capabilities = json!({
            "tools": {"listChanged": true},
            "prompts": {"listChanged": true},
            "resources": {"listChanged": true, "subscribe": true},
            "logging": {},
        });
        if revision >= Revision::V2025_03_26 {
            capabilities["completions"] = json!({});
        }
        let expected = json!({
            "protocolVersion": revision.as_str(), "capabilities": capabilities, "serverInfo": identity, "instructions": "Be careful.",
        });
        assert_eq!(result, expected);
    }
}

#[test]
fn ping_is_answered_at_any_time() {
    let mut process = start(&[]);
    let ping = |id: Value| json!({"jsonrpc": "2.0", "id": id, "method": "ping"});
    for message in [ping(json!(1)), initialize(json!("2025-11-25")), ping(json!("two")), ping(json!(3))] {
        process.send(&message);
        let answer = process.receive();
        assert_eq!(answer["id"], message["id"]);
        assert!(answer["result"].is_object(), "{answer}");
    }
}

#[test]
fn lists_are_given_before_notifications_initialized() {
    let mut process = start(&[]);
    process.send(&initialize(json!("2025-06-18")));
    process.send(&json!({"jsonrpc": "2.0", "id": 2, "method": "tools/list"}));
    process.receive();
    assert!(process.receive()["result"]["tools"].as_array().is_some_and(|tools| tools.len() > 50));
}

#[test]
fn a_request_before_initialize_is_refused_with_the_two_ways_to_begin() {
    let mut process = start(&[]);
    process.send(&json!({"jsonrpc": "2.0", "id": 1, "method": "tools/list"}));
    let error = process.receive()["error"].take();
    assert_eq!(error["code"], -32602);
    let message = error["message"].as_str().unwrap();
    for part in ["io.modelcontextprotocol/protocolVersion", "io.modelcontextprotocol/clientCapabilities", "initialize"]
    {
        assert!(message.contains(part), "{message}");
    }
    // And that was no end: the client begins after all.
    process.send(&json!({"jsonrpc": "2.0", "method": "notifications/initialized"}));
    process.send(&initialize(json!("2025-11-25")));
    assert_eq!(process.receive()["result"]["protocolVersion"], "2025-11-25");
}

#[test]
fn a_second_initialize_begins_anew() {
    let mut session = open(Revision::V2025_11_25);
    session.ok("logging/setLevel", json!({"level": "emergency"}));
    session.ok("resources/subscribe", json!({"uri": "test://x"}));
    session.revision = Revision::V2025_03_26;
    assert_eq!(session.initialize()["protocolVersion"], "2025-03-26");
    assert!(session.call("point", json!({})).get("structuredContent").is_none(), "the new revision is in force");
    session.text("change", json!({"what": "test://x"}));
    session.text("change", json!({"what": "tool"}));
    session.notified("notifications/tools/list_changed");
    let left = session.notifications();
    assert!(
        left.iter().all(|message| message["method"] != "notifications/resources/updated"),
        "old subscriptions are gone: {left:?}"
    );
}

#[test]
fn only_the_revisions_that_are_served_are_agreed_on() {
    let mut process = start(&[("FIXTURE_REVISIONS", "2025-03-26,2025-06-18")]);
    process.send(&initialize(json!("2025-11-25")));
    assert_eq!(process.receive()["result"]["protocolVersion"], "2025-06-18");
    process.send(&initialize(json!("2025-03-26")));
    assert_eq!(process.receive()["result"]["protocolVersion"], "2025-03-26");

    let mut modern_only = start(&[("FIXTURE_REVISIONS", "2026-07-28")]);
    modern_only.send(&initialize(json!("2025-11-25")));
    let error = modern_only.receive()["error"].take();
    assert_eq!(error["code"], -32602);
    assert_eq!(error["data"], json!({"supported": ["2026-07-28"], "requested": "2025-11-25"}));

    let mut legacy_only = open_with(Revision::V2025_11_25, &[("FIXTURE_REVISIONS", "2025-11-25")]);
    legacy_only.revision = Revision::V2026_07_28;
    assert_eq!(legacy_only.err("tools/list", json!({}))["code"], -32022);
}

#[test]
fn the_method_table_of_a_session_has_nothing_of_the_other_era() {
    for revision in Revision::ALL.into_iter().filter(|revision| !revision.is_modern()) {
        let mut session = open(revision);
        for method in [
            "server/discover",
            "subscriptions/listen",
            "tasks/get",
            "unknown/method",
            "",
            "tools",
            "TOOLS/LIST",
            "initialized",
        ] {
            let error = session.err(method, json!({}));
            assert_eq!(error["code"], -32601, "{method}: {error}");
            assert!(error["message"].as_str().unwrap().contains(method), "{error}");
        }
        assert_eq!(session.ok("ping", json!({})), json!({}));
    }
}

#[test]
fn unknown_notifications_and_stray_responses_are_ignored() {
    let mut session = open(Revision::V2025_11_25);
    for line in [
        r#"{"jsonrpc":"2.0","method":"notifications/unknown","params":{"a":1}}"#,
        r#"{"jsonrpc":"2.0","method":"notifications/roots/list_changed"}"#,
        r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#,
        r#"{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":1,"progress":1}}"#,
        r#"{"jsonrpc":"2.0","method":"tools/list"}"#,
        r#"{"jsonrpc":"2.0","method":"notifications/cancelled"}"#,
        r#"{"jsonrpc":"2.0","method":"notifications/cancelled","params":[1]}"#,
        r#"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":{"a":1}}}"#,
        r#"{"jsonrpc":"2.0","id":1,"result":{}}"#,
        r#"{"jsonrpc":"2.0","id":"unknown","result":{"a":1}}"#,
        r#"{"jsonrpc":"2.0","id":99,"error":{"code":-1,"message":"no"}}"#,
    ] {
        session.process.line(line);
    }
    assert_eq!(session.notifications(), Vec::<Value>::new());
    assert!(session.process.rest().is_empty());
}

#[test]
fn log_levels_of_a_session() {
    let mut session = open(Revision::V2025_06_18);
    let levels = ["debug", "info", "notice", "warning", "error", "critical", "alert", "emergency"];
    for (index, level) in levels.iter().enumerate() {
        assert_eq!(session.ok("logging/setLevel", json!({"level": level})), json!({}));
        session.text_or_nothing("logs");
        let logged = session.notifications();
        let heard: Vec<&str> = logged.iter().map(|message| message["params"]["level"].as_str().unwrap()).collect();
        let mut expected = levels[index..].to_vec();
        expected.push("emergency");
        assert_eq!(heard, expected);
        let last = &logged.last().unwrap()["params"];
        assert_eq!(*last, json!({"level": "emergency", "logger": "fixture", "data": {"code": 7}}));
        assert_eq!(logged[0]["params"]["data"], "plain");
        assert!(logged[0]["params"].get("logger").is_none());
    }
    for bad in [json!({"level": "loud"}), json!({"level": 3}), json!({}), json!({"level": null})] {
        assert_eq!(session.err("logging/setLevel", bad.clone())["code"], -32602, "{bad}");
    }
}
