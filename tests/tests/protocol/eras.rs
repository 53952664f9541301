//! 2026-07-28: every request says who asks; and both eras on one stream.

use mcp_tests::Revision;
use serde_json::{Value, json};

use super::{open, start};

const VERSION: &str = "io.modelcontextprotocol/protocolVersion";
const CAPABILITIES: &str = "io.modelcontextprotocol/clientCapabilities";
const LEVEL: &str = "io.modelcontextprotocol/logLevel";

fn error_of(meta: Option<Value>) -> Value {
    let mut process = start(&[]);
    let mut params = json!({});
    if let Some(meta) = meta {
        params["_meta"] = meta;
    }
    process.send(&json!({"jsonrpc": "2.0", "id": "m", "method": "tools/list", "params": params}));
    let mut answer = process.receive();
    assert_eq!(answer["id"], "m");
    answer["error"].take()
}

#[test]
fn a_request_must_say_its_revision_and_capabilities() {
    for meta in [
        None,
        Some(json!({})),
        Some(json!({VERSION: "2026-07-28"})),
        Some(json!({CAPABILITIES: {}})),
        Some(json!({VERSION: 20_260_728, CAPABILITIES: {}})),
        Some(json!({VERSION: "2026-07-28", CAPABILITIES: []})),
        Some(json!({VERSION: "2026-07-28", CAPABILITIES: null})),
        Some(json!({VERSION: null, CAPABILITIES: {}})),
        Some(json!([])),
        Some(json!("meta")),
    ] {
        assert_eq!(error_of(meta.clone())["code"], -32602, "{meta:?}");
    }
    assert!(error_of(Some(json!({VERSION: "2026-07-28"})))["message"].as_str().unwrap().contains(CAPABILITIES));
    assert!(error_of(Some(json!({CAPABILITIES: {}})))["message"].as_str().unwrap().contains(VERSION));
}

#[test]
fn a_revision_that_is_not_of_this_era_is_refused_with_those_that_are() {
    for version in ["2025-11-25", "2024-11-05", "v999.0.0", ""] {
        let error = error_of(Some(json!({VERSION: version, CAPABILITIES: {}})));
        assert_eq!(error["code"], -32022);
        assert_eq!(error["data"], json!({"supported": ["2026-07-28"], "requested": version}));
    }
}

#[test]
fn the_client_need_not_say_its_name_and_may_say_more() {
    let mut process = start(&[]);
    let meta = json!({VERSION: "2026-07-28", CAPABILITIES: {"elicitation": {"unknown": 1}, "new": []}, "example.com/x": null, "io.modelcontextprotocol/clientInfo": "odd"});
    process.send(&json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"_meta": meta, "name": "about_me", "unknown": {}}}));
    let answer = process.receive();
    assert_eq!(answer["result"]["structuredContent"]["name"], "", "{answer}");
    assert_eq!(answer["result"]["structuredContent"]["can_elicit"], true);
}

