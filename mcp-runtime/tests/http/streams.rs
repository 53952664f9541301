//! Streams of sessions: one for each message, taken up again without loss or repetition, let go of, ended.

use std::collections::BTreeSet;
use std::sync::atomic::Ordering;

use serde_json::{Value, json};
use tokio::time::timeout;

use crate::client::{Event, Events, PATIENCE, Request};
use crate::server::{Tested, get, text, until};

fn report(session: &str, id: i64, steps: u32) -> Request {
    let params = json!({"name": "report", "arguments": {"steps": steps}, "_meta": {"progressToken": id}});
    Request::legacy(session, id, "tools/call", params)
}

async fn resume(server: &Tested, session: &str, event: &Event) -> Events {
    let response = server.send(&get(session).header("last-event-id", event.id.as_deref().unwrap())).await;
    assert_eq!(response.status, 200, "{event:?}");
    response.events()
}

#[tokio::test]
async fn a_client_that_comes_back_gets_what_it_missed_once() {
    let server = Tested::start().await;
    for revision in ["2025-03-26", "2025-11-25"] {
        let session = server.session(revision).await;
        let mut events = server.send(&report(&session, 1, 20)).await.events();
        let mut seen = Vec::new();
        let mut last = Event::default();
        while seen.len() < 5 {
            last = events.next().await.unwrap();
            if last.data.as_deref() != Some("") {
                seen.push(last.json());
            }
        }
        drop(events);
        timeout(PATIENCE, server.seen.begun.notified()).await.unwrap();
        server.seen.go.notify_one();
        let rest = resume(&server, &session, &last).await.messages().await;
        let numbers: Vec<i64> =
            seen.iter().chain(&rest).filter_map(|message| message["params"]["progress"].as_i64()).collect();
        assert_eq!(numbers, (1..=20).collect::<Vec<_>>(), "{revision}");
        assert_eq!(text(rest.last().unwrap()), "reported");
        // Whoever is not sure comes back again, and gets the same.
        assert_eq!(resume(&server, &session, &last).await.messages().await, rest);
    }
}

#[tokio::test]
async fn all_event_ids_of_a_session_differ() {
    let server = Tested::start().await;
    let session = server.session("2025-11-25").await;
    let mut ids = BTreeSet::new();
    let mut count = 0;
    for id in 0..5 {
        server.seen.go.notify_one();
        let mut events = server.send(&report(&session, id, 5)).await.events();
        while let Some(event) = events.next().await {
            ids.insert(event.id.unwrap());
            count += 1;
        }
        let mut standing = server.listen(&session).await;
        ids.insert(standing.next().await.unwrap().id.unwrap());
        count += 1;
    }
    assert_eq!(ids.len(), count);
    assert!(ids.iter().all(|id| id.is_ascii()));
}

#[tokio::test]
async fn an_empty_event_begins_streams_of_the_revision_that_has_it_only() {
    let server = Tested::start().await;
    for (revision, begins) in [("2025-03-26", false), ("2025-06-18", false), ("2025-11-25", true)] {
        let session = server.session(revision).await;
        server.seen.go.notify_one();
        let first = server.send(&report(&session, 1, 1)).await.events().next().await.unwrap();
        assert_eq!(first.data.as_deref() == Some(""), begins, "{revision}");
        assert!(first.id.is_some());
    }
}

#[tokio::test]
async fn a_handler_lets_its_client_go_and_answers_when_it_is_back() {
    let server = Tested::start().await;
    let session = server.session("2025-11-25").await;
    let call = Request::legacy(&session, 1, "tools/call", json!({"name": "release"}));
    let mut events = server.send(&call).await.events();
    let first = events.next().await.unwrap();
    assert_eq!(first.data.as_deref(), Some(""));
    assert_eq!(events.next().await.unwrap().retry.as_deref(), Some("500"));
    assert_eq!(events.next().await, None);
    let mut back = resume(&server, &session, &first).await;
    server.seen.go.notify_one();
    assert_eq!(text(&back.message().await), "released");
    assert_eq!(back.next().await, None);

    // Earlier clients do not know how to come back.
    let session = server.session("2025-06-18").await;
    server.seen.go.notify_one();
    let call = Request::legacy(&session, 1, "tools/call", json!({"name": "release"}));
    assert_eq!(text(&server.send(&call).await.json().await), "released");
}

#[tokio::test]
async fn each_message_goes_to_one_stream_and_each_session() {
    let server = Tested::start().await;
    let (one, two) = (server.session("2025-11-25").await, server.session("2025-06-18").await);
    let subscribe = Request::legacy(&one, 1, "resources/subscribe", json!({"uri": "page://one"}));
    assert_eq!(server.send(&subscribe).await.json().await["result"], json!({}));
    let mut older = server.listen(&one).await;
    let mut newer = server.listen(&one).await;
    let mut other = server.listen(&two).await;
    server.handle.tools().disable("add");
    assert_eq!(newer.message().await["method"], "notifications/tools/list_changed");
    assert_eq!(other.message().await["method"], "notifications/tools/list_changed");
    drop(newer);
    // The one that is left takes over; it has heard nothing before, or that would come first.
    server.handle.tools().enable("add");
    let second = timeout(PATIENCE, older.message()).await.unwrap();
    assert_eq!(second["method"], "notifications/tools/list_changed");
    server.handle.resource_updated("page://one");
    let third = timeout(PATIENCE, older.message()).await.unwrap();
    assert_eq!(third["method"], "notifications/resources/updated");
    // The other session has not subscribed.
    server.handle.tools().disable("add");
    for _ in 0..2 {
        assert_eq!(other.message().await["method"], "notifications/tools/list_changed");
    }
}

