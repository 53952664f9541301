//! A client on sockets: HTTP/1.1 by hand, blocking, with answers as JSON or as an event stream.

use std::io::{Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use crate::Result;
use crate::message::{self, Ask, Era, INITIALIZE, INITIALIZED};
use crate::process::Process;

/// A server that listens.
#[derive(Debug)]
pub struct Site {
    pub process: Process,
    address: String,
}

impl Site {
    /// Starts a server, on an address that `command` is given, and waits until it accepts.
    pub fn open(command: impl FnOnce(&str) -> Command) -> Result<Self> {
        let address = TcpListener::bind("127.0.0.1:0")?.local_addr()?.to_string();
        let process =
            Process::start(command(&address).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()))?;
        let deadline = Instant::now() + Duration::from_secs(20);
        while let Err(error) = TcpStream::connect(&address) {
            if Instant::now() > deadline {
                return Err(error.into());
            }
            std::thread::sleep(Duration::from_millis(5));
        }
        Ok(Self { process, address })
    }

    /// A new connection; in the legacy era with a session (if the server keeps them).
    pub fn connect(&self, era: Era) -> Result<Connection> {
        let stream = TcpStream::connect(&self.address)?;
        stream.set_nodelay(true)?;
        stream.set_read_timeout(Some(Duration::from_secs(20)))?;
        let mut connection =
            Connection { stream, address: self.address.clone(), era, buffer: Vec::new(), session: None, last_id: 0 };
        if era == Era::Legacy {
            connection.initialize()?;
        }
        Ok(connection)
    }
}

/// One keep-alive connection.
#[derive(Debug)]
pub struct Connection {
    stream: TcpStream,
    address: String,
    era: Era,
    buffer: Vec<u8>,
    session: Option<String>,
    last_id: u64,
}

struct Response {
    status: u16,
    session: Option<String>,
    is_stream: bool,
    body: Vec<u8>,
}

impl Connection {
    /// Opens a session; an earlier one of this connection is left idle.
    pub fn initialize(&mut self) -> Result<()> {
        self.session = None;
        self.post("", INITIALIZE.as_bytes())?;
        let response = self.read()?;
        if response.status != 200 || !response.body.windows(12).any(|part| part == b"\"serverInfo\"") {
            return Err(
                format!("not initialized: {} {}", response.status, String::from_utf8_lossy(&response.body)).into()
            );
        }
        self.session = response.session;
        self.post("MCP-Protocol-Version: 2025-11-25\r\n", INITIALIZED.as_bytes())?;
        match self.read()?.status {
            202 => Ok(()),
            status => Err(format!("`initialized` is answered with {status}").into()),
        }
    }

    /// One request, and its answer.
    pub fn call(&mut self, ask: &Ask) -> Result<()> {
        self.send(ask)?;
        self.receive(ask)
    }

    pub fn send(&mut self, ask: &Ask) -> Result<()> {
        self.last_id += 1;
        let mut body = Vec::new();
        ask.write(self.last_id, self.era, &mut body)?;
        let headers = match (self.era, ask.name()) {
            (Era::Legacy, _) => "MCP-Protocol-Version: 2025-11-25\r\n".to_owned(),
            (Era::Modern, Some(name)) => {
                format!("MCP-Protocol-Version: 2026-07-28\r\nMcp-Method: {}\r\nMcp-Name: {name}\r\n", ask.method())
            }
            (Era::Modern, None) => format!("MCP-Protocol-Version: 2026-07-28\r\nMcp-Method: {}\r\n", ask.method()),
        };
        self.post(&headers, &body)
    }

