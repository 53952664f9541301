//! The program as a client starts it: over pipes, with its database in a file.

use std::io::{BufRead as _, BufReader, Write as _};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Output, Stdio};

use serde_json::{Value, json};

fn notes(db: &Path) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_notes"));
    command.env("NOTES_DB", db).env_remove("NOTES_FILES");
    command
}

fn run(db: &Path, args: &[&str]) -> Output {
    notes(db).args(args).output().unwrap()
}

/// A client at the other end of two pipes.
struct Session {
    program: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
}

impl Session {
    fn start(db: &Path) -> Self {
        let program = notes(db).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null()).spawn();
        let mut program = program.unwrap();
        let (input, output) = (program.stdin.take().unwrap(), program.stdout.take().unwrap());
        let mut session = Self { program, input, output: BufReader::new(output) };
        session.send(json!({"id": 0, "method": "initialize", "params": {"protocolVersion": "2025-11-25"}}));
        assert_eq!(session.answer(0)["serverInfo"]["name"], "notes");
        session.send(json!({"method": "notifications/initialized"}));
        session
    }

    fn send(&mut self, mut message: Value) {
        message["jsonrpc"] = "2.0".into();
        writeln!(self.input, "{message}").unwrap();
    }

    fn next(&mut self) -> Value {
        let mut line = String::new();
        self.output.read_line(&mut line).unwrap();
        serde_json::from_str(&line).unwrap()
    }

    fn answer(&mut self, id: u64) -> Value {
        loop {
            let mut message = self.next();
            if message["id"] == id {
                return message["result"].take();
            }
        }
    }

    fn notified(&mut self, method: &str) -> Value {
        loop {
            let mut message = self.next();
            if message["method"] == method {
                return message["params"].take();
            }
        }
    }
}

#[test]
fn a_subscriber_hears_of_a_change_and_the_program_leaves_one_file() {
    let folder = tempfile::tempdir().unwrap();
    let db = folder.path().join("deeper/notes.db");
    let mut client = Session::start(&db);
    let call = |id: u64, name: &str, arguments: Value| json!({"id": id, "method": "tools/call", "params": {"name": name, "arguments": arguments}});
    client.send(call(1, "add_note", json!({"title": "Garden", "body": "Sow."})));
    assert_eq!(client.answer(1)["structuredContent"]["id"], 1);
    client.send(json!({"id": 2, "method": "resources/subscribe", "params": {"uri": "note://1"}}));
    client.answer(2);
    client.send(call(3, "edit_note", json!({"id": 1, "body": "Sow now."})));
    assert_eq!(client.notified("notifications/resources/updated")["uri"], "note://1");

    let Session { mut program, input, .. } = client;
    drop(input);
    assert!(program.wait().unwrap().success());
    let files: Vec<_> = db.parent().unwrap().read_dir().unwrap().map(|file| file.unwrap().file_name()).collect();
    assert_eq!(files, ["notes.db"], "the log of writes is gone");
    assert_eq!(run(&db, &["read", "note://1"]).stdout, b"# Garden\n\nSow now.\n");
}

#[test]
fn the_flag_says_where_the_notes_are_before_and_after_the_command() {
    let folder = tempfile::tempdir().unwrap();
    let (one, other) = (folder.path().join("one.db"), folder.path().join("other.db"));
    let one_text = one.to_str().unwrap();
    assert!(run(&other, &["--db", one_text, "call", "add_note", "title=A", "body="]).status.success());
    assert!(run(&other, &["read", "note://1", "--db", one_text]).status.success());
    assert!(!run(&other, &["read", "note://1"]).status.success());
}

#[test]
fn it_is_healthy() {
    let folder = tempfile::tempdir().unwrap();
    let files = folder.path().to_str().unwrap();
    let checked = run(&folder.path().join("notes.db"), &["doctor", "--strict", "--files", files]);
    assert!(checked.status.success(), "{checked:?}");
}

#[test]
fn a_database_that_cannot_be_opened_is_an_error_and_not_a_server() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("letters");
    std::fs::write(&file, "This is no database. ".repeat(100)).unwrap();
    for (db, why) in [(file.clone(), "not a database"), (file.join("notes.db"), "cannot be opened")] {
        let output = run(&db, &["list"]);
        assert_eq!(output.status.code(), Some(1));
        let said = String::from_utf8(output.stderr).unwrap();
        assert!(said.contains(db.to_str().unwrap()) && said.contains(why), "{said}");
    }
}
