//! What clients can do, the same in both eras: list, call, read, get, complete.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::sync::Arc;

use bytes::Bytes;
use serde::Deserialize;
use serde_json::value::RawValue;
use serde_json::{Map, Value};

use super::ask::send_away;
use super::call::{Sent, call};
use super::core::Core;
use super::exchange::Era;
use super::hook::{CallInfo, CallKind, Next};
use super::reply::{Candidates, Reply};
use crate::handler::call::BoxFuture;
use crate::handler::completion::CompletionContext;
use crate::handler::ctx::{CallState, Ctx};
use crate::handler::error::Failure;
use crate::handler::tool_result::ToolResult;
use crate::protocol::features::Features;
use crate::protocol::params::Params;
use crate::protocol::render::For;
use crate::protocol::scalar::Text;
use crate::protocol::{ErrorCode, ProtocolError, write};
use crate::registry::catalog::{self, Found, List, Snapshot, write_cursor};
use crate::registry::cursor;
use crate::registry::define::Resource;
use crate::registry::item::{Common, Completer, Entry, Item, ResourceItem};
use crate::registry::list::Listed;
use crate::schema::{Output, nearest};

/// The work on one request, owned.
pub(crate) type Work = BoxFuture<'static, Result<Reply, ProtocolError>>;

/// A slice of the message that `raw` was read from, or a copy where it is not one.
fn slice(message: &Bytes, raw: Option<&RawValue>) -> Bytes {
    let Some(raw) = raw else { return Bytes::new() };
    let text = raw.get().as_bytes();
    let inside = message.as_ptr_range().contains(&text.as_ptr());
    if inside { message.slice_ref(text) } else { Bytes::copy_from_slice(text) }
}

/// There is no item of this name; perhaps there is one that is nearly named so.
fn unknown<T: Item>(kind: &str, name: &str, offered: &Snapshot<T>) -> ProtocolError {
    let near = nearest(name, offered.items().map(|item| item.name()));
    let near = near.map(|near| format!(", did you mean `{near}`?")).unwrap_or_default();
    ProtocolError::invalid_params(format!("Unknown {kind}: {name}{near}"))
}

fn is_null(raw: &RawValue) -> bool {
    raw.get() == "null"
}

/// Notes whose handler is called: a transport may run one that blocks elsewhere.
fn pace<R>(ctx: &Ctx, common: &Common<R>) {
    // A context has one call.
    drop(ctx.call.pace.set(Arc::clone(&common.pace)));
}

