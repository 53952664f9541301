//! Questions of a handler, answered on the command line or asked on the terminal.

mod field;
mod form;
mod given;

use std::fs::File;
use std::io::{self, BufReader, IsTerminal as _};
use std::sync::{Arc, Mutex, PoisonError};

use serde_json::{Map, Value};
use tokio::sync::oneshot;

use self::form::Desk;
use self::given::Given;
pub(super) use self::given::{Answer, parse};
use super::output::note;
use crate::handler::error::{Error, Result};
use crate::testing::{Asked, ClientBuilder, Reply};

/// Who answers: what was given on the command line, and the person at the terminal.
#[derive(Clone, Debug)]
pub(super) struct Person {
    given: Arc<Given>,
    keyboard: Option<Arc<Mutex<BufReader<File>>>>,
    /// Why a question of an older revision has no answer: to the server, it was cancelled.
    fault: Arc<Mutex<Option<Error>>>,
}

impl Person {
    /// Who answers questions, if anybody does. To be looked for before standard input is moved away.
    pub(super) fn find(answers: &[Answer]) -> Result<Option<Self>> {
        let given = Given::new(answers)?;
        let keyboard = if io::stderr().is_terminal() { keyboard() } else { None };
        if keyboard.is_none() && given.is_empty() {
            return Ok(None);
        }
        let keyboard = keyboard.map(|file| Arc::new(Mutex::new(BufReader::new(file))));
        Ok(Some(Self { given: Arc::new(given), keyboard, fault: Arc::default() }))
    }

    /// Has the client declare that questions are answered. Those that come in requests of their own, before 2026-07-28,
    /// it also answers; those in results are [`answer`]ed.
    pub(super) fn attend(self, client: ClientBuilder) -> ClientBuilder {
        let (form, url) = (self.clone(), self);
        client.elicit(move |asked| form.reply(asked)).elicit_url(move |asked| url.reply(asked))
    }

    fn reply(&self, asked: &Asked) -> Reply {
        self.ask(&asked.params).map_or_else(
            |error| {
                self.fault.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(error);
                Reply::cancel()
            },
            Reply::raw,
        )
    }

    /// Why a question was not answered.
    pub(super) fn fault(&self) -> Option<Error> {
        self.fault.lock().unwrap_or_else(PoisonError::into_inner).take()
    }

    /// Asks, and waits for the person.
    fn ask(&self, params: &Value) -> Result<Value> {
        let output = &mut io::stderr();
        let Some(keyboard) = &self.keyboard else {
            return form::ask(&mut Desk { given: &self.given, input: None, output }, params);
        };
        let mut input = keyboard.lock().unwrap_or_else(PoisonError::into_inner);
        form::ask(&mut Desk { given: &self.given, input: Some(&mut *input), output }, params)
    }

    /// Says what was given and no question had, when all have been asked.
    pub(super) fn finish(&self) {
        for field in self.given.unused() {
            note(format_args!("no question had a field `{field}`"));
        }
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
pub(super) async fn answer(person: Option<&Person>, question: &Value) -> Result<Value> {
    let method = question.get("method").and_then(Value::as_str).unwrap_or_default();
    let Some(person) = person.filter(|_| method == "elicitation/create").cloned() else {
        return Err(Error::msg(format!("the server asks for `{method}`, which the command line cannot give")));
    };
    let params = question.get("params").cloned().unwrap_or_default();
    let (sender, answer) = oneshot::channel();
    // A thread that nobody waits for: a person who does not answer must not keep the program from ending.
    std::thread::Builder::new().name("mcp-ask".to_owned()).spawn(move || drop(sender.send(person.ask(&params))))?;
    answer.await?
}
