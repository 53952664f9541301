//! `Server`: what the author says once. The check of all of it is in `build`.

mod build;
#[cfg(test)]
mod tests;

use std::any::{Any, TypeId};
use std::fmt;
use std::future::Future;
use std::sync::Arc;
use std::time::Duration;

use serde_json::{Map, Value};

use super::built::Hooks;
use super::core::{Identity, Method, Options};
use super::hook::{self, Around, CallInfo, Next, Outcome};
use crate::handler::ask::{LocalReplays, ReplayStore};
use crate::handler::ctx::Ctx;
use crate::handler::error::{HandlerError, Result};
use crate::handler::extract::{Shared, State};
use crate::protocol::{Icon, Revision};
use crate::registry::build::{Builder, Given, Prefix};
use crate::registry::define::{Definition, PromptDefinition, ResourceDefinition, ToolDefinition};
use crate::registry::entry::{Cache, CacheScope, Location};
use crate::registry::item::{PromptItem, ResourceItem, ToolItem};
use crate::schema::SchemaProfile;
use crate::sorted::Sorted;

/// Makes an item of a definition. It is named where one is added alone: a server without them does not link it.
type Defined<I> = Box<dyn FnOnce(&mut Builder<'_>) -> Option<I> + Send + Sync>;

/// A server: every annotated function that is linked into the program, and what the author adds here.
///
/// ```no_run
/// # use mcp_runtime::prelude::*;
/// # /// Say hello.
/// # #[tool]
/// # fn hello() -> &'static str { "hello" }
/// # #[tokio::main]
/// # async fn main() -> mcp_runtime::Result<()> {
/// mcp_runtime::server!() // name and version of the calling crate
///     .instructions("Says hello.")
///     .serve_stdio()
///     .await
/// # }
/// ```
#[must_use = "a server does nothing until it is run"]
pub struct Server {
    identity: Identity,
    /// Where it was made.
    at: Location,
    instructions: Option<String>,
    pub(super) options: Options,
    states: Vec<(Given, Box<dyn Any + Send + Sync>)>,
    /// What is named by each setter, and where.
    groups: Sorted<String, Location>,
    only: Sorted<String, Location>,
    exclude: Sorted<String, Location>,
    prefixes: Sorted<String, Prefix>,
    tools: Vec<Defined<ToolItem>>,
    resources: Vec<Defined<ResourceItem>>,
    prompts: Vec<Defined<PromptItem>>,
    methods: Sorted<String, Method>,
    around: Option<Around>,
    hooks: Hooks,
    replays: Arc<dyn ReplayStore>,
    allow_empty: bool,
    #[cfg(feature = "http")]
    state_keys: Vec<String>,
}

impl fmt::Debug for Server {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Server")
            .field("name", &self.identity.name)
            .field("version", &self.identity.version)
            .finish_non_exhaustive()
    }
}

impl Server {
    /// A server with this name and version; [`server!`](crate::server) takes them from the calling crate.
    #[track_caller]
    pub fn new(name: impl Into<String>, version: impl Into<String>) -> Self {
        Self {
            at: Location::caller(),
            identity: Identity {
                name: name.into(),
                version: version.into(),
                title: None,
                description: None,
                website: None,
                icons: Vec::new(),
            },
            instructions: None,
            options: Options::default(),
            states: Vec::new(),
            groups: Sorted::default(),
            only: Sorted::default(),
            exclude: Sorted::default(),
            prefixes: Sorted::default(),
            tools: Vec::new(),
            resources: Vec::new(),
            prompts: Vec::new(),
            methods: Sorted::default(),
            around: None,
            hooks: Hooks::default(),
            replays: Arc::new(LocalReplays::default()),
            allow_empty: false,
            #[cfg(feature = "http")]
            state_keys: Vec::new(),
        }
    }

    /// The server's name for people.
    pub fn title(mut self, title: impl Into<String>) -> Self {
        self.identity.title = Some(title.into());
        self
    }

    /// What the server is, for people.
    pub fn description(mut self, text: impl Into<String>) -> Self {
        self.identity.description = Some(text.into());
        self
    }

    /// Where people read more.
    pub fn website(mut self, url: impl Into<String>) -> Self {
        self.identity.website = Some(url.into());
        self
    }

