//! Who calls, as a layer has found out: what a client keeps for the server is that caller's only.

use std::net::SocketAddr;

use axum::extract::Request as Incoming;
use axum::middleware::{Next, from_fn};
use axum::response::Response;
use mcp_runtime::prelude::*;
use mcp_runtime::{AskError, Principal};
use serde_json::{Value, json};
use tokio::net::TcpListener;
use tokio::task::JoinHandle;

use crate::client::{Connection, Request};
use crate::server::{definition, get, initialize, text};

const KEY: &str = "AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=";

/// Say who calls.
#[tool]
fn caller(#[from_context] caller: Option<Principal>) -> String {
    caller.map_or_else(|| "nobody".to_owned(), |caller| caller.as_str().to_owned())
}

#[derive(Elicit)]
struct Sure {
    sure: bool,
}

/// Delete what the caller has.
#[tool]
async fn delete_all(ctx: &Ctx, #[from_context] caller: Principal) -> Result<String, AskError> {
    let Sure { sure } = ctx.elicit("Really?").await?;
    Ok(format!("{}: {sure}", caller.as_str()))
}

/// A layer that believes what it is told.
async fn identify(mut request: Incoming, next: Next) -> Response {
    let name = request.headers().get("authorization").and_then(|value| value.to_str().ok()?.strip_prefix("Bearer "));
    if let Some(name) = name.map(str::to_owned) {
        request.extensions_mut().insert(Principal::new(name));
    }
    next.run(request).await
}

struct App(SocketAddr, JoinHandle<()>);

impl Drop for App {
    fn drop(&mut self) {
        self.1.abort();
    }
}

impl App {
    async fn start() -> Self {
        let service = definition().state_key(KEY).http_sse("/sse", "/messages").http_service().unwrap();
        let app = axum::Router::new().fallback_service(service).layer(from_fn(identify));
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        Self(address, tokio::spawn(async { axum::serve(listener, app).await.unwrap() }))
    }

    async fn send(&self, caller: Option<&str>, request: &Request) -> crate::client::Response {
        let request = match caller {
            Some(caller) => request.clone().header("authorization", &format!("Bearer {caller}")),
            None => request.clone(),
        };
        Connection::open(self.0).await.send(&request).await
    }
}

#[tokio::test]
async fn a_session_is_there_for_the_one_who_began_it_only() {
    let (app, restarted) = (App::start().await, App::start().await);
    for owner in [Some("ada"), None] {
        let response = app.send(owner, &initialize("2025-11-25")).await;
        let session = response.header("mcp-session-id").unwrap().to_owned();
        let call = Request::legacy(&session, 1, "tools/call", json!({"name": "caller"}));
        let delete = Request::new("DELETE").header("mcp-session-id", &session);
        let answer = Request::post(json!({"jsonrpc": "2.0", "id": 1, "result": {}})).header("mcp-session-id", &session);
        // Known to the one instance, and opened by the other for the first time.
        for app in [&app, &restarted] {
            for stranger in [Some("eve"), Some("ad"), None, Some("ada")].into_iter().filter(|who| *who != owner) {
                for request in [&call, &get(&session), &delete, &answer] {
                    let response = app.send(stranger, request).await;
                    assert_eq!(response.status, 404, "{owner:?} {stranger:?} {request:?}");
                }
            }
            assert_eq!(text(&app.send(owner, &call).await.json().await), owner.unwrap_or("nobody"));
        }
    }
}

#[tokio::test]
async fn what_one_was_asked_nobody_else_answers() {
    let app = App::start().await;
    let ask = |more: Value| {
        let mut params = json!({"name": "delete_all"});
        params.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        let can_ask = json!({"elicitation": {}});
        Request::modern("tools/call", params)
            .body(|body| body["params"]["_meta"]["io.modelcontextprotocol/clientCapabilities"] = can_ask)
    };
    let asked = app.send(Some("ada"), &ask(json!({}))).await.json().await["result"].clone();
    let key = asked["inputRequests"].as_object().unwrap().keys().next().unwrap().clone();
    let answers = json!({key: {"action": "accept", "content": {"sure": true}}});
    let yes = json!({"inputResponses": answers, "requestState": asked["requestState"]});
    for stranger in [Some("eve"), None] {
        assert_eq!(app.send(stranger, &ask(yes.clone())).await.code().await, -32602, "{stranger:?}");
    }
    assert_eq!(text(&app.send(Some("ada"), &ask(yes)).await.json().await), "ada: true");
}

#[tokio::test]
async fn nobody_writes_to_anothers_stream() {
    let app = App::start().await;
    let open = Request::new("GET").path("/sse").header("accept", "text/event-stream");
    let mut events = app.send(Some("ada"), &open).await.events();
    let path = events.next().await.unwrap().data.unwrap();
    let ping = Request::post(json!({"jsonrpc": "2.0", "id": 1, "method": "ping"})).path(&path);
    for stranger in [Some("eve"), None] {
        assert_eq!(app.send(stranger, &ping).await.status, 404, "{stranger:?}");
    }
    assert_eq!(app.send(Some("ada"), &ping).await.status, 202);
    assert_eq!(events.message().await["result"], json!({}));
}
