//! The names of streams that can be taken up again, and the ids of the events in them.

use std::fmt;

/// Names a stream among all that the process has ever had, and those of other processes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Name {
    pub(super) kind: Kind,
    /// The process.
    pub(super) instance: u32,
    pub(super) number: u64,
}

/// Where a stream came from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// It answers a request.
    Answer,
    /// It stands for itself.
    Standalone,
}

impl fmt::Display for Name {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let kind = match self.kind {
            Kind::Answer => 'a',
            Kind::Standalone => 's',
        };
        write!(f, "{kind}{:08x}-{:x}", self.instance, self.number)
    }
}

impl Name {
    /// Reads an event id: the stream, and the event's number in it.
    pub(super) fn read(text: &str) -> Option<(Self, u64)> {
        let (name, event) = text.rsplit_once('-')?;
        let (head, number) = name.split_once('-')?;
        let kind = match head.get(..1)? {
            "a" => Kind::Answer,
            "s" => Kind::Standalone,
            _ => return None,
        };
        let hex = |text: &str| u64::from_str_radix(text, 16).ok();
        let instance = u32::try_from(hex(head.get(1..)?)?).ok()?;
        Some((Self { kind, instance, number: hex(number)? }, hex(event)?))
    }
}
