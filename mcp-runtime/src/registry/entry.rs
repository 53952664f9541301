//! The static entries: what an expansion says about a function, as data.

use std::time::Duration;

use serde_json::Value;

use super::list::ListFn;
use crate::handler::arguments::{Arguments, Refused};
use crate::handler::call::Call;
use crate::handler::ctx::Ctx;
use crate::handler::param_info::ParamInfo;
use crate::handler::prepare::Prepare;
use crate::handler::prompt::Messages;
use crate::handler::tool_result::ToolResult;
use crate::protocol::{Icon, ResourceContents, Role};
use crate::schema::{SchemaFn, TypeSchema};

/// Where a function stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Location {
    /// The source file.
    pub file: &'static str,
    /// The line of its attribute.
    pub line: u32,
    /// The module, starting with the crate.
    pub module: &'static str,
}

impl Location {
    /// The crate.
    pub(crate) fn crate_name(&self) -> &'static str {
        self.module.find(':').and_then(|end| self.module.get(..end)).unwrap_or(self.module)
    }
}

impl std::fmt::Display for Location {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}:{}", self.file, self.line)
    }
}

/// Calls a handler with its arguments.
pub(crate) type CallFn<R> = for<'c> fn(&'c Ctx, &mut Arguments<'_>) -> Result<Call<'c, R>, Refused>;

/// What the three kinds of handler have in common.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Handler {
    pub(crate) name: &'static str,
    pub(crate) title: Option<&'static str>,
    pub(crate) description: &'static str,
    pub(crate) icon: Option<fn() -> Icon>,
    pub(crate) group: Option<&'static str>,
    pub(crate) timeout: Option<Duration>,
    pub(crate) disabled: bool,
    pub(crate) meta: Option<fn() -> Value>,
    pub(crate) at: Location,
    pub(crate) params: &'static [ParamInfo],
    pub(crate) prepare: &'static [Option<Prepare>],
}

impl Handler {
    const fn new(name: &'static str, at: Location, params: &'static [ParamInfo]) -> Self {
        Self {
            name,
            title: None,
            description: "",
            icon: None,
            group: None,
            timeout: None,
            disabled: false,
            meta: None,
            at,
            params,
            prepare: &[],
        }
    }
}

/// Hints about what a tool does; those not written are not sent.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Hints {
    pub(crate) read_only: Option<bool>,
    pub(crate) destructive: Option<bool>,
    pub(crate) idempotent: Option<bool>,
    pub(crate) open_world: Option<bool>,
}

/// So many calls in so much time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rate {
    pub(crate) calls: u32,
    pub(crate) per: Duration,
}

/// A function with `#[tool]`.
#[derive(Clone, Copy, Debug)]
pub struct ToolEntry {
    pub(crate) handler: Handler,
    pub(crate) hints: Hints,
    pub(crate) max_concurrency: Option<usize>,
    pub(crate) rate_limit: Option<Rate>,
    pub(crate) output: Option<TypeSchema>,
    pub(crate) call: CallFn<ToolResult>,
}

/// Who may keep a copy of a result, see <https://modelcontextprotocol.io/specification/draft/server/utilities/caching>.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CacheScope {
    /// Anybody on the way: the result is the same for everyone.
    Public,
    /// Only the client that asked.
    Private,
}

/// How long a result may be kept, and by whom.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Cache {
    pub(crate) ttl: Duration,
    pub(crate) scope: CacheScope,
}

impl Default for Cache {
    fn default() -> Self {
        Self { ttl: Duration::ZERO, scope: CacheScope::Private }
    }
}

/// A function with `#[resource]`.
#[derive(Clone, Copy, Debug)]
pub struct ResourceEntry {
    pub(crate) handler: Handler,
    pub(crate) uri: &'static str,
    pub(crate) mime: Option<&'static str>,
    pub(crate) list: Option<ListFn>,
    pub(crate) size: Option<u64>,
    pub(crate) audience: &'static [Role],
    pub(crate) priority: Option<f64>,
    pub(crate) cache: Option<Cache>,
    pub(crate) call: CallFn<Option<Vec<ResourceContents>>>,
}

/// A function with `#[prompt]`.
#[derive(Clone, Copy, Debug)]
pub struct PromptEntry {
    pub(crate) handler: Handler,
    pub(crate) call: CallFn<Messages>,
}

