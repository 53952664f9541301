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
        self.expect(b'{')?;
        if self.peek() == Some(b'}') {
            self.at += 1;
            return Ok(());
        }
        loop {
            self.peek();
            let key = self.string()?;
            self.expect(b':')?;
            member(key.text().ok_or(Broken)?, self)?;
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
        if first == b'"' {
            return self.string();
        }
        let start = self.at;
        if matches!(first, b'{' | b'[') {
            self.nested()?;
        } else {
            self.scalar(first)?;
        }
        let text = self.text.get(start..self.at).ok_or(Broken)?;
        Ok(Raw { text, is_plain: false })
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

    #[inline]
    fn string(&mut self) -> Result<Raw<'a>, Broken> {
        let start = self.at;
        let (end, is_plain) = string_end(self.text.as_bytes(), start)?;
        self.at = end;
        let text = self.text.get(start..end).ok_or(Broken)?;
        Ok(Raw { text, is_plain })
    }

    fn skip_string(&mut self) -> Result<(), Broken> {
        self.at = string_end(self.text.as_bytes(), self.at)?.0;
        Ok(())
    }

    /// Skips an array or object.
    fn nested(&mut self) -> Result<(), Broken> {
        // Which of the open brackets are braces, the innermost last.
        let (mut depth, mut braces) = (0, 0_u128);
        loop {
            let first = self.peek().ok_or(Broken)?;
            match first {
                b'"' => self.skip_string()?,
                b'{' | b'[' if depth == DEEPEST => return Err(Broken),
                b'{' | b'[' => {
                    self.at += 1;
                    depth += 1;
                    braces = (braces << 1) | u128::from(first == b'{');
                    match self.peek() {
                        Some(b'}' | b']') => {}
                        _ if first == b'{' => {
                            self.key()?;
                            continue;
                        }
                        _ => continue,
                    }
                }
                _ => self.scalar(first)?,
            }
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
                            return Ok(());
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

    /// Skips a number or a word.
    fn scalar(&mut self, first: u8) -> Result<(), Broken> {
        let rest = self.text.as_bytes().get(self.at..).unwrap_or_default();
        let word: &[u8] = match first {
            b't' => b"true",
            b'f' => b"false",
            b'n' => b"null",
            _ => {
                self.at += number(rest).ok_or(Broken)?;
                return Ok(());
            }
        };
        self.at += word.len();
        if rest.starts_with(word) { Ok(()) } else { Err(Broken) }
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

/// Where the string ends whose opening quote is at `start`, and whether it has no escapes.
#[inline]
fn string_end(bytes: &[u8], start: usize) -> Result<(usize, bool), Broken> {
    if bytes.get(start) != Some(&b'"') {
        return Err(Broken);
    }
    let (mut at, mut is_plain) = (start + 1, true);
    loop {
        at += plain(bytes.get(at..).unwrap_or_default());
        if bytes.get(at) == Some(&b'"') {
            return Ok((at + 1, is_plain));
        }
        at += escape(bytes.get(at..).unwrap_or_default())?;
        is_plain = false;
    }
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

/// How many bytes of a string stand for themselves from here on, eight looked at in one step.
#[inline]
fn plain(bytes: &[u8]) -> usize {
    const ONES: u64 = 0x0101_0101_0101_0101;
    const HIGH: u64 = ONES << 7;
    let (mut rest, mut count) = (bytes, 0);
    while let Some((eight, after)) = rest.split_first_chunk::<8>() {
        let word = u64::from_le_bytes(*eight);
        // A high bit for each byte that is below 0x20, a quote or a backslash. Borrows make false ones, but only above a
        // true one.
        let zero = |word: u64| word.wrapping_sub(ONES) & !word;
        let control = word.wrapping_sub(ONES * 0x20) & !word;
        let found = (control | zero(word ^ (ONES * u64::from(b'"'))) | zero(word ^ (ONES * u64::from(b'\\')))) & HIGH;
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
