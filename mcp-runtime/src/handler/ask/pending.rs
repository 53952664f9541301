//! Requests of ours that a client has not answered yet, and what a session remembers of its answers (until 2025-11-25).

use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};
use std::task::{Poll, Waker};

use serde::Deserialize;
use serde_json::value::RawValue;

use super::memory::random_name;
use super::roots::Root;
use crate::protocol::id::Id;

/// The way to a client that waits for requests of ours.
#[derive(Debug, Default)]
pub(crate) struct Line {
    pub(crate) pending: Arc<Pending>,
    pub(crate) roots: Roots,
}

/// Requests that wait for an answer. Their ids name this process, for whoever has to lead an answer to it, and this table,
/// which nobody can guess: so nobody answers for another.
#[derive(Debug)]
pub(crate) struct Pending {
    name: String,
    next: AtomicU64,
    /// No answer can come any more.
    is_closed: AtomicBool,
    waiting: Mutex<HashMap<u64, Slot>>,
}

#[derive(Debug, Default)]
struct Slot {
    outcome: Option<Outcome>,
    waker: Option<Waker>,
}

/// What a client answered: a result, or an error of its own.
pub(crate) type Outcome = Result<Box<RawValue>, ClientError>;

/// The error object of a client's answer.
#[derive(Clone, Debug, Default, Deserialize)]
pub(crate) struct ClientError {
    #[serde(default)]
    pub(crate) code: i64,
    #[serde(default)]
    pub(crate) message: String,
}

/// Why a client does not answer that has closed its side.
const GONE: &str = "it has closed its side of the connection";

/// So many requests wait at most.
const MOST_WAITING: usize = 1024;

impl Default for Pending {
    fn default() -> Self {
        let name = format!("{}.{}", instance(), random_name());
        Self { name, next: AtomicU64::new(1), is_closed: AtomicBool::new(false), waiting: Mutex::default() }
    }
}

/// The name of this process among those that may serve the same sessions.
fn instance() -> &'static str {
    static NAME: OnceLock<String> = OnceLock::new();
    NAME.get_or_init(random_name)
}

impl Pending {
    fn lock(&self) -> MutexGuard<'_, HashMap<u64, Slot>> {
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// How many requests have no answer yet.
    pub(crate) fn count(&self) -> usize {
        self.lock().values().filter(|slot| slot.outcome.is_none()).count()
    }

    /// A place for one answer; otherwise why there is none.
    pub(crate) fn open(self: &Arc<Self>) -> Result<Ticket, &'static str> {
        let number = self.next.fetch_add(1, Ordering::Relaxed);
        let mut waiting = self.lock();
        // Read under the lock, so that whoever closes the table sees what was entered before.
        if self.is_closed.load(Ordering::Relaxed) {
            return Err(GONE);
        }
        if waiting.len() >= MOST_WAITING {
            return Err("it has too many questions to answer already");
        }
        waiting.insert(number, Slot::default());
        drop(waiting);
        Ok(Ticket { pending: Arc::clone(self), number })
    }

    /// The client says nothing more: whoever waits hears that, and nobody begins to.
    pub(crate) fn close(&self) {
        let mut waiting = self.lock();
        self.is_closed.store(true, Ordering::Relaxed);
        let gone = || ClientError { code: 0, message: GONE.to_owned() };
        let wakers: Vec<Waker> = (waiting.values_mut())
            .filter_map(|slot| {
                slot.outcome.get_or_insert_with(|| Err(gone()));
                slot.waker.take()
            })
            .collect();
        drop(waiting);
        wakers.into_iter().for_each(Waker::wake);
    }

    /// Takes in the answer to a request of ours. False when nobody waits for it.
    pub(crate) fn answered(&self, id: &Id, outcome: Result<&RawValue, &RawValue>) -> bool {
        let Id::Text(text) = id else { return false };
        let number = text
            .strip_prefix(self.name.as_str())
            .and_then(|rest| rest.strip_prefix('-'))
            .and_then(|rest| rest.parse().ok());
        let Some(number) = number else { return false };
        let mut waiting = self.lock();
        let Some(slot) = waiting.get_mut(&number).filter(|slot| slot.outcome.is_none()) else { return false };
        let outcome = outcome.map(ToOwned::to_owned);
        slot.outcome = Some(outcome.map_err(|error| serde_json::from_str(error.get()).unwrap_or_default()));
        let waker = slot.waker.take();
        drop(waiting);
        if let Some(waker) = waker {
            waker.wake();
        }
        true
    }
}