/// `tools/call`
pub(crate) fn call_tool(
    core: &Arc<Core>,
    ctx: Ctx,
    params: &Params<'_>,
    message: &Bytes,
) -> Result<Work, ProtocolError> {
    let Text(name) = params.require("name")?;
    let Some(item) = core.catalog.tools.now().get(&name).cloned() else {
        return Err(unknown("tool", &name, &core.catalog.tools.now()));
    };
    let raw = params.raw("arguments").filter(|raw| !is_null(raw));
    if raw.is_some_and(|raw| !raw.get().starts_with('{')) {
        return Err(ProtocolError::invalid_params("`params.arguments` must be an object"));
    }
    let sent = Sent::Json(slice(message, raw));
    pace(&ctx, &item.common);
    let hooked = Arc::clone(core);
    let work = {
        let (core, ctx) = (Arc::clone(core), ctx.clone());
        async move {
            let name = &item.common.about.name;
            let permit = match item.gate.enter(name, &ctx.call) {
                Ok(permit) => permit,
                Err(busy) => return Ok(Reply::Tool(ToolResult::error(busy))),
            };
            let made = call(&item.common, &ctx, sent).await;
            drop(permit);
            match made {
                Ok(result) => {
                    if let Some(at) = lost_number(item.output.as_ref(), &result) {
                        return Ok(Reply::Tool(ToolResult::error(at)));
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
    };
    Ok(surround(&hooked, ctx, CallKind::Tool, &name, work))
}

/// A result that its schema forbids, because JSON has no such number.
fn lost_number(output: Option<&Output>, result: &ToolResult) -> Option<String> {
    let at = output?.lost_number(result.structured.as_ref()?.get())?;
    let place = if at.is_empty() { "the result".to_owned() } else { format!("`{at}` of the result") };
    Some(format!("{place} is NaN or infinite: JSON has no such number"))
}

/// Runs the work inside the author's hook, if there is one.
fn surround(
    core: &Arc<Core>,
    ctx: Ctx,
    kind: CallKind,
    name: &str,
    work: impl Future<Output = Result<Reply, Failure>> + Send + 'static,
) -> Work {
    let (shown, asked) = (Arc::clone(core), Arc::clone(&ctx.call));
    let finish = move |made: Result<Reply, Failure>| made.or_else(|failure| refused(&shown, &asked, failure));
    match &core.around {
        None => Box::pin(async move { finish(work.await) }),
        Some(around) => {
            let call = CallInfo { kind, name: name.to_owned(), ctx };
            let (around, next) = (Arc::clone(around), Next::new(work));
            // Called when it is polled: the hook is an author's code, which may block and panic.
            Box::pin(async move { finish(around(call, next).await.0) })
        }
    }
}

/// What a client is answered when there is no result.
pub(crate) fn refused(core: &Core, call: &CallState, failure: Failure) -> Result<Reply, ProtocolError> {
    match failure {
        Failure::Incapable(error) => Ok(Reply::Incapable(error)),
        Failure::Asks(round) => send_away(core, call, *round),
        failure => Err(error(core, failure)),
    }
}

/// The error of a failure that no client is asked about.
fn error(core: &Core, failure: Failure) -> ProtocolError {
    match failure {
        Failure::Protocol(error) | Failure::Incapable(error) => error,
        Failure::Message(text) => ProtocolError::internal(core.shown(text)),
        Failure::Refused(faults) => ProtocolError::invalid_params(format!("The arguments do not fit:{faults}")),
        Failure::Said(text) => ProtocolError::internal(text),
        Failure::Asks(_) => ProtocolError::internal("Internal error: there is nobody to ask"),
    }
}

/// `prompts/get`
pub(crate) fn get_prompt(core: &Arc<Core>, ctx: Ctx, params: &Params<'_>) -> Result<Work, ProtocolError> {
    let Text(name) = params.require("name")?;
    let Some(item) = core.catalog.prompts.now().get(&name).cloned() else {
        return Err(unknown("prompt", &name, &core.catalog.prompts.now()));
    };
    pace(&ctx, &item.common);
    let texts: BTreeMap<String, Argument> = params.get("arguments")?.unwrap_or_default();
    let sent = Sent::Text(texts.into_iter().filter_map(|(name, argument)| Some((name, argument.0?))).collect());
    let work = {
        let ctx = ctx.clone();
        async move {
            let mut messages = call(&item.common, &ctx, sent).await?;
            if messages.description.is_none() && !item.common.about.description.is_empty() {
                messages.description = Some(item.common.about.description.to_string());
            }
            Ok(Reply::Prompt(messages))
        }
    };
    Ok(surround(core, ctx, CallKind::Prompt, &name, work))
}

/// A prompt's argument: a string by the protocol, but some clients send the number itself.
struct Argument(Option<String>);

impl<'de> Deserialize<'de> for Argument {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        match Value::deserialize(deserializer)? {
            Value::Null => Ok(Self(None)),
            Value::String(text) => Ok(Self(Some(text))),
            scalar @ (Value::Bool(_) | Value::Number(_)) => Ok(Self(Some(scalar.to_string()))),
            _ => Err(serde::de::Error::custom("the arguments of a prompt are strings")),
        }
    }
}

/// `resources/read`
pub(crate) fn read_resource(
    core: &Arc<Core>,
    era: &'static Era,
    ctx: Ctx,
    params: &Params<'_>,
) -> Result<Work, ProtocolError> {
    let Text(uri) = params.require("uri")?;
    let (item, variables) = match core.catalog.find_resource(&uri) {
        Found::Resource(item, variables) => (item, variables),
        Found::Refused(refusal) => {
            let error = ProtocolError::invalid_params(format!("Resource refused: {refusal}"));
            return Err(error.with_data(serde_json::json!({"uri": uri})));
        }
        Found::Nothing => return Err((era.resource_not_found)(&uri)),
    };
    pace(&ctx, &item.common);
    let work = {
        let (ctx, uri) = (ctx.clone(), uri.clone().into_owned());
        async move {
            let made = call(&item.common, &ctx, Sent::Text(variables)).await;
            let contents = match made {
                Ok(Some(contents)) => contents,
                Ok(None) => return Err(Failure::Protocol((era.resource_not_found)(&uri))),
                Err(Failure::Refused(faults)) => {
                    let error = ProtocolError::invalid_params(format!("The URI does not fit:{faults}"));
                    return Err(Failure::Protocol(error.with_data(serde_json::json!({"uri": uri}))));
                }
                Err(failure) => return Err(failure),
            };
            Ok(Reply::Resource {
                contents: completed(contents, &item, &uri),
                cache: item.resource.cache.unwrap_or_default(),
            })
        }
    };
    Ok(surround(core, ctx, CallKind::Resource, &uri, work))
}

/// Contents with the URI that was read and the resource's media type, where they say none.
fn completed(
    mut contents: Vec<crate::protocol::ResourceContents>,
    item: &ResourceItem,
    uri: &str,
) -> Vec<crate::protocol::ResourceContents> {
    for contents in &mut contents {
        contents.uri.get_or_insert_with(|| uri.to_owned());
        if contents.mime_type.is_none() {
            contents.mime_type.clone_from(&item.resource.mime);
        }
    }
    contents
}

/// The cursor in the request, as the key after which its page begins.
fn after(list: List, params: &Params<'_>) -> Result<Option<String>, ProtocolError> {
    let Some(Text(text)) = params.get("cursor")? else { return Ok(None) };
    let key = cursor::read(list.member, &text);
    key.map(Some).ok_or_else(|| {
        ProtocolError::invalid_params("`params.cursor` was not made by this list: start again without one")
    })
}

/// `tools/list`, `prompts/list`, `resources/templates/list`
pub(crate) fn list(
    core: &Core,
    list: List,
    features: &'static Features,
    params: &Params<'_>,
) -> Result<Reply, ProtocolError> {
    let after = after(list, params)?;
    let (after, size) = (after.as_deref(), core.options.page_size);
    let members = match list {
        catalog::TOOLS => core.catalog.tools.now().page(list, after, size, features),
        catalog::PROMPTS => core.catalog.prompts.now().page(list, after, size, features),
        _ => core.catalog.templates.now().page(list, after, size, features),
    };
    Ok(Reply::Page { members, cache: core.options.list_cache })
}

/// `resources/list`: what is direct, merged by URI with what templates enumerate now.
pub(crate) fn list_resources(core: &Arc<Core>, ctx: Ctx, params: &Params<'_>) -> Result<Work, ProtocolError> {
    let after = after(catalog::RESOURCES, params)?;
    let core = Arc::clone(core);
    Ok(Box::pin(async move {
        let (features, size) = (ctx.call.features, core.options.page_size);
        let cache = core.options.list_cache;
        let templates = core.catalog.templates.now();
        if !templates.items().any(|item| item.list.is_some()) {
            let members = core.catalog.resources.now().page(catalog::RESOURCES, after.as_deref(), size, features);
            return Ok(Reply::Page { members, cache });
        }
        let mut entries: BTreeMap<String, Vec<u8>> = BTreeMap::new();
        for item in templates.items() {
            let Some(list) = item.list else { continue };
            let listed = list(&ctx).await.map_err(|failure| error(&core, failure))?;
            for one in listed {
                let resource = concrete(item, one)?;
                let mut json = Vec::new();
                write::json(&mut json, &For(&resource, features));
                entries.insert(resource.uri, json);
            }
        }
        for item in core.catalog.resources.now().items() {
            let mut json = Vec::new();
            write::json(&mut json, &Entry(&**item, features));
            entries.insert(item.resource.uri.clone(), json);
        }
        let mut members = Vec::new();
        write_merged(&mut members, &entries, after.as_deref(), size);
        Ok(Reply::Page { members: members.into(), cache })
    }))
}

fn write_merged(out: &mut Vec<u8>, entries: &BTreeMap<String, Vec<u8>>, after: Option<&str>, size: usize) {
    let mut rest = entries.iter().skip_while(|(uri, _)| after.is_some_and(|after| uri.as_str() <= after)).peekable();
    out.extend_from_slice(b"\"resources\":[");
    let mut last = None;
    for (index, (uri, json)) in rest.by_ref().take(size).enumerate() {
        if index > 0 {
            out.push(b',');
        }
        out.extend_from_slice(json);
        last = Some(uri);
    }
    out.push(b']');
    if let (Some(last), Some(_)) = (last, rest.peek()) {
        write_cursor(out, catalog::RESOURCES, last);
    }
}

/// An enumerated resource, completed from its template.
fn concrete(item: &ResourceItem, listed: Listed) -> Result<Resource, ProtocolError> {
    let variables = match listed {
        Listed::Resource(resource) => return Ok(*resource),
        Listed::Variables(variables) => variables,
    };
    let scalar = |value: Value| match value {
        Value::Null => None,
        Value::String(text) => Some(text),
        other => Some(other.to_string()),
    };
    let names = item.template.variables().map(|variable| variable.name().to_owned());
    let values: Vec<(String, String)> = match variables {
        Value::Object(map) => map.into_iter().filter_map(|(name, value)| Some((name, scalar(value)?))).collect(),
        Value::Array(values) => names.zip(values).filter_map(|(name, value)| Some((name, scalar(value)?))).collect(),
        single => names.zip(scalar(single)).collect(),
    };
    let uri = item.template.expand(values.iter().map(|(name, value)| (name.as_str(), value.as_str())));
    let uri = uri
        .map_err(|error| ProtocolError::internal(format!("`{}` cannot be listed: {error}", item.common.about.name)))?;
    let name = match values.as_slice() {
        [] => item.common.about.name.clone(),
        values => Cow::Owned(values.iter().map(|(_, value)| value.as_str()).collect::<Vec<_>>().join(" ")),
    };
    let mut resource = Resource::new(uri, name);
    resource.about.description.clone_from(&item.common.about.description);
    resource.about.icons.clone_from(&item.common.about.icons);
    resource.mime.clone_from(&item.resource.mime);
    resource.annotations.clone_from(&item.resource.annotations);
    Ok(resource)
}

#[derive(Deserialize)]
struct Reference<'a> {
    #[serde(borrow, rename = "type")]
    kind: Cow<'a, str>,
    #[serde(borrow, default)]
    name: Option<Cow<'a, str>>,
    #[serde(borrow, default)]
    uri: Option<Cow<'a, str>>,
}

#[derive(Deserialize)]
struct Partial {
    name: String,
    value: String,
}

#[derive(Default, Deserialize)]
struct Filled {
    #[serde(default)]
    arguments: Map<String, Value>,
}

/// `completion/complete`
pub(crate) fn complete(core: &Arc<Core>, params: &Params<'_>) -> Result<Work, ProtocolError> {
    let reference: Reference<'_> = params.require_object("ref")?;
    let partial: Partial = params.require_object("argument")?;
    let filled: Filled = params.object("context")?.unwrap_or_default();
    let source = match (&*reference.kind, &reference.name, &reference.uri) {
        ("ref/prompt", Some(name), _) => {
            let item = core.catalog.prompts.now().get(name).cloned();
            Completed::Prompt(item.ok_or_else(|| unknown("prompt", name, &core.catalog.prompts.now()))?)
        }
        ("ref/resource", _, Some(uri)) => {
            let item = core.catalog.templates.now().get(uri).cloned();
            let item = item.or_else(|| match core.catalog.find_resource(uri) {
                Found::Resource(item, _) => Some(item),
                _ => None,
            });
            Completed::Resource(item.ok_or_else(|| {
                ProtocolError::new(ErrorCode::INVALID_PARAMS, format!("Unknown resource template: {uri}"))
            })?)
        }
        _ => {
            return Err(ProtocolError::invalid_params(
                "`params.ref` must be a `ref/prompt` with a `name` or a `ref/resource` with a `uri`",
            ));
        }
    };
    if !source.has_argument(&partial.name) {
        return Err(ProtocolError::invalid_params(format!("Unknown argument: {}", partial.name)));
    }
    let context = CompletionContext { arguments: filled.arguments, host: Arc::clone(core) as _ };
    let core = Arc::clone(core);
    Ok(Box::pin(async move {
        let values = match source.completer(&partial.name) {
            None => Vec::new(),
            Some(Completer::Closed(values)) => starting_with(values, &partial.value),
            Some(Completer::Function(function)) => {
                function(&partial.value, &context).await.map_err(|failure| error(&core, failure))?
            }
        };
        Ok(Reply::Completion(Candidates::new(values)))
    }))
}

enum Completed {
    Prompt(Arc<crate::registry::item::PromptItem>),
    Resource(Arc<ResourceItem>),
}

impl Completed {
    fn completer(&self, argument: &str) -> Option<&Completer> {
        match self {
            Self::Prompt(item) => item.common.completer(argument),
            Self::Resource(item) => item.common.completer(argument),
        }
    }

    fn has_argument(&self, argument: &str) -> bool {
        match self {
            Self::Prompt(item) => item.common.has_argument(argument),
            Self::Resource(item) => item.common.has_argument(argument),
        }
    }
}

fn starting_with(values: &[String], partial: &str) -> Vec<String> {
    let partial = partial.to_lowercase();
    values.iter().filter(|value| value.to_lowercase().starts_with(&partial)).cloned().collect()
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
    let core = Arc::clone(core);
    Some(Box::pin(
        async move { function(ctx, members).await.map(Reply::Object).map_err(|failure| error(&core, failure)) },
    ))
}
