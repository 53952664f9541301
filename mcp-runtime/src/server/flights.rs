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
    state: Mutex<State>,
    landed: Notify,
}

#[derive(Default)]
struct State {
    /// Ids that collide by malice slow down their own sender, whose requests under way are bounded.
    calls: Table<Id, Arc<CallState>>,
    /// Whether somebody waits until there are none.
    is_awaited: bool,
}

impl Flights {
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Enters a request; false when its id is in use.
    pub(super) fn depart(&self, id: &Id, call: &Arc<CallState>) -> bool {
        match self.lock().calls.entry(id.clone()) {
            Entry::Occupied(_) => false,
            Entry::Vacant(place) => {
                place.insert(Arc::clone(call));
                true
            }
        }
    }

    /// Gives the place of a request free.
    pub(super) fn land(&self, id: &Id, call: &Arc<CallState>) {
        let mut state = self.lock();
        // After a cancellation the id may be another request's.
        if state.calls.get(id).is_some_and(|known| Arc::ptr_eq(known, call)) {
            state.calls.remove(id);
        }
        self.note_landing(&state);
    }

    /// Cancels one request; unknown and finished ones are nobody's mistake. Its id is free at once: no answer will use it.
    pub(crate) fn cancel(&self, id: &Id) {
        let call = {
            let mut state = self.lock();
            let call = state.calls.remove(id);
            self.note_landing(&state);
            call
        };
        if let Some(call) = call {
            call.cancel.cancel();
        }
    }

    fn note_landing(&self, state: &State) {
        if state.is_awaited && state.calls.is_empty() {
            self.landed.notify_waiters();
        }
    }

    /// Cancels all.
    pub(crate) fn cancel_all(&self) {
        let calls: Vec<_> = self.lock().calls.values().cloned().collect();
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
            {
                let mut state = self.lock();
                if state.calls.is_empty() {
                    return;
                }
                state.is_awaited = true;
            }
            landed.await;
        }
    }
}
