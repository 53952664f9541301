//! One peer that sends messages one after another: standard input, a socket, a test.
//!
//! Both eras may interleave on it: each message is judged for itself, and `initialize` sets what later ones of its era mean.

use std::collections::HashMap;
use std::fmt;
use std::future::Future;
use std::pin::Pin;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, RwLock};
use std::task::{Context, Poll, Waker};

use bytes::Bytes;

use super::core::Core;
use super::exchange::{self, Exchange};
use super::flights::Flights;
use super::job::{Batch, Job, Together};
use super::legacy::{self, Announcer, Session};
use super::modern::{self, Listener, Step};
use super::outbox::Outbox;
use crate::handler::host::{Origin, Outlet};
use crate::protocol::id::Id;
use crate::protocol::message::{self, Malformed, Message, Request};
use crate::protocol::meta::RequestMeta;
use crate::protocol::{ErrorCode, ProtocolError, write};
use crate::registry::changes::Subscriber;

/// How a handler is started.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Start {
    /// Polled once at once; only what is pending then is left to be spawned.
    #[cfg_attr(not(any(test, feature = "testing")), expect(dead_code, reason = "standard input polls for itself"))]
    Inline,
    /// Left to be spawned without a poll: the caller must not run an author's code.
    Later,
}

/// The protocol side of one peer. Answers go to its outbox.
pub(crate) struct Connection {
    core: Arc<Core>,
    outbox: Arc<Outbox>,
    /// The same, as what requests answer to.
    outlet: Arc<dyn Outlet>,
    flights: Arc<Flights>,
    legacy: RwLock<Option<Legacy>>,
    listeners: Mutex<HashMap<Id, Arc<Listener>>>,
    /// Whether there ever was one: most peers open none, and each request asks.
    has_listened: AtomicBool,
}

impl fmt::Debug for Connection {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Connection")
    }
}

/// What `initialize` has set.
#[derive(Clone)]
struct Legacy {
    session: Arc<Session>,
    /// Held so that it goes on announcing.
    _announcer: Arc<dyn Subscriber>,
}

/// A peer opens so many subscriptions at most.
const MOST_LISTENERS: usize = 1024;

impl Connection {
    pub(crate) fn new(core: Arc<Core>) -> Self {
        let outbox: Arc<Outbox> = Arc::default();
        Self {
            core,
            outlet: Arc::clone(&outbox) as _,
            outbox,
            flights: Arc::default(),
            legacy: RwLock::default(),
            listeners: Mutex::default(),
            has_listened: AtomicBool::new(false),
        }
    }

    /// Where the answers and notifications of this peer wait to be written.
    pub(crate) const fn outbox(&self) -> &Arc<Outbox> {
        &self.outbox
    }

    fn session(&self) -> Option<Arc<Session>> {
        self.legacy.read().unwrap_or_else(PoisonError::into_inner).as_ref().map(|legacy| Arc::clone(&legacy.session))
    }

    fn listeners(&self) -> MutexGuard<'_, HashMap<Id, Arc<Listener>>> {
        self.listeners.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Handles one message. What is not done when this returns is the future: the caller runs it to its end.
    pub(crate) fn receive(&self, line: &[u8], start: Start) -> Option<Job> {
        self.receive_through(&self.outlet, line, start)
    }

    /// The same for a message of which more is known: `outlet` is the peer's, and says what.
    pub(crate) fn receive_through(&self, outlet: &Arc<dyn Outlet>, line: &[u8], start: Start) -> Option<Job> {
        let text = match message::text(line) {
            Ok(text) => text,
            Err(malformed) => return self.refuse(&malformed),
        };
        if message::is_batch(text) {
            return self.receive_batch(text, line, outlet, start);
        }
        match message::parse(text) {
            Ok(message) => self.handle(message, line, outlet, start),
            Err(malformed) => self.refuse(&malformed),
        }
    }

    fn refuse(&self, malformed: &Malformed) -> Option<Job> {
        respond(&*self.outbox, malformed.id.as_ref(), &malformed.error);
        None
    }

