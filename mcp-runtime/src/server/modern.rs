//! The stateless era: 2026-07-28. Its method table, its checks, its subscriptions, its projection of results.

use std::collections::BTreeSet;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, OnceLock};

use bytes::Bytes;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::ask::{NOT_HERE, resume};
use super::core::{Core, Identity, Offer};
use super::exchange::{Address, Era, Exchange};
use super::flights::Flights;
use super::operation::{self, Work};
use super::reply::Reply;
use crate::handler::ask::Asking;
use crate::handler::cancel::Cancel;
use crate::handler::client::{Client, ClientSource};
use crate::handler::ctx::{CallState, Ctx};
use crate::handler::host::{Origin, Outlet};
use crate::handler::log::{LogGate, LogLevel};
use crate::handler::progress::Progress;
use crate::protocol::features::Features;
use crate::protocol::id::Id;
use crate::protocol::message::Request;
use crate::protocol::meta::{self, RequestMeta};
use crate::protocol::params::Params;
use crate::protocol::render::For;
use crate::protocol::{ErrorCode, ProtocolError, Revision, write};
use crate::registry::catalog::{PROMPTS, TEMPLATES, TOOLS};
use crate::registry::changes::{ChangeSet, Subscriber};
use crate::registry::entry::{Cache, CacheScope};

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

/// How this era writes.
pub(crate) static ERA: Era = Era { write_result, resource_not_found };

fn write_result(out: &mut Vec<u8>, core: &Core, reply: &Reply, features: &'static Features) {
    let kind = if matches!(reply, Reply::Asks { .. }) { "input_required" } else { "complete" };
    out.extend_from_slice(b"{\"resultType\":\"");
    out.extend_from_slice(kind.as_bytes());
    out.extend_from_slice(b"\",");
    if let Some(cache) = reply.cache() {
        write_cache(out, cache);
    }
    out.extend_from_slice(b"\"_meta\":");
    write_meta(out, core, reply.meta());
    let before = out.len();
    out.push(b',');
    reply.write_members(out, features);
    if out.len() == before + 1 {
        out.truncate(before);
    }
    out.push(b'}');
}

fn write_cache(out: &mut Vec<u8>, cache: Cache) {
    let scope = match cache.scope {
        CacheScope::Public => "public",
        CacheScope::Private => "private",
    };
    let milliseconds = u64::try_from(cache.ttl.as_millis()).unwrap_or(u64::MAX);
    out.extend_from_slice(format!("\"ttlMs\":{milliseconds},\"cacheScope\":\"{scope}\",").as_bytes());
}

/// `_meta` of a result: who answers, and what the author adds.
fn write_meta(out: &mut Vec<u8>, core: &Core, own: Option<&Map<String, Value>>) {
    out.push(b'{');
    out.extend_from_slice(&core.server_info);
    for (key, value) in own.into_iter().flatten() {
        out.push(b',');
        write::json(out, key);
        out.push(b':');
        write::json(out, value);
    }
    out.push(b'}');
}

/// The member of each result's `_meta` that says who answers.
pub(crate) fn server_info(identity: &Identity) -> Vec<u8> {
    let mut out = b"\"io.modelcontextprotocol/serverInfo\":".to_vec();
    write::json(&mut out, &For(identity, FEATURES));
    out
}

fn resource_not_found(uri: &str) -> ProtocolError {
    ProtocolError::invalid_params(format!("Resource not found: {uri}")).with_data(serde_json::json!({"uri": uri}))
}

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

/// The revision that a request claims to be of; an error unless it says all that every request must say about itself.
pub(crate) fn claimed_version(meta: &RequestMeta<'_>) -> Result<String, ProtocolError> {
    let missing: Vec<String> = [
        (meta::PROTOCOL_VERSION, meta.protocol_version.is_none()),
        (meta::CLIENT_CAPABILITIES, meta.client_capabilities.is_none()),
    ]
    .into_iter()
    .filter(|(_, missing)| *missing)
    .map(|(key, _)| format!("`{key}`"))
    .collect();
    if !missing.is_empty() {
        let text = format!(
            "`params._meta` lacks {}; a client of an earlier revision begins with `initialize`",
            missing.join(" and ")
        );
        return Err(ProtocolError::invalid_params(text));
    }
    let version = meta.protocol_version.and_then(|raw| serde_json::from_str(raw.get()).ok());
    version.ok_or_else(|| {
        ProtocolError::invalid_params(format!("`params._meta.{}` must be a string", meta::PROTOCOL_VERSION))
    })
}

/// What a request must say about itself before anything else is looked at.
pub(crate) fn check_meta(core: &Core, meta: &RequestMeta<'_>) -> Result<(), ProtocolError> {
    let version = claimed_version(meta)?;
    if !core.options.revisions.contains(&REVISION) || version != REVISION.as_str() {
        return Err(unsupported(core, &version));
    }
    // Their members are read when a handler asks; that it is an object is part of the envelope.
    if !meta.client_capabilities.is_some_and(|raw| raw.get().starts_with('{')) {
        return Err(ProtocolError::invalid_params(format!(
            "`params._meta.{}` must be an object",
            meta::CLIENT_CAPABILITIES
        )));
    }
    log_level(meta).map(drop)
}

