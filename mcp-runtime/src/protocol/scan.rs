//! JSON read in one pass: what an object holds, each value checked and left as the text it came as.
//!
//! Every message goes through here, and a visitor for each key and value costs several times as much. What is no JSON is
//! only refused; `serde_json` finds the words for it.

use std::borrow::Cow;

use serde::de::IgnoredAny;

/// Values are nested in each other so often at most, as `serde_json` has it.
const DEEPEST: u32 = 128;

/// The text is no JSON.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Broken;

impl Broken {
    /// What is wrong with the text that was refused, and where.
    pub(crate) fn explain(text: &str) -> String {
        match serde_json::from_str::<IgnoredAny>(text) {
            Err(error) => error.to_string(),
            Ok(_) => format!("more than {DEEPEST} levels of nesting, or a string that is no text"),
        }
    }
}

/// A JSON value as the text it came as.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Raw<'a> {
    text: &'a str,
    /// It is a string without escapes.
    is_plain: bool,
}

impl<'a> Raw<'a> {
    /// The text, without white space around it.
    pub(crate) const fn get(self) -> &'a str {
        self.text
    }

    pub(crate) fn is_null(self) -> bool {
        self.text == "null"
    }

    pub(crate) fn is_object(self) -> bool {
        self.text.starts_with('{')
    }

    /// What a string says; `None` for other values, and for half a surrogate pair, which is no text.
    #[inline]
    pub(crate) fn text(self) -> Option<Cow<'a, str>> {
        if self.is_plain { self.text.get(1..self.text.len() - 1).map(Cow::Borrowed) } else { self.unescaped() }
    }

    #[cold]
    fn unescaped(self) -> Option<Cow<'a, str>> {
        if self.text.starts_with('"') { serde_json::from_str(self.text).map(Cow::Owned).ok() } else { None }
    }
}

/// Where the key of a member is, with its quotes.
#[derive(Clone, Copy)]
struct Key {
    start: usize,
    end: usize,
    is_plain: bool,
}

impl Key {
    #[inline]
    fn text(self, text: &str) -> Result<Cow<'_, str>, Broken> {
        let Self { start, end, is_plain } = self;
        if is_plain {
            return text.get(start + 1..end - 1).map(Cow::Borrowed).ok_or(Broken);
        }
        text.get(start..end).and_then(|text| Raw { text, is_plain }.unescaped()).ok_or(Broken)
    }
}

/// So many members are noted at most, as most objects have.
const MOST_PLACES: usize = 8;

/// Where the members of a small object are in its text, so that it need not be read again to find them.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Places {
    /// The start and the end of a key, of its value.
    members: [[u16; 4]; MOST_PLACES],
    count: usize,
    /// There are more, or they are too far away, or have a key with escapes.
    is_partial: bool,
}

impl Places {
    fn note(&mut self, is_plain: bool, [a, b, c, d]: [usize; 4]) {
        match (self.members.get_mut(self.count), u16::try_from(d)) {
            #[expect(clippy::cast_possible_truncation, reason = "no number is greater than the last one")]
            (Some(place), Ok(d)) if is_plain => *place = [a as u16, b as u16, c as u16, d],
            _ => self.is_partial = true,
        }
        self.count += usize::from(!self.is_partial);
    }

    /// The keys and values in the text of the object; `None` when not all of them were noted.
    pub(crate) fn of<'t>(&self, text: &'t str) -> Option<impl Iterator<Item = (&'t str, &'t str)>> {
        let member = |[a, b, c, d]: [u16; 4]| {
            let part = |from: u16, to: u16| text.get(usize::from(from)..usize::from(to)).unwrap_or_default();
            (part(a, b), part(c, d))
        };
        let members = if self.is_partial { None } else { self.members.get(..self.count) };
        members.map(|members| members.iter().copied().map(member))
    }
}

/// Reads on in a text.
#[derive(Debug)]
pub(crate) struct Scan<'a> {
    text: &'a str,
    at: usize,
}

impl<'a> Scan<'a> {
    pub(crate) const fn new(text: &'a str) -> Self {
        Self { text, at: 0 }
    }

