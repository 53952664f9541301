//! Messages that are wrong in ways a client rarely is: who is answered, and with which id.

use std::collections::BTreeMap;

use mcp_runtime::prelude::*;
use mcp_runtime::testing;
use mcp_tests::{Link, Process};
use serde_json::json;

const FIXTURE: &str = env!("CARGO_BIN_EXE_fixture");

/// The next answer is that of a ping which is sent now: nothing was said before.
fn nothing_was_said(process: &mut Process, after: &str) {
    process.line("{\"jsonrpc\":\"2.0\",\"id\":\"after\",\"method\":\"ping\"}");
    assert_eq!(process.receive(), json!({"jsonrpc": "2.0", "id": "after", "result": {}}), "after {after}");
}

#[test]
fn an_answer_is_never_answered() {
    let mut process = Process::start(FIXTURE, Link::Pipe, &[]);
    for line in [
        // What a peer says that could not read the id, in JSON-RPC's words and in ours.
        "{\"jsonrpc\":\"2.0\",\"id\":null,\"error\":{\"code\":-32700,\"message\":\"Parse error\"}}",
        "{\"jsonrpc\":\"2.0\",\"error\":{\"code\":-32700,\"message\":\"Parse error\"}}",
        "{\"jsonrpc\":\"2.0\",\"id\":1.5,\"error\":{\"code\":-32700,\"message\":\"Parse error\"}}",
        "{\"jsonrpc\":\"2.0\",\"id\":null,\"result\":{}}",
        "{\"jsonrpc\":\"2.0\",\"result\":{}}",
    ] {
        process.line(line);
        nothing_was_said(&mut process, line);
    }
    // A message with both is no answer of anything.
    process.line("{\"jsonrpc\":\"2.0\",\"id\":null,\"result\":{},\"error\":{\"code\":1,\"message\":\"\"}}");
    assert_eq!(process.receive()["error"]["code"], -32600);
}

#[test]
fn the_id_is_found_behind_a_member_that_stands_twice() {
    let mut process = Process::start(FIXTURE, Link::Pipe, &[]);
    for line in [
        "{\"jsonrpc\":\"2.0\",\"jsonrpc\":\"2.0\",\"id\":7,\"method\":\"ping\"}",
        "{\"method\":\"ping\",\"method\":\"tools/list\",\"id\":7,\"jsonrpc\":\"2.0\"}",
        "{\"params\":{},\"params\":{\"x\":[1]},\"id\":7,\"method\":\"ping\",\"jsonrpc\":\"2.0\"}",
    ] {
        process.line(line);
        let answer = process.receive();
        assert_eq!(answer["error"]["code"], -32600, "{line}: {answer}");
        assert_eq!(answer["id"], 7, "{line}: {answer}");
        let message = answer["error"]["message"].as_str().unwrap_or_default();
        assert!(message.ends_with(" stands twice"), "{message}");
    }
}

#[test]
fn the_id_is_found_before_bytes_that_are_no_text() {
    let mut process = Process::start(FIXTURE, Link::Pipe, &[]);
    process.write(b"{\"jsonrpc\":\"2.0\",\"id\":7,\"method\":\"tools/call\",\"params\":{\"name\":\"echo\",\"arguments\":{\"text\":\"\xc3\"}}}\n");
    let answer = process.receive();
    assert_eq!((&answer["id"], &answer["error"]["code"]), (&json!(7), &json!(-32700)), "{answer}");
    process.write(b"{\"jsonrpc\":\"2.0\",\"method\":\"\xc3\",\"id\":7}\n");
    assert_eq!(process.receive().get("id"), None);
}

struct Bomb;

impl Drop for Bomb {
    fn drop(&mut self) {
        panic!("while the payload was dropped");
    }
}

/// Panic with what panics again.
#[tool]
fn bomb() -> String {
    std::panic::panic_any(Bomb)
}

/// Live.
#[tool]
fn alive() -> &'static str {
    "alive"
}

#[tokio::test]
async fn what_a_handler_panics_with_may_panic_again() -> mcp_runtime::Result<()> {
    for server in [
        mcp_runtime::server!(),
        mcp_runtime::server!().around(|call, next| async move {
            drop(call);
            next.run().await
        }),
    ] {
        let client = testing::Client::connect(server).await?;
        assert!(client.call("bomb", json!({})).await.is_err());
        assert_eq!(client.call("alive", json!({})).await?.text(), "alive");
    }
    Ok(())
}

#[test]
fn a_log_whose_data_is_no_json_says_so() {
    let ctx = testing::Ctx::new();
    ctx.log(LogLevel::Info, BTreeMap::from([((1, 2), 3)]));
    let data = ctx.logs()[0]["data"].as_str().map(str::to_owned).unwrap_or_default();
    assert!(data.starts_with("the data of this message cannot be written as JSON: "), "{:?}", ctx.logs());
    assert_eq!(ctx.logs()[0]["level"], "info");
}
