//! How long an author's function keeps the thread that polls it: learned from its calls.
//!
//! One that blocks must not be polled where other work waits; one that does not is served fastest right there.

use std::sync::LazyLock;
use std::sync::atomic::{AtomicU8, AtomicU32, AtomicU64, Ordering::Relaxed};
use std::time::{Duration, Instant};

/// Longer than this a poll blocks others. Shorter interruptions are the system's doing more often than the function's.
const LONG: Duration = Duration::from_millis(2);

/// After a poll that took long, so many short ones restore the trust.
const CAUTION: u8 = 100;

/// What times are counted from.
static EPOCH: LazyLock<Instant> = LazyLock::new(Instant::now);

/// What is known of a function's polls. All of it is a hint, and stale by its nature.
#[derive(Debug)]
pub(crate) struct Pace {
    /// So many more short ones are needed before it counts as quick.
    doubts: AtomicU8,
    running: AtomicU32,
    /// When the first of those that are running began, in nanoseconds.
    since: AtomicU64,
}

impl Default for Pace {
    fn default() -> Self {
        Self { doubts: AtomicU8::new(1), running: AtomicU32::default(), since: AtomicU64::default() }
    }
}

impl Pace {
    /// Whether a poll is expected to be short: the last ones were, and none takes long right now.
    pub(crate) fn is_quick(&self) -> bool {
        self.doubts.load(Relaxed) == 0
            && (self.running.load(Relaxed) == 0 || now().saturating_sub(self.since.load(Relaxed)) < nanoseconds(LONG))
    }

    /// Runs a poll, and takes in how long it took.
    pub(crate) fn note<R>(&self, poll: impl FnOnce() -> R) -> R {
        let begun = Instant::now();
        if self.running.fetch_add(1, Relaxed) == 0 {
            self.since.store(now(), Relaxed);
        }
        let polled = poll();
        self.running.fetch_sub(1, Relaxed);
        self.judge(begun.elapsed());
        polled
    }

    fn judge(&self, took: Duration) {
        let doubts = self.doubts.load(Relaxed);
        if took >= LONG {
            self.doubts.store(CAUTION, Relaxed);
        } else if doubts > 0 {
            self.doubts.store(doubts - 1, Relaxed);
        }
    }
}

fn now() -> u64 {
    nanoseconds(EPOCH.elapsed())
}

fn nanoseconds(time: Duration) -> u64 {
    time.as_nanos().try_into().unwrap_or(u64::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_function_is_quick_once_it_was_and_not_again_for_long_when_it_was_not() {
        let pace = Pace::default();
        assert!(!pace.is_quick());
        pace.judge(Duration::ZERO);
        assert!(pace.is_quick());
        pace.judge(LONG);
        for _ in 0..CAUTION {
            assert!(!pace.is_quick());
            pace.judge(Duration::ZERO);
        }
        assert!(pace.is_quick());
    }

    #[test]
    fn one_that_blocks_right_now_is_not_quick() {
        let pace = Pace::default();
        pace.judge(Duration::ZERO);
        assert!(pace.is_quick());
        pace.note(|| {
            std::thread::sleep(2 * LONG);
            // Others begin and end meanwhile.
            pace.note(|| {});
            assert!(!pace.is_quick());
        });
        assert!(!pace.is_quick());
    }
}
