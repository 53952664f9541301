//! `_meta`: what a request says about itself, and the names that the protocol reserves.

use serde::Deserialize;
use serde_json::value::RawValue;

use super::capabilities::{ClientCapabilities, Implementation};
use super::error::ProtocolError;
use super::id::Id;
use super::params::Params;

pub(crate) const PROTOCOL_VERSION: &str = "io.modelcontextprotocol/protocolVersion";
pub(crate) const CLIENT_CAPABILITIES: &str = "io.modelcontextprotocol/clientCapabilities";
pub(crate) const LOG_LEVEL: &str = "io.modelcontextprotocol/logLevel";
pub(crate) const SUBSCRIPTION_ID: &str = "io.modelcontextprotocol/subscriptionId";

/// The members of a request's `_meta` that the protocol gives a meaning.
#[derive(Debug, Default, Deserialize)]
pub(crate) struct RequestMeta<'a> {
    #[serde(borrow, default, rename = "io.modelcontextprotocol/protocolVersion")]
    pub(crate) protocol_version: Option<&'a RawValue>,
    #[serde(borrow, default, rename = "io.modelcontextprotocol/clientCapabilities")]
    pub(crate) client_capabilities: Option<&'a RawValue>,
    #[serde(borrow, default, rename = "io.modelcontextprotocol/clientInfo")]
    pub(crate) client_info: Option<&'a RawValue>,
    #[serde(borrow, default, rename = "io.modelcontextprotocol/logLevel")]
    pub(crate) log_level: Option<&'a RawValue>,
    #[serde(borrow, default, rename = "progressToken")]
    pub(crate) progress_token: Option<&'a RawValue>,
}

impl<'a> RequestMeta<'a> {
    /// Reads `params._meta`; absent or `null` is empty.
    pub(crate) fn read(params: &Params<'a>) -> Result<Self, ProtocolError> {
        params.object("_meta").map(Option::unwrap_or_default)
    }

    /// Whether the request claims to be of the stateless era.
    pub(crate) const fn claims_modern(&self) -> bool {
        self.protocol_version.is_some() || self.client_capabilities.is_some()
    }

    /// The progress token; one of the wrong shape counts as none.
    pub(crate) fn progress_token(&self) -> Option<Id> {
        self.progress_token.and_then(|raw| serde_json::from_str(raw.get()).ok())
    }

    /// The client's name and version, where they can be read.
    pub(crate) fn client_info(&self) -> Option<Implementation> {
        self.client_info.and_then(|raw| serde_json::from_str(raw.get()).ok())
    }

    /// The client's capabilities.
    pub(crate) fn client_capabilities(&self) -> Option<ClientCapabilities> {
        self.client_capabilities.and_then(|raw| serde_json::from_str(raw.get()).ok())
    }
}
