//! Who is running an author's code right now, told at the price of two atomic additions a poll, and the sleep of a thread
//! that looks at it now and then.
//!
//! Nobody but that thread waits for anything here.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::SeqCst};
use std::thread::Thread;

/// One poll more is running; the rest of the number counts changes.
const RUNNING: u64 = 1;
const CHANGE: u64 = 1 << 16;

/// How many polls are running and how often that changed, in one number: while it stays the same, the same ones are.
#[derive(Debug, Default)]
pub(super) struct Polls(AtomicU64);

impl Polls {
    /// Says that a poll begins, to the thread that looks, too.
    pub(super) fn enter(&self, nap: &Nap) -> Running<'_> {
        self.0.fetch_add(CHANGE + RUNNING, SeqCst);
        nap.rouse();
        Running(self)
    }

    pub(super) fn seen(&self) -> Seen {
        Seen(self.0.load(SeqCst))
    }
}

/// A poll is running until this is dropped.
#[derive(Debug)]
pub(super) struct Running<'a>(&'a Polls);

impl Drop for Running<'_> {
    fn drop(&mut self) {
        self.0.0.fetch_add(CHANGE - RUNNING, SeqCst);
    }
}

/// What was seen at one moment.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Seen(u64);

impl Seen {
    pub(super) fn is_running(self) -> bool {
        self.0 % CHANGE != 0
    }

    pub(super) fn is_stuck_since(self, before: Self) -> bool {
        self.is_running() && self == before
    }
}

/// The sleep of the thread that looks.
#[derive(Debug, Default)]
pub(super) struct Nap {
    is_asleep: AtomicBool,
    is_over: AtomicBool,
    thread: OnceLock<Thread>,
}

impl Nap {
    /// Wakes the thread if it sleeps. Costs a load otherwise.
    pub(super) fn rouse(&self) {
        if self.is_asleep.load(SeqCst) && self.is_asleep.swap(false, SeqCst) {
            self.thread.get().inspect(|thread| thread.unpark());
        }
    }

    /// For the thread: sleeps until a poll begins or all is over, unless there is something to be seen already.
    pub(super) fn sleep(&self, has_news: impl FnOnce() -> bool) {
        self.thread.get_or_init(std::thread::current);
        // First asleep, then look: whoever begins a poll adds first, then looks, so one of the two sees the other.
        self.is_asleep.store(true, SeqCst);
        if has_news() || self.is_over() {
            self.is_asleep.store(false, SeqCst);
        }
        while self.is_asleep.load(SeqCst) {
            std::thread::park();
        }
    }

    /// There is nothing left to look at.
    pub(super) fn end(&self) {
        self.is_over.store(true, SeqCst);
        self.rouse();
    }

    pub(super) fn is_over(&self) -> bool {
        self.is_over.load(SeqCst)
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;

    #[test]
    fn a_poll_wakes_whoever_sleeps() {
        let both = Arc::new((Polls::default(), Nap::default()));
        let sleep = |(polls, nap): &(Polls, Nap)| nap.sleep(|| polls.seen().is_running());
        let sleeper = std::thread::spawn({
            let both = Arc::clone(&both);
            move || sleep(&both)
        });
        let (polls, nap) = &*both;
        while !nap.is_asleep.load(SeqCst) {
            std::thread::yield_now();
        }
        let _running = polls.enter(nap);
        sleeper.join().unwrap();
        // Nobody even lies down while a poll runs, nor after the end.
        sleep(&both);
        nap.end();
        nap.sleep(|| false);
    }
}
