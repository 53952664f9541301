//! An array of messages in one body, which revision 2025-03-26 has.

use std::sync::Arc;

use super::Refusal;
use crate::handler::call::BoxFuture;
use crate::handler::host::Outlet;
use crate::protocol::message::{self, Message};
use crate::protocol::meta::RequestMeta;
use crate::protocol::{ProtocolError, write};
use crate::server::core::Core;
use crate::server::flights::Flights;
use crate::server::job::{Batch, Together};
use crate::server::legacy::{self, Session};

/// Handles the messages of a batch. `None` when none of them is answered; otherwise what is still to be done, perhaps nothing.
pub(crate) fn batch(
    core: &Arc<Core>,
    session: &Arc<Session>,
    flights: &Arc<Flights>,
    text: &str,
    outlet: &Arc<dyn Outlet>,
) -> Result<Option<BoxFuture<'static, ()>>, Refusal> {
    if !session.features.batches {
        return Err(Refusal::invalid(None, "Invalid request: batches exist in revision 2025-03-26 only"));
    }
    let messages = message::batch(text).map_err(|malformed| Refusal::bad(malformed.id, malformed.error))?;
    if messages.is_empty() {
        return Err(Refusal::invalid(None, "Invalid request: the batch is empty"));
    }
    let batch = Batch::new(Arc::clone(outlet));
    let mut is_answered = false;
    let mut pending = Vec::new();
    for raw in messages {
        let outlet = Arc::clone(&batch) as Arc<dyn Outlet>;
        match message::parse(raw.get()) {
            Ok(Message::Request(request)) => {
                is_answered = true;
                let checked = match RequestMeta::read(&request.params) {
                    Ok(_) if legacy::begins(&request.method) => {
                        Err(ProtocolError::invalid_request("Invalid request: a session does not begin in a batch"))
                    }
                    checked => checked,
                };
                match checked {
                    Ok(meta) => {
                        let exchange = legacy::request(core, session, request, &meta, &outlet, flights);
                        pending.extend(exchange);
                    }
                    Err(error) => refuse(&*outlet, Some(&request.id), &error),
                }
            }
            Ok(Message::Notification { method, params }) => legacy::notified(session, flights, &method, &params),
            Ok(Message::Response(response)) => legacy::answered(session, &response),
            Err(malformed) => {
                is_answered = true;
                refuse(&*outlet, malformed.id.as_ref(), &malformed.error);
            }
        }
    }
    let together = Together::new(pending, batch, flights);
    Ok(is_answered.then(|| Box::pin(together) as _))
}

fn refuse(outlet: &dyn Outlet, id: Option<&crate::protocol::id::Id>, error: &ProtocolError) {
    let mut out = Vec::new();
    write::error(&mut out, id, error);
    outlet.respond(out, crate::handler::host::Origin::Envelope);
}
