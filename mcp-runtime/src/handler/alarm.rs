//! Wakes a task after a while, whatever runs it.
//!
//! A timer of the runtime would not do: a handler may be polled by an executor of its own, on the very thread that the
//! runtime's timers need.

use std::sync::{Condvar, Mutex, MutexGuard, OnceLock, PoisonError};
use std::task::{Context, Poll, Waker};
use std::time::{Duration, Instant};

use crate::sorted::Sorted;
use crate::spawn::thread;

/// The alarms of the process. Their thread is started by the first one; none when that failed.
static CLOCK: OnceLock<Option<&'static Clock>> = OnceLock::new();

/// When, and which of those at that time.
type Key = (Instant, u64);

#[derive(Default)]
struct Clock {
    /// All are set for the same time ahead: a new one is the last, nearly always.
    alarms: Mutex<(u64, Sorted<Key, Waker>)>,
    changed: Condvar,
}

impl Clock {
    fn start() -> Option<&'static Self> {
        let clock: &'static Self = Box::leak(Box::default());
        thread("mcp-alarms", Box::new(|| clock.run())).ok().map(|()| clock)
    }

    fn lock(&self) -> MutexGuard<'_, (u64, Sorted<Key, Waker>)> {
        self.alarms.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn run(&self) {
        let mut alarms = self.lock();
        loop {
            let now = Instant::now();
            let first = alarms.1.keys().next().copied();
            alarms = match first {
                None => self.changed.wait(alarms).unwrap_or_else(PoisonError::into_inner),
                Some(first) if first.0 <= now => {
                    let waker = alarms.1.remove(&first);
                    drop(alarms);
                    waker.inspect(Waker::wake_by_ref);
                    self.lock()
                }
                Some((at, _)) => {
                    let time = at - now;
                    self.changed.wait_timeout(alarms, time).unwrap_or_else(PoisonError::into_inner).0
                }
            };
        }
    }
}

/// A moment that a task waits for.
pub(super) struct Alarm {
    at: Instant,
    set: Option<Key>,
}

impl Alarm {
    pub(super) fn after(time: Duration) -> Self {
        Self { at: Instant::now() + time, set: None }
    }

    /// Whether the moment has come; the task is woken when it has.
    pub(super) fn poll(&mut self, context: &Context<'_>) -> Poll<()> {
        let clock = CLOCK.get_or_init(Clock::start);
        let Some(clock) = clock.filter(|_| Instant::now() < self.at) else { return Poll::Ready(()) };
        let mut alarms = clock.lock();
        let key = *self.set.get_or_insert_with(|| {
            alarms.0 += 1;
            (self.at, alarms.0)
        });
        alarms.1.insert(key, context.waker().clone());
        drop(alarms);
        clock.changed.notify_one();
        Poll::Pending
    }
}

impl Drop for Alarm {
    fn drop(&mut self) {
        if let (Some(key), Some(Some(clock))) = (self.set, CLOCK.get()) {
            clock.lock().1.remove(&key);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::future::poll_fn;

    #[tokio::test]
    async fn alarms_go_off_in_their_order_and_not_before_their_time() {
        let began = Instant::now();
        let (mut late, mut early) = (Alarm::after(Duration::from_millis(40)), Alarm::after(Duration::from_millis(10)));
        let never = Alarm::after(Duration::from_secs(3600));
        let first = poll_fn(|context| match (late.poll(context), early.poll(context)) {
            (Poll::Ready(()), _) => Poll::Ready("late"),
            (_, Poll::Ready(())) => Poll::Ready("early"),
            _ => Poll::Pending,
        });
        assert_eq!(first.await, "early");
        poll_fn(|context| late.poll(context)).await;
        assert!(began.elapsed() >= Duration::from_millis(40));
        drop(never);
    }
}
