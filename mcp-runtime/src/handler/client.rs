//! The client of a request: what it said of itself, and what it can be asked.

use std::sync::{Arc, OnceLock};

use super::ask::{Line, Need};
use super::ctx::CallState;
use super::log::{LogFloor, LogLevel};
use crate::protocol::features::Features;
use crate::protocol::{ClientCapabilities, Implementation, Revision};

/// Who the client is.
pub(crate) enum ClientSource {
    /// A session knows.
    Session(Arc<Peer>),
    /// The request's own `_meta` says, read when somebody asks.
    Meta { raw: fn(&CallState) -> Client, read: OnceLock<Box<Client>> },
}

/// A client that stays, and what all its calls share: in one place, since each call takes hold of it.
pub(crate) struct Peer {
    pub(crate) client: Client,
    pub(crate) log_floor: LogFloor,
    /// Requests of ours, and what is known from their answers.
    pub(crate) line: Line,
}

impl Peer {
    pub(crate) fn new(client: Client) -> Self {
        Self { client, log_floor: LogFloor::new(LogLevel::Info), line: Line::default() }
    }
}

impl CallState {
    /// The client, if it stays.
    pub(crate) fn peer(&self) -> Option<&Peer> {
        match &self.client {
            ClientSource::Session(peer) => Some(peer),
            ClientSource::Meta { .. } => None,
        }
    }
}

/// The client of a request.
#[derive(Clone, Debug)]
pub struct Client {
    pub(crate) revision: Revision,
    pub(crate) info: Implementation,
    pub(crate) capabilities: ClientCapabilities,
}

impl Client {
    /// Its name, empty when it did not say. For display and logs: a client can claim any.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.info.name
    }

    /// Its version, empty when it did not say.
    #[must_use]
    pub fn version(&self) -> &str {
        &self.info.version
    }

    /// Its name for people.
    #[must_use]
    pub fn title(&self) -> Option<&str> {
        self.info.title.as_deref()
    }

    /// The protocol revision of this request.
    #[must_use]
    pub const fn revision(&self) -> Revision {
        self.revision
    }

    /// What it declared.
    #[must_use]
    pub const fn capabilities(&self) -> &ClientCapabilities {
        &self.capabilities
    }

    /// Whether it can show a form to the user.
    #[must_use]
    pub fn can_elicit(&self) -> bool {
        Need::Forms.is_met(self, Features::of(self.revision))
    }

    /// Whether it can open a page for the user.
    #[must_use]
    pub fn can_elicit_url(&self) -> bool {
        Need::Urls.is_met(self, Features::of(self.revision))
    }

    /// Whether it can ask a model.
    #[must_use]
    pub fn can_sample(&self) -> bool {
        Need::Sampling.is_met(self, Features::of(self.revision))
    }

    /// Whether it can ask a model that uses tools.
    #[must_use]
    pub fn can_sample_with_tools(&self) -> bool {
        Need::SamplingTools.is_met(self, Features::of(self.revision))
    }

    /// Whether it has roots.
    #[must_use]
    pub fn has_roots(&self) -> bool {
        Need::Roots.is_met(self, Features::of(self.revision))
    }
}
