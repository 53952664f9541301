//! `initialize`: which revision is spoken, and what is offered in it.

use serde::Deserialize;
use serde::ser::{Serialize, SerializeMap as _, Serializer};
use serde_json::{Map, Value};

use super::Session;
use crate::handler::client::Client;
use crate::protocol::params::Params;
use crate::protocol::render::{For, entry_if};
use crate::protocol::{ClientCapabilities, Implementation, ProtocolError, Revision, write};
use crate::server::core::{Core, Identity};

/// `initialize`: the session, and the result's bytes.
pub(crate) fn initialize(core: &Core, params: &Params<'_>) -> Result<(Session, Vec<u8>), ProtocolError> {
    begin(core, params, |capabilities| capabilities)
}

/// `initialize` of a client that gets no session: what would need one is not offered.
#[cfg(feature = "http")]
pub(crate) fn initialize_sessionless(core: &Core, params: &Params<'_>) -> Result<Vec<u8>, ProtocolError> {
    let offered = |mut capabilities: Map<String, Value>| {
        capabilities.remove("logging");
        for capability in capabilities.values_mut().filter_map(Value::as_object_mut) {
            capability.retain(|member, _| !matches!(member.as_str(), "listChanged" | "subscribe"));
        }
        capabilities
    };
    begin(core, params, offered).map(|(_, result)| result)
}

/// The result.
struct Initialized<'a> {
    capabilities: Map<String, Value>,
    instructions: Option<&'a str>,
    protocol_version: &'a str,
    server_info: For<'a, Identity>,
}

impl Serialize for Initialized<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("capabilities", &self.capabilities)?;
        entry_if(&mut map, "instructions", self.instructions)?;
        map.serialize_entry("protocolVersion", self.protocol_version)?;
        map.serialize_entry("serverInfo", &self.server_info)?;
        map.end()
    }
}

fn begin(
    core: &Core,
    params: &Params<'_>,
    offered: impl FnOnce(Map<String, Value>) -> Map<String, Value>,
) -> Result<(Session, Vec<u8>), ProtocolError> {
    #[derive(Default, Deserialize)]
    struct Capabilities(#[serde(default)] Option<ClientCapabilities>);

    params.check()?;
    let requested = params.text("protocolVersion")?.unwrap_or_default();
    let revision = negotiate(&core.options.revisions, &requested).ok_or_else(|| {
        ProtocolError::invalid_params("Unsupported protocol version").with_data(supported(core, &requested))
    })?;
    // A client that says nothing of itself, or says it badly, is served all the same.
    let capabilities =
        params.get::<Capabilities>("capabilities").ok().flatten().unwrap_or_default().0.unwrap_or_default();
    let info = params.get::<Implementation>("clientInfo").ok().flatten().unwrap_or_default();
    let session = Session::new(Client { revision, info, capabilities });
    let result = Initialized {
        capabilities: offered(core.capabilities(session.features)),
        instructions: core.instructions.as_deref(),
        protocol_version: revision.as_str(),
        server_info: For(&core.identity, session.features),
    };
    let mut out = Vec::new();
    write::json(&mut out, &result);
    Ok((session, out))
}

fn supported(core: &Core, requested: &str) -> Value {
    let supported: Vec<&str> = core.options.revisions.iter().map(|revision| revision.as_str()).collect();
    serde_json::json!({"supported": supported, "requested": requested})
}

/// The requested revision if it is of this era and served, otherwise the newest that is; `None` when none is.
fn negotiate(served: &[Revision], requested: &str) -> Option<Revision> {
    let legacy = || served.iter().copied().filter(|revision| !revision.is_modern());
    legacy().find(|revision| revision.as_str() == requested).or_else(|| legacy().max())
}
