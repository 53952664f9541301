//! What changes while the server runs, and who hears of it.

use mcp_tests::{Link, Revision, Session};
use serde_json::{Value, json};

use super::{FIXTURE, open};

const SUBSCRIPTION: &str = "io.modelcontextprotocol/subscriptionId";

fn change(session: &mut Session, what: &str) {
    assert_eq!(session.text("change", json!({"what": what})), "");
}

#[test]
fn a_session_hears_of_each_kind_of_list_and_sees_what_changed() {
    for link in Link::ALL {
        for revision in Revision::ALL.into_iter().filter(|revision| !revision.is_modern()) {
            let mut session = Session::open(FIXTURE, link, revision, &[]);
            let changes = [
                ("tool", "tools/list", "tools", "added"),
                ("prompt", "prompts/list", "prompts", "added"),
                ("resource", "resources/list", "resources", "added"),
                ("template", "resources/templates/list", "resourceTemplates", "many"),
            ];
            for (what, method, member, name) in changes {
                change(&mut session, what);
                let kind = method.split('/').next().unwrap();
                let heard = session.notified(&format!("notifications/{kind}/list_changed"));
                assert!(heard.get("params").is_none_or(|params| params.get("_meta").is_none()), "untagged: {heard}");
                let listed = session.ok(method, json!({}));
                assert!(listed[member].as_array().unwrap().iter().any(|entry| entry["name"] == name), "{listed}");
            }
            assert_eq!(session.text("added", json!({})), "added");
            assert_eq!(session.ok("resources/read", json!({"uri": "added://one"}))["contents"][0]["text"], "added");
            let many = session.ok("resources/read", json!({"uri": "added://many/a%20b"}));
            assert!(many["contents"][0]["text"].as_str().unwrap().contains("a b"), "{many}");
            let prompt = session.ok("prompts/get", json!({"name": "added", "arguments": {"x": "y"}}));
            assert!(prompt["messages"][0]["content"]["text"].as_str().unwrap().contains('y'), "{prompt}");
            assert_eq!(session.err("prompts/get", json!({"name": "added"}))["code"], -32602);
            change(&mut session, "tool away");
            session.notified("notifications/tools/list_changed");
            assert_eq!(session.err("tools/call", json!({"name": "added"}))["code"], -32602);
        }
    }
}

#[test]
fn what_is_no_change_is_not_announced() {
    let mut session = open(Revision::V2025_11_25);
    change(&mut session, "tool away");
    change(&mut session, "disable");
    change(&mut session, "enable");
    session.notified("notifications/tools/list_changed");
    assert_eq!(session.text("hidden", json!({})), "seen");
    change(&mut session, "enable");
    change(&mut session, "tool");
    session.notified("notifications/tools/list_changed");
    let taken = session.failure("change", json!({"what": "tool"}));
    assert!(taken.contains("added") && taken.contains("already"), "{taken}");
    change(&mut session, "prompt");
    session.notified("notifications/prompts/list_changed");
    assert_eq!(session.notifications(), Vec::<Value>::new());
}

#[test]
fn a_burst_is_one_announcement_or_two() {
    for revision in [Revision::V2025_11_25, Revision::V2026_07_28] {
        let mut session = open(revision);
        if revision.is_modern() {
            listen(&mut session, json!({"toolsListChanged": true, "promptsListChanged": true}));
        }
        change(&mut session, "burst");
        session.notified("notifications/tools/list_changed");
        // The prompt's announcement comes after all of the burst's.
        change(&mut session, "prompt");
        session.notified("notifications/prompts/list_changed");
        let more = session.notifications();
        assert!(more.len() <= 2, "coalesced: {more:?}");
    }
}

#[test]
fn nothing_is_announced_before_the_session_has_begun() {
    let mut session = Session::over(mcp_tests::Process::start(FIXTURE, Link::Pipe, &[]), Revision::V2025_11_25);
    session.ok("initialize", json!({"protocolVersion": "2025-11-25"}));
    change(&mut session, "tool");
    // A change that is announced, to be sure that the one before it was not.
    session.notify("notifications/initialized", &json!({}));
    change(&mut session, "prompt");
    session.notified("notifications/prompts/list_changed");
    let heard = session.notifications();
    assert!(heard.len() <= 1, "{heard:?}");
}

