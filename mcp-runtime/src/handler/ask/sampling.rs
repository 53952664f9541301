//! What a model is asked, as each revision writes it.
//!
//! See <https://modelcontextprotocol.io/specification/draft/client/sampling>.

use serde::ser::SerializeMap as _;
use serde::{Serialize, Serializer};
use serde_json::{Map, Value};

use super::error::AskError;
use super::message::{Blocks, SampleContent, SampleMessage};
use crate::protocol::Role;
use crate::protocol::features::Features;
use crate::protocol::render::{For, entry_if};
use crate::sorted::Sorted;

/// What a model is asked.
///
/// ```
/// use mcp_runtime::SampleRequest;
///
/// let request = SampleRequest::new("Name the capital of France.").system("Answer in one word.").max_tokens(10).hint("haiku");
/// ```
#[derive(Clone, Debug)]
pub struct SampleRequest {
    messages: Vec<SampleMessage>,
    max_tokens: u64,
    system: Option<String>,
    temperature: Option<f64>,
    stop: Vec<String>,
    hints: Vec<String>,
    cost: Option<f64>,
    speed: Option<f64>,
    intelligence: Option<f64>,
    context: Option<&'static str>,
    metadata: Map<String, Value>,
    tools: Vec<SampleTool>,
    choice: Option<ToolChoice>,
}

/// A tool that the model may call; its calls come back to the handler, nothing runs by itself.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct SampleTool {
    name: String,
    #[serde(skip_serializing_if = "String::is_empty")]
    description: String,
    input_schema: Value,
}

impl SampleTool {
    /// A tool with the JSON Schema of its arguments, an object.
    pub fn new(name: impl Into<String>, description: impl Into<String>, input_schema: impl Into<Value>) -> Self {
        Self { name: name.into(), description: description.into(), input_schema: input_schema.into() }
    }
}

/// Whether the model calls a tool.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(tag = "mode", rename_all = "lowercase")]
pub enum ToolChoice {
    /// As it likes.
    Auto,
    /// At least one.
    Required,
    /// None.
    None,
}

impl From<&str> for SampleRequest {
    fn from(text: &str) -> Self {
        Self::new(text.to_owned())
    }
}

impl From<String> for SampleRequest {
    fn from(text: String) -> Self {
        Self::new(text)
    }
}

impl SampleRequest {
    /// Asks with one message of the person; at most 1000 tokens unless [`max_tokens`](Self::max_tokens) says otherwise.
    pub fn new(content: impl Into<SampleContent>) -> Self {
        Self::from_messages([SampleMessage::user(content)])
    }

    /// Asks with a whole talk.
    pub fn from_messages(messages: impl IntoIterator<Item = SampleMessage>) -> Self {
        Self {
            messages: messages.into_iter().collect(),
            max_tokens: 1000,
            system: None,
            temperature: None,
            stop: Vec::new(),
            hints: Vec::new(),
            cost: None,
            speed: None,
            intelligence: None,
            context: None,
            metadata: Map::new(),
            tools: Vec::new(),
            choice: None,
        }
    }

    /// Adds a message.
    #[must_use]
    pub fn message(mut self, message: SampleMessage) -> Self {
        self.messages.push(message);
        self
    }

    /// How much the model may write.
    #[must_use]
    pub const fn max_tokens(mut self, tokens: u64) -> Self {
        self.max_tokens = tokens;
        self
    }

    /// What the model should be.
    #[must_use]
    pub fn system(mut self, prompt: impl Into<String>) -> Self {
        self.system = Some(prompt.into());
        self
    }

    /// How freely the model answers.
    #[must_use]
    pub const fn temperature(mut self, temperature: f64) -> Self {
        self.temperature = Some(temperature);
        self
    }

    /// A text at which the model stops.
    #[must_use]
    pub fn stop(mut self, text: impl Into<String>) -> Self {
        self.stop.push(text.into());
        self
    }

    /// A part of a model's name that is preferred; the first one counts most.
    #[must_use]
    pub fn hint(mut self, name: impl Into<String>) -> Self {
        self.hints.push(name.into());
        self
    }

    /// How much a low cost matters, 0 to 1.
    #[must_use]
    pub const fn cost_priority(mut self, priority: f64) -> Self {
        self.cost = Some(priority);
        self
    }

    /// How much speed matters, 0 to 1.
    #[must_use]
    pub const fn speed_priority(mut self, priority: f64) -> Self {
        self.speed = Some(priority);
        self
    }

    /// How much intelligence matters, 0 to 1.
    #[must_use]
    pub const fn intelligence_priority(mut self, priority: f64) -> Self {
        self.intelligence = Some(priority);
        self
    }

    /// Adds what the client knows from this server to the talk; clients that cannot are not asked for it.
    #[must_use]
    pub const fn include_this_server(mut self) -> Self {
        self.context = Some("thisServer");
        self
    }

    /// Something for the model's provider.
    #[must_use]
    pub fn metadata(mut self, key: impl Into<String>, value: impl Into<Value>) -> Self {
        self.metadata.insert(key.into(), value.into());
        self
    }

