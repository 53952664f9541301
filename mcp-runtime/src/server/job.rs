//! What messages leave to be done: one request, or several that are answered together.

use std::future::Future;
use std::pin::Pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll};

use super::exchange::Exchange;
use super::flights::{Flights, Landing};
use crate::handler::host::{Origin, Outlet, Sent};

/// What is left to do for a message. Not boxed: most of it is done before it is moved anywhere.
pub(crate) enum Job {
    One(Exchange),
    Several(Together<Self>),
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

/// Collects the answers to a batch.
pub(crate) struct Batch {
    outlet: Arc<dyn Outlet>,
    answers: Mutex<Vec<Vec<u8>>>,
}

impl Batch {
    pub(crate) fn new(outlet: Arc<dyn Outlet>) -> Arc<Self> {
        Arc::new(Self { outlet, answers: Mutex::default() })
    }

    fn lock(&self) -> MutexGuard<'_, Vec<Vec<u8>>> {
        self.answers.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Sends what there is as one array, unless there is nothing.
    fn send(&self) {
        let answers = std::mem::take(&mut *self.lock());
        if !answers.is_empty() {
            let mut array = b"[".to_vec();
            array.extend_from_slice(&answers.join(&b','));
            array.push(b']');
            self.outlet.respond(array, Origin::Handler);
        }
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

    #[cfg(feature = "http")]
    fn transport(&self) -> Option<&(dyn std::any::Any + Send + Sync)> {
        self.outlet.transport()
    }

    fn respond(&self, message: Vec<u8>, _: Origin) {
        self.lock().push(message);
    }
}

/// The requests of a batch that are not done.
///
/// The array is sent when they are, or are dropped: not when the last reference to the batch is, because an author may keep
/// a context for as long as he likes.
pub(crate) struct Together<F> {
    parts: Vec<F>,
    answers: Answers,
}

/// Sends the array when it is dropped. Until then the batch is under way, whatever has become of its requests.
struct Answers {
    batch: Arc<Batch>,
    _under_way: Landing<Arc<Flights>>,
}

impl Drop for Answers {
    fn drop(&mut self) {
        self.batch.send();
    }
}

impl<F> Together<F> {
    pub(crate) fn new(parts: Vec<F>, batch: Arc<Batch>, flights: &Arc<Flights>) -> Self {
        Self { parts, answers: Answers { batch, _under_way: Flights::hold(flights) } }
    }

    /// Whether only the array is left to be sent.
    pub(crate) fn is_done(&self) -> bool {
        self.parts.is_empty()
    }
}

impl<F: Future<Output = ()> + Unpin> Future for Together<F> {
    type Output = ();

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<()> {
        self.parts.retain_mut(|part| Pin::new(part).poll(context).is_pending());
        if self.parts.is_empty() {
            self.answers.batch.send();
            Poll::Ready(())
        } else {
            Poll::Pending
        }
    }
}
