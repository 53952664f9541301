//! A handler's way back to its client, and the head of the HTTP request that brought the message.
//!
//! Apart from the way back, because it ends with the handler: the headers lie in the buffer that the connection read them
//! into, 8 KiB or more, and a stream may be kept for long after its last message.

use std::any::Any;
use std::sync::Arc;
use std::task::{Context, Poll};

use http::request::Parts;

use crate::handler::host::{Origin, Outlet, Sent};
use crate::handler::http::principal;

/// A stream, or what a whole session is told through, and the request.
pub(super) struct Caller<O> {
    back: Arc<O>,
    parts: Parts,
}

impl<O: Outlet + 'static> Caller<O> {
    /// The way back as handlers know it.
    pub(super) fn outlet(back: &Arc<O>, parts: Parts) -> Arc<dyn Outlet> {
        Arc::new(Self { back: Arc::clone(back), parts })
    }
}

impl<O: Outlet> Outlet for Caller<O> {
    fn notify(&self, message: Vec<u8>) -> Sent {
        self.back.notify(message)
    }

    fn request(&self, message: Vec<u8>) -> Sent {
        self.back.request(message)
    }

    fn returns_here(&self) -> bool {
        self.back.returns_here()
    }

    fn principal(&self) -> Option<&str> {
        principal(&self.parts.extensions)
    }

    fn respond(&self, message: Vec<u8>, origin: Origin) {
        self.back.respond(message, origin);
    }

    fn respond_with(&self, origin: Origin, write: &dyn Fn(&mut Vec<u8>)) {
        self.back.respond_with(origin, write);
    }

    fn is_congested(&self) -> bool {
        self.back.is_congested()
    }

    fn poll_relieved(&self, context: &Context<'_>) -> Poll<()> {
        self.back.poll_relieved(context)
    }

    fn taken(&self) -> u64 {
        self.back.taken()
    }

    fn release(&self) {
        self.back.release();
    }

    fn transport(&self) -> Option<&(dyn Any + Send + Sync)> {
        Some(&self.parts)
    }
}
