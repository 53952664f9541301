//! Questions to the client, in memory: one handler, a client that waits and a client that is sent away.

mod asking {
    mod basics;
    mod capabilities;
    mod declared;
    mod forms;
    mod handlers;
    mod legacy;
    mod once;
    mod others;
    mod rules;
    mod state;

    use mcp_runtime::Revision;
    use mcp_runtime::testing::{Asked, Client, ClientBuilder, Reply};
    use serde_json::{Value, json};

    /// One revision of each way to ask a form.
    pub(crate) const REVISIONS: [Revision; 3] = [Revision::V2025_06_18, Revision::V2025_11_25, Revision::V2026_07_28];

    pub(crate) fn on(revision: Revision) -> ClientBuilder {
        Client::with_revision(revision)
    }

    pub(crate) async fn connect(builder: ClientBuilder) -> Client {
        builder.connect(handlers::server()).await.expect("the server starts")
    }

    /// Says yes to everything.
    pub(crate) fn yes(asked: &Asked) -> Reply {
        let mut content = serde_json::Map::new();
        for (name, field) in asked.schema()["properties"].as_object().expect("fields") {
            let value: Value = match field["type"].as_str() {
                Some("boolean") => true.into(),
                Some("integer" | "number") => 1.into(),
                Some("array") => json!([]),
                _ => field["enum"]
                    .get(0)
                    .or(field["oneOf"].get(0).map(|one| &one["const"]))
                    .cloned()
                    .unwrap_or("text".into()),
            };
            content.insert(name.clone(), value);
        }
        Reply::accept(content.into())
    }
}
