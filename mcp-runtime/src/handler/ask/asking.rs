//! The questions of one call: which keys are taken, what is remembered, what is open, and whether the call has to end for them.
//!
//! One value per call, shared by its questions and by what polls its handler. Nothing in it waits.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};
use std::task::Waker;
use std::time::Duration;

use bytes::Bytes;
use serde_json::value::RawValue;
use tokio::time::Instant;

use super::memory::{Answered, Digest, Memory, Posed, random_name, seconds_since_1970};
use crate::handler::error::Failure;
use crate::protocol::ProtocolError;

/// How the questions of a call reach the client.
pub(crate) enum Channel {
    /// The client waits on its line, which takes requests of ours.
    Line,
    /// The client is sent away with the questions and comes back with the answers; `message` is its request.
    Return { message: Bytes },
    /// Not at all, for this reason.
    None(&'static str),
}

/// The questions of one call.
pub(crate) struct Asking {
    pub(crate) channel: Channel,
    book: Mutex<Book>,
    flow: OnceLock<String>,
    /// Whether somebody sees that the call has to end.
    is_attended: bool,
}

#[derive(Default)]
struct Book {
    /// Most calls ask nothing: for them there is nothing to make and nothing to drop.
    asked: Option<Box<Asked>>,
    /// `once` futures that have begun and not ended.
    running: usize,
    /// Whether one of them is being polled.
    inside: usize,
    /// Brought along by the client.
    memory: Option<Box<Memory>>,
    /// Recorded things that this run has not come by yet.
    ahead: usize,
    /// What polls the handler.
    driver: Option<Waker>,
    ended: bool,
}

/// What was asked in this run, and what came of it.
#[derive(Default)]
struct Asked {
    /// Why the call ends now.
    verdict: Option<Failure>,
    /// Questions of this round, to be sent.
    open: Vec<Open>,
    waiting: Waiting,
    /// Questions that somebody polls.
    wakers: Vec<Waker>,
    /// By the name of what is asked: how many keys were made from it.
    ordinals: BTreeMap<String, u32>,
    /// The keys of questions.
    keys: BTreeSet<String>,
    /// The keys of `once`.
    onces: BTreeSet<String>,
}

/// How long people were waited for.
#[derive(Default)]
struct Waiting {
    open: usize,
    since: Option<Instant>,
    total: Duration,
}

/// A question that goes out at the end of the round.
#[derive(Debug)]
pub(crate) struct Open {
    pub(crate) key: String,
    pub(crate) method: &'static str,
    pub(crate) params: Option<Box<RawValue>>,
    posed: Posed,
}

/// What a call stops with to be called again: its questions, and what it will have to remember.
#[derive(Debug)]
pub struct Round {
    pub(crate) open: Vec<Open>,
    pub(crate) memory: Memory,
}

/// What becomes of a question in this round.
pub(crate) enum Recall {
    /// It was answered.
    Answer(Box<RawValue>),
    /// It was answered, but too late.
    Late,
    /// It goes out.
    Open,
}

/// A question that differs from the one of the round before so often in a row never settles.
const MOST_CHANGES: u8 = 3;

impl Asking {
    pub(crate) fn new(channel: Channel, memory: Option<Memory>) -> Self {
        let flow = OnceLock::new();
        if let Some(memory) = memory.as_ref().filter(|memory| !memory.flow.is_empty()) {
            // It is empty, so this sets it.
            flow.set(memory.flow.clone()).ok();
        }
        let ahead = memory.as_ref().map_or(0, Memory::recorded);
        let book = Book { memory: memory.map(Box::new), ahead, ..Book::default() };
        Self { channel, book: Mutex::new(book), flow, is_attended: true }
    }

    /// For a handler that a test calls as a function: what would end its call is an error of the question.
    #[cfg(feature = "testing")]
    pub(crate) fn unattended(channel: Channel) -> Self {
        Self { is_attended: false, ..Self::new(channel, None) }
    }

    pub(crate) const fn is_attended(&self) -> bool {
        self.is_attended
    }

    fn book(&self) -> MutexGuard<'_, Book> {
        self.book.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The call's name, the same in all its rounds.
    pub(crate) fn flow(&self) -> &str {
        self.flow.get_or_init(random_name)
    }

    /// Whether there is anything that this run only repeats.
    pub(crate) fn repeats(&self) -> bool {
        self.book().ahead > 0
    }

    /// Whether the handler is run again from the top when it has asked.
    pub(crate) const fn is_repeated(&self) -> bool {
        matches!(self.channel, Channel::Return { .. })
    }

