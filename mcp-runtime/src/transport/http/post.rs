//! A message that a client posts: handed to its era, answered as JSON if nothing precedes the answer, else as events.

use std::future::{Future as _, poll_fn};
use std::pin::pin;
use std::sync::Arc;
use std::task::Poll;

use bytes::Bytes;
use http::request::Parts;
use http::{HeaderValue, Response, StatusCode, Version};
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
use super::work::{Unknown, Work, step_back};
use crate::handler::call::BoxFuture;
use crate::handler::host::{Origin, Outlet};
use crate::handler::http::principal;
use crate::protocol::message::{self, Request};
use crate::protocol::meta::RequestMeta;
use crate::protocol::write;
use crate::server::endpoint::headers::SESSION_ID;
use crate::server::endpoint::{self, Class, Legacy, Legitimation, Refusal};
use crate::server::flights::Flights;
use crate::server::legacy::{self, Session};
use crate::server::modern::{self, Step};

/// A request that has been handed on; its response follows from its stream.
struct Pending {
    stream: Arc<Stream>,
    statuses: Statuses,
    held: Held,
    /// Held while the stream is one that only ends when somebody ends it.
    standing: Option<Permit>,
    session: Option<HeaderValue>,
}

enum Begun {
    Answered(Response<HttpBody>),
    Pending(Pending),
}

impl Site {
    /// Answers a message.
    pub(super) async fn post(self: &Arc<Self>, parts: Parts, body: Bytes, room: Permit) -> Response<HttpBody> {
        let Some(place) = self.in_flight.enter() else {
            return answer::busy("The server works on as many requests as it may: try again in a moment");
        };
        // Reading a long message wakes the connection, which then tells its client that there is room for more.
        if parts.version == Version::HTTP_2 {
            step_back().await;
        }
        match self.begin(parts, &body, Admitted { _place: place, _body: room }) {
            Ok(Begun::Answered(response)) => response,
            Ok(Begun::Pending(pending)) => self.respond(pending).await,
            Err(refusal) => answer::refused(&refusal),
        }
    }

    /// Hands the message on. What a handler does before it first waits has been done when this returns.
    fn begin(self: &Arc<Self>, parts: Parts, body: &Bytes, permit: Admitted) -> Result<Begun, Refusal> {
        let text = message::text(body)
            .map_err(|malformed| Refusal::new(StatusCode::BAD_REQUEST, malformed.id, malformed.error))?;
        let class = endpoint::classify(&self.core, &parts.headers, text)?;
        let accepts = Accepts::read(&parts.headers);
        let is_asked =
            !matches!(class, Class::Ignored | Class::Legacy(Legacy::Notification(..) | Legacy::Response(_), _));
        if is_asked && accepts == Accepts::NONE {
            return Ok(Begun::Answered(answer::refuse(
                StatusCode::NOT_ACCEPTABLE,
                "Not acceptable: answers are `application/json` or `text/event-stream`",
            )));
        }
        let parts = Arc::new(parts);
        match class {
            Class::Ignored => Ok(Begun::Answered(answer::empty(StatusCode::ACCEPTED))),
            Class::Modern(request, meta) => Ok(self.modern(request, &meta, body, accepts, parts, permit)),
            Class::Initialize(request) => Ok(self.initialize(&request, accepts, principal(&parts.extensions))),
            Class::Legacy(message, Legitimation::Revision(revision)) => {
                let session = Arc::new(Session::sessionless(revision));
                let style = Style { accepts, name: None, polling: false, is_subscription: false, can_ask: false };
                let caller = Caller { back: Stream::new(style), parts };
                self.legacy(message, &session, &Arc::default(), None, caller, permit)
            }
            Class::Legacy(message, Legitimation::Session(id)) => {
                let Some(live) = self.sessions.open(&self.core, &id, principal(&parts.extensions)) else {
                    let id = if let Legacy::Request(request, _) = &message { Some(request.id.clone()) } else { None };
                    return Err(Refusal::no_session(id));
                };
                let name = Some(self.name(Kind::Answer));
                let style = Style {
                    accepts,
                    name,
                    polling: live.session.features.polling,
                    is_subscription: false,
                    can_ask: true,
                };
                let caller = Caller { back: Stream::new(style), parts };
                self.legacy(message, &live.session, &live.flights, Some(&live), caller, permit)
            }
        }
    }

