//! A client over each transport, seen as one thing: messages go out, messages come in.

use std::process::Stdio;
use std::time::Duration;

use mcp_runtime::{Revision, Server};
use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt as _, AsyncRead, AsyncWrite, AsyncWriteExt as _, BufReader};
use tokio::net::UnixStream;
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};
use tokio::task::JoinSet;

use crate::client::{Connection, Events, PATIENCE, Request};
use crate::server::get;

/// The columns of the table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Transport {
    Stdio,
    Unix,
    Http,
    Sse,
}

impl Transport {
    pub const ALL: [Self; 4] = [Self::Stdio, Self::Unix, Self::Http, Self::Sse];

    pub const fn name(self) -> &'static str {
        match self {
            Self::Stdio => "stdio",
            Self::Unix => "Unix socket",
            Self::Http => "Streamable HTTP",
            Self::Sse => "HTTP+SSE",
        }
    }
}

/// A client that is connected to a server of its own.
pub struct Link {
    out: Out,
    arrived: UnboundedReceiver<Value>,
    arriving: UnboundedSender<Value>,
    /// What reads and serves, ended with the link.
    tasks: JoinSet<()>,
    /// What ends or goes away with it: a process, a folder.
    kept: Vec<Box<dyn Send>>,
}

/// Where messages go.
enum Out {
    Lines(Box<dyn AsyncWrite + Send + Unpin>),
    Posts { address: std::net::SocketAddr, path: String, session: Option<String>, revision: Revision },
}

/// A folder for a socket.
struct Folder(std::path::PathBuf);

impl Drop for Folder {
    fn drop(&mut self) {
        drop(std::fs::remove_dir_all(&self.0));
    }
}

impl Link {
    pub async fn open(transport: Transport, revision: Revision, server: Server) -> Self {
        let (arriving, arrived) = unbounded_channel();
        let mut link = Self {
            out: Out::Lines(Box::new(tokio::io::sink())),
            arrived,
            arriving,
            tasks: JoinSet::new(),
            kept: Vec::new(),
        };
        match transport {
            Transport::Stdio => link.start_process(),
            Transport::Unix => link.serve_unix(server).await,
            Transport::Http => link.serve_http(server, revision).await,
            Transport::Sse => link.serve_sse(server, revision).await,
        }
        link
    }

    fn read_lines(&mut self, from: impl AsyncRead + Send + Unpin + 'static) {
        let arriving = self.arriving.clone();
        self.tasks.spawn(async move {
            let mut lines = BufReader::new(from).lines();
            while let Ok(Some(line)) = lines.next_line().await {
                // The test harness of the process says a few lines of its own.
                drop(serde_json::from_str(&line).map(|message| arriving.send(message)));
            }
        });
    }

    fn start_process(&mut self) {
        let mut process = tokio::process::Command::new(std::env::current_exe().unwrap())
            .args(["--exact", "page::serves_the_process_of_the_page", "--nocapture"])
            .env(super::SERVED, "stdio")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .kill_on_drop(true)
            .spawn()
            .unwrap();
        self.out = Out::Lines(Box::new(process.stdin.take().unwrap()));
        self.read_lines(process.stdout.take().unwrap());
        self.kept.push(Box::new(process));
    }

    async fn serve_unix(&mut self, server: Server) {
        let name = format!("mcp-page-{}-{:p}", std::process::id(), self);
        let folder = std::env::temp_dir().join(name);
        std::fs::create_dir_all(&folder).unwrap();
        let path = folder.join("socket");
        let serving = path.clone();
        self.tasks.spawn(async move { server.serve_unix(serving).await.unwrap() });
        let stream = loop {
            match UnixStream::connect(&path).await {
                Ok(stream) => break stream,
                Err(_) => tokio::time::sleep(Duration::from_millis(1)).await,
            }
        };
        let (input, output) = stream.into_split();
        self.read_lines(input);
        self.out = Out::Lines(Box::new(output));
        self.kept.push(Box::new(Folder(folder)));
    }

