//! Questions that are parameters.

use std::sync::{Arc, Mutex};

use mcp_runtime::Revision;
use mcp_runtime::prelude::*;
use mcp_runtime::testing::Reply;
use serde_json::json;

use super::handlers::{Confirm, Counts, Name, Size};
use super::{REVISIONS, connect, on, yes};

/// Delete a note.
#[tool(destructive)]
async fn declared(id: u32, #[ask("Really delete note {id}?")] confirm: Confirm) -> String {
    format!("{id} {confirm:?}")
}

/// An option, for a client that perhaps cannot be asked.
#[tool]
fn declared_option(#[ask("Why?")] reason: Option<Name>) -> String {
    format!("{:?}", reason.map(|_| ()))
}

fn why_for(counts: &Counts, id: &u32) -> Result<Question<Name>, mcp_runtime::Error> {
    counts.rounds.fetch_add(1, std::sync::atomic::Ordering::SeqCst);
    match id {
        0 => Err(mcp_runtime::Error::msg("there is no note 0")),
        1 => Ok(Question::known(Name::known("obvious"))),
        _ => Ok(Question::ask(format!("Why {id}?"))),
    }
}

async fn later(ctx: &Ctx, name: &Elicited<Name>) -> Question<Size> {
    tokio::task::yield_now().await;
    let named = matches!(name, Elicited::Accept(_));
    Question::ask(format!("How large for {named} on {}?", ctx.client().revision()))
}

/// Questions that wait for others, and one that does not.
#[tool(blocking)]
fn graph(
    ctx: &Ctx,
    counts: State<Counts>,
    #[from_context] caller: Caller,
    id: u32,
    #[ask(with = later(ctx, name))] size: Size,
    #[ask(with = why_for(counts, id))] name: Elicited<Name>,
    #[ask("{} of {id:>3}, {{really}}?", caller.0)] sure: Confirm,
) -> String {
    let _ = (counts, id);
    let name = match name {
        Elicited::Accept(name) => name.text(),
        Elicited::Decline => "declined".to_owned(),
        Elicited::Cancel => "cancelled".to_owned(),
    };
    format!("{size:?} {name} {sure:?} {} {}", caller.0, ctx.is_cancelled())
}

#[derive(Debug)]
struct Caller(&'static str);

impl FromContext for Caller {
    type Error = mcp_runtime::Error;

    async fn from_context(_: &Ctx) -> Result<Self, Self::Error> {
        Ok(Self("somebody"))
    }
}

/// A resource that asks first.
#[resource("locked://{id}")]
fn locked(id: String, #[ask("Unlock {id}?")] confirm: Confirm) -> String {
    format!("{id} {confirm:?}")
}

/// A prompt that asks first.
#[prompt]
fn card(to: String, #[ask("From whom, to {to}?")] from: Name) -> String {
    format!("{to} from {}", from.text())
}

#[tokio::test]
async fn the_body_runs_when_everything_is_answered() {
    for revision in REVISIONS {
        let client = connect(on(revision).strict_replay().elicit(|asked| {
            assert!(asked.key.as_ref().is_none_or(|key| key == "confirm"));
            assert_eq!(asked.message(), "Really delete note 7?");
            Reply::accept(json!({"sure": true}))
        }))
        .await;
        assert_eq!(
            client.call("declared", json!({"id": 7})).await.unwrap().text(),
            "7 Confirm { sure: true }",
            "{revision}"
        );
        let wrong = client.call("declared", json!({"id": "x"})).await.unwrap();
        assert!(wrong.is_error() && wrong.text().contains("/id"), "nobody is asked about arguments that do not fit");
        let schema = client.list_tools().await.unwrap();
        let declared = schema.iter().find(|tool| tool["name"] == "declared").unwrap();
        assert_eq!(declared["inputSchema"]["properties"].as_object().unwrap().len(), 1);
    }
}

#[tokio::test]
async fn a_no_ends_the_call_before_the_body() {
    for revision in REVISIONS {
        let client = connect(on(revision).elicit(|_| Reply::decline())).await;
        let told = client.call("declared", json!({"id": 7})).await.unwrap();
        assert_eq!(
            (told.is_error(), told.text().as_str()),
            (true, "the user declined to answer `confirm`"),
            "{revision}"
        );
        assert_eq!(client.call("declared_option", json!({})).await.unwrap().text(), "None", "{revision}");
    }
}

#[tokio::test]
async fn questions_wait_for_what_they_mention_and_for_nothing_else() {
    for revision in REVISIONS {
        let asked = Arc::new(Mutex::new(Vec::new()));
        let heard = Arc::clone(&asked);
        let client = connect(on(revision).strict_replay().elicit(move |question| {
            heard.lock().unwrap().push(question.message().to_owned());
            yes(question)
        }))
        .await;
        assert_eq!(
            client.call("graph", json!({"id": 7})).await.unwrap().text(),
            "Small text Confirm { sure: true } somebody false",
            "{revision}"
        );
        let mut asked = std::mem::take(&mut *asked.lock().unwrap());
        let last = asked.pop().unwrap();
        asked.sort();
        assert_eq!(asked, ["Why 7?", "somebody of   7, {really}?"], "{revision}");
        assert_eq!(last, format!("How large for true on {revision}?"));
    }
}

#[tokio::test]
async fn independent_questions_go_out_in_one_round() {
    let client = connect(on(Revision::LATEST).capabilities(json!({"elicitation": {}}))).await;
    let first = client.begin("tools/call", json!({"name": "graph", "arguments": {"id": 7}})).await.unwrap();
    assert_eq!(first["inputRequests"].as_object().unwrap().keys().collect::<Vec<_>>(), ["name", "sure"]);
}

#[tokio::test]
async fn a_function_may_know_the_answer_or_fail() {
    for revision in REVISIONS {
        let client = connect(on(revision).elicit(yes)).await;
        assert!(client.call("graph", json!({"id": 1})).await.unwrap().text().contains("obvious"), "{revision}");
        let told = client.call("graph", json!({"id": 0})).await.unwrap();
        assert_eq!((told.is_error(), told.text().as_str()), (true, "there is no note 0"), "{revision}");
    }
}

#[tokio::test]
async fn resources_and_prompts_ask_first_too() {
    for revision in REVISIONS {
        let client = connect(on(revision).elicit(yes)).await;
        assert_eq!(client.read("locked://7").await.unwrap()[0]["text"], "7 Confirm { sure: true }", "{revision}");
        assert_eq!(
            client.prompt("card", json!({"to": "Eve"})).await.unwrap()[0]["content"]["text"],
            "Eve from text",
            "{revision}"
        );
        let prompts = client.list_prompts().await.unwrap();
        let card = prompts.iter().find(|prompt| prompt["name"] == "card").unwrap();
        assert_eq!(card["arguments"].as_array().unwrap().len(), 1);
    }
}
