//! What the catalog holds: one tool, resource or prompt, from an entry or a definition alike.

use std::borrow::Cow;
use std::sync::Arc;

use serde::ser::SerializeMap;
use serde::{Serialize, Serializer};
use serde_json::value::RawValue;

use super::define::{About, DynHandler, PromptArgument, Resource};
use super::entry::{CallFn, Hints, Location};
use super::gate::Gate;
use super::list::ListFn;
use crate::handler::arguments::Inputs;
use crate::handler::pace::Pace;
use crate::handler::param_info::CompleteFn;
use crate::handler::prepare::Prepare;
use crate::handler::prompt::Messages;
use crate::handler::tool_result::ToolResult;
use crate::protocol::ResourceContents;
use crate::protocol::features::{Features, Structured};
use crate::protocol::render::{For, annotation_member, entry_if, icons_member, meta_member};
use crate::schema::Output;
use crate::uri_template::Template;

/// How an item is called.
pub(crate) enum Run<R: 'static> {
    /// An annotated function.
    Entry { call: CallFn<R>, prepare: &'static [Option<Prepare>] },
    /// A closure that was added while the program runs.
    Dynamic(DynHandler<R>),
}

/// Where candidates for an argument come from.
pub(crate) enum Completer {
    Function(CompleteFn),
    /// The type has so many values and no more.
    Closed(Vec<String>),
}

/// What all items have.
pub(crate) struct Common<R: 'static> {
    pub(crate) about: About,
    /// Where an annotated function stands.
    pub(crate) at: Option<Location>,
    pub(crate) inputs: Inputs,
    pub(crate) completers: Vec<(Cow<'static, str>, Completer)>,
    pub(crate) run: Run<R>,
    pub(crate) pace: Arc<Pace>,
}

impl<R> Common<R> {
    /// Where the candidates for an argument come from; `None` when it is open.
    pub(crate) fn completer(&self, argument: &str) -> Option<&Completer> {
        self.completers.iter().find(|(name, _)| name == argument).map(|(_, completer)| completer)
    }

    /// Whether the client can send an argument of this name.
    pub(crate) fn has_argument(&self, name: &str) -> bool {
        self.inputs.has_argument(name)
    }
}

/// An item, and whether it is enabled.
pub(crate) type Offered<T> = (Arc<T>, bool);

/// A thing with a place in a list.
pub(crate) trait Item: Send + Sync + 'static {
    /// What it is sorted and found by.
    fn key(&self) -> &str;

    /// Its name, which for resources is not the key.
    fn name(&self) -> &str;

    /// Where it stands in the source.
    fn at(&self) -> Option<Location>;

    /// Its entry in a list, for a peer with these features.
    fn write<M: SerializeMap>(&self, map: &mut M, features: &'static Features) -> Result<(), M::Error>;
}

/// An item's entry in a list.
pub(crate) struct Entry<'a, T>(pub(crate) &'a T, pub(crate) &'static Features);

impl<T: Item> Serialize for Entry<'_, T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        self.0.write(&mut map, self.1)?;
        map.end()
    }
}

fn write_about<M: SerializeMap>(map: &mut M, about: &About, features: &'static Features) -> Result<(), M::Error> {
    entry_if(map, "title", about.title.as_ref().filter(|_| features.titles))?;
    entry_if(map, "description", (!about.description.is_empty()).then_some(&about.description))?;
    icons_member(map, &about.icons, features)
}

/// A tool.
pub(crate) struct ToolItem {
    pub(crate) common: Common<ToolResult>,
    pub(crate) output: Option<Output>,
    pub(crate) hints: Hints,
    pub(crate) gate: Gate,
    /// The HTTP headers that repeat arguments: header name, and the argument's path.
    #[cfg_attr(not(feature = "http"), expect(dead_code, reason = "only HTTP has headers"))]
    pub(crate) headers: Vec<(String, Vec<String>)>,
}

/// The output schema for a peer with these features.
fn output_schema<'a>(output: &'a Output, features: &Features) -> Option<&'a RawValue> {
    match features.structured {
        Structured::Never => None,
        Structured::Object => Some(output.wire_object()),
        Structured::Any => Some(output.wire()),
    }
}

impl Item for ToolItem {
    fn key(&self) -> &str {
        &self.common.about.name
    }

    fn name(&self) -> &str {
        &self.common.about.name
    }

    fn at(&self) -> Option<Location> {
        self.common.at
    }

