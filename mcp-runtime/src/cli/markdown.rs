//! `list --markdown`: a catalogue for the author's README.

use serde_json::Value;

use super::definitions::text;
use super::list::{Listed, one_line, prompt_rows};
use super::output::Output;

pub(super) fn write(out: &mut Output, listed: &Listed) {
    let mut is_first = true;
    let mut heading = |out: &mut Output, title: &str| {
        out.line(format_args!("{}## {title}", if is_first { "" } else { "\n" }));
        is_first = false;
    };
    if !listed.tools.is_empty() {
        heading(out, "Tools");
    }
    for tool in &listed.tools {
        item(out, tool, &hints(tool));
        arguments(out, &listed.arguments(tool));
    }
    let resources = listed.resources.iter().map(|resource| (text(resource, "uri"), resource));
    let templates = listed.templates.iter().map(|template| (text(template, "uriTemplate"), template));
    let all: Vec<_> = resources.chain(templates).collect();
    if !all.is_empty() {
        heading(out, "Resources");
        out.line("\n| URI | Type | Description |\n|---|---|---|");
    }
    for (uri, resource) in all {
        let description = one_line(text(resource, "description"));
        out.line(format_args!("| {} | {} | {} |", code(uri), cell(text(resource, "mimeType")), cell(&description)));
    }
    if !listed.prompts.is_empty() {
        heading(out, "Prompts");
    }
    for prompt in &listed.prompts {
        item(out, prompt, "");
        let rows = prompt.as_object().map(prompt_rows).unwrap_or_default();
        arguments(out, &rows);
    }
}

fn item(out: &mut Output, item: &Value, note: &str) {
    out.line(format_args!("\n### {}{note}", code(text(item, "name"))));
    let description = text(item, "description").trim();
    if !description.is_empty() {
        out.line(format_args!("\n{description}"));
    }
}

/// What the author says about a tool's effects.
fn hints(tool: &Value) -> String {
    let says = |name: &str| tool.pointer(&format!("/annotations/{name}")).and_then(Value::as_bool).unwrap_or_default();
    let words = [("readOnlyHint", "read-only"), ("destructiveHint", "destructive"), ("idempotentHint", "idempotent")];
    let words: Vec<&str> = words.into_iter().filter(|(name, _)| says(name)).map(|(_, word)| word).collect();
    if words.is_empty() { String::new() } else { format!(" ({})", words.join(", ")) }
}

fn arguments(out: &mut Output, rows: &[[String; 3]]) {
    if rows.is_empty() {
        return;
    }
    out.line("\n| Argument | Type | Description |\n|---|---|---|");
    for [name, of, about] in rows {
        out.line(format_args!("| {} | {} | {} |", code(name), plain(of), cell(about)));
    }
}

/// A type, in which nothing is Markdown: patterns and defaults may look like it.
fn plain(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for character in text.chars() {
        if matches!(character, '\\' | '|' | '*' | '_' | '`' | '[' | ']' | '<' | '>' | '~') {
            escaped.push('\\');
        }
        escaped.push(if character.is_control() { ' ' } else { character });
    }
    escaped
}

/// Text that stays within its cell.
fn cell(text: &str) -> String {
    text.replace('\\', "\\\\").replace('|', "\\|").replace(['\r', '\n'], " ")
}

fn code(text: &str) -> String {
    format!("`{}`", text.replace('|', "\\|").replace(['`', '\r', '\n'], " "))
}
