//! Bytes to lines, in bounded memory. Pure: it knows nothing of where the bytes come from.

use std::ops::Range;

use super::buffer;
use crate::protocol::id::Id;
use crate::protocol::id_scan::IdScan;

/// What one read may bring: a pipe holds this much.
const ROOM: usize = 64 * 1024;

/// What the buffer holds next.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Line<'l> {
    /// A line that is not blank, without its end.
    Whole(&'l [u8]),
    /// A line that is longer than the limit is skipped; its id is known as soon as it was seen.
    TooLong(Option<Id>),
}

impl Line<'_> {
    /// How many bytes it has, if they were kept.
    pub(super) fn length(&self) -> usize {
        match self {
            Self::Whole(line) => line.len(),
            Self::TooLong(_) => 0,
        }
    }
}

/// A line, or where in the buffer it is.
#[derive(Debug)]
enum Found {
    Whole(Range<usize>),
    TooLong(Option<Id>),
}

/// Splits what was read into lines.
#[derive(Debug)]
pub(super) struct Lines {
    buffer: Vec<u8>,
    /// Where the next line begins.
    start: usize,
    /// Up to here there is no end of a line, so nothing is searched twice.
    searched: usize,
    limit: usize,
    /// Nothing was read: a byte order mark may come.
    is_first: bool,
    /// The line that is being skipped.
    skipped: Option<Skipped>,
}

/// A line of which nothing is kept.
#[derive(Debug, Default)]
struct Skipped {
    scan: IdScan,
    length: usize,
    is_told: bool,
}

/// After so many times the limit nobody waits any longer for the id, or for the line's end.
const PATIENCE: usize = 5;

impl Skipped {
    /// Reads on; what is to be said of the line now, at its end or as soon as its id was seen.
    fn feed(&mut self, bytes: &[u8], limit: usize, is_end: bool) -> Option<Found> {
        self.scan.feed(bytes);
        self.length = self.length.saturating_add(bytes.len());
        let is_known = is_end || self.scan.id().is_some() || self.length / PATIENCE > limit;
        let tells = !self.is_told && is_known;
        self.is_told |= tells;
        tells.then(|| Found::TooLong(self.scan.id().cloned()))
    }
}

impl Lines {
    pub(super) fn new(limit: usize) -> Self {
        Self { buffer: Vec::new(), start: 0, searched: 0, limit, is_first: true, skipped: None }
    }

    /// Where to append what is read: never without spare capacity.
    pub(super) fn room(&mut self) -> &mut Vec<u8> {
        if self.start == self.buffer.len() {
            self.rewind();
        }
        if self.buffer.capacity() - self.buffer.len() < ROOM / 4 {
            self.buffer.drain(..self.start);
            self.searched -= self.start;
            self.start = 0;
            self.buffer.reserve(ROOM);
        }
        &mut self.buffer
    }

    /// No more comes: what is left is the last line.
    pub(super) fn end(&mut self) {
        if self.start < self.buffer.len() || self.skipped.is_some() {
            self.buffer.push(b'\n');
        }
    }

    /// The next line that is complete.
    pub(super) fn next(&mut self) -> Option<Line<'_>> {
        match self.find()? {
            Found::Whole(place) => {
                let line = self.buffer.get(place)?;
                Some(Line::Whole(line.strip_suffix(b"\r").unwrap_or(line)))
            }
            Found::TooLong(id) => Some(Line::TooLong(id)),
        }
    }

    fn find(&mut self) -> Option<Found> {
        loop {
            if self.is_empty() {
                return None;
            }
            let unsearched = self.buffer.get(self.searched..)?;
            let Some(length) = memchr::memchr(b'\n', unsearched) else {
                self.searched = self.buffer.len();
                return self.cut_off();
            };
            let (mut from, to) = (self.start, self.searched + length);
            self.start = to + 1;
            self.searched = self.start;
            if std::mem::take(&mut self.is_first) {
                from += mark(self.buffer.get(from..to)?);
            }
            let line = self.buffer.get(from..to)?;
            if let Some(mut skipped) = self.skipped.take() {
                match skipped.feed(line, self.limit, true) {
                    None => continue,
                    found => return found,
                }
            }
            if line.len() > self.limit {
                return Skipped::default().feed(line, self.limit, true);
            }
            if !line.trim_ascii().is_empty() {
                return Some(Found::Whole(from..to));
            }
        }
    }

    /// Whether every line was read that came, and no other has begun.
    fn is_empty(&self) -> bool {
        self.start == self.buffer.len() && self.skipped.is_none()
    }

    /// Whether the end of a line waits.
    pub(super) fn is_waiting(&self) -> bool {
        !self.is_empty() && self.buffer.get(self.searched..).is_some_and(|rest| memchr::memchr(b'\n', rest).is_some())
    }

    /// Starts to skip when the line that is coming in is too long already.
    fn cut_off(&mut self) -> Option<Found> {
        let line = self.buffer.get(self.start..)?;
        if self.skipped.is_none() && line.len() <= self.limit {
            return None;
        }
        let told = self.skipped.get_or_insert_default().feed(line, self.limit, false);
        self.rewind();
        told
    }

    /// Forgets what the buffer holds.
    fn rewind(&mut self) {
        buffer::empty(&mut self.buffer, 4 * ROOM);
        self.start = 0;
        self.searched = 0;
    }
}

