//! Whole connections: a client on this thread, the server on a runtime of each flavour, pipes or sockets between them.
#![cfg(unix)]

mod ids;

use std::fs::File;
use std::future::{Future, pending};
use std::io::{BufRead, BufReader, ErrorKind, Read, Write};
use std::os::fd::{AsFd, OwnedFd};
use std::os::unix::net::UnixStream;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread::{JoinHandle, sleep, spawn};
use std::time::{Duration, Instant};

use rustix::fs::{OFlags, fcntl_getfl};
use serde_json::{Value, json};

use super::{StdioOptions, Stuck, serve_pair};
use crate::registry::define::{Tool, ToolDefinition};
use crate::server::Server;
use crate::server::connection::Connection;

/// How long a test may wait for what has to come.
const PATIENCE: Duration = Duration::from_secs(20);

/// How long a handler blocks in these tests: longer than a busy machine keeps a thread waiting.
const BLOCKED: u64 = 1000;

static DROPPED: AtomicUsize = AtomicUsize::new(0);

struct CountsItsDrop;

impl Drop for CountsItsDrop {
    fn drop(&mut self) {
        DROPPED.fetch_add(1, Ordering::SeqCst);
    }
}

fn tool<F: Future<Output = ()> + Send + 'static>(
    name: &'static str,
    run: impl Fn(u64) -> F + Send + Sync + 'static,
) -> ToolDefinition {
    let schema = json!({"type": "object", "properties": {"ms": {"type": "integer"}, "text": {"type": "string"}}});
    Tool::new(name).input_schema(schema).call(move |_ctx, args| {
        let work = run(args.get("ms").and_then(Value::as_u64).unwrap_or_default());
        async move {
            work.await;
            args.get("text").and_then(Value::as_str).unwrap_or_default().to_owned()
        }
    })
}

fn server() -> Server {
    Server::new("lines", "1")
        .tool(tool("echo", |_| async {}))
        .tool(tool("hop", |_| tokio::task::yield_now()))
        .tool(tool("block", |ms| async move { sleep(Duration::from_millis(ms)) }))
        .tool(tool("block_later", |ms| async move {
            tokio::time::sleep(Duration::from_millis(5)).await;
            sleep(Duration::from_millis(ms));
        }))
        .tool(tool("wait", |ms| async move { tokio::time::sleep(Duration::from_millis(ms)).await }))
        .tool(tool("guarded", |ms| async move {
            let _guard = CountsItsDrop;
            tokio::time::sleep(Duration::from_millis(ms)).await;
        }))
}

#[derive(Clone, Copy, Debug)]
enum Flavour {
    CurrentThread,
    Workers(usize),
}

#[derive(Clone, Copy, Debug)]
enum Kind {
    Pipe,
    Socket,
}

const FLAVOURS: [Flavour; 3] = [Flavour::CurrentThread, Flavour::Workers(1), Flavour::Workers(2)];
const KINDS: [Kind; 2] = [Kind::Pipe, Kind::Socket];

/// At the same time, because most of them wait most of the time.
fn everywhere(test: impl Fn(&str, Flavour, Kind) + Sync) {
    let test = &test;
    std::thread::scope(|scope| {
        for (flavour, kind) in FLAVOURS.iter().flat_map(|&flavour| KINDS.map(|kind| (flavour, kind))) {
            scope.spawn(move || test(&format!("{flavour:?} {kind:?}"), flavour, kind));
        }
    });
}

/// The reading end, then the writing end.
fn channel(kind: Kind) -> (OwnedFd, OwnedFd) {
    match kind {
        Kind::Pipe => rustix::pipe::pipe().unwrap(),
        Kind::Socket => {
            let (read, write) = UnixStream::pair().unwrap();
            (read.into(), write.into())
        }
    }
}

/// A client, and the server it talks to.
struct Client {
    to: Option<File>,
    from: Option<BufReader<File>>,
    server: JoinHandle<()>,
}

