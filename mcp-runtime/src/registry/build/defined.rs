//! Items that are defined at run time.

use std::borrow::Cow;
use std::sync::Arc;

use serde_json::{Map, Value, json};

use super::inputs::no_arguments;
use super::{Builder, Who};
use crate::handler::arguments::{Input, Inputs, Reading};
use crate::registry::define::{About, PromptDefinition, ResourceDefinition, ToolDefinition};
use crate::registry::gate::Gate;
use crate::registry::item::{Common, PromptItem, ResourceItem, Run, ToolItem};
use crate::registry::problem::Problem;
use crate::schema::{Output, Prepared as Schema};

impl Builder<'_> {
    pub(crate) fn defined_tool(&mut self, definition: ToolDefinition) -> ToolItem {
        let who = Who { kind: "tool", name: &definition.about.name };
        self.check_name(who);
        let schema =
            definition.input.as_ref().map_or_else(|| Ok(no_arguments()), Schema::from_json).unwrap_or_else(|error| {
                self.problems
                    .push(Problem::new(format!("{who}: {error}"), "give an object schema to `.input_schema(…)`"));
                no_arguments()
            });
        let output = definition.output.as_ref().and_then(|schema| {
            let made = Output::from_json(schema);
            self.output(who, None, made)
        });
        if let Some(elsewhere) = schema.elsewhere() {
            let advice = "nothing is fetched: put what it refers to into `$defs`";
            self.problems.push(Problem::new(format!("{who}: `$ref` to `{elsewhere}` leads out of the schema"), advice));
        }
        let headers = self.headers(who, None, &schema);
        ToolItem {
            common: dynamic(definition.about, schema, Vec::new(), self.reading, Run::Dynamic(definition.call)),
            output,
            hints: definition.hints,
            gate: Gate::default(),
            headers,
        }
    }

    /// A name that some client refuses makes it hide every tool.
    fn check_name(&mut self, who: Who<'_>) {
        let name = who.name;
        let legal = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '.' | '/');
        if name.is_empty() || name.len() > 64 || !name.chars().all(legal) {
            let advice = "use 1 to 64 of the characters `A–Z`, `a–z`, `0–9`, `_`, `-`";
            self.problems.push(Problem::new(format!("{who} has a name that clients refuse"), advice));
        }
    }

    pub(crate) fn defined_prompt(&mut self, definition: PromptDefinition) -> PromptItem {
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
            common: dynamic(definition.about, schema, inputs, self.reading, Run::Dynamic(definition.get)),
            arguments: definition.arguments.into_iter().map(|argument| (argument, None)).collect(),
        }
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
            properties.insert(input.name.as_deref().unwrap_or_default().to_owned(), json!({"type": "string"}));
        }
        let schema = object_schema(&properties, &[]);
        let common = dynamic(about, schema, inputs, self.reading, Run::Dynamic(definition.read));
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
    Input { name: Some(name), default: None, constraints: None, is_optional: !required }
}
