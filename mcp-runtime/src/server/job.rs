//! What messages leave to be done: one request, or several that are answered together.

use std::future::Future;
use std::pin::Pin;
use std::sync::{Arc, Mutex, PoisonError};
use std::task::{Context, Poll};

use super::exchange::Exchange;
use crate::handler::host::{Origin, Outlet, Sent};

/// What is left to do for a message. Not boxed: most of it is done before it is moved anywhere.
pub(crate) enum Job {
    One(Exchange),
    Several(All<Self>),
    #[cfg(test)]
    Other(crate::handler::call::BoxFuture<'static, ()>),
}

impl Job {
    /// Whether a poll is expected to be short, by how earlier ones have gone.
    #[cfg(feature = "stdio")]
    pub(crate) fn is_quick(&self) -> bool {
        matches!(self, Self::One(exchange) if exchange.is_quick())
    }

    /// Polls, and takes in how long that took.
    #[cfg(feature = "stdio")]
    pub(crate) fn poll_noted(&mut self, context: &mut Context<'_>) -> Poll<()> {
        if let Self::One(exchange) = self {
            return exchange.poll_noted(context);
        }
        Pin::new(self).poll(context)
    }
}

impl Future for Job {
    type Output = ();

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<()> {
        match &mut *self {
            Self::One(exchange) => Pin::new(exchange).poll(context),
            Self::Several(all) => Pin::new(all).poll(context),
            #[cfg(test)]
            Self::Other(future) => future.as_mut().poll(context),
        }
    }
}

/// Collects the answers to a batch; the last to let go of it sends them as one array.
pub(crate) struct Batch {
    outlet: Arc<dyn Outlet>,
    answers: Mutex<Vec<Vec<u8>>>,
}

impl Batch {
    pub(crate) fn new(outlet: Arc<dyn Outlet>) -> Self {
        Self { outlet, answers: Mutex::default() }
    }
}

impl Outlet for Batch {
    fn is_congested(&self) -> bool {
        self.outlet.is_congested()
    }

    fn poll_relieved(&self, context: &Context<'_>) -> Poll<()> {
        self.outlet.poll_relieved(context)
    }

    fn taken(&self) -> u64 {
        self.outlet.taken()
    }

    fn notify(&self, message: Vec<u8>) -> Sent {
        self.outlet.notify(message)
    }

    fn request(&self, message: Vec<u8>) -> Sent {
        self.outlet.request(message)
    }

    fn returns_here(&self) -> bool {
        self.outlet.returns_here()
    }

    fn principal(&self) -> Option<&str> {
        self.outlet.principal()
    }

    fn transport(&self) -> Option<&(dyn std::any::Any + Send + Sync)> {
        self.outlet.transport()
    }

    fn respond(&self, message: Vec<u8>, _: Origin) {
        self.answers.lock().unwrap_or_else(PoisonError::into_inner).push(message);
    }
}

impl Drop for Batch {
    fn drop(&mut self) {
        let answers = std::mem::take(self.answers.get_mut().unwrap_or_else(PoisonError::into_inner));
        if !answers.is_empty() {
            let mut array = b"[".to_vec();
            array.extend_from_slice(&answers.join(&b','));
            array.push(b']');
            self.outlet.respond(array, Origin::Handler);
        }
    }
}

/// Several futures, each run to its end.
pub(crate) struct All<F>(Vec<F>);

impl<F> All<F> {
    pub(crate) const fn new(futures: Vec<F>) -> Self {
        Self(futures)
    }
}

impl<F: Future<Output = ()> + Unpin> Future for All<F> {
    type Output = ();

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<()> {
        self.0.retain_mut(|future| Pin::new(future).poll(context).is_pending());
        if self.0.is_empty() { Poll::Ready(()) } else { Poll::Pending }
    }
}
