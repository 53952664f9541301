//! A to-do list for several people, over a web API and over MCP.

mod identity;
mod tasks;
mod tools;

use std::sync::Arc;

use axum::Router;
use axum::middleware::from_fn;
use mcp_runtime::{BuildError, Server, ServerHandle};

use crate::tasks::Tasks;

/// The application. The handle ends the MCP server's open streams, which would keep axum from stopping.
///
/// # Errors
///
/// When the MCP server has mistakes.
pub fn app() -> Result<(Router, ServerHandle), BuildError> {
    let tasks = Arc::new(Tasks::default());
    let server = server(&tasks).build()?;
    let handle = server.handle();
    let app = Router::new()
        .merge(tasks::routes(tasks))
        .route_service("/mcp", server.http_service())
        .layer(from_fn(identity::authenticate));
    Ok((app, handle))
}

fn server(tasks: &Arc<Tasks>) -> Server {
    mcp_runtime::server!().instructions("Keeps the caller's to-do list.").shared_state(Arc::clone(tasks))
}
