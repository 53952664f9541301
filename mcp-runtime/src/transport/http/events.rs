//! A reader of a stream: the body of a response, with everything that must end with it.

use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Duration;

use bytes::Bytes;
use tokio::task::JoinHandle;
use tokio::time::{Instant, Sleep, sleep};

use super::attic::Return;
use super::limits::Permit;
use super::stream::Stream;
use crate::handler::ctx::CallState;
use crate::server::modern::Listener;

/// A reader of a stream.
pub(super) struct Events {
    stream: Arc<Stream>,
    reader: u32,
    keep_alive: Duration,
    timer: Option<Pin<Box<Sleep>>>,
    /// Resolves when the server is to stop.
    stopped: Option<Pin<Box<dyn Future<Output = ()> + Send>>>,
    held: Held,
    permit: Option<Permit>,
}

/// What ends with the reader.
pub(super) enum Held {
    /// A handler, which is cancelled.
    Work(#[expect(dead_code, reason = "held until the reader is gone")] Option<Aborting>),
    /// A subscription.
    Listener(Arc<Listener>),
    /// Its place in a session, to which another reader may come back.
    Return(Return),
}

/// A handler's task, which is stopped when nobody waits for it any more.
pub(super) struct Aborting {
    pub(super) task: JoinHandle<()>,
    pub(super) call: Arc<CallState>,
}

impl Drop for Aborting {
    fn drop(&mut self) {
        // A handler that blocks right now is not dropped before it returns, but it can ask.
        self.call.cancel.cancel();
        self.task.abort();
    }
}

impl Events {
    pub(super) const fn new(stream: Arc<Stream>, reader: u32, keep_alive: Duration, held: Held) -> Self {
        Self { stream, reader, keep_alive, timer: None, stopped: None, held, permit: None }
    }

    /// Ends it when the server stops, and counts it as long as it is open.
    pub(super) fn standing(mut self, stopped: impl Future<Output = ()> + Send + 'static, permit: Permit) -> Self {
        self.stopped = Some(Box::pin(stopped));
        self.permit = Some(permit);
        self
    }

    pub(super) fn is_over(&self) -> bool {
        self.stream.is_over(self.reader)
    }

    /// What is to be sent next, `None` at the end.
    pub(super) fn poll_bytes(&mut self, context: &mut Context<'_>) -> Poll<Option<Bytes>> {
        if self.stopped.as_mut().is_some_and(|stopped| stopped.as_mut().poll(context).is_ready()) {
            self.stopped = None;
            if let Held::Listener(listener) = &self.held {
                listener.finish();
            }
            self.stream.end();
        }
        match self.stream.poll_take(context, self.reader) {
            Poll::Ready(bytes) => {
                self.timer = None;
                Poll::Ready(bytes)
            }
            Poll::Pending => self.poll_keep_alive(context),
        }
    }

    /// A comment, when nothing else was sent for long.
    fn poll_keep_alive(&mut self, context: &mut Context<'_>) -> Poll<Option<Bytes>> {
        let timer = self.timer.get_or_insert_with(|| Box::pin(sleep(self.keep_alive)));
        if timer.as_mut().poll(context).is_pending() {
            return Poll::Pending;
        }
        timer.as_mut().reset(Instant::now() + self.keep_alive);
        context.waker().wake_by_ref();
        Poll::Ready(Some(Bytes::from_static(b":\n\n")))
    }
}

impl Drop for Events {
    fn drop(&mut self) {
        if self.stream.detach(self.reader) {
            if let Held::Return(place) = &self.held {
                place.leave();
            }
        }
    }
}
