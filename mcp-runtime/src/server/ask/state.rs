//! `requestState`: what a call remembers, bound to its request, and kept where the next round finds it.
//!
//! A client can send anything here: what does not verify is one error, the real reason stands in the log only.

use std::sync::Arc;

#[cfg(feature = "http")]
use serde::Deserialize;
use serde::ser::SerializeMap as _;
use serde::{Serialize, Serializer};
use serde_json::Value;

use super::canonical;
use crate::handler::ask::{Digest, MOST_REMEMBERED, MOST_ROUNDS, Memory, Round, random_name, seconds_since_1970};
use crate::handler::host::Outlet;
use crate::protocol::ProtocolError;
use crate::protocol::message::{self, Message};
use crate::protocol::params::Params;
use crate::protocol::scan::Raw;
use crate::server::core::Core;

/// A call's memory with what it is bound to.
#[derive(Debug)]
#[cfg_attr(feature = "http", derive(Deserialize))]
pub(crate) struct State {
    /// In seconds since 1970.
    expires: u64,
    binding: Binding,
    memory: Memory,
}

// Not derived: `serde_json` compiles all that is in a derived struct once more, for the case that it is a text.
impl Serialize for State {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("expires", &self.expires)?;
        map.serialize_entry("binding", &self.binding)?;
        map.serialize_entry("memory", &self.memory)?;
        map.end()
    }
}

/// What has to be the same in the next round.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "http", derive(Deserialize))]
struct Binding {
    /// The server, the method, and the name or URI.
    target: Digest,
    arguments: Digest,
    principal: Digest,
}

impl Binding {
    fn of(core: &Core, method: &str, params: &Params<'_>, outlet: &dyn Outlet, memory: &Memory) -> Self {
        let text = |name| params.raw(name).and_then(Raw::text).unwrap_or_default();
        let arguments = params.raw("arguments").map_or("null", Raw::get);
        let mut canonical = Vec::new();
        match serde_json::from_str(arguments) {
            // No arguments, whichever way a client says it.
            Ok(Value::Object(members)) if members.is_empty() => {}
            Ok(Value::Null) => {}
            Ok(value) => canonical::write(&mut canonical, &value),
            // Nested too deeply for a tree: then only the same bytes are the same.
            Err(_) => canonical.extend_from_slice(arguments.as_bytes()),
        }
        let target =
            [core.identity.name.as_bytes(), method.as_bytes(), text("name").as_bytes(), text("uri").as_bytes()]
                .map(<[u8]>::to_vec);
        let target: Vec<&[u8]> = target.iter().map(Vec::as_slice).collect();
        let principal = outlet.principal();
        Self {
            target: Digest::of(memory.salt, &target),
            arguments: Digest::of(memory.salt, &[&canonical]),
            principal: Digest::of(
                memory.salt,
                &[&[u8::from(principal.is_some())], principal.unwrap_or_default().as_bytes()],
            ),
        }
    }
}

/// The memory of a call whose client has answered before it was asked.
pub(super) fn begin() -> Memory {
    Memory::begin(random_name())
}

/// -32602 for a state that does not verify.
pub(super) fn invalid(reason: &str) -> ProtocolError {
    crate::diagnostics::warn(format_args!("a `requestState` was refused: {reason}"));
    ProtocolError::invalid_params("Invalid or expired requestState")
        .with_data(serde_json::json!({"reason": "invalid_request_state"}))
}

/// The memory in a state that a client brings along.
pub(super) fn open(
    core: &Core,
    method: &str,
    params: &Params<'_>,
    outlet: &dyn Outlet,
    text: &str,
) -> Result<Memory, ProtocolError> {
    let state = if outlet.returns_here() { core.table.find(text) } else { unseal(core, text) };
    let state = state.ok_or_else(|| invalid("nothing of ours, from another process, or forgotten"))?;
    if state.expires < seconds_since_1970() {
        return Err(invalid("it has expired"));
    }
    let now = Binding::of(core, method, params, outlet, &state.memory);
    if now.target != state.binding.target {
        return Err(invalid("it is of another tool, resource or prompt"));
    }
    if now.arguments != state.binding.arguments {
        return Err(invalid("it is of other arguments"));
    }
    if now.principal != state.binding.principal {
        return Err(invalid("it is somebody else's"));
    }
    Ok(state.memory.clone())
}

