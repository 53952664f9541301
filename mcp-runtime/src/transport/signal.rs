//! The signals that ask a server to stop.

use std::io;

/// Resolves when the process is asked to end: by Ctrl-C or, on Unix, SIGTERM.
///
/// # Errors
///
/// When the system refuses to tell of signals.
pub(crate) async fn stop() -> io::Result<()> {
    #[cfg(unix)]
    {
        use tokio::signal::unix::{SignalKind, signal};
        let mut terminate = signal(SignalKind::terminate())?;
        tokio::select! {
            _ = terminate.recv() => Ok(()),
            interrupted = tokio::signal::ctrl_c() => interrupted,
        }
    }
    #[cfg(not(unix))]
    tokio::signal::ctrl_c().await
}
