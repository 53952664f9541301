//! The server as its clients see it, in memory.

use {{crate_name}}::{Notes, server};

use mcp_runtime::testing::Client;
use serde_json::json;

async fn client() -> Client {
    Client::connect(server(Notes::default())).await.unwrap()
}

#[tokio::test]
async fn a_note_that_is_kept_can_be_read() {
    let client = client().await;
    let kept = client.call("add_note", json!({"text": "Buy milk"})).await.unwrap();
    assert_eq!(kept.structured(), &json!({"id": 1, "uri": "note://1"}));
    assert_eq!(client.read("note://1").await.unwrap()[0]["text"], "Buy milk");
    let listed = client.list_resources().await.unwrap();
    assert!(listed.iter().any(|resource| resource["uri"] == "note://1"));
}

#[tokio::test]
async fn an_empty_note_is_refused_with_a_reason() {
    let refused = client().await.call("add_note", json!({"text": ""})).await.unwrap();
    assert!(refused.is_error());
    assert!(refused.text().contains("/text"), "{}", refused.text());
}

#[tokio::test]
async fn a_note_that_is_missing_is_not_found() {
    assert!(client().await.read("note://7").await.is_err());
    assert!(client().await.prompt("summarize", json!({"id": "7"})).await.is_err());
}

#[tokio::test]
async fn the_prompt_carries_the_note() {
    let client = client().await;
    client.call("add_note", json!({"text": "Buy milk"})).await.unwrap();
    let messages = client.prompt("summarize", json!({"id": "1"})).await.unwrap();
    assert!(messages[0]["content"]["text"].as_str().unwrap().ends_with("Buy milk"));
}
