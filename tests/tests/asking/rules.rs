//! What must not be asked, whatever an author wants: it is not sent, and the model hears why.

use mcp_runtime::prelude::*;
use mcp_runtime::testing::Reply;
use mcp_runtime::{Revision, SampleContent, SampleMessage, SampleRequest};
use serde_json::{Map, json};

use super::{connect, on};

/// A call of a tool, as a model makes it.
fn call_of(id: &str) -> SampleContent {
    SampleContent::ToolUse { id: id.to_owned(), name: "weather".to_owned(), input: Map::new() }
}

fn result_of(id: &str) -> SampleContent {
    SampleContent::ToolResult { tool_use_id: id.to_owned(), content: vec!["Sunny".into()], is_error: false }
}

/// Ask a model with a talk that breaks a rule.
#[tool]
async fn broken_talk(ctx: &Ctx, kind: String) -> Result<String> {
    let user = SampleMessage::user("How is the weather?");
    let called = SampleMessage::assistant(call_of("1"));
    let talk = match kind.as_str() {
        "good" => vec![user, called.and(call_of("2")), SampleMessage::user(result_of("2")).and(result_of("1"))],
        "unanswered" => vec![user, called],
        "answered late" => vec![user, called, SampleMessage::user("Well?"), SampleMessage::user(result_of("1"))],
        "answered in part" => vec![user, called.and(call_of("2")), SampleMessage::user(result_of("1"))],
        "answered wrongly" => vec![user, called, SampleMessage::user(result_of("2"))],
        "never called" => vec![user, SampleMessage::user(result_of("1"))],
        "mixed" => vec![user, called, SampleMessage::user(result_of("1")).and("There you are.")],
        "answered by the model" => vec![user, called, SampleMessage::assistant(result_of("1"))],
        "called by the person" => vec![SampleMessage::user(call_of("1")), SampleMessage::user(result_of("1"))],
        _ => vec![],
    };
    Ok(ctx.sample(SampleRequest::from_messages(talk)).await?.text())
}

/// Send the person to a page.
#[tool]
async fn page_at(ctx: &Ctx, url: String) -> Result<String> {
    ctx.elicit_url(url, "Go there").await?;
    Ok("opened".to_owned())
}

/// Ask with what the client knows from this server.
#[tool]
async fn with_context(ctx: &Ctx) -> Result<String> {
    Ok(ctx.sample(SampleRequest::new("Well?").include_this_server()).await?.text())
}

#[tokio::test]
async fn every_call_of_a_model_is_answered_next_and_by_nothing_else() {
    for revision in [Revision::V2025_11_25, Revision::V2026_07_28] {
        let able = json!({"sampling": {"tools": {}}});
        let client = connect(on(revision).capabilities(able.clone()).sample(|_| Reply::text("Fine"))).await;
        assert_eq!(client.call("broken_talk", json!({"kind": "good"})).await.unwrap().text(), "Fine", "{revision}");
        let client = connect(on(revision).capabilities(able).sample(|_| Reply::text("asked"))).await;
        for (kind, why) in [
            ("unanswered", "answered in the next message"),
            ("answered late", "answered in the next message"),
            ("answered in part", "answered in the next message"),
            ("answered wrongly", "answered in the next message"),
            ("never called", "answered in the next message"),
            ("mixed", "holds nothing else"),
            ("answered by the model", "is the user's"),
            ("called by the person", "only the model calls tools"),
            ("empty", "there is an empty message, or none"),
        ] {
            let told = client.call("broken_talk", json!({"kind": kind})).await;
            let told = told.map_or_else(|error| error.to_string(), |told| told.text());
            assert!(told.contains(why), "{revision} {kind}: {told}");
        }
    }
}

#[tokio::test]
async fn nobody_is_sent_to_what_is_no_address() {
    for revision in [Revision::V2025_11_25, Revision::V2026_07_28] {
        let client = connect(on(revision).elicit_url(|_| Reply::decline())).await;
        for url in [
            "",
            "here",
            "/visit",
            "example.com/visit",
            "https://",
            "https:a",
            "https:///a",
            "https://a b/",
            "http//example.com",
        ] {
            let told = client.call("page_at", json!({"url": url})).await;
            let told = told.map_or_else(|error| error.to_string(), |told| told.text());
            assert!(told.contains("is no absolute URL that a person could open"), "{revision} {url}: {told}");
        }
        let client = connect(on(revision).elicit_url(|_| Reply::accept(serde_json::Value::Null))).await;
        let opened = client.call("page_at", json!({"url": "https://example.com/visit?x=%20#y"})).await.unwrap();
        assert_eq!(opened.text(), "opened", "{revision}");
    }
}

#[tokio::test]
async fn a_client_adds_what_it_knows_only_if_it_can() {
    for (revision, sampling, is_asked) in [
        // There is no word for it there, so it is the client's to leave out.
        (Revision::V2025_06_18, json!({}), true),
        (Revision::V2025_11_25, json!({}), false),
        (Revision::V2025_11_25, json!({"context": {}}), true),
        (Revision::V2026_07_28, json!({"tools": {}}), false),
        (Revision::V2026_07_28, json!({"context": {}}), true),
    ] {
        let what = format!("{revision} {sampling}");
        let expected = what.clone();
        let client = connect(on(revision).capabilities(json!({"sampling": sampling})).sample(move |asked| {
            let context = asked.params.get("includeContext");
            assert_eq!(context, is_asked.then_some(&json!("thisServer")), "{expected}");
            Reply::text("Fine")
        }))
        .await;
        assert_eq!(client.call("with_context", json!({})).await.unwrap().text(), "Fine", "{what}");
    }
}
