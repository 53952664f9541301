//! One request under way: polled until there is an answer, which is sent exactly once, or until it is cancelled.

use std::future::Future;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::task::{Context, Poll};

use super::core::Core;
use super::flights::Flights;
use super::operation::{self, Work};
use super::reply::Reply;
use crate::handler::call::BoxFuture;
use crate::handler::ctx::{CallState, within};
use crate::handler::host::{Origin, Outlet};
use crate::handler::pace::Pace;
use crate::protocol::features::Features;
use crate::protocol::id::Id;
use crate::protocol::{ErrorCode, ProtocolError, write};

/// An era's way of writing.
pub(crate) struct Era {
    /// Writes a whole result object.
    pub(crate) write_result: fn(&mut Vec<u8>, &Core, &Reply, &'static Features),
    /// The error for a resource that does not exist.
    pub(crate) resource_not_found: fn(&str) -> ProtocolError,
}

/// Where and how one request is answered.
#[derive(Clone, Copy)]
pub(crate) struct Address<'a> {
    pub(crate) core: &'a Core,
    pub(crate) era: &'static Era,
    pub(crate) features: &'static Features,
    pub(crate) id: &'a Id,
    pub(crate) outlet: &'a dyn Outlet,
}

impl Address<'_> {
    /// Sends the answer.
    pub(crate) fn answer(&self, outcome: Result<Reply, ProtocolError>) {
        match outcome {
            // Of the envelope: an HTTP status says it, too.
            Ok(Reply::Incapable(error)) => self.refuse(&error, Origin::Envelope),
            Ok(reply) => {
                self.outlet.respond_with(Origin::Handler, &|out| {
                    write::result(out, self.id, |out| (self.era.write_result)(out, self.core, &reply, self.features));
                });
            }
            Err(error) => {
                // Found out late, by what the handler wanted to ask, it is still the request that lacks something.
                let lacks = error.code() == ErrorCode::MISSING_CLIENT_CAPABILITY;
                self.refuse(&error, if lacks { Origin::Envelope } else { Origin::Handler });
            }
        }
    }

    /// Sends an error.
    pub(crate) fn refuse(&self, error: &ProtocolError, origin: Origin) {
        let mut out = Vec::with_capacity(128);
        let code = if self.features.modern { error.code().for_modern() } else { error.code() };
        if code == error.code() {
            write::error(&mut out, Some(self.id), error);
        } else {
            write::error(&mut out, Some(self.id), &ProtocolError { code, ..error.clone() });
        }
        self.outlet.respond(out, origin);
    }

    /// Sets out on the work that answers the request. `None` when the request's id is in use, which has been said.
    pub(crate) fn begin(&self, work: Work, flights: &Arc<Flights>) -> Option<Exchange> {
        if !flights.depart(self.id, &work.call) {
            self.refuse(&id_in_use(), Origin::Envelope);
            return None;
        }
        let Work { call, future, pace } = work;
        Some(Exchange {
            era: self.era,
            id: self.id.clone(),
            call,
            work: Some(future),
            pace,
            flights: Arc::clone(flights),
            is_landed: false,
        })
    }
}

/// What the client hears of an id that two of its requests would have at once.
pub(super) fn id_in_use() -> ProtocolError {
    ProtocolError::invalid_request("Invalid request: the id is in use by a request that is still running")
}

/// What the client hears of a panic.
pub(super) fn panicked() -> ProtocolError {
    ProtocolError::internal("Internal error: the handler panicked")
}

/// A request whose handler is at work. Polled to its end it answers; dropped it is cancelled.
pub(crate) struct Exchange {
    era: &'static Era,
    id: Id,
    call: Arc<CallState>,
    work: Option<BoxFuture<'static, Result<Reply, ProtocolError>>>,
    pace: Arc<Pace>,
    /// Where the request is entered until it is answered or this is dropped.
    flights: Arc<Flights>,
    is_landed: bool,
}

impl Exchange {
    /// Sends the answer, unless nobody wants it any more.
    fn answer(&mut self, outcome: Result<Reply, ProtocolError>) {
        self.is_landed = true;
        let Self { era, id, call, .. } = self;
        let landing = self.flights.land(id, call);
        if landing.is_none() || call.cancel.is_cancelled() {
            return;
        }
        Address { core: Core::of(call), era, features: call.features, id, outlet: &*call.outlet }.answer(outcome);
    }

    /// Whether a poll is expected to be short, by how the calls of the same function have gone so far.
    #[cfg(any(feature = "stdio", feature = "http"))]
    pub(crate) fn is_quick(&self) -> bool {
        self.pace.is_quick()
    }

    /// Polls, and takes in how long that took.
    #[cfg(any(feature = "stdio", feature = "http"))]
    pub(crate) fn poll_noted(&mut self, context: &mut Context<'_>) -> Poll<()> {
        let pace = Arc::clone(&self.pace);
        pace.note(|| Pin::new(self).poll(context))
    }

    /// The call, to cancel it from outside.
    #[cfg(feature = "http")]
    pub(crate) const fn call(&self) -> &Arc<CallState> {
        &self.call
    }

    /// For tests that compare two runs.
    #[cfg(feature = "testing")]
    fn note_trail(&self) {
        Core::of(&self.call).trails.note(&self.id, &self.call);
    }

    /// Drops the handler; its guards may panic, too.
    fn drop_work(&mut self) {
        let work = self.work.take();
        if caught(|| drop(work)).is_none() {
            crate::diagnostics::warn(format_args!("a handler panicked while it was dropped"));
        }
    }
}

/// Runs what may panic; `None` when it did. What it panicked with may panic again when it is dropped.
pub(super) fn caught<R>(work: impl FnOnce() -> R) -> Option<R> {
    catch_unwind(AssertUnwindSafe(work))
        .map_err(|payload| catch_unwind(AssertUnwindSafe(|| drop(payload))).map_err(std::mem::forget))
        .ok()
}

impl Future for Exchange {
    type Output = ();

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<()> {
        let this = &mut *self;
        if this.call.cancel.is_cancelled() {
            this.drop_work();
            return Poll::Ready(());
        }
        let Some(work) = &mut this.work else { return Poll::Ready(()) };
        let outcome = match caught(|| within(&this.call, || work.as_mut().poll(context))) {
            Some(Poll::Ready(outcome)) => outcome,
            Some(Poll::Pending) => {
                // Questions of a handler are looked at where it is called; these are of what surrounds it.
                if let Some(failure) = this.call.asking.after_poll(context.waker()) {
                    this.drop_work();
                    this.call.muted.store(true, Ordering::Relaxed);
                    #[cfg(feature = "testing")]
                    this.note_trail();
                    this.answer(operation::refused(Core::of(&this.call), &this.call, failure));
                    return Poll::Ready(());
                }
                if this.call.cancel.wake_on_cancel(context.waker()) {
                    this.drop_work();
                    return Poll::Ready(());
                }
                return Poll::Pending;
            }
            // The panic hook has said where; the client learns no more than that it happened.
            None => Err(panicked()),
        };
        this.drop_work();
        // Whoever still holds the context has nothing more to say: nothing may follow the answer.
        this.call.fall_silent();
        #[cfg(feature = "testing")]
        this.note_trail();
        this.answer(outcome);
        Poll::Ready(())
    }
}

impl Drop for Exchange {
    fn drop(&mut self) {
        if self.work.is_some() {
            self.call.cancel.cancel();
            self.drop_work();
        }
        if !self.is_landed {
            drop(self.flights.land(&self.id, &self.call));
        }
    }
}