    /// Reads an object. `member` is told each key and reads its value.
    pub(crate) fn object(
        &mut self,
        mut member: impl FnMut(Cow<'a, str>, &mut Self) -> Result<(), Broken>,
    ) -> Result<(), Broken> {
        self.members(|key, scan| member(key.text(scan.text)?, scan))
    }

    #[inline]
    fn members(&mut self, mut member: impl FnMut(Key, &mut Self) -> Result<(), Broken>) -> Result<(), Broken> {
        self.expect(b'{')?;
        if self.peek() == Some(b'}') {
            self.at += 1;
            return Ok(());
        }
        loop {
            self.peek();
            let start = self.at;
            let is_plain = self.skip_string()?;
            let key = Key { start, end: self.at, is_plain };
            self.expect(b':')?;
            member(key, self)?;
            match self.peek() {
                Some(b',') => self.at += 1,
                Some(b'}') => {
                    self.at += 1;
                    return Ok(());
                }
                _ => return Err(Broken),
            }
        }
    }

    /// Reads any value.
    pub(crate) fn value(&mut self) -> Result<Raw<'a>, Broken> {
        let first = self.peek().ok_or(Broken)?;
        let start = self.at;
        let is_plain = self.skip(first, DEEPEST)?;
        let text = self.text.get(start..self.at).ok_or(Broken)?;
        Ok(Raw { text, is_plain })
    }

    /// Skips a value that has no more levels than that. Whether it is a plain string.
    #[inline]
    fn skip(&mut self, first: u8, deepest: u32) -> Result<bool, Broken> {
        match first {
            b'"' => self.skip_string(),
            b'{' | b'[' => self.nested(deepest),
            _ => self.scalar(first),
        }
    }

    /// Reads an object, and notes where its members are.
    pub(crate) fn noted(&mut self) -> Result<(Raw<'a>, Places), Broken> {
        self.peek();
        let (from, mut places) = (self.at, Places::default());
        self.members(|key, scan| {
            let first = scan.peek().ok_or(Broken)?;
            let start = scan.at;
            scan.skip(first, DEEPEST - 1)?;
            places.note(key.is_plain, [key.start + 1, key.end - 1, start, scan.at].map(|at| at - from));
            Ok(())
        })?;
        let text = self.text.get(from..self.at).ok_or(Broken)?;
        Ok((Raw { text, is_plain: false }, places))
    }

    /// Nothing but white space may be left.
    pub(crate) fn end(&mut self) -> Result<(), Broken> {
        if self.peek().is_none() { Ok(()) } else { Err(Broken) }
    }

    /// The first byte of what comes next.
    #[inline]
    pub(crate) fn peek(&mut self) -> Option<u8> {
        loop {
            let byte = *self.text.as_bytes().get(self.at)?;
            // The first half of the question answers it nearly always.
            if byte > b' ' || !matches!(byte, b' ' | b'\n' | b'\t' | b'\r') {
                return Some(byte);
            }
            self.at += 1;
        }
    }

    #[inline]
    fn expect(&mut self, byte: u8) -> Result<(), Broken> {
        if self.peek() != Some(byte) {
            return Err(Broken);
        }
        self.at += 1;
        Ok(())
    }

    /// Skips a string. Whether it has no escapes.
    fn skip_string(&mut self) -> Result<bool, Broken> {
        let Some((b'"', string)) = self.text.as_bytes().get(self.at..).and_then(<[u8]>::split_first) else {
            return Err(Broken);
        };
        let mut rest = string;
        while let Some((eight, after)) = rest.split_first_chunk::<8>() {
            let word = u64::from_le_bytes(*eight);
            let found = special(word);
            if found != 0 {
                let bits = found.trailing_zeros() & !7;
                let length = string.len() - rest.len() + bits as usize / 8;
                if word >> bits & 0xff == u64::from(b'"') {
                    self.at += length + 2;
                    return Ok(true);
                }
                break;
            }
            rest = after;
        }
        self.skip_slowly()
    }

    /// Skips a string that has escapes, or ends with the text.
    #[cold]
    #[inline(never)]
    fn skip_slowly(&mut self) -> Result<bool, Broken> {
        let mut is_plain = true;
        self.at += 1;
        loop {
            let rest = self.text.as_bytes().get(self.at..).unwrap_or_default();
            let length = plain(rest);
            let special = rest.get(length..).unwrap_or_default();
            if special.first() == Some(&b'"') {
                self.at += length + 1;
                return Ok(is_plain);
            }
            self.at += length + escape(special)?;
            is_plain = false;
        }
    }

