//! Many clients on one Unix socket: each for itself, all of one server.

use std::io::{BufRead as _, BufReader, Write as _};
use std::os::unix::net::UnixStream;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use mcp_tests::Process;
use serde_json::{Value, json};

use super::start;

struct Client {
    input: UnixStream,
    output: BufReader<UnixStream>,
}

impl Client {
    fn connect(path: &PathBuf) -> Self {
        let began = Instant::now();
        // The server binds before it says so: there is no event to wait for from outside.
        let stream = loop {
            match UnixStream::connect(path) {
                Ok(stream) => break stream,
                Err(error) => assert!(began.elapsed() < Duration::from_secs(20), "{error}"),
            }
            std::thread::sleep(Duration::from_millis(5));
        };
        stream.set_read_timeout(Some(Duration::from_secs(20))).unwrap();
        let mut client = Self { input: stream.try_clone().unwrap(), output: BufReader::new(stream) };
        client.send(
            &json!({"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": {"protocolVersion": "2025-06-18"}}),
        );
        client.send(&json!({"jsonrpc": "2.0", "method": "notifications/initialized"}));
        assert_eq!(client.receive()["id"], 0);
        client
    }

    fn send(&mut self, message: &Value) {
        self.input.write_all(format!("{message}\n").as_bytes()).unwrap();
    }

    fn call(&mut self, id: i64, name: &str, arguments: Value) {
        self.send(&json!({"jsonrpc": "2.0", "id": id, "method": "tools/call", "params": {"name": name, "arguments": arguments}}));
    }

    fn receive(&mut self) -> Value {
        let mut line = String::new();
        self.output.read_line(&mut line).unwrap();
        serde_json::from_str(&line).unwrap_or_else(|error| panic!("{error}: {line:?}"))
    }

    /// The next message of this method, or with this id.
    fn until(&mut self, what: &Value) -> Value {
        loop {
            let message = self.receive();
            if message.get("method") == Some(what) || message.get("id") == Some(what) {
                return message;
            }
        }
    }
}

fn listening(name: &str) -> (Process, PathBuf) {
    let path = std::env::temp_dir().join(format!("mcp-tests-{}-{name}.sock", std::process::id()));
    let process = start(&[("FIXTURE_SOCKET", path.to_str().unwrap())]);
    (process, path)
}

#[test]
fn every_client_hears_of_changes_and_nobody_of_anothers_calls() {
    let (mut process, path) = listening("changes");
    let (mut one, mut two) = (Client::connect(&path), Client::connect(&path));
    one.call(1, "change", json!({"what": "tool"}));
    for client in [&mut one, &mut two] {
        client.until(&json!("notifications/tools/list_changed"));
    }
    // The same id, the same token, another client.
    one.call(5, "wait", json!({"name": "bell"}));
    two.call(5, "forever", json!({"bell": "dropped"}));
    two.send(&json!({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 5}}));
    two.call(6, "wait", json!({"name": "dropped"}));
    two.until(&json!(6));
    two.send(&json!({"jsonrpc": "2.0", "id": 7, "method": "logging/setLevel", "params": {"level": "debug"}}));
    two.call(8, "ring", json!({"name": "bell"}));
    two.until(&json!(8));
    assert_eq!(one.until(&json!(5))["result"]["content"][0]["text"], "bell");
    one.call(9, "logs", json!({}));
    assert_eq!(one.receive()["params"]["level"], "info", "its own level");
    process.signal("TERM");
    assert!(process.ended().0.success());
    assert!(!path.exists(), "the socket is taken away");
}

#[test]
fn updates_go_to_the_client_that_subscribed() {
    let (_process, path) = listening("updates");
    let (mut one, mut two) = (Client::connect(&path), Client::connect(&path));
    one.send(&json!({"jsonrpc": "2.0", "id": 1, "method": "resources/subscribe", "params": {"uri": "test://a"}}));
    one.until(&json!(1));
    two.send(&json!({"jsonrpc": "2.0", "id": 1, "method": "resources/subscribe", "params": {"uri": "test://b"}}));
    two.until(&json!(1));
    // Whoever changes it.
    for (id, uri) in [(2, "test://a"), (3, "test://b")] {
        two.call(id, "change", json!({"what": uri}));
        two.until(&json!(id));
    }
    for (client, own) in [(&mut one, "test://a"), (&mut two, "test://b")] {
        let heard = client.until(&json!("notifications/resources/updated"));
        assert_eq!(heard["params"], json!({"uri": own}));
    }
    // What comes last is heard after everything before it.
    one.call(4, "change", json!({"what": "tool"}));
    for client in [&mut one, &mut two] {
        loop {
            let message = client.receive();
            assert_ne!(message["method"], "notifications/resources/updated", "{message}");
            if message["method"] == "notifications/tools/list_changed" {
                break;
            }
        }
    }
}

