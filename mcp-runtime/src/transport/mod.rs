//! Bytes to messages and back: the ways in which a client reaches the server. No method of the protocol is named here.

#[cfg(feature = "http")]
pub(crate) mod http;
#[cfg(any(feature = "stdio", feature = "http"))]
mod polls;
#[cfg(any(feature = "stdio", feature = "http"))]
pub(crate) mod signal;
#[cfg(feature = "stdio")]
pub(crate) mod stdio;
#[cfg(any(feature = "stdio", feature = "http"))]
mod threads;
