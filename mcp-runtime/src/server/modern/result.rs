//! How this era writes: what every result says beside its own members.

use serde_json::{Map, Value};

use super::FEATURES;
use crate::protocol::features::Features;
use crate::protocol::render::For;
use crate::protocol::{ProtocolError, write};
use crate::registry::entry::{Cache, CacheScope};
use crate::server::core::{Core, Identity};
use crate::server::exchange::Era;
use crate::server::reply::Reply;

/// How this era writes.
pub(crate) static ERA: Era = Era { write_result, resource_not_found };

fn write_result(out: &mut Vec<u8>, core: &Core, reply: &Reply, features: &'static Features) {
    let kind = if matches!(reply, Reply::Asks { .. }) { "input_required" } else { "complete" };
    out.extend_from_slice(b"{\"resultType\":\"");
    out.extend_from_slice(kind.as_bytes());
    out.extend_from_slice(b"\",");
    if let Some(cache) = reply.cache() {
        write_cache(out, cache);
    }
    out.extend_from_slice(b"\"_meta\":");
    write_meta(out, core, reply.meta());
    let before = out.len();
    out.push(b',');
    reply.write_members(out, features);
    if out.len() == before + 1 {
        out.truncate(before);
    }
    out.push(b'}');
}

fn write_cache(out: &mut Vec<u8>, cache: Cache) {
    let scope = match cache.scope {
        CacheScope::Public => "public",
        CacheScope::Private => "private",
    };
    let milliseconds = u64::try_from(cache.ttl.as_millis()).unwrap_or(u64::MAX);
    out.extend_from_slice(format!("\"ttlMs\":{milliseconds},\"cacheScope\":\"{scope}\",").as_bytes());
}

/// `_meta` of a result: who answers, and what the author adds.
fn write_meta(out: &mut Vec<u8>, core: &Core, own: Option<&Map<String, Value>>) {
    out.push(b'{');
    out.extend_from_slice(&core.server_info);
    for (key, value) in own.into_iter().flatten() {
        out.push(b',');
        write::json(out, key);
        out.push(b':');
        write::json(out, value);
    }
    out.push(b'}');
}

/// The member of each result's `_meta` that says who answers.
pub(crate) fn server_info(identity: &Identity) -> Vec<u8> {
    let mut out = b"\"io.modelcontextprotocol/serverInfo\":".to_vec();
    write::json(&mut out, &For(identity, FEATURES));
    out
}

fn resource_not_found(uri: &str) -> ProtocolError {
    ProtocolError::invalid_params(format!("Resource not found: {uri}")).with_data(serde_json::json!({"uri": uri}))
}
