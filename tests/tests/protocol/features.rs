//! Prompts, completion, and the texts of masked errors.

use mcp_tests::{Revision, Session};
use serde_json::{Value, json};

use super::{calls::strip_era, on_every_revision, open, open_with};

fn prompt(session: &mut Session, name: &str, arguments: Value) -> Value {
    let mut result = session.ok("prompts/get", json!({"name": name, "arguments": arguments}));
    strip_era(session.revision, &mut result);
    result
}

#[test]
fn prompts_give_messages() {
    on_every_revision(|session| {
        let revision = session.revision;
        let said = |text: &str| json!({"role": "user", "content": {"type": "text", "text": text}});
        assert_eq!(
            prompt(session, "plain", json!({})),
            json!({"description": "One text.", "messages": [said("plain")]})
        );
        let bare = session.ok("prompts/get", json!({"name": "plain"}));
        assert_eq!(bare["messages"][0], said("plain"));
        assert_eq!(
            prompt(session, "review", json!({"code": "42", "language": "rust", "depth": "7"})),
            json!({"description": "Review some code.", "messages": [
                said("Review 42 in rust to 7"),
                {"role": "assistant", "content": {"type": "image", "data": "AQ==", "mimeType": "image/png"}},
            ]})
        );
        assert_eq!(prompt(session, "review", json!({"code": ""}))["messages"][0], said("Review  in  to 3"));
        let kinds: Vec<String> = prompt(session, "several", json!({}))["messages"]
            .as_array()
            .unwrap()
            .iter()
            .map(|message| message["content"]["type"].as_str().unwrap().to_owned())
            .collect();
        let sound = if revision == Revision::V2024_11_05 { "resource" } else { "audio" };
        let link = if revision >= Revision::V2025_06_18 { "resource_link" } else { "text" };
        assert_eq!(kinds, ["text", sound, link]);
    });
}

#[test]
fn a_prompts_text_stays_what_was_sent() {
    let mut session = open(Revision::V2025_11_25);
    for text in ["42", "true", "null", "[1]", "{}", "", "\"quoted\"", "1.50"] {
        let got = prompt(&mut session, "review", json!({"code": text}));
        assert_eq!(got["messages"][0]["content"]["text"], format!("Review {text} in  to 3"));
    }
}

#[test]
fn prompts_refuse_what_does_not_fit() {
    on_every_revision(|session| {
        let mut refused = |params: Value| {
            let error = session.err("prompts/get", params.clone());
            assert_eq!(error["code"], -32602, "{params}: {error}");
            error["message"].as_str().unwrap().to_owned()
        };
        assert!(refused(json!({"name": "review"})).contains("/code"));
        assert!(refused(json!({"name": "review", "arguments": {"code": "x", "depth": "deep"}})).contains("/depth"));
        let size = refused(json!({"name": "choose", "arguments": {"size": "huge", "number": "1"}}));
        assert!(size.contains("small") && size.contains("huge"), "{size}");
        assert!(refused(json!({"name": "no_such_prompt"})).contains("no_such_prompt"));
        refused(json!({"name": "review", "arguments": ["code"]}));
        refused(json!({"name": "review", "arguments": {"code": {"a": 1}}}));
        refused(json!({"name": 5}));
        refused(json!({}));
        assert_eq!(
            session.err("prompts/get", json!({"name": "failing", "arguments": {"how": "protocol"}}))["code"],
            78
        );
        assert_eq!(
            session.err("prompts/get", json!({"name": "failing", "arguments": {"how": "else"}})),
            json!({"code": -32603, "message": "no idea"})
        );
    });
}

fn complete(session: &mut Session, reference: Value, name: &str, value: &str, context: Value) -> Value {
    let mut result = session.ok(
        "completion/complete",
        json!({"ref": reference, "argument": {"name": name, "value": value}, "context": context}),
    );
    strip_era(session.revision, &mut result);
    result["completion"].take()
}

