//! A client that writes what it is told and reads what comes, so that the tests see the bytes and not a library's idea of them.

use std::fmt;
use std::net::SocketAddr;
use std::time::Duration;

use serde_json::{Value, json};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;
use tokio::time::timeout;

/// Whatever takes longer has failed.
pub const PATIENCE: Duration = Duration::from_secs(30);

/// A connection to a server.
pub struct Connection {
    stream: TcpStream,
    buffer: Vec<u8>,
}

/// A response, whose body may still come.
pub struct Response {
    pub status: u16,
    headers: Vec<(String, String)>,
    connection: Connection,
    framing: Framing,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Framing {
    Length(usize),
    Chunked,
    Ended,
}

impl fmt::Debug for Response {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {:?}", self.status, self.headers)
    }
}

impl Connection {
    pub async fn open(address: SocketAddr) -> Self {
        Self { stream: TcpStream::connect(address).await.unwrap(), buffer: Vec::new() }
    }

    pub async fn write(&mut self, bytes: impl AsRef<[u8]>) {
        self.stream.write_all(bytes.as_ref()).await.unwrap();
    }

    /// Writes as far as the other side lets.
    pub async fn try_write(&mut self, bytes: impl AsRef<[u8]>) -> std::io::Result<()> {
        self.stream.write_all(bytes.as_ref()).await
    }

    /// Sends a request and reads the head of its response.
    pub async fn send(mut self, request: &Request) -> Response {
        self.write(request.bytes()).await;
        self.response().await
    }

    async fn fill(&mut self) -> usize {
        let read = timeout(PATIENCE, self.stream.read_buf(&mut self.buffer)).await;
        read.expect("the server says nothing").unwrap_or(0)
    }

    /// Ends what is sent, and goes on to read.
    pub async fn close_half(&mut self) {
        // The server may have closed it already.
        drop(self.stream.shutdown().await);
    }

    /// Leaves without taking leave: what the server writes from now on is refused.
    pub fn reset(self) {
        self.stream.set_zero_linger().unwrap();
    }

    /// Whether the server closes the connection without another word.
    pub async fn is_closed(&mut self) -> bool {
        self.fill().await == 0
    }

    async fn line(&mut self) -> Option<String> {
        loop {
            if let Some(end) = self.buffer.windows(2).position(|pair| pair == b"\r\n") {
                let line = String::from_utf8_lossy(&self.buffer[..end]).into_owned();
                self.buffer.drain(..end + 2);
                return Some(line);
            }
            if self.fill().await == 0 {
                return None;
            }
        }
    }

    pub async fn response(mut self) -> Response {
        let status = self.line().await.expect("the connection was closed without a response");
        let status =
            status.split(' ').nth(1).and_then(|status| status.parse().ok()).unwrap_or_else(|| panic!("{status:?}"));
        let mut headers = Vec::new();
        while let Some(line) = self.line().await.filter(|line| !line.is_empty()) {
            let (name, value) = line.split_once(':').unwrap();
            headers.push((name.to_ascii_lowercase(), value.trim().to_owned()));
        }
        let find = |name| headers.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_str());
        let framing = if find("transfer-encoding").is_some() {
            Framing::Chunked
        } else {
            Framing::Length(find("content-length").and_then(|length| length.parse().ok()).unwrap_or(0))
        };
        Response { status, headers, connection: self, framing }
    }
}

impl Response {
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_str())
    }

    pub fn is_events(&self) -> bool {
        self.header("content-type") == Some("text/event-stream")
    }

    /// The next piece of the body, `None` at its end.
    async fn piece(&mut self) -> Option<Vec<u8>> {
        match self.framing {
            Framing::Ended | Framing::Length(0) => None,
            Framing::Length(length) => {
                while self.connection.buffer.len() < length {
                    assert_ne!(self.connection.fill().await, 0, "the body is cut off");
                }
                self.framing = Framing::Ended;
                Some(self.connection.buffer.drain(..length).collect())
            }
            Framing::Chunked => {
                let line = self.connection.line().await?;
                let length = usize::from_str_radix(&line, 16).unwrap_or_else(|_| panic!("{line:?}"));
                while self.connection.buffer.len() < length + 2 {
                    if self.connection.fill().await == 0 {
                        return None;
                    }
                }
                let piece: Vec<u8> = self.connection.buffer.drain(..length + 2).collect();
                if length == 0 {
                    self.framing = Framing::Ended;
                    return None;
                }
                Some(piece[..length].to_vec())
            }
        }
    }

    /// The whole body.
    pub async fn text(&mut self) -> String {
        let mut body = Vec::new();
        while let Some(piece) = self.piece().await {
            body.extend(piece);
        }
        String::from_utf8(body).unwrap()
    }

    /// The whole body as JSON.
    pub async fn json(&mut self) -> Value {
        let text = self.text().await;
        serde_json::from_str(&text).unwrap_or_else(|_| panic!("{} {text:?}", self.status))
    }

    /// The code of the error that the body is; 0 when it is none.
    pub async fn code(&mut self) -> i64 {
        self.json().await["error"]["code"].as_i64().unwrap_or_default()
    }

    /// Reads the body as events.
    pub fn events(self) -> Events {
        assert!(self.is_events(), "{self:?}");
        Events { response: self, text: String::new() }
    }

    /// The connection, for another request; the body has been read.
    pub fn connection(self) -> Connection {
        self.connection
    }
}

/// A body of events.
pub struct Events {
    response: Response,
    text: String,
}

/// One event.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Event {
    pub id: Option<String>,
    pub name: Option<String>,
    pub retry: Option<String>,
    pub data: Option<String>,
}

