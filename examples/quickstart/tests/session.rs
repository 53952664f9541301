//! The server as a process: messages in, answers out.

use std::io::Write as _;
use std::process::{Command, Stdio};

use serde_json::{Value, json};

/// Writes the messages, one a line, ends the input, and reads all answers.
fn session(messages: &[Value]) -> Vec<Value> {
    let mut server = Command::new(env!("CARGO_BIN_EXE_quickstart"))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let mut input = server.stdin.take().unwrap();
    for message in messages {
        writeln!(input, "{message}").unwrap();
    }
    drop(input);
    let output = server.wait_with_output().unwrap();
    assert!(output.status.success());
    let output = String::from_utf8(output.stdout).unwrap();
    output.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

fn request(id: Value, method: &str, params: Value) -> Value {
    json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params})
}

fn call(id: Value, name: &str, arguments: Value) -> Value {
    request(id, "tools/call", json!({"name": name, "arguments": arguments}))
}

#[test]
fn a_session_of_three_messages_adds_two_numbers() {
    let answers = session(&[
        request(json!(1), "initialize", json!({"protocolVersion": "2024-11-05"})),
        json!({"jsonrpc": "2.0", "method": "notifications/initialized"}),
        call(json!("abc"), "add_numbers", json!({"a": 12, "b": 30})),
    ]);
    assert_eq!(answers.len(), 2);
    assert_eq!(answers[0]["result"]["protocolVersion"], "2024-11-05");
    assert_eq!(answers[0]["result"]["serverInfo"]["name"], "quickstart");
    assert_eq!(answers[1]["id"], "abc");
    assert_eq!(answers[1]["result"]["content"][0]["text"], "42");
}

#[test]
fn the_newest_revision_needs_no_handshake() {
    let meta = json!({
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientCapabilities": {},
    });
    let params = json!({"name": "add_numbers", "arguments": {"a": 12, "b": 30}, "_meta": meta});
    let answers = session(&[request(json!(1), "tools/call", params)]);
    assert_eq!(answers[0]["result"]["content"][0]["text"], "42");
    assert_eq!(answers[0]["result"]["resultType"], "complete");
}

#[test]
fn the_resource_and_the_prompt_answer() {
    let answers = session(&[
        request(json!(1), "initialize", json!({"protocolVersion": "2025-11-25"})),
        json!({"jsonrpc": "2.0", "method": "notifications/initialized"}),
        request(json!(2), "resources/read", json!({"uri": "greeting://Ada%20Lovelace"})),
        request(json!(3), "prompts/get", json!({"name": "review", "arguments": {"code": "a + b"}})),
    ]);
    let answer = |id: u64| answers.iter().find(|answer| answer["id"] == id).unwrap();
    assert_eq!(answer(2)["result"]["contents"][0]["text"], "Hello, Ada Lovelace!");
    let prompt = answer(3)["result"]["messages"][0]["content"]["text"].as_str().unwrap();
    assert!(prompt.ends_with("a + b"));
}
