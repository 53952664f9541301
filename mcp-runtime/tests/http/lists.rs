//! Lists over HTTP: the same for everybody, whole over pages, with what its era says about keeping them.

use std::time::Duration;

use mcp_runtime::CacheScope;
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

/// The keys of all entries, page by page.
async fn pages(server: &Tested, request: impl Fn(Value) -> Request, member: &str) -> (usize, Vec<String>, Vec<Value>) {
    let (mut cursor, mut keys, mut hints) = (None::<String>, Vec::new(), Vec::new());
    loop {
        let params = cursor.as_ref().map_or(json!({}), |cursor| json!({"cursor": cursor}));
        let result = result(server, request(params)).await;
        let entries = result[member].as_array().unwrap_or_else(|| panic!("{result}"));
        assert!(entries.len() <= 2, "{result}");
        let key = |entry: &Value| {
            ["uri", "uriTemplate", "name"].iter().find_map(|key| entry[*key].as_str()).unwrap().to_owned()
        };
        keys.extend(entries.iter().map(key));
        hints.push(json!([result["ttlMs"], result["cacheScope"]]));
        cursor = result["nextCursor"].as_str().map(str::to_owned);
        if cursor.is_none() {
            return (hints.len(), keys, hints);
        }
    }
}

#[tokio::test]
async fn every_page_of_a_list_is_reached_and_none_comes_twice() {
    for scope in [None, Some(CacheScope::Private), Some(CacheScope::Public)] {
        let server = Tested::with(|server| match scope {
            None => server.page_size(2),
            Some(scope) => server.page_size(2).cache(Duration::from_secs(60), scope),
        })
        .await;
        let hint = match scope {
            None => json!([0, "private"]),
            Some(CacheScope::Private) => json!([60_000, "private"]),
            Some(CacheScope::Public) => json!([60_000, "public"]),
        };
        let session = server.session("2025-11-25").await;
        for (method, member) in LISTS.into_iter().zip(["tools", "resources", "resourceTemplates"]) {
            let (count, keys, hints) = pages(&server, |params| Request::modern(method, params), member).await;
            let mut sorted = keys.clone();
            sorted.sort();
            sorted.dedup();
            assert_eq!((count, &sorted), (keys.len().div_ceil(2), &keys), "{method}");
            assert!(count > 1, "{method}");
            // A cache that others see must not hold one page that is theirs and one that is not.
            assert!(hints.iter().all(|page| *page == hint), "{method}: {hints:?}");
            let legacy = |params| Request::legacy(&session, 1, method, params);
            assert_eq!(pages(&server, legacy, member).await.1, keys, "{method}");
        }
        let discovered = result(&server, Request::modern("server/discover", json!({}))).await;
        assert_eq!(json!([discovered["ttlMs"], discovered["cacheScope"]]), hint);
        // A resource has a word of its own.
        let read = result(&server, Request::modern("resources/read", json!({"uri": "page://one"}))).await;
        assert_eq!(json!([read["ttlMs"], read["cacheScope"]]), json!([0, "private"]));
    }
}
