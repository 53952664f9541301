//! The lists: pages of what is offered now.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fmt::Display;
use std::sync::Arc;

use serde_json::Value;

use super::{Work, error};
use crate::handler::ctx::Ctx;
use crate::protocol::features::Features;
use crate::protocol::params::Params;
use crate::protocol::render::For;
use crate::protocol::{ProtocolError, write};
use crate::registry::catalog::{self, List, write_cursor};
use crate::registry::cursor;
use crate::registry::define::Resource;
use crate::registry::item::{Entry, ResourceItem};
use crate::registry::list::Listed;
use crate::server::core::Core;
use crate::server::reply::Reply;

/// The cursor in the request, as the key after which its page begins.
fn after(list: List, params: &Params<'_>) -> Result<Option<String>, ProtocolError> {
    let Some(text) = params.text("cursor")? else { return Ok(None) };
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
    let (core, call, pace) = (Arc::clone(core), Arc::clone(&ctx.call), Arc::clone(&core.listing));
    Ok(Work::new(call, pace, async move {
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
    let failed =
        |why: &dyn Display| ProtocolError::internal(format!("`{}` cannot be listed: {why}", item.common.about.name));
    let names = item.template.variables().map(|variable| variable.name().to_owned());
    let values: Vec<(String, String)> = match variables {
        // Fewer may do: some variables may be absent.
        Value::Array(values) if values.len() > item.template.variables().count() => {
            let (given, known) = (values.len(), item.template.variables().count());
            return Err(failed(&format_args!("`list` gives {given} values, and the template has room for {known}")));
        }
        Value::Object(map) => map.into_iter().filter_map(|(name, value)| Some((name, scalar(value)?))).collect(),
        Value::Array(values) => names.zip(values).filter_map(|(name, value)| Some((name, scalar(value)?))).collect(),
        single => names.zip(scalar(single)).collect(),
    };
    let uri = item.template.expand(values.iter().map(|(name, value)| (name.as_str(), value.as_str())));
    let uri = uri.map_err(|error| failed(&error))?;
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
