//! How long an author's function keeps the thread that polls it: learned from its calls.
//!
//! One that blocks must not be polled where other work waits; one that does not is served fastest right there.

use std::sync::LazyLock;
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering::Relaxed};
use std::time::Instant;

/// So many microseconds a poll may take before it blocks others. Shorter interruptions are the system's doing more often than
/// the function's.
const LONG: u64 = 2000;

/// After a poll that took long, so many short ones restore the trust.
const CAUTION: u32 = 100;

/// If it was one of so many, a single short one does: on a busy machine that is the system's doing, not the function's, and
/// caution costs more than the call. In between it is in proportion.
const RARE: u32 = 10_000;

/// What times are counted from.
static EPOCH: LazyLock<Instant> = LazyLock::new(Instant::now);

/// What is known of a function's polls. All of it is a hint, and stale by its nature.
#[derive(Debug)]
pub(crate) struct Pace {
    /// So many more short ones are needed before it counts as quick.
    doubts: AtomicU32,
    /// How many were short since one took long.
    short: AtomicU32,
    /// Those that are running: how many in the low bits, above them the sum of the times at which they began.
    ///
    /// The sum tells how long they have run together. As long as that is little, none of them takes long, however many there
    /// are and however they overlap.
    running: AtomicU64,
}

/// One poll more is running.
const RUNNING: u64 = 1;
/// How many bits their number has: there are fewer threads than that. The sum wraps, and so does what is subtracted.
const COUNT: u32 = 16;
/// So many that run at the same time may take as long together as one may.
const FEW: u64 = 8;

impl Default for Pace {
    fn default() -> Self {
        Self { doubts: AtomicU32::new(1), short: AtomicU32::default(), running: AtomicU64::default() }
    }
}

impl Pace {
    /// Whether a poll is expected to be short: the last ones were, and none takes long right now.
    pub(crate) fn is_quick(&self) -> bool {
        self.doubts.load(Relaxed) == 0 && !self.one_takes_long()
    }

    fn one_takes_long(&self) -> bool {
        let running = self.running.load(Relaxed);
        let (count, began) = (running % (1 << COUNT), running >> COUNT);
        if count == 0 {
            return false;
        }
        let together = count.wrapping_mul(now()).wrapping_sub(began) % (1 << (u64::BITS - COUNT));
        // Where very many run at the same time, they take long together without one that does.
        together >= LONG * count.div_ceil(FEW)
    }

    /// Runs a poll, and takes in how long it took.
    pub(crate) fn note<R>(&self, poll: impl FnOnce() -> R) -> R {
        let begun = now();
        let running = self.enter(begun);
        let polled = poll();
        drop(running);
        self.judge(now().saturating_sub(begun));
        polled
    }

    fn enter(&self, begun: u64) -> Running<'_> {
        let entry = (begun << COUNT).wrapping_add(RUNNING);
        self.running.fetch_add(entry, Relaxed);
        Running(self, entry)
    }

    fn judge(&self, took: u64) {
        let (doubts, short) = (self.doubts.load(Relaxed), self.short.load(Relaxed));
        if took >= LONG {
            self.doubts.store((RARE / short.max(1)).clamp(1, CAUTION), Relaxed);
            self.short.store(0, Relaxed);
            return;
        }
        self.short.store(short.saturating_add(1), Relaxed);
        if doubts > 0 {
            self.doubts.store(doubts - 1, Relaxed);
        }
    }
}

/// A poll, until this is dropped.
struct Running<'a>(&'a Pace, u64);

impl Drop for Running<'_> {
    fn drop(&mut self) {
        self.0.running.fetch_sub(self.1, Relaxed);
    }
}

/// In microseconds.
fn now() -> u64 {
    EPOCH.elapsed().as_micros().try_into().unwrap_or(u64::MAX)
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    #[test]
    fn a_function_is_quick_once_it_was_and_not_again_for_long_when_it_was_not() {
        let pace = Pace::default();
        assert!(!pace.is_quick());
        pace.judge(0);
        assert!(pace.is_quick());
        pace.judge(LONG);
        for _ in 0..CAUTION {
            assert!(!pace.is_quick());
            pace.judge(0);
        }
        assert!(pace.is_quick());
    }

    #[test]
    fn one_long_poll_among_thousands_is_soon_forgiven_and_two_in_a_row_are_not() {
        let pace = Pace::default();
        for (short, doubts) in [(20_000, 1), (1000, 10), (200, 50), (99, 100), (0, 100)] {
            (0..short).for_each(|_| pace.judge(0));
            pace.judge(LONG);
            assert_eq!(pace.doubts.load(Relaxed), doubts, "{short}");
            assert!(!pace.is_quick());
        }
        pace.judge(LONG);
        for _ in 0..CAUTION {
            assert!(!pace.is_quick());
            pace.judge(0);
        }
        assert!(pace.is_quick());
    }

    #[test]
    fn one_that_blocks_right_now_is_not_quick() {
        let pace = Pace::default();
        pace.judge(0);
        assert!(pace.is_quick());
        pace.note(|| {
            std::thread::sleep(Duration::from_micros(2 * LONG));
            // Others begin and end meanwhile.
            pace.note(|| {});
            assert!(!pace.is_quick());
        });
        assert!(!pace.is_quick());
    }

    #[test]
    fn many_that_overlap_are_as_quick_as_one() {
        let pace = Pace::default();
        pace.judge(0);
        let begun = now();
        // There is never none running, for many times as long as one may take.
        let mut running = pace.enter(begun);
        let (mut looks, mut quick) = (0, 0);
        while now() - begun < 20_000 {
            running = {
                let next = pace.enter(now());
                drop(running);
                next
            };
            looks += 1;
            quick += usize::from(pace.is_quick());
        }
        // A busy machine may interrupt between the two.
        assert!(quick > looks / 2, "{quick} of {looks}");
        drop(running);
        assert_eq!(pace.running.load(Relaxed), 0);
    }
}
