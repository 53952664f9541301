//! One HTTP request: who may call, what for, and how long that may take.

use std::convert::Infallible;
use std::fmt;
use std::future::Future;
use std::pin::{Pin, pin};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::task::{Context, Poll};

use bytes::Bytes;
use http::request::Parts;
use http::{HeaderValue, Method, Request, Response, StatusCode, Version};
use http_body::Body;
use tokio::runtime::Handle;
use tokio::sync::OnceCell;
use tokio::task::JoinSet;

use super::accept;
use super::answer;
use super::attic::Attic;
use super::body::{self, HttpBody, Rest, Unread};
use super::guard::{self, Guard};
use super::lifeguard::Lifeguard;
use super::limits::{Admitted, Limit};
use super::post::Begun;
use super::serve;
use super::sessions::Sessions;
use super::store::MemoryStore;
use super::stream_name::{Kind, Name};
use super::two_routes::TwoRoutes;
use super::work::step_back;
use crate::protocol::{ErrorCode, ProtocolError};
use crate::server::built::Hooks;
use crate::server::core::Core;
use crate::server::endpoint::known::Known;
use crate::server::endpoint::{self, Refusal};
use crate::spawn::{self, Task};

/// The bodies of all requests together take so many bytes at most: one of the greatest length for each of the connections
/// and requests that may be open would be more memory than most machines have.
const MOST_BODIES: usize = 256 * 1024 * 1024;

/// A server behind HTTP, whatever carries the requests to it.
pub(crate) struct Site {
    pub(super) core: Arc<Core>,
    pub(super) guard: Guard,
    pub(super) sessions: Sessions,
    pub(super) attic: Arc<Attic>,
    pub(super) in_flight: Limit,
    /// The bytes of all bodies that were read and are still needed.
    bodies: Limit,
    /// The bytes of all answers that are not sent yet.
    pub(super) answers: Limit,
    pub(super) streams: Limit,
    pub(super) two_routes: TwoRoutes,
    /// Handlers that go on without their clients.
    tasks: Mutex<JoinSet<()>>,
    pub(super) lifeguard: Lifeguard,
    instance: u32,
    next_stream: AtomicU64,
}

/// Where a request comes in.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Entrance {
    /// At a socket of ours, for whichever path.
    Own,
    /// From another server, at a path of its choice.
    Mounted,
}

impl Site {
    pub(crate) fn new(core: Arc<Core>) -> Self {
        let options = &core.options.http;
        Self {
            guard: Guard::new(options),
            sessions: Sessions::new(Arc::new(MemoryStore::default()), options.session_max_age),
            attic: Arc::default(),
            in_flight: Limit::new(options.max_in_flight),
            bodies: Limit::new(MOST_BODIES.max(options.max_body.saturating_mul(2))),
            streams: Limit::new(options.max_streams),
            answers: Limit::new(MOST_BODIES),
            two_routes: TwoRoutes::new(options.two_routes.clone()),
            tasks: Mutex::default(),
            lifeguard: Lifeguard::default(),
            // Should there be no random numbers, two processes may take each other's event ids for their own and find nothing.
            instance: getrandom::u32().unwrap_or_default(),
            next_stream: AtomicU64::new(0),
            core,
        }
    }

    /// Also lets clients call by the address that is listened on.
    pub(crate) fn allow_address(&mut self, address: std::net::IpAddr) {
        self.guard.allow_address(address);
    }

    pub(super) fn core(&self) -> &Core {
        &self.core
    }

    /// Whether something beside the endpoint is at this path.
    pub(super) fn has_route(&self, uri: &http::Uri) -> bool {
        self.two_routes.opens_streams(uri) || self.two_routes.takes_messages(uri)
    }

    /// A name that no stream has had.
    pub(super) fn name(&self, kind: Kind) -> Name {
        Name { kind, instance: self.instance, number: self.next_stream.fetch_add(1, Ordering::Relaxed) }
    }

    /// Runs what goes on without its client.
    pub(super) fn spawn(&self, work: Task) {
        let mut tasks = self.tasks.lock().unwrap_or_else(PoisonError::into_inner);
        while tasks.try_join_next().is_some() {}
        spawn::join(&mut tasks, work);
    }

    /// Cancels whatever still goes on.
    pub(crate) fn stop(&self) {
        self.sessions.stop();
        self.tasks.lock().unwrap_or_else(PoisonError::into_inner).abort_all();
    }