#[test]
fn updates_go_to_those_who_subscribed() {
    for revision in Revision::ALL.into_iter().filter(|revision| !revision.is_modern()) {
        let mut session = open(revision);
        assert_eq!(session.ok("resources/subscribe", json!({"uri": "test://a"})), json!({}));
        assert_eq!(session.ok("resources/subscribe", json!({"uri": "test://a"})), json!({}));
        assert_eq!(session.ok("resources/subscribe", json!({"uri": "test://b"})), json!({}));
        change(&mut session, "test://a");
        let heard = session.notified("notifications/resources/updated");
        assert_eq!(heard["params"], json!({"uri": "test://a"}));
        assert_eq!(session.ok("resources/unsubscribe", json!({"uri": "test://a"})), json!({}));
        assert_eq!(session.ok("resources/unsubscribe", json!({"uri": "test://never"})), json!({}));
        change(&mut session, "test://a");
        change(&mut session, "test://other");
        change(&mut session, "test://b");
        assert_eq!(session.notified("notifications/resources/updated")["params"], json!({"uri": "test://b"}));
        assert_eq!(session.notifications(), Vec::<Value>::new());
        for bad in [json!({}), json!({"uri": 5}), json!({"uri": null})] {
            assert_eq!(session.err("resources/subscribe", bad)["code"], -32602);
        }
    }
}

fn listen(session: &mut Session, filter: Value) -> i64 {
    session.begin("subscriptions/listen", json!({"notifications": filter}))
}

fn acknowledged(session: &mut Session, id: &Value) -> Value {
    let mut heard = session.notified("notifications/subscriptions/acknowledged");
    assert_eq!(heard["params"]["_meta"], json!({SUBSCRIPTION: id}));
    heard["params"]["notifications"].take()
}

#[test]
fn a_subscription_is_acknowledged_first_with_what_is_honoured() {
    let mut session = open(Revision::V2026_07_28);
    let everything = json!({
        "toolsListChanged": true, "promptsListChanged": false, "resourcesListChanged": true,
        "resourceSubscriptions": ["test://a"], "taskIds": ["t"], "unknown": true,
    });
    let id = listen(&mut session, everything);
    change(&mut session, "tool");
    assert_eq!(
        acknowledged(&mut session, &json!(id)),
        json!({"toolsListChanged": true, "resourcesListChanged": true, "resourceSubscriptions": ["test://a"]})
    );
    let heard = session.notified("notifications/tools/list_changed");
    assert_eq!(heard["params"], json!({"_meta": {SUBSCRIPTION: id}}));
    change(&mut session, "prompt");
    change(&mut session, "test://b");
    change(&mut session, "test://a");
    let heard = session.notified("notifications/resources/updated");
    assert_eq!(heard["params"], json!({"uri": "test://a", "_meta": {SUBSCRIPTION: id}}));
    assert_eq!(session.notifications(), Vec::<Value>::new(), "nothing that was not asked for");
}

#[test]
fn an_empty_filter_is_acknowledged_and_held() {
    let mut session = open(Revision::V2026_07_28);
    let id = listen(&mut session, json!({}));
    assert_eq!(acknowledged(&mut session, &json!(id)), json!({}));
    change(&mut session, "tool");
    assert_eq!(session.notifications(), Vec::<Value>::new());
    assert!(!session.has_response(&json!(id)));
}

#[test]
fn a_filter_of_the_wrong_shape_is_refused() {
    let mut session = open(Revision::V2026_07_28);
    for params in [
        json!({}),
        json!({"notifications": null}),
        json!({"notifications": []}),
        json!({"notifications": {"toolsListChanged": "yes"}}),
        json!({"notifications": {"resourceSubscriptions": "test://a"}}),
        json!({"notifications": {"resourceSubscriptions": [5]}}),
    ] {
        assert_eq!(session.err("subscriptions/listen", params.clone())["code"], -32602, "{params}");
    }
    assert_eq!(session.notifications(), Vec::<Value>::new());
}

#[test]
fn every_subscription_hears_with_its_own_tag_of_its_own_type() {
    let mut session = open(Revision::V2026_07_28);
    let mut ids = Vec::new();
    for id in [json!("seven"), json!(7), json!("7"), json!(0)] {
        let params = session.params(json!({"notifications": {"toolsListChanged": true}}));
        session.process.send(&json!({"jsonrpc": "2.0", "id": id, "method": "subscriptions/listen", "params": params}));
        assert_eq!(acknowledged(&mut session, &id), json!({"toolsListChanged": true}));
        ids.push(id);
    }
    change(&mut session, "tool");
    let mut tags: Vec<String> = (0..4)
        .map(|_| session.notified("notifications/tools/list_changed")["params"]["_meta"][SUBSCRIPTION].to_string())
        .collect();
    tags.sort();
    let mut expected: Vec<String> = ids.iter().map(Value::to_string).collect();
    expected.sort();
    assert_eq!(tags, expected);
    // An id that a subscription holds is in use.
    let params = session.params(json!({"name": "fixed"}));
    session.process.send(&json!({"jsonrpc": "2.0", "id": "seven", "method": "tools/call", "params": params}));
    assert_eq!(session.response(&json!("seven"))["error"]["code"], -32600);
}

