//! Sessions of clients before 2026-07-28. A session is its id: sealed in it is everything that `initialize` agreed on.
//!
//! There is no table of sessions. What stands here is a bounded memory of those that were used lately, so that their ids need
//! not be opened each time, and what goes on in them right now.

use std::collections::{BTreeMap, HashMap, VecDeque};
use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::store::{Key, SessionStore};
use super::stream::{Kind, Name, Stream};
use crate::handler::client::Client;
use crate::handler::host::{Origin, Outlet, Sent};
use crate::protocol::{ClientCapabilities, Implementation};
use crate::registry::changes::Subscriber;
use crate::server::core::Core;
use crate::server::flights::Flights;
use crate::server::legacy::{Announcer, Keeper, Session, Settings};

/// What sealed ids are for.
const PURPOSE: &str = "session";

/// So many sessions that are not in use are remembered.
const MOST_IDLE: usize = 512;

/// Longer is no id of ours: what goes into one is bounded.
const MOST_ID: usize = 6 * 1024;

/// Capabilities of more bytes are cut down to what the protocol knows: the id has to fit into a header.
const MOST_CAPABILITIES: usize = 2048;

/// A client's name in an id has so many bytes at most.
const MOST_NAME: usize = 100;

/// A session while it is in use or remembered.
pub(super) struct Live {
    pub(super) key: Key,
    pub(super) session: Arc<Session>,
    pub(super) flights: Arc<Flights>,
    /// In seconds since 1970.
    created: u64,
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