    async fn listen(&mut self, server: Server) -> std::net::SocketAddr {
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let server = server.build().unwrap();
        self.tasks.spawn(async move { server.serve_http_on(listener).await.unwrap() });
        address
    }

    async fn serve_http(&mut self, server: Server, revision: Revision) {
        let address = self.listen(server).await;
        self.out = Out::Posts { address, path: "/mcp".to_owned(), session: None, revision };
    }

    async fn serve_sse(&mut self, server: Server, revision: Revision) {
        let address = self.listen(server.http_sse("/sse", "/messages")).await;
        let request = Request::new("GET").path("/sse").header("accept", "text/event-stream");
        let mut events = Connection::open(address).await.send(&request).await.events();
        let path = events.next().await.unwrap().data.unwrap();
        self.read_events(events);
        self.out = Out::Posts { address, path, session: None, revision };
    }

    fn read_events(&mut self, events: Events) {
        self.tasks.spawn(forward(events, self.arriving.clone()));
    }

    /// Sends a message, and returns before its answer comes.
    pub async fn send(&mut self, message: &Value) {
        let (address, request) = match &mut self.out {
            Out::Lines(lines) => return lines.write_all(format!("{message}\n").as_bytes()).await.unwrap(),
            Out::Posts { address, path, session, revision } => {
                let mut request = Request::post(message).path(path);
                if let Some(session) = session {
                    request = request.header("mcp-session-id", session);
                }
                if path == "/mcp" && revision.is_modern() {
                    request = modern(request, message);
                }
                (*address, request)
            }
        };
        let connection = Connection::open(address).await;
        if message["method"] == "initialize" {
            let response = connection.send(&request).await;
            self.begin_session(address, response).await;
            return;
        }
        let arriving = self.arriving.clone();
        self.tasks.spawn(async move {
            let mut response = connection.send(&request).await;
            if response.is_events() {
                forward(response.events(), arriving).await;
            } else if let Ok(message) = serde_json::from_str(&response.text().await) {
                drop(arriving.send(message));
            }
        });
    }

    /// Keeps the session's id and opens its stream, where there is one.
    async fn begin_session(&mut self, address: std::net::SocketAddr, mut response: crate::client::Response) {
        let text = response.text().await;
        let Some(id) = response.header("mcp-session-id").map(str::to_owned) else { return };
        let events = Connection::open(address).await.send(&get(&id)).await.events();
        self.read_events(events);
        if let Out::Posts { session, .. } = &mut self.out {
            *session = Some(id);
        }
        drop(serde_json::from_str(&text).map(|message| self.arriving.send(message)));
    }

    pub async fn next(&mut self) -> Value {
        let message = tokio::time::timeout(PATIENCE, self.arrived.recv()).await;
        message.expect("the server says nothing").expect("the link keeps a sender")
    }
}

async fn forward(mut events: Events, arriving: UnboundedSender<Value>) {
    while let Some(event) = events.next().await {
        if event.data.as_deref().is_some_and(|data| !data.is_empty()) {
            drop(arriving.send(event.json()));
        }
    }
}

/// The headers that 2026-07-28 wants.
fn modern(request: Request, message: &Value) -> Request {
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let request = request.header("mcp-protocol-version", "2026-07-28").header("mcp-method", &text(&message["method"]));
    match message["params"].get("name").or(message["params"].get("uri")) {
        Some(name) => request.header("mcp-name", &text(name)),
        None => request,
    }
}

/// A request's parameters as the revision wants them.
pub fn params(revision: Revision, mut params: Value) -> Value {
    if revision.is_modern() {
        let meta = params.as_object_mut().unwrap().entry("_meta").or_insert_with(|| json!({}));
        meta["io.modelcontextprotocol/protocolVersion"] = revision.as_str().into();
        meta["io.modelcontextprotocol/clientCapabilities"] = json!({"elicitation": {}});
    }
    params
}
