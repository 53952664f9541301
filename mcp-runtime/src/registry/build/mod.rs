//! From entries to items: schemas built once, everything checked, all problems collected.
//!
//! What a handler's parameters need is in `inputs`, the HTTP headers that repeat them in `headers`, what is defined at run
//! time in `defined`. The rest are checks: of what runs code of the author (`author`), of names, states and templates.

mod author;
mod defined;
mod headers;
mod inputs;
mod names;
mod states;
mod templates;

use std::borrow::Cow;
use std::fmt;
use std::sync::Arc;

use self::inputs::completers;
pub(crate) use self::names::Prefix;
pub(crate) use self::states::{Given, twice};
pub(crate) use self::templates::same_templates;
use super::define::{About, PromptArgument, Resource};
use super::entry::{Handler, Location, PromptEntry, ResourceEntry, ToolEntry};
use super::gate::Gate;
use super::item::{Common, PromptItem, ResourceItem, Run, ToolItem};
use super::problem::Problem;
use crate::handler::arguments::Reading;
use crate::protocol::Annotations;
use crate::schema::{Output, SchemaError, SchemaProfile};
use crate::sorted::Sorted;

/// How items are made, the same for all.
pub(crate) struct Builder<'b> {
    pub(crate) profile: SchemaProfile,
    pub(crate) reading: Reading,
    pub(crate) states: &'b [Given],
    /// By crate: what goes in front of its names.
    pub(crate) prefixes: &'b Sorted<String, Prefix>,
    pub(crate) problems: Vec<Problem>,
    missing_states: Sorted<&'static str, Vec<(String, Location)>>,
    /// By crate: the tools whose names its prefix makes too long, with that length.
    bad_prefixes: Sorted<&'static str, Vec<(usize, Location)>>,
}

/// Whom a problem is of. Put into words for a problem only: most starts have none.
#[derive(Clone, Copy)]
struct Who<'a> {
    kind: &'a str,
    name: &'a str,
}

impl fmt::Display for Who<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} `{}`", self.kind, self.name)
    }
}

/// What a handler's arguments are made of.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Source {
    Json,
    Text,
}

impl<'b> Builder<'b> {
    pub(crate) fn new(
        profile: SchemaProfile,
        reading: Reading,
        states: &'b [Given],
        prefixes: &'b Sorted<String, Prefix>,
    ) -> Self {
        Self {
            profile,
            reading,
            states,
            prefixes,
            problems: Vec::new(),
            missing_states: Sorted::default(),
            bad_prefixes: Sorted::default(),
        }
    }

    /// The problems, after the last item.
    pub(crate) fn finish(mut self) -> Vec<Problem> {
        self.check_prefixes();
        for (state, wanted_by) in self.missing_states {
            self.problems.push(states::missing(state, wanted_by, self.states));
        }
        self.problems
    }

    fn common<R>(&mut self, kind: &str, handler: &'static Handler, source: Source, run: Run<R>) -> Common<R> {
        let about = self.about(kind, handler);
        let inputs = self.inputs(Who { kind, name: &about.name }, handler, source);
        let completers = match source {
            // The protocol completes the arguments of prompts and resources only.
            Source::Json => Vec::new(),
            Source::Text => completers(handler.params, &inputs.schema),
        };
        Common { about, at: handler.at, inputs, completers, run, pace: Arc::default() }
    }

    fn output(&mut self, who: Who<'_>, at: Location, made: Result<Output, SchemaError>) -> Option<Output> {
        made.map_err(|error| self.problems.push(Problem::from_text(who, &error.to_string()).at("at", at))).ok()
    }

    pub(crate) fn tool(&mut self, entry: &'static ToolEntry) -> ToolItem {
        let run = Run::Entry { call: entry.call, prepare: entry.handler.prepare };
        let common = self.common("tool", &entry.handler, Source::Json, run);
        let output = entry.output.and_then(|schema| {
            let made = schema.output(self.profile)?;
            self.output(Who { kind: "tool", name: &common.about.name }, common.at, made)
        });
        let who = Who { kind: "tool", name: &common.about.name };
        let headers = self.headers(who, common.at, &common.inputs.schema);
        self.check_hints(who, common.at, entry.hints);
        ToolItem {
            gate: Gate::new(entry.max_concurrency, entry.rate_limit),
            output,
            hints: entry.hints,
            headers,
            common,
        }
    }

    pub(crate) fn prompt(&mut self, entry: &'static PromptEntry) -> PromptItem {
        let run = Run::Entry { call: entry.call, prepare: entry.handler.prepare };
        let common = self.common("prompt", &entry.handler, Source::Text, run);
        let arguments = (entry.handler.params.iter().zip(&common.inputs.params))
            .filter(|(param, _)| param.is_argument())
            .map(|(param, input)| {
                let required = !input.is_optional && input.default.is_none();
                let argument = PromptArgument { name: param.name.into(), description: param.doc.into(), required };
                (argument, param.title.map(Cow::Borrowed))
            })
            .collect();
        PromptItem { common, arguments }
    }

    pub(crate) fn resource(&mut self, entry: &'static ResourceEntry) -> Option<ResourceItem> {
        let run = Run::Entry { call: entry.call, prepare: entry.handler.prepare };
        let common = self.common("resource", &entry.handler, Source::Text, run);
        let template = self.template(entry.uri, common.at)?;
        let who = Who { kind: "resource", name: &common.about.name };
        self.check_mime(who, common.at, entry.mime);
        self.check_variables(who, &entry.handler, &template, &common.inputs.schema);
        let mut annotations = Annotations::new().audience(entry.audience.iter().copied());
        annotations.priority = entry.priority;
        let resource = Resource {
            about: About::default(),
            uri: entry.uri.to_owned(),
            mime: entry.mime.map(Cow::Borrowed),
            size: entry.size,
            annotations,
            cache: entry.cache,
        };
        Some(ResourceItem { common, template, resource, list: entry.list })
    }
}
