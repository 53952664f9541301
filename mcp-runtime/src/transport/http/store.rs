//! The few facts of a session that change: what its client has set, and whether it has ended.
//!
//! Everything else is in the session's id. A store that several instances share can stand in for the one in memory.

use std::collections::{BTreeMap, HashMap, VecDeque};
use std::fmt;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use crate::server::legacy::Settings;

/// What tells a session from every other: random, and in its sealed id.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Key(pub(super) [u8; 16]);

/// Keeps what changes in sessions.
pub(super) trait SessionStore: Send + Sync + fmt::Debug {
    /// What the client has set; nothing when that is not known any more.
    fn settings(&self, key: &Key) -> Settings;

    /// Keeps what the client has set.
    fn keep(&self, key: &Key, settings: Settings);

    /// Notes that the session has ended; after `lifetime` its id is too old anyway.
    fn end(&self, key: &Key, lifetime: Duration);

    /// Whether the session has ended.
    fn has_ended(&self, key: &Key) -> bool;
}

/// So many sessions that ended are remembered: 24 hours of one a second.
const MOST_ENDED: usize = 86_400;

/// All settings together take so many bytes.
const MOST_BYTES: usize = 16 * 1024 * 1024;

/// The store of one process.
#[derive(Debug, Default)]
pub(super) struct MemoryStore(Mutex<Memory>);

#[derive(Debug, Default)]
struct Memory {
    settings: HashMap<Key, (u64, Settings)>,
    /// By age: those that have not changed for longest are forgotten first.
    ages: BTreeMap<u64, Key>,
    clock: u64,
    bytes: usize,
    ended: HashMap<Key, Instant>,
    /// In the order in which they ended, which is about that in which they may be forgotten.
    endings: VecDeque<Key>,
}

fn size(settings: &Settings) -> usize {
    200 + settings.subscribed.iter().map(|uri| uri.len() + 64).sum::<usize>()
}

impl Memory {
    fn forget(&mut self, key: &Key) {
        if let Some((age, settings)) = self.settings.remove(key) {
            self.ages.remove(&age);
            self.bytes -= size(&settings);
        }
    }
}

impl MemoryStore {
    fn lock(&self) -> MutexGuard<'_, Memory> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl SessionStore for MemoryStore {
    fn settings(&self, key: &Key) -> Settings {
        self.lock().settings.get(key).map(|(_, settings)| settings.clone()).unwrap_or_default()
    }

    fn keep(&self, key: &Key, settings: Settings) {
        let mut memory = self.lock();
        memory.forget(key);
        memory.clock += 1;
        let age = memory.clock;
        memory.bytes += size(&settings);
        memory.ages.insert(age, *key);
        memory.settings.insert(*key, (age, settings));
        while memory.bytes > MOST_BYTES {
            let Some((_, oldest)) = memory.ages.pop_first() else { return };
            memory.forget(&oldest);
        }
    }

    fn end(&self, key: &Key, lifetime: Duration) {
        let now = Instant::now();
        let mut memory = self.lock();
        memory.forget(key);
        if memory.ended.insert(*key, now + lifetime).is_none() {
            memory.endings.push_back(*key);
        }
        while let Some(oldest) = memory.endings.front().copied() {
            let is_due = memory.ended.get(&oldest).is_none_or(|until| *until <= now);
            if !is_due && memory.endings.len() <= MOST_ENDED {
                return;
            }
            memory.endings.pop_front();
            memory.ended.remove(&oldest);
        }
    }

    fn has_ended(&self, key: &Key) -> bool {
        self.lock().ended.contains_key(key)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    fn key(number: u32) -> Key {
        let mut bytes = [0; 16];
        bytes[..4].copy_from_slice(&number.to_le_bytes());
        Key(bytes)
    }

    #[test]
    fn settings_are_bounded_and_the_oldest_go_first() {
        let store = MemoryStore::default();
        let settings = Settings { log_level: None, subscribed: BTreeSet::from(["x".repeat(64 * 1024)]) };
        for number in 0..1000 {
            store.keep(&key(number), settings.clone());
        }
        assert_eq!(store.settings(&key(0)), Settings::default());
        assert_eq!(store.settings(&key(999)), settings);
        let memory = store.lock();
        assert!(memory.bytes <= MOST_BYTES);
        assert_eq!(memory.settings.len(), memory.ages.len());
    }

    #[test]
    fn endings_are_remembered_for_the_lifetime_and_bounded() {
        let store = MemoryStore::default();
        store.end(&key(0), Duration::ZERO);
        store.end(&key(1), Duration::from_secs(60));
        assert!(!store.has_ended(&key(0)) && store.has_ended(&key(1)) && !store.has_ended(&key(2)));
        for number in 2..100_000 {
            store.end(&key(number), Duration::from_secs(60));
        }
        assert!(store.lock().ended.len() <= MOST_ENDED);
        assert!(store.has_ended(&key(99_999)));
    }
}