#[test]
fn candidates_come_from_functions_and_from_closed_types() {
    on_every_revision(|session| {
        let review = json!({"type": "ref/prompt", "name": "review"});
        let choose = json!({"type": "ref/prompt", "name": "choose"});
        let colour = json!({"type": "ref/resource", "uri": "colour://{colour}"});
        let found = complete(session, review.clone(), "language", "ru", json!(null));
        assert_eq!(found["values"], json!(["rust", "ruby", "state 0"]));
        let found = complete(session, review.clone(), "language", "p", json!({"arguments": {"code": "x"}}));
        assert_eq!(found["values"], json!(["python", "for x", "state 0"]));
        assert_eq!(complete(session, review, "code", "", json!({}))["values"], json!([]));
        assert_eq!(complete(session, choose.clone(), "size", "m", json!(null))["values"], json!(["medium"]));
        assert_eq!(
            complete(session, choose.clone(), "size", "", json!(null))["values"],
            json!(["small", "medium", "large"])
        );
        let many = complete(session, choose, "number", "", json!(null));
        assert_eq!(many["values"].as_array().unwrap().len(), 100);
        assert_eq!((&many["total"], &many["hasMore"]), (&json!(250), &json!(true)));
        assert_eq!(complete(session, colour, "colour", "", json!(null))["values"], json!(["red", "green", "blue"]));
    });
}

#[test]
fn completion_refuses_what_it_does_not_know() {
    on_every_revision(|session| {
        let argument = json!({"name": "language", "value": ""});
        for (reference, argument) in [
            (json!({"type": "ref/prompt", "name": "no_such"}), argument.clone()),
            (json!({"type": "ref/resource", "uri": "no://such"}), argument.clone()),
            (json!({"type": "ref/tool", "name": "review"}), argument.clone()),
            (json!({"type": "ref/prompt"}), argument.clone()),
            (json!(["ref/prompt", "review"]), argument.clone()),
            (json!(null), argument.clone()),
            (json!({"type": "ref/prompt", "name": "review"}), json!({"name": "no_such", "value": ""})),
            (json!({"type": "ref/prompt", "name": "review"}), json!({"name": "language"})),
            (json!({"type": "ref/prompt", "name": "review"}), json!({"name": "language", "value": 5})),
            (json!({"type": "ref/prompt", "name": "review"}), json!(["language", ""])),
        ] {
            let error = session.err("completion/complete", json!({"ref": reference, "argument": argument}));
            assert_eq!(error["code"], -32602, "{reference} {argument}: {error}");
        }
        // What there is instead is said.
        let mut told = |reference: Value, name: &str| {
            let params = json!({"ref": reference, "argument": {"name": name, "value": ""}});
            session.err("completion/complete", params)["message"].as_str().unwrap().to_owned()
        };
        let argument = told(json!({"type": "ref/prompt", "name": "review"}), "who_knows");
        assert_eq!(argument, "Unknown argument: who_knows, expected one of `code`, `language`, `depth`");
        let prompt = told(json!({"type": "ref/prompt", "name": "who knows"}), "x");
        assert!(prompt.starts_with("Unknown prompt: who knows, expected one of `choose`, "), "{prompt}");
        let template = told(json!({"type": "ref/resource", "uri": "who://knows"}), "x");
        assert!(template.contains(", expected one of `") && template.contains("`note://{id}`"), "{template}");
        let failing =
            json!({"ref": {"type": "ref/prompt", "name": "choose"}, "argument": {"name": "text", "value": ""}});
        assert_eq!(
            session.err("completion/complete", failing),
            json!({"code": -32603, "message": "no candidates today"})
        );
    });
}

#[test]
fn masked_errors_are_a_number_to_the_client_and_a_text_in_the_log() {
    let mut session = open_with(Revision::V2025_11_25, &[("FIXTURE_MASK", "1")]);
    let shown = session.failure("error_text", json!({}));
    let reference = shown.rsplit(' ').next().unwrap().to_owned();
    assert!(!shown.contains("it failed") && reference.len() == 8, "{shown}");
    let resource = session.err("resources/read", json!({"uri": "fail://disk"}));
    assert!(!resource["message"].as_str().unwrap().contains("disk"), "{resource}");
    // What the client itself has done wrong, and errors made for it, are not masked.
    assert!(session.failure("add", json!({"a": "x", "b": 1})).contains("/a"));
    assert_eq!(session.err("tools/call", json!({"name": "error_protocol"}))["message"], "mine");
    session.process.rest();
    session.process.ended();
    let log = session.process.errors();
    assert!(log.lines().any(|line| line.contains(&reference) && line.contains("it failed")), "{log}");
    assert!(log.contains("the disk is full"), "{log}");
}
