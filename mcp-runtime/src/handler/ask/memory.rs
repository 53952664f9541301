//! What a call remembers from one round to the next, where the client is sent away and comes back (2026-07-28).
//!
//! It is read back over HTTP alone: everywhere else the client comes back to the process that keeps it.

use std::hash::{DefaultHasher, Hasher};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

#[cfg(any(feature = "http", test))]
use serde::Deserialize;
use serde::ser::SerializeMap as _;
use serde::{Serialize, Serializer};
use serde_json::value::RawValue;

use crate::sorted::Sorted;

/// The most that a call may remember, as JSON.
pub(crate) const MOST_REMEMBERED: usize = 32 * 1024;

/// A call asks in so many rounds at most.
pub(crate) const MOST_ROUNDS: u32 = 10;

/// Everything that a later round needs.
#[derive(Clone, Debug, Default)]
#[cfg_attr(any(feature = "http", test), derive(Deserialize))]
pub(crate) struct Memory {
    /// The same in all rounds of one call.
    pub(crate) flow: String,
    /// How many rounds there were.
    pub(crate) round: u32,
    /// What digests are made with; never shown to a client, so that nobody can look for two questions of one digest.
    pub(crate) salt: [u64; 2],
    /// By key: what was asked and answered.
    pub(crate) answers: Sorted<String, Answered>,
    /// By key: what was asked last.
    pub(crate) asked: Sorted<String, Posed>,
    /// By key: what `once` futures came to.
    pub(crate) results: Sorted<String, Box<RawValue>>,
}

// Not derived, here and below: `serde_json` compiles all that is in a derived struct once more, for the case that it is a text.
impl Serialize for Memory {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("flow", &self.flow)?;
        map.serialize_entry("round", &self.round)?;
        map.serialize_entry("salt", &self.salt)?;
        map.serialize_entry("answers", &self.answers)?;
        map.serialize_entry("asked", &self.asked)?;
        map.serialize_entry("results", &self.results)?;
        map.end()
    }
}

/// An answer, with the question that it belongs to.
#[derive(Clone, Debug)]
#[cfg_attr(any(feature = "http", test), derive(Deserialize))]
pub(crate) struct Answered {
    /// `None` when the client answered before it was asked: then it belongs to whatever has its key.
    pub(crate) posed: Option<Posed>,
    pub(crate) value: Box<RawValue>,
    /// It came after the question's own time.
    #[cfg_attr(any(feature = "http", test), serde(default))]
    pub(crate) late: bool,
}

impl Serialize for Answered {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("posed", &self.posed)?;
        map.serialize_entry("value", &self.value)?;
        map.serialize_entry("late", &self.late)?;
        map.end()
    }
}

/// A question that went out.
#[derive(Clone, Copy, Debug, Serialize)]
#[cfg_attr(any(feature = "http", test), derive(Deserialize))]
pub(crate) struct Posed {
    pub(crate) digest: Digest,
    /// How often in a row it was another question than in the round before.
    pub(crate) changes: u8,
    /// Until when it may be answered, in seconds since 1970.
    pub(crate) until: Option<u64>,
}

/// Tells whether two texts are the same, without keeping them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(any(feature = "http", test), derive(Deserialize))]
pub(crate) struct Digest([u64; 2]);

impl Digest {
    /// The digest of these parts, each told apart from its neighbours.
    pub(crate) fn of(salt: [u64; 2], parts: &[&[u8]]) -> Self {
        Self(salt.map(|salt| {
            let mut hasher = DefaultHasher::new();
            hasher.write_u64(salt);
            for part in parts {
                hasher.write_u64(part.len() as u64);
                hasher.write(part);
            }
            hasher.finish()
        }))
    }
}

impl Memory {
    /// The memory of a call that begins.
    pub(crate) fn begin(flow: String) -> Self {
        let salt = || getrandom::u64().unwrap_or_default();
        Self { flow, salt: [salt(), salt()], ..Self::default() }
    }

    /// Takes in what the client has answered: what was never asked is ignored.
    pub(crate) fn hear(&mut self, responses: Vec<(String, Box<RawValue>)>) {
        let now = seconds_since_1970();
        for (key, value) in responses {
            if let Some(posed) = self.asked.remove(&key) {
                let late = posed.until.is_some_and(|until| now > until);
                self.answers.insert(key, Answered { posed: Some(posed), value, late });
            }
        }
    }

    /// Takes in answers that came with the first call.
    pub(crate) fn hear_unasked(&mut self, responses: Vec<(String, Box<RawValue>)>) {
        for (key, value) in responses {
            self.answers.insert(key, Answered { posed: None, value, late: false });
        }
    }

    /// How many recorded things a repeated call comes by.
    pub(crate) fn recorded(&self) -> usize {
        self.answers.len() + self.results.len()
    }

    /// What takes the most room, for the message about too much of it.
    pub(crate) fn largest(&self) -> String {
        let answers =
            self.answers.iter().map(|(key, answer)| (format!("the answer to `{key}`"), answer.value.get().len()));
        let results =
            self.results.iter().map(|(key, value)| (format!("the result of `once(\"{key}\")`"), value.get().len()));
        let largest = answers.chain(results).max_by_key(|(_, size)| *size);
        largest
            .map_or_else(|| "the questions themselves".to_owned(), |(name, size)| format!("{name} with {size} bytes"))
    }
}

/// The time, for what has to mean the same on every machine.
pub(crate) fn seconds_since_1970() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or(Duration::ZERO).as_secs()
}

/// A name that nobody can guess.
pub(crate) fn random_name() -> String {
    let word = || getrandom::u64().unwrap_or_default();
    format!("{:016x}{:016x}", word(), word())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn raw(text: &str) -> Box<RawValue> {
        RawValue::from_string(text.to_owned()).unwrap()
    }

    #[test]
    fn an_answer_to_what_was_never_asked_is_ignored() {
        let mut memory = Memory::begin("f".to_owned());
        let posed = Posed { digest: Digest::of(memory.salt, &[b"?"]), changes: 0, until: None };
        memory.asked.insert("a".to_owned(), posed);
        memory.hear([("a".to_owned(), raw("1")), ("b".to_owned(), raw("2"))].into());
        assert!(memory.answers.get("a").is_some() && memory.answers.get("b").is_none() && memory.asked.is_empty());
    }

    #[test]
    fn digests_tell_parts_and_salts_apart() {
        let of = |salt, parts: &[&[u8]]| Digest::of([salt, 1], parts);
        assert_eq!(of(1, &[b"ab", b"c"]), of(1, &[b"ab", b"c"]));
        assert_ne!(of(1, &[b"ab", b"c"]), of(1, &[b"a", b"bc"]));
        assert_ne!(of(1, &[b"ab", b"c"]), of(2, &[b"ab", b"c"]));
    }

    #[test]
    fn memory_survives_its_journey_and_names_what_is_large() {
        let mut memory = Memory::begin("flow".to_owned());
        memory.hear_unasked([("a".to_owned(), raw(r#"{"action":"accept"}"#))].into());
        memory.results.insert("pay".to_owned(), raw(&format!("\"{}\"", "x".repeat(100))));
        let text = serde_json::to_string(&memory).unwrap();
        let back: Memory = serde_json::from_str(&text).unwrap();
        assert_eq!(serde_json::to_string(&back).unwrap(), text);
        assert_eq!(back.largest(), "the result of `once(\"pay\")` with 102 bytes");
    }
}
