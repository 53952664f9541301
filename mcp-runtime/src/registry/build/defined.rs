//! Items that are defined at run time.

use std::borrow::Cow;
use std::sync::Arc;

use serde_json::{Map, Value, json};

use super::inputs::no_arguments;
use super::{Builder, Who};
use crate::handler::arguments::{Input, Inputs, Reading};
use crate::registry::define::{About, PromptDefinition, ResourceDefinition, ToolDefinition};
use crate::registry::entry::Location;
use crate::registry::gate::Gate;
use crate::registry::item::{Common, PromptItem, ResourceItem, Run, ToolItem};
use crate::registry::problem::Problem;
use crate::schema::{Output, Prepared as Schema};

impl Builder<'_> {
    pub(crate) fn defined_tool(&mut self, definition: ToolDefinition, at: Location) -> ToolItem {
        let who = Who { kind: "tool", name: &definition.about.name };
        self.check_about("tool", &definition.about, at);
        self.check_hints(who, at, definition.hints);
        let schema =
            definition.input.as_ref().map_or_else(|| Ok(no_arguments()), Schema::from_json).unwrap_or_else(|error| {
                let advice = "give an object schema to `.input_schema(…)`";
                self.problems.push(Problem::new(format!("{who}: {error}"), advice).at("at", at));
                no_arguments()
            });
        let output = definition.output.as_ref().and_then(|schema| {
            let made = Output::from_json(schema);
            self.output(who, at, made)
        });
        if let Some(elsewhere) = schema.elsewhere() {
            let advice = "nothing is fetched: put what it refers to into `$defs`";
            let rule = format!("{who}: `$ref` to `{elsewhere}` leads out of the schema");
            self.problems.push(Problem::new(rule, advice).at("at", at));
        }
        let headers = self.headers(who, at, &schema);
        ToolItem {
            common: dynamic(definition.about, at, schema, Vec::new(), self.reading, Run::Dynamic(definition.call)),
            output,
            hints: definition.hints,
            gate: Gate::default(),
            headers,
        }
    }

    /// What is said of every definition.
    fn check_about(&mut self, kind: &str, about: &About, at: Location) {
        let who = Who { kind, name: &about.name };
        self.check_name(who, at);
        self.check_icons(who, at, &about.icons);
    }

    pub(crate) fn defined_prompt(&mut self, definition: PromptDefinition, at: Location) -> PromptItem {
        self.check_about("prompt", &definition.about, at);
        self.check_arguments(&definition, at);
        let inputs =
            definition.arguments.iter().map(|argument| text_input(argument.name.clone(), argument.required)).collect();
        let mut properties = Map::new();
        for argument in &definition.arguments {
            properties.insert(argument.name.to_string(), json!({"type": "string"}));
        }
        let required: Vec<&str> =
            definition.arguments.iter().filter(|argument| argument.required).map(|argument| &*argument.name).collect();
        let schema = object_schema(&properties, &required);
        PromptItem {
            common: dynamic(definition.about, at, schema, inputs, self.reading, Run::Dynamic(definition.get)),
            arguments: definition.arguments.into_iter().map(|argument| (argument, None)).collect(),
        }
    }

    /// A prompt's arguments, by name.
    fn check_arguments(&mut self, definition: &PromptDefinition, at: Location) {
        let who = Who { kind: "prompt", name: &definition.about.name };
        for (index, argument) in definition.arguments.iter().enumerate() {
            let name = &*argument.name;
            let earlier = definition.arguments.iter().take(index);
            if name.is_empty() {
                let rule = format!("{who}: an argument needs a name");
                self.problems.push(Problem::new(rule, "write the key that the client sends").at("at", at));
            } else if earlier.filter(|earlier| earlier.name == name).count() == 1 {
                let rule = format!("{who}: two arguments are named `{name}`");
                self.problems.push(Problem::new(rule, "rename or remove one").at("at", at));
            }
        }
    }

    pub(crate) fn defined_resource(&mut self, definition: ResourceDefinition, at: Location) -> Option<ResourceItem> {
        let mut resource = definition.resource;
        self.check_about("resource", &resource.about, at);
        let who = Who { kind: "resource", name: &resource.about.name };
        self.check_mime(who, at, resource.mime.as_deref());
        let template = self.template(&resource.uri, at)?;
        if resource.size.is_some() && !template.is_direct() {
            let rule = format!("{who}: a size is for a URI without variables");
            self.problems.push(Problem::new(rule, "remove it: what a template gives has no one size").at("at", at));
        }
        let inputs: Vec<Input> = template
            .variables()
            .map(|variable| text_input(variable.name().to_owned().into(), !variable.kind().is_optional()))
            .collect();
        let about = std::mem::take(&mut resource.about);
        let mut properties = Map::new();
        for input in &inputs {
            properties.insert(input.name.as_deref().unwrap_or_default().to_owned(), json!({"type": "string"}));
        }
        let schema = object_schema(&properties, &[]);
        let common = dynamic(about, at, schema, inputs, self.reading, Run::Dynamic(definition.read));
        Some(ResourceItem { common, template, resource, list: None })
    }
}

#[expect(clippy::expect_used, reason = "a schema of our own making with an object at its root")]
fn object_schema(properties: &Map<String, Value>, required: &[&str]) -> Schema {
    if properties.is_empty() {
        return no_arguments();
    }
    let schema = json!({"type": "object", "properties": properties, "required": required});
    Schema::from_json(&schema).expect("an object schema")
}

fn dynamic<R>(
    about: About,
    at: Location,
    schema: Schema,
    params: Vec<Input>,
    reading: Reading,
    run: Run<R>,
) -> Common<R> {
    // Whatever the schema asks for is checked on the whole object, as for `Args<T>`.
    let is_whole = params.is_empty();
    Common {
        about,
        at,
        inputs: Inputs { params, is_whole, schema, reading },
        completers: Vec::new(),
        run,
        pace: Arc::default(),
    }
}

fn text_input(name: Cow<'static, str>, required: bool) -> Input {
    Input { name: Some(name), default: None, constraints: None, is_optional: !required }
}
