//! Calls of handlers: tools, resources, prompts, and the author's own methods.

use std::sync::Arc;

use serde_json::{Map, Value};

use super::{HandlerCall, Work, error, unknown};
use crate::handler::ctx::Ctx;
use crate::handler::error::Failure;
use crate::handler::tool_result::ToolResult;
use crate::protocol::params::Params;
use crate::protocol::scan::{Broken, Scan};
use crate::protocol::{ProtocolError, ResourceContents};
use crate::registry::catalog::Found;
use crate::registry::item::{PromptItem, ResourceItem, ToolItem};
use crate::schema::Output;
use crate::server::call::{Sent, call};
use crate::server::core::Core;
use crate::server::exchange::Era;
use crate::server::hook::CallKind;
use crate::server::reply::Reply;

/// `tools/call`
pub(crate) fn call_tool(core: &Arc<Core>, ctx: Ctx, params: &Params<'_>) -> Result<Work, ProtocolError> {
    let name = params.require_text("name")?;
    let Some(item) = core.catalog.tools.get(&name) else {
        return Err(unknown("tool", &name, &core.catalog.tools.now()));
    };
    // A copy: the message may be a part of a buffer that others need.
    let sent = Sent::Json(params.raw_object("arguments")?.map(|raw| raw.get().into()), *params.arguments());
    let pace = Arc::clone(&item.common.pace);
    Ok(Work::of_handler(core, ctx, ToolCall { item, sent }, &name, pace))
}

struct ToolCall {
    item: Arc<ToolItem>,
    sent: Sent,
}

impl HandlerCall for ToolCall {
    fn kind(&self) -> CallKind {
        CallKind::Tool
    }

    async fn run(self, core: &Core, ctx: &Ctx) -> Result<Reply, Failure> {
        let Self { item, sent } = self;
        let name = &item.common.about.name;
        let permit = match item.gate.enter(name, &ctx.call) {
            Ok(permit) => permit,
            Err(busy) => return Ok(Reply::Tool(ToolResult::error(busy))),
        };
        let made = call(&item.common, ctx, sent).await;
        drop(permit);
        match made {
            Ok(result) => {
                if let Some(text) = lost_number(item.output.as_ref(), &result) {
                    return Ok(Reply::Tool(ToolResult::error(text)));
                }
                if let Some(faults) = misfit(item.output.as_ref(), &result) {
                    let text = format!("The result of `{name}` does not fit its output schema:{faults}");
                    return Ok(Reply::Tool(ToolResult::error(core.shown(text))));
                }
                let is_wrapped = item.output.as_ref().is_some_and(|output| !output.is_object());
                Ok(Reply::Tool(ToolResult { is_wrapped, ..result }))
            }
            Err(Failure::Message(text)) => Ok(Reply::Tool(ToolResult::error(core.shown(text)))),
            Err(Failure::Said(text)) => Ok(Reply::Tool(ToolResult::error(text))),
            Err(Failure::Refused(faults)) => {
                Ok(Reply::Tool(ToolResult::error(format!("The arguments of `{name}` do not fit:{faults}"))))
            }
            Err(failure @ (Failure::Protocol(_) | Failure::Incapable(_) | Failure::Asks(_))) => Err(failure),
        }
    }
}

/// A result that its schema forbids, because JSON has no such number.
fn lost_number(output: Option<&Output>, result: &ToolResult) -> Option<String> {
    let at = output?.lost_number(result.structured.as_ref()?.get())?;
    let place = if at.is_empty() { "the result".to_owned() } else { format!("`{at}` of the result") };
    Some(format!("{place} is NaN or infinite: JSON has no such number"))
}

/// How a result differs from what its tool has promised; an error has promised nothing.
fn misfit(output: Option<&Output>, result: &ToolResult) -> Option<String> {
    if result.is_error { None } else { output?.misfit(result.structured.as_ref().map(|value| value.get())) }
}

/// `prompts/get`
pub(crate) fn get_prompt(core: &Arc<Core>, ctx: Ctx, params: &Params<'_>) -> Result<Work, ProtocolError> {
    let name = params.require_text("name")?;
    let Some(item) = core.catalog.prompts.get(&name) else {
        return Err(unknown("prompt", &name, &core.catalog.prompts.now()));
    };
    let sent = Sent::Text(texts(params)?);
    let pace = Arc::clone(&item.common.pace);
    Ok(Work::of_handler(core, ctx, PromptCall { item, sent }, &name, pace))
}

struct PromptCall {
    item: Arc<PromptItem>,
    sent: Sent,
}

