//! Whose turn it is: so many handlers run at a time, the others wait in a line.
//!
//! Messages are read on meanwhile. The client's answers, its cancellations and its pings are never in the line, so they come
//! through however many requests it has sent.

use std::collections::VecDeque;
use std::sync::Arc;
use std::task::{Context, Poll};

use tokio::runtime::Handle;
use tokio::task::JoinSet;

use super::watch::{Watch, Watched};
use crate::server::job::Job;
use crate::spawn::Task;

/// How many handlers may run at a time: far more than a client has calls in flight, few enough that what they hold is no
/// danger. Those that wait for an answer of the client do not count: their number has a bound of its own.
const MOST_RUNNING: usize = 1024;

/// How many begin before it is looked at again whether their answers are taken: each may have one that is large.
pub(super) const BATCH: usize = 64;

/// How much the requests in the line may hold before no more messages are read: more than anybody means to send at once.
const LINE: usize = 16 * 1024 * 1024;

/// What a request in the line holds beside its message, roughly.
const OVERHEAD: usize = 1024;

/// The handlers of one connection that are not done.
#[derive(Debug, Default)]
pub(super) struct Turns {
    running: JoinSet<()>,
    line: VecDeque<Waiting>,
    /// What the line holds.
    held: usize,
}

/// A handler whose turn has not come.
struct Waiting {
    job: Job,
    held: usize,
}

impl std::fmt::Debug for Waiting {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Waiting").field("held", &self.held).finish_non_exhaustive()
    }
}

impl Turns {
    /// Whether it is the next one's turn at once. `asking` is how many handlers wait for an answer of the client.
    pub(super) fn has_room(&self, asking: impl FnOnce() -> usize) -> bool {
        self.line.is_empty() && self.may_run(asking)
    }

    fn may_run(&self, asking: impl FnOnce() -> usize) -> bool {
        self.running.len() < MOST_RUNNING || self.running.len() < MOST_RUNNING + asking()
    }

    /// Whether the line is so long that no more should be read.
    pub(super) fn is_full(&self) -> bool {
        self.held >= LINE
    }

    /// Puts a handler at the end of the line; its message had so many bytes.
    pub(super) fn enter(&mut self, job: Job, bytes: usize) {
        let held = bytes + OVERHEAD;
        self.held += held;
        self.line.push_back(Waiting { job, held });
    }

    /// Leaves a handler to the runtime.
    pub(super) fn run(&mut self, job: Job, watch: &Arc<Watch>, runtime: &Handle) {
        let task: Task = Box::pin(Watched { job, watch: Arc::clone(watch) });
        self.running.spawn_on(task, runtime);
    }

    /// Lets `most` of those in the line begin whose turn has come. Whether it has come for more.
    pub(super) fn advance(
        &mut self,
        most: usize,
        watch: &Arc<Watch>,
        runtime: &Handle,
        asking: impl Fn() -> usize,
    ) -> bool {
        while !self.running.is_empty() && self.running.try_join_next().is_some() {}
        for _ in 0..most {
            if !self.may_run(&asking) {
                return false;
            }
            let Some(next) = self.line.pop_front() else { return false };
            self.held -= next.held;
            self.run(next.job, watch, runtime);
        }
        !self.line.is_empty() && self.may_run(asking)
    }

    /// Has the task woken when the next turn may have come, if somebody waits for it; ready when it has.
    pub(super) fn poll_next(&mut self, context: &mut Context<'_>) -> Poll<()> {
        if self.line.is_empty() || self.running.is_empty() {
            return Poll::Pending;
        }
        self.running.poll_join_next(context).map(drop)
    }

    /// Drops all handlers.
    pub(super) fn abandon(&mut self) {
        self.running.abort_all();
        self.line.clear();
        self.held = 0;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn forever() -> Job {
        Job::Other(Box::pin(std::future::pending()))
    }

    #[tokio::test]
    async fn who_waits_for_the_client_does_not_keep_others_from_their_turn() {
        let (mut turns, watch, runtime) = (Turns::default(), Arc::default(), Handle::current());
        for _ in 0..MOST_RUNNING {
            assert!(turns.has_room(|| 0));
            turns.run(forever(), &watch, &runtime);
        }
        assert!(!turns.has_room(|| 0) && turns.has_room(|| 1));
        turns.enter(Job::Other(Box::pin(std::future::ready(()))), 10);
        turns.advance(BATCH, &watch, &runtime, || 0);
        // First come, first served: nobody passes the line.
        assert!(!turns.has_room(|| 1) && turns.running.len() == MOST_RUNNING);
        turns.advance(BATCH, &watch, &runtime, || 1);
        assert_eq!((turns.running.len(), turns.held), (MOST_RUNNING + 1, 0));
    }

    #[tokio::test]
    async fn the_line_is_bounded_by_what_it_holds() {
        let mut turns = Turns::default();
        turns.enter(forever(), LINE);
        assert!(turns.is_full());
        turns.abandon();
        assert!(!turns.is_full());
    }
}
