//! What an author says to `Server`, and what a program does with its handle: in memory, on the newest revision.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

use linking_first as _;
use mcp_runtime::prelude::*;
use mcp_runtime::testing::{Client, ClientError};
use mcp_runtime::{CallKind, Error, Outcome, Resource, Revision, Tool};
use serde_json::{Value, json};

/// Say it back.
#[tool(group = "talk")]
fn say(text: String) -> String {
    text
}

/// Fail.
#[tool(group = "admin")]
async fn fail() -> Result<String, String> {
    Err("failed".into())
}

/// Panic.
#[tool(group = "admin")]
fn explode() {
    panic!("boom");
}

/// A note.
#[resource("note://{id}", group = "talk")]
fn note(id: u8) -> Option<String> {
    (id == 1).then(|| "one".into())
}

/// A question.
#[prompt(group = "talk")]
fn ask() -> &'static str {
    "why?"
}

/// Reach state without a parameter.
#[tool(group = "state")]
fn reach(ctx: &Ctx) -> Result<String> {
    let number = ctx.state::<u64>()?;
    Ok(format!("{} {}", *number, ctx.try_state::<String>().is_some()))
}

fn server() -> Server {
    Server::new("tests", "1.0.0").exclude(["linking-first"])
}

async fn names(client: &Client) -> Vec<String> {
    client.list_tools().await.unwrap().iter().map(|tool| tool["name"].as_str().unwrap().to_owned()).collect()
}

fn code(error: ClientError) -> i64 {
    match error {
        ClientError::Protocol(error) => error.code().0,
        other => panic!("{other}"),
    }
}

#[tokio::test]
async fn groups_and_crates_choose_what_is_served() {
    let all = Client::connect(server()).await.unwrap();
    assert_eq!(names(&all).await, ["explode", "fail", "reach", "say"]);
    let talk = Client::connect(server().group("talk")).await.unwrap();
    assert_eq!(names(&talk).await, ["say"]);
    let two = Client::connect(server().group("talk").group("state")).await.unwrap();
    assert_eq!(names(&two).await, ["reach", "say"]);
    let other =
        Client::connect(Server::new("tests", "1").only(["linking-first"]).state(linking_first::Notes)).await.unwrap();
    assert_eq!(names(&other).await, ["private_tool", "twice", "with_notes"]);
    let prefixed = Server::new("tests", "1").state(linking_first::Notes).prefix("linking-first", "lf_");
    let prefixed = Client::connect(prefixed).await.unwrap();
    assert_eq!(
        names(&prefixed).await,
        ["explode", "fail", "lf_private_tool", "lf_twice", "lf_with_notes", "reach", "say"]
    );
    assert_eq!(prefixed.call("lf_twice", json!({})).await.unwrap().text(), "first");
    assert_eq!(code(prefixed.call("twice", json!({})).await.unwrap_err()), -32602);
    // Not taken for a library that was forgotten.
    let nothing = server().only(["linking-frist"]).build().unwrap_err().to_string();
    assert!(nothing.contains("left by `.group(…)`, `.only(…)` and `.exclude(…)`"), "{nothing}");
    assert!(nothing.contains("from linking_first, server; their groups are admin, state, stateful, talk"), "{nothing}");
    assert!(nothing.contains("\n       .only of `linking_frist`:    tests/tests/server.rs:"), "{nothing}");
    let nothing = server().group("tlak").build().unwrap_err().to_string();
    assert!(nothing.contains("\n       .group of `tlak`:            tests/tests/server.rs:"), "{nothing}");
    // A prefix is a part of each name.
    let blank = server().prefix("server", "s p ").build().unwrap_err().to_string();
    assert!(blank.contains("the prefix `s p ` of `server` makes names of tools that clients refuse"), "{blank}");
    assert_eq!(blank.matches("error: ").count(), 1, "{blank}");
    let long = server().prefix("server", "p".repeat(60)).build().unwrap_err().to_string();
    assert!(long.contains("makes names of tools with more than the 64 characters allowed"), "{long}");
    assert!(long.contains("\n       67 characters: server  tests/tests/server.rs:"), "{long}");
    assert!(long.contains("\n       prefix:        tests/tests/server.rs:"), "{long}");
    // State is wanted only by what is served.
    assert!(Server::new("tests", "1").build().is_err());
    assert!(server().build().is_ok());
}

