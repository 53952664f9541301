//! How long a handler keeps the thread that polls it: learned from its calls.
//!
//! A handler that blocks must not be polled where other work waits; one that does not is served fastest right there.

use std::sync::atomic::{AtomicU8, Ordering};
use std::time::Duration;

/// Longer than this a poll blocks others. Shorter interruptions are the system's doing more often than the handler's.
const LONG: Duration = Duration::from_millis(2);

/// After a poll that took long, so many short ones restore the trust.
const CAUTION: u8 = 100;

/// What is known of a handler's polls: so many more short ones are needed before it counts as quick.
#[derive(Debug)]
pub(crate) struct Pace(AtomicU8);

impl Default for Pace {
    fn default() -> Self {
        Self(AtomicU8::new(1))
    }
}

impl Pace {
    /// Whether a poll is expected to be short.
    pub(crate) fn is_quick(&self) -> bool {
        // Relaxed: a hint, and stale by its nature.
        self.0.load(Ordering::Relaxed) == 0
    }

    /// Takes in how long a poll took.
    pub(crate) fn note(&self, took: Duration) {
        let left = self.0.load(Ordering::Relaxed);
        if took >= LONG {
            self.0.store(CAUTION, Ordering::Relaxed);
        } else if left > 0 {
            self.0.store(left - 1, Ordering::Relaxed);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_handler_is_quick_once_it_was_and_not_again_for_long_when_it_was_not() {
        let pace = Pace::default();
        assert!(!pace.is_quick());
        pace.note(Duration::ZERO);
        assert!(pace.is_quick());
        pace.note(LONG);
        for _ in 0..CAUTION {
            assert!(!pace.is_quick());
            pace.note(Duration::ZERO);
        }
        assert!(pace.is_quick());
    }
}