fn options() -> StdioOptions {
    StdioOptions { grace: 3 * PATIENCE, stuck: Stuck::Wait, ..StdioOptions::default() }
}

fn start(flavour: Flavour, kind: Kind) -> Client {
    let (input, to) = channel(kind);
    let (from, output) = channel(kind);
    start_with(flavour, (input, output), (to, from), options(), pending())
}

fn start_with(
    flavour: Flavour,
    pair: (OwnedFd, OwnedFd),
    (to, from): (OwnedFd, OwnedFd),
    options: StdioOptions,
    shutdown: impl Future<Output = ()> + Send + 'static,
) -> Client {
    let server = spawn(move || {
        let runtime = match flavour {
            Flavour::CurrentThread => tokio::runtime::Builder::new_current_thread().enable_all().build(),
            Flavour::Workers(count) => {
                tokio::runtime::Builder::new_multi_thread().worker_threads(count).enable_all().build()
            }
        };
        let connection = Arc::new(Connection::new(Arc::clone(&server().build().unwrap().core)));
        runtime.unwrap().block_on(serve_pair(connection, pair, options, shutdown)).unwrap();
    });
    let mut client = Client { to: Some(to.into()), from: Some(BufReader::new(from.into())), server };
    client.send(
        &json!({"jsonrpc": "2.0", "id": "i", "method": "initialize", "params": {"protocolVersion": "2025-06-18"}})
            .to_string(),
    );
    assert_eq!(client.answer()["id"], "i");
    client
}

fn call(id: impl Into<Value>, name: &str, args: &Value) -> String {
    json!({"jsonrpc": "2.0", "id": id.into(), "method": "tools/call", "params": {"name": name, "arguments": args}})
        .to_string()
}

fn ping(id: u64) -> String {
    json!({"jsonrpc": "2.0", "id": id, "method": "ping"}).to_string()
}

impl Client {
    fn send(&mut self, line: &str) {
        self.send_raw(format!("{line}\n").as_bytes());
    }

    fn send_raw(&mut self, bytes: &[u8]) {
        self.to.as_mut().unwrap().write_all(bytes).unwrap();
    }

    fn answer(&mut self) -> Value {
        let mut line = String::new();
        self.from.as_mut().unwrap().read_line(&mut line).unwrap();
        serde_json::from_str(&line).unwrap()
    }

    fn answered(&mut self) -> u64 {
        let answer = self.answer();
        assert!(answer.get("result").is_some(), "{answer}");
        answer["id"].as_u64().unwrap()
    }

    /// No more is sent; the server has ended when this returns. What it still said.
    fn finish(mut self) -> Vec<Value> {
        self.to = None;
        let mut rest = String::new();
        self.from.take().unwrap().read_to_string(&mut rest).unwrap();
        self.server.join().unwrap();
        rest.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
    }
}

#[test]
fn calls_are_answered_on_every_runtime_and_stream() {
    everywhere(|place, flavour, kind| {
        let mut client = start(flavour, kind);
        client.send(&call(1, "wait", &json!({"ms": 20, "text": "x"})));
        client.send(&call(2, "echo", &json!({"text": "x"})));
        assert_eq!((client.answered(), client.answered()), (2, 1), "{place}");
        assert!(client.finish().is_empty(), "{place}");
    });
}

#[test]
fn a_last_line_without_an_end_is_answered() {
    everywhere(|place, flavour, kind| {
        let mut client = start(flavour, kind);
        client.send_raw(call(1, "wait", &json!({"ms": 50})).as_bytes());
        let rest = client.finish();
        assert_eq!(rest.len(), 1, "{place}");
        assert_eq!(rest[0]["id"], 1, "{place}");
    });
}

