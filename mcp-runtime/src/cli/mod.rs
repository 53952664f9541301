//! The command line that every server gets from `.run()` (feature `cli`).
//!
//! ```text
//! my-server                        stdio
//! my-server --http [ADDR]          Streamable HTTP, with feature `http`
//! my-server list [--json|--markdown]
//! my-server call TOOL k=v …        or '{json}', or - to read the object from standard input
//! my-server read URI
//! my-server prompt PROMPT k=v …
//! my-server doctor [--strict]      what clients and models stumble over
//! my-server manifest [--check F]   all definitions with a hash
//! my-server config CLIENT [--write]
//! my-server completions SHELL
//! ```
//!
//! `call`, `read` and `prompt` go through the real server loop: what they show is what a client gets.
//!
//! # Questions
//!
//! What a handler asks is asked on the terminal. A script answers on the command line, a field at a time:
//! `my-server call delete_note id=7 --answer sure=yes --answer reason="It is old"`. `--answer yes` agrees to what has nothing to
//! fill in, or nothing but one field of yes and no; `--answer no` declines what is not answered otherwise. Fields that may be
//! left out are, at a terminal the person is asked for the rest, and elsewhere a question that nobody answers ends the call with
//! code 1 and says which answers it needs.
//!
//! # Exit codes
//!
//! | Code | Meaning |
//! |---|---|
//! | 0 | Done; also when the server ends because its client has left. |
//! | 1 | It failed: the tool says so, the request was refused, `doctor` or `manifest --check` found something. |
//! | 2 | The command line is wrong; nothing was started. |
//! | 128 + n | Ended by signal n while it was stopping. |
//!
//! # Flags of your own
//!
//! Let your parser flatten [`Args`], and hand it over:
//!
//! ```no_run
//! use clap::Parser;
//!
//! #[derive(Parser)]
//! struct Cli {
//!     /// Where the notes are
//!     #[arg(long, default_value = "notes.db")]
//!     db: std::path::PathBuf,
//!     #[command(flatten)]
//!     mcp: mcp_runtime::cli::Args,
//! }
//!
//! # #[tokio::main]
//! # async fn main() -> mcp_runtime::Result<()> {
//! let cli = Cli::parse();
//! mcp_runtime::server!().state(cli.db).run_with(cli.mcp).await
//! # }
//! ```
//!
//! What clients shall start the program with stands after `--`: `my-server config claude -- --db notes.db`. The command
//! `completions` knows the commands that every server has; for a parser of yours, hand it to `clap_complete` yourself.

mod args;
mod arguments;
mod ask;
mod call;
mod config;
mod definitions;
mod doctor;
mod faults;
mod list;
mod manifest;
mod markdown;
mod output;
mod pretty;
mod progress;
mod save;
mod session;
mod show;
mod types;
mod words;

use std::ffi::OsString;
use std::io::IsTerminal as _;

use self::args::Action;
pub use self::args::Args;
use self::output::Output;
use crate::handler::call::BoxFuture;
use crate::handler::error::Result;
use crate::registry::problem::BuildError;
use crate::server::{BuiltServer, Server};
use crate::spawn::compiled_here;

/// A command line: what stands after the program's name, or [`Args`] that a parser of yours has read.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is no command line",
    label = "is neither a list of words nor `cli::Args`",
    note = "write `std::env::args_os().skip(1)`, or hand over the `mcp_runtime::cli::Args` that your parser has read"
)]
pub trait CommandLine {
    /// Reads it; `program` is what `--help` and `--version` need to know.
    ///
    /// # Errors
    ///
    /// When it is wrong, and when it asks for help or the version.
    #[doc(hidden)]
    fn read(self, program: clap::Command) -> Result<Args, clap::Error>;
}

#[diagnostic::do_not_recommend]
impl CommandLine for Args {
    fn read(self, _: clap::Command) -> Result<Args, clap::Error> {
        Ok(self)
    }
}

#[diagnostic::do_not_recommend]
impl<I> CommandLine for I
where
    I: IntoIterator,
    I::Item: Into<OsString> + Clone,
{
    fn read(self, program: clap::Command) -> Result<Args, clap::Error> {
        args::parse(program, self.into_iter().map(Into::into))
    }
}

/// The command line of the process.
fn own() -> impl Iterator<Item = OsString> {
    std::env::args_os().skip(1)
}

