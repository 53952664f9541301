//! The limits of one tool: how many calls at once, how many in a time.

use std::sync::atomic::Ordering;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use std::time::{Duration, Instant};

use super::entry::Rate;
use crate::handler::ctx::CallState;

/// Lets calls through, or says why not.
#[derive(Default)]
pub(crate) struct Gate {
    concurrency: Option<Arc<Concurrency>>,
    bucket: Option<(Rate, Mutex<Bucket>)>,
}

struct Concurrency {
    most: usize,
    places: Mutex<Vec<Place>>,
}

/// A place at one of the calls that may run at once.
struct Place {
    call: Weak<CallState>,
    /// Nobody waits for the call any more: it is done, or its time is over.
    is_left: bool,
}

impl Place {
    /// A call that was cancelled is over, although nobody has come round to dropping it yet; but not while a thread still works
    /// for it.
    fn is_taken(&self) -> bool {
        self.call.upgrade().is_some_and(|call| {
            let is_on_thread = call.on_threads.load(Ordering::Relaxed) > 0;
            is_on_thread || !(self.is_left || call.cancel.is_cancelled())
        })
    }
}

/// A token bucket: it fills evenly, so a burst of the whole allowance is possible, and then one call at a time.
#[derive(Debug)]
struct Bucket {
    tokens: f64,
    filled: Instant,
}

/// Held while a call runs.
pub(crate) struct Permit(Option<(Arc<Concurrency>, Weak<CallState>)>);

impl Drop for Permit {
    fn drop(&mut self) {
        if let Some((concurrency, call)) = &self.0 {
            let mut places = concurrency.lock();
            places.iter_mut().filter(|place| place.call.ptr_eq(call)).for_each(|place| place.is_left = true);
            places.retain(Place::is_taken);
        }
    }
}

impl Concurrency {
    fn lock(&self) -> MutexGuard<'_, Vec<Place>> {
        self.places.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Takes a place, if there is one.
    fn enter(&self, call: &Weak<CallState>) -> bool {
        let mut places = self.lock();
        places.retain(Place::is_taken);
        let has_room = places.len() < self.most;
        if has_room {
            places.push(Place { call: Weak::clone(call), is_left: false });
        }
        has_room
    }
}

impl Gate {
    pub(crate) fn new(most_at_once: Option<usize>, rate: Option<Rate>) -> Self {
        let concurrency = most_at_once.map(|most| Arc::new(Concurrency { most, places: Mutex::default() }));
        let full = |rate: Rate| Mutex::new(Bucket { tokens: f64::from(rate.calls), filled: Instant::now() });
        Self { concurrency, bucket: rate.map(|rate| (rate, full(rate))) }
    }

    /// Lets a call of tool `name` in, or gives the text that tells the model when to try again.
    pub(crate) fn enter(&self, name: &str, call: &Arc<CallState>) -> Result<Permit, String> {
        let permit = match &self.concurrency {
            None => Permit(None),
            Some(concurrency) => {
                let call = Arc::downgrade(call);
                if !concurrency.enter(&call) {
                    let most = concurrency.most;
                    return Err(format!(
                        "tool `{name}` is busy: it runs {most} at once at most, try again when one is done"
                    ));
                }
                Permit(Some((Arc::clone(concurrency), call)))
            }
        };
        match &self.bucket {
            Some((rate, bucket)) => {
                match bucket.lock().unwrap_or_else(PoisonError::into_inner).take(*rate, Instant::now()) {
                    Ok(()) => Ok(permit),
                    Err(wait) => {
                        let (calls, per) = (rate.calls, rate.per.as_secs_f64());
                        let wait = wait.as_secs_f64();
                        Err(format!("tool `{name}` may be called {calls} times in {per} s: try again in {wait:.1} s"))
                    }
                }
            }
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
}
