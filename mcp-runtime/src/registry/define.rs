//! Definitions made while the program runs: described by a builder, finished by the function that serves them.

use std::borrow::Cow;
use std::fmt;
use std::future::Future;
use std::sync::Arc;
use std::time::Duration;

use serde_json::{Map, Value};

use super::entry::{Cache, CacheScope, Hints};
use crate::handler::call::{BoxFuture, Made};
use crate::handler::ctx::Ctx;
use crate::handler::output::{PromptOutput, ResourceOutput, ToolOutput};
use crate::handler::prompt::Messages;
use crate::handler::tool_result::ToolResult;
use crate::protocol::{Annotations, Icon, IntoText, ResourceContents, on_each};

/// What is added at run time: a tool, resource or prompt that its function has finished.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a `{D}`",
    label = "cannot be added",
    note = "a function with an attribute is there without being added; at run time it is `Tool::new(…).call(…)`, `Resource::new(…).read(…)` or `Prompt::new(…).get(…)`"
)]
pub trait Definition<D> {
    /// The definition itself.
    fn definition(self) -> D;
}

/// A definition is one, behind a blanket implementation: the compiler then says no more than those words.
pub trait Itself<D> {
    fn itself(self) -> D;
}

impl<D> Itself<D> for D {
    fn itself(self) -> D {
        self
    }
}

#[diagnostic::do_not_recommend]
impl<D, T: Itself<D>> Definition<D> for T {
    fn definition(self) -> D {
        self.itself()
    }
}

/// What the function of a definition gives: a future.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is no future: what serves a definition is `async`",
    label = "its function is not `async`",
    note = "write `|ctx, args| async move {{ … }}`"
)]
pub trait IsFuture: Sized {
    /// What it gives in the end.
    type Value;

    /// The future, and what becomes of its value.
    fn then<R: 'static>(self, into: fn(Self::Value) -> R) -> BoxFuture<'static, R>
    where
        Self: Send + 'static;
}

#[diagnostic::do_not_recommend]
impl<F: Future> IsFuture for F {
    type Value = F::Output;

    fn then<R: 'static>(self, into: fn(F::Output) -> R) -> BoxFuture<'static, R>
    where
        F: Send + 'static,
    {
        Box::pin(async move { into(self.await) })
    }
}

/// The function of a definition, which serves many calls at a time.
#[diagnostic::on_unimplemented(
    message = "threads share what serves a definition, and this function captures what they cannot share",
    label = "is not `Send + Sync + 'static`",
    note = "capture `Arc` instead of `Rc`, put a `Mutex` around what changes, and borrow nothing"
)]
pub trait Captures: Send + Sync + 'static {}

#[diagnostic::do_not_recommend]
impl<F: Send + Sync + 'static> Captures for F {}

/// What all definitions say.
#[derive(Clone, Debug, Default)]
pub(crate) struct About {
    pub(crate) name: Cow<'static, str>,
    pub(crate) title: Option<Cow<'static, str>>,
    pub(crate) description: Cow<'static, str>,
    pub(crate) icons: Vec<Icon>,
    pub(crate) meta: Map<String, Value>,
    pub(crate) timeout: Option<Duration>,
}

on_each! {
    Tool, Resource, Prompt => {
        /// A name for people.
        pub fn title(mut self, title: impl IntoText) -> Self {
            self.about.title = Some(title.into_text());
            self
        }

        /// What it is for; the model reads this.
        pub fn description(mut self, text: impl IntoText) -> Self {
            self.about.description = text.into_text();
            self
        }

        /// A picture.
        pub fn icon(mut self, icon: Icon) -> Self {
            self.about.icons.push(icon);
            self
        }

        /// Adds a member to `_meta`; the key is `prefix/name` with a prefix of your own.
        pub fn meta(mut self, key: impl Into<String>, value: impl Into<Value>) -> Self {
            self.about.meta.insert(key.into(), value.into());
            self
        }

        /// How long a call may run.
        pub fn timeout(mut self, timeout: Duration) -> Self {
            self.about.timeout = Some(timeout);
            self
        }
    }
}

/// A closure that serves what was added while the program runs.
pub(crate) type DynHandler<R> = Arc<dyn Fn(Ctx, Map<String, Value>) -> BoxFuture<'static, Made<R>> + Send + Sync>;