    /// A picture.
    pub fn icon(mut self, icon: Icon) -> Self {
        self.identity.icons.push(icon);
        self
    }

    /// What the model should know to use the server well.
    pub fn instructions(mut self, text: impl Into<String>) -> Self {
        self.instructions = Some(text.into());
        self
    }

    /// Gives state to the handlers that have a [`State<T>`] parameter. One of each type, which is `Send + Sync + 'static`.
    #[track_caller]
    pub fn state<T: Shared>(self, value: T) -> Self {
        self.shared_state(Arc::new(value))
    }

    /// Gives state that is shared already, or that handlers know as a trait object: `State<dyn Store>`.
    #[track_caller]
    pub fn shared_state<T: ?Sized + Shared>(mut self, value: Arc<T>) -> Self {
        let given = Given { id: TypeId::of::<T>(), name: std::any::type_name::<T>(), at: Location::caller() };
        self.states.push((given, Box::new(State::from_arc(value))));
        self
    }

    /// Narrows to the handlers of this group, and of those named by further calls.
    #[track_caller]
    pub fn group(mut self, group: impl Into<String>) -> Self {
        self.groups.insert(group.into(), Location::caller());
        self
    }

    /// Narrows to the handlers of these crates.
    #[track_caller]
    pub fn only<S: Into<String>>(mut self, crates: impl IntoIterator<Item = S>) -> Self {
        let at = Location::caller();
        crates.into_iter().for_each(|name| self.only.insert(crate_name(name), at));
        self
    }

    /// Leaves out the handlers of these crates.
    #[track_caller]
    pub fn exclude<S: Into<String>>(mut self, crates: impl IntoIterator<Item = S>) -> Self {
        let at = Location::caller();
        crates.into_iter().for_each(|name| self.exclude.insert(crate_name(name), at));
        self
    }

    /// Puts `prefix` in front of the names of a crate's handlers.
    #[track_caller]
    pub fn prefix(mut self, from: impl Into<String>, prefix: impl Into<String>) -> Self {
        self.prefixes.insert(crate_name(from), Prefix { text: prefix.into(), at: Location::caller() });
        self
    }

    /// Adds a tool that is made at run time, a [`ToolDefinition`].
    #[track_caller]
    pub fn tool(mut self, tool: impl Definition<ToolDefinition>) -> Self {
        let (tool, at) = (tool.definition(), Location::caller());
        self.tools.push(Box::new(move |builder| Some(builder.defined_tool(tool, at))));
        self
    }

    /// Adds a resource that is made at run time, a [`ResourceDefinition`].
    #[track_caller]
    pub fn resource(mut self, resource: impl Definition<ResourceDefinition>) -> Self {
        let (resource, at) = (resource.definition(), Location::caller());
        self.resources.push(Box::new(move |builder| builder.defined_resource(resource, at)));
        self
    }

    /// Adds a prompt that is made at run time, a [`PromptDefinition`].
    #[track_caller]
    pub fn prompt(mut self, prompt: impl Definition<PromptDefinition>) -> Self {
        let (prompt, at) = (prompt.definition(), Location::caller());
        self.prompts.push(Box::new(move |builder| Some(builder.defined_prompt(prompt, at))));
        self
    }

    /// Adds a method of your own, e.g. `acme/search`; it takes and returns an object.
    pub fn method<F, Fut, E>(mut self, name: impl Into<String>, function: F) -> Self
    where
        F: Fn(Ctx, Map<String, Value>) -> Fut + Send + Sync + 'static,
        Fut: Future<Output = Result<Map<String, Value>, E>> + Send + 'static,
        E: HandlerError,
    {
        let method: Method = Arc::new(move |ctx, params| {
            let future = function(ctx, params);
            Box::pin(async move { future.await.map_err(HandlerError::into_failure) })
        });
        self.methods.insert(name.into(), method);
        self
    }

