//! The script that every revision runs over every kind of stream: tools of each return type and each kind of error.

use mcp_tests::{Revision, Session};
use serde_json::{Value, json};

use super::on_every_revision;

/// A tool's result without what the era adds.
fn result(session: &mut Session, name: &str, arguments: Value) -> Value {
    let mut result = session.call(name, arguments);
    strip_era(session.revision, &mut result);
    result
}

/// Checks what 2026-07-28 adds to every result, and takes it away.
pub(super) fn strip_era(revision: Revision, result: &mut Value) {
    let result = result.as_object_mut().expect("a result is an object");
    if !revision.is_modern() {
        assert!(
            !result.contains_key("resultType") && !result.contains_key("ttlMs") && !result.contains_key("cacheScope"),
            "{result:?}"
        );
        return;
    }
    assert_eq!(result.remove("resultType"), Some(json!("complete")), "{result:?}");
    let meta = result.get_mut("_meta").and_then(Value::as_object_mut).expect("`_meta`");
    let server = meta.remove("io.modelcontextprotocol/serverInfo").expect("who answers");
    assert_eq!((&server["name"], &server["version"]), (&json!("fixture"), &json!("1.2.3")));
    if meta.is_empty() {
        result.remove("_meta");
    }
}

fn text(text: &str) -> Value {
    json!({"content": [{"type": "text", "text": text}]})
}

fn failed(text: &str) -> Value {
    json!({"content": [{"type": "text", "text": text}], "isError": true})
}

#[test]
fn values_become_text_as_json_writes_them() {
    on_every_revision(|session| {
        assert_eq!(result(session, "echo", json!({"text": "a\n\"é\u{2028}😀"})), text("a\n\"é\u{2028}😀"));
        assert_eq!(result(session, "add", json!({"a": 12, "b": 30})), text("42"));
        assert_eq!(result(session, "nothing", json!({})), json!({"content": []}));
        assert_eq!(result(session, "whole", json!({})), text("3.0"));
        assert_eq!(result(session, "not_a_number", json!({})), text("NaN"));
        assert_eq!(result(session, "truth", json!({})), text("true"));
        assert_eq!(result(session, "fixed", json!({})), text("fixed"));
        assert_eq!(result(session, "cow", json!({})), text("cow"));
        assert_eq!(result(session, "label", json!({})), text("shelf"));
        assert_eq!(result(session, "match", json!({"in": "raw"})), text("raw"));
        assert_eq!(result(session, "query", json!({"text": "x", "limit": 2, "within": {"x": 1}})), text("x 2 true"));
        let without_arguments = session.ok("tools/call", json!({"name": "fixed"}));
        assert_eq!(without_arguments["content"][0]["text"], "fixed");
        let null_arguments = session.ok("tools/call", json!({"name": "fixed", "arguments": null}));
        assert_eq!(null_arguments["content"][0]["text"], "fixed");
    });
}

#[test]
fn structured_results_are_what_the_revision_knows() {
    on_every_revision(|session| {
        let revision = session.revision;
        let mut check = |name: &str, arguments: Value, value: Value, is_always_object: bool| {
            let mut expected = json!({"content": [{"type": "text", "text": value.to_string()}]});
            if revision.is_modern() {
                expected["structuredContent"] = value;
            } else if revision >= Revision::V2025_06_18 {
                expected["structuredContent"] = if is_always_object { value } else { json!({"result": value}) };
            }
            let mut got = result(session, name, arguments);
            // The order of members in the text is the type's, not this test's.
            let mirrored: Value = serde_json::from_str(got["content"][0]["text"].as_str().unwrap()).unwrap();
            got["content"][0]["text"] = json!(mirrored.to_string());
            assert_eq!(got, expected, "{name}");
        };
        check("point", json!({}), json!({"x": 1, "y": null}), true);
        check("aliased", json!({"fail": false}), json!({"x": 2, "y": 3}), true);
        check("numbers", json!({}), json!([1, 2, 3]), false);
        check("scalar", json!({}), json!(7), false);
        check("perhaps", json!({"there": false}), json!(null), false);
        check("perhaps", json!({"there": true}), json!({"x": 1, "y": null}), false);
        check("either", json!({"object": true}), json!({"x": 1, "y": 2}), false);
        check("either", json!({"object": false}), json!(5), false);
        // An output schema does not oblige an error to have structured content.
        assert_eq!(result(session, "aliased", json!({"fail": true})), failed("no point"));
    });
}

