//! The task that serves one connection: reads, hands on, writes, and sees it to its end.

use std::future::{Future, poll_fn};
use std::pin::pin;
use std::sync::Arc;
use std::task::{Poll, ready};
use std::time::Duration;

use tokio::time::{Instant, interval, sleep_until, timeout_at};

use super::slot::LAST_WORDS;
use super::wire::{Next, Wire};

/// How often to look whether a client that sends nothing more still reads.
const LOOK: Duration = Duration::from_millis(250);

/// Serves until the client is done, or gone, or the server is to stop.
pub(super) async fn drive(wire: Arc<Wire>) {
    let leaving = Leaving(&wire);
    let mut end = poll_fn(|context| wire.poll_next(context)).await;
    let mut deadline = Instant::now() + wire.grace;
    if matches!(end, Next::Ending | Next::Ended) {
        end = finish(&wire, deadline).await;
    }
    if end == Next::Gone {
        return;
    }
    if end == Next::Stopped {
        deadline = Instant::now() + LAST_WORDS;
    }
    wire.connection.finish();
    let written = poll_fn(|context| {
        if ready!(wire.poll_flush(context)).is_err() {
            return Poll::Ready(());
        }
        wire.output.poll_drained(context)
    });
    // Too late is as good as gone: the client had its time.
    _ = timeout_at(deadline, written).await;
    drop(leaving);
}

/// Whatever ends the driver, nothing goes on without it.
struct Leaving<'a>(&'a Wire);

impl Drop for Leaving<'_> {
    fn drop(&mut self) {
        self.0.abandon();
    }
}

/// After the end of input: lets what was read be answered.
async fn finish(wire: &Wire, deadline: Instant) -> Next {
    let mut over = pin!(sleep_until(deadline));
    let mut look = interval(LOOK);
    let mut idle = pin!(wire.connection.idle());
    poll_fn(|context| {
        match wire.poll_next(context) {
            Poll::Ready(Next::Ended) => {
                if idle.as_mut().poll(context).is_ready() {
                    return Poll::Ready(Next::Ended);
                }
            }
            Poll::Ready(Next::Ending) | Poll::Pending => {}
            next @ Poll::Ready(_) => return next,
        }
        while look.poll_tick(context).is_ready() {
            if wire.output.is_closed() {
                return Poll::Ready(Next::Gone);
            }
        }
        over.as_mut().poll(context).map(|()| Next::Stopped)
    })
    .await
}
