//! The stateless era: 2026-07-28. Here is its method table; beside it what requests say about themselves (`about`), its
//! subscriptions (`listener`), its projection of results (`result`).

mod about;
mod listener;
mod result;

use std::sync::atomic::{AtomicBool, AtomicUsize};
use std::sync::{Arc, OnceLock};

use bytes::Bytes;
use serde_json::Map;

pub(crate) use self::about::check_meta;
#[cfg(feature = "http")]
pub(crate) use self::about::claimed_version;
use self::about::{client, log_level};
pub(crate) use self::listener::Listener;
use self::result::ERA;
pub(crate) use self::result::server_info;
use super::ask::{NOT_HERE, resume};
use super::core::{Core, Offer};
use super::exchange::{Address, Exchange};
use super::flights::Flights;
use super::operation::{self, Work};
use super::reply::Reply;
use crate::handler::ask::Asking;
use crate::handler::cancel::Cancel;
use crate::handler::client::ClientSource;
use crate::handler::ctx::{CallState, Ctx};
use crate::handler::host::{Origin, Outlet};
use crate::handler::log::LogGate;
use crate::handler::progress::Progress;
use crate::protocol::features::Features;
use crate::protocol::id::Id;
use crate::protocol::message::Request;
use crate::protocol::meta::RequestMeta;
use crate::protocol::params::Params;
use crate::protocol::{ProtocolError, Revision, write};
use crate::registry::catalog::{PROMPTS, TEMPLATES, TOOLS};

/// What a method does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Method {
    Discover,
    ToolsList,
    ToolsCall,
    ResourcesList,
    TemplatesList,
    ResourcesRead,
    PromptsList,
    PromptsGet,
    Complete,
    Listen,
}

/// The methods of this era, each with what must be offered for it.
fn method(name: &str) -> Option<(Method, Offer)> {
    Some(match name {
        "server/discover" => (Method::Discover, Offer::Base),
        "tools/list" => (Method::ToolsList, Offer::Tools),
        "tools/call" => (Method::ToolsCall, Offer::Tools),
        "resources/list" => (Method::ResourcesList, Offer::Resources),
        "resources/templates/list" => (Method::TemplatesList, Offer::Resources),
        "resources/read" => (Method::ResourcesRead, Offer::Resources),
        "prompts/list" => (Method::PromptsList, Offer::Prompts),
        "prompts/get" => (Method::PromptsGet, Offer::Prompts),
        "completion/complete" => (Method::Complete, Offer::Completions),
        "subscriptions/listen" => (Method::Listen, Offer::Base),
        _ => return None,
    })
}

/// The revision of this era.
const REVISION: Revision = Revision::V2026_07_28;

/// What a peer of this era understands.
pub(crate) const FEATURES: &Features = Features::of(REVISION);

/// Whether only this era has the method.
#[cfg(feature = "http")]
pub(crate) fn is_own(name: &str) -> bool {
    matches!(method(name), Some((Method::Discover | Method::Listen, _)))
}

/// Whether the method opens a subscription.
#[cfg(feature = "http")]
pub(crate) fn listens(name: &str) -> bool {
    matches!(method(name), Some((Method::Listen, _)))
}

/// Whether the method calls a tool.
#[cfg(feature = "http")]
pub(crate) fn is_call(name: &str) -> bool {
    matches!(method(name), Some((Method::ToolsCall, _)))
}

/// The member of `params` that a header repeats as the name of what is asked for.
#[cfg(feature = "http")]
pub(crate) fn name_member(name: &str) -> Option<&'static str> {
    match method(name)?.0 {
        Method::ToolsCall | Method::PromptsGet => Some("name"),
        Method::ResourcesRead => Some("uri"),
        _ => None,
    }
}

/// What becomes of a request.
pub(crate) enum Step {
    /// It has been answered.
    Done,
    /// A handler works on it.
    Work(Exchange),
    /// It stays open until the listener is dropped.
    Listen(Arc<Listener>),
}

