//! Questions over HTTP: sealed state that any instance opens, and clients that wait on their stream.

use std::io::Write as _;
use std::time::Duration;

use mcp_runtime::prelude::*;
use mcp_runtime::{AskError, Error};
use serde_json::{Value, json};

use crate::client::Request;
use crate::process::{ADDRESS, Process};
use crate::server::{Tested, text};

const KEY: &str = "AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=";
const OTHER: &str = "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1eff";

/// Where payments are counted: a file, outside of all processes.
const COUNTED: &str = "MCP_TEST_PAYMENTS";

#[derive(Elicit)]
struct Confirm {
    sure: bool,
}

fn pay() -> Result<String> {
    let mut file = std::fs::OpenOptions::new().create(true).append(true).open(std::env::var(COUNTED)?)?;
    writeln!(file, "paid by {}", std::process::id())?;
    Ok("paid".to_owned())
}

/// Pay once, among five questions.
#[tool]
async fn pay_once(ctx: &Ctx, for_what: String) -> Result<String> {
    ctx.elicit::<Confirm>(format!("Pay for {for_what}?")).await?;
    let paid = ctx.once("pay", async { pay() }).await?;
    for step in 2..=5 {
        ctx.elicit::<Confirm>(format!("Step {step}?")).await?;
    }
    Ok(format!("{paid} for {for_what}, {}", ctx.flow_id()))
}

/// Confirm something.
#[tool]
async fn confirm_it(ctx: &Ctx, what: String) -> Result<String, AskError> {
    let confirm: Confirm = ctx.elicit(format!("{what}?")).await?;
    Ok(format!("{what}: {}", confirm.sure))
}

/// Confirm something else.
#[tool]
async fn confirm_that(ctx: &Ctx, what: String) -> Result<String, Error> {
    let confirm: Confirm = ctx.elicit(format!("{what}?")).await?;
    Ok(format!("{what}: {}", confirm.sure))
}

/// A call of a client that fills in forms.
fn call(name: &str, arguments: Value, more: Value) -> Request {
    let mut params = json!({"name": name, "arguments": arguments});
    params.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    Request::modern("tools/call", params)
        .body(|body| body["params"]["_meta"]["io.modelcontextprotocol/clientCapabilities"] = json!({"elicitation": {}}))
}

/// Yes to everything that a result asks.
fn yes(result: &Value) -> Value {
    let keys = result["inputRequests"].as_object().unwrap_or_else(|| panic!("{result}")).keys();
    let answers: serde_json::Map<_, _> =
        keys.map(|key| (key.clone(), json!({"action": "accept", "content": {"sure": true}}))).collect();
    json!({"inputResponses": answers, "requestState": result["requestState"]})
}

async fn ask(server: &Tested, name: &str, what: &str, more: Value) -> Value {
    server.send(&call(name, json!({"what": what}), more)).await.json().await
}

#[tokio::test]
async fn a_state_is_opened_by_every_instance_with_the_key_and_by_no_other() {
    let (one, other) = (
        Tested::with(|server| server.state_key(KEY)).await,
        Tested::with(|server| server.state_key(OTHER).state_key(KEY)).await,
    );
    let strangers = [Tested::with(|server| server.state_key(OTHER)).await, Tested::start().await];
    let first = ask(&one, "confirm_it", "Paint", json!({})).await;
    assert_eq!(first["result"]["resultType"], "input_required");
    let again = yes(&first["result"]);
    assert!(again["requestState"].as_str().unwrap().starts_with("v1."), "sealed");
    for server in [&one, &other] {
        assert_eq!(text(&ask(server, "confirm_it", "Paint", again.clone()).await), "Paint: true");
    }
    for server in &strangers {
        let refused = ask(server, "confirm_it", "Paint", again.clone()).await;
        assert_eq!(refused["error"]["code"], -32602);
        assert_eq!(refused["error"]["data"], json!({"reason": "invalid_request_state"}));
    }
}

#[tokio::test]
async fn a_state_belongs_to_its_request() {
    let server = Tested::with(|server| server.state_key(KEY)).await;
    let first = ask(&server, "confirm_it", "Paint", json!({})).await;
    let again = yes(&first["result"]);
    let mut changed = again.clone();
    changed["requestState"] = format!("{}-TAMPERED", again["requestState"].as_str().unwrap()).into();
    for (name, what, more) in
        [("confirm_that", "Paint", &again), ("confirm_it", "Burn", &again), ("confirm_it", "Paint", &changed)]
    {
        let refused = ask(&server, name, what, more.clone()).await;
        assert_eq!(refused["error"]["message"], "Invalid or expired requestState", "{name} {what}");
    }
    let short = Tested::with(|server| server.state_key(KEY).state_ttl(Duration::ZERO)).await;
    let first = ask(&short, "confirm_it", "Paint", json!({})).await;
    tokio::time::sleep(Duration::from_millis(1100)).await;
    let late = ask(&short, "confirm_it", "Paint", yes(&first["result"])).await;
    assert_eq!(late["error"]["message"], "Invalid or expired requestState");
}

#[tokio::test]
async fn a_missing_capability_has_the_status_400() {
    let server = Tested::start().await;
    let mut response = server.send(&Request::call("confirm_it", json!({"what": "Paint"}))).await;
    assert_eq!(response.status, 400);
    let error = response.json().await["error"].clone();
    assert_eq!(
        (error["code"].as_i64(), &error["data"]),
        (Some(-32021), &json!({"requiredCapabilities": {"elicitation": {}}}))
    );
}

/// `initialize` of a client that fills in forms.
fn begin() -> Request {
    let params = json!({"protocolVersion": "2025-11-25", "capabilities": {"elicitation": {}}, "clientInfo": {"name": "t", "version": "1"}});
    Request::post(json!({"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": params}))
}

