//! The program: where the notes are, beside the command line of every server.

use std::path::PathBuf;

use clap::Parser;
use notes::store::Store;

/// Keeps notes in a file, and finds them again
#[derive(Parser)]
#[command(version)]
struct Cli {
    /// The database; it is made when it is not there
    #[arg(long, global = true, env = "NOTES_DB", value_name = "FILE", default_value_os_t = usual_place())]
    db: PathBuf,
    /// The folder that clients may import notes and attach files from
    #[arg(long, global = true, env = "NOTES_FILES", value_name = "DIR")]
    files: Option<PathBuf>,
    #[command(flatten)]
    mcp: mcp_runtime::cli::Args,
}

/// Where programs of this machine keep what is the person's.
fn usual_place() -> PathBuf {
    dirs::data_dir().unwrap_or_default().join("notes").join("notes.db")
}

#[tokio::main]
async fn main() -> mcp_runtime::Result<()> {
    let cli = Cli::parse();
    notes::server(Store::open(&cli.db)?, cli.files)?.run_with(cli.mcp).await
}
