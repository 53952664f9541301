//! The messages of a talk with a model, as each revision writes them, and what the model answers.

use serde::ser::SerializeMap as _;
use serde::{Serialize, Serializer};
use serde_json::value::RawValue;
use serde_json::{Map, Value};

use crate::protocol::features::Features;
use crate::protocol::message::plain;
use crate::protocol::render::{For, entry_if};
use crate::protocol::{Audio, Content, Image, Role};

/// One message of the talk with a model: who speaks, and one block of content or several.
#[derive(Clone, Debug, PartialEq)]
pub struct SampleMessage {
    pub(crate) role: Role,
    pub(crate) content: Vec<SampleContent>,
}

/// A block of a message.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum SampleContent {
    /// Text, an image or a sound.
    Content(Content),
    /// The model calls a tool (from 2025-11-25).
    ToolUse {
        /// What its result refers to.
        id: String,
        /// The tool's name.
        name: String,
        /// Its arguments.
        input: Map<String, Value>,
    },
    /// What the tool gave (from 2025-11-25).
    ToolResult {
        /// The id of the call.
        tool_use_id: String,
        /// What it gave.
        content: Vec<Content>,
        /// Whether it failed.
        is_error: bool,
    },
}

impl<C: Into<Content>> From<C> for SampleContent {
    fn from(content: C) -> Self {
        Self::Content(content.into())
    }
}

impl SampleMessage {
    /// Something the person says.
    pub fn user(content: impl Into<SampleContent>) -> Self {
        Self { role: Role::User, content: vec![content.into()] }
    }

    /// Something the model said.
    pub fn assistant(content: impl Into<SampleContent>) -> Self {
        Self { role: Role::Assistant, content: vec![content.into()] }
    }

    /// Adds a block.
    #[must_use]
    pub fn and(mut self, content: impl Into<SampleContent>) -> Self {
        self.content.push(content.into());
        self
    }
}

/// What the model answered.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Sampled {
    /// Who speaks, as a rule the assistant.
    pub role: Role,
    /// What it says.
    pub content: Vec<SampleContent>,
    /// The model's name.
    pub model: String,
    /// Why it stopped, e.g. `endTurn`, `maxTokens`, `toolUse`.
    pub stop_reason: Option<String>,
}

impl Sampled {
    /// All its text.
    #[must_use]
    pub fn text(&self) -> String {
        let texts = self.content.iter().filter_map(|content| match content {
            SampleContent::Content(content) => content.as_text(),
            _ => None,
        });
        texts.collect::<Vec<_>>().join("\n")
    }

    /// The tools that it calls: id, name and arguments.
    pub fn tool_calls(&self) -> impl Iterator<Item = (&str, &str, &Map<String, Value>)> {
        self.content.iter().filter_map(|content| match content {
            SampleContent::ToolUse { id, name, input } => Some((id.as_str(), name.as_str(), input)),
            _ => None,
        })
    }

    /// As a message of the talk, to go on with.
    #[must_use]
    pub fn into_message(self) -> SampleMessage {
        SampleMessage { role: self.role, content: self.content }
    }
}

/// One block by itself, several as a list.
pub(super) struct Blocks<'a>(pub(super) &'a [SampleContent], pub(super) &'static Features);

impl Serialize for Blocks<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.0 {
            [one] => For(one, self.1).serialize(serializer),
            several => serializer.collect_seq(several.iter().map(|content| For(content, self.1))),
        }
    }
}

impl Serialize for For<'_, SampleContent> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Self(content, features) = *self;
        let mut map = match content {
            SampleContent::Content(content) => return For(content, features).serialize(serializer),
            SampleContent::ToolUse { .. } | SampleContent::ToolResult { .. } => serializer.serialize_map(None)?,
        };
        match content {
            SampleContent::Content(_) => {}
            SampleContent::ToolUse { id, name, input } => {
                map.serialize_entry("type", "tool_use")?;
                map.serialize_entry("id", id)?;
                map.serialize_entry("name", name)?;
                map.serialize_entry("input", input)?;
            }
            SampleContent::ToolResult { tool_use_id, content, is_error } => {
                map.serialize_entry("type", "tool_result")?;
                map.serialize_entry("toolUseId", tool_use_id)?;
                map.serialize_entry("content", &For(content, features))?;
                entry_if(&mut map, "isError", is_error.then_some(true))?;
            }
        }
        map.end()
    }
}

/// Reads a `CreateMessageResult`.
pub(super) fn read(answer: &RawValue) -> Result<Sampled, String> {
    #[derive(serde::Deserialize)]
    #[serde(rename_all = "camelCase")]
    struct CreateMessageResult {
        role: Role,
        content: Value,
        #[serde(default)]
        model: String,
        #[serde(default)]
        stop_reason: Option<String>,
    }
    let result: CreateMessageResult =
        serde_json::from_str(answer.get()).map_err(|error| format!("\n- {}", plain(&error)))?;
    let blocks = match result.content {
        Value::Array(blocks) => blocks,
        one => vec![one],
    };
    let content = blocks
        .iter()
        .map(block)
        .collect::<Option<_>>()
        .ok_or("\n- /content: expected blocks of text, media or calls of tools")?;
    Ok(Sampled { role: result.role, content, model: result.model, stop_reason: result.stop_reason })
}

fn block(block: &Value) -> Option<SampleContent> {
    let text = |name: &str| block.get(name).and_then(Value::as_str).map(str::to_owned);
    Some(match block.get("type")?.as_str()? {
        "text" => Content::text(text("text")?).into(),
        "image" => Image::from_base64(text("data")?, text("mimeType")?).into(),
        "audio" => Audio::from_base64(text("data")?, text("mimeType")?).into(),
        "tool_use" => SampleContent::ToolUse {
            id: text("id")?,
            name: text("name")?,
            input: block.get("input").and_then(Value::as_object).cloned().unwrap_or_default(),
        },
        _ => return None,
    })
}
