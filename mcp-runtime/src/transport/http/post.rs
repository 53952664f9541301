//! A message that a client posts: handed to its era, answered as JSON if nothing precedes the answer, else as events.

use std::future::{Future as _, poll_fn};
use std::pin::pin;
use std::sync::Arc;
use std::task::Poll;

use bytes::Bytes;
use http::request::Parts;
use http::{HeaderValue, Response, StatusCode};
use tokio::runtime::Handle;
use tokio::time::sleep;

use super::accept::Accepts;
use super::answer::{self, Statuses};
use super::attic::Return;
use super::body::HttpBody;
use super::caller::Caller;
use super::events::{Aborting, Events, Held};
use super::limits::{Admitted, Permit};
use super::live::Live;
use super::service::Site;
use super::session_id;
use super::stream::{Head, Stream, Style};
use super::stream_name::Kind;
use super::work::{Unknown, Work};
use crate::handler::call::BoxFuture;
use crate::handler::host::{Origin, Outlet};
use crate::handler::http::principal;
use crate::protocol::message::{self, Request};
use crate::protocol::meta::RequestMeta;
use crate::protocol::write;
use crate::server::endpoint::known::{Known, SESSION_ID};
use crate::server::endpoint::{self, Class, Legacy, Legitimation, Refusal};
use crate::server::flights::Flights;
use crate::server::legacy::{self, Session};
use crate::server::modern::{self, Step};
use crate::spawn;

/// A request that has been handed on; its response follows from its stream.
pub(super) struct Pending {
    stream: Arc<Stream>,
    statuses: Statuses,
    held: Held,
    /// Where the stream can be taken up again.
    live: Option<Arc<Live>>,
    /// Held while the stream is one that only ends when somebody ends it.
    standing: Option<Permit>,
    session: Option<HeaderValue>,
}

impl Pending {
    fn of_legacy(stream: Arc<Stream>, live: Option<Arc<Live>>) -> Self {
        Self { stream, statuses: Statuses::Always200, held: Held::Work(None), live, standing: None, session: None }
    }
}

/// What has become of a message.
pub(super) enum Begun {
    Answered(Response<HttpBody>),
    Pending(Pending),
}

/// What a message of a session belongs to, and its way back.
struct Ties<'l> {
    session: &'l Arc<Session>,
    flights: &'l Arc<Flights>,
    live: Option<&'l Arc<Live>>,
    stream: &'l Arc<Stream>,
    outlet: &'l Arc<dyn Outlet>,
}

/// A message that is understood, and how it may be answered.
pub(super) struct Asked<'a> {
    class: Class<'a, Arc<Live>>,
    accepts: Accepts,
}

