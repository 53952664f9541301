//! One question under way, whatever it asks: the future that all kinds of questions share.

use std::future::Future as _;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Duration;

use serde_json::value::RawValue;
use tokio::time::Sleep;

use super::asking::{Channel, Recall};
use super::error::AskError;
use super::pending::{ClientError, Ticket};
use super::pose::Pose;
use crate::handler::ctx::{CallState, Ctx};
use crate::handler::error::Failure;
use crate::handler::host::Sent;
use crate::protocol::{ErrorCode, ProtocolError, write};

/// A question under way.
pub(crate) struct Asked<'c> {
    ctx: &'c Ctx,
    pub(crate) pose: Pose,
    key: String,
    /// The ordinal of a key that was made, not given.
    ordinal: Option<u32>,
    expires: Option<Duration>,
    stage: Stage,
}

enum Stage {
    New,
    /// The client was sent a request.
    Waiting(Wait),
    /// It goes out when the handler has nothing else to do; or the call ends for another reason.
    Left,
    Done,
}

/// Why there is no answer to decode.
pub(crate) enum Unanswered {
    /// The client cannot be asked; the call ends for it, unless that was expected.
    Unaskable(Failure),
    Error(AskError),
}

impl<'c> Asked<'c> {
    pub(crate) fn new(ctx: &'c Ctx, pose: Pose) -> Self {
        let (key, ordinal) = ctx.call.asking.reserve(pose.name());
        Self { ctx, pose, key, ordinal: Some(ordinal), expires: None, stage: Stage::New }
    }

    pub(crate) fn set_key(&mut self, key: String) {
        if let Some(ordinal) = self.ordinal.take() {
            self.ctx.call.asking.give_back(self.pose.name(), ordinal);
        }
        self.key = key;
    }

    pub(crate) const fn set_expires(&mut self, after: Duration) {
        self.expires = Some(after);
    }

    pub(crate) fn key(&self) -> &str {
        &self.key
    }

    pub(crate) const fn ctx(&self) -> &'c Ctx {
        self.ctx
    }

    /// A client that cannot be asked ends the call: the handler waits until it is dropped, and sees no error to swallow.
    pub(crate) fn end_call(&self, unanswered: Unanswered) -> Poll<AskError> {
        match unanswered {
            Unanswered::Error(error) => Poll::Ready(error),
            Unanswered::Unaskable(failure) if !self.ctx.call.asking.is_attended() => {
                Poll::Ready(AskError::Request(failure.to_string()))
            }
            Unanswered::Unaskable(failure) => {
                self.ctx.call.asking.condemn(failure);
                Poll::Pending
            }
        }
    }

    /// The answer as it came, or that the client cannot be asked.
    pub(crate) fn poll_optional(&mut self, context: &mut Context<'_>) -> Poll<Result<Box<RawValue>, Unanswered>> {
        let call = &self.ctx.call;
        if !matches!(self.stage, Stage::Done) && !call.asking.attend(context.waker()) {
            self.stage = Stage::Done;
            return Poll::Ready(Err(Unanswered::Error(AskError::Ended)));
        }
        if matches!(self.stage, Stage::New) {
            match self.begin() {
                Ok(Some(answer)) => {
                    self.stage = Stage::Done;
                    return Poll::Ready(Ok(answer));
                }
                Ok(None) => {}
                Err(unanswered) => {
                    self.stage = Stage::Done;
                    return Poll::Ready(Err(unanswered));
                }
            }
        }
        let Stage::Waiting(wait) = &mut self.stage else { return Poll::Pending };
        let outcome = match wait.poll(context) {
            Poll::Pending => return Poll::Pending,
            Poll::Ready(Some(outcome)) => {
                outcome.map_err(|ClientError { code, message }| AskError::Client { code, message })
            }
            Poll::Ready(None) => Err(AskError::Expired { key: self.key.clone() }),
        };
        self.stage = Stage::Done;
        Poll::Ready(outcome.map_err(Unanswered::Error))
    }

    /// Poses the question. An answer that is known already is returned.
    fn begin(&mut self) -> Result<Option<Box<RawValue>>, Unanswered> {
        let ctx = self.ctx;
        let call = &ctx.call;
        if call.asking.is_inside() {
            return Err(Unanswered::Error(AskError::InsideOnce { key: self.key.clone() }));
        }
        let need = self.pose.need();
        if let Channel::None(reason) = &call.asking.channel {
            return Err(Unanswered::Unaskable(Failure::Said(format!("the client cannot be asked: {reason}"))));
        }
        if !need.is_met(self.ctx.client(), call.features) {
            let failure = match &call.asking.channel {
                Channel::Return { .. } => Failure::Incapable(
                    ProtocolError::new(
                        ErrorCode::MISSING_CLIENT_CAPABILITY,
                        format!("Missing client capability: {}", need.lacking()),
                    )
                    .with_data(serde_json::json!({"requiredCapabilities": need.capabilities()})),
                ),
                Channel::Line | Channel::None(_) => Failure::Said(need.lacking().to_owned()),
            };
            return Err(Unanswered::Unaskable(failure));
        }
        if !call.asking.take_key(&self.key) {
            self.stage = Stage::Left;
            return Ok(None);
        }
        self.pose.fit(ctx.client(), call.features);
        let params = self.pose.params(call.features).map_err(Unanswered::Error)?;
        match &call.asking.channel {
            Channel::Line => {
                let wait =
                    Wait::begin(call, &self.pose, params.as_deref(), self.expires).map_err(Unanswered::Unaskable)?;
                self.stage = Stage::Waiting(wait);
                Ok(None)
            }
            Channel::Return { .. } => {
                match call.asking.recall(&self.key, self.pose.method(), params.as_deref(), self.expires) {
                    Recall::Answer(answer) => Ok(Some(answer)),
                    Recall::Late => Err(Unanswered::Error(AskError::Expired { key: self.key.clone() })),
                    Recall::Open => {
                        self.stage = Stage::Left;
                        Ok(None)
                    }
                }
            }
            Channel::None(_) => Ok(None),
        }
    }

    /// An answer that came and does not fit its question. Where the client comes back with it, its request is at fault.
    pub(crate) fn misfit(&mut self, faults: String) -> Poll<AskError> {
        let error = AskError::Malformed { key: self.key.clone(), faults };
        match &self.ctx.call.asking.channel {
            Channel::Return { .. } => {
                self.ctx.call.asking.condemn(Failure::Protocol(ProtocolError::invalid_params(error.to_string())));
                self.stage = Stage::Left;
                Poll::Pending
            }
            Channel::Line | Channel::None(_) => Poll::Ready(error),
        }
    }
}

