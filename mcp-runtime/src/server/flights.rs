//! The requests of one peer that are under way: found by id to cancel them, counted to know when all is done.

use std::collections::hash_map::Entry;
use std::ops::Deref;
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
    /// How many more are just being answered.
    landing: usize,
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

    /// Whether a request with this id is under way.
    pub(super) fn holds(&self, id: &Id) -> bool {
        self.lock().calls.contains_key(id)
    }

    /// Gives the id of a request free. `None` when it was free: the request was cancelled.
    ///
    /// Free before the answer, because who has the answer may use it again at once; but the request is under way until what
    /// this returns is dropped.
    pub(super) fn land(&self, id: &Id, call: &Arc<CallState>) -> Option<Landing<&Self>> {
        let mut state = self.lock();
        let known = state.calls.remove(id)?;
        if !Arc::ptr_eq(&known, call) {
            // After a cancellation the id may be another request's.
            state.calls.insert(id.clone(), known);
            return None;
        }
        state.landing += 1;
        Some(Landing(self))
    }

    /// Has something count as under way, beside the requests, until what this returns is dropped.
    pub(super) fn hold(this: &Arc<Self>) -> Landing<Arc<Self>> {
        this.lock().landing += 1;
        Landing(Arc::clone(this))
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
        if state.is_awaited && state.is_empty() {
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
                if state.is_empty() {
                    return;
                }
                state.is_awaited = true;
            }
            landed.await;
        }
    }
}

impl State {
    fn is_empty(&self) -> bool {
        self.landing == 0 && self.calls.is_empty()
    }
}

/// Something that is being answered.
pub(super) struct Landing<F: Deref<Target = Flights>>(F);

impl<F: Deref<Target = Flights>> Drop for Landing<F> {
    fn drop(&mut self) {
        let mut state = self.0.lock();
        state.landing -= 1;
        self.0.note_landing(&state);
    }
}

#[cfg(all(test, feature = "testing"))]
mod tests {
    use std::pin::pin;
    use std::task::{Context, Poll, Waker};

    use super::*;
    use crate::testing::Ctx;

    #[tokio::test]
    async fn an_id_is_free_before_its_answer_and_the_request_under_way_until_after_it() {
        let (flights, id) = (Flights::default(), Id::Int(1));
        let (first, second) = (Arc::clone(&Ctx::new().call), Arc::clone(&Ctx::new().call));
        assert!(flights.depart(&id, &first) && !flights.depart(&id, &second));
        let landing = flights.land(&id, &first).unwrap();
        assert!(flights.land(&id, &first).is_none());
        let mut landed = pin!(flights.landed());
        let mut poll = || landed.as_mut().poll(&mut Context::from_waker(Waker::noop()));
        assert_eq!(poll(), Poll::Pending);
        assert!(flights.depart(&id, &second));
        drop(landing);
        assert_eq!(poll(), Poll::Pending);
        flights.cancel(&id);
        assert!(second.cancel.is_cancelled() && flights.land(&id, &second).is_none());
        assert_eq!(poll(), Poll::Ready(()));
    }
}
