use mcp_runtime::Server;

fn main() {
    let _ = Server::new("s", "1").resource("note://{id}");
}
