//! A server that has been checked.

use std::fmt;
use std::sync::Arc;

use super::builder::Server;
use super::core::Core;
use super::handle::ServerHandle;
use crate::handler::call::BoxFuture;
use crate::handler::error::{Error, Result};
use crate::registry::problem::BuildError;

/// What runs before the first client and after the last.
#[derive(Default)]
pub(crate) struct Hooks {
    pub(crate) start: Vec<BoxFuture<'static, Result<()>>>,
    pub(crate) shutdown: Vec<BoxFuture<'static, ()>>,
}

/// A server that has been checked and is ready to run; made by [`Server::build`].
#[must_use = "a server does nothing until it is run"]
pub struct BuiltServer {
    pub(crate) core: Arc<Core>,
    pub(crate) hooks: Hooks,
}

impl fmt::Debug for BuiltServer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("BuiltServer").field("name", &self.core.identity.name).finish_non_exhaustive()
    }
}

impl BuiltServer {
    /// A handle to the server, before it runs and while it does.
    #[must_use]
    pub fn handle(&self) -> ServerHandle {
        ServerHandle::new(Arc::clone(&self.core))
    }
}

impl Hooks {
    /// Whether there is nothing to run.
    #[cfg(feature = "http")]
    pub(crate) fn is_empty(&self) -> bool {
        self.start.is_empty() && self.shutdown.is_empty()
    }

    /// Runs what goes before the first client, one after the other.
    pub(crate) async fn start(&mut self) -> Result<(), Error> {
        for hook in std::mem::take(&mut self.start) {
            hook.await?;
        }
        Ok(())
    }

    /// Runs what goes after the last client, one after the other.
    pub(crate) async fn shut_down(&mut self) {
        for hook in std::mem::take(&mut self.shutdown) {
            hook.await;
        }
    }
}

/// A [`Server`], which is checked now, or a [`BuiltServer`].
#[diagnostic::on_unimplemented(
    message = "`{Self}` is no server",
    label = "is neither `Server` nor `BuiltServer`",
    note = "write `mcp_runtime::server!()`"
)]
pub trait IntoBuilt {
    /// The checked server.
    ///
    /// # Errors
    ///
    /// What keeps the server from starting.
    fn into_built(self) -> Result<BuiltServer, BuildError>;
}

#[diagnostic::do_not_recommend]
impl IntoBuilt for Server {
    fn into_built(self) -> Result<BuiltServer, BuildError> {
        self.build()
    }
}

#[diagnostic::do_not_recommend]
impl IntoBuilt for BuiltServer {
    fn into_built(self) -> Result<BuiltServer, BuildError> {
        Ok(self)
    }
}
