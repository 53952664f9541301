//! Every key of every attribute, each with a value it takes.

use mcp_runtime::prelude::*;

struct Notes;

#[derive(Clone)]
struct User(String);

impl FromContext for User {
    type Error = mcp_runtime::Error;

    async fn from_context(_: &Ctx) -> Result<Self> {
        Ok(User("Ada".to_owned()))
    }
}

#[mcp_runtime::data]
#[derive(Debug)]
enum Level {
    Low,
    High,
}

impl Level {
    fn usual() -> Self {
        Level::Low
    }
}

#[mcp_runtime::data]
struct Sum {
    /// The total
    total: i64,
}

const TITLE: &str = "Add";
const YES: bool = true;

#[tool(
    name = "math.add",
    name_policy = "spec",
    title = TITLE,
    description = concat!("Adds, ", "carefully"),
    icon = "https://example.com/icon.png",
    group = "math",
    timeout = "30s",
    disabled = false,
    meta = "x",
    read_only = YES,
    destructive = false,
    idempotent,
    open_world = false,
    max_concurrency = 4,
    rate_limit = "10/s"
)]
async fn add(
    ctx: &Ctx,
    notes: State<Notes>,
    #[from_context] user: User,
    /// First addend
    #[arg(default = 21, range(min = -10, max = 100), title = "A", example = 5, header = "First")]
    a: i64,
    #[arg(default = -1.5, range(min = -2, max = 0.5))] b: f64,
    #[arg(name = "type", length(min = 1, max = 8), pattern = "^[a-z]+$")] kind: Option<String>,
    #[arg(default = Level::usual(), description = TITLE, example = Level::High)] level: Level,
    #[arg(default)] tags: Vec<String>,
    #[arg(from_str)] address: std::net::Ipv4Addr,
    #[arg(complete = languages)] language: String,
) -> Result<Json<Sum>, String> {
    let _ = (ctx, notes, user.0, b, kind, level, tags, address, language);
    Ok(Json(Sum { total: a }))
}

fn languages(partial: &str, _: &CompletionContext) -> Vec<String> {
    vec![partial.to_owned()]
}

fn dialects(partial: &str) -> [String; 1] {
    [partial.to_owned()]
}

async fn slow_languages(partial: &str, _: &CompletionContext) -> Result<Vec<&'static str>, String> {
    if partial.is_empty() { Err("nothing".to_owned()) } else { Ok(vec!["rust"]) }
}

#[tool(blocking, icon = include_bytes!("every_key.rs"), destructive)]
fn wait(ctx: &Ctx, a: String) -> String {
    let _ = ctx;
    a
}

#[tool(blocking)]
fn wait_alone() {}

#[tool(disabled, timeout = PAUSE)]
async fn nothing() {}

const PAUSE: &str = "2h";

#[resource(
    "note://{id}{?page}",
    name = "note",
    mime = "text/markdown",
    list = all,
    audience(user, assistant),
    priority = 1,
    cache(ttl = "5m", scope = "public")
)]
async fn note(notes: State<Notes>, id: String, page: Option<u32>, #[from_context] user: User) -> Result<Option<String>, String> {
    let _ = (notes, page, user);
    Ok(Some(id))
}

async fn all(_: &Ctx) -> Result<Vec<String>, String> {
    Ok(vec!["a".to_owned()])
}

#[resource("note://today", size = 5, cache(ttl = "0s"))]
fn today() -> Vec<u8> {
    b"hi".to_vec()
}

#[resource("notes://{a}/{b}", list = pairs, audience(user))]
fn pair(#[arg(complete = slow_languages)] a: String, #[arg(name = "b", complete = dialects)] other: u64) -> Json<(String, u64)> {
    Json((a, other))
}

fn pairs() -> Vec<(String, u64)> {
    Vec::new()
}

#[prompt(name = "review/it", title = "Review", group = "code", timeout = "5m")]
fn review(
    /// The code
    code: String,
    #[arg(complete = languages)] language: Option<String>,
) -> Messages {
    Messages::user(format!("{code} {language:?}"))
}

fn main() {}
