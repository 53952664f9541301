//! The messages of one logical stream, on their way to an HTTP client.
//!
//! As long as only an answer is in it, it can still become a JSON response; with the first other message it becomes a stream
//! of events. Some streams can be left and taken up again: they keep what was sent for a while.
//!
//! Bounded: notifications are dropped when a reader falls far behind, and of what was sent only the last part is kept.

use std::any::Any;
use std::collections::VecDeque;
use std::fmt;
use std::io::Write as _;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll, Waker};
use std::time::Duration;

use bytes::Bytes;
use http::request::Parts;

use super::accept::Accepts;
use crate::handler::host::{Origin, Outlet, Sent};

/// From here on senders are asked to let the client catch up.
const CONGESTED: usize = 64 * 1024;

/// From here on notifications are dropped.
const FULL: usize = 256 * 1024;

/// So much of what was sent is kept for a client that comes back.
const KEPT: usize = 64 * 1024;

/// One write should not hold more than a few large messages.
const CHUNK: usize = 128 * 1024;

/// After how long a client comes back that has been let go.
const RETRY: Duration = Duration::from_millis(500);

/// What kind of stream it is.
#[derive(Clone, Debug)]
pub(super) struct Style {
    pub(super) accepts: Accepts,
    /// Its name in event ids, if it can be taken up again.
    pub(super) name: Option<Name>,
    /// Whether it begins with an empty event and its client can be let go for a while.
    pub(super) polling: bool,
    /// What is waiting to be sent need not be sent twice; when too much waits, the stream ends.
    pub(super) is_subscription: bool,
    /// Whether the client's answers find the way to what asked.
    pub(super) can_ask: bool,
}

/// Names a stream among all that the process has ever had, and those of other processes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Name {
    pub(super) kind: Kind,
    /// The process.
    pub(super) instance: u32,
    pub(super) number: u64,
}

/// Where a stream came from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// It answers a request.
    Answer,
    /// It stands for itself.
    Standalone,
}

impl fmt::Display for Name {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let kind = match self.kind {
            Kind::Answer => 'a',
            Kind::Standalone => 's',
        };
        write!(f, "{kind}{:08x}-{:x}", self.instance, self.number)
    }
}

impl Name {
    /// Reads an event id: the stream, and the event's number in it.
    pub(super) fn read(text: &str) -> Option<(Self, u64)> {
        let (name, event) = text.rsplit_once('-')?;
        let (head, number) = name.split_once('-')?;
        let kind = match head.get(..1)? {
            "a" => Kind::Answer,
            "s" => Kind::Standalone,
            _ => return None,
        };
        let hex = |text: &str| u64::from_str_radix(text, 16).ok();
        let instance = u32::try_from(hex(head.get(1..)?)?).ok()?;
        Some((Self { kind, instance, number: hex(number)? }, hex(event)?))
    }
}

/// The messages of one logical stream.
pub(super) struct Stream {
    style: Style,
    parts: Option<Arc<Parts>>,
    state: Mutex<State>,
}

impl fmt::Debug for Stream {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Stream").field("style", &self.style).finish_non_exhaustive()
    }
}

#[derive(Debug, Default)]
#[expect(clippy::struct_excessive_bools, reason = "what has happened to a stream, each independent of the others")]
struct State {
    phase: Phase,
    /// What is kept, oldest first; the oldest is number `first`.
    events: VecDeque<Event>,
    first: u64,
    /// The number of the next event that the reader takes.
    taken: u64,
    /// The bytes of all events that are kept, and of those that wait.
    kept: usize,
    waiting: usize,
    is_done: bool,
    /// Nobody will ever read it.
    is_gone: bool,
    /// The reader is to go and come back.
    is_released: bool,
    /// Which reader may take; an earlier one ends.
    reader: u32,
    /// The reader that was told to go and come back.
    told: Option<u32>,
    is_read: bool,
    waker: Option<Waker>,
    /// Who has more to say when less waits.
    senders: Vec<Waker>,
}

/// What it can still become.
#[derive(Debug, Default)]
enum Phase {
    #[default]
    Held,
    Answered(Vec<u8>, Origin),
    Events,
}

#[derive(Debug)]
struct Event {
    frame: Bytes,
    /// Where the message begins in the frame.
    data: usize,
}

