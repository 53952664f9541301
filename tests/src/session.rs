//! A client on one revision: it writes the envelopes, the tests write the expectations.

use std::collections::VecDeque;
use std::time::Duration;

use serde_json::{Value, json};

use crate::process::{Link, Process, Silent};

/// The protocol's revisions, as the tests know them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Revision {
    /// 2024-11-05
    V2024_11_05,
    /// 2025-03-26
    V2025_03_26,
    /// 2025-06-18
    V2025_06_18,
    /// 2025-11-25
    V2025_11_25,
    /// 2026-07-28
    V2026_07_28,
}

impl Revision {
    /// Oldest first.
    pub const ALL: [Self; 5] =
        [Self::V2024_11_05, Self::V2025_03_26, Self::V2025_06_18, Self::V2025_11_25, Self::V2026_07_28];

    /// As it stands on the wire.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::V2024_11_05 => "2024-11-05",
            Self::V2025_03_26 => "2025-03-26",
            Self::V2025_06_18 => "2025-06-18",
            Self::V2025_11_25 => "2025-11-25",
            Self::V2026_07_28 => "2026-07-28",
        }
    }

    /// Whether each request carries its own context.
    #[must_use]
    pub const fn is_modern(self) -> bool {
        matches!(self, Self::V2026_07_28)
    }
}

/// A client that is connected to a server.
#[derive(Debug)]
pub struct Session {
    /// The server.
    pub process: Process,
    /// The revision that is spoken.
    pub revision: Revision,
    next_id: i64,
    /// Responses that nobody has asked for yet.
    responses: VecDeque<Value>,
    /// Notifications, in the order they came.
    notifications: VecDeque<Value>,
}

impl Session {
    /// Starts `program` and opens the session, where there are sessions.
    pub fn open(program: &str, link: Link, revision: Revision, environment: &[(&str, &str)]) -> Self {
        let process = Process::start(program, link, environment);
        let mut session = Self::over(process, revision);
        session.initialize();
        session
    }

    /// A client over a process; nothing is sent yet.
    pub fn over(process: Process, revision: Revision) -> Self {
        Self { process, revision, next_id: 0, responses: VecDeque::new(), notifications: VecDeque::new() }
    }

    /// `initialize` and `notifications/initialized`, before 2026-07-28. The result of `initialize`.
    pub fn initialize(&mut self) -> Value {
        if self.revision.is_modern() {
            return Value::Null;
        }
        let params = json!({
            "protocolVersion": self.revision.as_str(),
            "capabilities": {},
            "clientInfo": {"name": "tests", "version": "1.0"},
        });
        let result = self.ok("initialize", params);
        self.notify("notifications/initialized", &json!({}));
        result
    }

    /// The parameters as the revision wants them.
    pub fn params(&self, params: Value) -> Value {
        let mut params = params;
        if self.revision.is_modern() && params.is_object() {
            if params["_meta"].is_null() {
                params["_meta"] = json!({});
            }
            let meta = &mut params["_meta"];
            for (key, value) in [
                ("io.modelcontextprotocol/protocolVersion", json!(self.revision.as_str())),
                ("io.modelcontextprotocol/clientCapabilities", json!({})),
                ("io.modelcontextprotocol/clientInfo", json!({"name": "tests", "version": "1.0"})),
            ] {
                if meta[key].is_null() {
                    meta[key] = value;
                }
            }
        }
        params
    }

    /// Sends a request; its id.
    pub fn begin(&mut self, method: &str, params: Value) -> i64 {
        self.next_id += 1;
        let params = self.params(params);
        self.process.send(&json!({"jsonrpc": "2.0", "id": self.next_id, "method": method, "params": params}));
        self.next_id
    }

    /// Sends a notification.
    pub fn notify(&mut self, method: &str, params: &Value) {
        self.process.send(&json!({"jsonrpc": "2.0", "method": method, "params": params}));
    }

    /// Cancels a request.
    pub fn cancel(&mut self, id: &Value) {
        self.notify("notifications/cancelled", &json!({"requestId": id}));
    }

