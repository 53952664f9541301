use mcp_runtime::testing::Client;

#[tokio::main]
async fn main() {
    drop(Client::connect("server").await);
}