    pub fn receive(&mut self, ask: &Ask) -> Result<()> {
        let response = self.read()?;
        if response.status != 200 {
            return Err(format!(
                "{} is answered with {} {}",
                ask.method(),
                response.status,
                String::from_utf8_lossy(&response.body)
            )
            .into());
        }
        let messages = response.messages();
        let (answer, before) = messages.split_last().ok_or("an empty answer")?;
        let steps = if let Ask::Count(to) = ask { *to } else { 0 };
        if before.len() != steps as usize {
            return Err(format!("{} notifications instead of {steps}", before.len()).into());
        }
        for (step, message) in (1..).zip(before) {
            message::check_progress(step, message)?;
        }
        ask.check(self.last_id, answer)
    }

    fn post(&mut self, headers: &str, body: &[u8]) -> Result<()> {
        let session = self.session.as_ref().map(|id| format!("Mcp-Session-Id: {id}\r\n")).unwrap_or_default();
        let mut request = format!(
            "POST /mcp HTTP/1.1\r\nHost: {}\r\nContent-Type: application/json\r\nAccept: application/json, text/event-stream\r\n{session}{headers}Content-Length: {}\r\n\r\n",
            self.address,
            body.len()
        )
        .into_bytes();
        request.extend_from_slice(body);
        Ok(self.stream.write_all(&request)?)
    }

    fn read(&mut self) -> Result<Response> {
        let end = loop {
            match find(&self.buffer, b"\r\n\r\n") {
                Some(end) => break end + 4,
                None => self.fill()?,
            }
        };
        let head = String::from_utf8(self.buffer.drain(..end).collect())?;
        let header = |name: &str| {
            head.lines()
                .filter_map(|line| line.split_once(':'))
                .find(|(key, _)| key.eq_ignore_ascii_case(name))
                .map(|(_, value)| value.trim())
        };
        let status: u16 = head.split(' ').nth(1).ok_or("no status")?.parse()?;
        let is_stream = header("content-type").is_some_and(|kind| kind.starts_with("text/event-stream"));
        let session = header("mcp-session-id").map(str::to_owned);
        let body = if header("transfer-encoding").is_some_and(|coding| coding.eq_ignore_ascii_case("chunked")) {
            self.chunks()?
        } else {
            self.take(header("content-length").unwrap_or("0").parse()?)?
        };
        Ok(Response { status, session, is_stream, body })
    }

    fn chunks(&mut self) -> Result<Vec<u8>> {
        // Read in place: the chunks of 10,000 events are small.
        let (mut body, mut at) = (Vec::new(), 0);
        loop {
            let end = loop {
                match find(&self.buffer[at..], b"\r\n") {
                    Some(length) => break at + length,
                    None => self.fill()?,
                }
            };
            let size = usize::from_str_radix(std::str::from_utf8(&self.buffer[at..end])?.trim(), 16)?;
            while self.buffer.len() < end + 2 + size + 2 {
                self.fill()?;
            }
            body.extend_from_slice(&self.buffer[end + 2..end + 2 + size]);
            at = end + 2 + size + 2;
            if size == 0 {
                self.buffer.drain(..at);
                return Ok(body);
            }
        }
    }

    fn take(&mut self, length: usize) -> Result<Vec<u8>> {
        while self.buffer.len() < length {
            self.fill()?;
        }
        Ok(self.buffer.drain(..length).collect())
    }

    fn fill(&mut self) -> Result<()> {
        let mut chunk = [0; 1 << 16];
        match self.stream.read(&mut chunk)? {
            0 => Err("the server has closed the connection".into()),
            length => {
                self.buffer.extend_from_slice(&chunk[..length]);
                Ok(())
            }
        }
    }
}

impl Response {
    fn messages(&self) -> Vec<&[u8]> {
        if !self.is_stream {
            return vec![&self.body];
        }
        // One line of data per event is what all of these servers send; empty ones carry an id only.
        let lines = self.body.split(|byte| *byte == b'\n').filter_map(|line| line.strip_prefix(b"data:"));
        lines.map(<[u8]>::trim_ascii).filter(|data| !data.is_empty()).collect()
    }
}

fn find(bytes: &[u8], what: &[u8]) -> Option<usize> {
    bytes.windows(what.len()).position(|part| part == what)
}
