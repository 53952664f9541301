//! What is known of a connection between two steps, whoever takes them.

use std::sync::MutexGuard;
use std::task::Waker;
use std::time::{Duration, Instant};

use super::buffer;
use super::lines::Lines;
use super::turns::Turns;

/// How much may wait to be written beside the outbox. A client that sends all its calls before it reads the first answer
/// still gets them.
pub(super) const BACKLOG: usize = 1024 * 1024;

/// How long the last answers may take when nothing is to be waited for any more. Zero would lose them to a client that
/// is about to read.
pub(super) const LAST_WORDS: Duration = Duration::from_millis(200);

/// What the driver and the lifeguard hand to each other.
#[derive(Debug)]
pub(super) struct Slot {
    pub(super) lines: Lines,
    /// What was taken from the outbox; the first `written` bytes are gone already.
    pub(super) out: Vec<u8>,
    written: usize,
    pub(super) turns: Turns,
    pub(super) reading: Reading,
    /// Set when the client cannot be written to any more.
    pub(super) is_gone: bool,
    /// When a handler that blocks its thread may be waited for no more.
    pub(super) due: Option<Instant>,
    pub(super) is_stopped: bool,
    pub(super) driver: Option<Waker>,
}

/// Whether more messages come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Reading {
    /// The first read has to be made without being told to: some pipes tell nothing of an end that was there before.
    Unasked,
    Open,
    Ended,
}

impl Slot {
    pub(super) fn new(longest: usize) -> Self {
        Self {
            lines: Lines::new(longest),
            out: Vec::new(),
            written: 0,
            turns: Turns::default(),
            reading: Reading::Unasked,
            is_gone: false,
            due: None,
            is_stopped: false,
            driver: None,
        }
    }

    pub(super) fn unwritten(&self) -> &[u8] {
        self.out.get(self.written..).unwrap_or_default()
    }

    /// The driver ends by itself in `time`. A little later it must be blocked.
    pub(super) fn due_in(&mut self, time: Duration) {
        let due = Instant::now() + time + 2 * LAST_WORDS;
        self.due = Some(self.due.map_or(due, |before| before.min(due)));
    }

    pub(super) fn advance(&mut self, count: usize) {
        self.written += count;
        if self.written >= self.out.len() {
            self.written = 0;
            buffer::empty(&mut self.out, BACKLOG);
        }
    }
}

pub(super) fn wake(slot: MutexGuard<'_, Slot>) {
    let driver = slot.driver.clone();
    drop(slot);
    if let Some(driver) = driver {
        driver.wake();
    }
}
