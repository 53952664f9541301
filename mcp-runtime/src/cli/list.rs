//! `list`: what a client finds, as a table, as JSON or as Markdown.

use std::collections::HashMap;

use serde_json::{Map, Value, json};

use super::args::Form;
use super::definitions::{argument_orders, text};
use super::markdown;
use super::output::Output;
use super::session::Session;
use super::types::{Schema, prompt_arguments};
use crate::handler::error::Result;
use crate::server::BuiltServer;
use crate::testing::Client;

/// What a client finds.
pub(super) struct Listed {
    pub(super) name: String,
    pub(super) version: String,
    pub(super) tools: Vec<Value>,
    pub(super) resources: Vec<Value>,
    pub(super) templates: Vec<Value>,
    pub(super) prompts: Vec<Value>,
    /// The arguments of each tool, in order.
    orders: HashMap<String, Vec<String>>,
}

/// `list`
pub(super) async fn run(built: BuiltServer, form: Form) -> Result<()> {
    let mut out = Output::guarded();
    let (name, version) = (built.core.identity.name.clone(), built.core.identity.version.clone());
    let (offers, orders) = (Offers::of(&built), argument_orders(&built.core));
    let session = Session::open(built, None, None).await?;
    let listed = ask(&session.client, name, version, offers).await;
    session.close().await;
    let listed = Listed { orders, ..listed? };
    match form {
        Form::Table => table(&mut out, &listed),
        Form::Json => out.line(serde_json::to_string_pretty(&listed.json())?),
        Form::Markdown => markdown::write(&mut out, &listed),
    }
    out.finish()
}

/// What can be asked for: a server without prompts does not know the method either.
#[derive(Clone, Copy)]
struct Offers {
    tools: bool,
    resources: bool,
    prompts: bool,
}

impl Offers {
    fn of(built: &BuiltServer) -> Self {
        use crate::server::core::Offer;
        let core = &built.core;
        Self {
            tools: core.offers(Offer::Tools),
            resources: core.offers(Offer::Resources),
            prompts: core.offers(Offer::Prompts),
        }
    }
}

async fn ask(client: &Client, name: String, version: String, offers: Offers) -> Result<Listed> {
    let (mut tools, mut resources, mut templates, mut prompts) = Default::default();
    if offers.tools {
        tools = client.list_tools().await?;
    }
    if offers.resources {
        resources = client.list_resources().await?;
        templates = client.list_templates().await?;
    }
    if offers.prompts {
        prompts = client.list_prompts().await?;
    }
    Ok(Listed { name, version, tools, resources, templates, prompts, orders: HashMap::new() })
}

impl Listed {
    fn json(&self) -> Value {
        json!({
            "server": {"name": self.name, "version": self.version},
            "tools": self.tools,
            "resources": self.resources,
            "resourceTemplates": self.templates,
            "prompts": self.prompts,
        })
    }

    /// Name, type and description of each argument of a tool, in order.
    pub(super) fn arguments(&self, tool: &Value) -> Vec<[String; 3]> {
        let mut rows = tool_arguments(tool.get("inputSchema").unwrap_or(&Value::Null));
        if let Some(order) = self.orders.get(text(tool, "name")) {
            rows.sort_by_key(|[name, ..]| order.iter().position(|other| other == name));
        }
        rows
    }
}

/// One line of a table, and the lines under it.
struct Row {
    name: String,
    text: String,
    arguments: Vec<[String; 3]>,
}

fn table(out: &mut Output, listed: &Listed) {
    out.line(format_args!("{} {}", listed.name, listed.version));
    section(
        out,
        "Tools",
        listed.tools.iter().map(|tool| Row { arguments: listed.arguments(tool), ..plain(tool, "name") }).collect(),
    );
    section(out, "Resources", listed.resources.iter().map(resource).collect());
    section(
        out,
        "Resource templates",
        listed.templates.iter().map(|template| plain(template, "uriTemplate")).collect(),
    );
    section(out, "Prompts", listed.prompts.iter().map(prompt).collect());
}

fn tool_arguments(schema: &Value) -> Vec<[String; 3]> {
    let root = Schema::new(schema);
    let argument = |(name, schema): (&str, Schema<'_>)| {
        let absent = match schema.default_in_words() {
            Some(default) => format!(" (default {default})"),
            None if root.requires(name) => String::new(),
            None => " (optional)".to_owned(),
        };
        [name.to_owned(), format!("{}{absent}", schema.in_words()), one_line(schema.description())]
    };
    root.properties().map(argument).collect()
}

fn prompt(prompt: &Value) -> Row {
    Row { arguments: prompt.as_object().map(prompt_rows).unwrap_or_default(), ..plain(prompt, "name") }
}

/// Name, type and description of each argument.
pub(super) fn prompt_rows(prompt: &Map<String, Value>) -> Vec<[String; 3]> {
    let row = |(name, text, is_required): (&str, &str, bool)| {
        [name.to_owned(), if is_required { "text" } else { "text (optional)" }.to_owned(), one_line(text)]
    };
    prompt_arguments(prompt).map(row).collect()
}

/// Resources that a function enumerates may have no more than a name.
fn resource(resource: &Value) -> Row {
    let row = plain(resource, "uri");
    let title = Some(text(resource, "title")).filter(|title| !title.is_empty());
    let name = one_line(title.unwrap_or_else(|| text(resource, "name")));
    let said = if row.text.is_empty() || row.text == name { name } else { format!("{name}: {}", row.text) };
    Row { text: said, ..row }
}

fn plain(item: &Value, key: &str) -> Row {
    let description = text(item, "description");
    let said = if description.is_empty() { text(item, "title") } else { description };
    Row { name: text(item, key).to_owned(), text: one_line(said), arguments: Vec::new() }
}

/// The first paragraph on one line.
pub(super) fn one_line(text: &str) -> String {
    let first = text.trim().split("\n\n").next().unwrap_or_default();
    first.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Names longer than this do not widen their column, and types longer than the other theirs.
const WIDEST: usize = 32;
const WIDEST_TYPE: usize = 48;

fn section(out: &mut Output, title: &str, rows: Vec<Row>) {
    if rows.is_empty() {
        return;
    }
    out.line(format_args!("\n{title}"));
    let wide = width(rows.iter().map(|row| row.name.chars().count()), WIDEST);
    for row in rows {
        out.line(format!("  {:<wide$}  {}", row.name, row.text).trim_end());
        let names = width(row.arguments.iter().map(|[name, ..]| name.chars().count()), WIDEST);
        let types = width(row.arguments.iter().map(|[_, of, _]| of.chars().count()), WIDEST_TYPE);
        for [name, of, text] in row.arguments {
            out.line(format!("      {name:<names$}  {of:<types$}  {text}").trim_end());
        }
    }
}

fn width(lengths: impl Iterator<Item = usize>, widest: usize) -> usize {
    lengths.filter(|width| *width <= widest).max().unwrap_or_default()
}
