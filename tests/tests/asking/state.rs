//! What a modern client takes along and brings back: what counts, and what is refused.

use std::collections::BTreeSet;

use mcp_runtime::Revision;
use mcp_runtime::testing::{Client, ClientError};
use serde_json::{Value, json};

use super::{connect, on, yes};

async fn client() -> Client {
    connect(on(Revision::LATEST).capabilities(json!({"elicitation": {}, "sampling": {}, "roots": {}}))).await
}

/// One round, by hand.
async fn round(client: &Client, params: Value) -> Result<Value, ClientError> {
    client.begin("tools/call", params).await
}

fn code(error: &ClientError) -> (i64, Value) {
    match error {
        ClientError::Protocol(error) => (error.code().0, error.data().cloned().unwrap_or_default()),
        other => panic!("{other}"),
    }
}

fn sure(sure: bool) -> Value {
    json!({"action": "accept", "content": {"sure": sure}})
}

#[tokio::test]
async fn questions_that_go_out_together_come_in_one_result() {
    let client = client().await;
    let result = round(&client, json!({"name": "everything", "arguments": {}})).await.unwrap();
    assert_eq!(result["resultType"], "input_required");
    let requests = &result["inputRequests"];
    assert_eq!(requests["name"]["method"], "elicitation/create");
    assert_eq!(requests["name"]["params"]["mode"], "form");
    assert_eq!(requests["sample"]["method"], "sampling/createMessage");
    assert_eq!(requests["roots"], json!({"method": "roots/list"}));
    assert!(result["requestState"].as_str().is_some_and(|state| state.len() == 32));
    assert!(result.get("ttlMs").is_none() && result.get("content").is_none());
    assert_eq!(result["_meta"]["io.modelcontextprotocol/serverInfo"]["name"], "asking");
}

/// Contents say how long they may be kept; questions must not.
#[tokio::test]
async fn a_resource_that_asks_says_nothing_of_how_long_it_may_be_kept() {
    let client = client().await;
    let asked = client.begin("resources/read", json!({"uri": "secret://7"})).await.unwrap();
    assert_eq!(asked["resultType"], "input_required");
    assert!(asked.get("ttlMs").is_none() && asked.get("cacheScope").is_none(), "{asked}");
    let answers = json!({"confirm": sure(true)});
    let params = json!({"uri": "secret://7", "inputResponses": answers, "requestState": asked["requestState"]});
    let told = client.begin("resources/read", params).await.unwrap();
    assert_eq!(told["contents"][0]["text"], "7: true");
    assert_eq!((&told["ttlMs"], &told["cacheScope"]), (&json!(0), &json!("private")));
}

#[tokio::test]
async fn a_missing_answer_is_asked_for_again_and_unknown_ones_do_not_count() {
    let client = client().await;
    let first = round(&client, json!({"name": "three_joined", "arguments": {}})).await.unwrap();
    assert_eq!(first["inputRequests"].as_object().unwrap().len(), 3);
    let params = json!({
        "name": "three_joined", "arguments": {}, "requestState": first["requestState"],
        "inputResponses": {"name": {"action": "accept", "content": {"name": "A"}}, "stranger": sure(true)},
    });
    let second = round(&client, params).await.unwrap();
    let asked: BTreeSet<_> = second["inputRequests"].as_object().unwrap().keys().map(String::as_str).collect();
    assert_eq!(asked, BTreeSet::from(["confirm", "size"]));
    assert_ne!(first["requestState"], second["requestState"]);
    let params = json!({
        "name": "three_joined", "arguments": {}, "requestState": second["requestState"],
        "inputResponses": {"size": {"action": "accept", "content": {"size": "Large"}}, "confirm": sure(true)},
    });
    assert_eq!(round(&client, params).await.unwrap()["content"][0]["text"], "A Large true");
}

#[tokio::test]
async fn answers_without_a_state_count_by_their_key() {
    let client = client().await;
    let params = json!({"name": "plain", "arguments": {}, "inputResponses": {"confirm": sure(true), "more": {}}});
    assert_eq!(round(&client, params).await.unwrap()["content"][0]["text"], "true");
    let params = json!({"name": "plain", "arguments": {}, "inputResponses": {"wrong": sure(true)}});
    assert_eq!(round(&client, params).await.unwrap()["resultType"], "input_required");
}

#[tokio::test]
async fn an_answer_to_a_question_that_was_never_asked_does_not_count() {
    let client = client().await;
    let params = json!({"name": "in_a_loop", "arguments": {"hosts": ["a", "b"]}});
    let first = round(&client, params).await.unwrap();
    let params = json!({
        "name": "in_a_loop", "arguments": {"hosts": ["a", "b"]}, "requestState": first["requestState"],
        "inputResponses": {"a": sure(true), "b": sure(true)},
    });
    let second = round(&client, params).await.unwrap();
    assert_eq!(second["inputRequests"].as_object().unwrap().keys().collect::<Vec<_>>(), ["b"]);
}

