//! The events of a stream: those that wait for the reader, and the last of those that it took, should it come back.

use std::collections::VecDeque;
use std::io::Write as _;

use bytes::Bytes;

use super::stream_name::Name;

/// So much of what was sent is kept for a client that comes back.
pub(super) const KEPT: usize = 64 * 1024;

/// One write should not hold more than a few large messages.
const CHUNK: usize = 128 * 1024;

/// The events of one stream, oldest first.
#[derive(Debug)]
pub(super) struct Backlog {
    events: VecDeque<Event>,
    /// The number of the oldest.
    first: u64,
    /// The number of the next event that the reader takes.
    taken: u64,
    /// The bytes of all events that are kept, and of those that wait.
    kept: usize,
    waiting: usize,
    /// How many bytes stay after they were taken.
    memory: usize,
}

#[derive(Debug)]
struct Event {
    frame: Bytes,
    /// Where the message begins in the frame.
    data: usize,
}

/// The events after the one that was named are not there any more.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Lost;

impl Event {
    fn new(name: Option<&Name>, number: u64, message: &[u8]) -> Self {
        let mut frame = Vec::with_capacity(message.len() + 48);
        if let Some(name) = name {
            // Writing to a vector does not fail.
            drop(writeln!(frame, "id: {name}-{number:x}"));
        }
        let data = frame.len();
        write_data(&mut frame, message);
        Self { frame: frame.into(), data }
    }
}

impl Backlog {
    /// Of a stream with this name; `first` is the number of its first event.
    pub(super) fn new(name: Option<&Name>, first: u64) -> Self {
        let memory = if name.is_some() { KEPT } else { 0 };
        Self { events: VecDeque::new(), first, taken: first, kept: 0, waiting: 0, memory }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.events.is_empty()
    }

    /// How many bytes wait for the reader.
    pub(super) const fn waiting(&self) -> usize {
        self.waiting
    }

    /// The number of the event that the reader takes next.
    pub(super) const fn taken(&self) -> u64 {
        self.taken
    }

    /// How much memory the events take.
    pub(super) const fn size(&self) -> usize {
        self.kept
    }

    /// Puts an empty event in front, under a number that was left free for it.
    pub(super) fn prime(&mut self, name: Option<&Name>) {
        if self.first != 1 || self.taken != 1 {
            return;
        }
        let event = Event::new(name, 0, b"");
        self.kept += event.frame.len();
        self.waiting += event.frame.len();
        self.events.push_front(event);
        (self.first, self.taken) = (0, 0);
    }

    /// Adds a message.
    pub(super) fn push(&mut self, name: Option<&Name>, message: &[u8]) {
        let event = Event::new(name, self.end(), message);
        self.kept += event.frame.len();
        self.waiting += event.frame.len();
        self.events.push_back(event);
        self.trim();
    }

    /// The number that the next event gets.
    fn end(&self) -> u64 {
        self.first + self.events.len() as u64
    }

    /// How many of the events that are there were taken.
    fn start(&self) -> usize {
        usize::try_from(self.taken.saturating_sub(self.first)).unwrap_or(usize::MAX)
    }

    /// Lets the reader take again what comes after this event.
    pub(super) fn rewind(&mut self, after: u64) -> Result<(), Lost> {
        let next = after.checked_add(1).ok_or(Lost)?;
        if next < self.first || next > self.end() {
            return Err(Lost);
        }
        self.taken = next;
        self.waiting = self.events.iter().skip(self.start()).map(|event| event.frame.len()).sum();
        Ok(())
    }

    /// Takes some of what waits, if there is something.
    pub(super) fn take(&mut self) -> Option<Bytes> {
        let mut length = 0;
        let waiting = self.events.iter().skip(self.start());
        let fitting = waiting.take_while(|event| {
            let fits = length == 0 || length + event.frame.len() <= CHUNK;
            length += event.frame.len();
            fits
        });
        let frames: Vec<Bytes> = fitting.map(|event| event.frame.clone()).collect();
        self.taken += frames.len() as u64;
        let bytes = match frames.as_slice() {
            [] => return None,
            [one] => one.clone(),
            several => several.concat().into(),
        };
        self.waiting = self.waiting.saturating_sub(bytes.len());
        self.trim();
        Some(bytes)
    }

    /// Forgets the oldest events that were taken, until no more are kept than should be.
    fn trim(&mut self) {
        while self.kept > self.memory && self.first < self.taken {
            let Some(event) = self.events.pop_front() else { return };
            self.kept -= event.frame.len();
            self.first += 1;
        }
    }

    /// Forgets all of them.
    pub(super) fn clear(&mut self) {
        self.events = VecDeque::new();
        (self.kept, self.waiting) = (0, 0);
    }

    /// Whether the same message waits already.
    pub(super) fn holds(&self, message: &[u8]) -> bool {
        let mut data = Vec::with_capacity(message.len() + 8);
        write_data(&mut data, message);
        self.events.iter().skip(self.start()).any(|event| event.frame.get(event.data..) == Some(&data))
    }
}

/// Writes the lines of one event. A message is one line, unless an author put raw JSON of several into it.
pub(super) fn write_data(frame: &mut Vec<u8>, message: &[u8]) {
    for line in message.split(|byte| matches!(byte, b'\n' | b'\r')) {
        frame.extend_from_slice(b"data: ");
        frame.extend_from_slice(line);
        frame.push(b'\n');
    }
    frame.push(b'\n');
}
