//! The measured server, in rmcp: as its documentation writes it, or tuned.

use rmcp::handler::server::router::prompt::PromptRouter;
use rmcp::handler::server::router::tool::ToolRouter;
use rmcp::handler::server::wrapper::Parameters;
use rmcp::model::{
    ListResourceTemplatesResult, PaginatedRequestParams, ProgressNotificationParam, PromptMessage,
    ReadResourceRequestParams, ReadResourceResponse, ReadResourceResult, ResourceContents, ResourceTemplate, Role,
    ServerCapabilities, ServerConfig,
};
use rmcp::service::RequestContext;
use rmcp::{
    ErrorData, RoleServer, ServerHandler, ServiceExt as _, prompt, prompt_handler, prompt_router, tool, tool_handler,
    tool_router,
};
use schemars::JsonSchema;
use serde::Deserialize;

#[cfg(feature = "http")]
mod http;

#[derive(Deserialize, JsonSchema)]
struct Add {
    /// First addend
    a: i64,
    /// Second addend
    b: i64,
}

#[derive(Deserialize, JsonSchema)]
struct Echo {
    /// What to say
    text: String,
}

#[derive(Deserialize, JsonSchema)]
struct Review {
    /// The code to review
    code: String,
}

#[derive(Clone)]
#[cfg_attr(not(feature = "tuned"), expect(dead_code, reason = "the documented handler builds its routers anew"))]
struct Server {
    tool_router: ToolRouter<Self>,
    prompt_router: PromptRouter<Self>,
}

include!(concat!(env!("OUT_DIR"), "/tools.rs"));

#[prompt_router]
impl Server {
    /// Ask for a careful review of some code.
    #[prompt]
    async fn review(&self, Parameters(Review { code }): Parameters<Review>) -> Vec<PromptMessage> {
        vec![PromptMessage::new_text(Role::User, format!("Review this code:\n\n{code}"))]
    }
}

#[cfg_attr(feature = "tuned", tool_handler(router = self.tool_router), prompt_handler(router = self.prompt_router))]
#[cfg_attr(not(feature = "tuned"), tool_handler, prompt_handler)]
impl ServerHandler for Server {
    fn get_info(&self) -> ServerConfig {
        ServerConfig::new(ServerCapabilities::builder().enable_tools().enable_resources().enable_prompts().build())
    }

    async fn list_resource_templates(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListResourceTemplatesResult, ErrorData> {
        let count = ResourceTemplate::new("count://{to}", "count")
            .with_description("Counts to a number, and reports each step.");
        Ok(ListResourceTemplatesResult::with_all_items(vec![count]))
    }

    async fn read_resource(
        &self,
        request: ReadResourceRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<ReadResourceResponse, ErrorData> {
        let to = request.uri.strip_prefix("count://").and_then(|to| to.parse::<u32>().ok());
        let to = to.ok_or_else(|| ErrorData::resource_not_found("no such resource", None))?;
        if let Some(token) = context.meta.get_progress_token() {
            for step in 1..=to {
                let progress = ProgressNotificationParam::new(token.clone(), f64::from(step)).with_total(f64::from(to));
                context
                    .peer
                    .notify_progress(progress)
                    .await
                    .map_err(|error| ErrorData::internal_error(error.to_string(), None))?;
            }
        }
        Ok(ReadResourceResult::new(vec![ResourceContents::text(format!("counted to {to}"), request.uri)]).into())
    }
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    match std::env::args().nth(1) {
        #[cfg(feature = "http")]
        Some(addr) => http::serve(&addr).await?,
        _ => {
            #[cfg(feature = "tuned")]
            let transport = rmcp::transport::stdio_pipes();
            #[cfg(not(feature = "tuned"))]
            let transport = rmcp::transport::stdio();
            Server::new().serve(transport).await?.waiting().await?;
        }
    }
    Ok(())
}
