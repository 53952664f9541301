//! The table in the guide to protocol support says what a server really does on each revision.
//!
//! With `PROTOCOL_PAGE=overwrite` in the environment the table is written instead of compared.

use mcp_runtime::prelude::*;
use mcp_runtime::testing::Client;
use mcp_runtime::{CacheScope, Revision, Server};
use serde_json::{Value, json};

const PAGE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../mcp-runtime/src/docs/protocol.md");

/// Everything that a tool can be.
#[tool(title = "Full", icon = "https://example.com/icon.png", read_only)]
fn full() -> Json<Vec<u8>> {
    Json(vec![1])
}

/// An object.
#[tool]
fn object() -> Json<std::collections::BTreeMap<String, u8>> {
    Json(std::collections::BTreeMap::new())
}

/// Sound.
#[tool]
fn sound() -> Audio {
    Audio::wav([0])
}

/// A link.
#[tool]
fn link() -> ResourceLink {
    ResourceLink::new("test://a", "a")
}

/// Progress and logs.
#[tool]
async fn busy(ctx: &Ctx) {
    ctx.progress_message(1, 2, "half").await;
    ctx.log(LogLevel::Error, "logged");
}

/// Changes.
#[tool]
fn change(ctx: &Ctx) {
    ctx.server().resource_updated("test://a");
    ctx.server().tools().disable("link");
}

/// A resource.
#[resource("test://a")]
fn a() -> &'static str {
    "a"
}

/// A prompt.
#[prompt]
fn ask(#[arg(complete = letters)] letter: String) -> String {
    letter
}

fn letters(_: &str, _: &CompletionContext) -> Vec<&'static str> {
    vec!["a"]
}

/// One revision's client, and what was asked of it.
struct Probe {
    client: Client,
    revision: Revision,
}

const YES: &str = "yes";
const NO: &str = "–";

fn yes(is_there: bool) -> String {
    if is_there { YES } else { NO }.to_owned()
}

impl Probe {
    async fn new(revision: Revision) -> Self {
        let server = Server::new("probe", "1.0.0").cache(std::time::Duration::from_secs(60), CacheScope::Public);
        Self { client: Client::with_revision(revision).connect(server).await.unwrap(), revision }
    }

    async fn has(&self, method: &str, params: Value) -> bool {
        self.client.request(method, params).await.is_ok()
    }

    async fn tool(&self, name: &str) -> Value {
        let tools = self.client.list_tools().await.unwrap();
        tools.into_iter().find(|tool| tool["name"] == name).unwrap()
    }

    async fn kind(&self, tool: &str) -> String {
        let result = self.client.call(tool, json!({})).await.unwrap();
        let kinds: Vec<_> = result.content().iter().filter_map(|block| block["type"].as_str()).collect();
        kinds.join(", ")
    }

    async fn begin(&self) -> String {
        let discover = self.has("server/discover", json!({})).await;
        if discover { "server/discover, or none" } else { "initialize" }.to_owned()
    }

    async fn basics(&self) -> String {
        let tools = self.client.list_tools().await.is_ok() && self.client.call("object", json!({})).await.is_ok();
        let resources = self.client.list_templates().await.is_ok() && self.client.read("test://a").await.is_ok();
        yes(tools && resources && self.client.prompt("ask", json!({"letter": "a"})).await.is_ok())
    }

    async fn structured(&self) -> String {
        let has = async |name| !self.client.call(name, json!({})).await.unwrap().structured().is_null();
        match (has("object").await, self.client.call("full", json!({})).await.unwrap().structured()) {
            (false, _) => NO.to_owned(),
            (true, Value::Array(_)) => "any value".to_owned(),
            (true, _) => "objects".to_owned(),
        }
    }

    /// A batch has been read when the call in it reports progress.
    async fn batches(&self) -> String {
        let mut meta = json!({"progressToken": "in a batch"});
        if self.revision.is_modern() {
            meta["io.modelcontextprotocol/protocolVersion"] = self.revision.as_str().into();
            meta["io.modelcontextprotocol/clientCapabilities"] = json!({});
        }
        let call = json!({"name": "busy", "_meta": meta});
        self.client
            .send(json!([{"jsonrpc": "2.0", "id": "batch", "method": "tools/call", "params": call}]).to_string());
        self.client.list_prompts().await.unwrap();
        let heard = self.client.notifications();
        yes(heard.iter().any(|message| message["params"]["progressToken"] == "in a batch"))
    }

