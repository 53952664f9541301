//! What a handler and its client see of questions, whatever the era.

use mcp_runtime::testing::Reply;
use serde_json::json;

use super::{REVISIONS, connect, on, yes};

#[tokio::test]
async fn three_questions_in_a_row() {
    for revision in REVISIONS {
        let client = connect(on(revision).strict_replay().elicit(|asked| {
            Reply::accept(match asked.message() {
                "First?" => json!({"name": "A"}),
                "After A?" => json!({"name": "B"}),
                "A and B?" => json!({"sure": true}),
                other => panic!("{other}"),
            })
        }))
        .await;
        assert_eq!(client.call("three_in_a_row", json!({})).await.unwrap().text(), "A B true", "{revision}");
    }
}

#[tokio::test]
async fn three_questions_at_once() {
    for revision in REVISIONS {
        let client = connect(on(revision).strict_replay().elicit(yes)).await;
        assert_eq!(client.call("three_joined", json!({})).await.unwrap().text(), "text Small true", "{revision}");
    }
}

#[tokio::test]
async fn a_question_in_a_loop() {
    for revision in REVISIONS {
        let client =
            connect(on(revision).elicit(|asked| Reply::accept(json!({"sure": asked.message() != "Restart b?"})))).await;
        let done = client.call("in_a_loop", json!({"hosts": ["a", "b", "c"]})).await.unwrap();
        assert_eq!(done.text(), "a\nc", "{revision}");
    }
}

#[tokio::test]
async fn a_question_in_a_resource_and_in_a_prompt() {
    for revision in REVISIONS {
        let client = connect(on(revision).elicit(yes)).await;
        assert_eq!(client.read("secret://7").await.unwrap()[0]["text"], "7: true", "{revision}");
        assert_eq!(
            client.prompt("letter", json!({"to": "Eve"})).await.unwrap()[0]["content"]["text"],
            "Write to Eve from text",
            "{revision}"
        );
    }
}

#[tokio::test]
async fn a_no_is_told_from_a_dismissal() {
    for revision in REVISIONS {
        for (reply, outcome, plain) in [
            (Reply::accept(json!({"sure": false})), "accepted false", "false"),
            (Reply::decline(), "declined", "the user declined to answer `confirm`"),
            (Reply::cancel(), "cancelled", "the user dismissed the question `confirm`"),
        ] {
            let declines = outcome != "accepted false";
            let client = connect(on(revision).elicit(move |_| reply.clone())).await;
            assert_eq!(client.call("outcome", json!({})).await.unwrap().text(), outcome, "{revision}");
            let told = client.call("plain", json!({})).await.unwrap();
            assert_eq!((told.text().as_str(), told.is_error()), (plain, declines), "{revision}");
            let optional = client.call("if_possible", json!({})).await.unwrap();
            assert_eq!(optional.is_error(), declines, "an optional question's no is a no: {revision}");
            assert_eq!(client.read("secret://7").await.is_err(), declines, "{revision}");
            assert!(client.prompt("letter", json!({"to": "Eve"})).await.is_err(), "no name was given: {revision}");
        }
    }
}

#[tokio::test]
async fn two_questions_of_one_key_are_an_error_that_names_it() {
    for revision in REVISIONS {
        let client = connect(on(revision).elicit(yes)).await;
        let error = client.call("same_key", json!({})).await.unwrap_err().to_string();
        assert!(error.contains("two questions of one call have the key `x`"), "{revision}: {error}");
    }
}

#[tokio::test]
async fn values_are_read_leniently() {
    for revision in REVISIONS {
        let client = connect(on(revision).elicit(|_| Reply::accept(json!({"sure": "true", "more": 1})))).await;
        assert_eq!(client.call("plain", json!({})).await.unwrap().text(), "true", "{revision}");
    }
}

#[tokio::test]
async fn a_context_that_was_moved_to_a_task_still_asks() {
    for revision in REVISIONS {
        let client = connect(on(revision).elicit(yes)).await;
        let asked = client.call("elsewhere", json!({})).await.unwrap();
        assert_eq!((asked.text().as_str(), asked.is_error()), ("true", false), "{revision}");
    }
}

#[tokio::test]
async fn a_persons_time_does_not_count() {
    for revision in REVISIONS {
        let client = connect(on(revision).elicit(|asked| {
            std::thread::sleep(std::time::Duration::from_millis(250));
            yes(asked)
        }))
        .await;
        assert_eq!(client.call("patient", json!({"work": 1})).await.unwrap().text(), "in time", "{revision}");
        let late = client.call("patient", json!({"work": 5000})).await.unwrap();
        assert!(late.is_error() && late.text().contains("did not finish within 100ms"), "{revision}: {}", late.text());
    }
}

#[tokio::test]
async fn what_was_said_is_not_said_again() {
    for revision in REVISIONS {
        let client = connect(on(revision).elicit(yes)).await;
        let meta = json!({"progressToken": 7, "io.modelcontextprotocol/logLevel": "info"});
        let result =
            client.request("tools/call", json!({"name": "talks", "arguments": {}, "_meta": meta})).await.unwrap();
        assert_eq!(result["content"][0]["text"], "done");
        let heard = client.notifications();
        let logged: Vec<_> = heard
            .iter()
            .filter(|one| one["method"] == "notifications/message")
            .map(|one| one["params"]["data"].clone())
            .collect();
        assert_eq!(logged, ["before the first", "between", "after the second"], "{revision}");
        let progress: Vec<_> = heard
            .iter()
            .filter(|one| one["method"] == "notifications/progress")
            .map(|one| one["params"]["progress"].clone())
            .collect();
        assert_eq!(progress, [1, 2], "{revision}");
    }
}
