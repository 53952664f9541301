//! The era of `initialize`: 2024-11-05 to 2025-11-25. Its method table, its sessions, its projection of results.

use std::collections::BTreeSet;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use bytes::Bytes;
use serde::Deserialize;
use serde_json::{Map, Value};

use super::core::{Core, Offer};
use super::exchange::{Address, Era, Exchange};
use super::flights::Flights;
use super::operation::{self, Work};
use super::reply::Reply;
use crate::handler::ask::{Asking, Channel, Line};
use crate::handler::cancel::Cancel;
use crate::handler::client::{Client, ClientSource};
use crate::handler::ctx::{CallState, Ctx};
use crate::handler::host::{Origin, Outlet};
use crate::handler::log::{LogFloor, LogGate, LogLevel};
use crate::handler::progress::Progress;
use crate::protocol::features::Features;
use crate::protocol::message::{Request, Response};
use crate::protocol::meta::RequestMeta;
use crate::protocol::params::Params;
use crate::protocol::render::For;
use crate::protocol::scalar::Text;
use crate::protocol::{ClientCapabilities, ErrorCode, Implementation, ProtocolError, Revision, write};
use crate::registry::catalog::{PROMPTS, TEMPLATES, TOOLS};
use crate::registry::changes::{ChangeSet, Subscriber};

/// What a method does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Method {
    Ping,
    ToolsList,
    ToolsCall,
    ResourcesList,
    TemplatesList,
    ResourcesRead,
    Subscribe,
    Unsubscribe,
    PromptsList,
    PromptsGet,
    Complete,
    SetLevel,
}

/// The methods of this era, each with what must be offered for it.
fn method(name: &str) -> Option<(Method, Offer)> {
    Some(match name {
        "ping" => (Method::Ping, Offer::Base),
        "tools/list" => (Method::ToolsList, Offer::Tools),
        "tools/call" => (Method::ToolsCall, Offer::Tools),
        "resources/list" => (Method::ResourcesList, Offer::Resources),
        "resources/templates/list" => (Method::TemplatesList, Offer::Resources),
        "resources/read" => (Method::ResourcesRead, Offer::Resources),
        "resources/subscribe" => (Method::Subscribe, Offer::Resources),
        "resources/unsubscribe" => (Method::Unsubscribe, Offer::Resources),
        "prompts/list" => (Method::PromptsList, Offer::Prompts),
        "prompts/get" => (Method::PromptsGet, Offer::Prompts),
        "completion/complete" => (Method::Complete, Offer::Completions),
        "logging/setLevel" => (Method::SetLevel, Offer::Base),
        _ => return None,
    })
}

/// How this era writes.
pub(crate) static ERA: Era = Era { write_result, resource_not_found };

fn write_result(out: &mut Vec<u8>, _: &Core, reply: &Reply, features: &'static Features) {
    out.push(b'{');
    let start = out.len();
    reply.write_members(out, features);
    if let Some(meta) = reply.meta().filter(|_| features.titles) {
        if out.len() > start {
            out.push(b',');
        }
        out.extend_from_slice(b"\"_meta\":");
        write::json(out, meta);
    }
    out.push(b'}');
}

fn resource_not_found(uri: &str) -> ProtocolError {
    let error = ProtocolError::new(ErrorCode::RESOURCE_NOT_FOUND, format!("Resource not found: {uri}"));
    error.with_data(serde_json::json!({"uri": uri}))
}

/// What `initialize` agreed on, and what the client has set since.
pub(crate) struct Session {
    pub(crate) client: Arc<Client>,
    pub(crate) features: &'static Features,
    pub(crate) log_floor: Arc<LogFloor>,
    subscribed: Mutex<BTreeSet<String>>,
    initialized: AtomicBool,
    keeper: Option<Box<dyn Keeper>>,
    /// Whether anything of it is there for the next request.
    lasts: bool,
    /// Requests of ours, and what is known from their answers.
    line: Arc<Line>,
}

/// What a client sets in its session.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Settings {
    pub(crate) log_level: Option<LogLevel>,
    pub(crate) subscribed: BTreeSet<String>,
}

/// Keeps the settings of a session that may be taken up again.
pub(crate) trait Keeper: Send + Sync {
    fn keep(&self, settings: Settings);
}

/// A session subscribes to so many resources at most.
const MOST_SUBSCRIBED: usize = 10_000;