#[tokio::test]
async fn what_is_not_offered_has_no_capability_and_no_methods() {
    let tools_only = Client::connect(server().group("admin")).await.unwrap();
    let capabilities = tools_only.request("server/discover", json!({})).await.unwrap()["capabilities"].take();
    assert_eq!(capabilities, json!({"tools": {"listChanged": true}, "logging": {}}));
    for method in [
        "prompts/list",
        "prompts/get",
        "resources/list",
        "resources/templates/list",
        "resources/read",
        "completion/complete",
    ] {
        assert_eq!(
            code(tools_only.request(method, json!({"name": "x", "uri": "x"})).await.unwrap_err()),
            -32601,
            "{method}"
        );
    }
    let legacy = Client::with_revision(Revision::V2025_11_25).connect(server().group("admin")).await.unwrap();
    assert_eq!(code(legacy.request("resources/subscribe", json!({"uri": "x"})).await.unwrap_err()), -32601);
}

#[tokio::test]
async fn a_hook_surrounds_every_call() {
    let seen = Arc::new(Mutex::new(Vec::new()));
    let log = Arc::clone(&seen);
    let hooked = server().state(1u64).around(move |call, next| {
        let log = Arc::clone(&log);
        async move {
            let (kind, name) = (call.kind(), call.name().to_owned());
            if name == "say" && call.ctx().meta().contains_key("example.com/refuse") {
                return Outcome::refuse(Error::protocol(403, "not you"));
            }
            let outcome = next.run().await;
            log.lock().unwrap().push((kind, name, outcome.is_error()));
            outcome
        }
    });
    let client = Client::connect(hooked).await.unwrap();
    client.call("say", json!({"text": "a"})).await.unwrap();
    client.call("fail", json!({})).await.unwrap();
    client.read("note://1").await.unwrap();
    client.read("note://2").await.unwrap_err();
    client.prompt("ask", json!({})).await.unwrap();
    client.list_tools().await.unwrap();
    let refused = client
        .request("tools/call", json!({"name": "say", "arguments": {"text": "a"}, "_meta": {"example.com/refuse": 1}}))
        .await;
    assert_eq!(code(refused.unwrap_err()), 403);
    let seen = seen.lock().unwrap();
    let expected = [
        (CallKind::Tool, "say", false),
        (CallKind::Tool, "fail", true),
        (CallKind::Resource, "note://1", false),
        (CallKind::Resource, "note://2", true),
        (CallKind::Prompt, "ask", false),
    ];
    assert_eq!(seen.iter().map(|(kind, name, failed)| (*kind, name.as_str(), *failed)).collect::<Vec<_>>(), expected);
}

#[tokio::test]
async fn a_hook_that_panics_is_answered_wherever_it_panics() {
    for before_the_future in [true, false] {
        let hooked = server().around(move |_, next| {
            assert!(!before_the_future, "secret: early");
            async move {
                drop(next);
                panic!("secret: late")
            }
        });
        let client = Client::connect(hooked).await.unwrap();
        let Err(ClientError::Protocol(error)) = client.call("say", json!({"text": "a"})).await else {
            panic!("an error")
        };
        assert_eq!(error.code().0, -32603);
        assert!(!error.message().contains("secret"), "{error}");
        assert_eq!(client.list_prompts().await.unwrap().len(), 1, "life goes on");
    }
}

#[tokio::test]
async fn a_hook_sees_a_panicking_handler_fail() {
    let failed = Arc::new(AtomicUsize::new(0));
    let count = Arc::clone(&failed);
    let hooked = server().around(move |_, next| {
        let count = Arc::clone(&count);
        async move {
            let outcome = next.run().await;
            count.fetch_add(usize::from(outcome.is_error()), Ordering::Relaxed);
            outcome
        }
    });
    let client = Client::connect(hooked).await.unwrap();
    assert_eq!(code(client.call("explode", json!({})).await.unwrap_err()), -32603);
    assert_eq!(failed.load(Ordering::Relaxed), 1, "audit hears of the panic, too");
}

#[tokio::test]
async fn methods_of_ones_own_are_served_in_both_eras() {
    for revision in Revision::ALL {
        let extended = server()
            .method("acme/search", |ctx: Ctx, params| async move {
                let mut result = serde_json::Map::new();
                result.insert("revision".into(), ctx.client().revision().as_str().into());
                result.insert("query".into(), params.get("query").cloned().unwrap_or_default());
                Ok::<_, Error>(result)
            })
            .method("acme/fail", |_, _| async { Err::<serde_json::Map<String, Value>, _>(Error::protocol(9, "no")) })
            .method("acme/panic", |_, _| async {
                if true { panic!("secret") } else { Ok::<_, Error>(serde_json::Map::new()) }
            });
        let client = Client::with_revision(revision).connect(extended).await.unwrap();
        let result = client.request("acme/search", json!({"query": [1]})).await.unwrap();
        assert_eq!((&result["query"], &result["revision"]), (&json!([1]), &json!(revision.as_str())));
        assert_eq!(result.get("resultType").is_some(), revision.is_modern());
        assert_eq!(code(client.request("acme/fail", json!({})).await.unwrap_err()), 9);
        assert_eq!(code(client.request("acme/panic", json!({})).await.unwrap_err()), -32603);
        assert_eq!(code(client.request("acme/other", json!({})).await.unwrap_err()), -32601);
    }
}

