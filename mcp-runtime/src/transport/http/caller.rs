//! A handler's way back to its client: a stream, and the head of the request that it answers.
//!
//! Apart from the stream, because it ends with the handler: the headers lie in the buffer that the connection read them
//! into, 8 KiB or more, and a stream may be kept for long after its last message.

use std::any::Any;
use std::sync::Arc;
use std::task::{Context, Poll};

use http::request::Parts;

use super::stream::Stream;
use crate::handler::host::{Origin, Outlet, Sent};
use crate::handler::http::principal;

/// A stream, and the request that it answers.
pub(super) struct Caller {
    pub(super) stream: Arc<Stream>,
    pub(super) parts: Arc<Parts>,
}

impl Outlet for Caller {
    fn notify(&self, message: Vec<u8>) -> Sent {
        self.stream.notify(message)
    }

    fn request(&self, message: Vec<u8>) -> Sent {
        self.stream.request(message)
    }

    fn returns_here(&self) -> bool {
        self.stream.returns_here()
    }

    fn principal(&self) -> Option<&str> {
        principal(&self.parts.extensions)
    }

    fn respond(&self, message: Vec<u8>, origin: Origin) {
        self.stream.respond(message, origin);
    }

    fn is_congested(&self) -> bool {
        self.stream.is_congested()
    }

    fn poll_relieved(&self, context: &Context<'_>) -> Poll<()> {
        self.stream.poll_relieved(context)
    }

    fn taken(&self) -> u64 {
        self.stream.taken()
    }

    fn release(&self) {
        self.stream.release();
    }

    fn transport(&self) -> Option<&(dyn Any + Send + Sync)> {
        Some(&*self.parts)
    }
}
