//! `call`, `read` and `prompt`: one request through the real server loop, and its result.

use serde_json::{Map, Value, json};

use super::args::CallOptions;
use super::arguments::Typed;
use super::ask::Person;
use super::faults::alternatives;
use super::output::Output;
use super::save::Folder;
use super::session::Session;
use super::show::{Printer, failure};
use crate::handler::error::{Error, Result};
use crate::server::BuiltServer;

/// `call TOOL …`
pub(super) async fn tool(built: BuiltServer, name: &str, words: &[String], options: &CallOptions) -> Result<()> {
    let typed = Typed::read(words)?;
    let (person, out, folder) = (Person::find(&options.answers)?, Output::guarded(), folder(options)?);
    let mut session = Session::open(built, options.log.as_deref(), person).await?;
    let called = call(&mut session, name, typed).await;
    session.close().await;
    let result = called?;
    if result.get("isError") == Some(&Value::Bool(true)) {
        return failed(out, name, &result, options);
    }
    print(out, folder, name, &result, options, |printer| printer.tool_result(&result))
}

async fn call(session: &mut Session, name: &str, typed: Typed) -> Result<Value> {
    let tools = session.client.list_tools().await?;
    let tool = find("tool", &tools, name)?;
    let schema = tool.get("inputSchema").cloned().unwrap_or_default();
    let arguments = typed.for_tool(name, &schema)?;
    session.request("tools/call", json!({"name": name, "arguments": arguments})).await
}

/// What a tool says about its failure is the error of the program.
fn failed(mut out: Output, name: &str, result: &Value, options: &CallOptions) -> Result<()> {
    if options.is_json {
        out.line(serde_json::to_string_pretty(result)?);
        out.finish()?;
        return Err(Error::msg(format!("tool `{name}` failed")));
    }
    Err(Error::msg(format!("tool `{name}` failed: {}", failure(result))))
}

/// `read URI`
pub(super) async fn resource(built: BuiltServer, uri: &str, options: &CallOptions) -> Result<()> {
    let (person, out, folder) = (Person::find(&options.answers)?, Output::guarded(), folder(options)?);
    let mut session = Session::open(built, options.log.as_deref(), person).await?;
    let read = session.request("resources/read", json!({"uri": uri})).await;
    session.close().await;
    let result = read?;
    let contents = list(&result, "contents");
    print(out, folder, uri, &result, options, |printer| printer.contents(contents))
}

/// `prompt PROMPT …`
pub(super) async fn prompt(built: BuiltServer, name: &str, words: &[String], options: &CallOptions) -> Result<()> {
    let typed = Typed::read(words)?;
    let (person, out, folder) = (Person::find(&options.answers)?, Output::guarded(), folder(options)?);
    let mut session = Session::open(built, options.log.as_deref(), person).await?;
    let got = get(&mut session, name, typed).await;
    session.close().await;
    let result = got?;
    let messages = list(&result, "messages");
    print(out, folder, name, &result, options, |printer| printer.messages(messages))
}

async fn get(session: &mut Session, name: &str, typed: Typed) -> Result<Value> {
    let prompts = session.client.list_prompts().await?;
    let arguments = typed.for_prompt(name, find("prompt", &prompts, name)?)?;
    session.request("prompts/get", json!({"name": name, "arguments": arguments})).await
}

fn folder(options: &CallOptions) -> Result<Option<Folder>> {
    options.out.as_deref().map(Folder::open).transpose()
}

fn list<'a>(result: &'a Value, member: &str) -> &'a [Value] {
    result.get(member).and_then(Value::as_array).map_or(&[], Vec::as_slice)
}

fn find<'a>(kind: &str, all: &'a [Value], name: &str) -> Result<&'a Map<String, Value>> {
    let name_of = |item: &'a Value| item.get("name").and_then(Value::as_str);
    let found = all.iter().find(|item| name_of(item) == Some(name)).and_then(Value::as_object);
    found.ok_or_else(|| {
        let known: Vec<&str> = all.iter().filter_map(name_of).collect();
        Error::msg(format!("there is no {kind} `{name}`: {}", alternatives(name, &known)))
    })
}

fn print(
    mut out: Output,
    folder: Option<Folder>,
    name: &str,
    result: &Value,
    options: &CallOptions,
    show: impl FnOnce(&mut Printer<'_>) -> Result<()>,
) -> Result<()> {
    let mut printer = Printer { out: &mut out, folder, name };
    if options.is_json {
        printer.json(result);
    } else {
        show(&mut printer)?;
    }
    out.finish()
}