    async fn busy(&self) -> (String, String) {
        if self.revision.is_modern() {
            let meta = json!({"progressToken": 1, "io.modelcontextprotocol/logLevel": "debug"});
            self.client.request("tools/call", json!({"name": "busy", "_meta": meta})).await.unwrap();
        } else {
            self.client.request("logging/setLevel", json!({"level": "debug"})).await.unwrap();
            let meta = json!({"progressToken": 1});
            self.client.request("tools/call", json!({"name": "busy", "_meta": meta})).await.unwrap();
        }
        let heard = self.client.notifications();
        let find = |method: &str| heard.iter().find(|message| message["method"] == method);
        let progress = match find("notifications/progress") {
            Some(report) if report["params"]["message"].is_string() => "with text",
            Some(_) => "numbers",
            None => NO,
        };
        let log = match find("notifications/message") {
            Some(_) if self.revision.is_modern() => "by `logLevel` of a request",
            Some(_) => "by `logging/setLevel`",
            None => NO,
        };
        (progress.to_owned(), log.to_owned())
    }

    /// Subscribes, changes things, and says by which messages the client heard of it.
    async fn changes(&self) -> (String, String) {
        let _listen;
        let how = if self.revision.is_modern() {
            let wanted = json!({"notifications": {"toolsListChanged": true, "resourceSubscriptions": ["test://a"]}});
            _listen = self.client.begin("subscriptions/listen", wanted);
            self.client.notified("notifications/subscriptions/acknowledged").await.unwrap();
            "by `subscriptions/listen`"
        } else {
            self.client.request("resources/subscribe", json!({"uri": "test://a"})).await.unwrap();
            "by `resources/subscribe`"
        };
        self.client.call("change", json!({})).await.unwrap();
        self.client.notified("notifications/resources/updated").await.unwrap();
        self.client.notified("notifications/tools/list_changed").await.unwrap();
        let lists = if self.revision.is_modern() { how } else { YES };
        (how.to_owned(), lists.to_owned())
    }
}

/// The rows of one revision's column.
async fn column(revision: Revision) -> Vec<(&'static str, String)> {
    let probe = Probe::new(revision).await;
    let full = probe.tool("full").await;
    let (progress, logs) = probe.busy().await;
    let list = probe.client.request("tools/list", json!({})).await.unwrap();
    let mut rows = vec![
        ("how a client begins", probe.begin().await),
        ("tools, resources, templates, prompts", probe.basics().await),
        ("completion", yes(probe.client.complete("ask", "letter", "").await.is_ok())),
        ("pages of lists", yes(probe.has("tools/list", json!({"cursor": null})).await)),
        ("`title`", yes(full["title"].is_string())),
        ("`icon`", yes(full["icons"].is_array())),
        ("`read_only` and other hints", yes(full["annotations"].is_object())),
        ("output schemas", yes(!full["outputSchema"].is_null())),
        ("structured content", probe.structured().await),
        ("[`Audio`](crate::Audio) arrives as", probe.kind("sound").await),
        ("[`ResourceLink`](crate::ResourceLink) arrives as", probe.kind("link").await),
        ("progress", progress),
        ("logs", logs),
        ("`cache` hints", yes(list["ttlMs"].is_number())),
        ("batches of messages", probe.batches().await),
        ("`ping`", yes(probe.has("ping", json!({})).await)),
    ];
    let (updates, lists) = probe.changes().await;
    rows.extend([("updates of resources", updates), ("changes of lists", lists)]);
    rows
}

async fn table() -> String {
    let mut columns = Vec::new();
    for revision in Revision::ALL {
        columns.push(column(revision).await);
    }
    let mut table = String::from("| |");
    for revision in Revision::ALL {
        table += &format!(" {revision} |");
    }
    table += "\n|---|";
    table += &"---|".repeat(columns.len());
    for (row, (name, _)) in columns[0].iter().enumerate() {
        table += &format!("\n| {name} |");
        for column in &columns {
            table += &format!(" {} |", column[row].1);
        }
    }
    table + "\n"
}

#[tokio::test]
async fn the_guide_to_protocol_support_tells_the_truth() {
    let page = std::fs::read_to_string(PAGE).unwrap();
    let (before, rest) = page.split_at(page.find("| |").unwrap_or(page.len()));
    let after = rest.find("\n\n").map_or("", |end| &rest[end + 1..]);
    let table = table().await;
    if std::env::var("PROTOCOL_PAGE").is_ok_and(|value| value == "overwrite") {
        std::fs::write(PAGE, format!("{before}{table}{after}")).unwrap();
    } else {
        assert_eq!(rest.strip_suffix(after).unwrap(), table);
    }
}