/// Describes a tool that is made while the program runs; [`call`](Self::call) finishes it.
///
/// ```
/// use mcp_runtime::Tool;
/// use serde_json::json;
///
/// let shout = Tool::new("shout")
///     .description("Say it loudly.")
///     .input_schema(json!({"type": "object", "properties": {"text": {"type": "string"}}, "required": ["text"]}))
///     .call(|_ctx, args| async move { args["text"].as_str().unwrap_or_default().to_uppercase() });
/// # let _ = shout;
/// ```
#[derive(Clone, Debug)]
#[must_use = "a description does nothing until `.call(…)` finishes it"]
pub struct Tool {
    about: About,
    input: Option<Value>,
    output: Option<Value>,
    hints: Hints,
}

impl Tool {
    /// A tool of this name.
    pub fn new(name: impl IntoText) -> Self {
        Self {
            about: About { name: name.into_text(), ..About::default() },
            input: None,
            output: None,
            hints: Hints::default(),
        }
    }

    /// The JSON Schema of its arguments, sent as it is; its root must be an object. Without one there are no arguments.
    ///
    /// It is of the dialect 2020-12 unless its `$schema` names 2019-09, draft-07 or draft-06, and refers to nothing outside
    /// of itself: nothing is ever fetched.
    pub fn input_schema(mut self, schema: Value) -> Self {
        self.input = Some(schema);
        self
    }

    /// The JSON Schema of its structured content, sent as it is. What does not fit it is an error in place of a result.
    pub fn output_schema(mut self, schema: Value) -> Self {
        self.output = Some(schema);
        self
    }

    /// Whether it changes nothing.
    pub const fn read_only(mut self, yes: bool) -> Self {
        self.hints.read_only = Some(yes);
        self
    }

    /// Whether it may destroy something.
    pub const fn destructive(mut self, yes: bool) -> Self {
        self.hints.destructive = Some(yes);
        self
    }

    /// Whether calling it twice is like calling it once.
    pub const fn idempotent(mut self, yes: bool) -> Self {
        self.hints.idempotent = Some(yes);
        self
    }

    /// Whether it reaches beyond what it knows.
    pub const fn open_world(mut self, yes: bool) -> Self {
        self.hints.open_world = Some(yes);
        self
    }

    /// The function that serves it: `async`, with a result as that of a tool, and of what threads can share
    /// (`Send + Sync + 'static`). The arguments have been checked against the schema.
    pub fn call<F: IsFuture<Value: ToolOutput> + Send + 'static>(
        self,
        function: impl Fn(Ctx, Map<String, Value>) -> F + Captures,
    ) -> ToolDefinition {
        ToolDefinition {
            about: self.about,
            input: self.input,
            output: self.output,
            hints: self.hints,
            call: Arc::new(move |ctx, args| function(ctx, args).then(ToolOutput::into_tool)),
        }
    }
}

/// A tool made while the program runs, for [`Server::tool`](crate::Server::tool) and `handle.tools().add(…)`.
#[derive(Clone)]
pub struct ToolDefinition {
    pub(crate) about: About,
    pub(crate) input: Option<Value>,
    pub(crate) output: Option<Value>,
    pub(crate) hints: Hints,
    pub(crate) call: DynHandler<ToolResult>,
}

/// Describes a resource: an entry of a list, or, finished by [`read`](Self::read), a resource made while the program runs.
///
/// A URI with `{…}` is a template.
#[derive(Clone, Debug)]
#[must_use = "a description does nothing until it is listed or `.read(…)` finishes it"]
pub struct Resource {
    pub(crate) about: About,
    pub(crate) uri: String,
    pub(crate) mime: Option<Cow<'static, str>>,
    pub(crate) size: Option<u64>,
    pub(crate) annotations: Annotations,
    pub(crate) cache: Option<Cache>,
}

impl Resource {
    /// A resource at `uri`, called `name`.
    pub fn new(uri: impl Into<String>, name: impl IntoText) -> Self {
        Self {
            about: About { name: name.into_text(), ..About::default() },
            uri: uri.into(),
            mime: None,
            size: None,
            annotations: Annotations::new(),
            cache: None,
        }
    }