/// The length of the byte order mark with which some clients begin.
fn mark(line: &[u8]) -> usize {
    const MARK: &[u8] = b"\xEF\xBB\xBF";
    if line.starts_with(MARK) { MARK.len() } else { 0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(limit: usize, chunks: &[&[u8]]) -> Vec<String> {
        let mut lines = Lines::new(limit);
        let mut out = Vec::new();
        let mut drain = |lines: &mut Lines| {
            while let Some(line) = lines.next() {
                out.push(match line {
                    Line::Whole(line) => String::from_utf8(line.to_vec()).unwrap(),
                    Line::TooLong(id) => {
                        format!("too long: {}", id.map_or_else(|| "?".to_owned(), |id| id.to_string()))
                    }
                });
            }
        };
        for chunk in chunks {
            lines.room().extend_from_slice(chunk);
            drain(&mut lines);
        }
        lines.end();
        drain(&mut lines);
        out
    }

    #[test]
    fn a_line_may_come_in_pieces() {
        assert_eq!(lines(99, &[b"a", b"b\nc", b"d", b"\n"]), ["ab", "cd"]);
    }

    #[test]
    fn several_lines_may_come_at_once() {
        assert_eq!(lines(99, &[b"a\nb\nc\n"]), ["a", "b", "c"]);
    }

    #[test]
    fn carriage_returns_and_blank_lines_go() {
        assert_eq!(lines(99, &[b"a\r\n\r\n\n  \t \nb\n"]), ["a", "b"]);
    }

    #[test]
    fn the_last_line_needs_no_end() {
        assert_eq!(lines(99, &[b"a\nb"]), ["a", "b"]);
        assert_eq!(lines(99, &[b"a\n  "]), ["a"]);
    }

    #[test]
    fn a_byte_order_mark_goes_from_the_start_only() {
        assert_eq!(lines(99, &[b"\xEF\xBB\xBFa\n\xEF\xBB\xBFb\n"]), ["a", "\u{feff}b"]);
    }

    #[test]
    fn what_follows_a_line_that_is_too_long_is_read() {
        assert_eq!(lines(4, &[b"12345\na\n"]), ["too long: ?", "a"]);
        assert_eq!(lines(4, &[b"1234", b"5", b"678", b"9\na\n"]), ["too long: ?", "a"]);
        assert_eq!(lines(4, &[b"12345", b"67"]), ["too long: ?"]);
    }

    #[test]
    fn the_id_of_a_line_that_is_too_long_is_found_first_or_last() {
        assert_eq!(lines(4, &[br#"{"id":7,"x":"#, b"aaaa", b"\"}\na\n"]), ["too long: 7", "a"]);
        assert_eq!(lines(4, &[br#"{"x":"aaaa"#, br#"aaaa","id":7}"#, b"\na\n"]), ["too long: 7", "a"]);
    }

    #[test]
    fn a_line_without_end_costs_bounded_memory() {
        let mut lines = Lines::new(1 << 20);
        let piece = vec![b'x'; ROOM];
        let mut refused = 0;
        for _ in 0..1024 {
            lines.room().extend_from_slice(&piece);
            while let Some(line) = lines.next() {
                assert_eq!(line, Line::TooLong(None));
                refused += 1;
            }
            assert!(lines.buffer.capacity() < 3 << 20);
        }
        assert_eq!(refused, 1);
        lines.room().extend_from_slice(b"\nnext\n");
        assert_eq!(lines.next(), Some(Line::Whole(b"next")));
        assert!(lines.buffer.capacity() <= 5 * ROOM);
    }

    #[test]
    fn the_memory_of_a_big_line_is_given_back() {
        let mut lines = Lines::new(1 << 24);
        let big = vec![b'x'; 1 << 20];
        lines.room().extend_from_slice(b"a\n");
        lines.room().extend_from_slice(&big);
        lines.room().extend_from_slice(b"\r\nb\n");
        assert_eq!(lines.next(), Some(Line::Whole(b"a")));
        assert_eq!(lines.next(), Some(Line::Whole(&big)));
        assert!(lines.is_waiting());
        assert_eq!(lines.next(), Some(Line::Whole(b"b")));
        assert_eq!(lines.next(), None);
        lines.room().extend_from_slice(b"c\n");
        assert_eq!(lines.next(), Some(Line::Whole(b"c")));
        assert!(lines.room().capacity() <= 4 * ROOM);
    }
}
