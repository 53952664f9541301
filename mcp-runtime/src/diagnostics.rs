//! What the runtime itself has to say: one line each on standard error, or events where `tracing` is in use.

use std::fmt::Arguments;

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

/// Standard error may be closed or full: that must neither end the server, as `eprintln!` would, nor hold it up.
fn line(text: Arguments<'_>) {
    let line = format!("mcp-runtime: {}\n", text.to_string().replace('\n', " "));
    #[cfg(all(unix, feature = "stdio"))]
    write_now(line.as_bytes());
    #[cfg(not(all(unix, feature = "stdio")))]
    drop(std::io::Write::write_all(&mut std::io::stderr().lock(), line.as_bytes()));
}

/// Writes if there is room, past the lock of the standard library: who holds that may be waiting for room.
#[cfg(all(unix, feature = "stdio"))]
fn write_now(line: &[u8]) {
    use rustix::event::{PollFd, PollFlags, Timespec, poll};
    /// A pipe with any room has room for so much, everywhere.
    const AT_ONCE: usize = 512;
    for piece in line.chunks(AT_ONCE) {
        let stderr = rustix::stdio::stderr();
        let ready = poll(&mut [PollFd::new(&stderr, PollFlags::OUT)], Some(&Timespec::default()));
        if ready != Ok(1) || rustix::io::write(stderr, piece).is_err() {
            return;
        }
    }
}
