fn main() {
    let _ = mcp_runtime::server!().tool("add");
}
