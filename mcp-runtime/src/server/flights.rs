//! The requests of one peer that are under way: found by id to cancel them, counted to know when all is done.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::hash::{BuildHasherDefault, Hasher};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio::sync::Notify;

use crate::handler::ctx::CallState;
use crate::protocol::id::Id;

/// Requests under way, by id.
#[derive(Default)]
pub(crate) struct Flights {
    calls: Mutex<Calls>,
    landed: Notify,
}

/// A request's place in the table; dropping it gives the place free.
pub(crate) struct Flight {
    flights: Arc<Flights>,
    id: Id,
    call: Arc<CallState>,
}

type Calls = HashMap<Id, Arc<CallState>, BuildHasherDefault<Fnv>>;

/// FNV-1a for texts, Fibonacci hashing for numbers. Ids that collide by malice slow down their own sender, whose requests under way are bounded.
struct Fnv(u64);

impl Default for Fnv {
    fn default() -> Self {
        Self(0xCBF2_9CE4_8422_2325)
    }
}

impl Hasher for Fnv {
    fn write(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.0 = (self.0 ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01B3);
        }
    }

    fn write_u64(&mut self, number: u64) {
        // The golden ratio spreads neighbours, as Fibonacci hashing has it.
        self.0 = (self.0 ^ number).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    }

    fn finish(&self) -> u64 {
        self.0
    }
}

impl Flights {
    fn lock(&self) -> MutexGuard<'_, Calls> {
        self.calls.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Enters a request; `None` when its id is in use.
    pub(crate) fn depart(self: &Arc<Self>, id: &Id, call: &Arc<CallState>) -> Option<Flight> {
        match self.lock().entry(id.clone()) {
            Entry::Occupied(_) => None,
            Entry::Vacant(place) => {
                place.insert(Arc::clone(call));
                Some(Flight { flights: Arc::clone(self), id: id.clone(), call: Arc::clone(call) })
            }
        }
    }

    /// Cancels one request; unknown and finished ones are nobody's mistake. Its id is free at once: no answer will use it.
    pub(crate) fn cancel(&self, id: &Id) {
        let call = self.lock().remove(id);
        if let Some(call) = call {
            call.cancel.cancel();
            self.note_landing();
        }
    }

    fn note_landing(&self) {
        if self.lock().is_empty() {
            self.landed.notify_waiters();
        }
    }

    /// Cancels all.
    pub(crate) fn cancel_all(&self) {
        let calls: Vec<_> = self.lock().values().cloned().collect();
        for call in calls {
            call.cancel.cancel();
        }
    }

    /// Waits until nothing is under way.
    pub(crate) async fn landed(&self) {
        loop {
            let landed = self.landed.notified();
            tokio::pin!(landed);
            landed.as_mut().enable();
            if self.lock().is_empty() {
                return;
            }
            landed.await;
        }
    }
}

impl Drop for Flight {
    fn drop(&mut self) {
        let mut calls = self.flights.lock();
        // After a cancellation the id may be another request's.
        if calls.get(&self.id).is_some_and(|call| Arc::ptr_eq(call, &self.call)) {
            calls.remove(&self.id);
        }
        drop(calls);
        self.flights.note_landing();
    }
}