#[tokio::test]
async fn a_changed_question_is_asked_again() {
    let client = client().await;
    let first = round(&client, json!({"name": "changes_once", "arguments": {}})).await.unwrap();
    assert_eq!(first["inputRequests"]["confirm"]["params"]["message"], "Delete 1 files?");
    let again = |state: &Value, answer: bool| json!({"name": "changes_once", "arguments": {}, "requestState": state, "inputResponses": {"confirm": sure(answer)}});
    let second = round(&client, again(&first["requestState"], true)).await.unwrap();
    assert_eq!(second["inputRequests"]["confirm"]["params"]["message"], "Delete 9000 files?");
    let third = round(&client, again(&second["requestState"], false)).await.unwrap();
    assert_eq!(third["content"][0]["text"], "9000 false");
}

#[tokio::test]
async fn a_question_that_never_settles_ends_with_its_name() {
    let client = connect(on(Revision::LATEST).elicit(yes)).await;
    let error = client.call("volatile", json!({})).await.unwrap_err().to_string();
    assert!(error.contains("the question `confirm` is another one in every round"), "{error}");
    let client = connect(on(Revision::LATEST).strict_replay().elicit(yes)).await;
    let error = client.call("volatile", json!({})).await.unwrap_err().to_string();
    assert!(error.contains("the handler does not repeat itself"), "{error}");
}

#[tokio::test]
async fn rounds_are_counted() {
    let client = connect(on(Revision::LATEST).elicit(yes)).await;
    let error = client.call("for_ever", json!({})).await.unwrap_err().to_string();
    assert!(error.contains("the call has asked in 10 rounds and wants to ask again (`10`)"), "{error}");
}

#[tokio::test]
async fn what_is_malformed_is_an_error_of_the_request() {
    let client = client().await;
    for responses in [
        json!(null),
        json!([]),
        json!("yes"),
        json!({"confirm": "yes"}),
        json!({"confirm": null}),
        json!({"confirm": {"action": "perhaps"}}),
        json!({"confirm": {"content": {"sure": true}}}),
        json!({"confirm": {"action": "accept", "content": {"sure": "perhaps"}}}),
        json!({"confirm": {"action": "accept", "content": {}}}),
        json!({"confirm": {"action": "accept"}}),
        json!({"confirm": {"action": "accept", "content": [true]}}),
    ] {
        let params = json!({"name": "plain", "arguments": {}, "inputResponses": responses});
        let error = round(&client, params).await.unwrap_err();
        assert_eq!(code(&error).0, -32602, "{responses}: {error}");
    }
}

#[tokio::test]
async fn a_state_that_does_not_verify_is_refused_without_a_reason() {
    let client = client().await;
    let first = round(&client, json!({"name": "in_a_loop", "arguments": {"hosts": ["a"]}})).await.unwrap();
    let state = first["requestState"].as_str().unwrap().to_owned();
    let with = |name: &str, hosts: Value, state: Value| json!({"name": name, "arguments": {"hosts": hosts}, "requestState": state, "inputResponses": {"a": sure(true)}});
    for params in [
        with("in_a_loop", json!(["a"]), json!(format!("{state}-TAMPERED"))),
        with("in_a_loop", json!(["a"]), json!("")),
        with("in_a_loop", json!(["a"]), json!(7)),
        with("in_a_loop", json!(["a"]), json!(null)),
        with("plain", json!(["a"]), json!(state)),
        with("in_a_loop", json!(["b"]), json!(state)),
        with("in_a_loop", json!(["a", "a"]), json!(state)),
    ] {
        let error = round(&client, params.clone()).await.unwrap_err();
        assert_eq!(code(&error), (-32602, json!({"reason": "invalid_request_state"})), "{params}");
        assert!(error.to_string().starts_with("Invalid or expired requestState"), "{error}");
    }
    let other = super::connect(on(Revision::LATEST).capabilities(json!({"elicitation": {}}))).await;
    let error = round(&other, with("in_a_loop", json!(["a"]), json!(state))).await.unwrap_err();
    assert_eq!(code(&error).0, -32602, "a state in memory belongs to its process");
    let spelled_otherwise = r#"{"name":"in_a_loop","arguments":{ "hosts" : [ "\u0061" ] },"requestState":"STATE","inputResponses":{"a":{"action":"accept","content":{"sure":true}}}}"#;
    let params = serde_json::from_str(&spelled_otherwise.replace("STATE", &state)).unwrap();
    assert_eq!(round(&client, params).await.unwrap()["content"][0]["text"], "a");
}

#[tokio::test(start_paused = true)]
async fn a_state_expires() {
    let server = super::handlers::server().state_ttl(std::time::Duration::from_secs(5));
    let client = on(Revision::LATEST).capabilities(json!({"elicitation": {}})).connect(server).await.unwrap();
    let first = round(&client, json!({"name": "plain", "arguments": {}})).await.unwrap();
    let again = json!({"name": "plain", "arguments": {}, "requestState": first["requestState"], "inputResponses": {"confirm": sure(true)}});
    tokio::time::advance(std::time::Duration::from_secs(4)).await;
    assert_eq!(round(&client, again.clone()).await.unwrap()["content"][0]["text"], "true");
    tokio::time::advance(std::time::Duration::from_secs(2)).await;
    assert_eq!(code(&round(&client, again).await.unwrap_err()).0, -32602);
}

#[tokio::test]
async fn other_methods_do_not_ask() {
    let client = client().await;
    for (method, params) in [("tools/list", json!({})), ("prompts/list", json!({})), ("server/discover", json!({}))] {
        let mut params = params;
        params["inputResponses"] = json!({"a": {}});
        assert_eq!(client.begin(method, params).await.unwrap()["resultType"], "complete");
    }
}