    /// A key made from the name of what is asked: `confirm`, `confirm_2`.
    pub(crate) fn reserve(&self, name: &str) -> (String, u32) {
        let mut book = self.book();
        let Asked { ordinals, keys, .. } = book.asked();
        let ordinal = ordinals.entry(name.to_owned()).or_default();
        loop {
            *ordinal += 1;
            let ordinal = *ordinal;
            let key = if ordinal == 1 { name.to_owned() } else { format!("{name}_{ordinal}") };
            if !keys.contains(&key) {
                return (key, ordinal);
            }
        }
    }

    /// Gives back a key that was made and is not wanted after all.
    pub(crate) fn give_back(&self, name: &str, ordinal: u32) {
        if let Some(last) = self.book().asked().ordinals.get_mut(name).filter(|last| **last == ordinal) {
            *last -= 1;
        }
    }

    /// Takes a key for a question. Two of one key would be given one answer.
    pub(crate) fn take_key(&self, key: &str) -> bool {
        let mut book = self.book();
        let is_new = book.asked().keys.insert(key.to_owned());
        if !is_new {
            let text = format!("two questions of one call have the key `{key}`: tell them apart with `.key(…)`");
            book.condemn(Failure::Protocol(ProtocolError::internal(text)));
        }
        is_new
    }

    /// Takes a key for a `once`.
    pub(crate) fn take_once(&self, key: &str) -> bool {
        let mut book = self.book();
        let is_new = book.asked().onces.insert(key.to_owned());
        if !is_new {
            let text = format!("`once(\"{key}\")` was called before in this call: give each its own key");
            book.condemn(Failure::Protocol(ProtocolError::internal(text)));
        }
        is_new
    }

    /// Ends the call as soon as no `once` is running, whatever the handler makes of it.
    pub(crate) fn condemn(&self, failure: Failure) {
        self.book().condemn(failure);
    }

    /// What is known of a question in a call whose client is sent away; it is noted to be sent if nothing is.
    pub(crate) fn recall(
        &self,
        key: &str,
        method: &'static str,
        params: Option<&RawValue>,
        expires: Option<Duration>,
    ) -> Recall {
        let flow = self.flow().to_owned();
        let mut guard = self.book();
        let book = &mut *guard;
        let memory = book.memory.get_or_insert_with(|| Box::new(Memory::begin(flow)));
        let text = params.map_or("", RawValue::get);
        let digest = Digest::of(memory.salt, &[method.as_bytes(), text.as_bytes()]);
        let before = match memory.answers.remove(key) {
            Some(answer) if answer.posed.is_none_or(|posed| posed.digest == digest) => {
                let recall = if answer.late { Recall::Late } else { Recall::Answer(answer.value.clone()) };
                let posed = answer.posed.unwrap_or(Posed { digest, changes: 0, until: None });
                memory.answers.insert(key.to_owned(), Answered { posed: Some(posed), ..answer });
                book.pass();
                return recall;
            }
            Some(Answered { posed, .. }) => {
                book.ahead = 0;
                posed
            }
            None => memory.asked.get(key).copied(),
        };
        let changes = before.filter(|posed| posed.digest != digest).map_or(0, |posed| posed.changes.saturating_add(1));
        if changes >= MOST_CHANGES {
            let text =
                format!("the question `{key}` is another one in every round: make its text from what stays the same");
            book.condemn(Failure::Protocol(ProtocolError::internal(text)));
            return Recall::Open;
        }
        let until = expires.map(|expires| seconds_since_1970().saturating_add(expires.as_secs()));
        let posed = Posed { digest, changes, until };
        book.asked().open.push(Open { key: key.to_owned(), method, params: params.map(ToOwned::to_owned), posed });
        book.ahead = 0;
        book.wake_driver();
        Recall::Open
    }

    /// The result that a `once` had in an earlier round.
    pub(crate) fn result(&self, key: &str) -> Option<Box<RawValue>> {
        let mut book = self.book();
        let result = book.memory.as_ref()?.results.get(key)?.clone();
        book.pass();
        Some(result)
    }

    /// A `once` future begins.
    pub(crate) fn begin_once(&self) {
        let mut book = self.book();
        book.running += 1;
        book.ahead = 0;
    }

