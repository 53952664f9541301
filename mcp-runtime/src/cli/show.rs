//! Results as a person reads them.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::Value;

use super::output::Output;
use super::pretty::pretty;
use super::save::Folder;
use crate::handler::error::{Error, Result};

/// Where the parts of a result go.
pub(super) struct Printer<'a> {
    pub(super) out: &'a mut Output,
    pub(super) folder: Option<Folder>,
    /// What content without a URI is named after.
    pub(super) name: &'a str,
}

fn text<'a>(value: &'a Value, name: &str) -> &'a str {
    value.get(name).and_then(Value::as_str).unwrap_or_default()
}

impl Printer<'_> {
    /// A tool's result: structured content if there is any, and what the blocks say beyond it.
    pub(super) fn tool_result(&mut self, result: &Value) -> Result<()> {
        let structured = result.get("structuredContent");
        let blocks = || result.get("content").and_then(Value::as_array).into_iter().flatten();
        // The text has the members in the order of the author's type.
        match (blocks().find(|block| repeats(block, structured)), structured) {
            (Some(block), _) => self.out.line(pretty(text(block, "text"))),
            (None, Some(structured)) => self.json(structured),
            (None, None) => {}
        }
        blocks().filter(|block| !repeats(block, structured)).try_for_each(|block| self.block(block))
    }

    /// A prompt's messages, each under its role when there are several.
    pub(super) fn messages(&mut self, messages: &[Value]) -> Result<()> {
        for (index, message) in messages.iter().enumerate() {
            if messages.len() > 1 {
                let gap = if index > 0 { "\n" } else { "" };
                self.out.line(format_args!("{gap}[{}]", text(message, "role")));
            }
            if let Some(block) = message.get("content") {
                self.block(block)?;
            }
        }
        Ok(())
    }

    /// The contents of a resource. A single binary one goes to a pipe or file as it is.
    pub(super) fn contents(&mut self, contents: &[Value]) -> Result<()> {
        if let ([only], None, false) = (contents, &self.folder, self.out.is_terminal()) {
            if let Some(blob) = only.get("blob").and_then(Value::as_str) {
                self.out.bytes(&decode(blob)?);
                return Ok(());
            }
        }
        for (index, content) in contents.iter().enumerate() {
            if contents.len() > 1 {
                let gap = if index > 0 { "\n" } else { "" };
                self.out.line(format_args!("{gap}[{}]", text(content, "uri")));
            }
            self.resource(content)?;
        }
        Ok(())
    }

    /// Any JSON, to be read.
    pub(super) fn json(&mut self, value: &Value) {
        self.out.line(serde_json::to_string_pretty(value).unwrap_or_default());
    }

    fn block(&mut self, block: &Value) -> Result<()> {
        match text(block, "type") {
            "text" => self.out.text(text(block, "text")),
            kind @ ("image" | "audio") => self.binary(kind, self.name, text(block, "mimeType"), text(block, "data"))?,
            "resource_link" => self.out.line(link(block)),
            "resource" => self.resource(block.get("resource").unwrap_or(&Value::Null))?,
            _ => self.json(block),
        }
        Ok(())
    }

    fn resource(&mut self, resource: &Value) -> Result<()> {
        let Some(blob) = resource.get("blob").and_then(Value::as_str) else {
            self.out.text(text(resource, "text"));
            return Ok(());
        };
        self.binary("content", text(resource, "uri"), text(resource, "mimeType"), blob)
    }

    fn binary(&mut self, kind: &str, name: &str, mime: &str, data: &str) -> Result<()> {
        let bytes = decode(data)?;
        let mime = if mime.is_empty() { "application/octet-stream" } else { mime };
        match &self.folder {
            Some(folder) => self.out.line(folder.save(name, mime, &bytes)?.display()),
            None => self.out.line(format_args!("[{kind}: {mime}, {} bytes; --out DIR saves it]", bytes.len())),
        }
        Ok(())
    }
}

/// Whether a block is the structured content once more, for clients that know only text.
fn repeats(block: &Value, structured: Option<&Value>) -> bool {
    let Some(structured) = structured.filter(|_| text(block, "type") == "text") else { return false };
    let Ok(said) = serde_json::from_str::<Value>(text(block, "text")) else { return false };
    said == *structured || structured.get("result") == Some(&said)
}

fn link(block: &Value) -> String {
    let mut line = text(block, "uri").to_owned();
    let name = Some(text(block, "title")).filter(|title| !title.is_empty()).unwrap_or_else(|| text(block, "name"));
    for part in [name, text(block, "description")].into_iter().filter(|part| !part.is_empty()) {
        line.push_str("  ");
        line.push_str(part);
    }
    line
}

fn decode(data: &str) -> Result<Vec<u8>> {
    STANDARD
        .decode(data)
        .map_err(|error| Error::msg(format!("the server sent binary content that is no Base64: {error}")))
}

/// What a failed tool says, for the report of the failure.
pub(super) fn failure(result: &Value) -> String {
    let blocks = result.get("content").and_then(Value::as_array).into_iter().flatten();
    let texts: Vec<&str> =
        blocks.filter(|block| text(block, "type") == "text").map(|block| text(block, "text")).collect();
    let said = texts.join("\n");
    if said.is_empty() { "it says no more than that".to_owned() } else { said }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn structured_content_is_told_once() {
        let block = |text: &str| json!({"type": "text", "text": text});
        assert!(repeats(&block("{\"a\":1}"), Some(&json!({"a": 1}))));
        assert!(repeats(&block("[1]"), Some(&json!({"result": [1]}))));
        assert!(!repeats(&block("one"), Some(&json!({"a": 1}))));
        assert!(!repeats(&block("1"), None));
    }
}