/// Their URIs have so many bytes at most, together.
const MOST_SUBSCRIBED_BYTES: usize = 256 * 1024;

impl Session {
    pub(crate) fn new(client: Client) -> Self {
        Self {
            features: Features::of(client.revision),
            client: Arc::new(client),
            log_floor: Arc::new(LogFloor::new(LogLevel::Info)),
            subscribed: Mutex::default(),
            initialized: AtomicBool::new(false),
            keeper: None,
            lasts: true,
            line: Arc::default(),
        }
    }

    /// What stands for a session when a client is served without one.
    #[cfg(feature = "http")]
    pub(crate) fn sessionless(revision: Revision) -> Self {
        let client = Client { revision, info: Implementation::default(), capabilities: ClientCapabilities::default() };
        Self { lasts: false, ..Self::new(client) }
    }

    /// A session that is taken up again, with the settings as they were.
    #[cfg(feature = "http")]
    pub(crate) fn resumed(client: Client, settings: Settings, keeper: Box<dyn Keeper>) -> Self {
        let session = Self::new(client);
        if let Some(level) = settings.log_level {
            session.log_floor.set(level);
        }
        Self {
            subscribed: Mutex::new(settings.subscribed),
            initialized: AtomicBool::new(true),
            keeper: Some(keeper),
            ..session
        }
    }

    /// Has the settings kept, after a change.
    fn keep(&self) {
        if let Some(keeper) = &self.keeper {
            let subscribed = self.with_subscribed(|subscribed| subscribed.clone());
            keeper.keep(Settings { log_level: self.log_floor.get(), subscribed });
        }
    }

    /// The client has said `notifications/initialized`.
    pub(crate) fn set_initialized(&self) {
        self.initialized.store(true, Ordering::Relaxed);
    }

