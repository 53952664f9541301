//! Over HTTP a client finds the same notes.
#![cfg(feature = "http")]

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpStream;
use std::process::{Child, Command, Stdio};

use serde_json::{Value, json};

/// The program, ended with the test.
struct Program(Child);

impl Drop for Program {
    fn drop(&mut self) {
        drop(self.0.kill().and_then(|()| self.0.wait()));
    }
}

/// Starts the program on a free port; where it listens.
fn start(db: &std::path::Path) -> (Program, String) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_notes"));
    command.args(["--http", "127.0.0.1:0", "--db"]).arg(db).stderr(Stdio::piped());
    let mut program = Program(command.spawn().unwrap());
    let mut said = BufReader::new(program.0.stderr.take().unwrap()).lines();
    let address = said.find_map(|line| {
        let line = line.unwrap();
        let (_, url) = line.split_once("http://")?;
        url.split('/').next().map(str::to_owned)
    });
    // Whoever stops reading breaks what the program says later.
    std::thread::spawn(move || said.for_each(drop));
    (program, address.unwrap())
}

fn call(address: &str, name: &str, arguments: &Value) -> Value {
    let meta = json!({"io.modelcontextprotocol/protocolVersion": "2026-07-28", "io.modelcontextprotocol/clientCapabilities": {}});
    let body = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": name, "arguments": arguments, "_meta": meta}});
    let body = body.to_string();
    let mut stream = TcpStream::connect(address).unwrap();
    write!(
        stream,
        "POST /mcp HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\nContent-Type: application/json\r\n\
         Accept: application/json\r\nMCP-Protocol-Version: 2026-07-28\r\nMcp-Method: tools/call\r\nMcp-Name: {name}\r\n\
         Content-Length: {}\r\n\r\n{body}",
        body.len()
    )
    .unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).unwrap();
    let (head, body) = answer.split_once("\r\n\r\n").unwrap();
    assert!(head.starts_with("HTTP/1.1 200"), "{answer}");
    serde_json::from_str::<Value>(body).unwrap()["result"]["structuredContent"].take()
}

#[test]
fn a_note_is_found_by_its_words() {
    let folder = tempfile::tempdir().unwrap();
    let (_program, address) = start(&folder.path().join("notes.db"));
    call(&address, "add_note", &json!({"title": "Garden", "body": "Sow the tomatoes in March."}));
    let found = call(&address, "search_notes", &json!({"words": "tomato"}));
    assert_eq!(found[0]["excerpt"], "Sow the **tomatoes** in March.");
}
