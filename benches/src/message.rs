//! What the client asks, and whether an answer is the right one.

use std::borrow::Cow;
use std::collections::HashSet;
use std::io::Write as _;

use serde::Deserialize;
use serde_json::value::RawValue;

use crate::Result;

/// Which revision a request is written in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Era {
    /// 2025-11-25
    Legacy,
    /// 2026-07-28
    Modern,
}

/// A request, and with it the answer.
#[derive(Clone, Debug)]
pub enum Ask {
    Add(i64, i64),
    /// All tools are to be listed: so many.
    List(usize),
    Echo(String),
    /// The resource that reports so many steps.
    Count(u32),
}

pub const INITIALIZE: &str = r#"{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"benches","version":"0.0.0"}}}"#;
pub const INITIALIZED: &str = r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#;

const MODERN_META: &str = r#""io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{},"io.modelcontextprotocol/clientInfo":{"name":"benches","version":"0.0.0"}"#;

#[derive(Deserialize)]
struct Answer<'a> {
    jsonrpc: &'a str,
    id: u64,
    #[serde(borrow)]
    result: Option<&'a RawValue>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Called<'a> {
    #[serde(borrow)]
    content: Vec<Text<'a>>,
    #[serde(default)]
    is_error: bool,
}

#[derive(Deserialize)]
struct Read<'a> {
    #[serde(borrow)]
    contents: Vec<Text<'a>>,
}

#[derive(Deserialize)]
struct Text<'a> {
    #[serde(borrow)]
    text: Cow<'a, str>,
}

#[derive(Deserialize)]
struct Listed<'a> {
    #[serde(borrow)]
    tools: Vec<Tool<'a>>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Tool<'a> {
    name: &'a str,
    #[serde(borrow)]
    input_schema: Schema<'a>,
}

#[derive(Deserialize)]
struct Schema<'a> {
    #[serde(rename = "type")]
    kind: &'a str,
}

#[derive(Deserialize)]
struct Notification<'a> {
    method: &'a str,
    params: Progress,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Progress {
    progress_token: u64,
    progress: f64,
}

/// A text of one MiB with four characters in eighty that JSON escapes.
pub fn mebibyte() -> String {
    let line = "The \"quick\" brown fox jumps over the lazy dog, and then it takes \\ a rest here.\n";
    line.chars().cycle().take(1 << 20).collect()
}

impl Ask {
    pub const fn method(&self) -> &'static str {
        match self {
            Self::Add(..) | Self::Echo(_) => "tools/call",
            Self::List(_) => "tools/list",
            Self::Count(_) => "resources/read",
        }
    }

    /// What the `Mcp-Name` header says.
    pub fn name(&self) -> Option<Cow<'static, str>> {
        match self {
            Self::Add(..) => Some("add".into()),
            Self::Echo(_) => Some("echo".into()),
            Self::Count(to) => Some(format!("count://{to}").into()),
            Self::List(_) => None,
        }
    }

    /// Appends the request.
    pub fn write(&self, id: u64, era: Era, out: &mut Vec<u8>) -> Result<()> {
        write!(out, r#"{{"jsonrpc":"2.0","id":{id},"method":"{}","params":{{"#, self.method())?;
        let begin = out.len();
        match self {
            Self::Add(a, b) => write!(out, r#""name":"add","arguments":{{"a":{a},"b":{b}}}"#)?,
            Self::Echo(text) => {
                write!(out, r#""name":"echo","arguments":{{"text":"#)?;
                serde_json::to_writer(&mut *out, text)?;
                out.push(b'}');
            }
            Self::Count(to) => write!(out, r#""uri":"count://{to}""#)?,
            Self::List(_) => {}
        }
        let progress = if matches!(self, Self::Count(_)) { r#""progressToken":1"# } else { "" };
        let modern = if era == Era::Modern { MODERN_META } else { "" };
        if !progress.is_empty() || !modern.is_empty() {
            let comma = if out.len() > begin { "," } else { "" };
            let between = if !progress.is_empty() && !modern.is_empty() { "," } else { "" };
            write!(out, r#"{comma}"_meta":{{{progress}{between}{modern}}}"#)?;
        }
        out.extend_from_slice(b"}}");
        Ok(())
    }

    /// Says what is wrong with an answer to this request.
    pub fn check(&self, id: u64, message: &[u8]) -> Result<()> {
        let wrong = || {
            format!(
                "a wrong answer to {} {id}: {}",
                self.method(),
                String::from_utf8_lossy(&message[..message.len().min(400)])
            )
        };
        let answer: Answer<'_> = serde_json::from_slice(message).map_err(|error| format!("{}: {error}", wrong()))?;
        let is_right = match answer.result {
            Some(result) if answer.jsonrpc == "2.0" && answer.id == id => self.is_result(result.get())?,
            _ => false,
        };
        if is_right { Ok(()) } else { Err(wrong().into()) }
    }

    fn is_result(&self, result: &str) -> Result<bool> {
        Ok(match self {
            Self::Add(a, b) => is_text(result, &(a + b).to_string())?,
            Self::Echo(text) => is_text(result, text)?,
            Self::Count(to) => {
                matches!(&*serde_json::from_str::<Read<'_>>(result)?.contents, [only] if only.text == format!("counted to {to}"))
            }
            Self::List(count) => {
                let tools = serde_json::from_str::<Listed<'_>>(result)?.tools;
                let names: HashSet<_> = tools.iter().map(|tool| tool.name).collect();
                names.len() == *count
                    && tools.len() == *count
                    && tools.iter().all(|tool| tool.input_schema.kind == "object")
            }
        })
    }
}

fn is_text(result: &str, text: &str) -> Result<bool> {
    let called: Called<'_> = serde_json::from_str(result)?;
    Ok(!called.is_error && matches!(&*called.content, [only] if only.text == text))
}

/// The id of an answer; `None` for a notification.
pub fn id(message: &[u8]) -> Result<Option<u64>> {
    #[derive(Deserialize)]
    struct Head {
        id: Option<u64>,
    }
    Ok(serde_json::from_slice::<Head>(message)?.id)
}

/// Checks that `message` reports step `step`.
pub fn check_progress(step: u32, message: &[u8]) -> Result<()> {
    let notification: Notification<'_> = serde_json::from_slice(message)?;
    let Progress { progress_token, progress } = notification.params;
    let is_right = notification.method == "notifications/progress"
        && progress_token == 1
        && (progress - f64::from(step)).abs() < 0.5;
    if is_right { Ok(()) } else { Err(format!("step {step} is missing: {}", String::from_utf8_lossy(message)).into()) }
}