/// Reads a command line. One that is wrong, or asks for help, ends the process as with every program that uses clap.
fn read(line: impl CommandLine, name: &str, version: &str) -> Args {
    let about = format!("{name} {version}, a server for the Model Context Protocol");
    line.read(args::program(version, about)).unwrap_or_else(|error| error.exit())
}

impl Server {
    /// Checks the server and runs it as its command line says; without arguments, over standard input and output.
    ///
    /// See [`cli`](crate::cli) for the commands. A command line that is wrong ends the process with code 2.
    ///
    /// # Errors
    ///
    /// What keeps the server from starting or running, and what a command reports as failed.
    pub async fn run(self) -> Result<()> {
        self.run_with(own()).await
    }

    /// Like [`run`](Self::run), with these arguments: an iterator of what stands after the program's name, or
    /// [`cli::Args`](crate::cli::Args).
    ///
    /// # Errors
    ///
    /// As with [`run`](Self::run).
    // No `async fn`: what is no command line would be missed where it is awaited, too.
    pub fn run_with(self, line: impl CommandLine) -> BoxFuture<'static, Result<()>> {
        let identity = self.identity();
        let args = read(line, &identity.name, &identity.version);
        self.perform(args.action)
    }

    fn perform(self, action: Action) -> BoxFuture<'static, Result<()>> {
        let name = self.identity().name.clone();
        Box::pin(async move {
            match (self.build(), &action) {
                (Ok(built), _) => perform(built, action).await,
                (Err(error), Action::Doctor(options)) => doctor::cannot_start(&name, &error, options),
                (Err(error), _) => Err(error.into()),
            }
        })
    }
}

impl BuiltServer {
    /// Runs the server as its command line says; see [`Server::run`].
    ///
    /// # Errors
    ///
    /// As with [`Server::run`].
    pub async fn run(self) -> Result<()> {
        self.run_with(own()).await
    }

    /// Runs the server with these arguments; see [`Server::run_with`].
    ///
    /// # Errors
    ///
    /// As with [`Server::run`].
    pub fn run_with(self, line: impl CommandLine) -> BoxFuture<'static, Result<()>> {
        let args = read(line, &self.core.identity.name, &self.core.identity.version);
        perform(self, args.action)
    }
}

fn perform(built: BuiltServer, action: Action) -> BoxFuture<'static, Result<()>> {
    compiled_here(async move {
        match action {
            Action::Stdio => {
                hint(&built);
                built.serve_stdio().await
            }
            Action::Http(address) => serve_http(built, &address).await,
            Action::List(form) => list::run(built, form).await,
            Action::Call { name, words, options } => call::tool(built, &name, &words, &options).await,
            Action::Read { uri, options } => call::resource(built, &uri, &options).await,
            Action::Prompt { name, words, options } => call::prompt(built, &name, &words, &options).await,
            Action::Doctor(options) => doctor::run(&built, &options),
            Action::Manifest(check) => manifest::run(&built, check.as_deref()),
            Action::Config(request) => config::run(&built.core.identity.name, &request),
            Action::Completions(shell) => completions(shell),
        }
    })
}

/// A person at a terminal is told what this is and what else there is.
fn hint(built: &BuiltServer) {
    if !std::io::stdin().is_terminal() {
        return;
    }
    let program = args::program_name();
    output::note(format_args!(
        "{} speaks the Model Context Protocol here, one JSON message a line; Ctrl-D ends it.\n\
         To see what it offers:  {program} list\n\
         To call a tool:         {program} call TOOL name=value …\n\
         To add it to a client:  {program} config --help\n\
         Everything else:        {program} --help",
        built.core.identity.name,
    ));
}

#[cfg(feature = "http")]
async fn serve_http(built: BuiltServer, address: &str) -> Result<()> {
    built.serve_http(address).await
}

#[cfg(not(feature = "http"))]
async fn serve_http(_: BuiltServer, _: &str) -> Result<()> {
    std::future::ready(()).await;
    Err(crate::handler::error::Error::msg(
        "this server was built without HTTP: add feature `http` of mcp-runtime and build it again",
    ))
}

fn completions(shell: clap_complete::Shell) -> Result<()> {
    let mut out = Output::plain();
    let program = args::program_name();
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut args::command(clap::Command::new(program.clone())), program, &mut script);
    out.bytes(&script);
    out.finish()
}

/// The problems as they are counted: one error each.
fn problems(error: &BuildError) -> Vec<String> {
    error.problems().collect()
}
