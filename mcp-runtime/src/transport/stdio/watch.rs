//! The polls of one connection, and where they are made.

use std::future::Future;
use std::pin::Pin;
use std::sync::atomic::{AtomicBool, Ordering::SeqCst};
use std::sync::{Arc, LazyLock};
use std::task::{Context, Poll, Waker};

use tokio::task::block_in_place;

use crate::server::job::Job;
use crate::transport::polls::{Nap, Polls, Running, Seen};
use crate::transport::threads::Threads;

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

/// Has a thread watch the polls.
pub(super) type Call = Box<dyn FnOnce() + Send>;

/// The polls of one connection, and the thread that watches them.
#[derive(Debug)]
pub(super) struct Watch {
    /// Those that the driver makes itself: it reads nothing meanwhile.
    inline: Polls,
    /// Those of handlers that were pending once.
    spawned: Polls,
    /// Handlers run where they block no more threads: the runtime can spare them, and a poll is stuck already.
    in_place: AtomicBool,
    /// The threads on which other connections wait, if any do. One that had its turn next on a thread that blocks is held up
    /// with it, so nothing is polled there that may block.
    neighbours: Option<Threads>,
    nap: Nap,
    /// The thread is called at the first poll: nothing blocks before, and what comes before is answered sooner without it.
    lifeguard: LazyLock<(), Call>,
}

impl Watch {
    pub(super) fn new(neighbours: Option<Threads>, lifeguard: Call) -> Self {
        Self {
            inline: Polls::default(),
            spawned: Polls::default(),
            in_place: AtomicBool::new(false),
            neighbours,
            nap: Nap::default(),
            lifeguard: LazyLock::new(lifeguard),
        }
    }

    /// Polls a handler right after its request was read.
    pub(super) fn begin(&self, job: &mut Job) -> Poll<()> {
        let _running = self.enter(&self.inline);
        // A spawned task is polled once more anyway, so nothing has to be woken by this poll.
        self.poll(job, &mut Context::from_waker(Waker::noop()), false)
    }

    fn enter<'w>(&self, polls: &'w Polls) -> Running<'w> {
        let running = polls.enter(&self.nap);
        // After the poll is told, so that whoever comes sees it.
        LazyLock::force(&self.lifeguard);
        running
    }

    fn poll(&self, job: &mut Job, context: &mut Context<'_>, in_place: bool) -> Poll<()> {
        match self.neighbours {
            Some(threads) => threads.poll(!in_place && job.is_quick(), context, |context, _| job.poll_noted(context)),
            None if in_place => block_in_place(|| Pin::new(job).poll(context)),
            None => Pin::new(job).poll(context),
        }
    }

    pub(super) fn glance(&self) -> Glance {
        Glance { inline: self.inline.seen(), spawned: self.spawned.seen() }
    }

    /// For the lifeguard: sleeps until a poll begins or all is over.
    pub(super) fn sleep(&self) {
        self.nap.sleep(|| self.glance().is_running());
    }

    /// Says whether the polls of handlers are to leave their threads' other work to other threads.
    pub(super) fn poll_in_place(&self, in_place: bool) {
        self.in_place.store(in_place, SeqCst);
    }

    /// There is nothing left to watch.
    pub(super) fn end(&self) {
        self.nap.end();
    }

    pub(super) fn is_over(&self) -> bool {
        self.nap.is_over()
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
        let _running = watch.enter(&watch.spawned);
        watch.poll(job, context, watch.in_place.load(SeqCst))
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::AtomicUsize;

    use super::*;

    impl Default for Watch {
        /// One that nobody watches.
        fn default() -> Self {
            Self::new(None, Box::new(|| {}))
        }
    }

    #[test]
    fn only_a_poll_that_goes_on_is_stuck() {
        let watch = Watch::default();
        let before = watch.glance();
        let running = watch.inline.enter(&watch.nap);
        let during = watch.glance();
        assert!(!before.is_running() && !during.is_stuck_since(before));
        assert!(watch.glance().is_stuck_since(during));
        drop(running);
        assert!(!watch.glance().is_running() && !watch.glance().is_stuck_since(during));
        let _running = watch.inline.enter(&watch.nap);
        assert!(!watch.glance().is_stuck_since(during));
    }

    #[test]
    fn the_lifeguard_is_called_once_and_sees_the_first_poll() {
        let called = Arc::new(AtomicUsize::new(0));
        let calls = Arc::clone(&called);
        let count = Box::new(move || _ = calls.fetch_add(1, SeqCst));
        let watch = Watch::new(None, count);
        watch.end();
        assert!(!watch.glance().is_running() && called.load(SeqCst) == 0);
        let running = watch.enter(&watch.inline);
        assert!(watch.glance().is_running() && called.load(SeqCst) == 1);
        drop(running);
        drop(watch.enter(&watch.spawned));
        assert_eq!(called.load(SeqCst), 1);
    }

    #[test]
    fn a_spawned_poll_is_not_stuck_while_others_come_and_go() {
        let watch = Watch::default();
        let _running = watch.spawned.enter(&watch.nap);
        let before = watch.glance();
        drop(watch.spawned.enter(&watch.nap));
        assert!(watch.glance().is_running() && !watch.glance().is_stuck_since(before));
        let later = watch.glance();
        assert!(watch.glance().is_stuck_since(later));
    }
}
