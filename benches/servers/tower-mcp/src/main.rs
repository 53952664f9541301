//! The measured server, in tower-mcp.

use std::collections::HashMap;

use schemars::JsonSchema;
use serde::Deserialize;
use tower_mcp::RequestContext;
use tower_mcp::protocol::{GetPromptResult, ReadResourceResult};
use tower_mcp::{BoxError, CallToolResult, McpRouter, ResourceTemplateBuilder, StdioTransport, prompt_fn, tool_fn};

include!(concat!(env!("OUT_DIR"), "/tools.rs"));

#[derive(Debug, Deserialize, JsonSchema)]
struct Add {
    /// First addend
    a: i64,
    /// Second addend
    b: i64,
}

#[tool_fn(name = "add", description = "Add two numbers.")]
async fn add(input: Add) -> Result<CallToolResult, tower_mcp::Error> {
    Ok(CallToolResult::text((input.a + input.b).to_string()))
}

#[derive(Debug, Deserialize, JsonSchema)]
struct Echo {
    /// What to say
    text: String,
}

#[tool_fn(name = "echo", description = "Say it again.")]
async fn echo(input: Echo) -> Result<CallToolResult, tower_mcp::Error> {
    Ok(CallToolResult::text(input.text))
}

#[prompt_fn(description = "Ask for a careful review of some code.", args(code = "The code to review"))]
async fn review(args: HashMap<String, String>) -> Result<GetPromptResult, tower_mcp::Error> {
    Ok(GetPromptResult::user_message(format!("Review this code:\n\n{}", args.get("code").cloned().unwrap_or_default())))
}

fn router() -> McpRouter {
    let count = ResourceTemplateBuilder::new("count://{to}")
        .name("count")
        .description("Counts to a number, and reports each step.")
        .handler_with_context(|context: RequestContext, uri: String, variables: HashMap<String, String>| async move {
            let to: u32 = variables.get("to").and_then(|to| to.parse().ok()).unwrap_or_default();
            for step in 1..=to {
                context.report_progress(f64::from(step), Some(f64::from(to)), None).await;
            }
            Ok(ReadResourceResult::text(uri, format!("counted to {to}")))
        });
    let router =
        McpRouter::new().server_info("tower-mcp-server", "0.0.0").resource_template(count).prompt(review_prompt());
    generated(router.tool(add_tool()).tool(echo_tool()))
}

#[tokio::main]
async fn main() -> Result<(), BoxError> {
    match std::env::args().nth(1) {
        #[cfg(feature = "http")]
        Some(addr) => {
            // What its `serve` does, at the path that the others have.
            let service = tower_mcp::HttpTransport::new(router()).into_router_at("/mcp");
            axum::serve(tokio::net::TcpListener::bind(addr).await?, service).await?;
        }
        _ => StdioTransport::new(router()).run().await?,
    }
    Ok(())
}
