//! What waits to be written to one peer: one buffer of lines, filled by anybody, emptied by the transport.
//!
//! Bounded: notifications are dropped when a peer falls far behind; responses are not, but the transport stops reading
//! requests while the backlog is high, so their number is bounded too.

use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll, Waker};

use crate::handler::host::{Origin, Outlet, Sent};

/// From here on senders are asked to let the peer catch up, and the transport reads no more requests: a pipe's worth.
const CONGESTED: usize = 64 * 1024;

/// From here on notifications are dropped.
const FULL: usize = 1024 * 1024;

/// Lines on their way to one peer.
#[derive(Debug, Default)]
pub(crate) struct Outbox {
    state: Mutex<State>,
    /// Counts what left for a peer that could not take all there was.
    moved: AtomicU64,
    /// How much waits, for whoever only wants to know that.
    waiting: AtomicUsize,
    /// Whether `writer` is to be woken when there is more. Set in the lock, by the writer alone; it takes that back without.
    is_asked: AtomicBool,
}

#[derive(Debug, Default)]
struct State {
    lines: Vec<u8>,
    closed: bool,
    writer: Option<Waker>,
    /// Who has more to say when less waits.
    senders: Vec<Waker>,
}

impl State {
    fn take(&mut self, out: &mut Vec<u8>) -> bool {
        if self.lines.is_empty() {
            return false;
        }
        if out.is_empty() {
            std::mem::swap(out, &mut self.lines);
        } else {
            out.append(&mut self.lines);
            // What a burst made it grow to is not held until the next one.
            self.lines.shrink_to(FULL);
        }
        true
    }
}

impl Outbox {
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Adds a line, which `write` appends. It is our own: no author's code runs in the lock.
    fn push(&self, droppable: bool, write: &dyn Fn(&mut Vec<u8>)) -> Sent {
        let mut state = self.lock();
        if state.closed || (droppable && state.lines.len() > FULL) {
            return Sent::Dropped;
        }
        write(&mut state.lines);
        state.lines.push(b'\n');
        let sent = if state.lines.len() > CONGESTED { Sent::Congested } else { Sent::Queued };
        self.note(&state);
        let mut writer = None;
        if self.is_asked.load(Ordering::Relaxed) {
            self.is_asked.store(false, Ordering::Relaxed);
            writer = state.writer.take();
        }
        drop(state);
        if let Some(writer) = writer {
            writer.wake();
        }
        sent
    }

    /// Moves what waits to the end of `out`. True when there was something.
    pub(crate) fn take(&self, out: &mut Vec<u8>) -> bool {
        let mut state = self.lock();
        let is_news = state.take(out);
        self.note(&state);
        if is_news && !state.senders.is_empty() {
            relieve(state);
        }
        is_news
    }

    /// Moves what waits to the end of `out`. Whoever adds something from then on wakes the task.
    pub(crate) fn take_and_ask(&self, out: &mut Vec<u8>, waker: &Waker) {
        // Relaxed: whoever adds something now has the task woken, as it is asked to, or has done so.
        if self.is_asked.load(Ordering::Relaxed) && self.waiting.load(Ordering::Relaxed) == 0 {
            return;
        }
        let mut state = self.lock();
        let is_news = state.take(out);
        self.note(&state);
        self.ask(&mut state, waker);
        if is_news && !state.senders.is_empty() {
            relieve(state);
        }
    }

    fn ask(&self, state: &mut State, waker: &Waker) {
        state.writer.get_or_insert_with(|| waker.clone()).clone_from(waker);
        // Relaxed: whoever adds something reads it in the same lock.
        self.is_asked.store(true, Ordering::Relaxed);
    }

    /// Some of what was taken has left, and some is left.
    pub(crate) fn note_moved(&self) {
        // Relaxed: a count, and nothing follows from it but more patience.
        self.moved.fetch_add(1, Ordering::Relaxed);
    }

    /// Whether so much waits that no more requests should be read, either.
    pub(crate) fn is_congested(&self) -> bool {
        self.waiting.load(Ordering::Relaxed) > CONGESTED
    }

    fn note(&self, state: &State) {
        self.waiting.store(state.lines.len(), Ordering::Relaxed);
    }

    /// Waits until there is something to take. For one task at a time.
    #[cfg(any(test, feature = "http", feature = "testing"))]
    pub(crate) async fn filled(&self) {
        std::future::poll_fn(|context| {
            let mut state = self.lock();
            if !state.lines.is_empty() {
                return Poll::Ready(());
            }
            self.ask(&mut state, context.waker());
            Poll::Pending
        })
        .await;
    }

    /// Wakes nobody for what comes next: whoever writes is about to look by itself.
    pub(crate) fn quiet(&self) {
        // Relaxed: who sees it too late wakes a task that is awake.
        self.is_asked.store(false, Ordering::Relaxed);
    }

    /// The peer is gone: whatever is sent from now on is dropped.
    pub(crate) fn close(&self) {
        let mut state = self.lock();
        state.closed = true;
        state.lines = Vec::new();
        self.note(&state);
        relieve(state);
    }
}

fn relieve(mut state: MutexGuard<'_, State>) {
    let senders = std::mem::take(&mut state.senders);
    drop(state);
    senders.into_iter().for_each(Waker::wake);
}

impl Outlet for Outbox {
    fn is_congested(&self) -> bool {
        Self::is_congested(self)
    }

    fn poll_relieved(&self, context: &Context<'_>) -> Poll<()> {
        let mut state = self.lock();
        if state.closed || state.lines.len() <= CONGESTED {
            return Poll::Ready(());
        }
        if !state.senders.iter().any(|sender| sender.will_wake(context.waker())) {
            state.senders.push(context.waker().clone());
        }
        Poll::Pending
    }

    fn taken(&self) -> u64 {
        self.moved.load(Ordering::Relaxed)
    }

    fn notify(&self, message: Vec<u8>) -> Sent {
        self.push(true, &|lines| lines.extend_from_slice(&message))
    }

    fn respond(&self, message: Vec<u8>, origin: Origin) {
        self.respond_with(origin, &|lines| lines.extend_from_slice(&message));
    }

    fn respond_with(&self, _: Origin, write: &dyn Fn(&mut Vec<u8>)) {
        self.push(false, write);
    }
}
