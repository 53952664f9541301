//! Names a library that passes on a library of handlers; leaves out one that is not there, and asks for a crate and a group
//! that are not.

use linking_relay as _;

#[tokio::main]
async fn main() -> mcp_runtime::Result<()> {
    let server = mcp_runtime::server!().exclude(["linking-frist"]).only(["linking-first", "linking-thrid"]);
    let is_narrow = std::env::var_os("NARROW").is_some();
    let server = if is_narrow { server.group("stateful").group("statefull") } else { server };
    server.state(linking_first::Notes).serve_stdio().await
}
