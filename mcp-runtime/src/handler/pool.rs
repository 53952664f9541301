//! How many `blocking` handlers run right now: their threads cannot be ended, and a runtime waits for them when it goes down.

use std::sync::atomic::{AtomicUsize, Ordering};

static RUNNING: AtomicUsize = AtomicUsize::new(0);

struct Counted;

impl Drop for Counted {
    fn drop(&mut self) {
        RUNNING.fetch_sub(1, Ordering::Relaxed);
    }
}

/// Runs a blocking handler and counts it, also when it panics.
pub(crate) fn count<R>(body: impl FnOnce() -> R) -> R {
    RUNNING.fetch_add(1, Ordering::Relaxed);
    let _counted = Counted;
    body()
}

/// Whether a blocking handler runs in this process.
#[cfg_attr(not(feature = "stdio"), expect(dead_code, reason = "the stdio transport asks"))]
pub(crate) fn is_busy() -> bool {
    RUNNING.load(Ordering::Relaxed) > 0
}