impl HandlerCall for PromptCall {
    fn kind(&self) -> CallKind {
        CallKind::Prompt
    }

    async fn run(self, _: &Core, ctx: &Ctx) -> Result<Reply, Failure> {
        let about = &self.item.common.about;
        let mut messages = call(&self.item.common, ctx, self.sent).await?;
        if messages.description.is_none() && !about.description.is_empty() {
            messages.description = Some(about.description.to_string());
        }
        Ok(Reply::Prompt(messages))
    }
}

/// The arguments of a prompt: strings by the protocol, but some clients send the number itself.
fn texts(params: &Params<'_>) -> Result<Vec<(String, String)>, ProtocolError> {
    let mut texts = Vec::new();
    let Some(arguments) = params.raw_object("arguments")? else { return Ok(texts) };
    let read = Scan::new(arguments.get()).object(|name, scan| {
        match serde_json::from_str(scan.value()?.get()) {
            Ok(Value::Null) => {}
            Ok(Value::String(text)) => texts.push((name.into_owned(), text)),
            Ok(scalar @ (Value::Bool(_) | Value::Number(_))) => texts.push((name.into_owned(), scalar.to_string())),
            _ => return Err(Broken),
        }
        Ok(())
    });
    read.map(|()| texts).map_err(|Broken| {
        ProtocolError::invalid_params("`params.arguments` does not fit: the arguments of a prompt are strings")
    })
}

/// `resources/read`
pub(crate) fn read_resource(
    core: &Arc<Core>,
    era: &'static Era,
    ctx: Ctx,
    params: &Params<'_>,
) -> Result<Work, ProtocolError> {
    let uri = params.require_text("uri")?;
    let (item, variables) = match core.catalog.find_resource(&uri) {
        Found::Resource(item, variables) => (item, variables),
        Found::Refused(refusal) => {
            let error = ProtocolError::invalid_params(format!("Resource refused: {refusal}"));
            return Err(error.with_data(serde_json::json!({"uri": uri})));
        }
        Found::Nothing => return Err((era.resource_not_found)(&uri)),
    };
    let pace = Arc::clone(&item.common.pace);
    let call = ResourceCall { era, item, variables, uri: uri.clone().into_owned() };
    Ok(Work::of_handler(core, ctx, call, &uri, pace))
}

struct ResourceCall {
    era: &'static Era,
    item: Arc<ResourceItem>,
    variables: Vec<(String, String)>,
    uri: String,
}

impl HandlerCall for ResourceCall {
    fn kind(&self) -> CallKind {
        CallKind::Resource
    }

    async fn run(self, _: &Core, ctx: &Ctx) -> Result<Reply, Failure> {
        let Self { era, item, variables, uri } = self;
        let contents = match call(&item.common, ctx, Sent::Text(variables)).await {
            Ok(Some(contents)) => contents,
            Ok(None) => return Err(Failure::Protocol((era.resource_not_found)(&uri))),
            Err(Failure::Refused(faults)) => {
                let error = ProtocolError::invalid_params(format!("The URI does not fit:{faults}"));
                return Err(Failure::Protocol(error.with_data(serde_json::json!({"uri": uri}))));
            }
            Err(failure) => return Err(failure),
        };
        let cache = item.resource.cache.unwrap_or_default();
        Ok(Reply::Resource { contents: completed(contents, &item, &uri), cache })
    }
}

/// Contents with the URI that was read and the resource's media type, where they say none.
fn completed(mut contents: Vec<ResourceContents>, item: &ResourceItem, uri: &str) -> Vec<ResourceContents> {
    for contents in &mut contents {
        contents.uri.get_or_insert_with(|| uri.to_owned());
        if contents.mime_type.is_none() {
            contents.mime_type.clone_from(&item.resource.mime);
        }
    }
    contents
}

/// A method of the author's own.
pub(crate) fn extension(core: &Arc<Core>, ctx: Ctx, method: &str, params: &Params<'_>) -> Option<Work> {
    let function = Arc::clone(core.methods.get(method)?);
    let mut members = Map::new();
    for (name, raw) in params.iter() {
        if let Ok(value) = serde_json::from_str(raw.get()) {
            members.insert(name.to_owned(), value);
        }
    }
    let (core, call, pace) = (Arc::clone(core), Arc::clone(&ctx.call), Arc::clone(&core.extending));
    Some(Work::new(call, pace, async move {
        function(ctx, members).await.map(Reply::Object).map_err(|failure| error(&core, failure))
    }))
}
