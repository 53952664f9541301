//! The messages of one logical stream, on their way to an HTTP client.
//!
//! As long as only an answer is in it, it can still become a JSON response; with the first other message it becomes a stream
//! of events. Some streams can be left and taken up again: they keep what was sent for a while.
//!
//! Bounded: notifications are dropped when a reader falls far behind, and of what was sent only the last part is kept.

use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll, Waker};
use std::time::Duration;

use bytes::Bytes;

use super::accept::Accepts;
use super::backlog::{Backlog, Lost};
use super::stream_name::Name;
use crate::handler::host::{Origin, Outlet, Sent};

/// From here on senders are asked to let the client catch up.
const CONGESTED: usize = 64 * 1024;

/// From here on notifications are dropped.
const FULL: usize = 256 * 1024;

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

/// The messages of one logical stream.
pub(super) struct Stream {
    style: Style,
    state: Mutex<State>,
}

impl fmt::Debug for Stream {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Stream").field("style", &self.style).finish_non_exhaustive()
    }
}

#[derive(Debug)]
#[expect(clippy::struct_excessive_bools, reason = "what has happened to a stream, each independent of the others")]
struct State {
    phase: Phase,
    backlog: Backlog,
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

/// What a response becomes.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Head {
    Answer(Vec<u8>, Origin),
    Events,
    /// The request was cancelled: there is nothing to say.
    Nothing,
}

impl Stream {
    pub(super) fn new(style: Style) -> Arc<Self> {
        // The number 0 is kept for the event with which it begins.
        let first = u64::from(style.polling);
        let state = State {
            phase: Phase::Held,
            backlog: Backlog::new(style.name.as_ref(), first),
            is_done: false,
            is_gone: false,
            is_released: false,
            reader: 0,
            told: None,
            is_read: false,
            waker: None,
            senders: Vec::new(),
        };
        Arc::new(Self { style, state: Mutex::new(state) })
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
            Phase::Held if !state.backlog.is_empty() || state.is_released => {}
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
        if self.style.polling {
            state.backlog.prime(self.name());
        }
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
        self.lock().backlog.size()
    }

    /// Nobody will ever read it again.
    pub(super) fn forget(&self) {
        let mut state = self.lock();
        state.is_gone = true;
        state.is_done = true;
        state.backlog.clear();
        wake(state);
    }

    /// Lets a reader take what comes after an event, or what was not taken yet. An earlier reader ends.
    pub(super) fn attach(&self, after: Option<u64>) -> Result<u32, Lost> {
        let mut state = self.lock();
        if state.is_gone {
            return Err(Lost);
        }
        if let Some(after) = after {
            state.backlog.rewind(after)?;
            state.is_released = false;
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
        // It would keep the connection's task in memory, several kilobytes, as long as the stream is kept.
        state.waker = None;
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
        if let Some(bytes) = state.backlog.take() {
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
        state.reader != reader || state.told == Some(reader) || (state.is_done && state.backlog.waiting() == 0)
    }
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
    let senders = if state.is_done || state.backlog.waiting() <= CONGESTED {
        std::mem::take(&mut state.senders)
    } else {
        Vec::new()
    };
    drop(state);
    senders.into_iter().for_each(Waker::wake);
}

impl Outlet for Stream {
    fn is_congested(&self) -> bool {
        self.lock().backlog.waiting() > CONGESTED
    }

    fn poll_relieved(&self, context: &Context<'_>) -> Poll<()> {
        let mut state = self.lock();
        if state.is_done || state.backlog.waiting() <= CONGESTED {
            return Poll::Ready(());
        }
        if !state.senders.iter().any(|sender| sender.will_wake(context.waker())) {
            state.senders.push(context.waker().clone());
        }
        Poll::Pending
    }

    fn taken(&self) -> u64 {
        self.lock().backlog.taken()
    }

    fn notify(&self, message: Vec<u8>) -> Sent {
        let mut state = self.lock();
        if state.is_gone || state.is_done || !self.style.accepts.events {
            return Sent::Dropped;
        }
        if self.style.is_subscription && state.backlog.holds(&message) {
            return Sent::Queued;
        }
        if state.backlog.waiting() > FULL {
            // A subscriber must not miss a change without knowing: it sees the end, and looks again.
            if self.style.is_subscription {
                state.is_done = true;
                wake(state);
            }
            return Sent::Dropped;
        }
        state.backlog.push(self.name(), &message);
        let sent = if state.backlog.waiting() > CONGESTED { Sent::Congested } else { Sent::Queued };
        wake(state);
        sent
    }

    fn request(&self, message: Vec<u8>) -> Sent {
        let mut state = self.lock();
        if state.is_gone || state.is_done || !self.style.can_ask || !self.style.accepts.events {
            return Sent::Dropped;
        }
        state.backlog.push(self.name(), &message);
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
        let is_alone = matches!(state.phase, Phase::Held) && state.backlog.is_empty() && !state.is_released;
        if is_alone && self.style.accepts.json {
            state.phase = Phase::Answered(message, origin);
        } else {
            state.backlog.push(self.name(), &message);
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
}

#[cfg(test)]
mod tests;
