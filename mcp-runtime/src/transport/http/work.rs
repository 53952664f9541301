//! Running handlers: the quick ones right where their request was read, the others in a task, on a thread that may block.

use std::future::Future;
use std::pin::Pin;
use std::task::{Context, Poll, Waker};

use tokio::task::block_in_place;

use crate::server::exchange::Exchange;
use crate::transport::can_block;

/// What is left of a request that its handler has not answered yet.
pub(super) struct Work {
    exchange: Exchange,
    /// Whether the runtime lets a thread leave its other work to others.
    can_block: bool,
}

impl Work {
    /// Begins: a quick handler is polled at once. `None` when that was all.
    pub(super) fn begin(mut exchange: Exchange) -> Option<Self> {
        // A spawned task is polled once more anyway, so nothing has to be woken by this poll.
        if exchange.is_quick() && exchange.poll_noted(&mut Context::from_waker(Waker::noop())).is_ready() {
            return None;
        }
        Some(Self { exchange, can_block: can_block() })
    }

    pub(super) const fn exchange(&self) -> &Exchange {
        &self.exchange
    }
}

impl Future for Work {
    type Output = ();

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<()> {
        if self.exchange.is_quick() || !self.can_block {
            return self.exchange.poll_noted(context);
        }
        block_in_place(|| self.exchange.poll_noted(context))
    }
}

/// Several requests at once, or one of which nothing is known: always where a thread may block.
pub(super) struct Unknown<F>(F, bool);

impl<F: Future<Output = ()> + Unpin> Unknown<F> {
    pub(super) fn new(work: F) -> Self {
        Self(work, can_block())
    }
}

impl<F: Future<Output = ()> + Unpin> Future for Unknown<F> {
    type Output = ();

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<()> {
        let can_block = self.1;
        let work = Pin::new(&mut self.0);
        if can_block { block_in_place(|| work.poll(context)) } else { work.poll(context) }
    }
}
