#![doc = include_str!("docs/tutorial.md")]
#![cfg_attr(all(feature = "cli", feature = "http"), doc = include_str!("docs/tutorial_running.md"))]
#![cfg_attr(feature = "testing", doc = include_str!("docs/tutorial_tests.md"))]
#![doc = include_str!("docs/reference.md")]
#![cfg_attr(
    not(feature = "stdio"),
    expect(dead_code, reason = "what only standard input and output use is not cut out")
)]

#[doc(hidden)]
#[path = "private.rs"]
pub mod __private;
#[doc(hidden)]
pub mod bounds;
#[cfg(feature = "cli")]
pub mod cli;
mod diagnostics;
mod handler;
mod hash;
#[cfg(any(feature = "stdio", feature = "http"))]
mod lifetime;
mod protocol;
mod registry;
mod schema;
#[cfg(feature = "stdio")]
mod serve;
#[cfg(feature = "http")]
mod serve_http;
mod server;
mod sorted;
mod spawn;
#[cfg(feature = "testing")]
pub mod testing;
#[cfg(feature = "tracing")]
mod tracing_layer;
mod transport;
mod uri_template;

pub use handler::amount::{Amount, Total};
pub use handler::ask::{
    Answer, AskError, Choices, Elicit, Elicitation, Elicited, ElicitedUrl, FormField, Once, OpenedUrl,
    OptionalElicitation, OptionalRoots, OptionalSampling, OptionalUrl, Question, ReplayStore, Root, RootsRequest,
    SampleContent, SampleMessage, SampleRequest, SampleTool, Sampled, Sampling, ToolChoice, UrlElicitation,
};
pub use handler::client::Client;
pub use handler::completion::CompletionContext;
pub use handler::ctx::{Ctx, TraceContext};
pub use handler::error::{Error, HandlerError, Result};
pub use handler::extract::{Args, FromContext, Shared, State};
#[cfg(feature = "http")]
pub use handler::http::{Extension, Principal};
pub use handler::log::{LogLevel, Logger};
pub use handler::output::{PromptOutput, ResourceOutput, ToolOutput};
pub use handler::parameter::{Parameter, Provided};
pub use handler::progress::Reporting;
pub use handler::prompt::{Messages, PromptMessage};
pub use handler::tool_result::{Json, ToolResult};
pub use handler::uri::expand_uri;
pub use protocol::{
    Annotations, Audio, ClientCapabilities, Content, EmbeddedResource, ErrorCode, Icon, Image, Implementation,
    IntoText, ProtocolError, ResourceContents, ResourceLink, Revision, Role, ToJson,
};
pub use registry::define::{Prompt, PromptDefinition, Resource, ResourceDefinition, Tool, ToolDefinition};
pub use registry::entry::CacheScope;
pub use registry::problem::BuildError;
pub use schema::SchemaProfile;
#[cfg(feature = "http")]
pub use serve_http::HttpAddress;
pub use server::{
    BuiltServer, CallInfo, CallKind, IntoBuilt, Next, Outcome, PromptsHandle, ResourcesHandle, Server, ServerHandle,
    ToolsHandle,
};
#[cfg(feature = "tracing")]
pub use tracing_layer::ClientLayer;
#[cfg(feature = "http")]
pub use transport::http::{HttpBody, HttpService};
pub use {schemars, serde, serde_json};

#[cfg(feature = "macros")]
#[doc = include_str!("docs/elicit.md")]
pub use mcp_macros::Elicit;
#[cfg(feature = "macros")]
#[doc = include_str!("docs/data.md")]
pub use mcp_macros::data;
#[cfg(feature = "macros")]
#[doc = include_str!("docs/prompt.md")]
pub use mcp_macros::prompt;
#[cfg(feature = "macros")]
#[doc = include_str!("docs/resource.md")]
pub use mcp_macros::resource;
#[cfg(feature = "macros")]
#[doc = include_str!("docs/tool.md")]
pub use mcp_macros::tool;

#[cfg(any(doc, all(doctest, feature = "macros", feature = "stdio", feature = "testing")))]
pub mod guide;

/// What a file of handlers needs.
pub mod prelude {
    pub use crate::{
        Args, Audio, CompletionContext, Content, Ctx, Elicit, Elicited, EmbeddedResource, FromContext, Image, Json,
        LogLevel, Messages, PromptMessage, Question, Resource, ResourceContents, ResourceLink, Result, Server, State,
        ToolResult,
    };

    pub use crate::server;
    #[cfg(feature = "macros")]
    pub use crate::{prompt, resource, tool};
}

/// A [`Server`] with the name and version of the calling crate.
#[macro_export]
macro_rules! server {
    () => {
        $crate::Server::new(::core::env!("CARGO_PKG_NAME"), ::core::env!("CARGO_PKG_VERSION"))
    };
    ($($anything:tt)+) => {
        ::core::compile_error!("`server!()` takes nothing: what is linked is found\nwrite the rest behind it, such as `server!().state(…)`, or another name in `Server::new(\"name\", \"1.0.0\")`")
    };
}