/// -32022: the revision is not served.
pub(crate) fn unsupported(core: &Core, requested: &str) -> ProtocolError {
    let supported: Vec<&str> = (core.options.revisions.iter())
        .filter(|revision| revision.is_modern())
        .map(|revision| revision.as_str())
        .collect();
    ProtocolError::new(ErrorCode::UNSUPPORTED_PROTOCOL_VERSION, format!("Unsupported protocol version: {requested}"))
        .with_data(serde_json::json!({"supported": supported, "requested": requested}))
}

fn log_level(meta: &RequestMeta<'_>) -> Result<Option<LogLevel>, ProtocolError> {
    meta.log_level
        .map(|raw| {
            serde_json::from_str(raw.get()).map_err(|_| {
                ProtocolError::invalid_params(format!("`params._meta.{}` is not a log level", meta::LOG_LEVEL))
            })
        })
        .transpose()
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

/// Handles a request of this era, whose `_meta` has been checked.
pub(crate) fn request(
    core: &Arc<Core>,
    request: Request<'_>,
    meta: &RequestMeta<'_>,
    message: &Bytes,
    outlet: Arc<dyn Outlet>,
    flights: &Arc<Flights>,
) -> Step {
    let Request { id, method: name, params } = request;
    let address = Address { core: Arc::clone(core), era: &ERA, features: FEATURES, id, outlet };
    let Some((method, _)) = method(&name).filter(|(_, offer)| core.offers(*offer)) else {
        let ctx = context(core, &params, meta, &address.outlet, Asking::new(NOT_HERE, None));
        let call = Arc::clone(&ctx.call);
        return if let Some(work) = operation::extension(core, ctx, &name, &params) {
            depart(address, call, work, flights)
        } else {
            address.refuse(&ProtocolError::method_not_found(&name), Origin::Routing);
            Step::Done
        };
    };
    if method == Method::Listen {
        return match Listener::open(core, &address, &params) {
            Ok(listener) => Step::Listen(listener),
            Err(error) => {
                address.refuse(&error, Origin::Handler);
                Step::Done
            }
        };
    }
    let asking = if may_ask(method) {
        resume(core, &name, &params, message, &*address.outlet)
    } else {
        Ok(Asking::new(NOT_HERE, None))
    };
    let ctx = match asking {
        Ok(asking) => context(core, &params, meta, &address.outlet, asking),
        Err(error) => {
            address.refuse(&error, Origin::Handler);
            return Step::Done;
        }
    };
    let call = Arc::clone(&ctx.call);
    match perform(core, method, ctx, &params, message) {
        Ok(Performed::Reply(reply)) => {
            address.answer(Ok(reply));
            Step::Done
        }
        Ok(Performed::Work(work)) => depart(address, call, work, flights),
        Err(error) => {
            address.refuse(&error, Origin::Handler);
            Step::Done
        }
    }
}

fn depart(address: Address, call: Arc<CallState>, work: Work, flights: &Arc<Flights>) -> Step {
    if let Some(flight) = flights.depart(&address.id, &call) {
        Step::Work(Exchange::new(address, call, flight, work))
    } else {
        address.refuse(
            &ProtocolError::invalid_request("Invalid request: the id is in use by a request that is still running"),
            Origin::Envelope,
        );
        Step::Done
    }
}

enum Performed {
    Reply(Reply),
    Work(Work),
}

fn perform(
    core: &Arc<Core>,
    method: Method,
    ctx: Ctx,
    params: &Params<'_>,
    message: &Bytes,
) -> Result<Performed, ProtocolError> {
    match method {
        Method::Discover => Ok(Performed::Reply(discover(core))),
        Method::ToolsList => operation::list(core, TOOLS, FEATURES, params).map(Performed::Reply),
        Method::PromptsList => operation::list(core, PROMPTS, FEATURES, params).map(Performed::Reply),
        Method::TemplatesList => operation::list(core, TEMPLATES, FEATURES, params).map(Performed::Reply),
        Method::ResourcesList => operation::list_resources(core, ctx, params).map(Performed::Work),
        Method::ToolsCall => operation::call_tool(core, ctx, params, message).map(Performed::Work),
        Method::ResourcesRead => operation::read_resource(core, &ERA, ctx, params).map(Performed::Work),
        Method::PromptsGet => operation::get_prompt(core, ctx, params).map(Performed::Work),
        Method::Complete => operation::complete(core, params).map(Performed::Work),
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
        meta: params.raw("_meta").map(ToOwned::to_owned),
        parsed_meta: OnceLock::new(),
        progress: meta.progress_token().map(Progress::new),
        log_gate: LogGate::Request(log_level(meta).ok().flatten()),
        cancel: Cancel::default(),
        deadline: OnceLock::new(),
        pace: OnceLock::new(),
        asking,
        on_threads: AtomicUsize::new(0),
        muted: AtomicBool::new(false),
    };
    Ctx { call: Arc::new(call) }
}

/// The client as this one request describes it.
fn client(call: &CallState) -> Client {
    let meta = call
        .meta
        .as_deref()
        .and_then(|raw| serde_json::from_str::<RequestMeta<'_>>(raw.get()).ok())
        .unwrap_or_default();
    Client {
        revision: REVISION,
        info: meta.client_info().unwrap_or_default(),
        capabilities: meta.client_capabilities().unwrap_or_default(),
    }
}

/// What a subscription asks to hear.
#[derive(Clone, Debug, Default, Deserialize, Serialize)]
#[serde(rename_all = "camelCase", default)]
struct Filter {
    #[serde(skip_serializing_if = "is_false")]
    tools_list_changed: bool,
    #[serde(skip_serializing_if = "is_false")]
    prompts_list_changed: bool,
    #[serde(skip_serializing_if = "is_false")]
    resources_list_changed: bool,
    #[serde(skip_serializing_if = "BTreeSet::is_empty")]
    resource_subscriptions: BTreeSet<String>,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde's signature")]
const fn is_false(value: &bool) -> bool {
    !*value
}

/// A subscription listens to so many resources at most.
const MOST_LISTENED: usize = 10_000;

/// Their URIs have so many bytes at most, together.
const MOST_LISTENED_BYTES: usize = 256 * 1024;

/// An open `subscriptions/listen`. It hears of changes until it is dropped.
pub(crate) struct Listener {
    filter: Filter,
    address: Address,
    finished: AtomicBool,
}

impl Listener {
    fn open(core: &Arc<Core>, address: &Address, params: &Params<'_>) -> Result<Arc<Self>, ProtocolError> {
        params.check()?;
        let asked: Filter = params.require_object("notifications")?;
        let bytes: usize = asked.resource_subscriptions.iter().map(String::len).sum();
        if asked.resource_subscriptions.len() > MOST_LISTENED || bytes > MOST_LISTENED_BYTES {
            return Err(ProtocolError::invalid_params(format!(
                "more than {MOST_LISTENED} resources in one subscription, or {MOST_LISTENED_BYTES} bytes of them: open several"
            )));
        }
        let (tools, prompts, resources) =
            (core.offers(Offer::Tools), core.offers(Offer::Prompts), core.offers(Offer::Resources));
        let filter = Filter {
            tools_list_changed: asked.tools_list_changed && tools,
            prompts_list_changed: asked.prompts_list_changed && prompts,
            resources_list_changed: asked.resources_list_changed && resources,
            resource_subscriptions: if resources { asked.resource_subscriptions } else { BTreeSet::new() },
        };
        let listener = Arc::new(Self { filter, address: address.clone(), finished: AtomicBool::new(false) });
        // The acknowledgment first: nothing of a subscription may precede it.
        let acknowledged = serde_json::to_value(&listener.filter).unwrap_or_default();
        listener.send("notifications/subscriptions/acknowledged", [("notifications", acknowledged)]);
        core.changes.subscribe(&(Arc::clone(&listener) as Arc<dyn Subscriber>));
        Ok(listener)
    }

    /// The id of the request that opened it.
    pub(crate) const fn id(&self) -> &Id {
        &self.address.id
    }

    fn tag(&self) -> Value {
        serde_json::json!({meta::SUBSCRIPTION_ID: self.address.id})
    }

    fn send<const N: usize>(&self, method: &str, members: [(&str, Value); N]) {
        let mut params = Map::new();
        params.insert("_meta".to_owned(), self.tag());
        params.extend(members.map(|(key, value)| (key.to_owned(), value)));
        let mut message = Vec::new();
        write::notification(&mut message, method, Some(&params));
        self.address.outlet.notify(message);
    }

    /// Ends the subscription from our side: the client is told, once.
    pub(crate) fn finish(&self) {
        if self.finished.swap(true, Ordering::Relaxed) {
            return;
        }
        let mut out = Vec::new();
        write::result(&mut out, &self.address.id, |out| {
            write::json(out, &serde_json::json!({"resultType": "complete", "_meta": self.tag()}));
        });
        self.address.outlet.respond(out, Origin::Handler);
    }
}

impl Subscriber for Listener {
    fn changed(&self, changes: &ChangeSet) {
        if self.finished.load(Ordering::Relaxed) {
            return;
        }
        let lists = [
            (changes.tools && self.filter.tools_list_changed, "notifications/tools/list_changed"),
            (changes.prompts && self.filter.prompts_list_changed, "notifications/prompts/list_changed"),
            (changes.resources && self.filter.resources_list_changed, "notifications/resources/list_changed"),
        ];
        for (_, method) in lists.into_iter().filter(|(wanted, _)| *wanted) {
            self.send(method, []);
        }
        for uri in self.filter.resource_subscriptions.intersection(&changes.updated) {
            self.send("notifications/resources/updated", [("uri", uri.as_str().into())]);
        }
    }
}

/// The id that `notifications/cancelled` names.
pub(crate) fn cancelled_id(params: &Params<'_>) -> Option<Id> {
    params.get("requestId").ok().flatten()
}
