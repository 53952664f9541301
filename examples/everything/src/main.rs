//! A server with one of everything, named as the official conformance suite expects it.
//!
//! Each file shows one topic: what a tool can return, what it can do while it runs, what it can ask its client, how the
//! catalog changes, hand-written schemas, resources, prompts.

mod asking;
mod calls;
mod catalog;
mod content;
mod prompts;
mod resources;
mod schemas;

use mcp_runtime::Server;

fn server() -> Server {
    mcp_runtime::server!()
        .title("Everything")
        .description("One of everything the Model Context Protocol has")
        .instructions(
            "A test server. `greet` is harmless; the tools that begin with `test_` are for conformance tests.",
        )
        .state(resources::Watched::default())
        .tool(schemas::json_schema_2020_12())
}

#[tokio::main]
async fn main() -> mcp_runtime::Result<()> {
    server().run().await
}

#[cfg(test)]
mod tests;
