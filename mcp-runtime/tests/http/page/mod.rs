//! The second table in the guide to protocol support: what works over which transport, on which revisions. A client over
//! each transport tries it.
//!
//! With `PROTOCOL_PAGE=overwrite` in the environment the table is written instead of compared.
#![cfg(unix)]

mod link;

use http::HeaderMap;
use mcp_runtime::prelude::*;
use mcp_runtime::{Revision, Server};
use serde_json::{Value, json};

use self::link::{Link, Transport, params};

const PAGE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/src/docs/protocol.md");

/// In the environment of the process that is served over standard input and output.
const SERVED: &str = "MCP_RUNTIME_PAGE";

/// Progress and logs.
#[tool(group = "page", name = "page_busy")]
async fn busy(ctx: &Ctx) {
    ctx.progress(1, 2).await;
    ctx.log(LogLevel::Error, "logged");
}

#[derive(Elicit)]
struct Sure {
    sure: bool,
}

/// A question.
#[tool(group = "page", name = "page_ask")]
fn ask(#[ask("Sure?")] sure: Sure) -> bool {
    sure.sure
}

/// Changes.
#[tool(group = "page", name = "page_change")]
fn change(ctx: &Ctx) {
    ctx.server().resource_updated("page://a");
}

/// A resource.
#[resource("page://a", group = "page", name = "page_a")]
fn a() -> &'static str {
    "a"
}

/// Whether a handler sees headers.
#[tool(group = "page", name = "page_headers")]
fn headers(#[from_context] headers: Option<HeaderMap>) -> bool {
    headers.is_some()
}

fn server() -> Server {
    Server::new("page", "1.0.0").group("page")
}

/// Not a test: the other end of standard input and output, when the page starts this program as a server.
#[tokio::test]
async fn serves_the_process_of_the_page() {
    if std::env::var_os(SERVED).is_some() {
        server().serve_stdio().await.unwrap();
    }
}

/// A client on one revision, and what it has heard beside answers.
struct Probe {
    link: Link,
    revision: Revision,
    heard: Vec<Value>,
    next_id: u64,
}

impl Probe {
    async fn new(transport: Transport, revision: Revision) -> Option<Self> {
        let mut probe =
            Self { link: Link::open(transport, revision, server()).await, revision, heard: Vec::new(), next_id: 0 };
        if !revision.is_modern() {
            let wanted = json!({"protocolVersion": revision.as_str(), "capabilities": {"elicitation": {}}, "clientInfo": {"name": "page", "version": "1"}});
            let begun = probe.request("initialize", wanted).await.ok()?;
            probe.link.send(&json!({"jsonrpc": "2.0", "method": "notifications/initialized"})).await;
            return (begun["protocolVersion"] == revision.as_str()).then_some(probe);
        }
        probe.request("server/discover", json!({})).await.is_ok().then_some(probe)
    }

    async fn request(&mut self, method: &str, of: Value) -> Result<Value, Value> {
        self.next_id += 1;
        let id = self.next_id;
        let of = params(self.revision, of);
        self.link.send(&json!({"jsonrpc": "2.0", "id": id, "method": method, "params": of})).await;
        loop {
            let mut message = self.link.next().await;
            if message["method"] == "elicitation/create" {
                let result = json!({"action": "accept", "content": {"sure": true}});
                self.link.send(&json!({"jsonrpc": "2.0", "id": message["id"], "result": result})).await;
            } else if message["id"] == id {
                return message.get_mut("result").map(Value::take).ok_or(message);
            } else {
                self.heard.push(message);
            }
        }
    }

    async fn call(&mut self, name: &str, mut more: Value) -> Value {
        more["name"] = name.into();
        self.request("tools/call", more).await.unwrap_or_default()
    }

    /// Whether a message of this method has come, or comes.
    async fn hears(&mut self, method: &str) -> bool {
        while !self.heard.iter().any(|message| message["method"] == method) {
            let message = self.link.next().await;
            self.heard.push(message);
        }
        true
    }

    async fn reports(&mut self) -> (bool, bool) {
        let mut meta = json!({"progressToken": "p"});
        if self.revision.is_modern() {
            meta["io.modelcontextprotocol/logLevel"] = "debug".into();
        } else {
            self.request("logging/setLevel", json!({"level": "debug"})).await.unwrap();
        }
        self.call("page_busy", json!({"_meta": meta})).await;
        let progress = self.hears("notifications/progress").await;
        (progress, self.hears("notifications/message").await)
    }