    /// Reads one message and puts it where it belongs.
    fn sort_one(&mut self) {
        let message = self.process.receive();
        if message.get("method").is_some() {
            assert!(message.get("id").is_none(), "the server asks nothing here: {message}");
            self.notifications.push_back(message);
        } else {
            self.responses.push_back(message);
        }
    }

    /// The response to a request, as it came.
    pub fn response(&mut self, id: &Value) -> Value {
        loop {
            if let Some(found) = self.responses.iter().position(|response| response.get("id") == Some(id)) {
                return self.responses.remove(found).expect("it was found");
            }
            self.sort_one();
        }
    }

    /// Whether an answer to this request has come already.
    pub fn has_response(&self, id: &Value) -> bool {
        self.responses.iter().any(|response| response.get("id") == Some(id))
    }

    /// The outcome of a request: its result, or its error.
    pub fn outcome(&mut self, id: i64) -> Result<Value, Value> {
        let mut response = self.response(&json!(id));
        assert_eq!(response["jsonrpc"], "2.0", "{response}");
        match (response.get("result").is_some(), response.get("error").is_some()) {
            (true, false) => Ok(response["result"].take()),
            (false, true) => Err(response["error"].take()),
            _ => panic!("neither or both of result and error: {response}"),
        }
    }

    /// Sends a request and waits for its outcome.
    pub fn request(&mut self, method: &str, params: Value) -> Result<Value, Value> {
        let id = self.begin(method, params);
        self.outcome(id)
    }

    /// The result of a request that must succeed.
    pub fn ok(&mut self, method: &str, params: Value) -> Value {
        self.request(method, params).unwrap_or_else(|error| panic!("{method}: {error}"))
    }

    /// The error of a request that must fail: code and message.
    pub fn err(&mut self, method: &str, params: Value) -> Value {
        match self.request(method, params) {
            Ok(result) => panic!("{method} should fail: {result}"),
            Err(error) => error,
        }
    }

    /// The result of a tool call.
    pub fn call(&mut self, name: &str, arguments: Value) -> Value {
        self.ok("tools/call", json!({"name": name, "arguments": arguments}))
    }

    /// The text of a tool call that must succeed.
    pub fn text(&mut self, name: &str, arguments: Value) -> String {
        let result = self.call(name, arguments);
        assert!(result.get("isError").is_none(), "{name}: {result}");
        text_of(&result)
    }

    /// Calls a tool that takes nothing and says nothing.
    pub fn text_or_nothing(&mut self, name: &str) {
        let result = self.call(name, json!({}));
        assert!(result.get("isError").is_none(), "{name}: {result}");
    }

    /// The text of a tool call that must be an error which the model sees.
    pub fn failure(&mut self, name: &str, arguments: Value) -> String {
        let result = self.call(name, arguments);
        assert_eq!(result["isError"], true, "{name}: {result}");
        text_of(&result)
    }

    /// Waits for a notification of this method; others stay.
    pub fn notified(&mut self, method: &str) -> Value {
        loop {
            if let Some(found) = self.notifications.iter().position(|message| message["method"] == method) {
                return self.notifications.remove(found).expect("it was found");
            }
            self.sort_one();
        }
    }

    /// The notifications that came up to now, which a `ping` (or what stands for one) brings out.
    pub fn notifications(&mut self) -> Vec<Value> {
        self.sync();
        self.notifications.drain(..).collect()
    }

    /// A round trip: what the server sent before it has been read after.
    pub fn sync(&mut self) {
        let method = if self.revision.is_modern() { "server/discover" } else { "ping" };
        self.ok(method, json!({}));
    }

    /// Checks that nothing comes for so long.
    pub fn is_silent_for(&mut self, time: Duration) {
        match self.process.next_line(time) {
            Err(Silent::Late) => {}
            Ok(line) => panic!("should be silent: {line}"),
            Err(Silent::Over) => panic!("the stream is over"),
        }
    }
}

/// The first text of a tool's result; nothing when there is no content at all.
fn text_of(result: &Value) -> String {
    match result["content"].as_array().map(Vec::as_slice) {
        Some([]) => String::new(),
        _ => result["content"][0]["text"].as_str().unwrap_or_else(|| panic!("no text: {result}")).to_owned(),
    }
}