/// A request of ours that the client has not answered; dropped, it is cancelled.
struct Wait {
    call: Arc<CallState>,
    ticket: Ticket,
    timer: Option<Pin<Box<Sleep>>>,
    is_answered: bool,
}

impl Wait {
    fn begin(
        call: &Arc<CallState>,
        pose: &Pose,
        params: Option<&RawValue>,
        expires: Option<Duration>,
    ) -> Result<Self, Failure> {
        let lacking = |why: &str| Failure::Said(format!("the client cannot be asked: {why}"));
        let peer = call.peer().ok_or_else(|| lacking("it has no session"))?;
        let ticket = peer.line.pending.open().map_err(lacking)?;
        let mut message = Vec::with_capacity(256);
        write::request(&mut message, &ticket.id(), pose.method(), params);
        if call.outlet.request(message) == Sent::Dropped {
            return Err(Failure::Said(
                "the client cannot be asked: there is no stream on which it would hear the question".to_owned(),
            ));
        }
        call.asking.begin_waiting();
        let timer = expires.map(|after| Box::pin(tokio::time::sleep(after)));
        Ok(Self { call: Arc::clone(call), ticket, timer, is_answered: false })
    }

    /// The answer, or `None` when the question's own time is over.
    fn poll(&mut self, context: &mut Context<'_>) -> Poll<Option<super::pending::Outcome>> {
        if let Poll::Ready(outcome) = self.ticket.poll(context.waker()) {
            self.is_answered = true;
            return Poll::Ready(Some(outcome));
        }
        match &mut self.timer {
            Some(timer) => timer.as_mut().poll(context).map(|()| None),
            None => Poll::Pending,
        }
    }
}

impl Drop for Wait {
    fn drop(&mut self) {
        self.call.asking.end_waiting();
        if !self.is_answered {
            let mut message = Vec::with_capacity(128);
            let params =
                serde_json::json!({"requestId": self.ticket.id(), "reason": "the question is not open any more"});
            write::notification(&mut message, "notifications/cancelled", Some(&params));
            self.call.outlet.notify(message);
        }
    }
}
