//! How a client connects: on which revision, with which answers.

use std::sync::Arc;

use serde_json::{Value, json};

use super::{Client, ClientError};
use crate::handler::call::BoxFuture;
use crate::protocol::Revision;
use crate::registry::problem::BuildError;
use crate::server::{BuiltServer, IntoBuilt};
use crate::testing::answers::{Answers, Asked, Reply};

/// Chooses how a [`Client`] connects.
#[derive(Clone, Debug)]
#[must_use = "nothing is connected until `.connect(…)`"]
pub struct ClientBuilder {
    pub(super) revision: Revision,
    pub(super) answers: Answers,
    pub(super) is_strict: bool,
    capabilities: Value,
}

impl ClientBuilder {
    pub(super) fn new(revision: Revision) -> Self {
        Self { revision, answers: Answers::default(), is_strict: false, capabilities: Value::Null }
    }

    /// Declares these capabilities, as JSON, whatever the client answers.
    pub fn capabilities(mut self, capabilities: Value) -> Self {
        self.capabilities = capabilities;
        self
    }

    /// Fills in forms, in either era; declares that it does.
    ///
    /// ```standalone_crate
    /// use mcp_runtime::prelude::*;
    /// use mcp_runtime::testing::{Client, Reply};
    /// use mcp_runtime::Revision;
    /// use serde_json::json;
    ///
    /// #[derive(Elicit)]
    /// struct Name {
    ///     name: String,
    /// }
    ///
    /// /// Greet somebody.
    /// #[tool]
    /// fn greet(#[ask("Who are you?")] name: Name) -> String {
    ///     format!("Hello, {}!", name.name)
    /// }
    ///
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> mcp_runtime::Result<()> {
    /// for revision in [Revision::V2025_11_25, Revision::V2026_07_28] {
    ///     let client = Client::with_revision(revision)
    ///         .elicit(|asked| {
    ///             assert_eq!(asked.message(), "Who are you?");
    ///             Reply::accept(json!({"name": "Ada"}))
    ///         })
    ///         .connect(mcp_runtime::server!())
    ///         .await?;
    ///     assert_eq!(client.call("greet", json!({})).await?.text(), "Hello, Ada!");
    /// }
    /// # Ok(())
    /// # }
    /// ```
    pub fn elicit(mut self, answer: impl Fn(&Asked) -> Reply + Send + Sync + 'static) -> Self {
        self.answers.form = Some(Arc::new(answer));
        self
    }

    /// Opens pages, in either era; declares that it does.
    pub fn elicit_url(mut self, answer: impl Fn(&Asked) -> Reply + Send + Sync + 'static) -> Self {
        self.answers.url = Some(Arc::new(answer));
        self
    }

    /// Answers for a model, in either era; declares that it does.
    pub fn sample(mut self, answer: impl Fn(&Asked) -> Reply + Send + Sync + 'static) -> Self {
        self.answers.sample = Some(Arc::new(answer));
        self
    }

    /// Has these roots, in either era; declares that it has.
    pub fn roots<S: Into<String>>(mut self, uris: impl IntoIterator<Item = S>) -> Self {
        self.answers.set_roots(uris);
        self
    }

    /// Sends every round of a call twice, and fails when the two differ in their questions or `once` keys: such a handler
    /// would ask a 2026 client again and again. What `once` runs, it then runs twice. Before 2026 nothing is repeated.
    pub const fn strict_replay(mut self) -> Self {
        self.is_strict = true;
        self
    }

    pub(super) fn declared(&self) -> Value {
        if self.capabilities.is_null() { self.answers.capabilities().into() } else { self.capabilities.clone() }
    }

    /// Connects to a server; before 2026-07-28 that is `initialize` and `notifications/initialized`.
    ///
    /// # Errors
    ///
    /// What keeps the server from starting.
    // No `async fn`: what is no server would be missed where it is awaited, too.
    pub fn connect(self, server: impl IntoBuilt) -> BoxFuture<'static, Result<Client, ClientError>> {
        self.connect_to(server.into_built())
    }

    fn connect_to(self, built: Result<BuiltServer, BuildError>) -> BoxFuture<'static, Result<Client, ClientError>> {
        Box::pin(async move { self.begin(built.map_err(ClientError::Build)?).await })
    }

    async fn begin(self, mut built: BuiltServer) -> Result<Client, ClientError> {
        built.hooks.start().await.map_err(|error| ClientError::Start(error.to_string()))?;
        let client = Client::over(&built, &self);
        if !self.revision.is_modern() {
            let params = json!({
                "protocolVersion": self.revision.as_str(),
                "capabilities": client.capabilities,
                "clientInfo": {"name": "mcp-runtime testing", "version": env!("CARGO_PKG_VERSION")},
            });
            client.request("initialize", params).await?;
            client.notify("notifications/initialized", json!({}));
        }
        Ok(client)
    }
}