#[test]
fn a_client_that_leaves_takes_only_its_own_calls_along() {
    let (mut process, path) = listening("leaves");
    let (mut one, mut two) = (Client::connect(&path), Client::connect(&path));
    two.call(1, "forever", json!({"bell": "left"}));
    // Those hear of it that nobody can drop: a task beside a handler, a thread of the pool.
    for (id, tool) in [(2, "watch_cancel"), (3, "poll_cancel")] {
        two.call(id, tool, json!({"bell": tool}));
        two.call(10 + id, "wait", json!({"name": format!("{tool} started")}));
        two.until(&json!(10 + id));
    }
    drop(two);
    for bell in ["left", "watch_cancel", "poll_cancel"] {
        one.call(3, "wait", json!({"name": bell}));
        one.until(&json!(3));
    }
    one.send(&json!({"jsonrpc": "2.0", "id": 4, "method": "ping"}));
    assert_eq!(one.until(&json!(4))["result"], json!({}));
    // A newcomer is welcome.
    Client::connect(&path);
    process.signal("INT");
    assert!(process.ended().0.success());
}

/// Returns when a handler blocks until this bell is rung.
fn wait_for_block(client: &mut Client, bell: &str) {
    let began = Instant::now();
    loop {
        client.call(2, "rung", json!({"name": format!("{bell} blocks")}));
        if client.until(&json!(2))["result"]["content"][0]["text"] == "1" {
            return;
        }
        assert!(began.elapsed() < Duration::from_secs(20), "nothing blocks until {bell}");
    }
}

#[test]
fn a_handler_that_blocks_its_thread_holds_up_no_other_client() {
    let (_process, path) = listening("deaf");
    let (mut one, mut two) = (Client::connect(&path), Client::connect(&path));
    for round in 0..10 {
        let bell = format!("bell {round}");
        // The same id each time: it is free when its answer is there.
        one.call(1, "block", json!({"name": bell}));
        wait_for_block(&mut two, &bell);
        // Whoever comes now is served, too.
        let mut three = Client::connect(&path);
        three.call(3, "ring", json!({"name": bell}));
        three.until(&json!(3));
        assert_eq!(one.until(&json!(1))["result"]["content"][0]["text"], json!(bell));
    }
}

#[test]
fn a_handler_that_was_quick_and_blocks_then_takes_one_thread_at_most() {
    let (_process, path) = listening("quick");
    let mut clients = [(); 4].map(|()| Client::connect(&path));
    clients[0].call(1, "ring", json!({"name": "rung before"}));
    clients[0].until(&json!(1));
    clients[0].call(2, "block", json!({"name": "rung before"}));
    assert_eq!(clients[0].until(&json!(2))["result"]["content"][0]["text"], "rung before");
    for (index, client) in clients.iter_mut().enumerate() {
        let bell = format!("bell {index}");
        client.call(3, "block", json!({"name": bell}));
        wait_for_block(&mut Client::connect(&path), &bell);
        std::thread::sleep(Duration::from_millis(5));
    }
    let mut last = Client::connect(&path);
    for (index, client) in clients.iter_mut().enumerate() {
        let bell = format!("bell {index}");
        last.call(4, "ring", json!({"name": bell}));
        last.until(&json!(4));
        assert_eq!(client.until(&json!(3))["result"]["content"][0]["text"], json!(bell));
    }
}

#[test]
fn a_handler_that_holds_its_thread_for_ever_does_not_keep_the_process() {
    for runtime in ["multi_thread", "current_thread"] {
        for (tool, leaves) in [("block", false), ("block", true), ("block_in_pool", false), ("block_in_pool", true)] {
            let path = std::env::temp_dir().join(format!("mcp-tests-{}-{runtime}-{tool}.sock", std::process::id()));
            let mut process = start(&[("FIXTURE_SOCKET", path.to_str().unwrap()), ("FIXTURE_RUNTIME", runtime)]);
            let mut client = Client::connect(&path);
            client.call(1, tool, json!({"name": "never"}));
            client.send(&json!({"jsonrpc": "2.0", "id": 2, "method": "ping"}));
            client.until(&json!(2));
            let client = (!leaves).then_some(client);
            process.signal("TERM");
            let (status, time) = process.ended();
            assert!(status.success() || status.code() == Some(143), "{runtime} {tool} {leaves}: {status}");
            assert!(time < Duration::from_secs(15), "{runtime} {tool} {leaves}: {time:?}");
            drop(client);
            drop(std::fs::remove_file(&path));
        }
    }
}

#[test]
fn a_socket_that_was_left_behind_is_replaced_and_one_in_use_is_not() {
    let (process, path) = listening("left");
    drop(Client::connect(&path));
    let mut second = start(&[("FIXTURE_SOCKET", path.to_str().unwrap())]);
    assert_eq!(second.ended().0.code(), Some(1));
    drop(process); // Killed: the file stays.
    assert!(path.exists());
    let mut third = start(&[("FIXTURE_SOCKET", path.to_str().unwrap())]);
    Client::connect(&path);
    third.signal("TERM");
    assert!(third.ended().0.success());
}