    async fn asks(&mut self) -> bool {
        let mut result = self.call("page_ask", json!({})).await;
        if result["resultType"] == "input_required" {
            let answers = json!({"sure": {"action": "accept", "content": {"sure": true}}});
            let retry = json!({"inputResponses": answers, "requestState": result["requestState"]});
            result = self.call("page_ask", retry).await;
        }
        result["content"][0]["text"] == "true"
    }

    async fn updates(&mut self) -> bool {
        if self.revision.is_modern() {
            let wanted = params(self.revision, json!({"notifications": {"resourceSubscriptions": ["page://a"]}}));
            let listen = json!({"jsonrpc": "2.0", "id": "listen", "method": "subscriptions/listen", "params": wanted});
            self.link.send(&listen).await;
            self.hears("notifications/subscriptions/acknowledged").await;
        } else {
            self.request("resources/subscribe", json!({"uri": "page://a"})).await.unwrap();
        }
        self.call("page_change", json!({})).await;
        self.hears("notifications/resources/updated").await
    }

    /// What is not taken as a batch is refused as a whole, with a null id or over HTTP with a status.
    async fn batches(&mut self) -> bool {
        let call = params(self.revision, json!({"name": "page_headers"}));
        let batch = json!([{"jsonrpc": "2.0", "id": "batch", "method": "tools/call", "params": call}]);
        self.link.send(&batch).await;
        loop {
            let message = self.link.next().await;
            let answers = message.as_array().cloned().unwrap_or_else(|| vec![message.clone()]);
            if let Some(answer) = answers.iter().find(|answer| answer["id"] == "batch") {
                return answer.get("result").is_some();
            }
            if message.get("error").is_some() {
                return false;
            }
        }
    }

    async fn headers(&mut self) -> bool {
        self.call("page_headers", json!({})).await["content"][0]["text"] == "true"
    }
}

const ROWS: [&str; 7] = [
    "tools, resources, prompts",
    "progress",
    "logs",
    "questions",
    "updates of resources",
    "batches of messages",
    "handlers see HTTP headers",
];

/// Whether each row works over a transport on a revision.
async fn cells(transport: Transport, revision: Revision) -> [bool; ROWS.len()] {
    let Some(mut probe) = Probe::new(transport, revision).await else { return [false; ROWS.len()] };
    let basics = probe.request("resources/read", json!({"uri": "page://a"})).await.is_ok();
    let (progress, logs) = probe.reports().await;
    let (questions, updates) = (probe.asks().await, probe.updates().await);
    let headers = probe.headers().await;
    // Last: a refusal may end more than the message.
    [basics, progress, logs, questions, updates, probe.batches().await, headers]
}

/// The revisions in words.
fn in_words(works: &[bool]) -> String {
    let names = Revision::ALL.map(Revision::as_str);
    let first = works.iter().position(|works| *works);
    let last = works.iter().rposition(|works| *works);
    let (Some(first), Some(last)) = (first, last) else { return "–".to_owned() };
    assert!(works[first..=last].iter().all(|works| *works), "revisions with a gap: {works:?}");
    match (first, last + 1 == works.len()) {
        (0, true) => "all".to_owned(),
        (_, true) if first == last => names[first].to_owned(),
        (_, true) => format!("from {}", names[first]),
        (0, false) if last > 0 => format!("until {}", names[last]),
        _ if first == last => names[first].to_owned(),
        _ => format!("{} to {}", names[first], names[last]),
    }
}

async fn table() -> String {
    let mut columns = Vec::new();
    for transport in Transport::ALL {
        let mut revisions = Vec::new();
        for revision in Revision::ALL {
            revisions.push(cells(transport, revision).await);
        }
        columns.push(revisions);
    }
    let names = Transport::ALL.map(Transport::name).join(" | ");
    let mut table = format!("| | {names} |\n|---|{}", "---|".repeat(columns.len()));
    for (row, name) in ROWS.iter().enumerate() {
        let cells = columns.iter().map(|column| {
            let works: Vec<bool> = column.iter().map(|cells| cells[row]).collect();
            in_words(&works)
        });
        let cells: Vec<String> = cells.collect();
        table.push_str(&["\n| ", name, " | ", &cells.join(" | "), " |"].concat());
    }
    table + "\n"
}

#[tokio::test]
async fn the_guide_to_protocol_support_is_right_about_transports() {
    let page = std::fs::read_to_string(PAGE).unwrap();
    let start = page.find("| | stdio |").expect("the table of transports");
    let end = page[start..].find("\n\n").map_or(page.len(), |length| start + length + 1);
    let table = table().await;
    if std::env::var("PROTOCOL_PAGE").is_ok_and(|value| value == "overwrite") {
        std::fs::write(PAGE, format!("{}{table}{}", &page[..start], &page[end..])).unwrap();
    } else {
        assert_eq!(&page[start..end], table);
    }
}
