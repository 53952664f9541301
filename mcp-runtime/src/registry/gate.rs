//! The limits of one tool: how many calls at once, how many in a time.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use super::entry::Rate;

/// Lets calls through, or says why not.
#[derive(Debug, Default)]
pub(crate) struct Gate {
    concurrency: Option<Arc<Concurrency>>,
    bucket: Option<(Rate, Mutex<Bucket>)>,
}

#[derive(Debug)]
struct Concurrency {
    most: usize,
    running: AtomicUsize,
}

/// A token bucket: it fills evenly, so a burst of the whole allowance is possible, and then one call at a time.
#[derive(Debug)]
struct Bucket {
    tokens: f64,
    filled: Instant,
}

/// Held while a call runs.
#[derive(Debug)]
pub(crate) struct Permit(Option<Arc<Concurrency>>);

impl Drop for Permit {
    fn drop(&mut self) {
        if let Some(concurrency) = &self.0 {
            concurrency.running.fetch_sub(1, Ordering::Relaxed);
        }
    }
}

impl Gate {
    pub(crate) fn new(most_at_once: Option<usize>, rate: Option<Rate>) -> Self {
        let concurrency = most_at_once.map(|most| Arc::new(Concurrency { most, running: AtomicUsize::new(0) }));
        let full = |rate: Rate| Mutex::new(Bucket { tokens: f64::from(rate.calls), filled: Instant::now() });
        Self { concurrency, bucket: rate.map(|rate| (rate, full(rate))) }
    }

    /// Lets a call of tool `name` in, or gives the text that tells the model when to try again.
    pub(crate) fn enter(&self, name: &str) -> Result<Permit, String> {
        let permit = match &self.concurrency {
            None => Permit(None),
            Some(concurrency) => {
                let free = |running| (running < concurrency.most).then_some(running + 1);
                if concurrency.running.fetch_update(Ordering::Relaxed, Ordering::Relaxed, free).is_err() {
                    let most = concurrency.most;
                    return Err(format!("tool `{name}` is busy: it runs {most} at once at most, try again when one is done"));
                }
                Permit(Some(Arc::clone(concurrency)))
            }
        };
        match &self.bucket {
            Some((rate, bucket)) => match bucket.lock().unwrap_or_else(PoisonError::into_inner).take(*rate, Instant::now()) {
                Ok(()) => Ok(permit),
                Err(wait) => {
                    let (calls, per) = (rate.calls, rate.per.as_secs_f64());
                    let wait = wait.as_secs_f64();
                    Err(format!("tool `{name}` may be called {calls} times in {per} s: try again in {wait:.1} s"))
                }
            },
            None => Ok(permit),
        }
    }
}

impl Bucket {
    /// Takes a token, or says how long until there is one.
    fn take(&mut self, rate: Rate, now: Instant) -> Result<(), Duration> {
        let per_second = f64::from(rate.calls) / rate.per.as_secs_f64().max(f64::MIN_POSITIVE);
        let fresh = now.saturating_duration_since(self.filled).as_secs_f64() * per_second;
        self.tokens = (self.tokens + fresh).min(f64::from(rate.calls));
        self.filled = now;
        if self.tokens >= 1.0 {
            self.tokens -= 1.0;
            return Ok(());
        }
        Err(Duration::try_from_secs_f64((1.0 - self.tokens) / per_second).unwrap_or(Duration::MAX))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_burst_empties_the_bucket_and_time_fills_it() {
        let rate = Rate { calls: 2, per: Duration::from_secs(1) };
        let start = Instant::now();
        let mut bucket = Bucket { tokens: 2.0, filled: start };
        assert_eq!(bucket.take(rate, start), Ok(()));
        assert_eq!(bucket.take(rate, start), Ok(()));
        let wait = bucket.take(rate, start).unwrap_err();
        assert_eq!(wait, Duration::from_millis(500));
        assert_eq!(bucket.take(rate, start + wait), Ok(()));
    }

    #[test]
    fn a_call_too_many_is_told_and_a_finished_one_makes_room() {
        let gate = Gate::new(Some(1), None);
        let permit = gate.enter("slow").unwrap();
        assert!(gate.enter("slow").unwrap_err().contains("busy"));
        drop(permit);
        assert!(gate.enter("slow").is_ok());
    }

    #[test]
    fn over_the_rate_the_wait_is_named() {
        let gate = Gate::new(None, Some(Rate { calls: 1, per: Duration::from_secs(60) }));
        assert!(gate.enter("mail").is_ok());
        let text = gate.enter("mail").unwrap_err();
        assert!(text.contains("1 times in 60 s") && text.contains("try again in"), "{text}");
    }
}
