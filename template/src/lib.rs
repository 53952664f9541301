//! {{description}}: the tools, resources and prompts, apart from `main` so that tests can reach them.

mod handlers;
mod notes;

pub use notes::Notes;

/// The server with its state; every annotated function of this crate is in it.
pub fn server(notes: Notes) -> mcp_runtime::Server {
    mcp_runtime::server!()
        .description("{{description}}")
        .instructions("`add_note` keeps a text; read it again at note://{id}.")
        .state(notes)
}
