//! Reading resources: templates, percent-decoding, refusals, and what is not there.

use mcp_tests::{Revision, Session};
use serde_json::{Value, json};

use super::{calls::strip_era, on_every_revision, open};

fn contents(session: &mut Session, uri: &str) -> Value {
    let mut result = session.ok("resources/read", json!({"uri": uri}));
    result.as_object_mut().unwrap().retain(|key, _| key != "ttlMs" && key != "cacheScope");
    strip_era(session.revision, &mut result);
    let keys: Vec<&String> = result.as_object().unwrap().keys().collect();
    assert_eq!(keys, ["contents"]);
    result["contents"].take()
}

/// The one text at a URI.
fn text(session: &mut Session, uri: &str) -> String {
    let contents = contents(session, uri);
    assert_eq!(contents[0]["uri"], uri, "the URI that was read: {contents}");
    contents[0]["text"].as_str().unwrap_or_else(|| panic!("{contents}")).to_owned()
}

fn refusal(session: &mut Session, uri: &str) -> Value {
    session.err("resources/read", json!({"uri": uri}))
}

fn not_found(session: &mut Session, uri: &str) {
    let error = refusal(session, uri);
    let code = if session.revision.is_modern() { -32602 } else { -32002 };
    assert_eq!((&error["code"], &error["data"]), (&json!(code), &json!({"uri": uri})), "{error}");
}

#[test]
fn contents_have_the_media_type_of_what_is_returned() {
    on_every_revision(|session| {
        assert_eq!(
            contents(session, "text://direct"),
            json!([{"uri": "text://direct", "mimeType": "text/plain", "text": "direct"}])
        );
        assert_eq!(
            contents(session, "bytes://direct"),
            json!([{"uri": "bytes://direct", "mimeType": "application/octet-stream", "blob": "AJ+Slg=="}])
        );
        assert_eq!(
            contents(session, "json://direct"),
            json!([{"uri": "json://direct", "mimeType": "application/json", "text": "{\"a\":1}"}])
        );
        let mut own = json!([
            {"uri": "own://direct", "mimeType": "text/markdown", "text": "# One"},
            {"uri": "own://direct/two", "mimeType": "text/plain", "text": "two", "_meta": {"example.com/a": 1}},
        ]);
        if session.revision < Revision::V2025_06_18 {
            own[1].as_object_mut().unwrap().remove("_meta");
        }
        assert_eq!(contents(session, "own://direct"), own);
        assert_eq!(
            contents(session, "note://1"),
            json!([{"uri": "note://1", "mimeType": "text/markdown", "text": "note 1"}])
        );
    });
}

#[test]
fn what_is_not_there_has_the_code_of_the_era() {
    on_every_revision(|session| {
        not_found(session, "note://7");
        not_found(session, "nothing://here");
        not_found(session, "");
        not_found(session, "text://direct/more");
        assert_eq!(refusal(session, "fail://protocol"), json!({"code": 77, "message": "refused"}));
        let internal = refusal(session, "fail://disk");
        assert_eq!((&internal["code"], &internal["message"]), (&json!(-32603), &json!("the disk is full")));
        for params in [json!({}), json!({"uri": 5}), json!({"uri": null}), json!({"uri": ["text://direct"]})] {
            assert_eq!(session.err("resources/read", params)["code"], -32602);
        }
    });
}

#[test]
fn variables_are_decoded() {
    let mut session = open(Revision::V2025_11_25);
    for (written, value) in [
        ("users://ada/profile", "ada"),
        ("users://a%20b/profile", "a b"),
        ("users://a%2Fb/profile", "a/b"),
        ("users://a%2fb/profile", "a/b"),
        ("users://%C3%A9/profile", "é"),
        ("users://é/profile", "é"),
        ("users://a+b/profile", "a+b"),
        ("users://100%25/profile", "100%"),
        ("users://root%20/profile", "root "),
        ("users://root/profile", "the root user"),
    ] {
        assert_eq!(text(&mut session, written), value, "{written}");
    }
    for strange in [
        "users:///profile",
        "users://a/b/profile",
        "users://a/profile/",
        "users://a/profile?x=1",
        "users://a",
        "USERS:/a/profile",
    ] {
        not_found(&mut session, strange);
    }
    // Escapes that are none: refused or taken as they stand, never a crash and never a wrong character.
    for broken in ["users://%/profile", "users://%zz/profile", "users://%c3/profile", "users://%00/profile"] {
        let outcome = session.request("resources/read", json!({"uri": broken}));
        if let Ok(result) = outcome {
            assert!(!result["contents"][0]["text"].as_str().unwrap().contains('\u{fffd}'), "{broken}: {result}");
        }
    }
}