async fn session(server: &Tested) -> String {
    server.send(&begin()).await.header("mcp-session-id").unwrap().to_owned()
}

#[tokio::test]
async fn a_client_that_waits_is_asked_on_its_own_stream() {
    let server = Tested::with(|server| server.state_key(KEY)).await;
    let session = session(&server).await;
    let request =
        Request::legacy(&session, 1, "tools/call", json!({"name": "confirm_it", "arguments": {"what": "Paint"}}));
    let mut events = server.send(&request).await.events();
    let question = events.message().await;
    assert_eq!(
        (question["method"].as_str(), question["params"]["message"].as_str()),
        (Some("elicitation/create"), Some("Paint?"))
    );
    // Nobody else answers for this client.
    let stranger = self::session(&server).await;
    let answer =
        json!({"jsonrpc": "2.0", "id": question["id"], "result": {"action": "accept", "content": {"sure": false}}});
    let response = server.send(&Request::post(&answer).header("mcp-session-id", &stranger)).await;
    assert!(response.status == 202 || response.status >= 400, "{response:?}");
    let answer =
        json!({"jsonrpc": "2.0", "id": question["id"], "result": {"action": "accept", "content": {"sure": true}}});
    assert_eq!(server.send(&Request::post(&answer).header("mcp-session-id", &session)).await.status, 202);
    assert_eq!(text(&events.message().await), "Paint: true");
}

/// Whoever stands in front of several instances can tell by it which of them waits for the answer.
#[tokio::test]
async fn the_id_of_a_question_names_the_process_that_waits_for_its_answer() {
    let nothing_paid = std::env::temp_dir().join(format!("mcp-asking-ids-{}", std::process::id()));
    let (here, elsewhere) = (server(&nothing_paid).await, server(&nothing_paid).await);
    let begin = async || here.send(&begin()).await.header("mcp-session-id").unwrap().to_owned();
    let (first, second) = (begin().await, begin().await);
    let call = |session: &str, id: i64| {
        Request::legacy(session, id, "tools/call", json!({"name": "confirm_it", "arguments": {"what": "Paint"}}))
    };
    let mut asked = Vec::new();
    let mut streams = Vec::new();
    for response in
        [here.send(&call(&first, 1)).await, here.send(&call(&first, 2)).await, here.send(&call(&second, 1)).await]
    {
        let mut events = response.events();
        asked.push(events.message().await["id"].as_str().unwrap().to_owned());
        streams.push(events);
    }
    let process = |id: &str| id.split_once('.').unwrap().0.to_owned();
    assert!(asked.iter().all(|id| process(id) == process(&asked[0])), "{asked:?}");
    assert!(asked[0] != asked[1] && asked[1] != asked[2] && asked[0] != asked[2], "{asked:?}");
    // The other process has the key but not the name: the session is known there, the question is not.
    let mut there = elsewhere.send(&call(&first, 3)).await.events();
    let question = there.message().await["id"].as_str().unwrap().to_owned();
    assert_ne!(process(&question), process(&asked[0]));
    let answer = |id: &str, sure: bool| {
        let result = json!({"action": "accept", "content": {"sure": sure}});
        Request::post(json!({"jsonrpc": "2.0", "id": id, "result": result})).header("mcp-session-id", &first)
    };
    assert_eq!(elsewhere.send(&answer(&asked[0], false)).await.status, 202);
    assert_eq!(elsewhere.send(&answer(&question, true)).await.status, 202);
    assert_eq!(text(&there.message().await), "Paint: true");
    assert_eq!(here.send(&answer(&asked[0], true)).await.status, 202);
    assert_eq!(text(&streams[0].message().await), "Paint: true");
}

#[tokio::test]
async fn a_client_without_a_stream_is_told() {
    let server = Tested::start().await;
    let session = session(&server).await;
    let request =
        Request::legacy(&session, 1, "tools/call", json!({"name": "confirm_it", "arguments": {"what": "Paint"}}));
    let told = server.send(&request.header("accept", "application/json")).await.json().await;
    assert_eq!(told["result"]["isError"], true);
    assert!(text(&told).contains("there is no stream on which it would hear the question"), "{told}");
}

#[tokio::test]
#[ignore = "the server that another test starts"]
async fn the_server_of_a_process() {
    let address = std::env::var(ADDRESS).expect("started by another test");
    Server::new("asking", "1.0.0")
        .shared_state(std::sync::Arc::<crate::server::Seen>::default())
        .serve_http(&*address)
        .await
        .unwrap();
}

async fn server(payments: &std::path::Path) -> Process {
    let payments = payments.to_str().unwrap();
    Process::start("asking::the_server_of_a_process", &[(COUNTED, payments), ("MCP_STATE_KEY", KEY)]).await
}

#[tokio::test]
async fn two_processes_serve_alternate_rounds_and_pay_once() {
    let folder = std::env::temp_dir().join(format!("mcp-asking-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let payments = folder.join("payments");
    let servers = [server(&payments).await, server(&payments).await];
    let mut more = json!({});
    let mut rounds = 0;
    let last = loop {
        let request = call("pay_once", json!({"for_what": "a boat"}), more);
        let result = servers[rounds % 2].send(&request).await.json().await["result"].clone();
        if result["resultType"] == "complete" {
            break result;
        }
        rounds += 1;
        more = yes(&result);
    };
    assert_eq!(rounds, 5);
    assert!(last["content"][0]["text"].as_str().unwrap().starts_with("paid for a boat, "), "{last}");
    let paid = std::fs::read_to_string(&payments).unwrap();
    assert_eq!(paid.lines().count(), 1, "{paid}");
    std::fs::remove_dir_all(&folder).unwrap();
}
