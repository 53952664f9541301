//! What a server costs that is written by hand for these messages alone: the tools, nothing of the protocol.

mod answer;
#[cfg(feature = "http")]
mod http;
mod stdio;

fn main() -> std::io::Result<()> {
    match std::env::args().nth(1) {
        #[cfg(feature = "http")]
        Some(addr) => tokio::runtime::Builder::new_multi_thread().enable_all().build()?.block_on(http::serve(&addr)),
        _ => tokio::runtime::Builder::new_current_thread().enable_all().build()?.block_on(stdio::serve()),
    }
}
