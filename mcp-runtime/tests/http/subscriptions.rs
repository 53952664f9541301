//! 2026-07-28: streams on which a client hears of changes.

use std::time::{Duration, Instant};

use serde_json::{Value, json};
use tokio::time::timeout;

use crate::client::{PATIENCE, Request};
use crate::server::{Tested, text};

#[tokio::test]
async fn a_subscription_acknowledges_what_it_gives_and_tells_of_nothing_else() {
    let server = Tested::start().await;
    let asked = json!({"toolsListChanged": true, "promptsListChanged": true, "resourceSubscriptions": ["page://one"], "unknown": true});
    let mut events = server
        .send(&Request::modern_with(json!("s"), "subscriptions/listen", json!({"notifications": asked})))
        .await
        .events();
    let acknowledged = events.message().await;
    assert_eq!(acknowledged["method"], "notifications/subscriptions/acknowledged");
    let tag = json!({"io.modelcontextprotocol/subscriptionId": "s"});
    // There are no prompts here, so none is announced.
    let given = json!({"toolsListChanged": true, "resourceSubscriptions": ["page://one"]});
    assert_eq!(acknowledged["params"], json!({"_meta": tag, "notifications": given}));

    server.handle.resources_changed();
    server.handle.resource_updated("page://two");
    server.handle.resource_updated("page://one");
    let updated = events.message().await;
    assert_eq!(updated["params"], json!({"_meta": tag, "uri": "page://one"}));
    server.handle.tools().disable("add");
    assert_eq!(
        events.message().await,
        json!({"jsonrpc": "2.0", "method": "notifications/tools/list_changed", "params": {"_meta": tag}})
    );
}

#[tokio::test]
async fn each_open_subscription_hears_of_a_change_with_its_own_id() {
    let server = Tested::start().await;
    let mut streams = Vec::new();
    for id in [json!(1), json!("1"), json!(0)] {
        let request = Request::modern_with(
            id.clone(),
            "subscriptions/listen",
            json!({"notifications": {"toolsListChanged": true}}),
        );
        let mut events = server.send(&request).await.events();
        events.message().await;
        streams.push((id, events));
    }
    server.handle.tools().disable("add");
    for (id, events) in &mut streams {
        let changed = events.message().await;
        assert_eq!(&changed["params"]["_meta"]["io.modelcontextprotocol/subscriptionId"], id);
    }
}

#[tokio::test]
async fn a_server_that_stops_ends_subscriptions_with_their_result_and_is_gone_at_once() {
    let mut server = Tested::start().await;
    let mut streams = Vec::new();
    for id in 0..3 {
        let request = Request::modern_with(id.into(), "subscriptions/listen", json!({"notifications": {}}));
        let mut events = server.send(&request).await.events();
        assert_eq!(events.message().await["params"]["notifications"], json!({}));
        streams.push(events);
    }
    let session = server.session("2025-11-25").await;
    let mut standing = server.listen(&session).await;
    let idle = server.connect().await;
    let begun = Instant::now();
    server.handle.shutdown();
    for (id, events) in streams.iter_mut().enumerate() {
        let end = events.message().await;
        assert_eq!((&end["id"], &end["result"]["resultType"]), (&json!(id), &json!("complete")));
        assert_eq!(end["result"]["_meta"]["io.modelcontextprotocol/subscriptionId"], id);
        assert_eq!(events.next().await, None);
    }
    assert_eq!(standing.messages().await, [] as [Value; 0]);
    timeout(PATIENCE, &mut server.task).await.unwrap().unwrap().unwrap();
    assert!(begun.elapsed() < PATIENCE / 3, "{:?}", begun.elapsed());
    drop(idle);
}

#[tokio::test]
async fn a_subscription_shows_that_it_is_alive() {
    let server = Tested::with(|server| server.keep_alive(Duration::from_millis(20))).await;
    let mut events = server.send(&Request::modern("subscriptions/listen", json!({"notifications": {}}))).await.events();
    events.message().await;
    for _ in 0..3 {
        assert_eq!(events.raw().await.as_deref(), Some(":\n\n"));
    }
    // A long call, too, so that proxies wait.
    let mut call = server.send(&Request::call("wait", json!({}))).await.events();
    assert_eq!(call.raw().await.as_deref(), Some(":\n\n"));
    server.seen.go.notify_one();
    assert_eq!(text(&call.message().await), "waited");
}

#[tokio::test]
async fn what_a_call_says_is_said_on_no_subscription() {
    let server = Tested::start().await;
    let talkative = json!({"progressToken": "p", "io.modelcontextprotocol/logLevel": "debug"});
    let listen = json!({"notifications": {"toolsListChanged": true}, "_meta": talkative});
    let mut modern = server.send(&Request::modern("subscriptions/listen", listen)).await.events();
    assert_eq!(modern.message().await["method"], "notifications/subscriptions/acknowledged");
    let session = server.session("2025-11-25").await;
    let mut legacy = server.listen(&session).await;
    let level = Request::legacy(&session, 1, "logging/setLevel", json!({"level": "debug"}));
    assert_eq!(server.send(&level).await.json().await["result"], json!({}));
    // Even with the same token.
    let call = json!({"name": "page_busy", "_meta": talkative});
    for request in [Request::modern("tools/call", call.clone()), Request::legacy(&session, 2, "tools/call", call)] {
        let said = server.send(&request).await.events().messages().await;
        let methods: Vec<_> = said.iter().filter_map(|message| message["method"].as_str()).collect();
        assert_eq!(methods, ["notifications/progress", "notifications/message"]);
    }
    server.handle.tools().disable("add");
    for stream in [&mut modern, &mut legacy] {
        assert_eq!(stream.message().await["method"], "notifications/tools/list_changed");
    }
}
