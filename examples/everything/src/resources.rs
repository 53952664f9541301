//! Resources: text, bytes, a template, and one that changes under its subscribers.

use std::sync::atomic::{AtomicU64, Ordering};

use mcp_runtime::prelude::*;

use crate::content::PIXEL;

/// A text that stays as it is.
#[resource("test://static-text", cache(ttl = "1h", scope = "public"))]
fn static_text() -> &'static str {
    "This is the content of the static text resource."
}

/// An image that stays as it is.
#[resource("test://static-binary", mime = "image/png", cache(ttl = "1h", scope = "public"))]
fn static_binary() -> Vec<u8> {
    PIXEL.to_vec()
}

#[mcp_runtime::data]
#[serde(rename_all = "camelCase")]
struct Datum {
    id: String,
    template_test: bool,
    data: String,
}

/// The data for an id.
#[resource("test://template/{id}/data")]
fn template_data(#[arg(complete = known_ids)] id: String) -> Json<Datum> {
    let data = format!("Data for ID: {id}");
    Json(Datum { id, template_test: true, data })
}

fn known_ids(partial: &str, _ctx: &CompletionContext) -> Vec<&'static str> {
    ["123", "456", "789"].into_iter().filter(|id| id.starts_with(partial)).collect()
}

/// How often the watched resource has been touched.
#[derive(Default)]
pub(crate) struct Watched(AtomicU64);

/// A resource that changes when `test_touch_watched_resource` is called.
#[resource("test://watched-resource")]
fn watched_resource(watched: State<Watched>) -> String {
    format!("Touched {} times.", watched.0.load(Ordering::Relaxed))
}

/// Change the watched resource; its subscribers are told.
#[tool]
fn test_touch_watched_resource(ctx: &Ctx, watched: State<Watched>) -> u64 {
    let times = watched.0.fetch_add(1, Ordering::Relaxed) + 1;
    ctx.server().resource_updated("test://watched-resource");
    times
}
