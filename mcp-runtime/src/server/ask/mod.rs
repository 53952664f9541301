//! The back ends of questions: what a client takes along when it is sent away (2026-07-28), and how it comes back.
//!
//! [`state`] binds what a call remembers to its request and keeps it, in this process ([`table`]) or sealed with the client.

mod canonical;
mod state;
mod table;
#[cfg(feature = "testing")]
mod trails;

use bytes::Bytes;
use serde_json::value::RawValue;

use super::core::Core;
use super::reply::Reply;
use crate::handler::ask::{Asking, Channel, Round};
use crate::handler::ctx::CallState;
use crate::handler::host::Outlet;
use crate::protocol::ProtocolError;
use crate::protocol::params::Params;
use crate::protocol::scan::{Broken, Scan};

pub(crate) use state::State;
pub(crate) use table::Table;
#[cfg(feature = "testing")]
pub(crate) use trails::Trails;

/// What is asked outside of tools, resources and prompts by a client that would have to be sent away.
pub(crate) const NOT_HERE: Channel = Channel::None("in this revision questions belong to tools, resources and prompts");

/// The questions of a call whose client is sent away with them: what it answers, and what its last round remembers.
pub(crate) fn resume(
    core: &Core,
    method: &str,
    params: &Params<'_>,
    message: &dyn Fn() -> Bytes,
    outlet: &dyn Outlet,
) -> Result<Asking, ProtocolError> {
    let responses = responses(params)?;
    let channel = Channel::Return { message: message() };
    let memory = match params.raw("requestState") {
        Some(raw) => {
            let text = raw.text().ok_or_else(|| state::invalid("it is no string"))?;
            let mut memory = state::open(core, method, params, outlet, &text)?;
            memory.hear(responses);
            Some(memory)
        }
        None if responses.is_empty() => None,
        None => {
            let mut memory = state::begin();
            memory.hear_unasked(responses);
            Some(memory)
        }
    };
    Ok(Asking::new(channel, memory))
}

/// A client answers so many questions at once at most; what a call may remember is full long before.
const MOST_RESPONSES: usize = 1024;

/// `params.inputResponses`: an object of objects.
fn responses(params: &Params<'_>) -> Result<Vec<(String, Box<RawValue>)>, ProtocolError> {
    let mut responses: Vec<(String, Box<RawValue>)> = Vec::new();
    let Some(raw) = params.raw("inputResponses") else { return Ok(responses) };
    let read = Scan::new(raw.get()).object(|key, scan| {
        let value = scan.value()?;
        let is_known = responses.iter().any(|(known, _)| *known == key);
        if is_known || !value.is_object() || responses.len() == MOST_RESPONSES {
            return Err(Broken);
        }
        responses.push((key.into_owned(), RawValue::from_string(value.get().to_owned()).map_err(|_| Broken)?));
        Ok(())
    });
    read.map(|()| responses).map_err(|Broken| {
        ProtocolError::invalid_params("`params.inputResponses` must be an object with one object for each answer")
    })
}

/// A round has ended with questions: its memory is kept for the next, and the reply is what the client takes along.
pub(crate) fn send_away(core: &Core, call: &CallState, round: Round) -> Result<Reply, ProtocolError> {
    let Channel::Return { message } = &call.asking.channel else {
        return Err(ProtocolError::internal("Internal error: a client that waits was sent away"));
    };
    let state = state::keep(core, message, &*call.outlet, &round)?;
    Ok(Reply::Asks { open: round.open, state })
}