#[test]
fn content_that_the_revision_lacks_is_converted() {
    on_every_revision(|session| {
        let revision = session.revision;
        let audio = |data: &str| {
            if revision == Revision::V2024_11_05 {
                json!({"type": "resource", "resource": {"uri": "embedded://audio", "mimeType": "audio/wav", "blob": data}})
            } else {
                json!({"type": "audio", "data": data, "mimeType": "audio/wav"})
            }
        };
        let has_links = revision >= Revision::V2025_06_18;
        assert_eq!(
            result(session, "image", json!({})),
            json!({"content": [{"type": "image", "data": "AQID", "mimeType": "image/png"}]})
        );
        assert_eq!(result(session, "audio", json!({})), json!({"content": [audio("AQID")]}));
        let link = result(session, "link", json!({}));
        let expected = if has_links {
            json!({"type": "resource_link", "uri": "note://1", "name": "one", "title": "One", "description": "The first", "mimeType": "text/plain", "size": 3})
        } else {
            json!({"type": "text", "text": "one: note://1"})
        };
        assert_eq!(link, json!({"content": [expected]}));
        assert_eq!(
            result(session, "embedded", json!({})),
            json!({"content": [{"type": "resource", "resource": {"uri": "note://1", "mimeType": "text/plain", "text": "body"}}]})
        );
        let mut hinted =
            json!({"type": "text", "text": "hinted", "annotations": {"audience": ["user"], "priority": 0.5}});
        if has_links {
            hinted["annotations"]["lastModified"] = json!("2026-01-01T00:00:00Z");
            hinted["_meta"] = json!({"example.com/a": 1});
        }
        assert_eq!(result(session, "content", json!({})), json!({"content": [hinted]}));
        let several = result(session, "contents", json!({}));
        let kinds: Vec<&str> =
            several["content"].as_array().unwrap().iter().map(|block| block["type"].as_str().unwrap()).collect();
        let (sound, link) = (
            if revision == Revision::V2024_11_05 { "resource" } else { "audio" },
            if has_links { "resource_link" } else { "text" },
        );
        assert_eq!(kinds, ["text", "image", sound, link]);
        let mut everything = text("text");
        if has_links {
            everything["structuredContent"] = json!({"a": 1});
            everything["_meta"] = json!({"example.com/b": "c"});
        }
        assert_eq!(result(session, "result", json!({})), everything);
    });
}

#[test]
fn errors_reach_the_model_and_protocol_errors_the_client() {
    on_every_revision(|session| {
        assert_eq!(result(session, "error_text", json!({})), failed("it failed"));
        assert_eq!(result(session, "error_chain", json!({})), failed("outer: outer: inner"));
        assert_eq!(result(session, "error_boxed", json!({})), failed("outer: inner"));
        assert_eq!(result(session, "error_protocol_hidden", json!({})), failed("outer"));
        let with_content = result(session, "error_result", json!({}));
        assert_eq!((&with_content["isError"], &with_content["content"][1]["type"]), (&json!(true), &json!("image")));
        let mut call = |name: &str| session.err("tools/call", json!({"name": name, "arguments": {}}));
        assert_eq!(call("error_protocol"), json!({"code": 1234, "message": "mine", "data": {"why": "because"}}));
        assert_eq!(call("error_protocol_inside"), json!({"code": -32602, "message": "deep"}));
        let unknown = call("no_such_tool");
        assert_eq!(unknown["code"], -32602);
        assert!(unknown["message"].as_str().unwrap().contains("no_such_tool"), "{unknown}");
        // Switched off is as good as not there.
        assert_eq!(call("hidden")["code"], -32602);
    });
}

#[test]
fn arguments_that_do_not_fit_are_a_tool_error_that_names_them_all() {
    on_every_revision(|session| {
        let faults = session.failure("add", json!({"a": "x", "b": 1.5}));
        for part in ["/a", "/b", "integer", "\"x\"", "1.5"] {
            assert!(faults.contains(part), "{part} in {faults}");
        }
        let missing = session.failure("add", json!({"a": 1}));
        assert!(missing.contains("/b") && missing.contains("missing") && missing.contains("integer"), "{missing}");
        let nested = session.failure("query", json!({"text": "a", "within": {"x": "no", "y": []}}));
        assert!(nested.contains("/within/x") && nested.contains("/within/y"), "{nested}");
    });
}

