//! A session while it is in use or remembered: its streams, what goes on in it, and who hears of changes.

use std::collections::{BTreeMap, HashMap};
use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};

use super::session_id::Opened;
use super::store::{Key, SessionStore};
use super::stream::Stream;
use super::stream_name::{Kind, Name};
use crate::handler::host::{Origin, Outlet, Sent};
use crate::registry::changes::Subscriber;
use crate::server::core::Core;
use crate::server::flights::Flights;
use crate::server::legacy::{Announcer, Keeper, Session, Settings};

/// A session while it is in use or remembered.
pub(super) struct Live {
    pub(super) key: Key,
    pub(super) session: Arc<Session>,
    pub(super) flights: Arc<Flights>,
    /// Whose it is.
    pub(super) principal: Option<Box<str>>,
    /// In seconds since 1970.
    pub(super) created: u64,
    streams: Mutex<Streams>,
    /// Hears of changes as long as there is a stream to tell of them.
    announcer: Mutex<Option<Arc<dyn Subscriber>>>,
}

/// The streams of a session that can be taken up again, by their numbers.
#[derive(Debug, Default)]
struct Streams {
    answers: HashMap<u64, Arc<Stream>>,
    standalone: BTreeMap<u64, Arc<Stream>>,
}

impl fmt::Debug for Live {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Live").field("key", &self.key).finish_non_exhaustive()
    }
}

impl Live {
    pub(super) fn new(opened: Opened, principal: Option<&str>, store: &Arc<dyn SessionStore>) -> Self {
        let Opened { key, created, client } = opened;
        let keeper = Box::new(Kept { store: Arc::clone(store), key });
        Self {
            key,
            session: Arc::new(Session::resumed(client, store.settings(&key), keeper)),
            flights: Arc::default(),
            principal: principal.map(Box::from),
            created,
            streams: Mutex::default(),
            announcer: Mutex::default(),
        }
    }

    fn streams(&self) -> MutexGuard<'_, Streams> {
        self.streams.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Adds a stream that can be taken up again.
    pub(super) fn add(&self, stream: &Arc<Stream>) {
        let Some(name) = stream.name() else { return };
        let (number, stream) = (name.number, Arc::clone(stream));
        let mut streams = self.streams();
        // No two streams have the same number.
        drop(match name.kind {
            Kind::Answer => streams.answers.insert(number, stream),
            Kind::Standalone => streams.standalone.insert(number, stream),
        });
    }

    /// Has changes announced on the session's own streams.
    pub(super) fn announce(self: &Arc<Self>, core: &Core) {
        let mut announcer = self.announcer.lock().unwrap_or_else(PoisonError::into_inner);
        if announcer.is_none() {
            let outlet = Arc::new(Voice(Arc::downgrade(self)));
            let new: Arc<dyn Subscriber> = Arc::new(Announcer { session: Arc::clone(&self.session), outlet });
            core.changes.subscribe(&new);
            *announcer = Some(new);
        }
    }

    /// The stream of this name.
    pub(super) fn find(&self, name: &Name) -> Option<Arc<Stream>> {
        let streams = self.streams();
        let stream = match name.kind {
            Kind::Answer => streams.answers.get(&name.number),
            Kind::Standalone => streams.standalone.get(&name.number),
        };
        stream.filter(|stream| stream.name() == Some(name)).cloned()
    }

    /// Forgets a stream to which nobody comes back any more.
    pub(super) fn remove(&self, stream: &Stream) {
        let Some(name) = stream.name() else { return };
        {
            let mut streams = self.streams();
            streams.answers.remove(&name.number);
            streams.standalone.remove(&name.number);
        }
        stream.forget();
        self.silence();
    }

    /// Ends everything that goes on in the session.
    pub(super) fn end(&self) {
        self.flights.cancel_all();
        let streams = std::mem::take(&mut *self.streams());
        for stream in streams.answers.values().chain(streams.standalone.values()) {
            stream.end();
        }
        self.silence();
    }

    /// Hears of no more changes when there is no stream to tell of them.
    fn silence(&self) {
        // The look is under the announcer's lock: a stream that is being added comes before it, and announces after it.
        let mut announcer = self.announcer.lock().unwrap_or_else(PoisonError::into_inner);
        if self.streams().standalone.is_empty() {
            *announcer = None;
        }
    }
}

/// Says something to a session's client on one of its own streams: one that is read, or the last that was.
struct Voice(Weak<Live>);

impl Outlet for Voice {
    fn notify(&self, message: Vec<u8>) -> Sent {
        let Some(live) = self.0.upgrade() else { return Sent::Dropped };
        let chosen = {
            let streams = live.streams();
            let mut newest_first = streams.standalone.values().rev();
            newest_first.find(|stream| stream.is_read()).or(streams.standalone.values().next_back()).cloned()
        };
        chosen.map_or(Sent::Dropped, |stream| stream.notify(message))
    }

    fn respond(&self, _: Vec<u8>, _: Origin) {}
}

/// Keeps what the client sets.
struct Kept {
    store: Arc<dyn SessionStore>,
    key: Key,
}

impl Keeper for Kept {
    fn keep(&self, settings: Settings) {
        self.store.keep(&self.key, settings);
    }
}
