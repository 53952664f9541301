//! What all connections of a server share.

use std::any::{Any, TypeId};
use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

use serde_json::{Map, Value};
use tokio::sync::watch;

use super::ask::{State, Table};
use super::hook::Around;
use crate::handler::arguments::Reading;
use crate::handler::ask::{MOST_ROUNDS, ReplayStore};
use crate::handler::call::{BoxFuture, Made};
use crate::handler::ctx::{CallState, Ctx};
use crate::handler::host::Host;
use crate::handler::pace::Pace;
use crate::protocol::features::Features;
use crate::protocol::render::{For, entry_if, icons_member};
use crate::protocol::{Icon, Revision};
use crate::registry::catalog::Catalog;
use crate::registry::changes::Changes;
use crate::registry::entry::Cache;
use crate::schema::SchemaProfile;
use crate::sorted::Sorted;

/// A method of the author's own.
pub(crate) type Method =
    Arc<dyn Fn(Ctx, Map<String, Value>) -> BoxFuture<'static, Made<Map<String, Value>>> + Send + Sync>;

/// What all connections of a server share.
pub(crate) struct Core {
    pub(crate) identity: Identity,
    /// The identity, as results carry it.
    pub(crate) server_info: Vec<u8>,
    pub(crate) instructions: Option<String>,
    pub(crate) catalog: Catalog,
    pub(crate) changes: Arc<Changes>,
    pub(crate) states: HashMap<TypeId, Box<dyn Any + Send + Sync>>,
    pub(crate) methods: Sorted<String, Method>,
    pub(crate) around: Option<Around>,
    /// How the calls of all functions that enumerate resources have gone so far.
    pub(crate) listing: Arc<Pace>,
    /// The same of those that complete arguments.
    pub(crate) completing: Arc<Pace>,
    /// The same of the author's own methods.
    pub(crate) extending: Arc<Pace>,
    pub(crate) options: Options,
    /// What calls remember while their clients are away.
    pub(crate) table: Table<State>,
    pub(crate) replays: Arc<dyn ReplayStore>,
    #[cfg(feature = "testing")]
    pub(crate) trails: super::ask::Trails,
    /// Seals what clients keep for the server.
    #[cfg(feature = "http")]
    pub(crate) sealer: super::seal::Sealer,
    /// Set once the server is to stop.
    pub(crate) stopping: watch::Sender<bool>,
}

/// The server's choices.
#[derive(Clone, Debug)]
pub(crate) struct Options {
    pub(crate) page_size: usize,
    pub(crate) mask_errors: bool,
    pub(crate) list_cache: Cache,
    pub(crate) max_message: usize,
    pub(crate) shutdown_grace: Duration,
    /// How long a round's state is good for.
    pub(crate) state_ttl: Duration,
    pub(crate) reading: Reading,
    pub(crate) profile: SchemaProfile,
    /// The revisions that are served, oldest first.
    pub(crate) revisions: Vec<Revision>,
    #[cfg(feature = "http")]
    pub(crate) http: super::endpoint::options::HttpOptions,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            page_size: 1000,
            mask_errors: false,
            list_cache: Cache::default(),
            max_message: 16 * 1024 * 1024,
            shutdown_grace: Duration::from_secs(30),
            state_ttl: Duration::from_secs(600),
            reading: Reading::default(),
            profile: SchemaProfile::default(),
            revisions: Revision::ALL.to_vec(),
            #[cfg(feature = "http")]
            http: super::endpoint::options::HttpOptions::default(),
        }
    }
}

/// Who the server is.
#[derive(Clone, Debug)]
pub(crate) struct Identity {
    pub(crate) name: String,
    pub(crate) version: String,
    pub(crate) title: Option<String>,
    pub(crate) description: Option<String>,
    pub(crate) website: Option<String>,
    pub(crate) icons: Vec<Icon>,
}

impl serde::Serialize for For<'_, Identity> {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        use serde::ser::SerializeMap as _;
        let Self(identity, features) = *self;
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("name", &identity.name)?;
        map.serialize_entry("version", &identity.version)?;
        entry_if(&mut map, "title", identity.title.as_ref().filter(|_| features.titles))?;
        entry_if(&mut map, "description", identity.description.as_ref().filter(|_| features.icons))?;
        entry_if(&mut map, "websiteUrl", identity.website.as_ref().filter(|_| features.icons))?;
        icons_member(&mut map, &identity.icons, features)?;
        map.end()
    }
}

impl Host for Core {
    fn state(&self, id: TypeId) -> Option<&(dyn Any + Send + Sync)> {
        self.states.get(&id).map(Box::as_ref)
    }

    fn replays(&self) -> (&dyn ReplayStore, Duration) {
        // A call may be repeated from any of its rounds.
        (&*self.replays, self.options.state_ttl.saturating_mul(MOST_ROUNDS + 1))
    }

    fn as_any(self: Arc<Self>) -> Arc<dyn Any + Send + Sync> {
        self
    }

    fn any(&self) -> &(dyn Any + Send + Sync) {
        self
    }
}

/// The parts of the protocol that are offered only when there is something behind them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Offer {
    Tools,
    Prompts,
    Resources,
    Completions,
    /// Always there.
    Base,
}

impl Core {
    /// The server of a call.
    #[expect(clippy::expect_used, reason = "contexts are made by servers only")]
    pub(crate) fn of(call: &CallState) -> &Self {
        call.host.any().downcast_ref().expect("a context belongs to a server")
    }

    /// Whether the part is offered: there is at least one item, enabled or not.
    pub(crate) fn offers(&self, offer: Offer) -> bool {
        match offer {
            Offer::Base => true,
            Offer::Tools => !self.catalog.tools.is_empty(),
            Offer::Prompts => !self.catalog.prompts.is_empty(),
            Offer::Resources => !self.catalog.resources.is_empty() || !self.catalog.templates.is_empty(),
            Offer::Completions => {
                self.catalog.prompts.now().items().any(|item| !item.common.completers.is_empty())
                    || self.catalog.templates.now().items().any(|item| !item.common.completers.is_empty())
            }
        }
    }

    /// The capabilities, as a peer with these features knows them.
    pub(crate) fn capabilities(&self, features: &Features) -> Map<String, Value> {
        let listed = || serde_json::json!({"listChanged": true});
        let mut capabilities = Map::new();
        if self.offers(Offer::Tools) {
            capabilities.insert("tools".to_owned(), listed());
        }
        if self.offers(Offer::Prompts) {
            capabilities.insert("prompts".to_owned(), listed());
        }
        if self.offers(Offer::Resources) {
            capabilities.insert("resources".to_owned(), serde_json::json!({"listChanged": true, "subscribe": true}));
        }
        if features.completions && self.offers(Offer::Completions) {
            capabilities.insert("completions".to_owned(), Map::new().into());
        }
        capabilities.insert("logging".to_owned(), Map::new().into());
        capabilities
    }

    /// Resolves when the server is to stop.
    pub(crate) fn stopped(&self) -> impl Future<Output = ()> + Send + use<> {
        let mut stopping = self.stopping.subscribe();
        async move {
            // An error means that the server itself is gone, which is an end, too.
            drop(stopping.wait_for(|stop| *stop).await);
        }
    }

    /// The text of an internal failure for the client: as it is, or a number that leads to it in the log.
    pub(crate) fn shown(&self, text: String) -> String {
        if !self.options.mask_errors {
            return text;
        }
        let reference = getrandom::u32().unwrap_or_default();
        crate::diagnostics::warn(format_args!("error {reference:08x}: {text}"));
        format!("internal error, reference {reference:08x}")
    }
}
