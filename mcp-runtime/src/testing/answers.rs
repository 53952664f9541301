//! Scripted answers: what a test's client says when it is asked, in either era.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;

use serde_json::{Map, Value, json};

/// What the server asks.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Asked {
    /// Its key, in 2026-07-28.
    pub key: Option<String>,
    /// `elicitation/create`, `sampling/createMessage` or `roots/list`.
    pub method: String,
    /// Everything that was sent.
    pub params: Value,
}

impl Asked {
    /// The text that the person reads; empty where there is none.
    #[must_use]
    pub fn message(&self) -> &str {
        self.params.get("message").and_then(Value::as_str).unwrap_or_default()
    }

    /// The form's schema; `null` where there is none.
    #[must_use]
    pub fn schema(&self) -> &Value {
        self.params.get("requestedSchema").unwrap_or(&Value::Null)
    }

    /// The address of the page to open.
    #[must_use]
    pub fn url(&self) -> Option<&str> {
        self.params.get("url").and_then(Value::as_str)
    }
}

/// What the client answers.
#[derive(Clone, Debug, PartialEq)]
pub struct Reply(pub(super) Outcome);

#[derive(Clone, Debug, PartialEq)]
pub(super) enum Outcome {
    Result(Value),
    /// Only a request of its own can be answered with an error; a question in a result is not answered then.
    Error(Value),
    Nothing,
}

impl Reply {
    /// The person fills in the form with this, or agrees to open the page.
    #[must_use]
    pub fn accept(content: Value) -> Self {
        let mut result = Map::from_iter([("action".to_owned(), "accept".into())]);
        if !content.is_null() {
            result.insert("content".to_owned(), content);
        }
        Self(Outcome::Result(result.into()))
    }

    /// The person says no.
    #[must_use]
    pub fn decline() -> Self {
        Self(Outcome::Result(json!({"action": "decline"})))
    }

    /// The person closes the question.
    #[must_use]
    pub fn cancel() -> Self {
        Self(Outcome::Result(json!({"action": "cancel"})))
    }

    /// The model says this.
    #[must_use]
    pub fn text(text: &str) -> Self {
        Self::raw(
            json!({"role": "assistant", "content": {"type": "text", "text": text}, "model": "testing", "stopReason": "endTurn"}),
        )
    }

    /// Any result.
    #[must_use]
    pub const fn raw(result: Value) -> Self {
        Self(Outcome::Result(result))
    }

    /// The client answers with a JSON-RPC error; where questions come in results, with nothing.
    #[must_use]
    pub fn error(code: i64, message: &str) -> Self {
        Self(Outcome::Error(json!({"code": code, "message": message})))
    }

    /// The client does not answer.
    #[must_use]
    pub const fn nothing() -> Self {
        Self(Outcome::Nothing)
    }
}

type Answer = Arc<dyn Fn(&Asked) -> Reply + Send + Sync>;

/// Who answers what.
#[derive(Clone, Default)]
pub(super) struct Answers {
    pub(super) form: Option<Answer>,
    pub(super) url: Option<Answer>,
    pub(super) sample: Option<Answer>,
    pub(super) roots: Option<Answer>,
}

impl fmt::Debug for Answers {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Answers")
    }
}

impl Answers {
    /// What a client that answers so declares.
    pub(super) fn capabilities(&self) -> Map<String, Value> {
        let mut declared = Map::new();
        let modes = [("form", &self.form), ("url", &self.url)];
        let modes: Map<String, Value> = modes
            .into_iter()
            .filter(|(_, answer)| answer.is_some())
            .map(|(mode, _)| (mode.to_owned(), json!({})))
            .collect();
        if !modes.is_empty() {
            declared.insert("elicitation".to_owned(), modes.into());
        }
        if self.sample.is_some() {
            declared.insert("sampling".to_owned(), json!({"tools": {}}));
        }
        if self.roots.is_some() {
            declared.insert("roots".to_owned(), json!({"listChanged": true}));
        }
        declared
    }

    /// Answers with these roots.
    pub(super) fn set_roots<S: Into<String>>(&mut self, uris: impl IntoIterator<Item = S>) {
        let roots: Vec<Value> = uris.into_iter().map(|uri| json!({"uri": uri.into()})).collect();
        self.roots = Some(Arc::new(move |_| Reply::raw(json!({"roots": roots}))));
    }

    /// The reply to one question; `None` when nobody answers such questions.
    fn reply(&self, key: Option<String>, method: &str, params: Value) -> Option<Reply> {
        let answer = match method {
            "elicitation/create" if params.get("url").is_some() => self.url.as_ref(),
            "elicitation/create" => self.form.as_ref(),
            "sampling/createMessage" => self.sample.as_ref(),
            "roots/list" => self.roots.as_ref(),
            _ => None,
        };
        answer.map(|answer| answer(&Asked { key, method: method.to_owned(), params }))
    }

    /// The response to a request of the server, `null` where the client keeps it waiting; `None` when nobody answers.
    pub(super) fn respond(&self, message: &Value) -> Option<Value> {
        let (id, method) = (message.get("id")?, message.get("method")?.as_str()?);
        let params = message.get("params").cloned().unwrap_or_default();
        let reply = self.reply(None, method, params)?;
        Some(match reply.0 {
            Outcome::Result(result) => json!({"jsonrpc": "2.0", "id": id, "result": result}),
            Outcome::Error(error) => json!({"jsonrpc": "2.0", "id": id, "error": error}),
            Outcome::Nothing => Value::Null,
        })
    }

    /// The members of a retry: answers by key, and the state as it came. `None` when nobody answers.
    pub(super) fn retry(&self, result: &Value) -> Option<Map<String, Value>> {
        if result.get("resultType").and_then(Value::as_str) != Some("input_required") {
            return None;
        }
        let requests: BTreeMap<String, Value> = result
            .get("inputRequests")
            .and_then(Value::as_object)
            .into_iter()
            .flatten()
            .map(|(key, value)| (key.clone(), value.clone()))
            .collect();
        let mut responses = Map::new();
        let mut is_answered = false;
        for (key, request) in requests {
            let method = request.get("method").and_then(Value::as_str).unwrap_or_default();
            let reply = self.reply(Some(key.clone()), method, request.get("params").cloned().unwrap_or_default());
            is_answered |= reply.as_ref().is_some_and(|reply| reply.0 != Outcome::Nothing);
            if let Some(Reply(Outcome::Result(result))) = reply {
                responses.insert(key, result);
            }
        }
        let mut members = Map::from_iter([("inputResponses".to_owned(), responses.into())]);
        members.extend(result.get("requestState").map(|state| ("requestState".to_owned(), state.clone())));
        is_answered.then_some(members)
    }
}
