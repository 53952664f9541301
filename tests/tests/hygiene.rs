//! Crates that make it hard for an expansion: hidden names, no prelude, another name for the runtime, another edition,
//! every lint denied. That they compile is half of the test; the other half is that their handlers are there and work.

use hygiene_edition_2021 as _;
use hygiene_no_prelude as _;
use hygiene_renamed as _;
use hygiene_shadowed as _;
use hygiene_strict as _;
use mcp_runtime::testing::Client;
use serde_json::{Value, json};

async fn client() -> Client {
    Client::connect(mcp_runtime::server!().state(5u8)).await.unwrap()
}

#[tokio::test]
async fn every_handler_of_every_crate_is_there() {
    let client = client().await;
    let names = |list: Vec<Value>| {
        list.iter().map(|entry| entry["name"].as_str().unwrap().to_owned()).collect::<Vec<_>>().join(" ")
    };
    assert_eq!(
        names(client.list_tools().await.unwrap()),
        "args bare_blocking bare_other bare_tool older_tool renamed_tool shadowed_state shadowed_tool strict_by_value \
         strict_conditional strict_one strict_other strict_public strict_thread strict_tool strict_two strict_typed"
    );
    assert_eq!(
        names(client.list_templates().await.unwrap()),
        "bare_resource older_resource renamed_resource shadowed_resource strict_resource"
    );
    assert_eq!(names(client.list_resources().await.unwrap()), "1 2 1");
    assert_eq!(names(client.list_prompts().await.unwrap()), "bare_prompt renamed_prompt shadowed_prompt strict_prompt");
}

#[tokio::test]
async fn every_tool_answers() {
    let client = client().await;
    for (name, arguments, expected) in [
        ("args", json!({"ctx": 1, "args": 2, "a0": 3, "__A0": 4, "partial": 5}), "15"),
        ("bare_blocking", json!({"type": 3}), "5 0 1.2.3.4 Some(3)"),
        ("bare_other", json!({"part": {"inside": 4}}), "4"),
        ("bare_tool", json!({"words": "w"}), "7"),
        ("older_tool", json!({"gen": 1, "async": "true"}), "1 Some(true)"),
        ("renamed_tool", json!({}), "{\"number\":7}"),
        ("shadowed_state", json!({}), "5"),
        ("shadowed_tool", json!({"text": "abc"}), "3 Some(\"abc\")"),
        ("strict_by_value", json!({"text": "ab", "list": [{"number": 1}]}), "3"),
        ("strict_conditional", json!({"yes": true}), "true"),
        ("strict_one", json!({}), "strict_one"),
        ("strict_other", json!({"part": {"inside": 1}, "parts": [{"inside": 2}]}), "3"),
        ("strict_public", json!({}), "5"),
        ("strict_thread", json!({"part": {"inside": 5}}), "5"),
        ("strict_tool", json!({}), "{\"number\":2}"),
        ("strict_two", json!({}), "strict_two"),
        ("strict_typed", json!({"strict_typed": 9}), "5 Some(9)"),
    ] {
        let outcome = client.call(name, arguments).await.unwrap();
        assert_eq!((outcome.text().as_str(), outcome.is_error()), (expected, false), "{name}");
    }
}

#[tokio::test]
async fn every_resource_and_prompt_answers() {
    let client = client().await;
    for (uri, expected) in
        [("bare://3", "3"), ("older://x", "x"), ("renamed://4", "4"), ("shadowed://5", "5"), ("strict://6", "6")]
    {
        assert_eq!(client.read(uri).await.unwrap()[0]["text"], expected);
    }
    for (name, argument) in
        [("bare_prompt", "words"), ("renamed_prompt", "words"), ("shadowed_prompt", "text"), ("strict_prompt", "words")]
    {
        let messages = client.prompt(name, json!({argument: "say"})).await.unwrap();
        assert_eq!(messages[0]["content"]["text"], "say", "{name}");
    }
    assert_eq!(client.complete("strict_prompt", "words", "part").await.unwrap(), ["part"]);
    assert_eq!(client.complete("shadowed_prompt", "text", "part").await.unwrap(), ["partial"]);
}

#[tokio::test]
async fn macros_give_their_texts_to_handlers() {
    let client = client().await;
    let tools = client.list_tools().await.unwrap();
    let tool = |name: &str| tools.iter().find(|tool| tool["name"] == name).unwrap();
    assert_eq!(
        (&tool("strict_one")["title"], &tool("strict_one")["description"]),
        (&json!("The first."), &json!("The first."))
    );
    assert_eq!(tool("strict_conditional")["title"], "Conditional");
    assert_eq!(tool("bare_tool")["description"], "Said here.");
    assert_eq!(tool("strict_typed")["inputSchema"]["properties"]["value"]["default"], 5);
}

#[test]
fn a_handler_is_still_a_function() {
    assert_eq!(hygiene_renamed::renamed_resource(7), "7");
    assert_eq!(hygiene_no_prelude::bare_prompt("words".into()), "words");
}
