//! What calls remember while their clients are away, in this process, under names that nobody can guess.

use std::collections::{HashMap, VecDeque};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::time::Instant;

use crate::handler::ask::random_name;

/// So many states wait at most.
const MOST_STATES: usize = 16 * 1024;

/// And so many bytes of them.
const MOST_BYTES: usize = 16 * 1024 * 1024;

/// States by their handle. Bounded: what has expired goes first, then what was come back for, and then nothing more fits in.
#[derive(Debug)]
pub(crate) struct Table<S> {
    states: Mutex<States<S>>,
}

impl<S> Default for Table<S> {
    fn default() -> Self {
        let states = States { by_handle: HashMap::new(), order: VecDeque::new(), bytes: 0 };
        Self { states: Mutex::new(states) }
    }
}

#[derive(Debug)]
struct States<S> {
    by_handle: HashMap<String, Entry<S>>,
    /// Oldest first, which is also the order in which they expire.
    order: VecDeque<String>,
    bytes: usize,
}

#[derive(Debug)]
struct Entry<S> {
    kept: Arc<S>,
    bytes: usize,
    expires: Instant,
    /// The client has come back with it: it is kept in case it does so again.
    found: bool,
}

impl<S> Table<S> {
    fn lock(&self) -> MutexGuard<'_, States<S>> {
        self.states.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Keeps a state of so many bytes; `None` when there is no room.
    pub(super) fn keep(&self, kept: Arc<S>, bytes: usize, ttl: Duration) -> Option<String> {
        let mut states = self.lock();
        let now = Instant::now();
        states.drop_expired(now);
        if !states.has_room(bytes) {
            states.drop_found();
        }
        if !states.has_room(bytes) {
            return None;
        }
        let handle = random_name();
        states.bytes += bytes;
        states.order.push_back(handle.clone());
        states.by_handle.insert(handle.clone(), Entry { kept, bytes, expires: now + ttl, found: false });
        Some(handle)
    }

    /// The state of a handle. It stays until it expires: a client may have lost the answer and come back again.
    pub(super) fn find(&self, handle: &str) -> Option<Arc<S>> {
        let mut states = self.lock();
        let entry = states.by_handle.get_mut(handle).filter(|entry| entry.expires > Instant::now())?;
        entry.found = true;
        Some(Arc::clone(&entry.kept))
    }
}

impl<S> States<S> {
    fn has_room(&self, bytes: usize) -> bool {
        self.by_handle.len() < MOST_STATES && self.bytes + bytes <= MOST_BYTES
    }

    fn drop_expired(&mut self, now: Instant) {
        while let Some(handle) = self.order.front() {
            if self.by_handle.get(handle).is_some_and(|entry| entry.expires > now) {
                return;
            }
            let handle = self.order.pop_front().unwrap_or_default();
            self.remove(&handle);
        }
    }

    fn drop_found(&mut self) {
        let order = std::mem::take(&mut self.order);
        for handle in order {
            if self.by_handle.get(&handle).is_some_and(|entry| entry.found) {
                self.remove(&handle);
            } else {
                self.order.push_back(handle);
            }
        }
    }

    fn remove(&mut self, handle: &str) {
        if let Some(entry) = self.by_handle.remove(handle) {
            self.bytes -= entry.bytes;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TTL: Duration = Duration::from_secs(600);

    #[tokio::test(start_paused = true)]
    async fn a_state_is_found_until_it_expires() {
        let table = Table::default();
        let handle = table.keep(Arc::new('a'), 1, TTL).unwrap();
        assert_eq!(table.find(&handle), Some(Arc::new('a')));
        assert_eq!(table.find(&handle), Some(Arc::new('a')), "a client may come back twice");
        assert_eq!(table.find("other"), None);
        tokio::time::advance(TTL).await;
        assert_eq!(table.find(&handle), None);
        table.keep(Arc::new('b'), 0, TTL).unwrap();
        let states = table.lock();
        assert_eq!((states.by_handle.len(), states.bytes), (1, 0));
    }

    #[tokio::test(start_paused = true)]
    async fn a_full_table_gives_up_what_was_come_back_for_and_nothing_else() {
        let table = Table::default();
        let keep = |bytes| table.keep(Arc::new(()), bytes, TTL);
        let (first, second) = (keep(MOST_BYTES / 2).unwrap(), keep(MOST_BYTES / 2).unwrap());
        assert_eq!(keep(1), None);
        table.find(&first).unwrap();
        assert!(keep(1).is_some());
        assert_eq!(table.find(&first), None);
        assert!(table.find(&second).is_some());
    }
}
