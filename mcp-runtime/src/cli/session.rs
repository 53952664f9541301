//! A client in memory for the commands that run handlers, with the server's own beginning and end.

use serde_json::{Value, json};

use super::ask;
use super::progress::Reporter;
use crate::handler::call::BoxFuture;
use crate::handler::error::{Error, Result};
use crate::protocol::{Revision, meta};
use crate::server::BuiltServer;
use crate::testing::Client;

/// A server that has been started, and its only client.
pub(super) struct Session {
    pub(super) client: Client,
    log: Option<String>,
    /// What the server does after its last client.
    shutdown: Vec<BoxFuture<'static, ()>>,
    /// Resolves when the process is asked to stop.
    ended: BoxFuture<'static, ()>,
}

impl Session {
    /// Starts the server and connects on the newest revision it serves; log messages from `log` on are wanted.
    pub(super) async fn open(mut built: BuiltServer, log: Option<&str>) -> Result<Self> {
        let revision = built.core.options.revisions.last().copied().unwrap_or(Revision::LATEST);
        let shutdown = std::mem::take(&mut built.hooks.shutdown);
        let ended = Box::pin(built.ended());
        let client = ask::prepare(Client::with_revision(revision)).connect(built).await?;
        if let Some(level) = log.filter(|_| !revision.is_modern()) {
            client.request("logging/setLevel", json!({"level": level})).await?;
        }
        Ok(Self { client, log: log.map(str::to_owned), shutdown, ended })
    }

    /// Sends a request and shows on standard error what comes before the answer.
    pub(super) async fn request(&mut self, method: &str, mut params: Value) -> Result<Value> {
        if let Some(members) = params.as_object_mut() {
            members.insert("_meta".to_owned(), self.meta());
        }
        let mut reporter = Reporter::new();
        let mut round = params.clone();
        let result = loop {
            let result = self.round(method, round, &mut reporter).await;
            // In 2026-07-28 questions come in the result, and their answers in a request like the first.
            let retry = result.as_ref().ok().and_then(|result| self.client.retry(result));
            let Some(retry) = retry else { break result };
            let Value::Object(mut again) = params.clone() else { break result };
            again.extend(retry);
            round = again.into();
        };
        for notification in self.client.notifications() {
            reporter.show(&notification);
        }
        reporter.finish();
        result
    }

    async fn round(&mut self, method: &str, params: Value, reporter: &mut Reporter) -> Result<Value> {
        let mut answer = self.client.begin(method, params);
        loop {
            tokio::select! {
                // What was reported comes before the answer, so it is shown before.
                biased;
                () = &mut self.ended => {
                    self.client.cancel(&answer);
                    return Err(Error::msg("interrupted"));
                }
                report = self.client.notified("notifications/progress") => reporter.show(&report),
                message = self.client.notified("notifications/message") => reporter.show(&message),
                result = &mut answer => return result.map_err(Error::from),
            }
        }
    }

    fn meta(&self) -> Value {
        let mut own = json!({"progressToken": 1});
        if let (Some(level), true, Some(members)) = (&self.log, self.client.revision().is_modern(), own.as_object_mut()) {
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