#[test]
fn typed_variables_refuse_what_does_not_fit() {
    let mut session = open(Revision::V2026_07_28);
    // One resource has one URI: `02` is no second way to write `2`.
    for bad in ["note://02", "note://-1", "note://one", "note://1.5", "note://99999999999999999999", "note://%20"] {
        let error = refusal(&mut session, bad);
        assert_eq!(error["code"], -32602, "{bad}: {error}");
        assert!(error["message"].as_str().unwrap().contains("/id"), "{error}");
    }
    assert_eq!(text(&mut session, "colour://green"), "#0f0");
    let error = refusal(&mut session, "colour://mauve");
    let message = error["message"].as_str().unwrap();
    for part in ["/colour", "mauve", "red", "green", "blue"] {
        assert!(message.contains(part), "{message}");
    }
}

#[test]
fn queries_segments_and_fragments_match_in_their_ways() {
    let mut session = open(Revision::V2025_06_18);
    for (uri, expected) in [
        ("search://all", "None 10"),
        ("search://all?text=a%26b", "Some(\"a&b\") 10"),
        ("search://all?limit=5", "None 5"),
        ("search://all?limit=5&text=x", "Some(\"x\") 5"),
        ("search://all?text=", "Some(\"\") 10"),
        ("tree://root/x", "x None"),
        ("tree://root/x/y%2Fz", "x Some(\"y/z\")"),
        ("page://main", "None"),
        ("page://main#two%20words", "Some(\"two words\")"),
    ] {
        assert_eq!(text(&mut session, uri), expected, "{uri}");
    }
    not_found(&mut session, "tree://root/x/y/z");
    assert_eq!(refusal(&mut session, "search://all?limit=many")["code"], -32602);
}

#[test]
fn a_path_cannot_leave_its_root() {
    let mut session = open(Revision::V2025_11_25);
    assert_eq!(text(&mut session, "files:///a/b%20c.txt"), "a/b c.txt");
    assert_eq!(text(&mut session, "files:///a/..b/...c"), "a/..b/...c");
    for wicked in [
        "files:///../etc/passwd",
        "files:///a/../../etc",
        "files:///..",
        "files:///.",
        "files:///a/./b",
        "files:///%2e%2e/etc",
        "files:///..%2f..%2fetc",
        "files:///a%2f..%2fb",
        "files:///a%5c..%5cb",
        "files:///a\\..\\b",
        "files:///a%00b",
        "wide://root/a/../b",
        "wide://root/%2E%2E",
    ] {
        let error = refusal(&mut session, wicked);
        assert!(error["code"] == -32602 || error["code"] == -32002, "{wicked}: {error}");
    }
}

#[test]
fn a_long_hostile_uri_is_matched_in_linear_time() {
    let mut session = open(Revision::V2025_11_25);
    let before = session.process.processor_ticks();
    for uri in [
        "-".repeat(1 << 20),
        format!("users://{}", "%2e".repeat(1 << 18)),
        format!("tree://root{}", "/a".repeat(1 << 18)),
        format!("search://all?{}", "&text=".repeat(1 << 16)),
    ] {
        drop(session.request("resources/read", json!({"uri": uri})));
    }
    // Its own time, whatever else the machine does. What is quadratic takes hours.
    let ticks = session.process.processor_ticks() - before;
    assert!(ticks < 1000, "{ticks} ticks of 10 ms");
}