#[test]
fn escaped_keys_are_keys() {
    let mut process = start(&[]);
    process.line(r#"{"jsonrpc":"2.0","id":1,"method":"server\/discover","params":{"_meta":{"io.modelcontextprotocol\/protocolVersion":"2026-07-28","io.modelcontextprotocol\/clientCapabilities":{}}}}"#);
    assert_eq!(process.receive()["result"]["supportedVersions"], json!(["2026-07-28"]));
}

#[test]
fn discover_tells_what_is_served() {
    let mut session = open(Revision::V2026_07_28);
    let result = session.ok("server/discover", json!({}));
    let identity = json!({
        "name": "fixture", "version": "1.2.3", "title": "The Fixture", "description": "Serves the tests.",
        "websiteUrl": "https://example.com/fixture",
        "icons": [{"src": "https://example.com/icon.png", "mimeType": "image/png", "sizes": ["48x48"]}],
    });
    let expected = json!({
        "resultType": "complete",
        "supportedVersions": ["2026-07-28"],
        "capabilities": {
            "tools": {"listChanged": true}, "prompts": {"listChanged": true},
            "resources": {"listChanged": true, "subscribe": true}, "completions": {}, "logging": {},
        },
        "instructions": "Be careful.",
        "ttlMs": 0,
        "cacheScope": "private",
        "_meta": {"io.modelcontextprotocol/serverInfo": identity},
    });
    assert_eq!(result, expected);
}

#[test]
fn lists_and_reads_say_how_long_they_may_be_kept_and_nothing_else_does() {
    let mut session = open(Revision::V2026_07_28);
    for method in ["server/discover", "tools/list", "prompts/list", "resources/list", "resources/templates/list"] {
        let result = session.ok(method, json!({}));
        assert_eq!(
            (&result["ttlMs"], &result["cacheScope"], &result["resultType"]),
            (&json!(0), &json!("private"), &json!("complete")),
            "{method}"
        );
    }
    let kept = session.ok("resources/read", json!({"uri": "json://direct"}));
    assert_eq!((&kept["ttlMs"], &kept["cacheScope"]), (&json!(300_000), &json!("public")));
    let not_kept = session.ok("resources/read", json!({"uri": "text://direct"}));
    assert_eq!((&not_kept["ttlMs"], &not_kept["cacheScope"]), (&json!(0), &json!("private")));
    for (method, params) in [
        ("tools/call", json!({"name": "fixed"})),
        ("prompts/get", json!({"name": "plain"})),
        (
            "completion/complete",
            json!({"ref": {"type": "ref/prompt", "name": "review"}, "argument": {"name": "language", "value": ""}}),
        ),
    ] {
        let result = session.ok(method, params);
        assert!(result.get("ttlMs").is_none() && result.get("cacheScope").is_none(), "{method}: {result}");
        assert_eq!(result["resultType"], "complete");
    }
}

#[test]
fn the_removed_methods_are_not_found() {
    let mut session = open(Revision::V2026_07_28);
    for method in [
        "initialize",
        "ping",
        "logging/setLevel",
        "resources/subscribe",
        "resources/unsubscribe",
        "tasks/list",
        "unknown/method",
    ] {
        assert_eq!(session.err(method, json!({"uri": "text://direct", "level": "info"}))["code"], -32601, "{method}");
    }
}

#[test]
fn logs_are_sent_only_to_the_request_that_asks() {
    let mut session = open(Revision::V2026_07_28);
    session.text_or_nothing("logs");
    assert_eq!(session.notifications(), Vec::<Value>::new(), "who asks for no logs hears none");
    for (level, count) in [("debug", 9), ("error", 5), ("emergency", 2)] {
        session.ok("tools/call", json!({"name": "logs", "_meta": {LEVEL: level}}));
        assert_eq!(session.notifications().len(), count, "{level}");
    }
    assert_eq!(session.err("tools/call", json!({"name": "logs", "_meta": {LEVEL: "loud"}}))["code"], -32602);
    assert_eq!(session.err("tools/list", json!({"_meta": {LEVEL: 7}}))["code"], -32602);
}

#[test]
fn both_eras_interleave_on_one_stream() {
    let mut session = open(Revision::V2025_03_26);
    let switch = |session: &mut mcp_tests::Session, revision| session.revision = revision;
    for _ in 0..3 {
        switch(&mut session, Revision::V2026_07_28);
        assert_eq!(session.ok("server/discover", json!({}))["resultType"], "complete");
        assert_eq!(session.call("numbers", json!({}))["structuredContent"], json!([1, 2, 3]));
        assert_eq!(session.err("ping", json!({}))["code"], -32601);
        assert_eq!(session.err("resources/read", json!({"uri": "note://9"}))["code"], -32602);
        switch(&mut session, Revision::V2025_03_26);
        assert_eq!(session.ok("ping", json!({})), json!({}));
        let result = session.call("numbers", json!({}));
        assert!(result.get("structuredContent").is_none() && result.get("resultType").is_none(), "{result}");
        assert_eq!(session.err("resources/read", json!({"uri": "note://9"}))["code"], -32002);
    }
    // A session's log level is none of the other era's business, and the other way round.
    session.ok("logging/setLevel", json!({"level": "debug"}));
    switch(&mut session, Revision::V2026_07_28);
    session.text_or_nothing("logs");
    assert_eq!(session.notifications(), Vec::<Value>::new());
}

/// What one request says holds for that request, and what a session agreed on for its own.
#[test]
fn no_request_inherits_who_asks_from_another() {
    let mut process = start(&[]);
    let params = json!({
        "protocolVersion": "2025-11-25", "capabilities": {"elicitation": {}}, "clientInfo": {"name": "old", "version": "1"},
    });
    process.send(&json!({"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": params}));
    process.receive();
    let asking = json!({VERSION: "2026-07-28", CAPABILITIES: {"elicitation": {}}, "io.modelcontextprotocol/clientInfo": {"name": "new", "version": "2"}});
    let bare = json!({VERSION: "2026-07-28", CAPABILITIES: {}});
    for (meta, name, can_elicit) in [
        (asking, "new", true),
        (bare.clone(), "", false),
        (json!({"example.com/a": 1}), "old", true),
        (bare, "", false),
        (json!({}), "old", true),
    ] {
        process.send(
            &json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "about_me", "_meta": meta}}),
        );
        let answer = process.receive();
        let told: Value = serde_json::from_str(answer["result"]["content"][0]["text"].as_str().unwrap()).unwrap();
        assert_eq!((&told["name"], &told["can_elicit"]), (&json!(name), &json!(can_elicit)), "{meta}: {answer}");
    }
}

#[test]
fn a_client_may_probe_and_then_fall_back() {
    let mut session = mcp_tests::Session::over(start(&[]), Revision::V2026_07_28);
    assert_eq!(session.ok("server/discover", json!({}))["supportedVersions"], json!(["2026-07-28"]));
    session.revision = Revision::V2024_11_05;
    assert_eq!(session.initialize()["protocolVersion"], "2024-11-05");
    assert_eq!(session.text("add", json!({"a": 1, "b": 2})), "3");
}

#[test]
fn ids_keep_their_json_type() {
    for revision in [Revision::V2024_11_05, Revision::V2026_07_28] {
        let mut session = open(revision);
        for id in [
            "\"abc\"",
            "\"1\"",
            "\"\"",
            "1",
            "0",
            "-5",
            "9223372036854775807",
            "9223372036854775808",
            "18446744073709551615",
            r#""é\n😀""#,
        ] {
            let params = session.params(json!({"name": "fixed"}));
            session.process.line(&format!(r#"{{"id":{id},"jsonrpc":"2.0","params":{params},"method":"tools/call"}}"#));
            let line = session.process.next_line(std::time::Duration::from_secs(30)).unwrap();
            let expected = serde_json::from_str::<Value>(id).unwrap();
            assert_eq!(serde_json::from_str::<Value>(&line).unwrap()["id"], expected, "{line}");
            assert!(line.contains("fixed"), "{line}");
        }
    }
}