#[test]
fn calls_that_are_sent_at_once_are_all_answered() {
    everywhere(|place, flavour, kind| {
        for tool in ["echo", "wait"] {
            let mut client = start(flavour, kind);
            // All is sent before anything is read: more than the streams hold.
            let calls: Vec<_> =
                (0..2000).map(|id| call(id, tool, &json!({"ms": 30, "text": "x".repeat(50)}))).collect();
            let mut to = client.to.take().unwrap();
            let sent = spawn(move || to.write_all((calls.join("\n") + "\n").as_bytes()).map(|()| drop(to)));
            sent.join().unwrap().unwrap();
            let mut ids: Vec<_> = client.finish().iter().map(|answer| answer["id"].as_u64().unwrap()).collect();
            ids.sort_unstable();
            assert!(ids.into_iter().eq(0..2000), "{place}");
        }
    });
}

#[test]
fn a_ping_is_answered_while_handlers_block_every_thread() {
    everywhere(|place, flavour, kind| {
        for tool in ["block", "block_later"] {
            let mut client = start(flavour, kind);
            for id in 0..3 {
                client.send(&call(id, tool, &json!({"ms": BLOCKED})));
            }
            // Time for the third, which was told to wait, to begin.
            sleep(Duration::from_millis(50));
            for id in 10..30 {
                client.send(&ping(id));
                // The pong, and not yet what a blocked call says.
                assert_eq!(client.answered(), id, "{place} {tool}");
            }
            assert_eq!(client.finish().len(), 3, "{place} {tool}");
        }
    });
}

#[test]
fn a_line_over_the_limit_is_refused_with_its_id() {
    everywhere(|place, flavour, kind| {
        let (input, to) = channel(kind);
        let (from, output) = channel(kind);
        let options = StdioOptions { max_message: 100_000, ..options() };
        let mut client = start_with(flavour, (input, output), (to, from), options, pending());
        client.send(&call("long", "echo", &json!({"text": "x".repeat(1_000_000)})));
        client.send(&ping(1));
        let refusal = client.answer();
        assert_eq!((&refusal["id"], &refusal["error"]["code"]), (&json!("long"), &json!(-32600)), "{place}");
        assert_eq!(client.answered(), 1, "{place}");
        assert!(client.finish().is_empty(), "{place}");
    });
}

#[test]
fn a_big_message_goes_both_ways() {
    everywhere(|place, flavour, kind| {
        let mut client = start(flavour, kind);
        let text = "x".repeat(3_000_000);
        let mut to = client.to.take().unwrap();
        let line = call(1, "echo", &json!({"text": text})) + "\n";
        let sent = spawn(move || to.write_all(line.as_bytes()).map(|()| to));
        assert_eq!(client.answer()["result"]["content"][0]["text"], text, "{place}");
        client.to = Some(sent.join().unwrap().unwrap());
        assert!(client.finish().is_empty(), "{place}");
    });
}

#[test]
fn a_client_that_does_not_read_cannot_keep_the_server() {
    everywhere(|place, flavour, kind| {
        let (input, to) = channel(kind);
        let (from, output) = channel(kind);
        let (stop, stopped) = tokio::sync::oneshot::channel::<()>();
        let mut client = start_with(flavour, (input, output), (to, from), options(), async { drop(stopped.await) });
        let mut to = client.to.take().unwrap();
        let line = call(1, "echo", &json!({"text": "x".repeat(50_000)})) + "\n";
        // Until the server reads no more, and then until it is gone.
        let sent = spawn(move || {
            loop {
                if let Err(error) = to.write_all(line.as_bytes()) {
                    return error.kind();
                }
            }
        });
        sleep(Duration::from_millis(100));
        stop.send(()).unwrap();
        let begun = Instant::now();
        client.server.join().unwrap();
        assert!(begun.elapsed() < PATIENCE, "{place}: {:?}", begun.elapsed());
        assert!(matches!(sent.join().unwrap(), ErrorKind::BrokenPipe | ErrorKind::ConnectionReset), "{place}");
    });
}