#[test]
fn the_id_of_a_call_under_way_opens_no_subscription() {
    let mut session = open(Revision::V2026_07_28);
    let id = session.begin("tools/call", json!({"name": "wait", "arguments": {"name": "bell"}}));
    let params = session.params(json!({"notifications": {"toolsListChanged": true}}));
    let listen = json!({"jsonrpc": "2.0", "id": id, "method": "subscriptions/listen", "params": params});
    session.process.send(&listen);
    assert_eq!(session.outcome(id).unwrap_err()["code"], -32600);
    session.text("ring", json!({"name": "bell"}));
    assert_eq!(session.outcome(id).unwrap()["content"][0]["text"], "bell");
    assert_eq!(session.notifications(), Vec::<Value>::new());
    // Now it is free.
    session.process.send(&listen);
    acknowledged(&mut session, &json!(id));
}

/// The same client's, so one id means one request: of whichever era, and alone or in a batch.
#[test]
fn the_id_of_a_subscription_is_no_requests_of_a_session() {
    let mut session = open(Revision::V2025_03_26);
    session.revision = Revision::V2026_07_28;
    let id = listen(&mut session, json!({"toolsListChanged": true}));
    acknowledged(&mut session, &json!(id));
    session.revision = Revision::V2025_03_26;
    let call = json!({"name": "add", "arguments": {"a": 1, "b": 2}});
    for (method, params) in [
        ("ping", json!({})),
        ("tools/call", call.clone()),
        ("tools/list", json!({})),
        ("initialize", json!({"protocolVersion": "2025-03-26"})),
    ] {
        let request = json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params});
        session.process.send(&request);
        let refused = session.response(&json!(id));
        assert_eq!(refused["error"]["code"], -32600, "{method}: {refused}");
        assert!(refused["error"]["message"].as_str().unwrap().contains("subscription"), "{refused}");
    }
    // The text is another id than the number.
    let text = id.to_string();
    session.process.send(&json!([
        {"jsonrpc": "2.0", "id": id, "method": "tools/call", "params": call},
        {"jsonrpc": "2.0", "id": text, "method": "ping"},
    ]));
    let mut answers = session.process.receive();
    answers.as_array_mut().unwrap().sort_by_key(|answer| answer["id"].is_string());
    assert_eq!((&answers[0]["error"]["code"], &answers[1]["result"]), (&json!(-32600), &json!({})), "{answers}");
    // It goes on, and its id is free when it has been cancelled.
    change(&mut session, "tool");
    for _ in 0..2 {
        session.notified("notifications/tools/list_changed");
    }
    session.cancel(&json!(id));
    session.process.send(&json!({"jsonrpc": "2.0", "id": id, "method": "ping"}));
    assert_eq!(session.response(&json!(id))["result"], json!({}));
}

#[test]
fn a_cancelled_subscription_is_silent_and_the_others_go_on() {
    let mut session = open(Revision::V2026_07_28);
    let filter = json!({"toolsListChanged": true});
    let (first, second) = (listen(&mut session, filter.clone()), listen(&mut session, filter));
    session.cancel(&json!(first));
    session.sync();
    change(&mut session, "tool");
    let heard = session.notified("notifications/tools/list_changed");
    assert_eq!(heard["params"]["_meta"][SUBSCRIPTION], json!(second));
    let left = session.notifications();
    assert!(left.iter().all(|message| message["method"] == "notifications/subscriptions/acknowledged"), "{left:?}");
    assert!(!session.has_response(&json!(first)));
}

#[test]
fn at_the_end_open_subscriptions_get_their_result() {
    for link in Link::ALL {
        let mut session = Session::open(FIXTURE, link, Revision::V2026_07_28, &[]);
        let id = listen(&mut session, json!({"toolsListChanged": true}));
        let cancelled = listen(&mut session, json!({"toolsListChanged": true}));
        session.cancel(&json!(cancelled));
        acknowledged(&mut session, &json!(id));
        session.sync();
        let rest = session.process.rest();
        let results: Vec<&Value> = rest.iter().filter(|message| message.get("result").is_some()).collect();
        assert_eq!(
            results,
            [&json!({"jsonrpc": "2.0", "id": id, "result": {"resultType": "complete", "_meta": {SUBSCRIPTION: id}}})]
        );
        assert!(session.process.ended().0.success());
    }
}

#[test]
fn both_eras_hear_in_their_own_way() {
    let mut session = open(Revision::V2025_11_25);
    session.revision = Revision::V2026_07_28;
    let id = listen(&mut session, json!({"toolsListChanged": true}));
    acknowledged(&mut session, &json!(id));
    change(&mut session, "tool");
    let heard =
        [session.notified("notifications/tools/list_changed"), session.notified("notifications/tools/list_changed")];
    assert_eq!(
        heard.iter().filter(|message| message["params"]["_meta"][SUBSCRIPTION] == json!(id)).count(),
        1,
        "{heard:?}"
    );
    assert_eq!(heard.iter().filter(|message| message.get("params").is_none()).count(), 1, "{heard:?}");
}
