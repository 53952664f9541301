//! The command line of `.run()`, with real processes: every command, every flag, what a terminal sees.

#[path = "cli/call.rs"]
mod call;
#[path = "cli/checks.rs"]
mod checks;
#[path = "cli/config.rs"]
mod config;
#[path = "cli/lines.rs"]
mod lines;
#[path = "cli/lists.rs"]
mod lists;
#[path = "cli/program.rs"]
mod program;
#[cfg(unix)]
#[path = "cli/terminal.rs"]
mod terminal;