    fn handle(&self, message: Message<'_>, line: &[u8], outlet: &Arc<dyn Outlet>, start: Start) -> Option<Job> {
        match message {
            Message::Request(request) => {
                let job = Job::One(self.request(request, line, outlet)?);
                match start {
                    Start::Later => Some(job),
                    Start::Inline => poll_once(job),
                }
            }
            Message::Notification { method, params } => {
                // A cancellation means the same in both eras.
                if method == "notifications/cancelled" {
                    if let Some(id) = modern::cancelled_id(&params) {
                        self.flights.cancel(&id);
                        self.listeners().remove(&id);
                    }
                } else if let Some(session) = self.session() {
                    legacy::notified(&session, &self.flights, &method, &params);
                }
                None
            }
            Message::Response(response) => {
                if let Some(session) = self.session() {
                    legacy::answered(&session, &response);
                }
                None
            }
        }
    }

    fn request(&self, request: Request<'_>, line: &[u8], outlet: &Arc<dyn Outlet>) -> Option<Exchange> {
        let meta = match RequestMeta::read(&request.params) {
            Ok(meta) => meta,
            Err(error) => return refuse_request(&**outlet, &request.id, &error),
        };
        // A subscription is a request under way, of whichever era the other one is: two answers would have one id, and a
        // cancellation would mean both.
        // Relaxed: messages are received one after another.
        if self.has_listened.load(Ordering::Relaxed) && self.listeners().contains_key(&request.id) {
            return refuse_request(
                &**outlet,
                &request.id,
                &ProtocolError::invalid_request("Invalid request: the id is in use by a subscription"),
            );
        }
        if meta.claims_modern() {
            return self.modern(request, &meta, line, outlet);
        }
        if request.method == "initialize" {
            self.initialize(&request, outlet);
            return None;
        }
        let legacy = self.legacy.read().unwrap_or_else(PoisonError::into_inner);
        match &*legacy {
            Some(Legacy { session, .. }) => legacy::request(&self.core, session, request, &meta, outlet, &self.flights),
            // Clients may ping before they begin.
            None if request.method == "ping" => {
                let mut out = Vec::new();
                write::result(&mut out, &request.id, |out| out.extend_from_slice(b"{}"));
                outlet.respond(out, Origin::Handler);
                None
            }
            None => {
                let error = modern::check_meta(&self.core, &meta).err();
                refuse_request(
                    &**outlet,
                    &request.id,
                    &error.unwrap_or_else(|| ProtocolError::invalid_request("begin with `initialize`")),
                )
            }
        }
    }

    fn initialize(&self, request: &Request<'_>, outlet: &Arc<dyn Outlet>) {
        match legacy::initialize(&self.core, &request.params) {
            Ok((session, result)) => {
                let session = Arc::new(session);
                let announcer: Arc<dyn Subscriber> =
                    Arc::new(Announcer { session: Arc::clone(&session), outlet: Arc::clone(&self.outbox) as _ });
                self.core.changes.subscribe(&announcer);
                *self.legacy.write().unwrap_or_else(PoisonError::into_inner) =
                    Some(Legacy { session, _announcer: announcer });
                let mut out = Vec::new();
                write::result(&mut out, &request.id, |out| out.extend_from_slice(&result));
                outlet.respond(out, Origin::Handler);
            }
            Err(error) => respond(&**outlet, Some(&request.id), &error),
        }
    }

    fn modern(
        &self,
        request: Request<'_>,
        meta: &RequestMeta<'_>,
        line: &[u8],
        outlet: &Arc<dyn Outlet>,
    ) -> Option<Exchange> {
        let checked = request.params.check().and_then(|()| modern::check_meta(&self.core, meta));
        if let Err(error) = checked {
            return refuse_request(&**outlet, &request.id, &error);
        }
        let listens = request.method == "subscriptions/listen";
        if listens && self.flights.holds(&request.id) {
            return refuse_request(&**outlet, &request.id, &exchange::id_in_use());
        }
        if listens && self.listeners().len() >= MOST_LISTENERS {
            return refuse_request(
                &**outlet,
                &request.id,
                &ProtocolError::internal(format!("more than {MOST_LISTENERS} open subscriptions: cancel some")),
            );
        }
        let message = || Bytes::copy_from_slice(line);
        match modern::request(&self.core, request, meta, &message, outlet, &self.flights) {
            Step::Done => None,
            Step::Work(exchange) => Some(exchange),
            Step::Listen(listener) => {
                self.has_listened.store(true, Ordering::Relaxed);
                self.listeners().insert(listener.id().clone(), listener);
                None
            }
        }
    }

