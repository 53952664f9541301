//! From entries and definitions to items: schemas built once, everything checked, all problems collected.

use std::any::TypeId;
use std::borrow::Cow;
use std::collections::BTreeMap;
use std::sync::Arc;

use serde_json::{Map, Value};

use super::define::{About, PromptArgument, PromptDefinition, Resource, ResourceDefinition, ToolDefinition};
use super::entry::{Handler, Location, PromptEntry, ResourceEntry, ToolEntry};
use super::gate::Gate;
use super::item::{Common, Completer, Item, PromptItem, ResourceItem, Run, ToolItem};
use super::problem::Problem;
use crate::handler::arguments::{Input, Inputs, Reading};
use crate::handler::param_info::{DefaultValue, ParamInfo, ParamKind};
use crate::protocol::Annotations;
use crate::schema::{
    Constraints, Output, PlainTypes, Prepared as Schema, Property, SchemaProfile, closed_values, input_from_properties,
    input_from_type, output, readable_from_text,
};
use crate::uri_template::{Template, ambiguous};

/// How items are made, the same for all.
pub(crate) struct Builder<'b> {
    pub(crate) profile: SchemaProfile,
    pub(crate) reading: Reading,
    pub(crate) has_state: &'b dyn Fn(TypeId) -> bool,
    /// By crate: what goes in front of its names.
    pub(crate) prefixes: &'b BTreeMap<String, String>,
    pub(crate) problems: Vec<Problem>,
    missing_states: BTreeMap<&'static str, Vec<(String, Location)>>,
    types: PlainTypes,
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
        prefixes: &'b BTreeMap<String, String>,
    ) -> Self {
        Self {
            profile,
            reading,
            has_state,
            prefixes,
            problems: Vec::new(),
            missing_states: BTreeMap::new(),
            types: PlainTypes::new(profile),
        }
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
        let who = format!("{kind} `{}`", about.name);
        let inputs = self.inputs(&who, handler, source);
        let completers = match source {
            // The protocol completes the arguments of prompts and resources only.
            Source::Json => Vec::new(),
            Source::Text => completers(handler.params, &inputs.schema),
        };
        Common { about, at: Some(handler.at), inputs, completers, run, pace: Arc::default() }
    }

    fn inputs(&mut self, who: &str, handler: &'static Handler, source: Source) -> Inputs {
        for param in handler.params {
            if let ParamKind::State { id, name } = param.of.kind {
                if !(self.has_state)(id()) {
                    self.missing_states.entry(name()).or_default().push((who.to_owned(), handler.at));
                }
            }
        }
        let mut params: Vec<Input> = handler.params.iter().map(|param| self.input(who, handler, param)).collect();
        let whole = handler.params.iter().find(|param| matches!(param.of.kind, ParamKind::Whole));
        let schema = match whole {
            Some(param) => input_from_type(param.of.schema, self.profile),
            None => input_from_properties(&properties(handler.params, &params), &mut self.types),
        };
        let schema = schema.unwrap_or_else(|error| {
            let text = error.to_string();
            let (rule, advice) = text.split_once('\n').unwrap_or((&text, ""));
            self.problems.push(Problem::new(format!("{who}: {rule}"), advice).at("at", Some(handler.at)));
            no_arguments()
        });
        for warning in schema.warnings() {
            self.problems.push(Problem::new(format!("{who}: {warning}"), "").at("at", Some(handler.at)));
        }
        if source == Source::Text {
            self.check_readable(who, handler, &schema);
        }
        if schema.wire().get().contains("\"number\"") {
            for (param, input) in handler.params.iter().zip(&mut params).filter(|(param, _)| is_single(param)) {
                input.constraints = param.constraints.within_single();
            }
        }
        Inputs { params, is_whole: whole.is_some(), schema, reading: self.reading }
    }

    fn input(&mut self, who: &str, handler: &'static Handler, param: &'static ParamInfo) -> Input {
        let default = self.default(who, handler, param);
        Input {
            name: param.is_argument().then_some(Cow::Borrowed(param.name)),
            is_optional: param.is_argument() && (param.of.is_optional)(),
            default: default.map(|default| default.to_string()),
            constraints: *param.constraints,
        }
    }

    fn default(&mut self, who: &str, handler: &'static Handler, param: &'static ParamInfo) -> Option<Value> {
        let (value, written) = match param.default? {
            DefaultValue::With(make) => (Ok(make()), "its expression".to_owned()),
            DefaultValue::Json(json) => {
                (serde_json::from_str(json).map_err(|error| error.to_string()), format!("`{json}`"))
            }
        };
        let checked = value.and_then(|value| (param.of.accepts)(&value).map(|()| value));
        let problem = match &checked {
            Err(error) => Some(format!("does not fit its type: {error}")),
            Ok(value) => {
                param.constraints.check(&value.to_string()).map(|violation| format!("breaks its own rule{violation}"))
            }
        };
        if let Some(problem) = problem {
            let rule = format!("{who}: the default of argument `{}` {problem}", param.name);
            self.problems.push(Problem::new(rule, format!("change {written}")).at("at", Some(handler.at)));
        }
        checked.ok()
    }

    /// Prompts and templates give text: a struct or a list cannot be read from it.
    fn check_readable(&mut self, who: &str, handler: &'static Handler, schema: &Schema) {
        for param in handler.params.iter().filter(|param| param.is_argument()) {
            if schema.property(param.name).is_some_and(|node| !readable_from_text(node)) {
                let rule = format!("{who}: argument `{}` comes as text, which cannot give its type", param.name);
                let advice = "take a string, a number, a bool, an enum of names, or `#[arg(from_str)]` for a type with `FromStr`";
                self.problems.push(Problem::new(rule, advice).at("at", Some(handler.at)));
            }
        }
    }

    fn output(
        &mut self,
        who: &str,
        at: Option<Location>,
        made: Result<Output, crate::schema::SchemaError>,
    ) -> Option<Output> {
        made.map_err(|error| self.problems.push(Problem::new(format!("{who}: {error}"), "").at("at", at))).ok()
    }

    pub(crate) fn tool(&mut self, entry: &'static ToolEntry) -> ToolItem {
        let run = Run::Entry { call: entry.call, prepare: entry.handler.prepare };
        let common = self.common("tool", &entry.handler, Source::Json, run);
        let who = format!("tool `{}`", common.about.name);
        let output = entry.output.and_then(|schema| {
            let made = output(schema, self.profile);
            self.output(&who, common.at, made)
        });
        let headers = headers(&common.inputs.schema);
        ToolItem {
            gate: Gate::new(entry.max_concurrency, entry.rate_limit),
            output,
            hints: entry.hints,
            headers,
            common,
        }
    }

    pub(crate) fn defined_tool(&mut self, definition: ToolDefinition) -> ToolItem {
        let who = format!("tool `{}`", definition.about.name);
        self.check_name(&who, &definition.about.name);
        let schema =
            definition.input.as_ref().map_or_else(|| Ok(no_arguments()), Schema::from_json).unwrap_or_else(|error| {
                self.problems
                    .push(Problem::new(format!("{who}: {error}"), "give an object schema to `.input_schema(…)`"));
                no_arguments()
            });
        let output = definition.output.as_ref().and_then(|schema| {
            let made = Output::from_json(schema);
            self.output(&who, None, made)
        });
        let headers = headers(&schema);
        ToolItem {
            common: dynamic(definition.about, schema, Vec::new(), self.reading, Run::Dynamic(definition.call)),
            output,
            hints: definition.hints,
            gate: Gate::default(),
            headers,
        }
    }

    /// A name that some client refuses makes it hide every tool.
    fn check_name(&mut self, who: &str, name: &str) {
        let legal = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '.' | '/');
        if name.is_empty() || name.len() > 64 || !name.chars().all(legal) {
            let advice = "use 1 to 64 of the characters `A–Z`, `a–z`, `0–9`, `_`, `-`";
            self.problems.push(Problem::new(format!("{who} has a name that clients refuse"), advice));
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

    pub(crate) fn defined_prompt(&mut self, definition: PromptDefinition) -> PromptItem {
        let inputs =
            definition.arguments.iter().map(|argument| text_input(argument.name.clone(), argument.required)).collect();
        let mut properties = Map::new();
        for argument in &definition.arguments {
            properties.insert(argument.name.to_string(), serde_json::json!({"type": "string"}));
        }
        let required: Vec<&str> =
            definition.arguments.iter().filter(|argument| argument.required).map(|argument| &*argument.name).collect();
        let schema = object_schema(&properties, &required);
        PromptItem {
            common: dynamic(definition.about, schema, inputs, self.reading, Run::Dynamic(definition.get)),
            arguments: definition.arguments.into_iter().map(|argument| (argument, None)).collect(),
        }
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

    pub(crate) fn defined_resource(&mut self, definition: ResourceDefinition) -> Option<ResourceItem> {
        let mut resource = definition.resource;
        let template = self.template(&resource.uri, None)?;
        let inputs: Vec<Input> = template
            .variables()
            .map(|variable| text_input(variable.name().to_owned().into(), !variable.kind().is_optional()))
            .collect();
        let about = std::mem::take(&mut resource.about);
        let mut properties = Map::new();
        for input in &inputs {
            properties
                .insert(input.name.as_deref().unwrap_or_default().to_owned(), serde_json::json!({"type": "string"}));
        }
        let schema = object_schema(&properties, &[]);
        let common = dynamic(about, schema, inputs, self.reading, Run::Dynamic(definition.read));
        Some(ResourceItem { common, template, resource, list: None })
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

    /// Two items of one key.
    pub(crate) fn check_unique<'i, T: Item + 'i>(
        &mut self,
        kind: &str,
        items: impl Iterator<Item = (&'i T, Option<Location>)>,
    ) {
        let mut by_key: BTreeMap<&str, Vec<Option<Location>>> = BTreeMap::new();
        for (item, at) in items {
            by_key.entry(item.key()).or_default().push(at);
        }
        for (key, mut places) in by_key.into_iter().filter(|(_, places)| places.len() > 1) {
            // Linking has no order of its own.
            places.sort_unstable();
            let (rule, advice) = match kind {
                "resource" => (
                    format!("{} resources have the URI `{key}`", count(places.len())),
                    "change the URI of one".to_owned(),
                ),
                _ => (
                    format!("{} {kind}s are named `{key}`", count(places.len())),
                    format!("rename one with `#[{kind}(name = \"…\")]`, or give its crate a prefix with `.prefix(…)`"),
                ),
            };
            let parts = ["first", "second", "third"];
            let mut problem = Problem::new(rule, advice);
            for (index, at) in places.into_iter().enumerate() {
                problem = problem.at(parts.get(index).unwrap_or(&"next"), at);
            }
            self.problems.push(problem);
        }
    }

    /// Two templates that match the same URIs.
    pub(crate) fn check_templates(&mut self, items: &[(ResourceItem, bool)]) {
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

fn count(number: usize) -> String {
    if number == 2 { "two".to_owned() } else { number.to_string() }
}

fn properties<'p>(params: &'static [ParamInfo], inputs: &'p [Input]) -> Vec<Property<'p>> {
    (params.iter().zip(inputs))
        .filter(|(param, _)| param.is_argument())
        .map(|(param, input)| Property {
            name: param.name,
            schema: param.of.schema,
            required: !input.is_optional && input.default.is_none(),
            title: param.title,
            description: param.doc,
            default: input.default.as_deref().and_then(|json| serde_json::from_str(json).ok()),
            constraints: *param.constraints,
            example: param.example.map(|make| make()),
            header: param.header,
        })
        .collect()
}

/// Whether it is an `f32`, or may be absent and otherwise is one.
fn is_single(param: &ParamInfo) -> bool {
    param.is_argument()
        && (param.of.schema)(&mut schemars::SchemaGenerator::default())
            .get("format")
            .is_some_and(|format| format == "float")
}

fn completers(params: &'static [ParamInfo], schema: &Schema) -> Vec<(Cow<'static, str>, Completer)> {
    (params.iter().filter(|param| param.is_argument()))
        .filter_map(|param| {
            let closed = || schema.property(param.name).and_then(closed_values).map(Completer::Closed);
            param
                .complete
                .map(Completer::Function)
                .or_else(closed)
                .map(|completer| (Cow::Borrowed(param.name), completer))
        })
        .collect()
}

fn dynamic<R>(about: About, schema: Schema, params: Vec<Input>, reading: Reading, run: Run<R>) -> Common<R> {
    // Whatever the schema asks for is checked on the whole object, as for `Args<T>`.
    let is_whole = params.is_empty();
    Common {
        about,
        at: None,
        inputs: Inputs { params, is_whole, schema, reading },
        completers: Vec::new(),
        run,
        pace: Arc::default(),
    }
}

fn text_input(name: Cow<'static, str>, required: bool) -> Input {
    Input { name: Some(name), default: None, constraints: Constraints::NONE, is_optional: !required }
}

fn no_arguments() -> Schema {
    object_schema(&Map::new(), &[])
}

#[expect(clippy::expect_used, reason = "a schema of our own making with an object at its root")]
fn object_schema(properties: &Map<String, Value>, required: &[&str]) -> Schema {
    let schema = if properties.is_empty() {
        return input_from_properties(&[], &mut PlainTypes::new(SchemaProfile::Portable))
            .expect("no arguments have a schema");
    } else {
        serde_json::json!({"type": "object", "properties": properties, "required": required})
    };
    Schema::from_json(&schema).expect("an object schema")
}

/// The headers that repeat arguments, found where they are legal: along `properties` only.
fn headers(schema: &Schema) -> Vec<(String, Vec<String>)> {
    const HEADER: &str = "x-mcp-header";
    fn collect(schema: &Value, path: &mut Vec<String>, found: &mut Vec<(String, Vec<String>)>) {
        let Some(properties) = schema.get("properties").and_then(Value::as_object) else { return };
        for (name, property) in properties {
            path.push(name.clone());
            if let Some(header) = property.get(HEADER).and_then(Value::as_str) {
                found.push((header.to_owned(), path.clone()));
            }
            collect(property, path, found);
            path.pop();
        }
    }
    let mut found = Vec::new();
    // Hardly any schema has one: most need not be read for it.
    if schema.wire().get().contains(HEADER) {
        collect(&schema.to_value(), &mut Vec::new(), &mut found);
    }
    found
}