/// Keeps a round's memory; what comes back is the `requestState`.
pub(super) fn keep(core: &Core, message: &[u8], outlet: &dyn Outlet, round: &Round) -> Result<String, ProtocolError> {
    let keys = || round.open.iter().map(|open| format!("`{}`", open.key)).collect::<Vec<_>>().join(", ");
    if round.memory.round > MOST_ROUNDS {
        let text = format!(
            "the call has asked in {MOST_ROUNDS} rounds and wants to ask again ({}): ask fewer times, or several questions together",
            keys()
        );
        return Err(ProtocolError::internal(text));
    }
    let unreadable = || ProtocolError::internal("Internal error: the request cannot be read again");
    let text = message::text(message).map_err(|_| unreadable())?;
    let Ok(Message::Request(request)) = message::parse(text) else { return Err(unreadable()) };
    let state = State {
        expires: seconds_since_1970().saturating_add(core.options.state_ttl.as_secs()),
        binding: Binding::of(core, &request.method, &request.params, outlet, &round.memory),
        memory: round.memory.clone(),
    };
    let bytes =
        serde_json::to_vec(&state).map_err(|error| ProtocolError::internal(format!("Internal error: {error}")))?;
    if bytes.len() > MOST_REMEMBERED {
        let text = format!(
            "the call has to remember {} bytes from round to round, and {MOST_REMEMBERED} is the most: the largest part is {}",
            bytes.len(),
            round.memory.largest()
        );
        return Err(ProtocolError::internal(text));
    }
    if outlet.returns_here() {
        let handle = core.table.keep(Arc::new(state), bytes.len(), core.options.state_ttl);
        handle.ok_or_else(|| ProtocolError::internal("too many calls wait for answers: try again later"))
    } else {
        Ok(seal(core, state, &bytes))
    }
}

/// What sealed states are sealed for.
#[cfg(feature = "http")]
const PURPOSE: &str = "requestState";

#[cfg(feature = "http")]
fn seal(core: &Core, _: State, bytes: &[u8]) -> String {
    core.sealer.seal(PURPOSE, core.identity.name.as_bytes(), bytes)
}

#[cfg(feature = "http")]
fn unseal(core: &Core, text: &str) -> Option<Arc<State>> {
    let state = core.sealer.open(PURPOSE, core.identity.name.as_bytes(), text)?;
    // As text, like all that is read: reading bytes would be compiled once more.
    serde_json::from_str(std::str::from_utf8(&state).ok()?).ok().map(Arc::new)
}

/// Every transport but HTTP brings a client back to this process.
#[cfg(not(feature = "http"))]
fn seal(core: &Core, state: State, bytes: &[u8]) -> String {
    core.table.keep(Arc::new(state), bytes.len(), core.options.state_ttl).unwrap_or_default()
}

#[cfg(not(feature = "http"))]
fn unseal(core: &Core, text: &str) -> Option<Arc<State>> {
    core.table.find(text)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::handler::ask::{Asking, Channel};
    use crate::handler::error::Failure;
    use crate::handler::host::{Origin, Sent};
    use crate::server::Server;
    use std::task::Waker;

    /// The way to somebody, here or to any of several instances.
    struct Way(Option<&'static str>, bool);

    impl Outlet for Way {
        fn notify(&self, _: Vec<u8>) -> Sent {
            Sent::Dropped
        }

        fn returns_here(&self) -> bool {
            self.1
        }

        fn principal(&self) -> Option<&str> {
            self.0
        }

        fn respond(&self, _: Vec<u8>, _: Origin) {}
    }

    const MESSAGE: &str =
        r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"add","arguments":{"a":1}}}"#;

    fn round() -> Round {
        let asking = Asking::new(Channel::Return { message: MESSAGE.into() }, None);
        asking.recall("key", "elicitation/create", None, None);
        let Some(Failure::Asks(round)) = asking.after_poll(Waker::noop()) else { panic!("a question is open") };
        *round
    }

    fn open_as(core: &Core, way: &Way, state: &str) -> Option<String> {
        let Ok(Message::Request(request)) = message::parse(MESSAGE) else { panic!("a request") };
        open(core, &request.method, &request.params, way, state).ok().map(|memory| memory.flow)
    }

    #[test]
    fn what_one_principal_was_asked_no_other_answers() {
        let core = Server::new("a", "1").allow_empty().build().unwrap().core;
        for here in [true, false] {
            for asked in [None, Some("ada"), Some("")] {
                let round = round();
                let state = keep(&core, MESSAGE.as_bytes(), &Way(asked, here), &round).unwrap();
                for answers in [None, Some("ada"), Some("eve"), Some("")] {
                    let opened = open_as(&core, &Way(answers, here), &state);
                    let expected = (asked == answers).then(|| round.memory.flow.clone());
                    assert_eq!(opened, expected, "{asked:?} {answers:?}");
                }
            }
        }
    }
}
