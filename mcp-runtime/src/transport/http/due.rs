//! How long a client may take until the headers of its next request are there, at the price of one look at the clock.
//!
//! hyper wants a timer for each request and gives it back when the headers have come, which is nearly always at once. To
//! enter one with the runtime and to take it out again costs as much as reading the headers. So each connection has one that
//! is left to run out, and looks then whether anything was due.

use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::task::{Context, Poll};
use std::time::{Duration, Instant as StdInstant};

use hyper::rt::{Sleep, Timer};
use tokio::time::{Instant, sleep_until};

/// When the headers that a connection waits for have to be there.
#[derive(Clone, Debug)]
pub(super) struct Due {
    began: Instant,
    /// In microseconds since the connection began, `NEVER` while no headers are waited for. Relaxed everywhere: who waits and
    /// who looks are one task.
    at: Arc<AtomicU64>,
}

const NEVER: u64 = u64::MAX;

fn micros(time: Duration) -> u64 {
    time.as_micros().try_into().unwrap_or(NEVER - 1)
}

impl Due {
    /// Of a connection that begins now; the first headers have to be there after this time.
    pub(super) fn after(time: Duration) -> Self {
        Self { began: Instant::now(), at: Arc::new(AtomicU64::new(micros(time))) }
    }

    /// Headers have come.
    pub(super) fn met(&self) {
        self.at.store(NEVER, Relaxed);
    }

    /// Ends when headers are missing that are due. `time` is how long a client may take.
    pub(super) async fn missed(self, time: Duration) {
        loop {
            let now = Instant::now();
            let next = match self.at.load(Relaxed) {
                // Should headers be waited for from now on, they are not due before this.
                NEVER => now + time,
                at => self.began + Duration::from_micros(at),
            };
            if next <= now {
                return;
            }
            sleep_until(next).await;
        }
    }
}

impl Timer for Due {
    fn sleep(&self, duration: Duration) -> Pin<Box<dyn Sleep>> {
        self.sleep_until(self.now() + duration)
    }

    fn sleep_until(&self, deadline: StdInstant) -> Pin<Box<dyn Sleep>> {
        let at = micros(Instant::from_std(deadline).saturating_duration_since(self.began));
        // The first ones were waited for before hyper knew in which version of HTTP they are.
        self.at.fetch_min(at, Relaxed);
        Box::pin(Waiting(self.clone()))
    }

    fn now(&self) -> StdInstant {
        Instant::now().into_std()
    }
}

/// Headers are waited for. It does not end by itself: the connection does, by [`Due::missed`].
struct Waiting(Due);

impl Future for Waiting {
    type Output = ();

    fn poll(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<()> {
        Poll::Pending
    }
}

impl Sleep for Waiting {}

impl Drop for Waiting {
    fn drop(&mut self) {
        self.0.met();
    }
}

#[cfg(test)]
mod tests {
    use tokio::time::{sleep, timeout};

    use super::*;

    const SECOND: Duration = Duration::from_secs(1);

    #[tokio::test(start_paused = true)]
    async fn headers_are_missed_when_they_are_due_and_not_before() {
        let (due, began) = (Due::after(10 * SECOND), Instant::now());
        let missed = tokio::spawn(due.clone().missed(10 * SECOND));
        // Each request has its own time, and while one is worked on nothing is due.
        for _ in 0..5 {
            let waiting = due.sleep_until(due.now() + 10 * SECOND);
            sleep(9 * SECOND).await;
            drop(waiting);
            sleep(14 * SECOND).await;
        }
        let _waiting = due.sleep_until(due.now() + 10 * SECOND);
        missed.await.unwrap();
        assert_eq!(began.elapsed(), (5 * 23 + 10) * SECOND);
    }

    #[tokio::test(start_paused = true)]
    async fn the_first_headers_are_due_from_the_beginning_whatever_comes_before_them() {
        let (due, began) = (Due::after(10 * SECOND), Instant::now());
        let missed = tokio::spawn(due.clone().missed(10 * SECOND));
        sleep(9 * SECOND).await;
        let _waiting = due.sleep_until(due.now() + 10 * SECOND);
        missed.await.unwrap();
        assert_eq!(began.elapsed(), 10 * SECOND);
    }

    #[tokio::test(start_paused = true)]
    async fn a_connection_on_which_nothing_is_due_goes_on() {
        let due = Due::after(SECOND);
        due.met();
        assert!(timeout(1000 * SECOND, due.missed(SECOND)).await.is_err());
    }
}