#[test]
fn a_malformed_call_is_an_error_of_the_request() {
    on_every_revision(|session| {
        for params in [
            json!({"name": "echo", "arguments": "text"}),
            json!({"name": "echo", "arguments": ["text"]}),
            json!({"name": "echo", "arguments": 5}),
            json!({"name": "echo", "arguments": true}),
            json!({"name": 5, "arguments": {}}),
            json!({"name": null}),
            json!({"arguments": {}}),
            json!({}),
        ] {
            assert_eq!(session.err("tools/call", params.clone())["code"], -32602, "{params}");
        }
        // Which of the two is meant is nobody's guess.
        let meta = session.params(json!({}))["_meta"].take();
        let meta = if meta.is_null() { String::new() } else { format!(r#","_meta":{meta}"#) };
        session.process.line(&format!(
            r#"{{"jsonrpc":"2.0","id":"twice","method":"tools/call","params":{{"name":"echo","arguments":{{"text":"a","text":"b"}}{meta}}}}}"#
        ));
        assert_eq!(session.response(&json!("twice"))["error"]["code"], -32602);
    });
}

#[test]
fn extractors_make_what_the_client_cannot_send() {
    on_every_revision(|session| {
        assert_eq!(session.text("caller", json!({"greeting": "Hello"})), "Hello, tests");
        // A client cannot forge what it does not own: the name is ignored.
        assert_eq!(session.text("caller", json!({"greeting": "Hello", "caller": "root"})), "Hello, tests");
        let faults = session.failure("caller", json!({}));
        assert!(faults.contains("/greeting"), "{faults}");
    });
}

#[test]
fn the_context_tells_who_asks_and_what_the_request_says() {
    on_every_revision(|session| {
        let revision = session.revision.as_str();
        let trace = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";
        let params = json!({
            "name": "about_me",
            "arguments": {},
            "_meta": {"traceparent": trace, "example.com/x": {"deep": [1]}},
        });
        let result = session.ok("tools/call", params);
        let told: Value = serde_json::from_str(result["content"][0]["text"].as_str().unwrap()).unwrap();
        assert_eq!(
            (&told["name"], &told["version"], &told["revision"]),
            (&json!("tests"), &json!("1.0"), &json!(revision))
        );
        assert_eq!(
            (&told["traceparent"], &told["can_elicit"], &told["deadline"]),
            (&json!(trace), &json!(false), &json!(false))
        );
        assert_eq!(told["meta"]["example.com/x"], json!({"deep": [1]}));
    });
}

#[test]
fn progress_rises_strictly_and_goes_to_the_right_token() {
    on_every_revision(|session| {
        let revision = session.revision;
        for token in [json!("a-token"), json!(7), json!(0), json!("")] {
            let params = json!({"name": "progress", "arguments": {}, "_meta": {"progressToken": token}});
            assert_eq!(session.ok("tools/call", params)["content"][0]["text"], "reported");
            let mut expected = vec![
                json!({"progressToken": token, "progress": 1, "total": 4}),
                json!({"progressToken": token, "progress": 2.5, "total": 4, "message": "half"}),
                json!({"progressToken": token, "progress": 3}),
                json!({"progressToken": token, "progress": 4, "total": 4, "message": "done"}),
            ];
            if revision == Revision::V2024_11_05 {
                for report in &mut expected {
                    report.as_object_mut().unwrap().remove("message");
                }
            }
            let reports: Vec<Value> = session
                .notifications()
                .into_iter()
                .map(|mut message| {
                    assert_eq!(message["method"], "notifications/progress");
                    message["params"].take()
                })
                .collect();
            assert_eq!(reports, expected);
        }
        // Nobody asked, or asked in a way that cannot be answered.
        session.text("progress", json!({}));
        session.ok(
            "tools/call",
            json!({"name": "progress", "arguments": {}, "_meta": {"progressToken": {"no": "token"}}}),
        );
        assert_eq!(session.notifications(), Vec::<Value>::new());
    });
}
