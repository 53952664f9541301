//! Running handlers: the quick ones right where their request was read, the others in a task, on a thread that may block.

use std::future::Future;
use std::pin::Pin;
use std::task::{Context, Poll, Waker};
use std::time::Instant;

use tokio::task::block_in_place;

use crate::handler::pace::Pace;
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
        let is_quick = exchange.pace().is_none_or(Pace::is_quick);
        // A spawned task is polled once more anyway, so nothing has to be woken by this poll.
        if is_quick && poll_timed(&mut exchange, &mut Context::from_waker(Waker::noop())).is_ready() {
            return None;
        }
        Some(Self { exchange, can_block: can_block() })
    }

    pub(super) const fn exchange(&self) -> &Exchange {
        &self.exchange
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

fn poll_timed(exchange: &mut Exchange, context: &mut Context<'_>) -> Poll<()> {
    let begun = Instant::now();
    let poll = Pin::new(&mut *exchange).poll(context);
    if let Some(pace) = exchange.pace() {
        pace.note(begun.elapsed());
    }
    poll
}

impl Future for Work {
    type Output = ();

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<()> {
        let is_quick = self.exchange.pace().is_none_or(Pace::is_quick);
        if is_quick || !self.can_block {
            return poll_timed(&mut self.exchange, context);
        }
        block_in_place(|| poll_timed(&mut self.exchange, context))
    }
}
