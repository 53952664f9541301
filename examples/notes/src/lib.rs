//! Notes for a model and its person: written, searched, attached to, imported; kept in one SQLite file.
//!
//! `store` is the database and knows nothing of MCP; the other files are what clients see of it.

mod files;
mod import;
mod prompts;
mod resources;
pub mod store;
mod tools;

use std::path::PathBuf;
use std::sync::Arc;

use mcp_runtime::{BuiltServer, Result};

use crate::files::Files;
use crate::store::Store;

/// The server. Clients may read files of this machine from `folder`, and none without one.
pub fn server(store: Store, folder: Option<PathBuf>) -> Result<BuiltServer> {
    let store = Arc::new(store);
    let closing = Arc::clone(&store);
    let has_folder = folder.is_some();
    let server = mcp_runtime::server!()
        .title("Notes")
        .description("Keeps notes in a file, and finds them again")
        .instructions(
            "The person's notes, in Markdown. Search before you answer from memory, and before you add a note that may be \
             there already. `note://{id}` is a note, `attachment://{note}/{name}` a file that belongs to it.",
        )
        .shared_state(store)
        .state(Files::new(folder)?)
        .on_shutdown(async move {
            if let Err(error) = closing.close() {
                eprintln!("the database was left as it is: {error}");
            }
        })
        .build()?;
    if has_folder {
        for tool in ["attach_file", "import_folder"] {
            server.handle().tools().enable(tool);
        }
    }
    Ok(server)
}
