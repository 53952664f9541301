//! The two traits through which a handler reaches the server.

use std::any::{Any, TypeId};
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Duration;

use super::ask::ReplayStore;

/// What the server keeps for its handlers.
pub(crate) trait Host: Send + Sync {
    /// The `State<T>` whose `T` has this id.
    fn state(&self, id: TypeId) -> Option<&(dyn Any + Send + Sync)>;

    /// Where calls note that they have passed a point once, and for how long that has to be known.
    fn replays(&self) -> (&dyn ReplayStore, Duration);

    /// The server itself, for the floor that knows its type.
    fn as_any(self: Arc<Self>) -> Arc<dyn Any + Send + Sync>;

    /// The same, without taking hold of it.
    fn any(&self) -> &(dyn Any + Send + Sync);
}

/// What became of a message that nobody waits for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Sent {
    /// It is on its way.
    Queued,
    /// It is on its way, but the client reads slowly: let it catch up before the next.
    Congested,
    /// The client is gone, or so far behind that the message was dropped.
    Dropped,
}

/// The way back to the client for one request. Bounded: a client that does not read costs a fixed amount of memory.
pub(crate) trait Outlet: Send + Sync {
    /// Sends a notification, written as a whole JSON-RPC message.
    fn notify(&self, message: Vec<u8>) -> Sent;

    /// Sends a request of ours, which the client answers later. `Dropped` when there is no way to it.
    fn request(&self, message: Vec<u8>) -> Sent {
        self.notify(message)
    }

    /// Whether the client's next request comes to this process, or to any of several.
    fn returns_here(&self) -> bool {
        true
    }

    /// Who the client has proved to be; what one principal was asked, no other may answer.
    fn principal(&self) -> Option<&str> {
        None
    }

    /// Sends the last message of this request.
    fn respond(&self, message: Vec<u8>, origin: Origin);

    /// Sends the last message of this request, appended by `write` to wherever it can wait without being copied again.
    fn respond_with(&self, origin: Origin, write: &dyn Fn(&mut Vec<u8>)) {
        let mut message = Vec::with_capacity(256);
        write(&mut message);
        self.respond(message, origin);
    }

    /// Whether so much waits for the client already that what can wait should.
    fn is_congested(&self) -> bool {
        false
    }

    /// Has the task woken when less waits for the client; ready when that is not too much.
    fn poll_relieved(&self, _: &Context<'_>) -> Poll<()> {
        Poll::Ready(())
    }

    /// How often the client has taken something, to tell one that reads slowly from one that does not read.
    fn taken(&self) -> u64 {
        0
    }

    /// Lets go of the client's connection, if it can come back for what follows.
    fn release(&self) {}

    /// What the transport knows of the request beside the message, for whoever knows its type.
    #[cfg(feature = "http")]
    fn transport(&self) -> Option<&(dyn Any + Send + Sync)> {
        None
    }
}

/// Where a response comes from; a transport with status codes chooses by it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Origin {
    /// A result, or an error that a handler produced.
    Handler,
    /// The envelope or its parameters do not fit.
    Envelope,
    /// There is no such method.
    Routing,
}