/// What a response becomes.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Head {
    Answer(Vec<u8>, Origin),
    Events,
    /// The request was cancelled: there is nothing to say.
    Nothing,
}

/// The events after the one that was named are not there any more.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Lost;

impl Stream {
    pub(super) fn new(style: Style, parts: Option<Arc<Parts>>) -> Arc<Self> {
        // The number 0 is kept for the event with which it begins.
        let first = u64::from(style.polling);
        let state = State { first, taken: first, ..State::default() };
        Arc::new(Self { style, parts, state: Mutex::new(state) })
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) const fn name(&self) -> Option<&Name> {
        self.style.name.as_ref()
    }

    /// What the response becomes, if that is clear by now.
    pub(super) fn head(&self) -> Option<Head> {
        let mut state = self.lock();
        match std::mem::take(&mut state.phase) {
            Phase::Answered(message, origin) => return Some(Head::Answer(message, origin)),
            Phase::Held if !state.events.is_empty() || state.is_released => {}
            Phase::Held if state.is_done => return Some(Head::Nothing),
            Phase::Held => return None,
            Phase::Events => {}
        }
        self.open(&mut state);
        Some(Head::Events)
    }

    /// Waits until it is clear what the response becomes.
    pub(super) fn poll_head(&self, context: &Context<'_>) -> Poll<Head> {
        // Registered before the look, so that nothing falls between.
        self.lock().waker = Some(context.waker().clone());
        self.head().map_or(Poll::Pending, Poll::Ready)
    }

    /// Makes it a stream of events, if the client takes one.
    pub(super) fn commit(&self) -> bool {
        let mut state = self.lock();
        if self.style.accepts.events && matches!(state.phase, Phase::Held) {
            self.open(&mut state);
        }
        matches!(state.phase, Phase::Events)
    }

    fn open(&self, state: &mut State) {
        if matches!(state.phase, Phase::Events) {
            return;
        }
        state.phase = Phase::Events;
        if self.style.polling && state.first == 1 {
            let event = self.event(0, b"");
            state.kept += event.frame.len();
            state.waiting += event.frame.len();
            state.events.push_front(event);
            (state.first, state.taken) = (0, 0);
        }
    }

    fn event(&self, number: u64, message: &[u8]) -> Event {
        let mut frame = Vec::with_capacity(message.len() + 48);
        if let Some(name) = &self.style.name {
            // Writing to a vector does not fail.
            drop(writeln!(frame, "id: {name}-{number:x}"));
        }
        let data = frame.len();
        write_data(&mut frame, message);
        Event { frame: frame.into(), data }
    }

    fn push(&self, state: &mut State, message: &[u8]) {
        let number = state.first + state.events.len() as u64;
        let event = self.event(number, message);
        state.kept += event.frame.len();
        state.waiting += event.frame.len();
        state.events.push_back(event);
        state.trim(if self.style.name.is_some() { KEPT } else { 0 });
    }

    /// There is nothing more to come.
    pub(super) fn end(&self) {
        let mut state = self.lock();
        state.is_done = true;
        wake(state);
    }

    /// Whether the last message is in it.
    pub(super) fn is_done(&self) -> bool {
        self.lock().is_done
    }

    /// Whether somebody reads it now.
    pub(super) fn is_read(&self) -> bool {
        self.lock().is_read
    }

    /// Which reader was the last.
    pub(super) fn reader(&self) -> u32 {
        self.lock().reader
    }

    /// How much memory its events take.
    pub(super) fn size(&self) -> usize {
        self.lock().kept
    }

    /// Nobody will ever read it again.
    pub(super) fn forget(&self) {
        let mut state = self.lock();
        state.is_gone = true;
        state.is_done = true;
        state.events = VecDeque::new();
        (state.kept, state.waiting) = (0, 0);
        wake(state);
    }

    /// Lets a reader take what comes after an event, or what was not taken yet. An earlier reader ends.
    pub(super) fn attach(&self, after: Option<u64>) -> Result<u32, Lost> {
        let mut state = self.lock();
        if state.is_gone {
            return Err(Lost);
        }
        if let Some(after) = after {
            let next = after.checked_add(1).ok_or(Lost)?;
            let end = state.first + state.events.len() as u64;
            if next < state.first || next > end {
                return Err(Lost);
            }
            state.taken = next;
            state.is_released = false;
            state.waiting = state
                .events
                .iter()
                .skip(usize::try_from(next - state.first).unwrap_or(usize::MAX))
                .map(|event| event.frame.len())
                .sum();
        }
        state.reader = state.reader.wrapping_add(1);
        state.is_read = true;
        let reader = state.reader;
        wake(state);
        Ok(reader)
    }

