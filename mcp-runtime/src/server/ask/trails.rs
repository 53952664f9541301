//! Which questions and `once`s each request came by, for tests that run every round twice.

use std::collections::{BTreeSet, HashMap};
use std::sync::{Mutex, PoisonError};

use crate::handler::ctx::CallState;
use crate::protocol::id::Id;

/// What requests came by; nothing until a test wants to know.
#[derive(Debug, Default)]
pub(crate) struct Trails(Mutex<Option<HashMap<Id, String>>>);

impl Trails {
    /// From now on it is noted.
    pub(crate) fn enable(&self) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert_default();
    }

    /// A request has been answered.
    pub(crate) fn note(&self, id: &Id, call: &CallState) {
        if let Some(trails) = &mut *self.0.lock().unwrap_or_else(PoisonError::into_inner) {
            let (keys, onces) = call.asking.trail();
            let list =
                |keys: BTreeSet<String>| keys.into_iter().map(|key| format!("`{key}`")).collect::<Vec<_>>().join(", ");
            trails.insert(id.clone(), format!("the questions [{}] and the `once`s [{}]", list(keys), list(onces)));
        }
    }

    /// What a request came by.
    pub(crate) fn take(&self, id: &Id) -> String {
        let mut trails = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        trails.as_mut().and_then(|trails| trails.remove(id)).unwrap_or_default()
    }
}