impl Site {
    /// Tells what a message asks for, or why it is not served.
    pub(super) fn understand<'a>(
        &self,
        parts: &Parts,
        headers: &Known<'_>,
        body: &'a [u8],
    ) -> Result<Asked<'a>, Box<Response<HttpBody>>> {
        let open = |id: &str| self.sessions.open(&self.core, id, principal(&parts.extensions));
        let class = message::text(body)
            .map_err(|malformed| Refusal::new(StatusCode::BAD_REQUEST, malformed.id, malformed.error))
            .and_then(|text| endpoint::classify(&self.core, headers, text, &open))
            .map_err(|refusal| Box::new(answer::refused(&refusal)))?;
        let accepts = Accepts::read(headers);
        let is_asked =
            !matches!(class, Class::Ignored | Class::Legacy(Legacy::Notification(..) | Legacy::Response(_), _));
        if is_asked && accepts == Accepts::NONE {
            return Err(Box::new(answer::refuse(
                StatusCode::NOT_ACCEPTABLE,
                "Not acceptable: answers are `application/json` or `text/event-stream`",
            )));
        }
        Ok(Asked { class, accepts })
    }

    /// Hands a message on. What a handler does before it first waits has been done when this returns.
    pub(super) fn post(self: &Arc<Self>, asked: Asked<'_>, parts: Parts, body: &Bytes, permit: Admitted) -> Begun {
        let Asked { class, accepts } = asked;
        let style = Style { accepts, name: None, polling: false, is_subscription: false, can_ask: false };
        match class {
            Class::Ignored => Begun::Answered(answer::empty(StatusCode::ACCEPTED)),
            Class::Modern(request, meta) => self.modern(request, &meta, body, style, parts, permit),
            Class::Initialize(request) => self.initialize(&request, style, principal(&parts.extensions)),
            Class::Legacy(message, Legitimation::Revision(revision)) => {
                let (session, flights) = (Arc::new(Session::sessionless(revision)), Arc::default());
                let stream = Stream::new(style);
                let outlet = Caller::outlet(&stream, parts);
                let ties = Ties { session: &session, flights: &flights, live: None, stream: &stream, outlet: &outlet };
                self.legacy(message, &ties, permit).unwrap_or_else(|| self.begun(Pending::of_legacy(stream, None)))
            }
            Class::Legacy(message, Legitimation::Session(live)) => {
                let name = Some(self.name(Kind::Answer));
                let style = Style { name, polling: live.session.features.polling, can_ask: true, ..style };
                let stream = Stream::new(style);
                let outlet = Caller::outlet(&stream, parts);
                let (session, flights) = (&live.session, &live.flights);
                let ties = Ties { session, flights, live: Some(&live), stream: &stream, outlet: &outlet };
                self.legacy(message, &ties, permit)
                    .unwrap_or_else(|| self.begun(Pending::of_legacy(stream, Some(live))))
            }
        }
    }

    /// A request of the stateless era: it ends with its connection.
    fn modern(
        self: &Arc<Self>,
        request: Request<'_>,
        meta: &RequestMeta<'_>,
        body: &Bytes,
        style: Style,
        parts: Parts,
        permit: Admitted,
    ) -> Begun {
        let is_subscription = modern::listens(&request.method);
        let accepts = style.accepts;
        let stream = Stream::new(if is_subscription {
            Style { accepts: Accepts { json: false, ..accepts }, is_subscription, ..style }
        } else {
            style
        });
        let standing = if is_subscription { self.streams.enter() } else { None };
        if is_subscription && (standing.is_none() || !accepts.events) {
            return Begun::Answered(if accepts.events {
                answer::busy("As many streams are open as may be: try again later")
            } else {
                answer::refuse(
                    StatusCode::NOT_ACCEPTABLE,
                    "Not acceptable: a subscription is answered with `text/event-stream`",
                )
            });
        }
        let outlet: Arc<dyn Outlet> =
            if is_subscription { Arc::clone(&stream) as _ } else { Caller::outlet(&stream, parts) };
        // Ids are the client's own: two clients may use the same one at the same time.
        let held = match modern::request(&self.core, request, meta, &|| body.clone(), &outlet, &Arc::default()) {
            Step::Done => Held::Work(None),
            Step::Listen(listener) => Held::Listener(listener),
            Step::Work(exchange) => {
                let work = Work::begin(exchange, &self.lifeguard);
                if work.is_none() {
                    stream.end();
                }
                Held::Work(work.map(|work| {
                    let (stream, call) = (Arc::clone(&stream), Arc::clone(work.exchange().call()));
                    let until_done = async move {
                        work.await;
                        stream.end();
                        drop(permit);
                    };
                    let task = spawn::task(&Handle::current(), Box::pin(until_done));
                    Aborting { task, call }
                }))
            }
        };
        self.begun(Pending { stream, statuses: Statuses::ByOrigin, held, live: None, standing, session: None })
    }

    fn initialize(&self, request: &Request<'_>, style: Style, principal: Option<&str>) -> Begun {
        let stream = Stream::new(style);
        let mut session = None;
        let mut out = Vec::with_capacity(512);
        let begun = if self.core.options.http.sessions {
            legacy::initialize(&self.core, &request.params).map(|(begun, result)| {
                session = session_id::create(&self.core, &begun.peer.client, principal)
                    .and_then(|id| HeaderValue::try_from(id).ok());
                result
            })
        } else {
            legacy::initialize_sessionless(&self.core, &request.params)
        };
        match begun {
            Ok(result) => write::result(&mut out, &request.id, |out| out.extend_from_slice(&result)),
            Err(error) => write::error(&mut out, Some(&request.id), &error),
        }
        stream.respond(out, Origin::Handler);
        self.begun(Pending { session, ..Pending::of_legacy(stream, None) })
    }

    /// A message of a session. What it asks for goes on when the connection is lost. `None` when its stream answers it.
    fn legacy(self: &Arc<Self>, message: Legacy<'_>, ties: &Ties<'_>, permit: Admitted) -> Option<Begun> {
        let Ties { session, flights, live, stream, outlet } = *ties;
        let work: Option<BoxFuture<'static, ()>> = match message {
            Legacy::Request(request, meta) => {
                let exchange = legacy::request(&self.core, session, request, &meta, outlet, flights);
                exchange.and_then(|exchange| Work::begin(exchange, &self.lifeguard)).map(|work| Box::pin(work) as _)
            }
            Legacy::Notification(method, params) => {
                legacy::notified(session, flights, &method, &params);
                return Some(Begun::Answered(answer::empty(StatusCode::ACCEPTED)));
            }
            Legacy::Response(response) => {
                legacy::answered(session, &response);
                return Some(Begun::Answered(answer::empty(StatusCode::ACCEPTED)));
            }
            Legacy::Batch(text) => match endpoint::batch(&self.core, session, flights, text, outlet) {
                Ok(Some(work)) => Some(Box::pin(Unknown::new(work))),
                Ok(None) => return Some(Begun::Answered(answer::empty(StatusCode::ACCEPTED))),
                Err(refusal) => return Some(Begun::Answered(answer::refused(&refusal))),
            },
        };
        match work {
            None => stream.end(),
            Some(rest) => {
                // The session is remembered as long as something goes on in it.
                let (stream, live) = (Arc::clone(stream), live.map(Arc::clone));
                self.spawn(Box::pin(async move {
                    rest.await;
                    stream.end();
                    drop((live, permit));
                }));
            }
        }
        None
    }

    /// The answer, if there is one by now.
    fn begun(&self, pending: Pending) -> Begun {
        match pending.stream.head() {
            Some(head) => Begun::Answered(self.answer(pending, head)),
            None => Begun::Pending(pending),
        }
    }

    /// Waits until it is clear what the response becomes, and makes it that.
    pub(super) async fn respond(&self, pending: Pending) -> Response<HttpBody> {
        let head = self.wait(&pending.stream).await;
        self.answer(pending, head)
    }

    fn answer(&self, pending: Pending, head: Head) -> Response<HttpBody> {
        let Pending { stream, statuses, held, live, standing, session } = pending;
        let mut response = match head {
            Head::Answer(message, origin) => answer::whole(statuses.of(origin), message, &self.answers),
            Head::Nothing => answer::empty(StatusCode::ACCEPTED),
            Head::Events => self.stream_of(stream, held, live, standing),
        };
        if let Some(session) = session {
            response.headers_mut().insert(SESSION_ID, session);
        }
        response
    }

    fn stream_of(
        &self,
        stream: Arc<Stream>,
        held: Held,
        live: Option<Arc<Live>>,
        standing: Option<Permit>,
    ) -> Response<HttpBody> {
        let held = match live {
            None => held,
            Some(live) => {
                live.add(&stream);
                Held::Return(Return { live, stream: Arc::clone(&stream), attic: Arc::clone(&self.attic) })
            }
        };
        // A stream that has just begun can be read.
        let Ok(reader) = stream.attach(None) else { return answer::empty(StatusCode::ACCEPTED) };
        let events = Events::new(stream, reader, self.core.options.http.keep_alive, held);
        answer::events(match standing {
            Some(permit) => events.standing(self.core.stopped(), permit),
            None => events,
        })
    }

    /// A proxy in between gives up on a response that does not begin: after a while it begins, without having anything to say.
    async fn wait(&self, stream: &Stream) -> Head {
        let mut hold = pin!(sleep(self.core.options.http.keep_alive));
        let mut is_over = false;
        poll_fn(|context| {
            if !is_over && hold.as_mut().poll(context).is_ready() {
                is_over = true;
                if stream.commit() {
                    return Poll::Ready(Head::Events);
                }
            }
            stream.poll_head(context)
        })
        .await
    }
}