    fn with_subscribed<T>(&self, action: impl FnOnce(&mut BTreeSet<String>) -> T) -> T {
        action(&mut self.subscribed.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// Writes what the client of this session hears of these changes, each message for itself.
    fn announce(&self, changes: &ChangeSet, mut send: impl FnMut(Vec<u8>)) {
        if !self.initialized.load(Ordering::Relaxed) {
            return;
        }
        let lists = [
            (changes.tools, "notifications/tools/list_changed"),
            (changes.prompts, "notifications/prompts/list_changed"),
            (changes.resources, "notifications/resources/list_changed"),
        ];
        for (_, method) in lists.into_iter().filter(|(changed, _)| *changed) {
            let mut message = Vec::new();
            write::notification(&mut message, method, None::<&()>);
            send(message);
        }
        let updated: Vec<&String> =
            self.with_subscribed(|subscribed| changes.updated.iter().filter(|uri| subscribed.contains(*uri)).collect());
        for uri in updated {
            let mut message = Vec::new();
            write::notification(
                &mut message,
                "notifications/resources/updated",
                Some(&serde_json::json!({"uri": uri})),
            );
            send(message);
        }
    }
}

/// Tells a session's client of changes, through one outlet.
pub(crate) struct Announcer {
    pub(crate) session: Arc<Session>,
    pub(crate) outlet: Arc<dyn Outlet>,
}

impl Subscriber for Announcer {
    fn changed(&self, changes: &ChangeSet) {
        self.session.announce(changes, |message| {
            self.outlet.notify(message);
        });
    }
}

/// `initialize`: the session, and the result's bytes.
pub(crate) fn initialize(core: &Core, params: &Params<'_>) -> Result<(Session, Vec<u8>), ProtocolError> {
    begin(core, params, |capabilities| capabilities)
}

/// `initialize` of a client that gets no session: what would need one is not offered.
#[cfg(feature = "http")]
pub(crate) fn initialize_sessionless(core: &Core, params: &Params<'_>) -> Result<Vec<u8>, ProtocolError> {
    let offered = |mut capabilities: Map<String, Value>| {
        capabilities.remove("logging");
        for capability in capabilities.values_mut().filter_map(Value::as_object_mut) {
            capability.retain(|member, _| !matches!(member.as_str(), "listChanged" | "subscribe"));
        }
        capabilities
    };
    begin(core, params, offered).map(|(_, result)| result)
}

fn begin(
    core: &Core,
    params: &Params<'_>,
    offered: impl FnOnce(Map<String, Value>) -> Map<String, Value>,
) -> Result<(Session, Vec<u8>), ProtocolError> {
    #[derive(Default, Deserialize)]
    struct Capabilities(#[serde(default)] Option<ClientCapabilities>);

    params.check()?;
    let Text(requested) = params.get("protocolVersion")?.unwrap_or(Text("".into()));
    let revision = negotiate(&core.options.revisions, &requested).ok_or_else(|| {
        ProtocolError::invalid_params("Unsupported protocol version").with_data(supported(core, &requested))
    })?;
    // A client that says nothing of itself, or says it badly, is served all the same.
    let capabilities =
        params.get::<Capabilities>("capabilities").ok().flatten().unwrap_or_default().0.unwrap_or_default();
    let info = params.get::<Implementation>("clientInfo").ok().flatten().unwrap_or_default();
    let session = Session::new(Client { revision, info, capabilities });
    let mut result = Map::new();
    result.insert("protocolVersion".to_owned(), revision.as_str().into());
    result.insert("capabilities".to_owned(), offered(core.capabilities(session.features)).into());
    let identity = serde_json::to_value(For(&core.identity, session.features)).unwrap_or_default();
    result.insert("serverInfo".to_owned(), identity);
    if let Some(instructions) = &core.instructions {
        result.insert("instructions".to_owned(), instructions.clone().into());
    }
    let mut out = Vec::new();
    write::json(&mut out, &result);
    Ok((session, out))
}

fn supported(core: &Core, requested: &str) -> Value {
    let supported: Vec<&str> = core.options.revisions.iter().map(|revision| revision.as_str()).collect();
    serde_json::json!({"supported": supported, "requested": requested})
}

/// The requested revision if it is of this era and served, otherwise the newest that is; `None` when none is.
fn negotiate(served: &[Revision], requested: &str) -> Option<Revision> {
    let legacy = || served.iter().copied().filter(|revision| !revision.is_modern());
    legacy().find(|revision| revision.as_str() == requested).or_else(|| legacy().max())
}

/// Whether the method begins a session.
#[cfg(feature = "http")]
pub(crate) fn begins(method: &str) -> bool {
    method == "initialize"
}

/// Handles a notification of a session.
pub(crate) fn notified(session: &Session, flights: &Flights, method: &str, params: &Params<'_>) {
    match method {
        "notifications/initialized" => session.set_initialized(),
        "notifications/roots/list_changed" => session.line.roots.changed(),
        "notifications/cancelled" => {
            if let Some(id) = super::modern::cancelled_id(params) {
                flights.cancel(&id);
            }
        }
        _ => {}
    }
}

/// The client says nothing more, so it answers nothing either.
pub(crate) fn left(session: &Session) {
    session.line.pending.close();
}

/// How many requests of ours have no answer yet.
pub(crate) fn asking(session: &Session) -> usize {
    session.line.pending.count()
}

/// Handles a client's answer to a request of ours. One that nobody waits for is nobody's mistake.
pub(crate) fn answered(session: &Session, response: &Response<'_>) {
    if let Some(id) = &response.id {
        session.line.pending.answered(id, response.outcome);
    }
}

/// Handles a request of a session other than `initialize`. The answer is sent, or the exchange that will send it is returned.
pub(crate) fn request(
    core: &Arc<Core>,
    session: &Arc<Session>,
    request: Request<'_>,
    meta: &RequestMeta<'_>,
    message: &Bytes,
    outlet: Arc<dyn Outlet>,
    flights: &Arc<Flights>,
) -> Option<Exchange> {
    let Request { id, method: name, params } = request;
    let address = Address { core: Arc::clone(core), era: &ERA, features: session.features, id, outlet };
    let context = || context(core, session, &params, meta, &address.outlet);
    let work = match method(&name) {
        Some((Method::Subscribe | Method::Unsubscribe | Method::SetLevel, _)) if !session.lasts => {
            Err(ProtocolError::method_not_found(&name))
        }
        Some((_, offer)) if !core.offers(offer) => Err(ProtocolError::method_not_found(&name)),
        Some((method, _)) => params.check().and_then(|()| perform(core, session, method, &params, message, &context)),
        None => {
            let ctx = context();
            let call = Arc::clone(&ctx.call);
            operation::extension(core, ctx, &name, &params)
                .map(|work| Step::Work(work, call))
                .ok_or_else(|| ProtocolError::method_not_found(&name))
        }
    };
    match work {
        Ok(Step::Reply(reply)) => {
            address.answer(Ok(reply));
            None
        }
        Ok(Step::Work(work, call)) => {
            let Some(flight) = flights.depart(&address.id, &call) else {
                address.refuse(
                    &ProtocolError::invalid_request(
                        "Invalid request: the id is in use by a request that is still running",
                    ),
                    Origin::Envelope,
                );
                return None;
            };
            Some(Exchange::new(address, call, flight, work))
        }
        Err(error) => {
            address.refuse(&error, Origin::Handler);
            None
        }
    }
}

/// A request that has been understood.
enum Step {
    /// It is answered at once.
    Reply(Reply),
    /// A handler works on it.
    Work(Work, Arc<CallState>),
}

fn perform(
    core: &Arc<Core>,
    session: &Session,
    method: Method,
    params: &Params<'_>,
    message: &Bytes,
    context: &dyn Fn() -> Ctx,
) -> Result<Step, ProtocolError> {
    let features = session.features;
    let work = |begin: &dyn Fn(Ctx) -> Result<Work, ProtocolError>| {
        let ctx = context();
        let call = Arc::clone(&ctx.call);
        begin(ctx).map(|work| Step::Work(work, call))
    };
    match method {
        Method::Ping => Ok(Step::Reply(Reply::Empty)),
        Method::ToolsList => operation::list(core, TOOLS, features, params).map(Step::Reply),
        Method::PromptsList => operation::list(core, PROMPTS, features, params).map(Step::Reply),
        Method::TemplatesList => operation::list(core, TEMPLATES, features, params).map(Step::Reply),
        Method::ResourcesList => work(&|ctx| operation::list_resources(core, ctx, params)),
        Method::ToolsCall => work(&|ctx| operation::call_tool(core, ctx, params, message)),
        Method::ResourcesRead => work(&|ctx| operation::read_resource(core, &ERA, ctx, params)),
        Method::PromptsGet => work(&|ctx| operation::get_prompt(core, ctx, params)),
        Method::Complete => work(&|_| operation::complete(core, params)),
        Method::Subscribe => {
            let Text(uri) = params.require("uri")?;
            session.with_subscribed(|subscribed| {
                let bytes = uri.len() + subscribed.iter().map(String::len).sum::<usize>();
                if subscribed.len() >= MOST_SUBSCRIBED || bytes > MOST_SUBSCRIBED_BYTES {
                    return Err(ProtocolError::invalid_params(format!("more than {MOST_SUBSCRIBED} subscriptions, or {MOST_SUBSCRIBED_BYTES} bytes of them: unsubscribe some")));
                }
                subscribed.insert(uri.into_owned());
                Ok(())
            })?;
            session.keep();
            Ok(Step::Reply(Reply::Empty))
        }
        Method::Unsubscribe => {
            let Text(uri) = params.require("uri")?;
            session.with_subscribed(|subscribed| subscribed.remove(&*uri));
            session.keep();
            Ok(Step::Reply(Reply::Empty))
        }
        Method::SetLevel => {
            let level = params.require("level").map_err(|error| match params.raw("level") {
                Some(raw) if raw.get() != "null" => ProtocolError::invalid_params(format!(
                    "`params.level` must be one of {}",
                    LogLevel::NAMES.map(|name| format!("\"{name}\"")).join(", ")
                )),
                _ => error,
            })?;
            session.log_floor.set(level);
            session.keep();
            Ok(Step::Reply(Reply::Empty))
        }
    }
}

fn context(
    core: &Arc<Core>,
    session: &Session,
    params: &Params<'_>,
    meta: &RequestMeta<'_>,
    outlet: &Arc<dyn Outlet>,
) -> Ctx {
    let call = CallState {
        host: Arc::clone(core) as _,
        outlet: Arc::clone(outlet),
        features: session.features,
        client: ClientSource::Session(Arc::clone(&session.client)),
        meta: params.raw("_meta").map(ToOwned::to_owned),
        parsed_meta: OnceLock::new(),
        progress: meta.progress_token().map(Progress::new),
        log_gate: LogGate::Session(Arc::clone(&session.log_floor)),
        cancel: Cancel::default(),
        deadline: OnceLock::new(),
        pace: OnceLock::new(),
        asking: Asking::new(Channel::Line(Arc::clone(&session.line)), None),
        on_threads: AtomicUsize::new(0),
        muted: AtomicBool::new(false),
    };
    Ctx { call: Arc::new(call) }
}
