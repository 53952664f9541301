//! A client in memory for the commands that run handlers, with the server's own beginning and end.

use serde_json::{Map, Value, json};

use super::ask::{self, Person};
use super::progress::Reporter;
use crate::handler::call::BoxFuture;
use crate::handler::error::{Error, Result};
use crate::protocol::{ErrorCode, Revision, meta};
use crate::server::BuiltServer;
use crate::testing::{Client, ClientError};

/// A server that has been started, and its only client.
pub(super) struct Session {
    pub(super) client: Client,
    log: Option<String>,
    /// Who answers a handler's questions.
    person: Option<Person>,
    /// What the server does after its last client.
    shutdown: Vec<BoxFuture<'static, ()>>,
    /// Resolves when the process is asked to stop.
    ended: BoxFuture<'static, ()>,
}

impl Session {
    /// Starts the server and connects on the newest revision it serves; log messages from `log` on are wanted.
    pub(super) async fn open(mut built: BuiltServer, log: Option<&str>, person: Option<Person>) -> Result<Self> {
        let revision = built.core.options.revisions.last().copied().unwrap_or(Revision::LATEST);
        let shutdown = std::mem::take(&mut built.hooks.shutdown);
        let ended = Box::pin(built.ended());
        let mut client = Client::with_revision(revision);
        if let Some(person) = &person {
            client = person.clone().attend(client);
        }
        let client = client.connect(built).await?;
        if let Some(level) = log.filter(|_| !revision.is_modern()) {
            client.request("logging/setLevel", json!({"level": level})).await?;
        }
        Ok(Self { client, log: log.map(str::to_owned), person, shutdown, ended })
    }

    /// Sends a request, shows on standard error what comes before the answer, and has the person answer questions.
    pub(super) async fn request(&mut self, method: &str, mut params: Value) -> Result<Value> {
        if let Some(members) = params.as_object_mut() {
            members.insert("_meta".to_owned(), self.meta());
        }
        let mut round = params.clone();
        loop {
            let result = self.round(method, round).await;
            if let Some(fault) = self.person.as_ref().and_then(Person::fault) {
                return Err(fault);
            }
            let result = result?;
            let Some(questions) = ask::questions(&result) else {
                self.person.iter().for_each(Person::finish);
                return Ok(result);
            };
            let answers = self.answers(&questions).await?;
            round = params.clone();
            if let Some(members) = round.as_object_mut() {
                members.insert("inputResponses".to_owned(), answers.into());
                members.extend(result.get("requestState").map(|state| ("requestState".to_owned(), state.clone())));
            }
        }
    }

    async fn round(&mut self, method: &str, params: Value) -> Result<Value> {
        let mut reporter = Reporter::new();
        let mut answer = self.client.begin(method, params);
        let result = loop {
            tokio::select! {
                // What was reported comes before the answer, so it is shown before.
                biased;
                () = &mut self.ended => {
                    self.client.cancel(&answer);
                    break Err(interrupted());
                }
                report = self.client.next_notified("notifications/progress") => reporter.show(&report),
                message = self.client.next_notified("notifications/message") => reporter.show(&message),
                result = &mut answer => break result.map_err(|error| self.explained(error)),
            }
        };
        for notification in self.client.notifications() {
            reporter.show(&notification);
        }
        reporter.finish();
        result
    }

    /// What a client without a person cannot do is due to where the command runs, not to the server.
    fn explained(&self, error: ClientError) -> Error {
        match error {
            ClientError::Protocol(error)
                if self.person.is_none() && error.code() == ErrorCode::MISSING_CLIENT_CAPABILITY =>
            {
                Error::msg(format!(
                    "{error}\nIt asks you when you run it at a terminal; elsewhere, answer with --answer FIELD=VALUE, yes or no."
                ))
            }
            error => error.into(),
        }
    }

    /// The answers to all questions of a round, or all that keeps them from being answered.
    async fn answers(&mut self, questions: &Map<String, Value>) -> Result<Map<String, Value>> {
        let (mut answers, mut faults) = (Map::new(), Vec::new());
        for (key, question) in questions {
            let answer = tokio::select! {
                () = &mut self.ended => return Err(interrupted()),
                answer = ask::answer(self.person.as_ref(), question) => answer,
            };
            match answer {
                Ok(answer) => drop(answers.insert(key.clone(), answer)),
                Err(fault) => faults.push(format!("{fault:#}")),
            }
        }
        if faults.is_empty() { Ok(answers) } else { Err(Error::msg(faults.join("\n"))) }
    }

    fn meta(&self) -> Value {
        let mut own = json!({"progressToken": 1});
        if let (Some(level), true, Some(members)) = (&self.log, self.client.revision().is_modern(), own.as_object_mut())
        {
            members.insert(meta::LOG_LEVEL.to_owned(), level.as_str().into());
        }
        own
    }

    /// Ends the server as after its last client.
    pub(super) async fn close(self) {
        drop(self.client);
        for hook in self.shutdown {
            hook.await;
        }
    }
}

fn interrupted() -> Error {
    Error::msg("interrupted")
}
