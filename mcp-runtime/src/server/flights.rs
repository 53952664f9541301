//! The requests of one peer that are under way: found by id to cancel them, counted to know when all is done.

use std::collections::hash_map::Entry;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio::sync::Notify;

use crate::handler::ctx::CallState;
use crate::hash::Table;
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

/// Ids that collide by malice slow down their own sender, whose requests under way are bounded.
type Calls = Table<Id, Arc<CallState>>;

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
        let call = {
            let mut calls = self.lock();
            let call = calls.remove(id);
            self.note_landing(&calls);
            call
        };
        if let Some(call) = call {
            call.cancel.cancel();
        }
    }

    fn note_landing(&self, calls: &Calls) {
        if calls.is_empty() {
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
        self.flights.note_landing(&calls);
    }
}