    /// A tool that the model may call (from 2025-11-25; the client must support it).
    #[must_use]
    pub fn tool(mut self, tool: SampleTool) -> Self {
        self.tools.push(tool);
        self
    }

    /// Whether the model calls a tool.
    #[must_use]
    pub const fn tool_choice(mut self, choice: ToolChoice) -> Self {
        self.choice = Some(choice);
        self
    }

    pub(crate) const fn leave_out_context(&mut self) {
        self.context = None;
    }

    /// Whether the client has to support tools for it.
    pub(crate) fn wants_tools(&self) -> bool {
        let is_about_tools = |content: &SampleContent| !matches!(content, SampleContent::Content(_));
        !self.tools.is_empty()
            || self.choice.is_some()
            || self.messages.iter().flat_map(|message| &message.content).any(is_about_tools)
    }

    /// What the protocol demands of a talk with tools: each call is answered in the next message, which holds nothing else.
    pub(crate) fn check(&self) -> Result<(), AskError> {
        let refuse = |text: &str| Err(AskError::Request(format!("the model cannot be asked: {text}")));
        if self.messages.is_empty() || self.messages.iter().any(|message| message.content.is_empty()) {
            return refuse("there is an empty message, or none");
        }
        let mut open: Sorted<&str, ()> = Sorted::default();
        for message in &self.messages {
            let mut answered: Sorted<&str, ()> = Sorted::default();
            for content in &message.content {
                if let SampleContent::ToolResult { tool_use_id, .. } = content {
                    answered.insert(tool_use_id, ());
                }
            }
            let is_mixed = message.content.iter().any(|content| !matches!(content, SampleContent::ToolResult { .. }));
            if !answered.is_empty() && (is_mixed || message.role != Role::User) {
                return refuse("a message with the results of tools is the user's, and holds nothing else");
            }
            if answered != open {
                return refuse("every call of a tool is answered in the next message, and nothing else is");
            }
            open.clear();
            for content in &message.content {
                match content {
                    SampleContent::ToolUse { id, .. } if message.role == Role::Assistant => {
                        open.insert(id, ());
                    }
                    SampleContent::ToolUse { .. } => return refuse("only the model calls tools"),
                    _ => {}
                }
            }
        }
        if open.is_empty() {
            Ok(())
        } else {
            refuse("every call of a tool is answered in the next message, and nothing else is")
        }
    }

    /// The request as a client of these features knows it.
    pub(crate) const fn with(&self, features: &'static Features) -> For<'_, Self> {
        For(self, features)
    }
}

fn share(priority: Option<f64>) -> Option<f64> {
    priority.filter(|priority| !priority.is_nan()).map(|priority| priority.clamp(0.0, 1.0))
}

impl Serialize for For<'_, SampleRequest> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Self(request, features) = *self;
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("messages", &Messages(request, features))?;
        map.serialize_entry("maxTokens", &request.max_tokens)?;
        entry_if(&mut map, "systemPrompt", request.system.as_ref())?;
        entry_if(&mut map, "temperature", request.temperature.filter(|temperature| temperature.is_finite()))?;
        entry_if(&mut map, "stopSequences", (!request.stop.is_empty()).then_some(&request.stop))?;
        entry_if(&mut map, "includeContext", request.context)?;
        let priorities = [
            ("costPriority", request.cost),
            ("speedPriority", request.speed),
            ("intelligencePriority", request.intelligence),
        ];
        let mut preferences: Map<String, Value> = priorities
            .into_iter()
            .filter_map(|(name, priority)| Some((name.to_owned(), share(priority)?.into())))
            .collect();
        if !request.hints.is_empty() {
            let hints = request.hints.iter().map(|name| serde_json::json!({"name": name})).collect();
            preferences.insert("hints".to_owned(), hints);
        }
        entry_if(&mut map, "modelPreferences", (!preferences.is_empty()).then_some(preferences))?;
        entry_if(&mut map, "metadata", (!request.metadata.is_empty()).then_some(&request.metadata))?;
        if features.sampling_tools {
            entry_if(&mut map, "tools", (!request.tools.is_empty()).then_some(&request.tools))?;
            entry_if(&mut map, "toolChoice", request.choice)?;
        }
        map.end()
    }
}

struct Messages<'a>(&'a SampleRequest, &'static Features);

impl Serialize for Messages<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Self(request, features) = *self;
        let messages = request.messages.iter().flat_map(|message| {
            // Where a message holds one block, several are several messages.
            let at_once = if features.sampling_tools { message.content.len().max(1) } else { 1 };
            message
                .content
                .chunks(at_once)
                .map(|content| Message { role: message.role, content: Blocks(content, features) })
        });
        serializer.collect_seq(messages)
    }
}

struct Message<'a> {
    role: Role,
    content: Blocks<'a>,
}

impl Serialize for Message<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("role", &self.role)?;
        map.serialize_entry("content", &self.content)?;
        map.end()
    }
}