    /// A request of the stateless era: it ends with its connection.
    fn modern(
        self: &Arc<Self>,
        request: Request<'_>,
        meta: &RequestMeta<'_>,
        body: &Bytes,
        accepts: Accepts,
        parts: Arc<Parts>,
        permit: Admitted,
    ) -> Begun {
        let is_subscription = modern::listens(&request.method);
        let accepts = if is_subscription { Accepts { json: false, ..accepts } } else { accepts };
        let stream = Stream::new(Style { accepts, name: None, polling: false, is_subscription, can_ask: false });
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
        let outlet: Arc<dyn Outlet> = if is_subscription {
            Arc::clone(&stream) as _
        } else {
            Arc::new(Caller { back: Arc::clone(&stream), parts })
        };
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
                    let task = tokio::spawn(async move {
                        work.await;
                        stream.end();
                        drop(permit);
                    });
                    Aborting { task, call }
                }))
            }
        };
        Begun::Pending(Pending { stream, statuses: Statuses::ByOrigin, held, standing, session: None })
    }

    fn initialize(&self, request: &Request<'_>, accepts: Accepts, principal: Option<&str>) -> Begun {
        let stream = Stream::new(Style { accepts, name: None, polling: false, is_subscription: false, can_ask: false });
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
        Begun::Pending(Pending {
            stream,
            statuses: Statuses::Always200,
            held: Held::Work(None),
            standing: None,
            session,
        })
    }

    /// A message of a session. What it asks for goes on when the connection is lost.
    fn legacy(
        self: &Arc<Self>,
        message: Legacy<'_>,
        session: &Arc<Session>,
        flights: &Arc<Flights>,
        live: Option<&Arc<Live>>,
        caller: Caller<Stream>,
        permit: Admitted,
    ) -> Result<Begun, Refusal> {
        let stream = Arc::clone(&caller.back);
        let outlet: Arc<dyn Outlet> = Arc::new(caller);
        let work: Option<BoxFuture<'static, ()>> = match message {
            Legacy::Request(request, meta) => {
                let exchange = legacy::request(&self.core, session, request, &meta, &outlet, flights);
                exchange.and_then(|exchange| Work::begin(exchange, &self.lifeguard)).map(|work| Box::pin(work) as _)
            }
            Legacy::Notification(method, params) => {
                legacy::notified(session, flights, &method, &params);
                return Ok(Begun::Answered(answer::empty(StatusCode::ACCEPTED)));
            }
            Legacy::Response(response) => {
                legacy::answered(session, &response);
                return Ok(Begun::Answered(answer::empty(StatusCode::ACCEPTED)));
            }
            Legacy::Batch(text) => match endpoint::batch(&self.core, session, flights, text, &outlet)? {
                Some(work) => Some(Box::pin(Unknown::new(work))),
                None => return Ok(Begun::Answered(answer::empty(StatusCode::ACCEPTED))),
            },
        };
        match work {
            None => stream.end(),
            Some(rest) => {
                // The session is remembered as long as something goes on in it.
                let (stream, live) = (Arc::clone(&stream), live.map(Arc::clone));
                self.spawn(async move {
                    rest.await;
                    stream.end();
                    drop((live, permit));
                });
            }
        }
        let held = live.map_or(Held::Work(None), |live| {
            Held::Return(Return { live: Arc::clone(live), stream: Arc::clone(&stream), attic: Arc::clone(&self.attic) })
        });
        Ok(Begun::Pending(Pending { stream, statuses: Statuses::Always200, held, standing: None, session: None }))
    }

    /// Waits until it is clear what the response becomes, and makes it that.
    async fn respond(&self, pending: Pending) -> Response<HttpBody> {
        let Pending { stream, statuses, held, standing, session } = pending;
        let head = match stream.head() {
            Some(head) => head,
            None => self.wait(&stream).await,
        };
        let mut response = match head {
            Head::Answer(message, origin) => answer::whole(statuses.of(origin), message, &self.answers),
            Head::Nothing => answer::empty(StatusCode::ACCEPTED),
            Head::Events => self.stream_of(&stream, held, standing),
        };
        if let Some(session) = session {
            response.headers_mut().insert(SESSION_ID, session);
        }
        response
    }

    fn stream_of(&self, stream: &Arc<Stream>, held: Held, standing: Option<Permit>) -> Response<HttpBody> {
        if let Held::Return(place) = &held {
            place.live.add(stream);
        }
        // A stream that has just begun can be read.
        let Ok(reader) = stream.attach(None) else { return answer::empty(StatusCode::ACCEPTED) };
        let events = Events::new(Arc::clone(stream), reader, self.core.options.http.keep_alive, held);
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