    /// The reader is gone. True when it was the one that might take.
    pub(super) fn detach(&self, reader: u32) -> bool {
        let mut state = self.lock();
        if state.reader != reader {
            return false;
        }
        state.is_read = false;
        drop(state);
        if self.style.name.is_none() {
            self.forget();
        }
        true
    }

    /// What waits for the reader, `None` at the end.
    pub(super) fn poll_take(&self, context: &Context<'_>, reader: u32) -> Poll<Option<Bytes>> {
        let mut state = self.lock();
        if state.reader != reader || state.told == Some(reader) {
            return Poll::Ready(None);
        }
        if let Some(bytes) = state.take(if self.style.name.is_some() { KEPT } else { 0 }) {
            relieve(state);
            return Poll::Ready(Some(bytes));
        }
        if state.is_done {
            return Poll::Ready(None);
        }
        if std::mem::take(&mut state.is_released) {
            state.told = Some(reader);
            return Poll::Ready(Some(format!("retry: {}\n\n", RETRY.as_millis()).into()));
        }
        match &mut state.waker {
            Some(known) => known.clone_from(context.waker()),
            empty => *empty = Some(context.waker().clone()),
        }
        Poll::Pending
    }

    /// Whether this reader has had everything.
    pub(super) fn is_over(&self, reader: u32) -> bool {
        let state = self.lock();
        state.reader != reader || state.told == Some(reader) || (state.is_done && state.waiting == 0)
    }
}

impl State {
    fn take(&mut self, kept: usize) -> Option<Bytes> {
        let start = usize::try_from(self.taken.saturating_sub(self.first)).unwrap_or(usize::MAX);
        let mut length = 0;
        let waiting = self.events.iter().skip(start);
        let count = waiting.take_while(|event| {
            let fits = length == 0 || length + event.frame.len() <= CHUNK;
            length += event.frame.len();
            fits
        });
        let frames: Vec<Bytes> = count.map(|event| event.frame.clone()).collect();
        self.taken += frames.len() as u64;
        let bytes = match frames.as_slice() {
            [] => return None,
            [one] => one.clone(),
            several => several.concat().into(),
        };
        self.waiting = self.waiting.saturating_sub(bytes.len());
        self.trim(kept);
        Some(bytes)
    }

    /// Forgets the oldest events that were taken until no more than `most` bytes are kept.
    fn trim(&mut self, most: usize) {
        while self.kept > most && self.first < self.taken {
            let Some(event) = self.events.pop_front() else { return };
            self.kept -= event.frame.len();
            self.first += 1;
        }
    }

    /// Whether the same message waits already.
    fn holds(&self, message: &[u8]) -> bool {
        let start = usize::try_from(self.taken.saturating_sub(self.first)).unwrap_or(usize::MAX);
        let mut data = Vec::with_capacity(message.len() + 8);
        write_data(&mut data, message);
        self.events.iter().skip(start).any(|event| event.frame.get(event.data..) == Some(&data))
    }
}

/// Writes the lines of one event. A message is one line, unless an author put raw JSON of several into it.
fn write_data(frame: &mut Vec<u8>, message: &[u8]) {
    for line in message.split(|byte| matches!(byte, b'\n' | b'\r')) {
        frame.extend_from_slice(b"data: ");
        frame.extend_from_slice(line);
        frame.push(b'\n');
    }
    frame.push(b'\n');
}

fn wake(mut state: MutexGuard<'_, State>) {
    let waker = state.waker.take();
    relieve(state);
    if let Some(waker) = waker {
        waker.wake();
    }
}

/// Lets senders look whether they may go on.
fn relieve(mut state: MutexGuard<'_, State>) {
    let senders =
        if state.is_done || state.waiting <= CONGESTED { std::mem::take(&mut state.senders) } else { Vec::new() };
    drop(state);
    senders.into_iter().for_each(Waker::wake);
}