    fn write<M: SerializeMap>(&self, map: &mut M, features: &'static Features) -> Result<(), M::Error> {
        map.serialize_entry("name", self.name())?;
        write_about(map, &self.common.about, features)?;
        map.serialize_entry("inputSchema", self.common.inputs.schema.wire())?;
        entry_if(map, "outputSchema", self.output.as_ref().and_then(|output| output_schema(output, features)))?;
        if features.tool_annotations && self.hints != Hints::default() {
            map.serialize_entry("annotations", &HintsEntry(self.hints))?;
        }
        meta_member(map, &self.common.about.meta, features)
    }
}

struct HintsEntry(Hints);

impl Serialize for HintsEntry {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        entry_if(&mut map, "readOnlyHint", self.0.read_only)?;
        entry_if(&mut map, "destructiveHint", self.0.destructive)?;
        entry_if(&mut map, "idempotentHint", self.0.idempotent)?;
        entry_if(&mut map, "openWorldHint", self.0.open_world)?;
        map.end()
    }
}

/// A prompt.
pub(crate) struct PromptItem {
    pub(crate) common: Common<Messages>,
    pub(crate) arguments: Vec<(PromptArgument, Option<Cow<'static, str>>)>,
}

impl Item for PromptItem {
    fn key(&self) -> &str {
        &self.common.about.name
    }

    fn name(&self) -> &str {
        &self.common.about.name
    }

    fn at(&self) -> Option<Location> {
        self.common.at
    }

    fn write<M: SerializeMap>(&self, map: &mut M, features: &'static Features) -> Result<(), M::Error> {
        map.serialize_entry("name", self.name())?;
        write_about(map, &self.common.about, features)?;
        if !self.arguments.is_empty() {
            let arguments: Vec<_> = self
                .arguments
                .iter()
                .map(|(argument, title)| ArgumentEntry(argument, title.as_deref(), features))
                .collect();
            map.serialize_entry("arguments", &arguments)?;
        }
        meta_member(map, &self.common.about.meta, features)
    }
}

struct ArgumentEntry<'a>(&'a PromptArgument, Option<&'a str>, &'static Features);

impl Serialize for ArgumentEntry<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("name", &self.0.name)?;
        entry_if(&mut map, "title", self.1.filter(|_| self.2.titles))?;
        entry_if(&mut map, "description", (!self.0.description.is_empty()).then_some(&self.0.description))?;
        map.serialize_entry("required", &self.0.required)?;
        map.end()
    }
}

/// A resource or a template of resources.
pub(crate) struct ResourceItem {
    pub(crate) common: Common<Option<Vec<ResourceContents>>>,
    pub(crate) template: Template,
    /// All but what `common` says.
    pub(crate) resource: Resource,
    pub(crate) list: Option<ListFn>,
}

impl ResourceItem {
    /// Whether the URI has no variables.
    pub(crate) fn is_direct(&self) -> bool {
        self.template.is_direct()
    }
}

/// Writes a resource's members; `uri_key` is `uri` or `uriTemplate`.
pub(crate) fn write_resource<M: SerializeMap>(
    map: &mut M,
    uri_key: &str,
    resource: &Resource,
    about: &About,
    features: &'static Features,
) -> Result<(), M::Error> {
    map.serialize_entry(uri_key, &resource.uri)?;
    map.serialize_entry("name", &about.name)?;
    write_about(map, about, features)?;
    entry_if(map, "mimeType", resource.mime.as_ref())?;
    // Templates have no size: each of their resources has its own.
    entry_if(map, "size", resource.size.filter(|_| uri_key == "uri"))?;
    annotation_member(map, &resource.annotations, features)?;
    meta_member(map, &about.meta, features)
}

impl Item for ResourceItem {
    fn key(&self) -> &str {
        &self.resource.uri
    }

    fn name(&self) -> &str {
        &self.common.about.name
    }

    fn at(&self) -> Option<Location> {
        self.common.at
    }

    fn write<M: SerializeMap>(&self, map: &mut M, features: &'static Features) -> Result<(), M::Error> {
        let uri_key = if self.is_direct() { "uri" } else { "uriTemplate" };
        write_resource(map, uri_key, &self.resource, &self.common.about, features)
    }
}

impl Serialize for For<'_, Resource> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        write_resource(&mut map, "uri", self.0, &self.0.about, self.1)?;
        map.end()
    }
}