    /// Surrounds every call of a tool, resource or prompt, for audit and metrics.
    ///
    /// ```
    /// # use mcp_runtime::Server;
    /// let server = Server::new("audited", "1.0.0").around(|call, next| async move {
    ///     let started = std::time::Instant::now();
    ///     let outcome = next.run().await;
    ///     eprintln!("{} took {:?}, failed: {}", call.name(), started.elapsed(), outcome.is_error());
    ///     outcome
    /// });
    /// # let _ = server;
    /// ```
    pub fn around<F, Fut>(mut self, hook: F) -> Self
    where
        F: Fn(CallInfo, Next) -> Fut + Send + Sync + 'static,
        Fut: Future<Output = Outcome> + Send + 'static,
    {
        self.around = Some(hook::around(hook));
        self
    }

    /// Runs before the first client is served; an error keeps the server from starting.
    pub fn on_start(mut self, future: impl Future<Output = Result<()>> + Send + 'static) -> Self {
        self.hooks.start.push(Box::pin(future));
        self
    }

    /// Runs after the last client is served.
    pub fn on_shutdown(mut self, future: impl Future<Output = ()> + Send + 'static) -> Self {
        self.hooks.shutdown.push(Box::pin(future));
        self
    }

    /// How many entries a page of a list has at most (1000). Many clients read the first page only.
    pub fn page_size(mut self, entries: usize) -> Self {
        self.options.page_size = entries.max(1);
        self
    }

    /// Sends a reference number instead of a failed handler's text, which goes to the log.
    pub const fn mask_errors(mut self) -> Self {
        self.options.mask_errors = true;
        self
    }

    /// How long clients may keep lists, and who may (sent from 2026-07-28; not at all by default).
    pub const fn cache(mut self, ttl: Duration, scope: CacheScope) -> Self {
        self.options.list_cache = Cache { ttl, scope };
        self
    }

    /// The longest message that is read, in bytes (16 MiB). A longer one is skipped and answered with an error.
    pub const fn max_message_size(mut self, bytes: usize) -> Self {
        self.options.max_message = bytes;
        self
    }

    /// How long requests may go on after the end of the input (30 s).
    pub const fn shutdown_grace(mut self, grace: Duration) -> Self {
        self.options.shutdown_grace = grace;
        self
    }

    /// How long the answers to one round of questions are waited for (10 minutes; in 2026-07-28).
    pub const fn state_ttl(mut self, ttl: Duration) -> Self {
        self.options.state_ttl = ttl;
        self
    }

    /// Where [`Ctx::commit_once`] notes what was done, for several instances to share. By default it is this process's memory.
    pub fn replay_store(mut self, store: impl ReplayStore) -> Self {
        self.replays = Arc::new(store);
        self
    }

    /// How schemas are shaped for clients.
    pub const fn schema_profile(mut self, profile: SchemaProfile) -> Self {
        self.options.profile = profile;
        self
    }

    /// Refuses arguments that are not exactly of their type, and unknown ones.
    pub const fn strict_arguments(mut self) -> Self {
        self.options.reading.strict = true;
        self
    }

    /// Checks the constraints inside nested types, too, on every call.
    pub const fn validate_arguments(mut self) -> Self {
        self.options.reading.validate = true;
        self
    }

    /// Serves these revisions only.
    pub fn revisions(mut self, revisions: impl IntoIterator<Item = Revision>) -> Self {
        self.options.revisions = revisions.into_iter().collect();
        self.options.revisions.sort_unstable();
        self.options.revisions.dedup();
        self
    }

    /// Starts although there is nothing to offer yet; everything is added through the handle later.
    pub const fn allow_empty(mut self) -> Self {
        self.allow_empty = true;
        self
    }

    /// The key that seals what HTTP clients keep for the server: session ids and the state of questions.
    ///
    /// 32 bytes as Base64 or hexadecimal digits, from `openssl rand -base64 32`. With several calls the first key seals and
    /// all of them open, so that a new one can be put in front. Without one, `MCP_STATE_KEY` is read (several keys with commas
    /// between them), and without that the key is random: sessions then end with the process, and are known to it alone.
    #[cfg(feature = "http")]
    pub fn state_key(mut self, key: impl Into<String>) -> Self {
        self.state_keys.push(key.into());
        self
    }

    /// Who it will be, for its command line.
    #[cfg(feature = "cli")]
    pub(crate) const fn identity(&self) -> &Identity {
        &self.identity
    }
}

/// A crate by its name in code: Cargo's `my-crate` is `my_crate` there.
fn crate_name(name: impl Into<String>) -> String {
    name.into().replace('-', "_")
}
