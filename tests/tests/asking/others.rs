//! The other questions: the client's model, its roots, pages.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use mcp_runtime::Revision;
use mcp_runtime::testing::Reply;
use serde_json::{Value, json};

use super::{REVISIONS, connect, on};

#[tokio::test]
async fn a_model_is_asked_with_all_that_was_said() {
    for revision in REVISIONS {
        let client = connect(on(revision).sample(move |asked| {
            let params = &asked.params;
            assert_eq!(params["maxTokens"], 100);
            assert_eq!(params["systemPrompt"], "You are a poet.");
            assert_eq!(params["temperature"], 0.5);
            assert_eq!(params["stopSequences"], json!(["\n\n"]));
            let preferences = json!({"hints": [{"name": "haiku"}], "costPriority": 0.2, "speedPriority": 1.0});
            assert_eq!(params["modelPreferences"], preferences);
            let text = |text: &str| json!({"type": "text", "text": text});
            let messages = if revision == Revision::V2025_06_18 {
                // A message holds one block there, so two blocks are two messages.
                json!([
                    {"role": "user", "content": text("A haiku about frogs")},
                    {"role": "assistant", "content": text("Old pond")},
                    {"role": "assistant", "content": text("frog leaps in")},
                    {"role": "user", "content": text("Go on")},
                ])
            } else {
                json!([
                    {"role": "user", "content": text("A haiku about frogs")},
                    {"role": "assistant", "content": [text("Old pond"), text("frog leaps in")]},
                    {"role": "user", "content": text("Go on")},
                ])
            };
            assert_eq!(params["messages"], messages, "{revision}");
            Reply::text("water's sound")
        }))
        .await;
        let told = client.call("haiku", json!({"about": "frogs"})).await.unwrap();
        assert_eq!(told.text(), "testing: water's sound (Some(\"endTurn\"))", "{revision}");
    }
}

#[tokio::test]
async fn a_model_calls_a_tool() {
    for revision in [Revision::V2025_11_25, Revision::V2026_07_28] {
        let asked = Arc::new(AtomicUsize::new(0));
        let client = connect(on(revision).sample(move |question| {
            assert_eq!(question.params["tools"][0]["name"], "weather");
            let messages = question.params["messages"].as_array().unwrap();
            if messages.len() == 1 {
                assert!(asked.fetch_add(1, Ordering::SeqCst) == 0, "an answered question is not asked again");
                let call = json!({"type": "tool_use", "id": "c1", "name": "weather", "input": {"city": "Paris"}});
                return Reply::raw(json!({"role": "assistant", "model": "m", "stopReason": "toolUse", "content": [{"type": "text", "text": "Let me see"}, call]}));
            }
            assert_eq!(messages[1]["content"][1]["type"], "tool_use");
            assert_eq!(messages[2], json!({"role": "user", "content": {
                "type": "tool_result", "toolUseId": "c1", "content": [{"type": "text", "text": "Sunny in \"Paris\""}],
            }}));
            Reply::text("It is sunny.")
        }))
        .await;
        assert_eq!(client.call("weather", json!({})).await.unwrap().text(), "It is sunny.", "{revision}");
    }
}

#[tokio::test]
async fn a_rejected_sampling_is_a_no() {
    let client =
        connect(on(Revision::LATEST_LEGACY).sample(|_| Reply::error(-1, "User rejected sampling request"))).await;
    let told = client.call("haiku", json!({"about": "frogs"})).await.unwrap();
    assert_eq!((told.is_error(), told.text().as_str()), (true, "the user declined to answer `sample`"));
}

#[tokio::test]
async fn one_of_each_at_once() {
    for revision in REVISIONS {
        let client = connect(
            on(revision)
                .elicit(|_| Reply::accept(json!({"name": "Ada"})))
                .sample(|_| Reply::text("hi"))
                .roots(["file:///a", "file:///b"]),
        )
        .await;
        assert_eq!(client.call("everything", json!({})).await.unwrap().text(), "Ada hi 2", "{revision}");
        assert_eq!(client.call("folders", json!({})).await.unwrap().text(), "file:///a file:///b", "{revision}");
    }
}

#[tokio::test]
async fn pages_are_opened_or_not() {
    for revision in [Revision::V2025_11_25, Revision::V2026_07_28] {
        let client = connect(on(revision).elicit_url(move |asked| {
            assert!(asked.url().is_some_and(|url| url.starts_with("https://example.com/")));
            assert_eq!(asked.params.get("elicitationId").is_some(), !revision.is_modern());
            Reply::accept(Value::Null)
        }))
        .await;
        assert_eq!(client.call("sign_in", json!({})).await.unwrap().text(), "true", "{revision}");
        assert_eq!(client.call("sign_in_or_not", json!({})).await.unwrap().text(), "opened", "{revision}");
        let client = connect(on(revision).elicit_url(|_| Reply::decline())).await;
        assert!(client.call("sign_in", json!({})).await.unwrap().is_error(), "{revision}");
        assert_eq!(client.call("sign_in_or_not", json!({})).await.unwrap().text(), "not opened", "{revision}");
    }
}