#[tokio::test]
async fn answers_and_what_belongs_to_them_stay_on_their_own_streams() {
    let server = Tested::start().await;
    let session = server.session("2025-11-25").await;
    let mut standing = server.listen(&session).await;
    let ping = Request::legacy(&session, "ping", "ping", json!({}));
    assert_eq!(server.send(&ping).await.json().await["result"], json!({}));
    // Two calls at a time, one of which is left and come back to.
    let mut left = server.send(&report(&session, 1, 20)).await.events();
    let mut last = left.next().await.unwrap();
    while last.data.as_deref() == Some("") {
        last = left.next().await.unwrap();
    }
    drop(left);
    let mut stayed = server.send(&report(&session, 2, 20)).await.events();
    for _ in 0..2 {
        timeout(PATIENCE, server.seen.begun.notified()).await.unwrap();
        server.seen.go.notify_one();
    }
    let stayed = stayed.messages().await;
    let returned = resume(&server, &session, &last).await.messages().await;
    for (id, messages) in [(1, &returned), (2, &stayed)] {
        let (answer, reports) = messages.split_last().unwrap();
        assert_eq!(answer["id"], id);
        assert!(reports.len() >= 18 && reports.iter().all(|report| report["params"]["progressToken"] == id));
    }
    // Nothing of all that was said on the session's own stream.
    server.handle.tools().disable("add");
    assert_eq!(standing.message().await["method"], "notifications/tools/list_changed");
}

#[tokio::test]
async fn a_sessions_own_stream_is_taken_up_again_and_outlived_by_its_session() {
    let server = Tested::start().await;
    let session = server.session("2025-11-25").await;
    let mut standing = server.listen(&session).await;
    let first = standing.next().await.unwrap();
    drop(standing);
    tokio::time::sleep(std::time::Duration::from_millis(50)).await;
    server.handle.tools().disable("add");
    tokio::time::sleep(std::time::Duration::from_millis(50)).await;
    let mut back = resume(&server, &session, &first).await;
    assert_eq!(back.message().await["method"], "notifications/tools/list_changed");
    drop(back);
    let ping = Request::legacy(&session, 5, "ping", json!({}));
    assert_eq!(server.send(&ping).await.json().await["result"], json!({}));
}

#[tokio::test]
async fn what_is_not_kept_any_more_is_said_to_be_lost() {
    let server = Tested::start().await;
    let (session, stranger) = (server.session("2025-11-25").await, server.session("2025-11-25").await);
    server.seen.go.notify_one();
    let last = server.send(&report(&session, 1, 3)).await.events().next().await.unwrap();
    let resumed = |session: &str, id: &str| get(session).header("last-event-id", id);
    // Another session's stream, another process's, nonsense.
    for (session, id) in [(&stranger, last.id.as_deref().unwrap()), (&session, "a00000000-1-1"), (&session, "nonsense")]
    {
        assert_eq!(server.send(&resumed(session, id)).await.status, 400, "{id}");
    }
    // A stream of its own promised nothing: a new one tells of what comes.
    let mut fresh = server.send(&resumed(&session, "s00000000-1-1")).await.events();
    assert_eq!(fresh.next().await.unwrap().data.as_deref(), Some(""));
}

#[tokio::test]
async fn the_end_of_a_session_ends_its_streams_and_calls() {
    let server = Tested::start().await;
    let session = server.session("2025-11-25").await;
    let mut standing = server.listen(&session).await;
    let mut events = server.send(&report(&session, 1, 3)).await.events();
    timeout(PATIENCE, server.seen.begun.notified()).await.unwrap();
    assert_eq!(server.send(&Request::new("DELETE").header("mcp-session-id", &session)).await.status, 204);
    timeout(PATIENCE, server.seen.ended.notified()).await.unwrap();
    assert_eq!(standing.messages().await, [] as [Value; 0]);
    assert!(events.messages().await.iter().all(|message| message.get("id").is_none()));
    assert_eq!(server.seen.finished.load(Ordering::SeqCst), 0);
    assert_eq!(server.send(&get(&session)).await.status, 404);
}

#[tokio::test]
async fn many_calls_of_one_session_run_at_the_same_time() {
    let server = Tested::start().await;
    let session = server.session("2025-11-25").await;
    let mut connections = Vec::new();
    for id in 0..20 {
        let mut connection = server.connect().await;
        connection.write(Request::legacy(&session, id, "tools/call", json!({"name": "wait"})).bytes()).await;
        timeout(PATIENCE, server.seen.begun.notified()).await.unwrap();
        connections.push(connection);
    }
    server.seen.go.notify_waiters();
    until(|| server.seen.finished.load(Ordering::SeqCst) == 20).await;
    for (id, connection) in connections.into_iter().enumerate() {
        assert_eq!(connection.response().await.json().await["id"], id);
    }
}

/// Far more than a stream holds at a time: the handler waits for a client that reads.
async fn all_reports_arrive() {
    const REPORTS: u32 = 10_000;
    let server = Tested::start().await;
    let session = server.session("2025-11-25").await;
    let params = json!({"name": "hurry", "arguments": {"steps": REPORTS}, "_meta": {"progressToken": "p"}});
    for request in [Request::legacy(&session, 1, "tools/call", params.clone()), Request::modern("tools/call", params)] {
        let messages = server.send(&request).await.events().messages().await;
        let (answer, reports) = messages.split_last().unwrap();
        assert_eq!(answer["result"]["content"][0]["text"], "hurried");
        let done = reports.iter().map(|report| report["params"]["progress"].as_u64().unwrap());
        assert!(done.eq(1..=u64::from(REPORTS)), "{} arrived", reports.len());
    }
}

#[tokio::test]
async fn a_client_that_reads_gets_every_report() {
    all_reports_arrive().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_client_that_reads_gets_every_report_from_another_thread() {
    all_reports_arrive().await;
}
