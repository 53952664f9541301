//! `_meta`: what a request says about itself, and the names that the protocol reserves.

use super::capabilities::{ClientCapabilities, Implementation};
use super::error::ProtocolError;
use super::id::Id;
use super::params::{Params, misfit};
use super::scan::{Broken, Raw, Scan};

pub(crate) const PROTOCOL_VERSION: &str = "io.modelcontextprotocol/protocolVersion";
pub(crate) const CLIENT_CAPABILITIES: &str = "io.modelcontextprotocol/clientCapabilities";
pub(crate) const CLIENT_INFO: &str = "io.modelcontextprotocol/clientInfo";
pub(crate) const LOG_LEVEL: &str = "io.modelcontextprotocol/logLevel";
pub(crate) const SUBSCRIPTION_ID: &str = "io.modelcontextprotocol/subscriptionId";

/// The members of a request's `_meta` that the protocol gives a meaning.
#[derive(Debug, Default)]
pub(crate) struct RequestMeta<'a> {
    pub(crate) protocol_version: Option<Raw<'a>>,
    pub(crate) client_capabilities: Option<Raw<'a>>,
    pub(crate) client_info: Option<Raw<'a>>,
    pub(crate) log_level: Option<Raw<'a>>,
    pub(crate) progress_token: Option<Raw<'a>>,
}

impl<'a> RequestMeta<'a> {
    /// Reads `params._meta`; absent or `null` is empty.
    pub(crate) fn read(params: &Params<'a>) -> Result<Self, ProtocolError> {
        match params.raw_object("_meta")? {
            Some(raw) => Self::of(raw.get()),
            None => Ok(Self::default()),
        }
    }

    /// Reads the text of a `_meta`.
    pub(crate) fn of(text: &'a str) -> Result<Self, ProtocolError> {
        let mut meta = Self::default();
        let mut twice = None;
        let read = Scan::new(text).object(|key, scan| {
            // `null` says nothing.
            let value = Some(scan.value()?).filter(|value| !value.is_null());
            let slot = match &*key {
                PROTOCOL_VERSION => &mut meta.protocol_version,
                CLIENT_CAPABILITIES => &mut meta.client_capabilities,
                CLIENT_INFO => &mut meta.client_info,
                LOG_LEVEL => &mut meta.log_level,
                "progressToken" => &mut meta.progress_token,
                _ => return Ok(()),
            };
            if slot.is_some() {
                twice.get_or_insert(key);
            }
            *slot = value;
            Ok(())
        });
        match (read, twice) {
            (Ok(()), None) => Ok(meta),
            (Ok(()), Some(key)) => Err(misfit("_meta", &format!("`{key}` stands twice"))),
            (Err(Broken), _) => Err(misfit("_meta", &Broken::explain(text))),
        }
    }

    /// Whether the request claims to be of the stateless era.
    pub(crate) const fn claims_modern(&self) -> bool {
        self.protocol_version.is_some() || self.client_capabilities.is_some()
    }

    /// The progress token; one of the wrong shape counts as none.
    pub(crate) fn progress_token(&self) -> Option<Id> {
        self.progress_token.and_then(Id::read)
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
