//! The end of a process: streams are ended, and nothing keeps it.

use std::time::Duration;

use mcp_runtime::prelude::*;
use serde_json::json;
use tokio::time::timeout;

use crate::client::{PATIENCE, Request};
use crate::process::{ADDRESS, Process};
use crate::server::{Seen, get, initialize, text};

const RUNTIME: &str = "MCP_TEST_RUNTIME";

/// Hold the thread for ever, once the client has heard of it.
#[tool]
async fn hold(ctx: &Ctx) {
    ctx.progress(1, None).await;
    tokio::time::sleep(Duration::from_millis(20)).await;
    loop {
        std::thread::park();
    }
}

/// Hold the thread for ever from the first moment on.
#[tool]
fn hold_at_once() {
    loop {
        std::thread::park();
    }
}

/// Hold a thread of the pool for ever.
#[tool(blocking)]
fn hold_in_pool() {
    loop {
        std::thread::park();
    }
}

#[test]
#[ignore = "the server that other tests start"]
fn the_server_of_a_process() {
    let address = std::env::var(ADDRESS).expect("started by another test");
    let mut runtime = match std::env::var(RUNTIME).as_deref() {
        Ok("current_thread") => tokio::runtime::Builder::new_current_thread(),
        _ => tokio::runtime::Builder::new_multi_thread(),
    };
    runtime.worker_threads(2).enable_all().build().unwrap().block_on(async {
        let server = Server::new("signalled", "1.0.0").state(Seen::default());
        server.serve_http(&*address).await.unwrap();
    });
}

async fn start(runtime: &str) -> Process {
    Process::start("signals::the_server_of_a_process", &[(RUNTIME, runtime)]).await
}

#[tokio::test]
async fn open_streams_are_ended_and_the_process_is_gone_within_a_second() {
    let mut quickest = Duration::MAX;
    for runtime in ["multi_thread", "current_thread"] {
        for signal in ["TERM", "INT"] {
            let mut server = start(runtime).await;
            let listen = json!({"notifications": {"toolsListChanged": true}});
            let mut subscription = server.send(&Request::modern("subscriptions/listen", listen)).await.events();
            subscription.message().await;
            let session = server.send(&initialize("2025-11-25")).await.header("mcp-session-id").unwrap().to_owned();
            let mut standing = server.send(&get(&session)).await.events();
            assert!(standing.next().await.is_some());
            let call = json!({"name": "report", "arguments": {"steps": 1}, "_meta": {"progressToken": 1}});
            let mut busy = server.send(&Request::modern("tools/call", call)).await.events();
            busy.message().await;
            let mut waiting = server.connect().await;
            waiting.write(Request::call("wait", json!({})).bytes()).await;
            server.signal(signal);
            let (status, time) = server.ended().await;
            assert!(status.success(), "{status}");
            assert!(time < PATIENCE / 3, "{runtime} {signal}: {time:?}");
            quickest = quickest.min(time);
            assert_eq!(subscription.message().await["result"]["resultType"], "complete");
            assert_eq!(standing.next().await, None);
        }
    }
    // A busy machine slows some of them down, not all.
    assert!(quickest < Duration::from_secs(1), "{quickest:?}");
}

#[tokio::test]
async fn handlers_that_hold_their_threads_for_ever_do_not_keep_the_process() {
    for runtime in ["multi_thread", "current_thread"] {
        for tool in ["hold", "hold_at_once", "hold_in_pool"] {
            let mut server = start(runtime).await;
            let mut connections = Vec::new();
            // More than there are workers.
            for id in 0..4 {
                let call = json!({"name": tool, "_meta": {"progressToken": id}});
                let mut connection = server.connect().await;
                connection.write(Request::modern_with(id.into(), "tools/call", call).bytes()).await;
                connections.push(connection);
            }
            if tool == "hold" {
                let mut events = timeout(PATIENCE, connections.remove(0).response()).await.unwrap().events();
                events.message().await;
            } else if runtime == "multi_thread" || tool == "hold_in_pool" {
                let add = Request::call("add", json!({"a": 1, "b": 2}));
                assert_eq!(text(&server.send(&add).await.json().await), "3");
            }
            server.signal("TERM");
            let (status, time) = server.ended().await;
            // Ended from outside of its runtime it says so, as a shell would: 128 and the number of the signal.
            assert!(status.success() || status.code() == Some(143), "{runtime} {tool}: {status}");
            assert!(time < PATIENCE / 3, "{runtime} {tool}: {time:?}");
        }
    }
}
