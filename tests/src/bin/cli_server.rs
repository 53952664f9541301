//! A server with one of everything that its command line shows. `CLI_SERVER` changes what it defines.

use mcp_runtime::prelude::*;
use serde_json::json;

#[mcp_runtime::data]
enum Size {
    Small,
    Large,
}

#[mcp_runtime::data]
struct Order {
    text: String,
    count: i64,
    flag: bool,
    tags: Vec<String>,
    size: Option<Size>,
    anything: serde_json::Value,
}

/// Add two numbers.
#[tool(read_only)]
fn add(
    /// First addend
    a: i64,
    /// Second addend
    b: i64,
) -> i64 {
    a + b
}

/// Give back what came, each value as its type.
#[tool(read_only)]
fn order(
    /// Some words
    text: String,
    /// How many
    #[arg(default = 1)]
    count: i64,
    /// Whether
    #[arg(default = false)]
    flag: bool,
    /// Labels
    #[arg(default)]
    tags: Vec<String>,
    /// How large
    size: Option<Size>,
    /// Whatever
    #[arg(default)]
    anything: serde_json::Value,
) -> Json<Order> {
    Json(Order { text, count, flag, tags, size, anything })
}

/// A place on a map.
#[mcp_runtime::data]
struct Place {
    latitude: f64,
    longitude: f64,
    name: Option<String>,
}

/// Send something somewhere.
#[tool]
fn send(
    /// Where to
    to: Place,
    /// How fast, in words
    #[arg(length(min = 1, max = 80), pattern = "^[a-z| ]+$", default = "at once")]
    pace: String,
    /// How often
    #[arg(range(min = 1, max = 9))]
    times: u8,
    /// How heavy
    #[arg(range(max = 2.5))]
    weight: Option<f64>,
    /// On the way
    #[arg(default, length(max = 3))]
    stops: Vec<String>,
) -> String {
    format!("{} {} {pace} {times} {weight:?} {stops:?} {:?}", to.latitude, to.longitude, to.name)
}

const PIXEL: &[u8] = b"\x89PNG\r\n\x1a\n";

/// Draw a pixel.
#[tool(read_only)]
fn draw() -> Vec<Content> {
    vec![Content::text("a pixel:"), Image::new(PIXEL, "image/png").into()]
}

/// Count slowly, and say so.
#[tool]
async fn count(
    ctx: &Ctx,
    /// How far
    to: u32,
) -> u32 {
    #[expect(clippy::print_stdout, reason = "what a handler prints must not reach the result")]
    {
        println!("printed by the handler");
    }
    ctx.log(LogLevel::Debug, "in detail");
    ctx.log(LogLevel::Info, "counting");
    for done in 1..=to {
        ctx.progress_message(done, to, "sheep").await;
    }
    to
}

/// Never end.
#[tool]
async fn wait(ctx: &Ctx) {
    ctx.log(LogLevel::Info, "waiting");
    std::future::pending::<()>().await;
}

/// What to bring.
#[derive(Elicit)]
struct Bring {
    /// How many
    #[elicit(range(min = 1, max = 9))]
    many: u8,
    kind: Kind,
}

#[derive(Debug, Elicit)]
enum Kind {
    Tea,
    Coffee,
}

/// Bring something, and ask what.
#[tool]
async fn bring(ctx: &Ctx) -> Result<String> {
    ctx.progress(1, 2).await;
    let bring: Bring = ctx.elicit("What shall it be?").await?;
    Ok(format!("{} {:?}", bring.many, bring.kind))
}

#[derive(Elicit)]
struct Confirm {
    /// Yes, throw it away
    sure: bool,
}

/// Throw something away, and ask first.
#[tool(destructive)]
fn throw(
    /// What
    what: String,
    #[ask("Really throw {what} away?")] confirm: Confirm,
) -> String {
    format!("{what}: {}", confirm.sure)
}

/// Pack something, and ask twice.
#[tool]
fn pack(#[ask("Pack what?")] bring: Bring, #[ask("Really pack?")] confirm: Confirm) -> String {
    format!("{} {:?}: {}", bring.many, bring.kind, confirm.sure)
}

/// Fail.
#[tool]
fn fail() -> Result<String, String> {
    Err("the disk is full".to_owned())
}

/// All notes there are.
fn all_notes() -> Vec<String> {
    vec!["1".to_owned(), "2".to_owned()]
}

/// One note.
#[resource("note://{id}", mime = "text/markdown", list = all_notes)]
fn note(id: String) -> Option<String> {
    (id.len() == 1).then(|| format!("# Note {id}"))
}

/// A picture.
#[resource("pic://pixel.png", mime = "image/png")]
fn pixel() -> Vec<u8> {
    PIXEL.to_vec()
}

/// Ask for a review.
#[prompt]
fn review(
    /// The code
    code: String,
    /// Its language
    language: Option<String>,
) -> Messages {
    Messages::user(format!("Review this {}code:\n{code}", language.map(|name| name + " ").unwrap_or_default()))
}

/// A question and an answer.
#[prompt]
fn dialogue() -> Messages {
    Messages::user("Why?").and_assistant("Because.")
}

fn server() -> mcp_runtime::Server {
    mcp_runtime::Server::new("cli-server", "1.2.3")
        .on_start(async {
            eprintln!("started");
            Ok(())
        })
        .on_shutdown(async { eprintln!("shut down") })
}

/// A tool with everything wrong that a definition by hand can have.
fn unhealthy() -> mcp_runtime::ToolDefinition {
    let schema = json!({
        "type": "object",
        "properties": {"a[0]": true, "b": {"type": "array"}, "c": {"type": ["string", "null"]}},
        "anyOf": [{"required": ["b"]}]
    });
    mcp_runtime::Tool::new("read-all").input_schema(schema).call(|_, _| async {})
}

#[tokio::main]
async fn main() -> mcp_runtime::Result<()> {
    let server = server();
    match std::env::var("CLI_SERVER").as_deref() {
        Ok("unhealthy") => server.tool(unhealthy()).run().await,
        Ok("broken") => server.tool(mcp_runtime::Tool::new("add").call(|_, _| async {})).run().await,
        Ok("legacy") => server.revisions([mcp_runtime::Revision::V2025_06_18]).run().await,
        Ok("built") => server.build()?.run().await,
        Ok("given") => server.run_with(["call", "add", "a=1", "b=2"]).await,
        _ => server.run().await,
    }
}