    /// Skips an array or object. It is no plain string.
    fn nested(&mut self, deepest: u32) -> Result<bool, Broken> {
        // Which of the open brackets are braces, the innermost last.
        let (mut depth, mut braces) = (0, 0_u128);
        loop {
            let first = self.peek().ok_or(Broken)?;
            match first {
                b'"' => self.skip_string()?,
                b'{' | b'[' if depth == deepest => return Err(Broken),
                b'{' | b'[' => {
                    self.at += 1;
                    depth += 1;
                    braces = (braces << 1) | u128::from(first == b'{');
                    match self.peek() {
                        Some(b'}' | b']') => false,
                        _ if first == b'{' => {
                            self.key()?;
                            continue;
                        }
                        _ => continue,
                    }
                }
                _ => self.scalar(first)?,
            };
            // After a value: leaves what ends there.
            loop {
                match (self.peek(), braces & 1) {
                    (Some(b','), is_brace) => {
                        self.at += 1;
                        if is_brace == 1 {
                            self.key()?;
                        }
                        break;
                    }
                    (Some(b'}'), 1) | (Some(b']'), 0) => {
                        self.at += 1;
                        depth -= 1;
                        braces >>= 1;
                        if depth == 0 {
                            return Ok(false);
                        }
                    }
                    _ => return Err(Broken),
                }
            }
        }
    }

    /// Skips a key and its colon.
    fn key(&mut self) -> Result<(), Broken> {
        self.peek();
        self.skip_string()?;
        self.expect(b':')
    }

    /// Skips a number or a word. It is no plain string.
    fn scalar(&mut self, first: u8) -> Result<bool, Broken> {
        let rest = self.text.as_bytes().get(self.at..).unwrap_or_default();
        let word: &[u8] = match first {
            b't' => b"true",
            b'f' => b"false",
            b'n' => b"null",
            _ => {
                self.at += number(rest).ok_or(Broken)?;
                return Ok(false);
            }
        };
        self.at += word.len();
        if rest.starts_with(word) { Ok(false) } else { Err(Broken) }
    }
}

/// How long the number is that the bytes begin with.
fn number(bytes: &[u8]) -> Option<usize> {
    let byte = |at: usize| bytes.get(at).copied().unwrap_or_default();
    let digits = |from: usize| {
        let mut at = from;
        while byte(at).is_ascii_digit() {
            at += 1;
        }
        (at > from).then_some(at)
    };
    let start = usize::from(byte(0) == b'-');
    let mut at = if byte(start) == b'0' { start + 1 } else { digits(start)? };
    if byte(at) == b'.' {
        at = digits(at + 1)?;
    }
    if matches!(byte(at), b'e' | b'E') {
        at += 1;
        at = digits(at + usize::from(matches!(byte(at), b'+' | b'-')))?;
    }
    Some(at)
}

/// How long the escape is that the bytes begin with, if they do.
fn escape(bytes: &[u8]) -> Result<usize, Broken> {
    match bytes {
        [b'\\', b'"' | b'\\' | b'/' | b'b' | b'f' | b'n' | b'r' | b't', ..] => Ok(2),
        [b'\\', b'u', a, b, c, d, ..] if [a, b, c, d].into_iter().all(u8::is_ascii_hexdigit) => Ok(6),
        // A control character, or the end.
        _ => Err(Broken),
    }
}

/// A high bit for each byte of a string that does not stand for itself: below 0x20, a quote or a backslash.
///
/// Borrows make false ones, but only above a true one.
#[inline]
const fn special(word: u64) -> u64 {
    const ONES: u64 = 0x0101_0101_0101_0101;
    const fn zero(word: u64) -> u64 {
        word.wrapping_sub(ONES) & !word
    }
    let control = word.wrapping_sub(ONES * 0x20) & !word;
    (control | zero(word ^ (ONES * b'"' as u64)) | zero(word ^ (ONES * b'\\' as u64))) & (ONES << 7)
}

/// How many bytes of a string stand for themselves from here on, eight looked at in one step.
fn plain(bytes: &[u8]) -> usize {
    let (mut rest, mut count) = (bytes, 0);
    while let Some((eight, after)) = rest.split_first_chunk::<8>() {
        let found = special(u64::from_le_bytes(*eight));
        if found != 0 {
            return count + found.trailing_zeros() as usize / 8;
        }
        (rest, count) = (after, count + 8);
    }
    let is_special = |byte: &u8| *byte < 0x20 || matches!(byte, b'"' | b'\\');
    count + rest.iter().position(is_special).unwrap_or(rest.len())
}

#[cfg(test)]
mod tests;