/// Starts a tool's entry.
#[must_use]
pub const fn tool(
    name: &'static str,
    at: Location,
    params: &'static [ParamInfo],
    output: Option<SchemaFn>,
    call: CallFn<ToolResult>,
) -> ToolEntry {
    ToolEntry {
        handler: Handler::new(name, at, params),
        hints: Hints { read_only: None, destructive: None, idempotent: None, open_world: None },
        max_concurrency: None,
        rate_limit: None,
        output: match output {
            Some(make) => Some(TypeSchema::made(make)),
            None => None,
        },
        call,
    }
}

/// Starts a resource's entry; `mime` is what its return type says.
#[must_use]
pub const fn resource(
    uri: &'static str,
    name: &'static str,
    at: Location,
    params: &'static [ParamInfo],
    mime: Option<&'static str>,
    call: CallFn<Option<Vec<ResourceContents>>>,
) -> ResourceEntry {
    ResourceEntry {
        handler: Handler::new(name, at, params),
        uri,
        mime,
        list: None,
        size: None,
        audience: &[],
        priority: None,
        cache: None,
        call,
    }
}

/// Starts a prompt's entry.
#[must_use]
pub const fn prompt(
    name: &'static str,
    at: Location,
    params: &'static [ParamInfo],
    call: CallFn<Messages>,
) -> PromptEntry {
    PromptEntry { handler: Handler::new(name, at, params), call }
}

/// Const setters: `name(type) => path = value;`.
macro_rules! setters {
    ($type:ty { $($(#[$doc:meta])* $name:ident($value:ident: $of:ty) => $($field:ident).+ = $set:expr;)+ }) => {
        impl $type {
            $($(#[$doc])*
            #[must_use]
            pub const fn $name(mut self, $value: $of) -> Self {
                self.$($field).+ = $set;
                self
            })+
        }
    };
}

macro_rules! shared_setters {
    ($($type:ty),+) => {$(
        setters!($type {
            /// A name for people.
            title(title: &'static str) => handler.title = Some(title);
            /// What it does.
            description(text: &'static str) => handler.description = text;
            /// Its picture.
            icon(make: fn() -> Icon) => handler.icon = Some(make);
            /// The group that [`Server::group`](crate::Server::group) narrows to.
            group(group: &'static str) => handler.group = Some(group);
            /// How long it may run.
            timeout(timeout: Duration) => handler.timeout = Some(timeout);
            /// Whether it starts disabled.
            disabled(disabled: bool) => handler.disabled = disabled;
            /// Its `_meta`.
            meta(make: fn() -> Value) => handler.meta = Some(make);
            /// What is made before the call.
            prepare(prepare: &'static [Option<Prepare>]) => handler.prepare = prepare;
        });
    )+};
}

shared_setters!(ToolEntry, ResourceEntry, PromptEntry);

setters!(ToolEntry {
    /// It changes nothing.
    read_only(yes: bool) => hints.read_only = Some(yes);
    /// It may destroy something.
    destructive(yes: bool) => hints.destructive = Some(yes);
    /// Calling it twice is like calling it once.
    idempotent(yes: bool) => hints.idempotent = Some(yes);
    /// It reaches beyond what it knows.
    open_world(yes: bool) => hints.open_world = Some(yes);
    /// How many calls may run at once.
    max_concurrency(calls: usize) => max_concurrency = Some(calls);
    /// How often it may be called.
    rate_limit(rate: Rate) => rate_limit = Some(rate);
});

setters!(ResourceEntry {
    /// Its media type.
    mime(mime: &'static str) => mime = Some(mime);
    /// What enumerates it.
    list(list: ListFn) => list = Some(list);
    /// Its size in bytes.
    size(bytes: u64) => size = Some(bytes);
    /// Who it is for.
    audience(audience: &'static [Role]) => audience = audience;
    /// How important it is.
    priority(priority: f64) => priority = Some(priority);
});

impl ResourceEntry {
    /// How long a read may be kept, and by whom.
    #[must_use]
    pub const fn cache(mut self, ttl: Duration, scope: CacheScope) -> Self {
        self.cache = Some(Cache { ttl, scope });
        self
    }
}
