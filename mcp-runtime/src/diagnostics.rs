//! What the runtime itself has to say: one line each on standard error, or events where `tracing` is in use.

use std::fmt::Arguments;
use std::io::Write as _;

/// Something is odd, but the server goes on.
pub(crate) fn warn(text: Arguments<'_>) {
    #[cfg(feature = "tracing")]
    if tracing::dispatcher::has_been_set() {
        tracing::warn!("{text}");
        return;
    }
    line(format_args!("warning: {text}"));
}

/// Something a person who starts the server wants to know.
pub(crate) fn note(text: Arguments<'_>) {
    #[cfg(feature = "tracing")]
    if tracing::dispatcher::has_been_set() {
        tracing::info!("{text}");
        return;
    }
    line(text);
}

/// Standard error may be closed or full: that must not end the server, as `eprintln!` would.
fn line(text: Arguments<'_>) {
    let line = format!("mcp-runtime: {}\n", text.to_string().replace('\n', " "));
    drop(std::io::stderr().lock().write_all(line.as_bytes()));
}
