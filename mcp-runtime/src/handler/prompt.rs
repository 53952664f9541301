//! What a prompt gives: messages.

use crate::protocol::{Content, Role};

/// One message of a prompt.
#[derive(Clone, Debug, PartialEq)]
pub struct PromptMessage {
    pub(crate) role: Role,
    pub(crate) content: Content,
}

impl PromptMessage {
    /// Something the person says.
    pub fn user(content: impl Into<Content>) -> Self {
        Self { role: Role::User, content: content.into() }
    }

    /// Something the model said.
    pub fn assistant(content: impl Into<Content>) -> Self {
        Self { role: Role::Assistant, content: content.into() }
    }
}

/// The messages of a prompt, in order.
///
/// ```
/// use mcp_runtime::Messages;
///
/// let messages = Messages::user("Review this.").and_assistant("Gladly. Which part?").and_user("All of it.");
/// assert_eq!(messages.len(), 3);
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Messages {
    pub(crate) description: Option<String>,
    pub(crate) messages: Vec<PromptMessage>,
}

impl Messages {
    /// No messages yet.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Starts with something the person says.
    pub fn user(content: impl Into<Content>) -> Self {
        Self::new().and_user(content)
    }

    /// Starts with something the model said.
    pub fn assistant(content: impl Into<Content>) -> Self {
        Self::new().and_assistant(content)
    }

    /// Adds something the person says.
    #[must_use]
    pub fn and_user(self, content: impl Into<Content>) -> Self {
        self.message(PromptMessage::user(content))
    }

    /// Adds something the model said.
    #[must_use]
    pub fn and_assistant(self, content: impl Into<Content>) -> Self {
        self.message(PromptMessage::assistant(content))
    }

    /// The number of messages.
    #[must_use]
    pub fn len(&self) -> usize {
        self.messages.len()
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.messages.is_empty()
    }

    /// What these messages do, instead of the prompt's own description.
    #[must_use]
    pub fn description(mut self, text: impl Into<String>) -> Self {
        self.description = Some(text.into());
        self
    }

    /// Adds a message.
    #[must_use]
    pub fn message(mut self, message: PromptMessage) -> Self {
        self.messages.push(message);
        self
    }
}