    fn remove(&self, stream: &Stream) {
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

fn is_standalone(stream: &Stream) -> bool {
    stream.name().is_some_and(|name| name.kind == Kind::Standalone)
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

/// The sessions that were used lately.
#[derive(Debug)]
pub(super) struct Sessions {
    table: Mutex<Table>,
    store: Arc<dyn SessionStore>,
    max_age: Duration,
}

#[derive(Debug, Default)]
struct Table {
    lives: HashMap<Box<str>, (u64, Arc<Live>)>,
    clock: u64,
}

/// What is sealed behind the key and the time.
#[derive(Serialize, Deserialize)]
struct Sealed {
    #[serde(rename = "r")]
    revision: String,
    #[serde(rename = "n", default, skip_serializing_if = "String::is_empty")]
    name: String,
    #[serde(rename = "v", default, skip_serializing_if = "String::is_empty")]
    version: String,
    #[serde(rename = "t", default, skip_serializing_if = "Option::is_none")]
    title: Option<String>,
    #[serde(rename = "c", default, skip_serializing_if = "Map::is_empty")]
    capabilities: Map<String, Value>,
}

impl Sessions {
    pub(super) fn new(store: Arc<dyn SessionStore>, max_age: Duration) -> Self {
        Self { table: Mutex::default(), store, max_age }
    }

    fn lock(&self) -> MutexGuard<'_, Table> {
        self.table.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A new session's id. Nothing is kept of it.
    pub(super) fn create(core: &Core, client: &Client) -> Option<String> {
        let mut key = [0; 16];
        getrandom::fill(&mut key).ok()?;
        let sealed = Sealed {
            revision: client.revision.as_str().to_owned(),
            name: short(&client.info.name),
            version: short(&client.info.version),
            title: client.info.title.as_deref().map(short),
            capabilities: reduced(client.capabilities.raw()),
        };
        let mut plain = key.to_vec();
        plain.extend_from_slice(&now().to_le_bytes());
        plain.extend_from_slice(&serde_json::to_vec(&sealed).ok()?);
        Some(core.sealer.seal(PURPOSE, core.identity.name.as_bytes(), &plain))
    }

    /// The session with this id, unless it is forged, too old or ended.
    pub(super) fn open(&self, core: &Core, id: &str) -> Option<Arc<Live>> {
        let known = {
            let mut table = self.lock();
            table.clock += 1;
            let clock = table.clock;
            table.lives.get_mut(id).map(|(used, live)| {
                *used = clock;
                Arc::clone(live)
            })
        };
        let is_new = known.is_none();
        let live = match known {
            Some(live) => live,
            None => self.unseal(core, id)?,
        };
        if now().saturating_sub(live.created) >= self.max_age.as_secs() || self.store.has_ended(&live.key) {
            self.lock().lives.remove(id);
            live.end();
            return None;
        }
        Some(if is_new { self.remember(id, live) } else { live })
    }

    fn unseal(&self, core: &Core, id: &str) -> Option<Arc<Live>> {
        if id.len() > MOST_ID {
            return None;
        }
        let plain = core.sealer.open(PURPOSE, core.identity.name.as_bytes(), id)?;
        let (key, rest) = plain.split_first_chunk::<16>()?;
        let (created, rest) = rest.split_first_chunk::<8>()?;
        let sealed: Sealed = serde_json::from_slice(rest).ok()?;
        let key = Key(*key);
        let client = Client {
            revision: sealed.revision.parse().ok()?,
            info: Implementation { name: sealed.name, version: sealed.version, title: sealed.title },
            capabilities: serde_json::from_value::<ClientCapabilities>(Value::Object(sealed.capabilities)).ok()?,
        };
        if !core.options.revisions.contains(&client.revision) {
            return None;
        }
        let keeper = Box::new(Kept { store: Arc::clone(&self.store), key });
        let session = Session::resumed(client, self.store.settings(&key), keeper);
        Some(Arc::new(Live {
            key,
            session: Arc::new(session),
            flights: Arc::default(),
            created: u64::from_le_bytes(*created),
            streams: Mutex::default(),
            announcer: Mutex::default(),
        }))
    }

    /// Remembers a session. Of two that were opened at the same time, both get the first.
    fn remember(&self, id: &str, live: Arc<Live>) -> Arc<Live> {
        let mut table = self.lock();
        let clock = table.clock;
        let live = Arc::clone(&table.lives.entry(id.into()).or_insert((clock, live)).1);
        if table.lives.len() > MOST_IDLE {
            let mut idle: Vec<u64> =
                table.lives.values().filter(|(_, live)| Arc::strong_count(live) == 1).map(|(used, _)| *used).collect();
            // Half of them at once, so that the search is rare.
            let middle = idle.len() / 2;
            if middle > 0 {
                let (_, middle, _) = idle.select_nth_unstable(middle);
                let middle = *middle;
                table.lives.retain(|_, (used, live)| *used > middle || Arc::strong_count(live) > 1);
            }
        }
        live
    }

    /// Ends a session for good.
    pub(super) fn end(&self, id: &str, live: &Live) {
        self.store.end(&live.key, self.max_age);
        self.lock().lives.remove(id);
        live.end();
    }

    /// Cancels whatever goes on in any session.
    pub(super) fn stop(&self) {
        let lives: Vec<Arc<Live>> = self.lock().lives.drain().map(|(_, (_, live))| live).collect();
        for live in lives {
            live.end();
        }
    }
}

struct Kept {
    store: Arc<dyn SessionStore>,
    key: Key,
}

impl Keeper for Kept {
    fn keep(&self, settings: Settings) {
        self.store.keep(&self.key, settings);
    }
}

fn now() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default().as_secs()
}

fn short(text: &str) -> String {
    text.chars()
        .scan(0, |length, character| {
            *length += character.len_utf8();
            (*length <= MOST_NAME).then_some(character)
        })
        .collect()
}

/// The capabilities as they are, or the protocol's own ones without their details.
fn reduced(capabilities: &Map<String, Value>) -> Map<String, Value> {
    if serde_json::to_string(capabilities).is_ok_and(|text| text.len() <= MOST_CAPABILITIES) {
        return capabilities.clone();
    }
    let details =
        [("roots", &["listChanged"][..]), ("sampling", &["context", "tools"]), ("elicitation", &["form", "url"])];
    let kept = details.iter().filter_map(|(name, members)| {
        let declared = capabilities.get(*name)?.as_object()?;
        let kept: Map<String, Value> = (members.iter().filter(|member| declared.contains_key(**member)))
            .map(|member| ((*member).to_owned(), Value::Object(Map::new())))
            .collect();
        Some(((*name).to_owned(), Value::Object(kept)))
    });
    kept.collect()
}

/// Streams whose clients are gone and may come back: kept for a while, within bounds.
#[derive(Debug, Default)]
pub(super) struct Attic(Mutex<Stored>);

#[derive(Debug, Default)]
struct Stored {
    left: VecDeque<Left>,
    bytes: usize,
}

#[derive(Debug)]
struct Left {
    until: Instant,
    live: Arc<Live>,
    stream: Arc<Stream>,
    reader: u32,
    bytes: usize,
}

/// A client has so long to come back.
const KEPT: Duration = Duration::from_secs(60);

/// So many streams are kept at most, and so many bytes of them.
const MOST_LEFT: usize = 4096;
const MOST_BYTES: usize = 16 * 1024 * 1024;

impl Attic {
    fn lock(&self) -> MutexGuard<'_, Stored> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn keep(&self, live: &Arc<Live>, stream: &Arc<Stream>) {
        let now = Instant::now();
        let mut stored = self.lock();
        stored.put(live, stream, now);
        let mut gone = Vec::new();
        stored.sweep(now, &mut gone);
        while stored.left.len() > MOST_LEFT || stored.bytes > MOST_BYTES {
            let Some(left) = stored.take() else { break };
            gone.push(left);
        }
        drop(stored);
        forget(gone);
    }

    /// Forgets what was kept for long enough.
    pub(super) fn sweep(&self) {
        let mut gone = Vec::new();
        self.lock().sweep(Instant::now(), &mut gone);
        forget(gone);
    }
}

impl Stored {
    fn put(&mut self, live: &Arc<Live>, stream: &Arc<Stream>, now: Instant) {
        let bytes = stream.size();
        self.bytes += bytes;
        let (live, stream) = (Arc::clone(live), Arc::clone(stream));
        self.left.push_back(Left { until: now + KEPT, live, reader: stream.reader(), stream, bytes });
    }

    fn take(&mut self) -> Option<Left> {
        let left = self.left.pop_front()?;
        self.bytes -= left.bytes;
        Some(left)
    }

    fn sweep(&mut self, now: Instant, gone: &mut Vec<Left>) {
        while self.left.front().is_some_and(|left| left.until <= now) {
            let Some(left) = self.take() else { return };
            let is_at_work = !left.stream.is_done() && !is_standalone(&left.stream);
            if is_at_work && left.is_current() {
                self.put(&left.live, &left.stream, now);
            } else {
                gone.push(left);
            }
        }
    }
}

impl Left {
    /// Whether nobody has come back for it since.
    fn is_current(&self) -> bool {
        self.stream.reader() == self.reader
    }
}

fn forget(gone: Vec<Left>) {
    for left in gone.into_iter().filter(Left::is_current) {
        left.live.remove(&left.stream);
    }
}

/// A reader's place in a session.
#[derive(Debug)]
pub(super) struct Return {
    pub(super) live: Arc<Live>,
    pub(super) stream: Arc<Stream>,
    pub(super) attic: Arc<Attic>,
}

impl Return {
    /// The reader has left.
    pub(super) fn leave(&self) {
        self.attic.keep(&self.live, &self.stream);
    }
}
