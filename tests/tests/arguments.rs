//! Arguments as models really send them, and the schemas that tell models what to send: over the in-memory client.

mod arguments {
    mod by_hand;
    mod coercion;
    mod handlers;
    mod schemas;

    use mcp_runtime::Server;
    use mcp_runtime::testing::Client;

    fn server() -> Server {
        Server::new("arguments", "1.0.0")
    }

    async fn client() -> Client {
        Client::connect(server()).await.unwrap()
    }
}