/// The place of one answer; dropping it gives the place free.
#[derive(Debug)]
pub(crate) struct Ticket {
    pending: Arc<Pending>,
    number: u64,
}

impl Ticket {
    /// The id of the request.
    pub(crate) fn id(&self) -> Id {
        Id::Text(format!("{}-{}", self.pending.name, self.number).into())
    }

    pub(crate) fn poll(&self, waker: &Waker) -> Poll<Outcome> {
        let mut waiting = self.pending.lock();
        let Some(slot) = waiting.get_mut(&self.number) else { return Poll::Pending };
        if let Some(outcome) = slot.outcome.take() {
            return Poll::Ready(outcome);
        }
        slot.waker = Some(waker.clone());
        Poll::Pending
    }
}

impl Drop for Ticket {
    fn drop(&mut self) {
        self.pending.lock().remove(&self.number);
    }
}

/// A session's roots, kept until the client says that they changed.
#[derive(Debug, Default)]
pub(crate) struct Roots {
    state: Mutex<KnownRoots>,
}

#[derive(Debug, Default)]
struct KnownRoots {
    /// Counts the changes: an answer that was asked for before one is not kept.
    generation: u64,
    roots: Option<Vec<Root>>,
}

impl Roots {
    fn lock(&self) -> MutexGuard<'_, KnownRoots> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The roots, if they are known, and the time they are asked for if not.
    pub(crate) fn known(&self) -> Result<Vec<Root>, u64> {
        let state = self.lock();
        state.roots.clone().ok_or(state.generation)
    }

    pub(crate) fn keep(&self, roots: &[Root], asked_at: u64) {
        let mut state = self.lock();
        if state.generation == asked_at {
            state.roots = Some(roots.to_vec());
        }
    }

    /// `notifications/roots/list_changed`
    pub(crate) fn changed(&self) {
        let mut state = self.lock();
        state.generation += 1;
        state.roots = None;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn raw(text: &str) -> Box<RawValue> {
        RawValue::from_string(text.to_owned()).unwrap()
    }

    #[test]
    fn an_answer_reaches_the_one_who_asked() {
        let pending = Arc::new(Pending::default());
        let (a, b) = (pending.open().unwrap(), pending.open().unwrap());
        assert!(pending.answered(&b.id(), Ok(&raw("2"))));
        assert!(!pending.answered(&b.id(), Ok(&raw("3"))), "an answer counts once");
        assert!(a.poll(Waker::noop()).is_pending());
        let Poll::Ready(Ok(value)) = b.poll(Waker::noop()) else { panic!("answered") };
        assert_eq!(value.get(), "2");
    }

    #[test]
    fn when_a_client_has_left_nobody_waits_for_it() {
        let pending = Arc::new(Pending::default());
        let ticket = pending.open().unwrap();
        pending.close();
        assert!(matches!(ticket.poll(Waker::noop()), Poll::Ready(Err(error)) if error.message == GONE));
        assert_eq!(pending.open().unwrap_err(), GONE);
    }

    #[test]
    fn strangers_and_latecomers_answer_nobody() {
        let pending = Arc::new(Pending::default());
        let ticket = pending.open().unwrap();
        let id = ticket.id();
        for stranger in [Id::from(1), Id::Text("1".into()), Id::Text("x-1".into()), Pending::default().name.into_id()] {
            assert!(!pending.answered(&stranger, Ok(&raw("1"))), "{stranger}");
        }
        drop(ticket);
        assert!(!pending.answered(&id, Ok(&raw("1"))));
        assert!(pending.lock().is_empty());
    }

    trait IntoId {
        fn into_id(self) -> Id;
    }

    impl IntoId for String {
        fn into_id(self) -> Id {
            Id::Text(format!("{self}-1").into())
        }
    }

    #[test]
    fn roots_asked_for_before_a_change_are_not_kept() {
        let roots = Roots::default();
        let asked_at = roots.known().unwrap_err();
        roots.changed();
        roots.keep(&[], asked_at);
        assert!(roots.known().is_err());
        roots.keep(&[], roots.known().unwrap_err());
        assert_eq!(roots.known().unwrap().len(), 0);
    }
}
