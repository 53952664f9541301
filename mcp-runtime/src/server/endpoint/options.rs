//! The choices of a server that is reached over HTTP, and the builder's methods for them.

use std::time::Duration;

use crate::server::Server;

/// The choices of a server that is reached over HTTP.
#[derive(Clone, Debug)]
pub(crate) struct HttpOptions {
    /// Where `serve_http` has the endpoint.
    pub(crate) path: String,
    /// Hosts by which the server may be called, beside those of this machine.
    pub(crate) hosts: Vec<String>,
    /// Origins of web pages that may call the server, beside those of this machine.
    pub(crate) origins: Vec<String>,
    pub(crate) max_body: usize,
    /// How long a client may take to send its headers, or its body.
    pub(crate) read_timeout: Duration,
    pub(crate) max_connections: usize,
    pub(crate) max_in_flight: usize,
    pub(crate) max_streams: usize,
    /// How often a stream on which nothing happens is shown to be alive.
    pub(crate) keep_alive: Duration,
    pub(crate) sessions: bool,
    pub(crate) session_max_age: Duration,
    /// The two routes of 2024-11-05: the stream's, and that of the messages.
    pub(crate) two_routes: Option<(String, String)>,
}

impl Default for HttpOptions {
    fn default() -> Self {
        Self {
            path: "/mcp".to_owned(),
            hosts: Vec::new(),
            origins: Vec::new(),
            max_body: 4 * 1024 * 1024,
            read_timeout: Duration::from_secs(30),
            max_connections: 10_000,
            max_in_flight: 1024,
            max_streams: 1024,
            keep_alive: Duration::from_secs(15),
            sessions: true,
            session_max_age: Duration::from_secs(24 * 60 * 60),
            two_routes: None,
        }
    }
}

/// Serving over HTTP.
impl Server {
    /// Where [`serve_http`](Self::serve_http) has the endpoint (`/mcp`).
    pub fn http_path(mut self, path: impl Into<String>) -> Self {
        let path = path.into();
        self.options.http.path = if path.starts_with('/') { path } else { format!("/{path}") };
        self
    }

    /// Hosts by which clients may call the server, beside those of this machine: `mcp.example.com`, or with a port
    /// `mcp.example.com:8443`; `*` means any. `MCP_ALLOWED_HOSTS` adds more, with commas between them.
    ///
    /// A web page can have its own name lead to this machine and then call servers that listen here only; the check keeps
    /// it out. Behind a proxy, name the host that the proxy passes on.
    pub fn allowed_hosts<S: Into<String>>(mut self, hosts: impl IntoIterator<Item = S>) -> Self {
        self.options.http.hosts.extend(hosts.into_iter().map(Into::into));
        self
    }

    /// Origins of web pages that may call the server, beside those of this machine: `https://app.example.com`; `*` means
    /// any. `MCP_ALLOWED_ORIGINS` adds more, with commas between them.
    pub fn allowed_origins<S: Into<String>>(mut self, origins: impl IntoIterator<Item = S>) -> Self {
        self.options.http.origins.extend(origins.into_iter().map(Into::into));
        self
    }

    /// The longest body of an HTTP request, in bytes (4 MiB). A longer one is answered with 413.
    pub const fn max_body_size(mut self, bytes: usize) -> Self {
        self.options.http.max_body = bytes;
        self
    }

    /// How long an HTTP client may take to send the headers or the body of a request (30 s). It is given up when it reads
    /// nothing for twice as long.
    pub const fn read_timeout(mut self, timeout: Duration) -> Self {
        self.options.http.read_timeout = timeout;
        self
    }

    /// How many HTTP connections are open at a time (10 000); more wait.
    pub const fn max_connections(mut self, connections: usize) -> Self {
        self.options.http.max_connections = connections;
        self
    }

    /// How many HTTP requests are worked on at a time (1024); more are answered with 503.
    pub const fn max_in_flight(mut self, requests: usize) -> Self {
        self.options.http.max_in_flight = requests;
        self
    }

    /// How many clients hold a stream open to hear of changes (1024); more are answered with 503.
    pub const fn max_streams(mut self, streams: usize) -> Self {
        self.options.http.max_streams = streams;
        self
    }

    /// How often a stream on which nothing happens is shown to be alive (15 s), so that no proxy closes it.
    pub const fn keep_alive(mut self, interval: Duration) -> Self {
        self.options.http.keep_alive = interval;
        self
    }

    /// Whether clients of revisions before 2026-07-28 get sessions over HTTP (yes).
    ///
    /// Without them each of their requests stands for itself: no subscriptions, no log level, no stream beside the answers.
    pub const fn legacy_sessions(mut self, sessions: bool) -> Self {
        self.options.http.sessions = sessions;
        self
    }

    /// How old a session may become (24 h); then its client begins a new one.
    pub const fn session_max_age(mut self, age: Duration) -> Self {
        self.options.http.session_max_age = age;
        self
    }

    /// Also serves HTTP+SSE, the transport of 2024-11-05: the stream at one path, the messages at another.
    pub fn http_sse(mut self, stream: impl Into<String>, messages: impl Into<String>) -> Self {
        self.options.http.two_routes = Some((stream.into(), messages.into()));
        self
    }
}
