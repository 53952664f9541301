//! What came for the parameters of one call, before any of it is decoded.

use std::borrow::Cow;

use super::prepare::Prepared;

/// What came for one parameter.
#[derive(Debug, Default)]
pub(super) enum Given<'a> {
    #[default]
    Absent,
    Json(&'a str),
    /// From a URI or a prompt: text, whatever its type.
    Text(Cow<'a, str>),
    /// Made before the call.
    Prepared(Prepared),
}

/// What came for each parameter: in place for so many as most functions have.
#[derive(Debug)]
pub(super) struct Slots<'a> {
    few: [Given<'a>; FEW],
    more: Vec<Given<'a>>,
}

const FEW: usize = 4;

impl<'a> Slots<'a> {
    pub(super) fn new(count: usize) -> Self {
        let more = (FEW..count).map(|_| Given::Absent).collect();
        Self { few: [const { Given::Absent }; FEW], more }
    }

    pub(super) fn get_mut(&mut self, index: usize) -> Option<&mut Given<'a>> {
        if index < FEW { self.few.get_mut(index) } else { self.more.get_mut(index - FEW) }
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = &Given<'a>> {
        self.few.iter().chain(&self.more)
    }
}
