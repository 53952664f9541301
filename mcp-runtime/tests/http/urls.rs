//! Pages that people are sent to: who hears that one of them is done there.

use mcp_runtime::AskError;
use mcp_runtime::prelude::*;
use serde_json::{Value, json};
use tokio::time::timeout;

use crate::client::{Events, PATIENCE, Request};
use crate::server::{Seen, Tested, text};

/// Send the person to a page, and say when they have finished there.
#[tool]
async fn visit(ctx: &Ctx, seen: State<Seen>) -> Result<String, AskError> {
    let page = ctx.elicit_url("https://example.com/visit", "Go there").await?;
    seen.begun.notify_one();
    seen.go.notified().await;
    page.completed();
    Ok(page.id().to_owned())
}

/// A client that opens pages.
struct Person {
    session: String,
    /// The session's own stream.
    standing: Events,
    /// What its call says.
    call: Events,
    question: Value,
}

impl Person {
    async fn new(server: &Tested) -> Self {
        let params = json!({"protocolVersion": "2025-11-25", "capabilities": {"elicitation": {"url": {}}}, "clientInfo": {"name": "t", "version": "1"}});
        let begin = json!({"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": params});
        let session = server.send(&Request::post(begin)).await.header("mcp-session-id").unwrap().to_owned();
        let done = Request::post(json!({"jsonrpc": "2.0", "method": "notifications/initialized"}));
        assert_eq!(server.send(&done.header("mcp-session-id", &session)).await.status, 202);
        let standing = server.listen(&session).await;
        let mut call =
            server.send(&Request::legacy(&session, 1, "tools/call", json!({"name": "visit"}))).await.events();
        let question = call.message().await;
        assert_eq!(question["params"]["url"], "https://example.com/visit");
        Self { session, standing, call, question }
    }

    fn elicitation(&self) -> &Value {
        &self.question["params"]["elicitationId"]
    }

    /// Opens the page, and finishes there.
    async fn visit(&self, server: &Tested) {
        let answer = json!({"jsonrpc": "2.0", "id": self.question["id"], "result": {"action": "accept"}});
        assert_eq!(server.send(&Request::post(answer).header("mcp-session-id", &self.session)).await.status, 202);
        timeout(PATIENCE, server.seen.begun.notified()).await.unwrap();
        server.seen.go.notify_one();
    }
}

#[tokio::test]
async fn only_the_client_that_was_asked_hears_that_a_page_is_done() {
    let server = Tested::start().await;
    let mut people = [Person::new(&server).await, Person::new(&server).await];
    assert_ne!(people[0].elicitation(), people[1].elicitation());
    for person in &mut people {
        person.visit(&server).await;
        // What comes first on the second one's stream is its own, although the first one's is long over.
        let done = person.call.message().await;
        assert_eq!(done["method"], "notifications/elicitation/complete");
        assert_eq!(done["params"], json!({"elicitationId": person.elicitation()}));
        let answer = person.call.message().await;
        assert_eq!(&json!(text(&answer)), person.elicitation());
        assert_eq!(person.call.next().await, None);
    }
    // Nor was it said on any other stream.
    server.handle.tools().disable("add");
    for person in &mut people {
        assert_eq!(person.standing.message().await["method"], "notifications/tools/list_changed");
    }
}

#[tokio::test]
async fn the_later_era_has_no_word_for_it() {
    let server = Tested::start().await;
    let call = |more: Value| {
        let mut params = json!({"name": "visit"});
        params.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        Request::modern("tools/call", params).body(|body| {
            body["params"]["_meta"]["io.modelcontextprotocol/clientCapabilities"] = json!({"elicitation": {"url": {}}});
        })
    };
    let asked = server.send(&call(json!({}))).await.json().await["result"].take();
    let (key, question) = asked["inputRequests"].as_object().unwrap().iter().next().unwrap();
    assert_eq!(question["params"].get("elicitationId"), None, "{question}");
    let back = json!({"inputResponses": {key: {"action": "accept"}}, "requestState": asked["requestState"]});
    server.seen.go.notify_one();
    let answer = server.send(&call(back)).await;
    // Nothing came before it.
    assert_eq!(answer.header("content-type"), Some("application/json"));
}
