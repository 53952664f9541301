//! What clients can do, the same in both eras: list, call, read, get, complete.

mod calls;
mod complete;
mod lists;

use std::sync::Arc;

pub(crate) use self::calls::{call_tool, extension, get_prompt, read_resource};
pub(crate) use self::complete::complete;
pub(crate) use self::lists::{list, list_resources};
use super::ask::send_away;
use super::core::Core;
use super::hook::{CallInfo, CallKind, Next};
use super::reply::Reply;
use crate::handler::call::BoxFuture;
use crate::handler::ctx::{CallState, Ctx};
use crate::handler::error::Failure;
use crate::handler::pace::Pace;
use crate::protocol::ProtocolError;
use crate::registry::catalog::Snapshot;
use crate::registry::item::Item;
use crate::schema::{nearest, one_of_names, shown};

/// The work on one request, owned.
pub(crate) struct Work {
    pub(crate) call: Arc<CallState>,
    pub(crate) future: BoxFuture<'static, Result<Reply, ProtocolError>>,
    /// How the calls of the author's function have gone so far: a transport may run one that blocks elsewhere.
    pub(crate) pace: Arc<Pace>,
}

impl Work {
    /// Work that calls no handler of the catalog.
    fn new(
        call: Arc<CallState>,
        pace: Arc<Pace>,
        work: impl Future<Output = Result<Reply, ProtocolError>> + Send + 'static,
    ) -> Self {
        Self { call, future: Box::pin(work), pace }
    }

    /// The call of a handler, inside the author's hook if there is one.
    fn of_handler(core: &Arc<Core>, ctx: Ctx, call: impl HandlerCall, name: &str, pace: Arc<Pace>) -> Self {
        let state = Arc::clone(&ctx.call);
        let future: BoxFuture<'static, _> = match core.around.clone() {
            None => Box::pin(async move {
                let core = Core::of(&ctx.call);
                let made = call.run(core, &ctx).await;
                made.or_else(|failure| refused(core, &ctx.call, failure))
            }),
            Some(around) => {
                let info = CallInfo { kind: call.kind(), name: name.to_owned(), ctx: ctx.clone() };
                let asked = Arc::clone(&ctx.call);
                let next = Next::new(async move { call.run(Core::of(&ctx.call), &ctx).await });
                // Called when it is polled: the hook is an author's code, which may block and panic.
                Box::pin(async move {
                    let made = around(info, next).await.0;
                    made.or_else(|failure| refused(Core::of(&asked), &asked, failure))
                })
            }
        };
        Self { call: state, future, pace }
    }
}

/// The call of a handler, with its arguments.
trait HandlerCall: Send + 'static {
    fn kind(&self) -> CallKind;

    fn run(self, core: &Core, ctx: &Ctx) -> impl Future<Output = Result<Reply, Failure>> + Send;
}

/// There is no item of this name; perhaps there is one that is nearly named so.
fn unknown<T: Item>(kind: &str, name: &str, offered: &Snapshot<T>) -> ProtocolError {
    unknown_of(kind, name, offered.items().map(|item| item.key()).collect())
}

/// There is nothing of this name, but there are others.
fn unknown_of(kind: &str, name: &str, known: Vec<&str>) -> ProtocolError {
    let hint = match nearest(name, known.iter().copied()) {
        Some(near) => format!("did you mean `{near}`?"),
        None => format!("expected {}", one_of_names(known)),
    };
    ProtocolError::invalid_params(format!("Unknown {kind}: {}, {hint}", shown(name)))
}

/// What a client is answered when there is no result.
pub(crate) fn refused(core: &Core, call: &CallState, failure: Failure) -> Result<Reply, ProtocolError> {
    match failure {
        Failure::Incapable(error) => Ok(Reply::Incapable(error)),
        Failure::Asks(round) => send_away(core, call, *round),
        failure => Err(error(core, failure)),
    }
}

/// The error of a failure that no client is asked about.
fn error(core: &Core, failure: Failure) -> ProtocolError {
    match failure {
        Failure::Protocol(error) | Failure::Incapable(error) => error,
        Failure::Message(text) => ProtocolError::internal(core.shown(text)),
        Failure::Refused(faults) => ProtocolError::invalid_params(format!("The arguments do not fit:{faults}")),
        Failure::Said(text) => ProtocolError::internal(text),
        Failure::Asks(_) => ProtocolError::internal("Internal error: there is nobody to ask"),
    }
}
