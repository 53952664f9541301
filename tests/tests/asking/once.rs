//! `once` and `commit_once`: what is done is not done again.

use std::sync::Arc;

use mcp_runtime::Revision;
use mcp_runtime::testing::Client;
use serde_json::{Value, json};

use super::handlers::{Counts, counting};
use super::{REVISIONS, connect, on, yes};

/// A client that says yes, and what its server counts.
async fn counted(revision: Revision) -> (Client, Arc<Counts>) {
    let counts = Arc::<Counts>::default();
    let client = on(revision).elicit(yes).connect(counting(Arc::clone(&counts))).await.unwrap();
    (client, counts)
}

fn seen(count: &std::sync::atomic::AtomicUsize) -> usize {
    count.load(std::sync::atomic::Ordering::SeqCst)
}

#[tokio::test]
async fn a_payment_is_made_once_over_five_rounds_and_guards_unwind_each_time() {
    for revision in REVISIONS {
        let (client, counts) = counted(revision).await;
        assert_eq!(client.call("pays_once", json!({})).await.unwrap().text(), "receipt 1, 32", "{revision}");
        let rounds = if revision.is_modern() { 6 } else { 1 };
        assert_eq!(
            (seen(&counts.paid), seen(&counts.rounds), seen(&counts.dropped)),
            (1, rounds, rounds),
            "{revision}"
        );
    }
}

#[tokio::test]
async fn a_payment_beside_a_question_is_never_dropped_half_done() {
    for revision in REVISIONS {
        let (client, counts) = counted(revision).await;
        assert_eq!(client.call("pays_beside", json!({})).await.unwrap().text(), "1 true 0", "{revision}");
        assert_eq!(seen(&counts.paid), 1, "{revision}");
    }
}

#[tokio::test]
async fn a_failure_is_not_remembered() {
    for revision in REVISIONS {
        let client = connect(on(revision).elicit(yes)).await;
        let expected = if revision.is_modern() { "paid, tried 2 times" } else { "no connection, tried 1 times" };
        assert_eq!(client.call("pays_at_last", json!({})).await.unwrap().text(), expected, "{revision}");
    }
}

#[tokio::test]
async fn a_question_inside_once_is_an_error_at_once() {
    for revision in REVISIONS {
        let client = connect(on(revision).elicit(|_| panic!("nobody is asked"))).await;
        let told = client.call("asks_inside", json!({})).await.unwrap();
        assert!(
            told.is_error() && told.text().contains("`confirm` is asked inside `once`"),
            "{revision}: {}",
            told.text()
        );
    }
}

#[tokio::test]
async fn one_key_for_two_is_an_error_that_names_it() {
    for revision in REVISIONS {
        let client = connect(on(revision).elicit(yes)).await;
        let error = client.call("one_key_twice", json!({})).await.unwrap_err().to_string();
        assert!(error.contains("`once(\"pay\")` was called before in this call"), "{revision}: {error}");
    }
}

#[tokio::test]
async fn what_is_too_large_to_remember_is_named() {
    let client = connect(on(Revision::LATEST).elicit(yes)).await;
    assert_eq!(client.call("remembers", json!({"size": 1000})).await.unwrap().text(), "1000 1");
    let error = client.call("remembers", json!({"size": 40_000})).await.unwrap_err().to_string();
    assert!(error.contains("the largest part is the result of `once(\"large\")` with 40002 bytes"), "{error}");
    let client = connect(on(Revision::LATEST_LEGACY).elicit(yes)).await;
    assert_eq!(
        client.call("remembers", json!({"size": 40_000})).await.unwrap().text(),
        "40000 1",
        "nothing is remembered there"
    );
}

/// Answers the questions of a result by hand, so that a round can be repeated.
async fn answer(client: &Client, tool: &str, before: &Value) -> Result<Value, String> {
    let keys = before["inputRequests"].as_object().expect("questions").keys();
    let responses: serde_json::Map<_, _> =
        keys.map(|key| (key.clone(), json!({"action": "accept", "content": {"sure": true}}))).collect();
    let params =
        json!({"name": tool, "arguments": {}, "inputResponses": responses, "requestState": before["requestState"]});
    client.begin("tools/call", params).await.map_err(|error| error.to_string())
}

#[tokio::test]
async fn a_repeated_round_passes_a_commit_once() {
    let client = connect(on(Revision::LATEST).capabilities(json!({"elicitation": {}}))).await;
    let first = client.begin("tools/call", json!({"name": "commits", "arguments": {}})).await.unwrap();
    let second = answer(&client, "commits", &first).await.unwrap();
    assert_eq!(second["resultType"], "input_required");
    let repeated = answer(&client, "commits", &first).await.unwrap();
    assert_eq!(repeated["isError"], true);
    assert!(repeated["content"][0]["text"].as_str().unwrap().contains("this was done already"), "{repeated}");
    let last = answer(&client, "commits", &second).await.unwrap();
    assert_eq!(last["content"][0]["text"], "1");
    // The client lost the last answer and asks again: nothing is committed a second time.
    let last = answer(&client, "commits", &second).await.unwrap();
    assert_eq!(last["content"][0]["text"], "1");
}

#[tokio::test]
async fn a_client_that_waits_passes_a_commit_once() {
    let client = connect(on(Revision::LATEST_LEGACY).elicit(yes)).await;
    assert_eq!(client.call("commits", json!({})).await.unwrap().text(), "1");
}
