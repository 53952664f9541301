//! Running handlers: the quick ones right where their request was read, the others in a task, on a thread that may block.

use std::future::{Future, poll_fn};
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, Waker};

use super::lifeguard::{Lifeguard, Watch};
use crate::server::exchange::Exchange;
use crate::transport::threads::Threads;

/// What is left of a request that its handler has not answered yet.
pub(super) struct Work {
    exchange: Exchange,
    threads: Threads,
    watch: Option<Arc<Watch>>,
}

impl Work {
    /// Begins: a quick handler is polled at once. `None` when that was all.
    pub(super) fn begin(mut exchange: Exchange, lifeguard: &Lifeguard) -> Option<Self> {
        let threads = Threads::here();
        let watch = threads.can_block().then(|| lifeguard.watch());
        if let Some(_spared) = threads.spare(exchange.is_quick()) {
            let _seen = watch.map(|watch| watch.enter());
            // A spawned task is polled once more anyway, so nothing has to be woken by this poll.
            if exchange.poll_noted(&mut Context::from_waker(Waker::noop())).is_ready() {
                return None;
            }
        }
        Some(Self { exchange, threads, watch: watch.map(Arc::clone) })
    }

    pub(super) const fn exchange(&self) -> &Exchange {
        &self.exchange
    }
}

impl Future for Work {
    type Output = ();

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<()> {
        let Self { exchange, threads, watch } = &mut *self;
        threads.poll(exchange.is_quick(), context, |context, is_apart| {
            let _seen = watch.as_ref().filter(|_| !is_apart).map(|watch| watch.enter());
            exchange.poll_noted(context)
        })
    }
}

/// Lets what this task has woken go first.
///
/// A thread keeps that for itself, and no other takes it over: a handler that blocks afterwards would hold it up.
pub(super) async fn step_back() {
    let mut has_stepped = false;
    poll_fn(|context| {
        if has_stepped {
            return Poll::Ready(());
        }
        has_stepped = true;
        context.waker().wake_by_ref();
        Poll::Pending
    })
    .await;
}

/// Several requests at once, or one of which nothing is known: always where a thread may block.
pub(super) struct Unknown<F>(F, Threads);

impl<F: Future<Output = ()> + Unpin> Unknown<F> {
    pub(super) fn new(work: F) -> Self {
        Self(work, Threads::here())
    }
}

impl<F: Future<Output = ()> + Unpin> Future for Unknown<F> {
    type Output = ();

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<()> {
        self.1.poll(false, context, |context, _| Pin::new(&mut self.0).poll(context))
    }
}
