//! The era of `initialize`: 2024-11-05 to 2025-11-25. Here are its method table and its projection of results; beside it
//! how a session begins (`initialize`) and what it remembers (`session`).

mod initialize;
mod session;

use std::sync::atomic::{AtomicBool, AtomicUsize};
use std::sync::{Arc, OnceLock};

pub(crate) use self::initialize::initialize;
#[cfg(feature = "http")]
pub(crate) use self::initialize::initialize_sessionless;
pub(crate) use self::session::{Announcer, Session};
#[cfg(feature = "http")]
pub(crate) use self::session::{Keeper, Settings};
use super::core::{Core, Offer};
use super::exchange::{Address, Era, Exchange};
use super::flights::Flights;
use super::operation::{self, Work};
use super::reply::Reply;
use crate::handler::ask::{Asking, Channel};
use crate::handler::cancel::Cancel;
use crate::handler::client::ClientSource;
use crate::handler::ctx::{CallState, Ctx};
use crate::handler::host::{Origin, Outlet};
use crate::handler::log::{LogGate, LogLevel};
use crate::handler::progress::Progress;
use crate::protocol::features::Features;
use crate::protocol::message::{Request, Response};
use crate::protocol::meta::RequestMeta;
use crate::protocol::params::Params;
use crate::protocol::{ErrorCode, ProtocolError, write};
use crate::registry::catalog::{PROMPTS, TEMPLATES, TOOLS};

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

/// Whether the method begins a session.
#[cfg(feature = "http")]
pub(crate) fn begins(method: &str) -> bool {
    method == "initialize"
}

/// Handles a notification of a session.
pub(crate) fn notified(session: &Session, flights: &Flights, method: &str, params: &Params<'_>) {
    match method {
        "notifications/initialized" => session.set_initialized(),
        "notifications/roots/list_changed" => session.peer.line.roots.changed(),
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
    session.peer.line.pending.close();
}

/// How many requests of ours have no answer yet.
pub(crate) fn asking(session: &Session) -> usize {
    session.peer.line.pending.count()
}

/// Handles a client's answer to a request of ours. One that nobody waits for is nobody's mistake.
pub(crate) fn answered(session: &Session, response: &Response<'_>) {
    if let Some(id) = &response.id {
        session.peer.line.pending.answered(id, response.outcome);
    }
}

/// Handles a request of a session other than `initialize`. The answer is sent, or the exchange that will send it is returned.
pub(crate) fn request(
    core: &Arc<Core>,
    session: &Arc<Session>,
    request: Request<'_>,
    meta: &RequestMeta<'_>,
    outlet: &Arc<dyn Outlet>,
    flights: &Arc<Flights>,
) -> Option<Exchange> {
    let Request { id, method: name, params } = request;
    let address = Address { core, era: &ERA, features: session.features, id: &id, outlet: &**outlet };
    let context = || context(core, session, &params, meta, outlet);
    let step = match method(&name) {
        Some((Method::Subscribe | Method::Unsubscribe | Method::SetLevel, _)) if !session.lasts => {
            Err(ProtocolError::method_not_found(&name))
        }
        Some((_, offer)) if !core.offers(offer) => Err(ProtocolError::method_not_found(&name)),
        Some((method, _)) => params.check().and_then(|()| perform(core, session, method, &params, &context)),
        None => operation::extension(core, context(), &name, &params)
            .map(Step::Work)
            .ok_or_else(|| ProtocolError::method_not_found(&name)),
    };
    match step {
        Ok(Step::Reply(reply)) => {
            address.answer(Ok(reply));
            None
        }
        Ok(Step::Work(work)) => address.begin(work, flights),
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
    Work(Work),
}

fn perform(
    core: &Arc<Core>,
    session: &Session,
    method: Method,
    params: &Params<'_>,
    context: &dyn Fn() -> Ctx,
) -> Result<Step, ProtocolError> {
    let features = session.features;
    match method {
        Method::Ping => Ok(Step::Reply(Reply::Empty)),
        Method::ToolsList => operation::list(core, TOOLS, features, params).map(Step::Reply),
        Method::PromptsList => operation::list(core, PROMPTS, features, params).map(Step::Reply),
        Method::TemplatesList => operation::list(core, TEMPLATES, features, params).map(Step::Reply),
        Method::ResourcesList => operation::list_resources(core, context(), params).map(Step::Work),
        Method::ToolsCall => operation::call_tool(core, context(), params).map(Step::Work),
        Method::ResourcesRead => operation::read_resource(core, &ERA, context(), params).map(Step::Work),
        Method::PromptsGet => operation::get_prompt(core, context(), params).map(Step::Work),
        Method::Complete => operation::complete(core, context(), params).map(Step::Work),
        Method::Subscribe => {
            let uri = params.require_text("uri")?;
            session.subscribe(uri.into_owned())?;
            Ok(Step::Reply(Reply::Empty))
        }
        Method::Unsubscribe => {
            let uri = params.require_text("uri")?;
            session.unsubscribe(&uri);
            Ok(Step::Reply(Reply::Empty))
        }
        Method::SetLevel => {
            let level = params.require("level").map_err(|error| match params.raw("level") {
                Some(raw) if !raw.is_null() => ProtocolError::invalid_params(format!(
                    "`params.level` must be one of {}",
                    LogLevel::NAMES.map(|name| format!("\"{name}\"")).join(", ")
                )),
                _ => error,
            })?;
            session.peer.log_floor.set(level);
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
        client: ClientSource::Session(Arc::clone(&session.peer)),
        meta: params.raw("_meta").map(|raw| raw.get().into()),
        parsed_meta: OnceLock::new(),
        progress: meta.progress_token().map(Progress::new).map(Box::new),
        log_gate: LogGate::Session,
        cancel: Cancel::default(),
        deadline: OnceLock::new(),
        asking: Asking::new(Channel::Line, None),
        on_threads: AtomicUsize::new(0),
        muted: AtomicBool::new(false),
    };
    Ctx { call: Arc::new(call) }
}
