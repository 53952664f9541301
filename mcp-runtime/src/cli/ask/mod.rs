//! Questions of a handler, asked on the terminal.

mod field;
mod form;

use std::fs::File;
use std::io::{self, BufReader, IsTerminal as _};
use std::sync::{Arc, Mutex, PoisonError};

use serde_json::{Map, Value};
use tokio::sync::oneshot;

use crate::handler::error::{Error, Result};
use crate::testing::{Asked, ClientBuilder, Reply};

/// A person who can be asked.
#[derive(Clone, Debug)]
pub(super) struct Terminal {
    input: Arc<Mutex<BufReader<File>>>,
}

impl Terminal {
    /// The terminal, if there is a person at it. To be looked for before standard input is moved away.
    pub(super) fn find() -> Option<Self> {
        if !io::stderr().is_terminal() {
            return None;
        }
        Some(Self { input: Arc::new(Mutex::new(BufReader::new(keyboard()?))) })
    }

    /// Has the client declare that questions are answered. Those that come in requests of their own, before 2026-07-28,
    /// it also answers; those in results are [`answer`]ed.
    pub(super) fn attend(self, client: ClientBuilder) -> ClientBuilder {
        let (form, url) = (self.clone(), self);
        client.elicit(move |asked| form.reply(asked)).elicit_url(move |asked| url.reply(asked))
    }

    fn reply(&self, asked: &Asked) -> Reply {
        self.ask(&asked.params).map_or_else(|_| Reply::cancel(), Reply::raw)
    }

    /// Asks, and waits for the person.
    fn ask(&self, params: &Value) -> Result<Value> {
        let mut input = self.input.lock().unwrap_or_else(PoisonError::into_inner);
        form::ask(&mut *input, &mut io::stderr(), params)
            .map_err(|error| Error::msg(format!("nobody can be asked: {error}")))
    }
}

/// What a person types on: standard input, or the terminal of the process when that is something else.
fn keyboard() -> Option<File> {
    #[cfg(unix)]
    {
        use std::os::fd::AsFd as _;
        let stdin = io::stdin();
        if stdin.is_terminal() {
            return stdin.as_fd().try_clone_to_owned().ok().map(File::from);
        }
        File::open("/dev/tty").ok()
    }
    #[cfg(not(unix))]
    File::open("CONIN$").ok()
}

/// The questions in a result that is not complete, by key; `None` in one that is.
pub(super) fn questions(result: &Value) -> Option<Map<String, Value>> {
    let is_open = result.get("resultType").and_then(Value::as_str) == Some("input_required");
    is_open.then(|| result.get("inputRequests").and_then(Value::as_object).cloned().unwrap_or_default())
}

/// The answer to one question.
pub(super) async fn answer(terminal: Option<&Terminal>, question: &Value) -> Result<Value> {
    let method = question.get("method").and_then(Value::as_str).unwrap_or_default();
    let Some(terminal) = terminal.filter(|_| method == "elicitation/create").cloned() else {
        return Err(Error::msg(format!("the server asks for `{method}`, which the command line cannot give")));
    };
    let params = question.get("params").cloned().unwrap_or_default();
    let (sender, answer) = oneshot::channel();
    // A thread that nobody waits for: a person who does not answer must not keep the program from ending.
    std::thread::Builder::new().name("mcp-ask".to_owned()).spawn(move || drop(sender.send(terminal.ask(&params))))?;
    answer.await?
}