#[test]
fn a_stop_leaves_handlers_and_keeps_answers() {
    everywhere(|place, flavour, kind| {
        let (input, to) = channel(kind);
        let (from, output) = channel(kind);
        let (stop, stopped) = tokio::sync::oneshot::channel::<()>();
        let mut client = start_with(flavour, (input, output), (to, from), options(), async { drop(stopped.await) });
        client.send(&call(1, "wait", &json!({"ms": 600_000})));
        client.send(&call(2, "echo", &json!({})));
        assert_eq!(client.answered(), 2, "{place}");
        stop.send(()).unwrap();
        let begun = Instant::now();
        client.server.join().unwrap();
        assert!(begun.elapsed() < PATIENCE, "{place}: {:?}", begun.elapsed());
    });
}

#[test]
fn a_closed_output_drops_the_handlers() {
    everywhere(|place, flavour, kind| {
        let mut client = start(flavour, kind);
        client.send(&call(1, "guarded", &json!({"ms": 600_000})));
        client.send(&ping(2));
        assert_eq!(client.answered(), 2, "{place}");
        client.from = None;
        client.send(&ping(3));
        client.server.join().unwrap();
    });
    assert_eq!(DROPPED.load(Ordering::SeqCst), FLAVOURS.len() * KINDS.len());
}

#[test]
fn the_grace_period_ends() {
    everywhere(|place, flavour, kind| {
        let (input, to) = channel(kind);
        let (from, output) = channel(kind);
        let options = StdioOptions { grace: Duration::from_millis(50), ..options() };
        let mut client = start_with(flavour, (input, output), (to, from), options, pending());
        client.send(&call(1, "wait", &json!({"ms": 600_000})));
        client.send(&call(2, "echo", &json!({})));
        let begun = Instant::now();
        let rest = client.finish();
        assert_eq!((rest.len(), &rest[0]["id"]), (1, &json!(2)), "{place}");
        assert!(begun.elapsed() < PATIENCE, "{place}: {:?}", begun.elapsed());
    });
}

#[test]
fn what_others_share_stays_blocking() {
    everywhere(|place, flavour, kind| {
        let (input, to) = channel(kind);
        let (from, output) = channel(kind);
        let shared = [input.try_clone().unwrap(), output.try_clone().unwrap()];
        let mut client = start_with(flavour, (input, output), (to, from), options(), pending());
        client.send(&ping(1));
        assert_eq!(client.answered(), 1, "{place}");
        for fd in &shared {
            assert!(!fcntl_getfl(fd.as_fd()).unwrap().contains(OFlags::NONBLOCK), "{place}");
        }
        drop(shared);
        assert!(client.finish().is_empty(), "{place}");
    });
}

#[test]
fn a_file_can_be_served_into_a_file() {
    let scratch = std::env::temp_dir().join(format!("mcp-lines-{}", std::process::id()));
    std::fs::create_dir_all(&scratch).unwrap();
    let (input, output) = (scratch.join("in"), scratch.join("out"));
    std::fs::write(&input, format!("{}\n\r\n  \n{}", ping(1), ping(2))).unwrap();
    for flavour in [Flavour::CurrentThread, Flavour::Workers(2)] {
        let pair = (File::open(&input).unwrap().into(), File::create(&output).unwrap().into());
        let runtime = match flavour {
            Flavour::CurrentThread => tokio::runtime::Builder::new_current_thread().enable_all().build(),
            Flavour::Workers(count) => {
                tokio::runtime::Builder::new_multi_thread().worker_threads(count).enable_all().build()
            }
        };
        let connection = Arc::new(Connection::new(Arc::clone(&server().build().unwrap().core)));
        runtime.unwrap().block_on(serve_pair(connection, pair, options(), pending::<()>())).unwrap();
        let answers = std::fs::read_to_string(&output).unwrap();
        assert_eq!(answers.lines().count(), 2, "{flavour:?}: {answers}");
    }
    std::fs::remove_dir_all(&scratch).unwrap();
}
