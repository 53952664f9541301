//! `ctx.commit_once()`: a point that a call passes once, even when its client repeats a round.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use tokio::time::Instant;

use crate::handler::call::BoxFuture;
use crate::handler::error::Error;

/// Remembers which calls have passed their [`commit_once`](crate::Ctx::commit_once).
///
/// The default is this process's memory. Several instances need one that they share.
pub trait ReplayStore: Send + Sync + 'static {
    /// Notes `name` for at least `ttl`. True when it was not noted before; of several that ask at once, one hears that.
    fn claim<'s>(&'s self, name: &'s str, ttl: Duration) -> BoxFuture<'s, Result<bool, Error>>;
}

/// So many names are kept at most.
const MOST_NAMES: usize = 100_000;

/// Names in this process's memory.
#[derive(Debug, Default)]
pub(crate) struct LocalReplays {
    /// Until when each name is kept.
    names: Mutex<HashMap<String, Instant>>,
}

impl LocalReplays {
    fn claim_now(&self, name: &str, ttl: Duration) -> Result<bool, Error> {
        let now = Instant::now();
        let mut names = self.names.lock().unwrap_or_else(PoisonError::into_inner);
        if names.len() >= MOST_NAMES {
            names.retain(|_, until| *until > now);
        }
        if names.get(name).is_some_and(|until| *until > now) {
            return Ok(false);
        }
        if names.len() >= MOST_NAMES {
            return Err(Error::internal("too many calls were committed lately: try again later"));
        }
        names.insert(name.to_owned(), now + ttl);
        Ok(true)
    }
}

impl ReplayStore for LocalReplays {
    fn claim<'s>(&'s self, name: &'s str, ttl: Duration) -> BoxFuture<'s, Result<bool, Error>> {
        Box::pin(std::future::ready(self.claim_now(name, ttl)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test(start_paused = true)]
    async fn a_name_is_claimed_once_within_its_time() {
        let store = LocalReplays::default();
        assert!(store.claim("a", Duration::from_secs(1)).await.unwrap());
        assert!(!store.claim("a", Duration::from_secs(1)).await.unwrap());
        assert!(store.claim("b", Duration::from_secs(1)).await.unwrap());
        tokio::time::advance(Duration::from_secs(2)).await;
        assert!(store.claim("a", Duration::from_secs(1)).await.unwrap());
    }
}
