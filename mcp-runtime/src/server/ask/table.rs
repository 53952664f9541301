//! What calls remember while their clients are away, in this process, under names that nobody can guess.

use std::collections::{HashMap, VecDeque};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::time::Instant;

use crate::handler::ask::random_name;

/// So many states wait at most.
const MOST_STATES: usize = 16 * 1024;

/// And so many bytes of them.
const MOST_BYTES: usize = 16 * 1024 * 1024;

/// States by their handle. Bounded: what has expired goes first, then what was come back for, and then nothing more fits in.
#[derive(Debug, Default)]
pub(crate) struct Table {
    states: Mutex<States>,
}

#[derive(Debug, Default)]
struct States {
    by_handle: HashMap<String, Entry>,
    /// Oldest first, which is also the order in which they expire.
    order: VecDeque<String>,
    bytes: usize,
}

#[derive(Debug)]
struct Entry {
    kept: Vec<u8>,
    expires: Instant,
    /// The client has come back with it: it is kept in case it does so again.
    found: bool,
}

impl Table {
    fn lock(&self) -> MutexGuard<'_, States> {
        self.states.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Keeps a state; `None` when there is no room.
    pub(super) fn keep(&self, kept: Vec<u8>, ttl: Duration) -> Option<String> {
        let mut states = self.lock();
        let now = Instant::now();
        states.drop_expired(now);
        if !states.has_room(kept.len()) {
            states.drop_found();
        }
        if !states.has_room(kept.len()) {
            return None;
        }
        let handle = random_name();
        states.bytes += kept.len();
        states.order.push_back(handle.clone());
        states.by_handle.insert(handle.clone(), Entry { kept, expires: now + ttl, found: false });
        Some(handle)
    }

    /// The state of a handle. It stays until it expires: a client may have lost the answer and come back again.
    pub(super) fn find(&self, handle: &str) -> Option<Vec<u8>> {
        let mut states = self.lock();
        let entry = states.by_handle.get_mut(handle).filter(|entry| entry.expires > Instant::now())?;
        entry.found = true;
        Some(entry.kept.clone())
    }
}

impl States {
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
            self.bytes -= entry.kept.len();
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
        let handle = table.keep(b"a".to_vec(), TTL).unwrap();
        assert_eq!(table.find(&handle), Some(b"a".to_vec()));
        assert_eq!(table.find(&handle), Some(b"a".to_vec()), "a client may come back twice");
        assert_eq!(table.find("other"), None);
        tokio::time::advance(TTL).await;
        assert_eq!(table.find(&handle), None);
        table.keep(Vec::new(), TTL).unwrap();
        let states = table.lock();
        assert_eq!((states.by_handle.len(), states.bytes), (1, 0));
    }

    #[tokio::test(start_paused = true)]
    async fn a_full_table_gives_up_what_was_come_back_for_and_nothing_else() {
        let table = Table::default();
        let big = || vec![0; MOST_BYTES / 2];
        let (first, second) = (table.keep(big(), TTL).unwrap(), table.keep(big(), TTL).unwrap());
        assert_eq!(table.keep(b"a".to_vec(), TTL), None);
        table.find(&first).unwrap();
        assert!(table.keep(b"a".to_vec(), TTL).is_some());
        assert_eq!(table.find(&first), None);
        assert!(table.find(&second).is_some());
    }
}
