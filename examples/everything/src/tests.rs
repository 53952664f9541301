//! The server as its clients see it, in memory.

use mcp_runtime::Revision;
use mcp_runtime::testing::Client;
use serde_json::json;

use super::server;

#[path = "../../../tests/src/strict_subset.rs"]
mod strict_subset;

async fn client() -> Client {
    Client::connect(server()).await.unwrap()
}

#[tokio::test]
async fn the_first_tool_takes_no_arguments() {
    let tools = client().await.list_tools().await.unwrap();
    assert_eq!(tools[0]["name"], "about");
    assert_eq!(tools[0]["inputSchema"], json!({"type": "object", "properties": {}, "additionalProperties": false}));
    assert!(tools.iter().all(|tool| !tool["description"].as_str().unwrap_or_default().is_empty()));
}

#[tokio::test]
async fn every_kind_of_content_arrives() {
    let client = client().await;
    let mixed = client.call("test_multiple_content_types", json!({})).await.unwrap();
    let kinds: Vec<_> = mixed.content().iter().map(|block| block["type"].clone()).collect();
    assert_eq!(kinds, ["text", "image", "resource"]);
    let sound = client.call("test_audio_content", json!({})).await.unwrap();
    assert_eq!(sound.content()[0]["mimeType"], "audio/wav");
    let weather = client.call("test_structured_content", json!({"location": "Oslo"})).await.unwrap();
    assert_eq!(weather.structured()["conditions"], "Sunny in Oslo");
}

#[tokio::test]
async fn a_failure_is_a_result_that_says_so() {
    let failed = client().await.call("test_error_handling", json!({})).await.unwrap();
    assert!(failed.is_error());
    assert_eq!(failed.text(), "This tool intentionally returns an error for testing");
}

#[tokio::test]
async fn a_schema_by_hand_arrives_as_it_is() {
    let tools = client().await.list_tools().await.unwrap();
    let tool = tools.iter().find(|tool| tool["name"] == "json_schema_2020_12_tool").unwrap();
    assert_eq!(tool["inputSchema"]["$defs"]["address"]["$anchor"], "addressDef");
    assert_eq!(tool["inputSchema"]["then"], json!({"required": ["phone"]}));
}

#[tokio::test]
async fn logs_and_progress_come_before_the_result() {
    let client = Client::with_revision(Revision::V2025_11_25).connect(server()).await.unwrap();
    client.request("logging/setLevel", json!({"level": "debug"})).await.unwrap();
    client.call("test_tool_with_logging", json!({})).await.unwrap();
    assert_eq!(client.notifications().iter().filter(|message| message["method"] == "notifications/message").count(), 3);

    let params = json!({"name": "test_tool_with_progress", "_meta": {"progressToken": "p"}});
    client.request("tools/call", params).await.unwrap();
    let reports = client.notifications();
    let done: Vec<_> = reports.iter().map(|report| report["params"]["progress"].as_f64().unwrap()).collect();
    assert_eq!(done, [0.0, 50.0, 100.0]);
}

#[tokio::test]
async fn a_change_of_the_catalog_is_announced() {
    let client = Client::with_revision(Revision::V2025_11_25).connect(server()).await.unwrap();
    client.call("test_trigger_tool_change", json!({})).await.unwrap();
    client.notified("notifications/tools/list_changed").await.unwrap();
    assert_eq!(client.call("test_sometimes", json!({})).await.unwrap().text(), "You are lucky today.");
    client.call("test_trigger_prompt_change", json!({})).await.unwrap();
    client.notified("notifications/prompts/list_changed").await.unwrap();
}

#[tokio::test]
async fn subscribers_hear_of_the_watched_resource() {
    let client = Client::with_revision(Revision::V2025_11_25).connect(server()).await.unwrap();
    client.request("resources/subscribe", json!({"uri": "test://watched-resource"})).await.unwrap();
    client.call("test_touch_watched_resource", json!({})).await.unwrap();
    let update = client.notified("notifications/resources/updated").await.unwrap();
    assert_eq!(update["params"]["uri"], "test://watched-resource");
    let contents = client.read("test://watched-resource").await.unwrap();
    assert_eq!(contents[0]["text"], "Touched 1 times.");
}

#[tokio::test]
async fn resources_are_read_by_uri_and_by_template() {
    let client = client().await;
    let contents = client.read("test://template/123/data").await.unwrap();
    assert_eq!(contents[0]["mimeType"], "application/json");
    assert!(contents[0]["text"].as_str().unwrap().contains("Data for ID: 123"));
    let contents = client.read("test://static-binary").await.unwrap();
    assert_eq!(contents[0]["mimeType"], "image/png");
    assert!(client.read("test://nonexistent").await.is_err());
}

#[tokio::test]
async fn prompts_carry_arguments_images_and_resources() {
    let client = client().await;
    let arguments = json!({"arg1": "hello", "arg2": "world"});
    let messages = client.prompt("test_prompt_with_arguments", arguments).await.unwrap();
    assert!(messages[0]["content"]["text"].as_str().unwrap().contains("arg1='hello', arg2='world'"));
    let arguments = json!({"resourceUri": "test://example"});
    let messages = client.prompt("test_prompt_with_embedded_resource", arguments).await.unwrap();
    assert_eq!(messages[0]["content"]["resource"]["uri"], "test://example");
    assert_eq!(client.complete("test_prompt_with_arguments", "arg1", "test1").await.unwrap(), ["test1"]);
}

#[tokio::test]
async fn every_schema_is_within_the_subset_of_the_strictest_providers() {
    for tool in client().await.list_tools().await.unwrap() {
        let found = strict_subset::outside_of_strict_subset(&tool["inputSchema"]);
        // A schema that was written by hand is sent as it is.
        assert!(found.is_empty() || tool["name"] == "json_schema_2020_12_tool", "{}: {found:#?}", tool["name"]);
    }
}
