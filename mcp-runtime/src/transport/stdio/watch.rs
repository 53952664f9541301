//! Who is running an author's code right now, told at the price of two atomic additions a poll.
//!
//! The lifeguard looks at it now and then; nobody else waits for anything here.

use std::future::Future;
use std::pin::Pin;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::SeqCst};
use std::sync::{Arc, OnceLock};
use std::task::{Context, Poll, Waker};
use std::thread::Thread;

use tokio::task::block_in_place;

use crate::server::job::Job;

/// One poll more is running; the rest of the number counts changes.
const RUNNING: u64 = 1;
const CHANGE: u64 = 1 << 16;

/// How many polls are running and how often that changed, in one number: while it stays the same, the same ones are.
#[derive(Debug, Default)]
pub(super) struct Polls(AtomicU64);

impl Polls {
    pub(super) fn enter<'a>(&'a self, watch: &Watch) -> Running<'a> {
        self.0.fetch_add(CHANGE + RUNNING, SeqCst);
        watch.rouse();
        Running(self)
    }

    fn seen(&self) -> Seen {
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
struct Seen(u64);

impl Seen {
    fn is_running(self) -> bool {
        self.0 % CHANGE != 0
    }

    fn is_stuck_since(self, before: Self) -> bool {
        self.is_running() && self == before
    }
}

/// Both kinds of polls at one moment.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Glance {
    inline: Seen,
    spawned: Seen,
}

impl Glance {
    pub(super) fn is_running(self) -> bool {
        self.inline.is_running() || self.spawned.is_running()
    }

    /// Whether a poll that ran at the earlier glance still runs, so that nobody may be reading.
    ///
    /// Spawned polls are judged together: as long as one starts or ends somewhere, a worker is alive, and the runtime
    /// gives the reading its turn there.
    pub(super) fn is_stuck_since(self, before: Self) -> bool {
        self.inline.is_stuck_since(before.inline) || self.spawned.is_stuck_since(before.spawned)
    }
}

/// The polls of one connection, and the thread that watches them.
#[derive(Debug, Default)]
pub(super) struct Watch {
    /// Those that the driver makes itself: it reads nothing meanwhile.
    inline: Polls,
    /// Those of handlers that were pending once.
    spawned: Polls,
    /// Handlers run where they block no more threads: the runtime can spare them, and a poll is stuck already.
    in_place: AtomicBool,
    /// Other connections wait on the same threads, which can leave them to others. One that had its turn next on a thread
    /// that blocks is held up with it, so nothing is polled there that may block.
    has_neighbours: bool,
    is_asleep: AtomicBool,
    is_over: AtomicBool,
    lifeguard: OnceLock<Thread>,
}

impl Watch {
    pub(super) fn new(has_neighbours: bool) -> Self {
        Self { has_neighbours, ..Self::default() }
    }

    /// Polls a handler right after its request was read.
    pub(super) fn begin(&self, job: &mut Job) -> Poll<()> {
        let _running = self.inline.enter(self);
        // A spawned task is polled once more anyway, so nothing has to be woken by this poll.
        self.poll(job, &mut Context::from_waker(Waker::noop()), false)
    }

    fn poll(&self, job: &mut Job, context: &mut Context<'_>, in_place: bool) -> Poll<()> {
        if in_place || (self.has_neighbours && !job.is_quick()) {
            return block_in_place(|| self.poll_here(job, context));
        }
        self.poll_here(job, context)
    }

    fn poll_here(&self, job: &mut Job, context: &mut Context<'_>) -> Poll<()> {
        if self.has_neighbours { job.poll_noted(context) } else { Pin::new(job).poll(context) }
    }

    pub(super) fn glance(&self) -> Glance {
        Glance { inline: self.inline.seen(), spawned: self.spawned.seen() }
    }

    /// Wakes the lifeguard if it sleeps. Costs a load otherwise.
    pub(super) fn rouse(&self) {
        if self.is_asleep.load(SeqCst) && self.is_asleep.swap(false, SeqCst) {
            self.lifeguard.get().inspect(|thread| thread.unpark());
        }
    }

    /// For the lifeguard: sleeps until a poll begins or all is over.
    pub(super) fn sleep(&self) {
        self.lifeguard.get_or_init(std::thread::current);
        // First asleep, then look: whoever begins a poll adds first, then looks, so one of the two sees the other.
        self.is_asleep.store(true, SeqCst);
        if self.glance().is_running() || self.is_over() {
            self.is_asleep.store(false, SeqCst);
        }
        while self.is_asleep.load(SeqCst) {
            std::thread::park();
        }
    }

    /// Says whether the polls of handlers are to leave their threads' other work to other threads.
    pub(super) fn poll_in_place(&self, in_place: bool) {
        self.in_place.store(in_place, SeqCst);
    }

    /// There is nothing left to watch.
    pub(super) fn end(&self) {
        self.is_over.store(true, SeqCst);
        self.rouse();
    }

    pub(super) fn is_over(&self) -> bool {
        self.is_over.load(SeqCst)
    }
}

/// A spawned handler whose polls are watched.
pub(super) struct Watched {
    pub(super) job: Job,
    pub(super) watch: Arc<Watch>,
}

impl std::fmt::Debug for Watched {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Watched").finish_non_exhaustive()
    }
}

impl Future for Watched {
    type Output = ();

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<()> {
        let this = &mut *self;
        let (watch, job) = (&*this.watch, &mut this.job);
        let _running = watch.spawned.enter(watch);
        watch.poll(job, context, watch.in_place.load(SeqCst))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_poll_that_goes_on_is_stuck() {
        let watch = Watch::default();
        let before = watch.glance();
        let running = watch.inline.enter(&watch);
        let during = watch.glance();
        assert!(!before.is_running() && !during.is_stuck_since(before));
        assert!(watch.glance().is_stuck_since(during));
        drop(running);
        assert!(!watch.glance().is_running() && !watch.glance().is_stuck_since(during));
        let _running = watch.inline.enter(&watch);
        assert!(!watch.glance().is_stuck_since(during));
    }

    #[test]
    fn a_spawned_poll_is_not_stuck_while_others_come_and_go() {
        let watch = Watch::default();
        let _running = watch.spawned.enter(&watch);
        let before = watch.glance();
        drop(watch.spawned.enter(&watch));
        assert!(watch.glance().is_running() && !watch.glance().is_stuck_since(before));
        let later = watch.glance();
        assert!(watch.glance().is_stuck_since(later));
    }

    #[test]
    fn a_poll_wakes_the_lifeguard() {
        let watch = Arc::new(Watch::default());
        let sleeper = std::thread::spawn({
            let watch = Arc::clone(&watch);
            move || watch.sleep()
        });
        while !watch.is_asleep.load(SeqCst) {
            std::thread::yield_now();
        }
        let _running = watch.inline.enter(&watch);
        sleeper.join().unwrap();
        // It does not even lie down while a poll runs.
        watch.sleep();
    }
}