    /// An array of messages: 2025-03-26 has them, the other revisions do not.
    fn receive_batch(&self, text: &str, line: &[u8], outlet: &Arc<dyn Outlet>, start: Start) -> Option<Job> {
        let invalid = |text: &str| Malformed { id: None, error: ProtocolError::invalid_request(text) };
        let has_batches = self.session().is_some_and(|session| session.features.batches);
        let messages = match message::batch(text) {
            Ok(_) if !has_batches => {
                return self.refuse(&invalid("Invalid request: batches exist in revision 2025-03-26 only"));
            }
            Ok(messages) if messages.is_empty() => return self.refuse(&invalid("Invalid request: the batch is empty")),
            Ok(messages) => messages,
            Err(malformed) => return self.refuse(&malformed),
        };
        let batch = Batch::new(Arc::clone(outlet));
        let mut pending = Vec::new();
        for raw in messages {
            let outlet = Arc::clone(&batch) as Arc<dyn Outlet>;
            match message::parse(raw.get()) {
                Ok(Message::Request(request)) if request.method == "initialize" => {
                    let error = ProtocolError::invalid_request("Invalid request: `initialize` must not be in a batch");
                    respond(&*outlet, Some(&request.id), &error);
                }
                Ok(message) => pending.extend(self.handle(message, line, &outlet, start)),
                Err(malformed) => respond(&*outlet, malformed.id.as_ref(), &malformed.error),
            }
        }
        let together = Together::new(pending, batch, &self.flights);
        if together.is_done() { None } else { Some(Job::Several(together)) }
    }

    /// Answers a message that was too long to read.
    pub(crate) fn refuse_long(&self, id: Option<&Id>, limit: usize) {
        let error = ProtocolError::new(
            ErrorCode::INVALID_REQUEST,
            format!("Invalid request: the message is longer than {limit} bytes"),
        );
        respond(&*self.outbox, id, &error);
    }

    /// How many questions of ours the peer has not answered.
    pub(crate) fn asking(&self) -> usize {
        self.session().map_or(0, |session| legacy::asking(&session))
    }

    /// Nothing more is received: waits until nothing that was is being worked on (subscriptions do not count).
    pub(crate) async fn idle(&self) {
        // Nobody answers a question any more, so nobody has to wait for the end of the grace period.
        if let Some(session) = self.session() {
            legacy::left(&session);
        }
        self.flights.landed().await;
    }

    /// Ends the peer's subscriptions gracefully: their last messages go to the outbox.
    pub(crate) fn finish(&self) {
        self.core.changes.announce();
        for (_, listener) in self.listeners().drain() {
            listener.finish();
        }
    }

    /// The peer is gone: every handler is dropped.
    pub(crate) fn abandon(&self) {
        self.flights.cancel_all();
        self.listeners().clear();
        self.outbox.close();
    }
}

fn respond(outlet: &dyn Outlet, id: Option<&Id>, error: &ProtocolError) {
    let mut out = Vec::new();
    write::error(&mut out, id, error);
    outlet.respond(out, Origin::Envelope);
}

fn refuse_request(outlet: &dyn Outlet, id: &Id, error: &ProtocolError) -> Option<Exchange> {
    respond(outlet, Some(id), error);
    None
}

/// Polls a future once; what is left of it has to be spawned, which polls it again at once.
fn poll_once(mut job: Job) -> Option<Job> {
    match Pin::new(&mut job).poll(&mut Context::from_waker(Waker::noop())) {
        Poll::Ready(()) => None,
        Poll::Pending => Some(job),
    }
}