impl Event {
    pub fn json(&self) -> Value {
        serde_json::from_str(self.data.as_deref().unwrap()).unwrap()
    }
}

impl Events {
    /// The next event that is no comment, `None` at the end.
    pub async fn next(&mut self) -> Option<Event> {
        loop {
            while let Some(end) = self.text.find("\n\n") {
                let text: String = self.text.drain(..end + 2).collect();
                let mut event = Event::default();
                for line in text.lines().filter(|line| !line.is_empty() && !line.starts_with(':')) {
                    let (field, value) = line.split_once(':').unwrap();
                    let value = value.strip_prefix(' ').unwrap_or(value).to_owned();
                    match field {
                        "id" => event.id = Some(value),
                        "event" => event.name = Some(value),
                        "retry" => event.retry = Some(value),
                        "data" => event.data = Some(value),
                        _ => panic!("{line}"),
                    }
                }
                if event != Event::default() {
                    return Some(event);
                }
            }
            let piece = self.response.piece().await?;
            self.text.push_str(std::str::from_utf8(&piece).unwrap());
        }
    }

    /// The next message.
    pub async fn message(&mut self) -> Value {
        loop {
            let event = self.next().await.expect("the stream has ended");
            if event.data.as_deref().is_some_and(|data| !data.is_empty()) {
                return event.json();
            }
        }
    }

    /// The connection, with whatever still comes.
    pub fn connection(self) -> Connection {
        self.response.connection
    }

    /// All messages to the end.
    pub async fn messages(&mut self) -> Vec<Value> {
        let mut messages = Vec::new();
        while let Some(event) = self.next().await {
            if event.data.as_deref().is_some_and(|data| !data.is_empty()) {
                messages.push(event.json());
            }
        }
        messages
    }

    /// The next line of raw text, comments included.
    pub async fn raw(&mut self) -> Option<String> {
        if !self.text.is_empty() {
            return Some(std::mem::take(&mut self.text));
        }
        let piece = self.response.piece().await?;
        Some(String::from_utf8(piece).unwrap())
    }
}

/// A request, before it is written.
#[derive(Clone, Debug)]
pub struct Request {
    method: &'static str,
    path: String,
    headers: Vec<(String, String)>,
    body: Option<String>,
}

impl Request {
    pub fn new(method: &'static str) -> Self {
        let headers = [("host", "localhost"), ("accept", "application/json, text/event-stream")];
        let headers = headers.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect();
        Self { method, path: "/mcp".to_owned(), headers, body: None }
    }

    /// A body, whatever it is.
    pub fn with_body(self, body: String) -> Self {
        Self { body: Some(body), ..self }
    }

    /// A message that is posted.
    pub fn post(body: impl ToString) -> Self {
        Self { body: Some(body.to_string()), ..Self::new("POST").header("content-type", "application/json") }
    }

    /// A request of 2026-07-28 with all its headers.
    pub fn modern(method: &str, params: Value) -> Self {
        Self::modern_with(7.into(), method, params)
    }

    pub fn modern_with(id: Value, method: &str, mut params: Value) -> Self {
        let name = params.get("name").or(params.get("uri")).and_then(Value::as_str).map(str::to_owned);
        let meta = params.as_object_mut().unwrap().entry("_meta").or_insert(json!({}));
        meta["io.modelcontextprotocol/protocolVersion"] = "2026-07-28".into();
        meta["io.modelcontextprotocol/clientCapabilities"] = json!({});
        let request = Self::post(json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params}));
        let request = request.header("mcp-protocol-version", "2026-07-28").header("mcp-method", method);
        match name {
            Some(name) => request.header("mcp-name", &name),
            None => request,
        }
    }

    /// A call of a tool.
    pub fn call(name: &str, arguments: Value) -> Self {
        Self::modern("tools/call", json!({"name": name, "arguments": arguments}))
    }

    /// A request in a session.
    pub fn legacy(session: &str, id: impl Into<Value>, method: &str, params: Value) -> Self {
        Self::post(json!({"jsonrpc": "2.0", "id": id.into(), "method": method, "params": params}))
            .header("mcp-session-id", session)
    }

    pub fn path(self, path: &str) -> Self {
        Self { path: path.to_owned(), ..self }
    }

    /// Sets a header in place of the one that is there.
    pub fn header(self, name: &str, value: &str) -> Self {
        self.without(name).and(name, value)
    }

    /// Adds a header, even if it is there already.
    pub fn and(mut self, name: &str, value: &str) -> Self {
        self.headers.push((name.to_owned(), value.to_owned()));
        self
    }

    pub fn without(mut self, name: &str) -> Self {
        self.headers.retain(|(known, _)| !known.eq_ignore_ascii_case(name));
        self
    }

    /// The message with something changed.
    pub fn body(self, change: impl FnOnce(&mut Value)) -> Self {
        let mut body: Value = serde_json::from_str(self.body.as_deref().unwrap()).unwrap();
        change(&mut body);
        Self { body: Some(body.to_string()), ..self }
    }

    pub fn bytes(&self) -> Vec<u8> {
        use std::fmt::Write as _;
        let mut text = format!("{} {} HTTP/1.1\r\n", self.method, self.path);
        for (name, value) in &self.headers {
            write!(text, "{name}: {value}\r\n").unwrap();
        }
        if let Some(body) = &self.body {
            write!(text, "content-length: {}\r\n\r\n{body}", body.len()).unwrap();
        } else {
            text.push_str("\r\n");
        }
        text.into_bytes()
    }
}
