//! The methods of the protocol, as functions of the client.
//!
//! Those that are generic are no `async fn`: what does not fit would be missed where they are awaited, too.

use serde_json::{Value, json};

use super::outcome::decode;
use super::{CallOutcome, Client, ClientError};
use crate::handler::call::BoxFuture;
use crate::protocol::ToJson;

/// What the server answers.
type Answered<'c, T> = BoxFuture<'c, Result<T, ClientError>>;

/// Arguments as JSON, or why they are none.
type Written = serde_json::Result<Value>;

impl Client {
    /// Calls a tool.
    ///
    /// # Errors
    ///
    /// The server's error. A tool's own failure is a result: see [`CallOutcome::is_error`].
    #[expect(clippy::needless_pass_by_value, reason = "a value of the author's, or a reference to it")]
    pub fn call<'c>(&'c self, name: &'c str, arguments: impl ToJson) -> Answered<'c, CallOutcome> {
        self.call_with(name, arguments.to_value())
    }

    fn call_with<'c>(&'c self, name: &'c str, arguments: Written) -> Answered<'c, CallOutcome> {
        Box::pin(async move {
            let arguments = arguments.map_err(|error| ClientError::Unreadable(error.to_string()))?;
            let result = self.request("tools/call", json!({"name": name, "arguments": arguments})).await?;
            Ok(CallOutcome { result })
        })
    }

    /// Every tool, from all pages.
    ///
    /// # Errors
    ///
    /// The server's error.
    pub async fn list_tools(&self) -> Result<Vec<Value>, ClientError> {
        self.list("tools/list", "tools").await
    }

    /// Every resource, from all pages.
    ///
    /// # Errors
    ///
    /// The server's error.
    pub async fn list_resources(&self) -> Result<Vec<Value>, ClientError> {
        self.list("resources/list", "resources").await
    }

    /// Every resource template, from all pages.
    ///
    /// # Errors
    ///
    /// The server's error.
    pub async fn list_templates(&self) -> Result<Vec<Value>, ClientError> {
        self.list("resources/templates/list", "resourceTemplates").await
    }

    /// Every prompt, from all pages.
    ///
    /// # Errors
    ///
    /// The server's error.
    pub async fn list_prompts(&self) -> Result<Vec<Value>, ClientError> {
        self.list("prompts/list", "prompts").await
    }

    async fn list(&self, method: &str, member: &str) -> Result<Vec<Value>, ClientError> {
        let mut all = Vec::new();
        let mut cursor = None::<String>;
        loop {
            let params = cursor.map_or_else(|| json!({}), |cursor| json!({"cursor": cursor}));
            let mut page = self.request(method, params).await?;
            if let Some(Value::Array(items)) = page.get_mut(member).map(Value::take) {
                all.extend(items);
            }
            match page.get("nextCursor").and_then(Value::as_str) {
                Some(next) => cursor = Some(next.to_owned()),
                None => return Ok(all),
            }
        }
    }

    /// Reads a resource: its contents, each with `uri`, `mimeType` and `text` or `blob`.
    ///
    /// # Errors
    ///
    /// The server's error, also for a resource that does not exist.
    pub async fn read(&self, uri: &str) -> Result<Vec<Value>, ClientError> {
        let mut result = self.request("resources/read", json!({"uri": uri})).await?;
        decode(result.get_mut("contents").map(Value::take).unwrap_or_default())
    }

    /// Gets a prompt: its messages, each with `role` and `content`.
    ///
    /// # Errors
    ///
    /// The server's error.
    #[expect(clippy::needless_pass_by_value, reason = "a value of the author's, or a reference to it")]
    pub fn prompt<'c>(&'c self, name: &'c str, arguments: impl ToJson) -> Answered<'c, Vec<Value>> {
        self.prompt_with(name, arguments.to_value())
    }

    fn prompt_with<'c>(&'c self, name: &'c str, arguments: Written) -> Answered<'c, Vec<Value>> {
        Box::pin(async move {
            let arguments = arguments.map_err(|error| ClientError::Unreadable(error.to_string()))?;
            let mut result = self.request("prompts/get", json!({"name": name, "arguments": arguments})).await?;
            decode(result.get_mut("messages").map(Value::take).unwrap_or_default())
        })
    }

    /// Candidates for an argument of a prompt, or of a template when `of` is a URI.
    ///
    /// # Errors
    ///
    /// The server's error.
    pub async fn complete(&self, of: &str, argument: &str, partial: &str) -> Result<Vec<String>, ClientError> {
        let reference = if of.contains("://") {
            json!({"type": "ref/resource", "uri": of})
        } else {
            json!({"type": "ref/prompt", "name": of})
        };
        let params = json!({"ref": reference, "argument": {"name": argument, "value": partial}});
        let result = self.request("completion/complete", params).await?;
        decode(result.pointer("/completion/values").cloned().unwrap_or_default())
    }

    /// Asks to be told of changes: of these resources, and of the lists of tools, resources and prompts.
    ///
    /// What comes of it is heard with [`notified`](Self::notified), on every revision.
    ///
    /// # Errors
    ///
    /// The server's error.
    pub fn subscribe<S: Into<String>>(&self, uris: impl IntoIterator<Item = S>) -> Answered<'_, ()> {
        self.subscribe_to(uris.into_iter().map(Into::into).collect())
    }

    fn subscribe_to(&self, uris: Vec<String>) -> Answered<'_, ()> {
        Box::pin(self.listen_to(uris))
    }

    async fn listen_to(&self, uris: Vec<String>) -> Result<(), ClientError> {
        if !self.revision().is_modern() {
            for uri in uris {
                self.request("resources/subscribe", json!({"uri": uri})).await?;
            }
            return Ok(());
        }
        let wanted = json!({
            "resourceSubscriptions": uris,
            "toolsListChanged": true,
            "resourcesListChanged": true,
            "promptsListChanged": true,
        });
        // It is answered when it ends, and acknowledged when it begins.
        let listening = self.begin("subscriptions/listen", json!({"notifications": wanted}));
        tokio::select! {
            refused = listening => refused.map(drop),
            _ = self.next_notified("notifications/subscriptions/acknowledged") => Ok(()),
        }
    }
}
