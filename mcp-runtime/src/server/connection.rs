//! One peer that sends messages one after another: standard input, a socket, a test.

use std::sync::Arc;

use bytes::Bytes;

use super::outbox::Outbox;
use crate::handler::call::BoxFuture;

/// How a handler is started.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Start {
    /// Polled once at once; only what is pending then is left to be spawned.
    Inline,
    /// Left to be spawned without a poll: the caller must not run an author's code.
    Later,
}

/// The protocol side of one peer. Answers go to its outbox.
pub(crate) struct Connection {
    outbox: Arc<Outbox>,
}

impl Connection {
    /// Where the answers and notifications of this peer wait to be written.
    pub(crate) fn outbox(&self) -> &Arc<Outbox> {
        &self.outbox
    }

    /// Handles one message. What is not done when this returns is the future: the caller runs it to its end.
    pub(crate) fn receive(&self, _line: Bytes, _start: Start) -> Option<BoxFuture<'static, ()>> {
        None
    }

    /// Answers a message that was too long to read; `head` is its first bytes, in which the id may stand.
    pub(crate) fn refuse_long(&self, _head: &[u8], _limit: usize) {}

    /// Whether nothing that was received is still being worked on (subscriptions do not count).
    pub(crate) async fn idle(&self) {}

    /// Ends the peer's subscriptions gracefully: their last messages go to the outbox.
    pub(crate) fn finish(&self) {}

    /// The peer is gone: every handler is dropped.
    pub(crate) fn abandon(&self) {}
}
