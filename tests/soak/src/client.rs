//! A blocking client on one keep-alive connection: HTTP/1.1 by hand, so that it can stop anywhere.

use std::io::{Error, ErrorKind, Read as _, Result, Write as _};
use std::net::{SocketAddr, TcpStream};
use std::time::Duration;

use serde_json::{Value, json};

/// Whatever takes longer has failed.
const PATIENCE: Duration = Duration::from_secs(30);

/// One connection.
#[derive(Debug)]
pub struct Client {
    stream: TcpStream,
    buffer: Vec<u8>,
}

/// What came back.
#[derive(Debug, Default)]
pub struct Response {
    pub status: u16,
    pub session: Option<String>,
    pub body: Vec<u8>,
}

impl Response {
    /// The text of the result, which is the last message of the body.
    pub fn text(&self) -> String {
        let body = String::from_utf8_lossy(&self.body);
        let last = body.lines().rfind(|line| line.len() > "data: ".len()).unwrap_or_default();
        let message: Value = serde_json::from_str(last.strip_prefix("data: ").unwrap_or(last)).unwrap_or_default();
        message["result"]["content"][0]["text"]
            .as_str()
            .map_or_else(|| format!("{} {body}", self.status), str::to_owned)
    }
}

impl Client {
    pub fn connect(address: SocketAddr) -> Result<Self> {
        let stream = TcpStream::connect(address)?;
        stream.set_nodelay(true)?;
        stream.set_read_timeout(Some(PATIENCE))?;
        stream.set_write_timeout(Some(PATIENCE))?;
        Ok(Self { stream, buffer: Vec::new() })
    }

    pub fn write(&mut self, bytes: &[u8]) -> Result<()> {
        self.stream.write_all(bytes)
    }

    /// Sends a request and reads its whole response.
    pub fn send(&mut self, request: &[u8]) -> Result<Response> {
        self.write(request)?;
        self.read()
    }

    /// Begins a session.
    pub fn session(&mut self) -> Result<String> {
        let response = self.send(&initialize())?;
        let text = response.text();
        response.session.ok_or_else(|| Error::other(format!("no session: {} {text}", response.status)))
    }

    fn fill(&mut self) -> Result<()> {
        let mut chunk = [0; 16 * 1024];
        let length = self.stream.read(&mut chunk)?;
        if length == 0 {
            return Err(ErrorKind::UnexpectedEof.into());
        }
        self.buffer.extend_from_slice(chunk.get(..length).unwrap_or_default());
        Ok(())
    }

    fn line(&mut self) -> Result<String> {
        loop {
            if let Some(end) = self.buffer.windows(2).position(|pair| pair == b"\r\n") {
                let line: Vec<u8> = self.buffer.drain(..end + 2).take(end).collect();
                return Ok(String::from_utf8_lossy(&line).into_owned());
            }
            self.fill()?;
        }
    }

    fn bytes(&mut self, count: usize) -> Result<Vec<u8>> {
        while self.buffer.len() < count {
            self.fill()?;
        }
        Ok(self.buffer.drain(..count).collect())
    }

    /// Reads the head of a response; the number is the length of its body, none when it comes in pieces.
    pub fn head(&mut self) -> Result<(Response, Option<usize>)> {
        let line = self.line()?;
        let status = line.split(' ').nth(1).and_then(|status| status.parse().ok());
        let mut response = Response { status: status.ok_or_else(|| Error::other(line))?, ..Response::default() };
        let mut length = Some(0);
        loop {
            let line = self.line()?;
            let Some((name, value)) = line.split_once(": ") else { return Ok((response, length)) };
            match name {
                "content-length" => length = value.parse().ok(),
                "transfer-encoding" => length = None,
                "mcp-session-id" => response.session = Some(value.to_owned()),
                _ => {}
            }
        }
    }

    /// A piece of a body; empty at its end.
    pub fn piece(&mut self) -> Result<Vec<u8>> {
        let line = self.line()?;
        let length = usize::from_str_radix(&line, 16).map_err(|_| Error::other(line))?;
        let piece = self.bytes(length)?;
        self.bytes(2)?;
        Ok(piece)
    }

    pub fn read(&mut self) -> Result<Response> {
        let (mut response, length) = self.head()?;
        if let Some(length) = length {
            response.body = self.bytes(length)?;
            return Ok(response);
        }
        loop {
            let piece = self.piece()?;
            if piece.is_empty() {
                return Ok(response);
            }
            response.body.extend(piece);
        }
    }
}

fn post(headers: &str, message: &Value) -> Vec<u8> {
    let body = message.to_string();
    format!(
        "POST /mcp HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\naccept: application/json, text/event-stream\r\n{headers}content-length: {}\r\n\r\n{body}",
        body.len()
    )
    .into_bytes()
}

/// A call of a tool: in a session, or in the revision that has none.
pub fn call(session: Option<&str>, tool: &str, arguments: &Value) -> Vec<u8> {
    let mut params = json!({"name": tool, "arguments": arguments, "_meta": {"progressToken": 1}});
    let headers = if let Some(session) = session {
        format!("mcp-protocol-version: 2025-11-25\r\nmcp-session-id: {session}\r\n")
    } else {
        params["_meta"]["io.modelcontextprotocol/protocolVersion"] = "2026-07-28".into();
        params["_meta"]["io.modelcontextprotocol/clientCapabilities"] = json!({});
        format!("mcp-protocol-version: 2026-07-28\r\nmcp-method: tools/call\r\nmcp-name: {tool}\r\n")
    };
    // Ids are a session's own, and two calls of one may overlap when a client was killed.
    static IDS: std::sync::atomic::AtomicU64 = std::sync::atomic::AtomicU64::new(1);
    let id = IDS.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
    post(&headers, &json!({"jsonrpc": "2.0", "id": id, "method": "tools/call", "params": params}))
}

fn initialize() -> Vec<u8> {
    let params =
        json!({"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "soak", "version": "1"}});
    post("", &json!({"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": params}))
}

/// A stream: a session's own, or a subscription.
pub fn listen(session: Option<&str>) -> Vec<u8> {
    if let Some(session) = session {
        return format!(
            "GET /mcp HTTP/1.1\r\nhost: localhost\r\naccept: text/event-stream\r\nmcp-session-id: {session}\r\n\r\n"
        )
        .into_bytes();
    }
    let meta = json!({
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientCapabilities": {},
    });
    let headers = "mcp-protocol-version: 2026-07-28\r\nmcp-method: subscriptions/listen\r\n";
    let params = json!({"notifications": {"toolsListChanged": true}, "_meta": meta});
    post(headers, &json!({"jsonrpc": "2.0", "id": 1, "method": "subscriptions/listen", "params": params}))
}
