//! Where things stand in a JSON text with comments: editors and clients allow them, and what is there must stay.

use std::ops::Range;

/// A text that is read from front to back.
#[derive(Clone, Copy, Debug)]
pub(super) struct Scanner<'a> {
    text: &'a str,
    at: usize,
}

/// A member of an object.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Member {
    pub(super) key: String,
    /// Where its key begins.
    pub(super) start: usize,
    pub(super) value: Range<usize>,
}

/// The members of an object and where more can stand.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Object {
    pub(super) members: Vec<Member>,
    /// After the last thing in it, be it a member, a comma or a comment, or after the opening brace.
    pub(super) end: usize,
    /// Whether a comma follows the last member.
    pub(super) has_last_comma: bool,
    /// Where the closing brace stands.
    pub(super) close: usize,
}

/// Objects within objects deeper than this are not looked into.
const DEPTH: usize = 128;

impl<'a> Scanner<'a> {
    pub(super) const fn new(text: &'a str) -> Self {
        Self { text, at: 0 }
    }

    const fn from(text: &'a str, at: usize) -> Self {
        Self { text, at }
    }

    fn rest(&self) -> &'a str {
        self.text.get(self.at..).unwrap_or_default()
    }

    fn peek(&self) -> Option<u8> {
        self.rest().bytes().next()
    }

    fn takes(&mut self, byte: u8) -> bool {
        let is_there = self.peek() == Some(byte);
        self.at += usize::from(is_there);
        is_there
    }

    /// Passes white space and comments; the end of the last comment, if there was one.
    fn skip(&mut self) -> Option<usize> {
        let mut comment = None;
        loop {
            let rest = self.rest();
            let trimmed = rest.trim_start_matches(|c: char| c.is_ascii_whitespace() || c == '\u{feff}');
            self.at += rest.len() - trimmed.len();
            let length = if trimmed.starts_with("//") {
                trimmed.find('\n').unwrap_or(trimmed.len())
            } else if trimmed.starts_with("/*") {
                trimmed.find("*/").map_or(trimmed.len(), |end| end + 2)
            } else {
                return comment;
            };
            self.at += length;
            comment = Some(self.at);
        }
    }

    /// Passes a string; its text.
    fn string(&mut self) -> Option<String> {
        let start = self.at;
        if !self.takes(b'"') {
            return None;
        }
        let mut is_escaped = false;
        let length = self.rest().bytes().position(|byte| {
            let ends = byte == b'"' && !is_escaped;
            is_escaped = byte == b'\\' && !is_escaped;
            ends
        })?;
        self.at += length + 1;
        serde_json::from_str(self.text.get(start..self.at)?).ok()
    }

    /// Passes a value.
    fn value(&mut self, depth: usize) -> Option<Range<usize>> {
        let start = self.at;
        match self.peek()? {
            b'"' => drop(self.string()?),
            b'{' => drop(self.object(depth)?),
            b'[' => self.array(depth)?,
            _ => {
                let ends = |c: char| matches!(c, ',' | '}' | ']' | '/') || c.is_ascii_whitespace();
                self.at += self.rest().find(ends).unwrap_or_else(|| self.rest().len());
            }
        }
        (self.at > start).then_some(start..self.at)
    }

    fn array(&mut self, depth: usize) -> Option<()> {
        if depth == DEPTH || !self.takes(b'[') {
            return None;
        }
        loop {
            self.skip();
            if self.takes(b']') {
                return Some(());
            }
            self.value(depth + 1)?;
            self.skip();
            if !self.takes(b',') && self.peek() != Some(b']') {
                return None;
            }
        }
    }

    fn object(&mut self, depth: usize) -> Option<Object> {
        if depth == DEPTH || !self.takes(b'{') {
            return None;
        }
        let mut object = Object { members: Vec::new(), end: self.at, has_last_comma: false, close: self.at };
        loop {
            object.end = self.skip().unwrap_or(object.end);
            object.close = self.at;
            if self.takes(b'}') {
                return Some(object);
            }
            if !object.members.is_empty() && !object.has_last_comma {
                return None;
            }
            let start = self.at;
            let key = self.string()?;
            self.skip();
            if !self.takes(b':') {
                return None;
            }
            self.skip();
            let value = self.value(depth + 1)?;
            object.end = self.skip().unwrap_or(value.end);
            object.members.push(Member { key, start, value });
            object.has_last_comma = self.takes(b',');
            if object.has_last_comma {
                object.end = self.at;
            }
        }
    }

    /// The object that is the whole text.
    pub(super) fn root(mut self) -> Option<Object> {
        self.skip();
        let object = self.object(0)?;
        self.skip();
        self.rest().is_empty().then_some(object)
    }
}

/// The object at a place in a text.
pub(super) fn object_at(text: &str, at: usize) -> Option<Object> {
    Scanner::from(text, at).object(0)
}

/// The text without comments and without commas that nothing follows.
pub(super) fn plain(text: &str) -> String {
    let mut scanner = Scanner::new(text);
    let mut plain = String::with_capacity(text.len());
    loop {
        scanner.skip();
        let start = scanner.at;
        match scanner.peek() {
            None => return plain,
            Some(b'"') if scanner.string().is_some() => {}
            Some(b',') => {
                scanner.at += 1;
                let mut ahead = scanner;
                ahead.skip();
                if matches!(ahead.peek(), Some(b'}' | b']')) {
                    continue;
                }
            }
            Some(_) => scanner.at += scanner.rest().chars().next().map_or(1, char::len_utf8),
        }
        plain.push_str(text.get(start..scanner.at).unwrap_or_default());
        // What was apart stays apart: `1 2` is not 12.
        if scanner.rest().starts_with(|c: char| c.is_ascii_whitespace() || c == '/') {
            plain.push(' ');
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn members_are_found_between_comments() {
        let text = "// top\n{ /* a */ \"a\": 1, // one\n \"b\\\"\": {\"c\": [1, 2,],}, }";
        let object = Scanner::new(text).root().unwrap();
        let found: Vec<_> =
            object.members.iter().map(|member| (member.key.as_str(), &text[member.value.clone()])).collect();
        assert_eq!(found, [("a", "1"), ("b\"", "{\"c\": [1, 2,],}")]);
        assert!(object.has_last_comma);
    }

    #[test]
    fn what_is_broken_is_nothing() {
        for text in
            ["", "{", "{\"a\"}", "{\"a\": }", "[1]", "{\"a\": 1 \"b\": 2}", "{} {}", "{\"a", "{,}", "{\"a\": [1 2]}"]
        {
            assert_eq!(Scanner::new(text).root(), None, "{text}");
        }
        assert_eq!(Scanner::new(&"{\"a\":".repeat(100_000)).root(), None);
    }

    #[test]
    fn a_comment_in_a_string_is_text() {
        assert_eq!(plain("{\"u\": \"http://x/*y*/\", // z\n}"), "{\"u\": \"http://x/*y*/\"}");
        assert!(serde_json::from_str::<serde_json::Value>(&plain("1 2")).is_err());
    }
}
