use mcp_runtime::testing::Client;

struct Arguments;

async fn call(client: &Client) {
    drop(client.call("add", Arguments).await);
}

fn main() {}
