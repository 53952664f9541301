//! What a request of this era says about itself: its revision, its client, the logs it wants.

use std::borrow::Cow;

use super::REVISION;
use crate::handler::client::Client;
use crate::handler::ctx::CallState;
use crate::handler::log::LogLevel;
use crate::protocol::meta::{self, RequestMeta};
use crate::protocol::scan::Raw;
use crate::protocol::{ErrorCode, ProtocolError};
use crate::server::core::Core;

/// The revision that a request claims to be of; an error unless it says all that every request must say about itself.
pub(crate) fn claimed_version<'a>(meta: &RequestMeta<'a>) -> Result<Cow<'a, str>, ProtocolError> {
    let missing: Vec<String> = [
        (meta::PROTOCOL_VERSION, meta.protocol_version.is_none()),
        (meta::CLIENT_CAPABILITIES, meta.client_capabilities.is_none()),
    ]
    .into_iter()
    .filter(|(_, missing)| *missing)
    .map(|(key, _)| format!("`{key}`"))
    .collect();
    if !missing.is_empty() {
        let text = format!(
            "`params._meta` lacks {}; a client of an earlier revision begins with `initialize`",
            missing.join(" and ")
        );
        return Err(ProtocolError::invalid_params(text));
    }
    meta.protocol_version.and_then(Raw::text).ok_or_else(|| {
        ProtocolError::invalid_params(format!("`params._meta.{}` must be a string", meta::PROTOCOL_VERSION))
    })
}

/// What a request must say about itself before anything else is looked at.
pub(crate) fn check_meta(core: &Core, meta: &RequestMeta<'_>) -> Result<(), ProtocolError> {
    let version = claimed_version(meta)?;
    if !core.options.revisions.contains(&REVISION) || version != REVISION.as_str() {
        return Err(unsupported(core, &version));
    }
    // Their members are read when a handler asks; that it is an object is part of the envelope.
    if !meta.client_capabilities.is_some_and(Raw::is_object) {
        return Err(ProtocolError::invalid_params(format!(
            "`params._meta.{}` must be an object",
            meta::CLIENT_CAPABILITIES
        )));
    }
    log_level(meta).map(drop)
}

/// -32022: the revision is not served.
fn unsupported(core: &Core, requested: &str) -> ProtocolError {
    let supported: Vec<&str> = (core.options.revisions.iter())
        .filter(|revision| revision.is_modern())
        .map(|revision| revision.as_str())
        .collect();
    ProtocolError::new(ErrorCode::UNSUPPORTED_PROTOCOL_VERSION, format!("Unsupported protocol version: {requested}"))
        .with_data(serde_json::json!({"supported": supported, "requested": requested}))
}

pub(super) fn log_level(meta: &RequestMeta<'_>) -> Result<Option<LogLevel>, ProtocolError> {
    meta.log_level
        .map(|raw| {
            serde_json::from_str(raw.get()).map_err(|_| {
                ProtocolError::invalid_params(format!("`params._meta.{}` is not a log level", meta::LOG_LEVEL))
            })
        })
        .transpose()
}

/// The client as this one request describes it.
pub(super) fn client(call: &CallState) -> Client {
    let meta = call.meta.as_deref().and_then(|text| RequestMeta::of(text).ok()).unwrap_or_default();
    Client {
        revision: REVISION,
        info: meta.client_info().unwrap_or_default(),
        capabilities: meta.client_capabilities().unwrap_or_default(),
    }
}