    /// Its media type.
    pub fn mime(mut self, mime: impl IntoText) -> Self {
        self.mime = Some(mime.into_text());
        self
    }

    /// Its size in bytes.
    pub const fn size(mut self, bytes: u64) -> Self {
        self.size = Some(bytes);
        self
    }

    /// Hints for the client.
    pub fn annotations(mut self, annotations: Annotations) -> Self {
        self.annotations = annotations;
        self
    }

    /// How long a read may be kept, and by whom (sent from 2026-07-28).
    pub const fn cache(mut self, ttl: Duration, scope: CacheScope) -> Self {
        self.cache = Some(Cache { ttl, scope });
        self
    }

    /// The function that reads it: `async`, with a result as that of a resource; its second argument holds the template's
    /// variables, percent-decoded.
    pub fn read<F: IsFuture<Value: ResourceOutput> + Send + 'static>(
        self,
        function: impl Fn(Ctx, Map<String, Value>) -> F + Captures,
    ) -> ResourceDefinition {
        let mime = self.mime.clone().or_else(|| F::Value::MIME.map(Cow::Borrowed));
        ResourceDefinition {
            resource: Self { mime, ..self },
            read: Arc::new(move |ctx, variables| function(ctx, variables).then(ResourceOutput::into_resource)),
        }
    }
}

/// A resource made while the program runs, for [`Server::resource`](crate::Server::resource) and `handle.resources().add(…)`.
#[derive(Clone)]
pub struct ResourceDefinition {
    pub(crate) resource: Resource,
    pub(crate) read: DynHandler<Option<Vec<ResourceContents>>>,
}

/// An argument of a prompt made while the program runs.
#[derive(Clone, Debug)]
pub(crate) struct PromptArgument {
    pub(crate) name: Cow<'static, str>,
    pub(crate) description: Cow<'static, str>,
    pub(crate) required: bool,
}

/// Describes a prompt that is made while the program runs; [`get`](Self::get) finishes it.
#[derive(Clone, Debug)]
#[must_use = "a description does nothing until `.get(…)` finishes it"]
pub struct Prompt {
    about: About,
    arguments: Vec<PromptArgument>,
}

impl Prompt {
    /// A prompt of this name.
    pub fn new(name: impl IntoText) -> Self {
        Self { about: About { name: name.into_text(), ..About::default() }, arguments: Vec::new() }
    }

    /// Adds an argument that must be given.
    pub fn argument(self, name: impl IntoText, description: impl IntoText) -> Self {
        self.with(PromptArgument { name: name.into_text(), description: description.into_text(), required: true })
    }

    /// Adds an argument that may be left out.
    pub fn optional_argument(self, name: impl IntoText, description: impl IntoText) -> Self {
        self.with(PromptArgument { name: name.into_text(), description: description.into_text(), required: false })
    }

    fn with(mut self, argument: PromptArgument) -> Self {
        self.arguments.push(argument);
        self
    }

    /// The function that makes its messages: `async`, with a result as that of a prompt; its second argument holds the
    /// arguments, all strings.
    pub fn get<F: IsFuture<Value: PromptOutput> + Send + 'static>(
        self,
        function: impl Fn(Ctx, Map<String, Value>) -> F + Captures,
    ) -> PromptDefinition {
        PromptDefinition {
            about: self.about,
            arguments: self.arguments,
            get: Arc::new(move |ctx, args| function(ctx, args).then(PromptOutput::into_prompt)),
        }
    }
}

/// A prompt made while the program runs, for [`Server::prompt`](crate::Server::prompt) and `handle.prompts().add(…)`.
#[derive(Clone)]
pub struct PromptDefinition {
    pub(crate) about: About,
    pub(crate) arguments: Vec<PromptArgument>,
    pub(crate) get: DynHandler<Messages>,
}

macro_rules! debug_by_name {
    ($($type:ident: $name:expr;)+) => {$(
        impl fmt::Debug for $type {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                let name: fn(&Self) -> &str = $name;
                f.debug_tuple(stringify!($type)).field(&name(self)).finish()
            }
        }
    )+};
}

debug_by_name! {
    ToolDefinition: |tool| &tool.about.name;
    ResourceDefinition: |resource| &resource.resource.uri;
    PromptDefinition: |prompt| &prompt.about.name;
}
