//! What one session remembers: what `initialize` agreed on, and what the client has set since.

use std::collections::BTreeSet;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use crate::handler::client::{Client, Peer};
use crate::handler::host::Outlet;
use crate::handler::log::LogLevel;
use crate::protocol::features::Features;
#[cfg(feature = "http")]
use crate::protocol::{ClientCapabilities, Implementation, Revision};
use crate::protocol::{ProtocolError, write};
use crate::registry::changes::{ChangeSet, Subscriber};

/// What `initialize` agreed on, and what the client has set since.
pub(crate) struct Session {
    pub(crate) peer: Arc<Peer>,
    pub(crate) features: &'static Features,
    subscribed: Mutex<BTreeSet<String>>,
    initialized: AtomicBool,
    keeper: Option<Box<dyn Keeper>>,
    /// Whether anything of it is there for the next request.
    pub(super) lasts: bool,
}

/// What a client sets in its session.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Settings {
    pub(crate) log_level: Option<LogLevel>,
    pub(crate) subscribed: BTreeSet<String>,
}

/// Keeps the settings of a session that may be taken up again.
pub(crate) trait Keeper: Send + Sync {
    fn keep(&self, settings: Settings);
}

/// A session subscribes to so many resources at most.
const MOST_SUBSCRIBED: usize = 10_000;

/// Their URIs have so many bytes at most, together.
const MOST_SUBSCRIBED_BYTES: usize = 256 * 1024;

impl Session {
    pub(crate) fn new(client: Client) -> Self {
        Self {
            features: Features::of(client.revision),
            peer: Arc::new(Peer::new(client)),
            subscribed: Mutex::default(),
            initialized: AtomicBool::new(false),
            keeper: None,
            lasts: true,
        }
    }

    /// What stands for a session when a client is served without one.
    #[cfg(feature = "http")]
    pub(crate) fn sessionless(revision: Revision) -> Self {
        let client = Client { revision, info: Implementation::default(), capabilities: ClientCapabilities::default() };
        Self { lasts: false, ..Self::new(client) }
    }

    /// A session that is taken up again, with the settings as they were.
    #[cfg(feature = "http")]
    pub(crate) fn resumed(client: Client, settings: Settings, keeper: Box<dyn Keeper>) -> Self {
        let session = Self::new(client);
        if let Some(level) = settings.log_level {
            session.peer.log_floor.set(level);
        }
        Self {
            subscribed: Mutex::new(settings.subscribed),
            initialized: AtomicBool::new(true),
            keeper: Some(keeper),
            ..session
        }
    }

    /// Has the settings kept, after a change.
    pub(super) fn keep(&self) {
        if let Some(keeper) = &self.keeper {
            let subscribed = self.with_subscribed(|subscribed| subscribed.clone());
            keeper.keep(Settings { log_level: self.peer.log_floor.get(), subscribed });
        }
    }

    /// The client has said `notifications/initialized`.
    pub(crate) fn set_initialized(&self) {
        self.initialized.store(true, Ordering::Relaxed);
    }

    fn with_subscribed<T>(&self, action: impl FnOnce(&mut BTreeSet<String>) -> T) -> T {
        action(&mut self.subscribed.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// Has a resource's changes told from now on.
    pub(super) fn subscribe(&self, uri: String) -> Result<(), ProtocolError> {
        self.with_subscribed(|subscribed| {
            let bytes = uri.len() + subscribed.iter().map(String::len).sum::<usize>();
            if subscribed.len() >= MOST_SUBSCRIBED || bytes > MOST_SUBSCRIBED_BYTES {
                return Err(ProtocolError::invalid_params(format!("more than {MOST_SUBSCRIBED} subscriptions, or {MOST_SUBSCRIBED_BYTES} bytes of them: unsubscribe some")));
            }
            subscribed.insert(uri);
            Ok(())
        })?;
        self.keep();
        Ok(())
    }

    /// Has a resource's changes told no longer.
    pub(super) fn unsubscribe(&self, uri: &str) {
        self.with_subscribed(|subscribed| subscribed.remove(uri));
        self.keep();
    }

    /// Writes what the client of this session hears of these changes, each message for itself.
    fn announce(&self, changes: &ChangeSet, mut send: impl FnMut(Vec<u8>)) {
        if !self.initialized.load(Ordering::Relaxed) {
            return;
        }
        let lists = [
            (changes.tools, "notifications/tools/list_changed"),
            (changes.prompts, "notifications/prompts/list_changed"),
            (changes.resources, "notifications/resources/list_changed"),
        ];
        for (_, method) in lists.into_iter().filter(|(changed, _)| *changed) {
            let mut message = Vec::new();
            write::notification(&mut message, method, None::<&()>);
            send(message);
        }
        let updated: Vec<&String> =
            self.with_subscribed(|subscribed| changes.updated.iter().filter(|uri| subscribed.contains(*uri)).collect());
        for uri in updated {
            let mut message = Vec::new();
            write::notification(
                &mut message,
                "notifications/resources/updated",
                Some(&serde_json::json!({"uri": uri})),
            );
            send(message);
        }
    }
}

/// Tells a session's client of changes, through one outlet.
pub(crate) struct Announcer {
    pub(crate) session: Arc<Session>,
    pub(crate) outlet: Arc<dyn Outlet>,
}

impl Subscriber for Announcer {
    fn changed(&self, changes: &ChangeSet) {
        self.session.announce(changes, |message| {
            self.outlet.notify(message);
        });
    }
}
