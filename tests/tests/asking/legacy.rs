//! Requests to a client that waits: what is sent, and what is left behind.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use mcp_runtime::Revision;
use mcp_runtime::testing::Reply;
use serde_json::{Value, json};

use super::{connect, on, yes};

#[tokio::test]
async fn each_revision_has_its_form() {
    for (revision, has_mode) in [(Revision::V2025_06_18, false), (Revision::V2025_11_25, true)] {
        let client = connect(on(revision).capabilities(json!({"elicitation": {}}))).await;
        let call = client.begin("tools/call", json!({"name": "plain", "arguments": {}}));
        let question = client.notified("elicitation/create").await.unwrap();
        assert_eq!(question["params"].get("mode").is_some(), has_mode, "{revision}");
        assert_eq!(question["params"]["message"], "Well?");
        let response =
            json!({"jsonrpc": "2.0", "id": question["id"], "result": {"action": "accept", "content": {"sure": true}}});
        client.send(response.to_string());
        assert_eq!(call.await.unwrap()["content"][0]["text"], "true", "{revision}");
    }
}

#[tokio::test]
async fn cancelling_a_call_cancels_its_question() {
    let client = connect(on(Revision::LATEST_LEGACY).capabilities(json!({"elicitation": {}}))).await;
    let call = client.begin("tools/call", json!({"name": "three_joined", "arguments": {}}));
    let mut asked = Vec::new();
    for _ in 0..3 {
        asked.push(client.notified("elicitation/create").await.unwrap()["id"].clone());
    }
    client.cancel(&call);
    let mut cancelled = Vec::new();
    for _ in 0..3 {
        cancelled.push(client.notified("notifications/cancelled").await.unwrap()["params"]["requestId"].clone());
    }
    asked.sort_by_key(Value::to_string);
    cancelled.sort_by_key(Value::to_string);
    assert_eq!(asked, cancelled);
    // An answer that comes too late is nobody's mistake.
    client.send(json!({"jsonrpc": "2.0", "id": asked[0], "result": {"action": "accept"}}).to_string());
    assert!(client.request("ping", json!({})).await.is_ok());
}

#[tokio::test]
async fn a_question_that_lost_a_race_is_cancelled() {
    let client = connect(on(Revision::LATEST_LEGACY).elicit(|_| Reply::nothing())).await;
    assert_eq!(client.call("gives_up", json!({})).await.unwrap().text(), "too slow");
    client.notified("notifications/cancelled").await.unwrap();
}

#[tokio::test]
async fn a_question_expires() {
    let client = connect(on(Revision::LATEST_LEGACY).elicit(|_| Reply::nothing())).await;
    let told = client.call("expires", json!({})).await.unwrap();
    assert_eq!((told.is_error(), told.text().as_str()), (true, "nobody answered `confirm` in time"));
    client.notified("notifications/cancelled").await.unwrap();
}

#[tokio::test]
async fn a_clients_own_error_is_told() {
    let client = connect(on(Revision::LATEST_LEGACY).elicit(|_| Reply::error(-32603, "no window"))).await;
    let told = client.call("plain", json!({})).await.unwrap();
    assert_eq!((told.is_error(), told.text().as_str()), (true, "the client could not ask: no window (-32603)"));
}

#[tokio::test]
async fn an_answer_that_does_not_fit_is_told() {
    let client = connect(on(Revision::LATEST_LEGACY).elicit(|_| Reply::accept(json!({"sure": "perhaps"})))).await;
    let told = client.call("plain", json!({})).await.unwrap();
    let expected = "the answer to `confirm` does not fit:\n- /sure: expected `true` or `false`, but got \"perhaps\"";
    assert_eq!((told.is_error(), told.text().as_str()), (true, expected));
}

#[tokio::test]
async fn the_server_goes_on_while_it_waits() {
    let client = connect(on(Revision::LATEST_LEGACY).capabilities(json!({"elicitation": {}}))).await;
    let call = client.begin("tools/call", json!({"name": "plain", "arguments": {}}));
    let question = client.notified("elicitation/create").await.unwrap();
    assert!(client.request("ping", json!({})).await.is_ok());
    let response = json!({"jsonrpc": "2.0", "id": question["id"], "result": {"action": "decline"}});
    client.send(response.to_string());
    assert_eq!(call.await.unwrap()["isError"], true);
}

/// 2025-03-26 has arrays of responses, too.
#[tokio::test]
async fn answers_may_come_together() {
    let client = connect(on(Revision::V2025_03_26).capabilities(json!({"roots": {}}))).await;
    let calls = [(); 3].map(|()| client.begin("tools/call", json!({"name": "folders", "arguments": {}})));
    let mut answers = Vec::new();
    for number in 0..3 {
        let id = client.notified("roots/list").await.unwrap()["id"].clone();
        let roots = json!({"roots": [{"uri": format!("file:///{number}")}]});
        answers.push(json!({"jsonrpc": "2.0", "id": id, "result": roots}));
    }
    client.send(Value::from(answers).to_string());
    let mut told = Vec::new();
    for call in calls {
        told.push(call.await.unwrap()["content"][0]["text"].as_str().unwrap().to_owned());
    }
    told.sort();
    assert_eq!(told, ["file:///0", "file:///1", "file:///2"]);
}

#[tokio::test]
async fn roots_are_asked_for_once_until_they_change() {
    let asked = Arc::new(AtomicUsize::new(0));
    for (announces, expected) in [(true, [1, 1, 2]), (false, [1, 2, 3])] {
        asked.store(0, Ordering::SeqCst);
        let client =
            connect(on(Revision::LATEST_LEGACY).capabilities(json!({"roots": {"listChanged": announces}}))).await;
        let call = async |answer: bool| {
            let call = client.begin("tools/call", json!({"name": "folders", "arguments": {}}));
            if answer {
                let id = client.notified("roots/list").await.unwrap()["id"].clone();
                asked.fetch_add(1, Ordering::SeqCst);
                client
                    .send(json!({"jsonrpc": "2.0", "id": id, "result": {"roots": [{"uri": "file:///a"}]}}).to_string());
            }
            assert_eq!(call.await.unwrap()["content"][0]["text"], "file:///a");
            asked.load(Ordering::SeqCst)
        };
        let (first, second) = (call(true).await, call(!announces).await);
        client.notify("notifications/roots/list_changed", json!({}));
        assert_eq!([first, second, call(true).await], expected);
    }
}

#[tokio::test]
async fn pages_have_an_id_and_a_last_word() {
    let client = connect(on(Revision::LATEST_LEGACY).elicit_url(|asked| {
        assert!(asked.params["elicitationId"].as_str().is_some_and(|id| id.ends_with("-url")));
        assert_eq!(asked.params["mode"], "url");
        Reply::accept(Value::Null)
    }))
    .await;
    assert_eq!(client.call("sign_in", json!({})).await.unwrap().text(), "true");
    let last = client.notified("notifications/elicitation/complete").await.unwrap();
    assert!(last["params"]["elicitationId"].as_str().is_some_and(|id| id.ends_with("-url")));
    // Revisions without pages have none, whatever a client declares.
    let client = connect(on(Revision::V2025_06_18).elicit_url(yes)).await;
    assert!(client.call("sign_in", json!({})).await.unwrap().text().contains("(`elicitation.url`)"));
}