    /// Answers a request. The future is small, because every request moves it about: what is rare is apart.
    pub(crate) fn serve<B: Body>(
        self: Arc<Self>,
        request: Request<B>,
        entrance: Entrance,
    ) -> impl Future<Output = Result<Response<HttpBody>, Infallible>> {
        let (parts, body) = request.into_parts();
        async move {
            let mut body = pin!(body);
            let headers = Known::of(&parts.headers);
            let origin = match self.admit(&parts, &headers, entrance) {
                Ok(origin) => origin,
                Err(refusal) => return Ok(self.turn_away(&parts, body, refusal).await),
            };
            let mut response = match parts.method {
                Method::POST => 'post: {
                    let mut room = self.bodies.none();
                    let options = &self.core.options.http;
                    let read = body::read(body.as_mut(), options.max_body, options.read_timeout, &mut room).await;
                    let message = match read {
                        Ok(message) => message,
                        Err(unread) => {
                            drop(room);
                            break 'post self.refuse_unread(&parts, body, unread).await;
                        }
                    };
                    if self.two_routes.takes_messages(&parts.uri) {
                        break 'post self.take_message(parts, &message, room);
                    }
                    let Some(place) = self.in_flight.enter() else { break 'post answer::overworked() };
                    // Reading a long message wakes the connection, which then tells its client that there is room for more.
                    if parts.version == Version::HTTP_2 {
                        step_back().await;
                    }
                    let asked = match self.understand(&parts, &headers, &message) {
                        Ok(asked) => asked,
                        Err(refusal) => break 'post *refusal,
                    };
                    match self.post(asked, parts, &message, Admitted { _place: place, _body: room }) {
                        Begun::Answered(response) => response,
                        Begun::Pending(pending) => Box::pin(self.respond(pending)).await,
                    }
                }
                Method::DELETE => self.delete(&parts, &headers),
                _ if self.two_routes.opens_streams(&parts.uri) => self.open_lines(&parts),
                _ => self.get(&parts, &headers),
            };
            if let Some(origin) = origin {
                guard::allow_origin(response.headers_mut(), origin);
            }
            Ok(response)
        }
    }

    /// Answers a request whose body nobody wants, so that its client hears the answer.
    async fn turn_away<B: Body>(
        &self,
        parts: &Parts,
        body: Pin<&mut B>,
        response: Box<Response<HttpBody>>,
    ) -> Response<HttpBody> {
        // There is no time for it at the end.
        if !*self.core.stopping.borrow() {
            body::discard(body, self.core.options.http.read_timeout, Rest::of(parts)).await;
        }
        *response
    }

    /// Lets a request pass, with the origin of the web page that sends it, or answers it without its body.
    fn admit(
        &self,
        parts: &Parts,
        headers: &Known<'_>,
        entrance: Entrance,
    ) -> Result<Option<HeaderValue>, Box<Response<HttpBody>>> {
        if matches!(entrance, Entrance::Own) {
            serve::elsewhere(self, parts, headers).map_or(Ok(()), |response| Err(Box::new(response)))?;
        }
        let origin = self
            .guard
            .check(&parts.uri, headers)
            .map_err(|forbidden| Box::new(answer::refuse(forbidden.status, forbidden.text)))?;
        let Some(mut response) = self.answer_early(parts, headers) else { return Ok(origin) };
        if let Some(origin) = origin {
            guard::allow_origin(response.headers_mut(), origin);
        }
        Err(Box::new(response))
    }

    /// What can be answered without the body.
    fn answer_early(&self, parts: &Parts, headers: &Known<'_>) -> Option<Response<HttpBody>> {
        let (allowed, is_allowed) = if self.two_routes.opens_streams(&parts.uri) {
            ("GET, OPTIONS", parts.method == Method::GET)
        } else if self.two_routes.takes_messages(&parts.uri) || !endpoint::has_sessions(&self.core) {
            ("POST, OPTIONS", parts.method == Method::POST)
        } else {
            ("GET, POST, DELETE, OPTIONS", matches!(parts.method, Method::GET | Method::POST | Method::DELETE))
        };
        if parts.method == Method::OPTIONS {
            let mut response = answer::empty(StatusCode::NO_CONTENT);
            response.headers_mut().insert(http::header::ALLOW, HeaderValue::from_static(allowed));
            if guard::is_preflight(&parts.headers) {
                guard::allow_preflight(response.headers_mut(), &parts.headers);
            }
            return Some(response);
        }
        if !is_allowed {
            return Some(answer::not_allowed(allowed));
        }
        if *self.core.stopping.borrow() {
            return Some(answer::busy("The server is stopping"));
        }
        if parts.method == Method::POST && !accept::is_json(headers) {
            return Some(answer::refuse(
                StatusCode::UNSUPPORTED_MEDIA_TYPE,
                "Unsupported media type: messages are `application/json`, not encoded",
            ));
        }
        None
    }

