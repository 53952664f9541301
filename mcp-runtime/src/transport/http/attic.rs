//! Streams whose clients are gone and may come back.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use super::live::Live;
use super::stream::Stream;
use super::stream_name::Kind;

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

/// About what a stream takes beside its events.
const OVERHEAD: usize = 2048;

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
        let bytes = stream.size() + OVERHEAD;
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

fn is_standalone(stream: &Stream) -> bool {
    stream.name().is_some_and(|name| name.kind == Kind::Standalone)
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
