//! Lists over HTTP: the same for everybody, whole over pages, with what its era says about keeping them.

use serde_json::{Value, json};

use crate::client::Request;
use crate::server::{Tested, text};

const LISTS: [&str; 3] = ["tools/list", "resources/list", "resources/templates/list"];

async fn result(server: &Tested, request: Request) -> Value {
    server.send(&request).await.json().await["result"].take()
}

#[tokio::test]
async fn a_list_is_the_same_whoever_asks_and_whatever_came_before() {
    let server = Tested::start().await;
    let session = server.session("2025-11-25").await;
    for method in LISTS {
        let modern = result(&server, Request::modern(method, json!({}))).await;
        let legacy = result(&server, Request::legacy(&session, 1, method, json!({}))).await;
        // Calls, levels, subscriptions, refusals: nothing of that shows in a list.
        let call = json!({"name": "add", "arguments": {"a": 1, "b": 2}});
        assert_eq!(text(&server.send(&Request::legacy(&session, 2, "tools/call", call)).await.json().await), "3");
        result(&server, Request::legacy(&session, 3, "logging/setLevel", json!({"level": "error"}))).await;
        result(&server, Request::legacy(&session, 4, "resources/subscribe", json!({"uri": "page://one"}))).await;
        assert_eq!(server.send(&Request::call("nope", json!({}))).await.code().await, -32602);
        let able = Request::modern(method, json!({})).body(|body| {
            let meta = &mut body["params"]["_meta"];
            meta["io.modelcontextprotocol/clientCapabilities"] = json!({"elicitation": {}, "sampling": {"tools": {}}});
            meta["io.modelcontextprotocol/clientInfo"] = json!({"name": "other", "version": "2"});
        });
        assert_eq!(result(&server, able).await, modern, "{method}");
        let other = server.session("2025-11-25").await;
        assert_eq!(result(&server, Request::legacy(&other, 5, method, json!({}))).await, legacy, "{method}");
    }
}

#[tokio::test]
async fn only_the_later_era_says_how_long_a_list_may_be_kept() {
    let server = Tested::start().await;
    for method in LISTS.into_iter().chain(["server/discover"]) {
        let modern = result(&server, Request::modern(method, json!({}))).await;
        assert_eq!(modern["resultType"], "complete", "{method}");
        assert!(modern["ttlMs"].is_u64() && modern["cacheScope"].is_string(), "{method}: {modern}");
    }
    for revision in ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"] {
        let session = server.session(revision).await;
        let read = ("resources/read", json!({"uri": "page://one"}));
        for (method, params) in LISTS.map(|method| (method, json!({}))).into_iter().chain([read]) {
            let legacy = result(&server, Request::legacy(&session, 1, method, params)).await;
            assert!(legacy.is_object(), "{method}");
            for member in ["resultType", "ttlMs", "cacheScope"] {
                assert_eq!(legacy.get(member), None, "{revision} {method}");
            }
        }
    }
}

#[tokio::test]
async fn every_page_of_a_list_is_reached_and_none_comes_twice() {
    let server = Tested::with(|server| server.page_size(2)).await;
    let (mut cursor, mut names, mut pages) = (None::<String>, Vec::new(), 0);
    loop {
        let params = cursor.as_ref().map_or(json!({}), |cursor| json!({"cursor": cursor}));
        let result = result(&server, Request::modern("tools/list", params)).await;
        let tools = result["tools"].as_array().unwrap();
        assert!(tools.len() <= 2 && result["ttlMs"].is_u64(), "{result}");
        assert_eq!(result["cacheScope"], "private");
        names.extend(tools.iter().map(|tool| tool["name"].as_str().unwrap().to_owned()));
        pages += 1;
        cursor = result["nextCursor"].as_str().map(str::to_owned);
        if cursor.is_none() {
            break;
        }
    }
    let mut sorted = names.clone();
    sorted.sort();
    sorted.dedup();
    assert_eq!((pages, &sorted), (names.len().div_ceil(2), &names));
}
