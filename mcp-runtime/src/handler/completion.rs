//! What a completion function may look at.

use std::any::TypeId;
use std::fmt;
use std::sync::Arc;

use serde_json::{Map, Value};

use super::ctx::no_state;
use super::extract::{Shared, State};
use super::host::Host;

/// What a completion function may look at.
pub struct CompletionContext {
    pub(crate) arguments: Map<String, Value>,
    pub(crate) host: Arc<dyn Host>,
}

impl fmt::Debug for CompletionContext {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("CompletionContext").field("arguments", &self.arguments).finish_non_exhaustive()
    }
}

impl CompletionContext {
    /// An argument that the person has filled in already (sent from 2025-06-18).
    #[must_use]
    pub fn argument(&self, name: &str) -> Option<&str> {
        self.arguments.get(name).and_then(Value::as_str)
    }

    /// The server's state of type `T`.
    ///
    /// # Errors
    ///
    /// When the server was built without one.
    pub fn state<T: ?Sized + Shared>(&self) -> Result<State<T>, super::error::Error> {
        let state = self.host.state(TypeId::of::<T>()).and_then(|state| state.downcast_ref::<State<T>>().cloned());
        state.ok_or_else(no_state::<T>)
    }
}
