//! Where handlers are polled: where other work waits meanwhile, or where a thread leaves its other work to others first.

use std::num::NonZeroUsize;
use std::sync::LazyLock;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering::Relaxed};
use std::task::{Context, Poll};
use std::time::Instant;

use tokio::runtime::{Handle, RuntimeFlavor};
use tokio::task::block_in_place;

/// Polls for which other work waits, in the whole process: beside a second runtime each is only more careful.
static HOLDING_UP: AtomicUsize = AtomicUsize::new(0);

/// When the first of those that are running began, in microseconds since `EPOCH`.
static SINCE: AtomicU64 = AtomicU64::new(0);
static EPOCH: LazyLock<Instant> = LazyLock::new(Instant::now);

/// So many microseconds one waits for its turn before it takes a thread of its own, which costs memory and a while to wake:
/// most handlers are done by then.
const MOMENT: u64 = 500;

/// What the threads of a runtime allow.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Threads {
    /// Other work may wait on so many of them: one is left, whatever handlers do that were quick so far. `None` when no
    /// thread can leave its work to others.
    most: Option<NonZeroUsize>,
}

impl Threads {
    /// Those of the runtime that this is called in.
    pub(super) fn here() -> Self {
        let runtime = Handle::try_current().ok();
        let workers = runtime.filter(|runtime| runtime.runtime_flavor() == RuntimeFlavor::MultiThread);
        // The only one waits now and then: or else each call would pay for what hardly any does.
        Self { most: workers.and_then(|runtime| NonZeroUsize::new((runtime.metrics().num_workers() - 1).max(1))) }
    }

    /// Whether a thread can leave its work to others.
    pub(super) const fn can_block(self) -> bool {
        self.most.is_some()
    }

    /// Where a handler can be polled that is expected to be quick, as long as this is held. Nowhere: it may be another one.
    pub(super) fn spare(self, is_quick: bool) -> Option<HoldingUp> {
        if !is_quick {
            return None;
        }
        let others = HOLDING_UP.fetch_add(1, Relaxed);
        if others == 0 {
            SINCE.store(now(), Relaxed);
        }
        let this = HoldingUp(());
        self.most.is_none_or(|most| others < most.get()).then_some(this)
    }

    /// Polls a handler, where other work waits if that is not for long. Says whether the thread has left that to others.
    pub(super) fn poll(
        self,
        is_quick: bool,
        context: &mut Context<'_>,
        poll: impl FnOnce(&mut Context<'_>, bool) -> Poll<()>,
    ) -> Poll<()> {
        if !self.can_block() {
            return poll(context, false);
        }
        if let Some(_spared) = self.spare(is_quick) {
            return poll(context, false);
        }
        if is_quick && now().saturating_sub(SINCE.load(Relaxed)) < MOMENT {
            // Most handlers are done by then.
            context.waker().wake_by_ref();
            return Poll::Pending;
        }
        block_in_place(|| poll(context, true))
    }
}

fn now() -> u64 {
    EPOCH.elapsed().as_micros().try_into().unwrap_or(u64::MAX)
}

/// Other work waits until this is dropped.
#[derive(Debug)]
pub(super) struct HoldingUp(());

impl Drop for HoldingUp {
    fn drop(&mut self) {
        HOLDING_UP.fetch_sub(1, Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use tokio::runtime::Builder;

    use super::*;

    #[test]
    fn one_thread_is_left_and_of_a_single_one_nothing_is_asked() {
        for (workers, most) in [(1, 1), (2, 1), (5, 4)] {
            let runtime = Builder::new_multi_thread().worker_threads(workers).build().unwrap();
            let threads = runtime.block_on(async { Threads::here() });
            let held: Vec<_> = std::iter::from_fn(|| threads.spare(true)).take(10).collect();
            // Other tests may hold something up meanwhile.
            assert!(held.len() <= most, "{workers}");
            assert!(threads.spare(false).is_none());
        }
        let threads = Builder::new_current_thread().build().unwrap().block_on(async { Threads::here() });
        let held: Vec<_> = std::iter::from_fn(|| threads.spare(true)).take(10).collect();
        assert_eq!((held.len(), threads.can_block()), (10, false));
    }
}