    async fn refuse_unread<B: Body>(&self, parts: &Parts, body: Pin<&mut B>, unread: Unread) -> Response<HttpBody> {
        let limit = self.core.options.http.max_body;
        let refusal = match unread {
            Unread::TooLong => answer::refuse(
                StatusCode::PAYLOAD_TOO_LARGE,
                format!("Payload too large: a message has {limit} bytes at most"),
            ),
            Unread::TooSlow => {
                answer::refuse(StatusCode::REQUEST_TIMEOUT, "Request timeout: the message did not arrive in time")
            }
            Unread::TooMany => answer::busy("The server holds as many long messages as it may: try again in a moment"),
            Unread::Broken => {
                let error = ProtocolError::new(ErrorCode::PARSE_ERROR, "Parse error: the body cannot be read");
                answer::refused(&Refusal::new(StatusCode::BAD_REQUEST, None, error))
            }
        };
        if matches!(unread, Unread::TooLong | Unread::TooMany) {
            return self.turn_away(parts, body, Box::new(refusal)).await;
        }
        refusal
    }
}

/// A server as a [`tower_service::Service`], to be mounted in axum, in a tower stack or in bare hyper.
///
/// It answers at every path that leads to it. Cheap to clone; all clones are one server. Made by
/// [`Server::http_service`](crate::Server::http_service).
#[derive(Clone)]
pub struct HttpService {
    site: Arc<Site>,
    starting: Option<Arc<Starting>>,
}

/// What is to be run before the first request.
struct Starting {
    hooks: Mutex<Option<Hooks>>,
    started: OnceCell<Result<(), String>>,
}

impl fmt::Debug for HttpService {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("HttpService").field("name", &self.site.core.identity.name).finish_non_exhaustive()
    }
}

impl HttpService {
    pub(crate) fn new(core: Arc<Core>, hooks: Hooks) -> Self {
        let starting = (!hooks.is_empty())
            .then(|| Arc::new(Starting { hooks: Mutex::new(Some(hooks)), started: OnceCell::new() }));
        Self { site: Arc::new(Site::new(core)), starting }
    }

    async fn start(&self) -> Result<(), String> {
        let Some(starting) = &self.starting else { return Ok(()) };
        let start = || async {
            let hooks = starting.hooks.lock().unwrap_or_else(PoisonError::into_inner).take();
            let Some(mut hooks) = hooks else { return Ok(()) };
            hooks.start().await.map_err(|error| format!("{error:?}"))?;
            let stopped = self.site.core.stopped();
            let ending = async move {
                stopped.await;
                hooks.shut_down().await;
            };
            drop(spawn::task(&Handle::current(), Box::pin(ending)));
            Ok(())
        };
        starting.started.get_or_init(start).await.clone()
    }
}

impl<B> tower_service::Service<Request<B>> for HttpService
where
    B: Body + Send + 'static,
    B::Data: Send,
    B::Error: Send,
{
    type Response = Response<HttpBody>;
    type Error = Infallible;
    type Future = Pin<Box<dyn Future<Output = Result<Self::Response, Infallible>> + Send>>;

    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<Result<(), Infallible>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, request: Request<B>) -> Self::Future {
        let service = self.clone();
        Box::pin(async move {
            if let Err(error) = service.start().await {
                crate::diagnostics::warn(format_args!("the server did not start: {error}"));
                return Ok(answer::refuse(StatusCode::SERVICE_UNAVAILABLE, "The server did not start"));
            }
            service.site.serve(request, Entrance::Mounted).await
        })
    }
}

/// `/healthz`: the server is there.
pub(super) fn healthy(method: &Method) -> Response<HttpBody> {
    if !matches!(*method, Method::GET | Method::HEAD) {
        return answer::not_allowed("GET, HEAD");
    }
    let mut response = answer::empty(StatusCode::OK);
    response.headers_mut().insert(http::header::CONTENT_TYPE, HeaderValue::from_static("text/plain; charset=utf-8"));
    if *method == Method::GET {
        *response.body_mut() = HttpBody::whole(Bytes::from_static(b"ok\n"));
    }
    response
}
