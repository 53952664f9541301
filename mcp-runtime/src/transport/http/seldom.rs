//! A future that hardly ever has anything to say: it is asked only after it has called.
//!
//! A connection is polled for each request, and with it all that may end it. To be asked in vain costs most futures an
//! entry in a list or a look at the clock; here it costs a load.

use std::future::Future;
use std::pin::Pin;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::task::{Context, Poll, Wake, Waker};

/// A future that is polled once, and from then on only when it has woken whoever polls this.
#[derive(Debug)]
pub(super) struct Seldom<F> {
    future: F,
    bell: Arc<Bell>,
    /// The bell, as the future knows it.
    waker: Waker,
    /// Who the bell wakes.
    task: Waker,
}

/// What the future calls with.
#[derive(Debug)]
struct Bell {
    has_rung: AtomicBool,
    task: Mutex<Waker>,
}

impl Wake for Bell {
    fn wake(self: Arc<Self>) {
        // First rung, then woken: the task that wakes looks.
        self.has_rung.store(true, Ordering::Release);
        let task = self.task.lock().unwrap_or_else(PoisonError::into_inner).clone();
        task.wake();
    }
}

impl<F> Seldom<F> {
    pub(super) fn new(future: F) -> Self {
        let task = Waker::noop().clone();
        let bell = Arc::new(Bell { has_rung: AtomicBool::new(true), task: Mutex::new(task.clone()) });
        Self { future, waker: Waker::from(Arc::clone(&bell)), bell, task }
    }
}

impl<F: Future + Unpin> Future for Seldom<F> {
    type Output = F::Output;

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<F::Output> {
        let Self { future, bell, waker, task } = &mut *self;
        if !task.will_wake(context.waker()) {
            task.clone_from(context.waker());
            bell.task.lock().unwrap_or_else(PoisonError::into_inner).clone_from(task);
        }
        if !bell.has_rung.load(Ordering::Relaxed) {
            return Poll::Pending;
        }
        // Silent again before the future is asked: whatever it has to say afterwards, it rings for.
        bell.has_rung.swap(false, Ordering::AcqRel);
        Pin::new(future).poll(&mut Context::from_waker(waker))
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::AtomicUsize;

    use tokio::sync::Notify;

    use super::*;

    #[derive(Default)]
    struct Woken(AtomicUsize);

    impl Wake for Woken {
        fn wake(self: Arc<Self>) {
            self.0.fetch_add(1, Ordering::Relaxed);
        }
    }

    #[test]
    fn it_is_polled_only_when_it_has_called_and_wakes_the_task_that_polled_last() {
        let (notify, mut polls) = (Notify::new(), 0);
        let mut notified = Box::pin(notify.notified());
        let future = std::future::poll_fn(|context| {
            polls += 1;
            notified.as_mut().poll(context)
        });
        let mut seldom = Seldom::new(future);
        let tasks = [Arc::new(Woken::default()), Arc::new(Woken::default())];
        let wakers = tasks.clone().map(Waker::from);
        let mut poll = |waker| Pin::new(&mut seldom).poll(&mut Context::from_waker(waker)).is_ready();
        assert!(!poll(&wakers[0]) && !poll(&wakers[0]) && !poll(&wakers[1]));
        notify.notify_waiters();
        assert_eq!(tasks.map(|task| task.0.load(Ordering::Relaxed)), [0, 1]);
        assert!(poll(&wakers[1]));
        drop(seldom);
        assert_eq!(polls, 2);
    }
}
