//! What a server says of clients that leave: nothing that anybody has to look at.

use std::time::Duration;

use hyper_util::rt::{TokioExecutor, TokioIo};
use mcp_runtime::prelude::*;
use serde_json::json;
use tokio::net::TcpStream;
use tokio::time::{Instant, sleep};

use crate::attacks::h2;
use crate::client::{Connection, PATIENCE, Request};
use crate::process::{ADDRESS, Process};
use crate::server::{Seen, get, initialize};

/// Shows what a program with a subscriber would hear, of other crates, too.
#[cfg(feature = "tracing")]
fn show_events() {
    use tracing_subscriber::layer::{Context, Layer, SubscriberExt as _};
    struct Loud;
    impl<S: tracing::Subscriber> Layer<S> for Loud {
        fn on_event(&self, event: &tracing::Event<'_>, _: Context<'_, S>) {
            if *event.metadata().level() <= tracing::Level::WARN {
                eprintln!("warning: an event of {}", event.metadata().target());
            }
        }
    }
    tracing::subscriber::set_global_default(tracing_subscriber::registry().with(Loud)).unwrap();
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "the server that another test starts"]
async fn the_server_of_a_process() {
    #[cfg(feature = "tracing")]
    show_events();
    let address = std::env::var(ADDRESS).expect("started by another test");
    let server = Server::new("quiet", "1.0.0").state(Seen::default()).http_sse("/sse", "/messages");
    // Soon over, and often written to although nobody is there any more.
    let server = server.session_max_age(Duration::from_secs(3)).keep_alive(Duration::from_millis(20));
    server.read_timeout(Duration::from_millis(300)).serve_http(&*address).await.unwrap();
}

/// One session, and a connection in each state in which it can be left.
async fn connections(server: &Process) -> (String, Vec<Connection>) {
    let session = server.send(&initialize("2025-11-25")).await.header("mcp-session-id").unwrap().to_owned();
    let mut all = Vec::new();
    let report = json!({"name": "report", "arguments": {"steps": 3}, "_meta": {"progressToken": 1}});
    let streams = [
        get(&session),
        Request::legacy(&session, 1, "tools/call", report.clone()),
        Request::modern("tools/call", report),
        Request::modern("subscriptions/listen", json!({"notifications": {"toolsListChanged": true}})),
        Request::new("GET").path("/sse").header("accept", "text/event-stream"),
    ];
    for request in streams {
        let mut events = server.send(&request).await.events();
        assert!(events.next().await.is_some(), "{request:?}");
        all.push(events.connection());
    }
    let wait = Request::call("wait", json!({})).bytes();
    for part in [&wait[..0], &wait[..20], &wait[..wait.len() - 1], &wait] {
        let mut connection = server.connect().await;
        connection.write(part).await;
        all.push(connection);
    }
    (session, all)
}

/// Leaves an HTTP/2 connection with a call under way.
async fn leave_http_2(server: &Process) {
    let stream = TokioIo::new(TcpStream::connect(server.address).await.unwrap());
    let (mut client, connection) = hyper::client::conn::http2::handshake(TokioExecutor::new(), stream).await.unwrap();
    let connection = tokio::spawn(connection);
    // One that has been answered, so that the connection is known to stand.
    assert_eq!(client.send_request(h2("add", json!({"a": 1, "b": 2}))).await.unwrap().status(), 200);
    let call = tokio::spawn(async move { client.send_request(h2("wait", json!({}))).await.map(drop) });
    tokio::task::yield_now().await;
    connection.abort();
    call.abort();
}

#[tokio::test]
async fn clients_that_leave_are_worth_no_warning() {
    let mut server = Process::start("noise::the_server_of_a_process", &[]).await;
    let mut last = String::new();
    for round in 0..50 {
        let (session, connections) = connections(&server).await;
        for connection in connections {
            if round % 2 == 0 { connection.reset() } else { drop(connection) }
        }
        leave_http_2(&server).await;
        last = session;
    }
    let begun = Instant::now();
    while server.send(&Request::legacy(&last, 2, "ping", json!({}))).await.status != 404 {
        assert!(begun.elapsed() < PATIENCE, "the session does not end");
        sleep(Duration::from_millis(20)).await;
    }
    // That one would be heard: somebody tries something.
    let forged =
        json!({"name": "confirm_it", "arguments": {"what": "x"}, "requestState": "v1.AAAA", "inputResponses": {}});
    assert_eq!(server.send(&Request::modern("tools/call", forged)).await.code().await, -32602);
    server.signal("TERM");
    let (status, _) = server.ended().await;
    assert!(status.success(), "{status}");
    let said = server.said();
    let loud = |line: &&str| ["warn", "error", "panic"].iter().any(|word| line.to_lowercase().contains(word));
    let lines: Vec<_> = said.lines().filter(loud).collect();
    assert_eq!(lines.len(), 1, "{said}");
}
