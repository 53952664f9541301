//! Bytes to messages and back: the ways in which a client reaches the server. No method of the protocol is named here.

#[cfg(feature = "http")]
pub(crate) mod http;
#[cfg(any(feature = "stdio", feature = "http"))]
pub(crate) mod signal;
#[cfg(feature = "stdio")]
pub(crate) mod stdio;

/// Whether the runtime lets a thread leave its other work to others.
#[cfg(any(feature = "stdio", feature = "http"))]
fn can_block() -> bool {
    use tokio::runtime::{Handle, RuntimeFlavor};
    Handle::try_current().is_ok_and(|runtime| runtime.runtime_flavor() == RuntimeFlavor::MultiThread)
}