#[tokio::test]
async fn hooks_at_the_start_can_refuse_it() {
    let refusing = server().on_start(async { Err(Error::msg("no database")) });
    let Err(ClientError::Start(text)) = Client::connect(refusing).await else { panic!("it must not start") };
    assert!(text.contains("no database"), "{text}");
}

#[tokio::test]
async fn state_is_reached_without_a_parameter_too() {
    let client = Client::connect(server().state(7u64)).await.unwrap();
    assert_eq!(client.call("reach", json!({})).await.unwrap().text(), "7 false");
    let without = Client::connect(server()).await.unwrap();
    assert_eq!(code(without.call("reach", json!({})).await.unwrap_err()), -32603);
}

#[tokio::test]
async fn a_handle_works_before_the_server_runs_and_from_any_thread() {
    let built = server().build().unwrap();
    let handle = built.handle();
    assert!(handle.tools().disable("fail"));
    assert!(!handle.tools().disable("fail"));
    assert!(!handle.tools().disable("no such"));
    handle.tools().add(Tool::new("early").description("Early.").call(|_, _| async { 1 })).unwrap();
    let client = Client::connect(built).await.unwrap();
    assert_eq!(names(&client).await, ["early", "explode", "reach", "say"]);
    std::thread::spawn(move || {
        handle.tools().enable("fail");
        handle.tools().remove("early");
        handle.resources().add(Resource::new("note://1", "the one").read(|_, _| async { "direct" })).unwrap();
        handle.prompts().disable("ask");
    })
    .join()
    .unwrap();
    assert_eq!(names(&client).await, ["explode", "fail", "reach", "say"]);
    assert_eq!(client.read("note://1").await.unwrap()[0]["text"], "direct", "a direct resource before a template");
    // The last prompt is gone, but the part of the protocol is still there: its list is empty.
    assert_eq!(client.list_prompts().await.unwrap(), Vec::<Value>::new());
    assert_eq!(code(client.prompt("ask", json!({})).await.unwrap_err()), -32602);
}

#[tokio::test]
async fn what_is_added_is_checked_like_what_is_linked() {
    let built = server().build().unwrap();
    let handle = built.handle();
    let taken = handle.tools().add(Tool::new("say").call(|_, _| async {})).unwrap_err();
    assert!(taken.to_string().contains("`say`"), "{taken}");
    let named = handle.tools().add(Tool::new("no good").call(|_, _| async {})).unwrap_err();
    assert!(named.to_string().contains("no good"), "{named}");
    let shaped = handle
        .tools()
        .add(Tool::new("shaped").input_schema(json!({"type": "array"})).call(|_, _| async {}))
        .unwrap_err();
    assert!(shaped.to_string().contains("shaped"), "{shaped}");
    let template = handle.resources().add(Resource::new("x://{a}{b}", "x").read(|_, _| async { "" })).unwrap_err();
    assert!(template.to_string().contains("x://{a}{b}"), "{template}");
    let ambiguous = handle.resources().add(Resource::new("note://{other}", "x").read(|_, _| async { "" }));
    assert!(ambiguous.is_err(), "a second template for the same URIs");
}

#[tokio::test]
async fn calls_under_way_survive_the_removal_of_their_tool() {
    let go = Arc::new(tokio::sync::Notify::new());
    let waits = Arc::clone(&go);
    let slow = Tool::new("slow").description("Slow.").call(move |_, _| {
        let waits = Arc::clone(&waits);
        async move {
            waits.notified().await;
            "finished"
        }
    });
    let client = Client::connect(server().tool(slow)).await.unwrap();
    let pending = client.begin("tools/call", json!({"name": "slow"}));
    assert!(client.server().tools().remove("slow"));
    assert_eq!(code(client.call("slow", json!({})).await.unwrap_err()), -32602);
    go.notify_one();
    assert_eq!(pending.await.unwrap()["content"][0]["text"], "finished");
}

#[tokio::test(start_paused = true)]
async fn a_notification_that_never_comes_is_an_error_that_names_those_that_came() {
    let client = Client::with_revision(Revision::V2025_11_25).connect(server()).await.unwrap();
    let silent = client.notified("notifications/message").await.unwrap_err().to_string();
    assert_eq!(silent, "no `notifications/message` came within 10s, and nothing else");
    client.server().tools().disable("say");
    let other = client.notified("notifications/message").await.unwrap_err().to_string();
    assert_eq!(other, "no `notifications/message` came within 10s, but `notifications/tools/list_changed`");
    client.notified("notifications/tools/list_changed").await.unwrap();
}