    /// A `once` future ends, with what it came to if that is to be remembered.
    pub(crate) fn end_once(&self, key: &str, result: Option<Box<RawValue>>) {
        let flow = self.flow().to_owned();
        let mut book = self.book();
        book.running = book.running.saturating_sub(1);
        if let (Some(result), Channel::Return { .. }) = (result, &self.channel) {
            let memory = book.memory.get_or_insert_with(|| Box::new(Memory::begin(flow)));
            memory.results.insert(key.to_owned(), result);
        }
        // A question may have waited for it.
        book.wake_driver();
    }

    /// A `once` future is about to be polled, or was.
    pub(crate) fn set_inside(&self, inside: bool) {
        let mut book = self.book();
        book.inside = if inside { book.inside + 1 } else { book.inside.saturating_sub(1) };
    }

    /// Whether a `once` future is being polled.
    pub(crate) fn is_inside(&self) -> bool {
        self.book().inside > 0
    }

    /// A person is being waited for.
    pub(crate) fn begin_waiting(&self) {
        let mut book = self.book();
        let waiting = &mut book.asked().waiting;
        waiting.open += 1;
        waiting.since.get_or_insert_with(Instant::now);
    }

    /// The wait is over.
    pub(crate) fn end_waiting(&self) {
        let mut book = self.book();
        let waiting = &mut book.asked().waiting;
        waiting.open = waiting.open.saturating_sub(1);
        if waiting.open == 0 {
            waiting.total += waiting.since.take().map_or(Duration::ZERO, |since| since.elapsed());
        }
    }

    /// How long people were waited for until now, and whether one still is.
    pub(crate) fn waited(&self) -> (Duration, bool) {
        let book = self.book();
        let Some(Asked { waiting, .. }) = book.asked.as_deref() else { return (Duration::ZERO, false) };
        let now = waiting.since.map_or(Duration::ZERO, |since| since.elapsed());
        (waiting.total + now, waiting.open > 0)
    }

    /// A question is polled that may have to hear of the end of the call. False when that has come.
    pub(crate) fn attend(&self, waker: &Waker) -> bool {
        let mut book = self.book();
        if book.ended {
            return false;
        }
        let wakers = &mut book.asked().wakers;
        if !wakers.iter().any(|known| known.will_wake(waker)) {
            wakers.push(waker.clone());
        }
        true
    }

    /// The handler was polled and is not done: what it has to end with, if it has to.
    pub(crate) fn after_poll(&self, waker: &Waker) -> Option<Failure> {
        let mut book = self.book();
        if let (0, Some(asked)) = (book.running, &mut book.asked) {
            if let Some(verdict) = asked.verdict.take() {
                return Some(verdict);
            }
            if !asked.open.is_empty() {
                return Some(Failure::Asks(Box::new(book.round())));
            }
        }
        match &mut book.driver {
            Some(known) => known.clone_from(waker),
            none => *none = Some(waker.clone()),
        }
        None
    }

    /// The handler is done: what it has to end with all the same. Whoever still waits for an answer hears of it.
    pub(crate) fn end(&self) -> Option<Failure> {
        let (verdict, wakers) = {
            let mut book = self.book();
            book.ended = true;
            let asked = book.asked.as_deref_mut()?;
            (asked.verdict.take(), std::mem::take(&mut asked.wakers))
        };
        wakers.into_iter().for_each(Waker::wake);
        verdict
    }

    /// The keys of questions and of `once`s that this run came by.
    #[cfg(feature = "testing")]
    pub(crate) fn trail(&self) -> (BTreeSet<String>, BTreeSet<String>) {
        let mut book = self.book();
        let Asked { keys, onces, .. } = book.asked();
        (keys.clone(), onces.clone())
    }
}

impl Book {
    fn asked(&mut self) -> &mut Asked {
        self.asked.get_or_insert_default()
    }

    fn condemn(&mut self, failure: Failure) {
        self.asked().verdict.get_or_insert(failure);
        self.wake_driver();
    }

    /// One of the recorded things was come by.
    fn pass(&mut self) {
        self.ahead = self.ahead.saturating_sub(1);
    }

    /// A question may be polled by another task than the handler.
    fn wake_driver(&mut self) {
        if let Some(driver) = self.driver.take() {
            driver.wake();
        }
    }

    fn round(&mut self) -> Round {
        let open = std::mem::take(&mut self.asked().open);
        let mut memory = *self.memory.take().unwrap_or_default();
        memory.round = memory.round.saturating_add(1);
        memory.asked.clear();
        for open in &open {
            memory.asked.insert(open.key.clone(), open.posed);
        }
        Round { open, memory }
    }
}