impl Outlet for Stream {
    fn is_congested(&self) -> bool {
        self.lock().waiting > CONGESTED
    }

    fn poll_relieved(&self, context: &Context<'_>) -> Poll<()> {
        let mut state = self.lock();
        if state.is_done || state.waiting <= CONGESTED {
            return Poll::Ready(());
        }
        if !state.senders.iter().any(|sender| sender.will_wake(context.waker())) {
            state.senders.push(context.waker().clone());
        }
        Poll::Pending
    }

    fn taken(&self) -> u64 {
        self.lock().taken
    }

    fn notify(&self, message: Vec<u8>) -> Sent {
        let mut state = self.lock();
        if state.is_gone || state.is_done || !self.style.accepts.events {
            return Sent::Dropped;
        }
        if self.style.is_subscription && state.holds(&message) {
            return Sent::Queued;
        }
        if state.waiting > FULL {
            // A subscriber must not miss a change without knowing: it sees the end, and looks again.
            if self.style.is_subscription {
                state.is_done = true;
                wake(state);
            }
            return Sent::Dropped;
        }
        self.push(&mut state, &message);
        let sent = if state.waiting > CONGESTED { Sent::Congested } else { Sent::Queued };
        wake(state);
        sent
    }

    fn request(&self, message: Vec<u8>) -> Sent {
        let mut state = self.lock();
        if state.is_gone || state.is_done || !self.style.can_ask || !self.style.accepts.events {
            return Sent::Dropped;
        }
        self.push(&mut state, &message);
        wake(state);
        Sent::Queued
    }

    fn returns_here(&self) -> bool {
        false
    }

    fn respond(&self, message: Vec<u8>, origin: Origin) {
        let mut state = self.lock();
        if state.is_gone || state.is_done {
            return;
        }
        let is_alone = matches!(state.phase, Phase::Held) && state.events.is_empty() && !state.is_released;
        if is_alone && self.style.accepts.json {
            state.phase = Phase::Answered(message, origin);
        } else {
            self.push(&mut state, &message);
        }
        state.is_done = true;
        wake(state);
    }

    fn release(&self) {
        let mut state = self.lock();
        if self.style.polling && self.style.accepts.events && !state.is_done {
            state.is_released = true;
            wake(state);
        }
    }

