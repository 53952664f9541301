//! The id of a session, in which everything is sealed that `initialize` agreed on.

use std::time::{SystemTime, UNIX_EPOCH};

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::store::Key;
use crate::handler::client::Client;
use crate::protocol::{ClientCapabilities, Implementation};
use crate::server::core::Core;

/// What sealed ids are for.
const PURPOSE: &str = "session";

/// Longer is no id of ours: what goes into one is bounded.
const MOST_ID: usize = 6 * 1024;

/// Capabilities of more bytes are cut down to what the protocol knows: the id has to fit into a header.
const MOST_CAPABILITIES: usize = 2048;

/// A client's name in an id has so many bytes at most.
const MOST_NAME: usize = 100;

/// What is sealed behind the key and the time.
#[derive(Serialize, Deserialize)]
struct Sealed {
    #[serde(rename = "r")]
    revision: String,
    #[serde(rename = "n", default, skip_serializing_if = "String::is_empty")]
    name: String,
    #[serde(rename = "v", default, skip_serializing_if = "String::is_empty")]
    version: String,
    #[serde(rename = "t", default, skip_serializing_if = "Option::is_none")]
    title: Option<String>,
    #[serde(rename = "c", default, skip_serializing_if = "Map::is_empty")]
    capabilities: Map<String, Value>,
}

/// What an id says.
#[derive(Debug)]
pub(super) struct Opened {
    pub(super) key: Key,
    /// In seconds since 1970.
    pub(super) created: u64,
    pub(super) client: Client,
}

/// The id of a new session, of nobody's but this principal's. Nothing is kept of it.
pub(super) fn create(core: &Core, client: &Client, principal: Option<&str>) -> Option<String> {
    let mut key = [0; 16];
    getrandom::fill(&mut key).ok()?;
    let sealed = Sealed {
        revision: client.revision.as_str().to_owned(),
        name: short(&client.info.name),
        version: short(&client.info.version),
        title: client.info.title.as_deref().map(short),
        capabilities: reduced(client.capabilities.raw()),
    };
    let mut plain = key.to_vec();
    plain.extend_from_slice(&now().to_le_bytes());
    plain.extend_from_slice(&serde_json::to_vec(&sealed).ok()?);
    Some(core.sealer.seal(PURPOSE, &owner(core, principal), &plain))
}

/// What an id says, unless it is forged or somebody else's.
pub(super) fn open(core: &Core, id: &str, principal: Option<&str>) -> Option<Opened> {
    if id.len() > MOST_ID {
        return None;
    }
    let plain = core.sealer.open(PURPOSE, &owner(core, principal), id)?;
    let (key, rest) = plain.split_first_chunk::<16>()?;
    let (created, rest) = rest.split_first_chunk::<8>()?;
    let sealed: Sealed = serde_json::from_slice(rest).ok()?;
    let client = Client {
        revision: sealed.revision.parse().ok()?,
        info: Implementation { name: sealed.name, version: sealed.version, title: sealed.title },
        capabilities: serde_json::from_value::<ClientCapabilities>(Value::Object(sealed.capabilities)).ok()?,
    };
    Some(Opened { key: Key(*key), created: u64::from_le_bytes(*created), client })
}

/// What an id is bound to without holding it: a principal's name may be long, and the id has to fit into a header.
fn owner(core: &Core, principal: Option<&str>) -> Vec<u8> {
    let server = core.identity.name.as_bytes();
    let mut owner = (server.len() as u64).to_le_bytes().to_vec();
    owner.extend_from_slice(server);
    if let Some(principal) = principal {
        owner.push(b'=');
        owner.extend_from_slice(principal.as_bytes());
    }
    owner
}

/// Seconds since 1970.
pub(super) fn now() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default().as_secs()
}

fn short(text: &str) -> String {
    text.chars()
        .scan(0, |length, character| {
            *length += character.len_utf8();
            (*length <= MOST_NAME).then_some(character)
        })
        .collect()
}

/// The capabilities as they are, or the protocol's own ones without their details.
fn reduced(capabilities: &Map<String, Value>) -> Map<String, Value> {
    if serde_json::to_string(capabilities).is_ok_and(|text| text.len() <= MOST_CAPABILITIES) {
        return capabilities.clone();
    }
    let details =
        [("roots", &["listChanged"][..]), ("sampling", &["context", "tools"]), ("elicitation", &["form", "url"])];
    let kept = details.iter().filter_map(|(name, members)| {
        let declared = capabilities.get(*name)?.as_object()?;
        let kept: Map<String, Value> = (members.iter().filter(|member| declared.contains_key(**member)))
            .map(|member| ((*member).to_owned(), Value::Object(Map::new())))
            .collect();
        Some(((*name).to_owned(), Value::Object(kept)))
    });
    kept.collect()
}
