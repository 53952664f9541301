//! Finds the id of a message that is too long to keep, piece by piece: some clients write it last.

use memchr::memchr2;

use super::id::Id;

/// An id that is longer than this is not looked for: its answer could not be kept either.
const MOST: usize = 256;

/// Looks for the member `id` of the outermost object.
#[derive(Debug, Default)]
pub(crate) struct IdScan {
    depth: usize,
    text: Text,
    place: Place,
    /// The key or value that is being collected.
    token: Vec<u8>,
    found: Option<Id>,
}

/// Where in a string the scan is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Text {
    #[default]
    Outside,
    Inside,
    /// After a backslash.
    Escaped,
}

/// What the outermost object is about to give.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Place {
    #[default]
    Key,
    /// The value of `id`.
    Id,
    /// Any other value.
    Value,
}

impl IdScan {
    /// The id in a message that cannot be read for another reason.
    pub(crate) fn over(message: &[u8]) -> Option<Id> {
        let mut scan = Self::default();
        scan.feed(message);
        scan.found
    }

    /// Reads on.
    pub(crate) fn feed(&mut self, mut bytes: &[u8]) {
        while let [byte, rest @ ..] = bytes {
            bytes = rest;
            match self.text {
                Text::Escaped => self.text = Text::Inside,
                Text::Inside => match byte {
                    b'"' => self.text = Text::Outside,
                    b'\\' => self.text = Text::Escaped,
                    _ if self.collects() => {}
                    _ => {
                        let skip = memchr2(b'"', b'\\', bytes).unwrap_or(bytes.len());
                        bytes = bytes.get(skip..).unwrap_or_default();
                        continue;
                    }
                },
                Text::Outside => {
                    if self.is_structure(*byte) {
                        continue;
                    }
                    if *byte == b'"' {
                        self.text = Text::Inside;
                    }
                }
            }
            if self.collects() && self.token.len() < MOST {
                self.token.push(*byte);
            }
        }
    }

    /// The id, if it was seen whole.
    pub(crate) fn id(&self) -> Option<&Id> {
        self.found.as_ref()
    }

    /// Whether what comes is part of a key or of the id.
    fn collects(&self) -> bool {
        self.depth == 1 && self.place != Place::Value
    }

    /// Follows brackets, commas and colons; false for what they stand between.
    fn is_structure(&mut self, byte: u8) -> bool {
        match byte {
            b'{' | b'[' => {
                self.depth += 1;
                self.token.clear();
            }
            b'}' | b']' => {
                if self.depth == 1 {
                    self.end_member();
                }
                self.depth = self.depth.saturating_sub(1);
            }
            b',' if self.depth == 1 => self.end_member(),
            b':' if self.depth == 1 => {
                self.place = if self.token.trim_ascii() == b"\"id\"" { Place::Id } else { Place::Value };
                self.token.clear();
            }
            b',' | b':' => {}
            _ => return false,
        }
        true
    }

    fn end_member(&mut self) {
        if self.place == Place::Id {
            self.found = std::str::from_utf8(&self.token).ok().and_then(|text| serde_json::from_str(text).ok());
        }
        self.place = Place::Key;
        self.token.clear();
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn id_in(text: &str) -> Option<String> {
        let mut scan = IdScan::default();
        scan.feed(text.as_bytes());
        scan.id().map(ToString::to_string)
    }

    #[test]
    fn the_id_is_found_wherever_it_stands() {
        assert_eq!(id_in(r#"{"id":7,"method":"x"}"#).as_deref(), Some("7"));
        assert_eq!(
            id_in(r#"{"method":"x","params":{"id":1,"a":["]","\"}"]},"id" : "abc"}"#).as_deref(),
            Some("\"abc\"")
        );
        assert_eq!(id_in(r#"{"jsonrpc":"2.0","id":7,"params":{"text":"unfinished"#).as_deref(), Some("7"));
    }

    #[test]
    fn an_id_inside_something_else_is_none() {
        assert_eq!(id_in(r#"{"params":{"id":1}}"#), None);
        assert_eq!(id_in(r#"[{"id":1}]"#), None);
        assert_eq!(id_in(r#"{"x":"\"id\":1,"}"#), None);
        assert_eq!(id_in(r#"{"id":{"id":1}}"#), None);
    }

    proptest! {
        #[test]
        fn pieces_of_any_size_give_what_the_whole_gives(text in ".*", number in 0i64.., cut in 1usize..40) {
            let message = serde_json::json!({"a": text, "params": {"id": 1, "t": [text]}, "z": number}).to_string();
            let message = message.replace("\"z\"", "\"id\"");
            let mut scan = IdScan::default();
            for piece in message.as_bytes().chunks(cut) {
                scan.feed(piece);
            }
            prop_assert_eq!(scan.id(), Some(&Id::from(number)));
        }

        #[test]
        fn arbitrary_bytes_are_survived(bytes in proptest::collection::vec(any::<u8>(), 0..200)) {
            IdScan::default().feed(&bytes);
        }
    }
}
