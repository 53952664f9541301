//! Sessions of clients before 2026-07-28. A session is its id: sealed in it is everything that `initialize` agreed on.
//!
//! There is no table of sessions. What stands here is a bounded memory of those that were used lately, so that their ids need
//! not be opened each time, and what goes on in them right now.

use std::collections::HashMap;
use std::hash::{BuildHasher, Hasher, RandomState};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use super::live::Live;
use super::session_id::{self, now};
use super::store::SessionStore;
use crate::server::core::Core;

/// So many sessions that are not in use are remembered.
const MOST_IDLE: usize = 512;

/// The sessions that were used lately.
#[derive(Debug)]
pub(super) struct Sessions {
    table: Mutex<Table>,
    store: Arc<dyn SessionStore>,
    max_age: Duration,
}

#[derive(Debug, Default)]
struct Table {
    lives: HashMap<Box<str>, (u64, Arc<Live>), ByEnd>,
    clock: u64,
}

/// Ids are told apart by their last bytes: those of what has been opened are a tag, which nobody chooses.
#[derive(Debug)]
struct ByEnd(u64);

impl Default for ByEnd {
    fn default() -> Self {
        Self(RandomState::new().hash_one(0))
    }
}

impl BuildHasher for ByEnd {
    type Hasher = End;

    fn build_hasher(&self) -> End {
        End(self.0)
    }
}

struct End(u64);

impl Hasher for End {
    fn write(&mut self, bytes: &[u8]) {
        if let Some(end) = bytes.last_chunk() {
            // Multiplied by the golden ratio, the upper bits depend on all others; the table wants the lower ones, too.
            let mixed = (self.0 ^ u64::from_le_bytes(*end)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
            self.0 = mixed ^ (mixed >> 32);
        }
    }

    fn finish(&self) -> u64 {
        self.0
    }
}

impl Sessions {
    pub(super) fn new(store: Arc<dyn SessionStore>, max_age: Duration) -> Self {
        Self { table: Mutex::default(), store, max_age }
    }

    fn lock(&self) -> MutexGuard<'_, Table> {
        self.table.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The session with this id, unless it is forged, somebody else's, too old or ended.
    pub(super) fn open(&self, core: &Core, id: &str, principal: Option<&str>) -> Option<Arc<Live>> {
        let known = {
            let mut table = self.lock();
            table.clock += 1;
            let clock = table.clock;
            table.lives.get_mut(id).map(|(used, live)| {
                *used = clock;
                Arc::clone(live)
            })
        };
        let is_new = known.is_none();
        let live = match known {
            Some(live) if live.principal.as_deref() == principal => live,
            Some(_) => return None,
            None => self.unseal(core, id, principal)?,
        };
        if now().saturating_sub(live.created) >= self.max_age.as_secs() || self.store.has_ended(&live.key) {
            self.lock().lives.remove(id);
            live.end();
            return None;
        }
        Some(if is_new { self.remember(id, live) } else { live })
    }

    fn unseal(&self, core: &Core, id: &str, principal: Option<&str>) -> Option<Arc<Live>> {
        let opened = session_id::open(core, id, principal)?;
        let is_served = core.options.revisions.contains(&opened.client.revision);
        is_served.then(|| Arc::new(Live::new(opened, principal, &self.store)))
    }

    /// Remembers a session. Of two that were opened at the same time, both get the first.
    fn remember(&self, id: &str, live: Arc<Live>) -> Arc<Live> {
        let mut table = self.lock();
        let clock = table.clock;
        let live = Arc::clone(&table.lives.entry(id.into()).or_insert((clock, live)).1);
        if table.lives.len() > MOST_IDLE {
            let mut idle: Vec<u64> =
                table.lives.values().filter(|(_, live)| Arc::strong_count(live) == 1).map(|(used, _)| *used).collect();
            // Half of them at once, so that the search is rare.
            let middle = idle.len() / 2;
            if middle > 0 {
                let (_, middle, _) = idle.select_nth_unstable(middle);
                let middle = *middle;
                table.lives.retain(|_, (used, live)| *used > middle || Arc::strong_count(live) > 1);
            }
        }
        live
    }

    /// Ends a session for good.
    pub(super) fn end(&self, id: &str, live: &Live) {
        self.store.end(&live.key, self.max_age);
        self.lock().lives.remove(id);
        live.end();
    }

    /// Cancels whatever goes on in any session.
    pub(super) fn stop(&self) {
        let lives: Vec<Arc<Live>> = self.lock().lives.drain().map(|(_, (_, live))| live).collect();
        for live in lives {
            live.end();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::store::MemoryStore;
    use super::*;
    use crate::Server;
    use crate::handler::client::Client;
    use crate::protocol::{ClientCapabilities, Implementation, Revision};

    #[test]
    fn sessions_that_nobody_uses_take_no_lasting_memory_and_are_known_all_the_same() {
        let core = Server::new("tested", "1.0.0").allow_empty().build().unwrap().core;
        let sessions = Sessions::new(Arc::new(MemoryStore::default()), Duration::from_secs(60));
        let client = Client {
            revision: Revision::V2025_11_25,
            info: Implementation::default(),
            capabilities: ClientCapabilities::default(),
        };
        let id = || session_id::create(&core, &client, None).unwrap();
        let (first, used) = (id(), id());
        assert!(sessions.open(&core, &first, None).is_some());
        let in_use = sessions.open(&core, &used, None).unwrap();
        for _ in 0..10_000 {
            assert!(sessions.open(&core, &id(), None).is_some());
            assert!(sessions.lock().lives.len() <= MOST_IDLE + 1);
        }
        assert!(!sessions.lock().lives.contains_key(&*first));
        // What goes on in one is not lost sight of, and the others are opened anew.
        assert!(Arc::ptr_eq(&in_use, &sessions.open(&core, &used, None).unwrap()));
        assert!(sessions.open(&core, &first, None).is_some());
    }
}