/// Handles a request of this era, whose `_meta` has been checked. A call that may ask keeps its `message`.
pub(crate) fn request(
    core: &Arc<Core>,
    request: Request<'_>,
    meta: &RequestMeta<'_>,
    message: &dyn Fn() -> Bytes,
    outlet: &Arc<dyn Outlet>,
    flights: &Arc<Flights>,
) -> Step {
    let Request { id, method: name, params } = request;
    let address = Address { core, era: &ERA, features: FEATURES, id: &id, outlet: &**outlet };
    let Some((method, _)) = method(&name).filter(|(_, offer)| core.offers(*offer)) else {
        let ctx = context(core, &params, meta, outlet, Asking::new(NOT_HERE, None));
        return if let Some(work) = operation::extension(core, ctx, &name, &params) {
            address.begin(work, flights).map_or(Step::Done, Step::Work)
        } else {
            address.refuse(&ProtocolError::method_not_found(&name), Origin::Routing);
            Step::Done
        };
    };
    if method == Method::Listen {
        return match Listener::open(core, id.clone(), outlet, &params) {
            Ok(listener) => Step::Listen(listener),
            Err(error) => {
                address.refuse(&error, Origin::Handler);
                Step::Done
            }
        };
    }
    let asking = if may_ask(method) {
        resume(core, &name, &params, message, &**outlet)
    } else {
        Ok(Asking::new(NOT_HERE, None))
    };
    let ctx = match asking {
        Ok(asking) => context(core, &params, meta, outlet, asking),
        Err(error) => {
            address.refuse(&error, Origin::Handler);
            return Step::Done;
        }
    };
    match perform(core, method, ctx, &params) {
        Ok(Performed::Reply(reply)) => {
            address.answer(Ok(reply));
            Step::Done
        }
        Ok(Performed::Work(work)) => address.begin(work, flights).map_or(Step::Done, Step::Work),
        Err(error) => {
            address.refuse(&error, Origin::Handler);
            Step::Done
        }
    }
}

enum Performed {
    Reply(Reply),
    Work(Work),
}

fn perform(core: &Arc<Core>, method: Method, ctx: Ctx, params: &Params<'_>) -> Result<Performed, ProtocolError> {
    match method {
        Method::Discover => Ok(Performed::Reply(discover(core))),
        Method::ToolsList => operation::list(core, TOOLS, FEATURES, params).map(Performed::Reply),
        Method::PromptsList => operation::list(core, PROMPTS, FEATURES, params).map(Performed::Reply),
        Method::TemplatesList => operation::list(core, TEMPLATES, FEATURES, params).map(Performed::Reply),
        Method::ResourcesList => operation::list_resources(core, ctx, params).map(Performed::Work),
        Method::ToolsCall => operation::call_tool(core, ctx, params).map(Performed::Work),
        Method::ResourcesRead => operation::read_resource(core, &ERA, ctx, params).map(Performed::Work),
        Method::PromptsGet => operation::get_prompt(core, ctx, params).map(Performed::Work),
        Method::Complete => operation::complete(core, ctx, params).map(Performed::Work),
        Method::Listen => Err(ProtocolError::internal("Internal error: a subscription is no call")),
    }
}

/// `server/discover`
fn discover(core: &Core) -> Reply {
    let mut members = Map::new();
    let versions: Vec<&str> = (core.options.revisions.iter())
        .filter(|revision| revision.is_modern())
        .map(|revision| revision.as_str())
        .collect();
    members.insert("supportedVersions".to_owned(), versions.into());
    members.insert("capabilities".to_owned(), core.capabilities(FEATURES).into());
    if let Some(instructions) = &core.instructions {
        members.insert("instructions".to_owned(), instructions.clone().into());
    }
    let mut out = Vec::new();
    write::json(&mut out, &members);
    // The members alone: the braces are the era's.
    let members = Bytes::from(out).slice(1..);
    let members = members.slice(..members.len().saturating_sub(1));
    Reply::Page { members, cache: core.options.list_cache }
}

/// Whether a client can be sent away with questions from this method.
const fn may_ask(method: Method) -> bool {
    matches!(method, Method::ToolsCall | Method::ResourcesRead | Method::PromptsGet)
}

fn context(
    core: &Arc<Core>,
    params: &Params<'_>,
    meta: &RequestMeta<'_>,
    outlet: &Arc<dyn Outlet>,
    asking: Asking,
) -> Ctx {
    let call = CallState {
        host: Arc::clone(core) as _,
        outlet: Arc::clone(outlet),
        features: FEATURES,
        client: ClientSource::Meta { raw: client, read: OnceLock::new() },
        meta: params.raw("_meta").map(|raw| raw.get().into()),
        parsed_meta: OnceLock::new(),
        progress: meta.progress_token().map(Progress::new).map(Box::new),
        log_gate: LogGate::Request(log_level(meta).ok().flatten()),
        cancel: Cancel::default(),
        deadline: OnceLock::new(),
        asking,
        on_threads: AtomicUsize::new(0),
        muted: AtomicBool::new(false),
    };
    Ctx { call: Arc::new(call) }
}

/// The id that `notifications/cancelled` names.
pub(crate) fn cancelled_id(params: &Params<'_>) -> Option<Id> {
    params.get("requestId").ok().flatten()
}