    fn transport(&self) -> Option<&(dyn Any + Send + Sync)> {
        self.parts.as_deref().map(|parts| parts as _)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn stream(name: Option<Kind>, polling: bool, accepts: Accepts) -> Arc<Stream> {
        let name = name.map(|kind| Name { kind, instance: 7, number: 255 });
        Stream::new(Style { accepts, name, polling, is_subscription: false, can_ask: false }, None)
    }

    /// What a reader takes; an empty text at the end.
    fn take(stream: &Stream, reader: u32) -> String {
        match stream.poll_take(&Context::from_waker(Waker::noop()), reader) {
            Poll::Ready(bytes) => String::from_utf8(bytes.unwrap_or_default().to_vec()).unwrap(),
            Poll::Pending => "nothing yet".to_owned(),
        }
    }

    #[test]
    fn an_answer_alone_becomes_json_and_one_after_a_notification_an_event() {
        let alone = stream(None, false, Accepts::BOTH);
        assert_eq!(alone.head(), None);
        alone.respond(b"{}".to_vec(), Origin::Routing);
        assert_eq!(alone.head(), Some(Head::Answer(b"{}".to_vec(), Origin::Routing)));

        let both = stream(None, false, Accepts::BOTH);
        both.notify(b"1".to_vec());
        both.respond(b"2".to_vec(), Origin::Handler);
        assert_eq!(both.head(), Some(Head::Events));
        let reader = both.attach(None).unwrap();
        assert_eq!(take(&both, reader), "data: 1\n\ndata: 2\n\n");
        assert_eq!(take(&both, reader), "");
    }

    #[test]
    fn a_client_gets_only_what_it_accepts() {
        let json = stream(None, false, Accepts { json: true, events: false });
        assert_eq!(json.notify(b"1".to_vec()), Sent::Dropped);
        json.respond(b"{}".to_vec(), Origin::Handler);
        assert!(matches!(json.head(), Some(Head::Answer(..))));

        let events = stream(None, false, Accepts::EVENTS);
        events.respond(b"{}".to_vec(), Origin::Handler);
        assert_eq!(events.head(), Some(Head::Events));
    }

    #[test]
    fn a_client_that_comes_back_gets_exactly_what_it_missed() {
        let stream = stream(Some(Kind::Answer), true, Accepts::BOTH);
        for message in ["one", "two", "three"] {
            stream.notify(message.into());
        }
        assert_eq!(stream.head(), Some(Head::Events));
        let reader = stream.attach(None).unwrap();
        let all = take(&stream, reader);
        assert!(all.starts_with("id: a00000007-ff-0\ndata: \n\nid: a00000007-ff-1\ndata: one\n\n"), "{all}");
        assert!(stream.detach(reader));
        stream.respond(b"four".to_vec(), Origin::Handler);

        let (name, event) = Name::read("a00000007-ff-2").unwrap();
        assert_eq!((Some(&name), event), (stream.name(), 2));
        let again = stream.attach(Some(event)).unwrap();
        assert_eq!(take(&stream, reader), "");
        assert_eq!(take(&stream, again), "id: a00000007-ff-3\ndata: three\n\nid: a00000007-ff-4\ndata: four\n\n");
        assert_eq!(take(&stream, again), "");
        assert!(stream.attach(Some(5)).is_err());
    }

    #[test]
    fn a_released_reader_is_told_when_to_come_back() {
        let stream = stream(Some(Kind::Answer), true, Accepts::BOTH);
        stream.release();
        assert_eq!(stream.head(), Some(Head::Events));
        let reader = stream.attach(None).unwrap();
        assert_eq!(take(&stream, reader), "id: a00000007-ff-0\ndata: \n\n");
        assert_eq!(take(&stream, reader), "retry: 500\n\n");
        assert_eq!(take(&stream, reader), "");
        assert!(stream.is_over(reader) && stream.detach(reader));
        stream.respond(b"late".to_vec(), Origin::Handler);
        let again = stream.attach(Some(0)).unwrap();
        assert_eq!(take(&stream, again), "id: a00000007-ff-1\ndata: late\n\n");
    }

    #[test]
    fn what_is_not_read_is_bounded_and_the_answer_still_arrives() {
        let stream = stream(Some(Kind::Answer), true, Accepts::BOTH);
        let message = vec![b'x'; 1000];
        let sent: Vec<Sent> = (0..100_000).map(|_| stream.notify(message.clone())).collect();
        assert_eq!(sent.first(), Some(&Sent::Queued));
        assert_eq!(sent.last(), Some(&Sent::Dropped));
        assert!(stream.size() < FULL + 2000, "{}", stream.size());
        stream.respond(b"answer".to_vec(), Origin::Handler);
        assert_eq!(stream.head(), Some(Head::Events));
        let reader = stream.attach(None).unwrap();
        let mut all = String::new();
        loop {
            let bytes = take(&stream, reader);
            if bytes.is_empty() {
                break;
            }
            all.push_str(&bytes);
        }
        assert!(all.ends_with("data: answer\n\n"));
        assert!(stream.size() <= KEPT, "{}", stream.size());
        assert!(stream.attach(Some(0)).is_err());
    }

    #[test]
    fn a_subscription_merges_what_waits_and_ends_when_it_cannot() {
        let style =
            Style { accepts: Accepts::EVENTS, name: None, polling: false, is_subscription: true, can_ask: false };
        let stream = Stream::new(style, None);
        for _ in 0..1000 {
            stream.notify(b"changed".to_vec());
        }
        assert!(stream.size() < 100);
        for number in 0..2000 {
            stream.notify(format!("{number:0500}").into_bytes());
        }
        assert!(stream.is_done());
    }

    #[test]
    fn several_lines_of_raw_json_stay_one_event() {
        let mut frame = Vec::new();
        write_data(&mut frame, b"{\n\r1}");
        assert_eq!(frame, b"data: {\ndata: \ndata: 1}\n\n");
    }

    #[test]
    fn only_event_ids_are_read_as_such() {
        for text in ["", "a", "a-1", "x00000007-ff-2", "a-ff-2", "a1ffffffff-1-1", "a00000007-ff-", "é00000007-ff-2"] {
            assert_eq!(Name::read(text), None, "{text}");
        }
    }
}
