//! Whether a request was cancelled, and who waits to hear of it.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};
use std::task::Waker;

use tokio::sync::Notify;

/// Whether a request was cancelled, and who waits to hear of it.
#[derive(Debug, Default)]
pub(crate) struct Cancel {
    flag: AtomicBool,
    waiters: Notify,
    /// Who polls the handler.
    job: Mutex<Option<Waker>>,
}

impl Cancel {
    pub(crate) fn cancel(&self) {
        // Release: whoever sees the flag sees what led to it.
        self.flag.store(true, Ordering::Release);
        self.waiters.notify_waiters();
        let job = self.job.lock().unwrap_or_else(PoisonError::into_inner).take();
        if let Some(job) = job {
            job.wake();
        }
    }

    /// Has the handler's task woken by a cancellation. True when there was one already.
    pub(crate) fn wake_on_cancel(&self, waker: &Waker) -> bool {
        let mut job = self.job.lock().unwrap_or_else(PoisonError::into_inner);
        match &mut *job {
            Some(known) => known.clone_from(waker),
            empty => *empty = Some(waker.clone()),
        }
        drop(job);
        // Read after the waker is in place, so that no cancellation falls between.
        self.is_cancelled()
    }

    pub(crate) fn is_cancelled(&self) -> bool {
        self.flag.load(Ordering::Acquire)
    }

    pub(crate) async fn cancelled(&self) {
        let waiting = self.waiters.notified();
        tokio::pin!(waiting);
        // Registered before the flag is read, so that no cancellation falls between.
        waiting.as_mut().enable();
        if !self.is_cancelled() {
            waiting.await;
        }
    }
}
