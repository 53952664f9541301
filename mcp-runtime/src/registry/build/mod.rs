//! From entries to items: schemas built once, everything checked, all problems collected.
//!
//! What a handler's parameters need is in `inputs`, the HTTP headers that repeat them in `headers`, what is defined at run
//! time in `defined`.

mod defined;
mod headers;
mod inputs;

use std::any::TypeId;
use std::borrow::Cow;
use std::cmp::Ordering;
use std::fmt;
use std::sync::Arc;

use serde_json::{Map, Value};

use self::inputs::completers;
use super::define::{About, PromptArgument, Resource};
use super::entry::{Handler, Location, PromptEntry, ResourceEntry, ToolEntry};
use super::gate::Gate;
use super::item::{Common, Item, Offered, PromptItem, ResourceItem, Run, ToolItem};
use super::problem::Problem;
use crate::handler::arguments::Reading;
use crate::protocol::Annotations;
use crate::schema::{Output, SchemaError, SchemaProfile};
use crate::sorted::Sorted;
use crate::uri_template::{Template, ambiguous};

/// How items are made, the same for all.
pub(crate) struct Builder<'b> {
    pub(crate) profile: SchemaProfile,
    pub(crate) reading: Reading,
    pub(crate) has_state: &'b dyn Fn(TypeId) -> bool,
    /// By crate: what goes in front of its names.
    pub(crate) prefixes: &'b Sorted<String, String>,
    pub(crate) problems: Vec<Problem>,
    missing_states: Sorted<&'static str, Vec<(String, Location)>>,
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
        has_state: &'b dyn Fn(TypeId) -> bool,
        prefixes: &'b Sorted<String, String>,
    ) -> Self {
        Self { profile, reading, has_state, prefixes, problems: Vec::new(), missing_states: Sorted::default() }
    }

    /// The problems, after the last item.
    pub(crate) fn finish(mut self) -> Vec<Problem> {
        for (state, wanted_by) in self.missing_states {
            let mut problem = Problem::new(
                format!("no state of type `{state}` was given to the server"),
                "add `.state(…)` to the server in `main`",
            );
            for (who, at) in wanted_by {
                problem = problem.at(&format!("wanted by {who}"), Some(at));
            }
            self.problems.push(problem);
        }
        self.problems
    }

    fn about(&self, handler: &Handler) -> About {
        let prefix = self.prefixes.get(handler.at.crate_name()).map_or("", String::as_str);
        let meta = match handler.meta.map(|make| make()) {
            Some(Value::Object(meta)) => meta,
            _ => Map::new(),
        };
        About {
            name: if prefix.is_empty() { handler.name.into() } else { format!("{prefix}{}", handler.name).into() },
            title: handler.title.map(Cow::Borrowed),
            // A file that is included ends in a line break.
            description: handler.description.trim().into(),
            icons: handler.icon.map(|make| make()).into_iter().collect(),
            meta,
            timeout: handler.timeout,
        }
    }

    fn common<R>(&mut self, kind: &str, handler: &'static Handler, source: Source, run: Run<R>) -> Common<R> {
        let about = self.about(handler);
        let inputs = self.inputs(Who { kind, name: &about.name }, handler, source);
        let completers = match source {
            // The protocol completes the arguments of prompts and resources only.
            Source::Json => Vec::new(),
            Source::Text => completers(handler.params, &inputs.schema),
        };
        Common { about, at: Some(handler.at), inputs, completers, run, pace: Arc::default() }
    }

    fn output(&mut self, who: Who<'_>, at: Option<Location>, made: Result<Output, SchemaError>) -> Option<Output> {
        made.map_err(|error| self.problems.push(Problem::new(format!("{who}: {error}"), "").at("at", at))).ok()
    }

    pub(crate) fn tool(&mut self, entry: &'static ToolEntry) -> ToolItem {
        let run = Run::Entry { call: entry.call, prepare: entry.handler.prepare };
        let common = self.common("tool", &entry.handler, Source::Json, run);
        let output = entry.output.and_then(|schema| {
            let made = schema.output(self.profile)?;
            self.output(Who { kind: "tool", name: &common.about.name }, common.at, made)
        });
        let headers = self.headers(Who { kind: "tool", name: &common.about.name }, common.at, &common.inputs.schema);
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

    fn template(&mut self, uri: &str, at: Option<Location>) -> Option<Template> {
        Template::parse(uri)
            .map_err(|error| {
                let text = error.to_string();
                let (rule, advice) = text.split_once('\n').unwrap_or((&text, ""));
                self.problems.push(Problem::new(format!("resource \"{uri}\": {rule}"), advice).at("at", at));
            })
            .ok()
    }

    /// Puts items in the order of their keys. Two of one key are a problem.
    pub(crate) fn sort<T: Item>(&mut self, kind: &str, items: Vec<Offered<T>>) -> Vec<Offered<T>> {
        let keys = items.iter().enumerate().map(|(place, (item, _))| (item.key(), item.at(), place));
        let order = self.order(kind, keys.collect());
        let mut items: Vec<_> = items.into_iter().map(Some).collect();
        order.into_iter().filter_map(|place| items.get_mut(place)?.take()).collect()
    }

    /// The places of items in the order of their keys: one sort for all kinds, since each costs the binary 6 kB.
    fn order(&mut self, kind: &str, mut items: Vec<(&str, Option<Location>, usize)>) -> Vec<usize> {
        // By place, too: linking has no order of its own.
        items.sort_unstable_by(in_order);
        for same in items.chunk_by(|(a, ..), (b, ..)| a == b).filter(|same| same.len() > 1) {
            let [(key, ..), ..] = same else { continue };
            let (rule, advice) = match kind {
                "resource" => (
                    format!("{} resources have the URI `{key}`", count(same.len())),
                    "change the URI of one".to_owned(),
                ),
                _ => (
                    format!("{} {kind}s are named `{key}`", count(same.len())),
                    format!("rename one with `#[{kind}(name = \"…\")]`, or give its crate a prefix with `.prefix(…)`"),
                ),
            };
            let parts = ["first", "second", "third"];
            let mut problem = Problem::new(rule, advice);
            for (index, (_, at, _)) in same.iter().enumerate() {
                problem = problem.at(parts.get(index).unwrap_or(&"next"), *at);
            }
            self.problems.push(problem);
        }
        items.into_iter().map(|(.., place)| place).collect()
    }

    /// Two templates that match the same URIs.
    pub(crate) fn check_templates(&mut self, items: &[Offered<ResourceItem>]) {
        for (index, (a, _)) in items.iter().enumerate() {
            for (b, _) in items.iter().skip(index + 1) {
                self.problems.extend(clash(a, b));
            }
        }
    }
}

/// Why two resources cannot stand beside each other: both would be meant by some URIs.
pub(crate) fn clash(a: &ResourceItem, b: &ResourceItem) -> Option<Problem> {
    if a.resource.uri == b.resource.uri || !ambiguous(&a.template, &b.template) {
        return None;
    }
    let rule = format!("the templates \"{}\" and \"{}\" match the same URIs", a.resource.uri, b.resource.uri);
    let problem = Problem::new(rule, "change one, so that a URI leads to one resource");
    Some(problem.at("first", a.common.at).at("second", b.common.at))
}

/// Not inlined: a sort compares in forty places.
#[inline(never)]
fn in_order(a: &(&str, Option<Location>, usize), b: &(&str, Option<Location>, usize)) -> Ordering {
    a.cmp(b)
}

fn count(number: usize) -> String {
    if number == 2 { "two".to_owned() } else { number.to_string() }
}
