//! Asking a person with a form: `ctx.elicit(…)`.

use std::borrow::Cow;
use std::fmt;
use std::future::Future;
use std::pin::Pin;
use std::task::{Context, Poll, ready};
use std::time::Duration;

use serde::Deserialize;
use serde_json::value::RawValue;
use serde_json::{Map, Value};

use super::answers::{Answers, Refused};
use super::asked::{Asked, Unanswered};
use super::declared::{Kept, Question, ask_made, ask_message};
use super::error::AskError;
use super::form::Elicit;
use super::pose::Pose;
use crate::handler::call::{BoxFuture, Made};
use crate::handler::ctx::Ctx;
use crate::handler::error::Failure;
use crate::handler::param::{Param, asked};
use crate::protocol::message::plain;

/// What became of a question.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[must_use = "the person may have said no"]
pub enum Elicited<T> {
    /// The person answered.
    Accept(T),
    /// The person said no.
    Decline,
    /// The person closed the question without an answer.
    Cancel,
}

impl<T> Elicited<T> {
    /// The answer, if there is one.
    pub fn accepted(self) -> Option<T> {
        match self {
            Self::Accept(value) => Some(value),
            Self::Decline | Self::Cancel => None,
        }
    }

    /// The answer, or an error for `?` that the model reads.
    pub(crate) fn or_error(self, key: &str) -> Result<T, AskError> {
        match self {
            Self::Accept(value) => Ok(value),
            Self::Decline => Err(AskError::Declined { key: key.to_owned() }),
            Self::Cancel => Err(AskError::Cancelled { key: key.to_owned() }),
        }
    }
}

/// What a question may give: a form's type `T`, `Option<T>` or [`Elicited<T>`].
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be the answer to a question",
    label = "does not derive `Elicit`",
    note = "add `#[derive(mcp_runtime::Elicit)]` to a flat struct or an enum of names, and take it, an `Option` or an `Elicited` of it; in a body, name it: `ctx.elicit::<T>(…)`"
)]
pub trait Answer: Sized + Send + Sync + 'static {
    #[doc(hidden)]
    type Form: Elicit;

    #[doc(hidden)]
    const ASK: Param<Self> = asked::<Self>();

    /// What it is when the client cannot be asked, where that is no reason to end the call.
    #[doc(hidden)]
    #[must_use]
    fn unaskable() -> Option<Self> {
        None
    }

    #[doc(hidden)]
    #[must_use]
    fn pose<'c>(ctx: &'c Ctx, param: &Param<Self>, message: String) -> BoxFuture<'c, Made<Kept>> {
        ask_message::<Self>(ctx, param.info().name, message.into())
    }

    #[doc(hidden)]
    #[must_use]
    fn pose_made<'c>(
        ctx: &'c Ctx,
        param: &Param<Self>,
        question: BoxFuture<'c, Made<Question<Self::Form>>>,
    ) -> BoxFuture<'c, Made<Kept>> {
        ask_made::<Self>(ctx, param.info().name, question)
    }

    #[doc(hidden)]
    fn from_elicited(elicited: Elicited<Self::Form>, key: &str) -> Result<Self, AskError>;
}

#[diagnostic::do_not_recommend]
impl<T: Elicit> Answer for T {
    type Form = T;

    fn from_elicited(elicited: Elicited<T>, key: &str) -> Result<T, AskError> {
        elicited.or_error(key)
    }
}

/// Implemented by nothing: between two implementations the compiler looks at the bounds before it knows the `Form`.
#[doc(hidden)]
pub trait Nothing {
    type Form: Elicit;
}

#[diagnostic::do_not_recommend]
impl<T: Send + Sync + 'static> Answer for T
where
    (T,): Nothing,
{
    type Form = <(T,) as Nothing>::Form;

    fn from_elicited(_: Elicited<Self::Form>, key: &str) -> Result<T, AskError> {
        Err(AskError::Declined { key: key.to_owned() })
    }
}

#[diagnostic::do_not_recommend]
impl<T: Elicit> Answer for Option<T> {
    type Form = T;

    fn unaskable() -> Option<Self> {
        Some(None)
    }

    fn from_elicited(elicited: Elicited<T>, _: &str) -> Result<Self, AskError> {
        Ok(elicited.accepted())
    }
}

#[diagnostic::do_not_recommend]
impl<T: Elicit> Answer for Elicited<T> {
    type Form = T;

    fn from_elicited(elicited: Self, _: &str) -> Result<Self, AskError> {
        Ok(elicited)
    }
}

/// A form's question under way; made by [`Ctx::elicit`].
///
/// It borrows the context, so it stays inside the handler.
#[must_use = "a question is asked when it is awaited"]
pub struct Elicitation<'c, T> {
    asked: Asked<'c>,
    // The bound is met where it is made, so a misfit is reported there and not at its `await` again.
    read: Read<T>,
}

/// Reads an answer; what does not fit is told in words.
type Read<T> = fn(&RawValue, &str) -> Result<Result<T, AskError>, String>;

impl<T> fmt::Debug for Elicitation<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Elicitation").field("key", &self.asked.key()).finish_non_exhaustive()
    }
}

impl<'c, T> Elicitation<'c, T> {
    pub(crate) fn new(ctx: &'c Ctx, message: Cow<'static, str>) -> Self
    where
        T: Answer,
    {
        let asked = Asked::new(ctx, Pose::Form { message, form: <T::Form as Elicit>::FORM });
        Self { asked, read: |answer, key| elicited::<T::Form>(answer).map(|elicited| T::from_elicited(elicited, key)) }
    }

    /// What tells this question from the others of the call. Needed in loops whose length may change.
    ///
    /// Without it the key is made from the form's type and a number: `confirm`, `confirm_2`.
    pub fn key(mut self, key: impl fmt::Display) -> Self {
        self.asked.set_key(key.to_string());
        self
    }

    /// How long an answer is waited for; after that it is [`AskError::Expired`].
    pub fn expires(mut self, after: Duration) -> Self {
        self.asked.set_expires(after);
        self
    }

    /// `None` when the client cannot be asked, which otherwise ends the call. A "no" of the person is still one.
    pub const fn optional(self) -> OptionalElicitation<'c, T> {
        OptionalElicitation { elicitation: self }
    }

    /// The answer; the failure is that the client cannot be asked.
    fn poll_optional(&mut self, context: &mut Context<'_>) -> Poll<Result<T, Unanswered>> {
        let answer = ready!(self.asked.poll_optional(context))?;
        match (self.read)(&answer, self.asked.key()) {
            Ok(read) => Poll::Ready(read.map_err(Unanswered::Error)),
            Err(faults) => self.asked.misfit(faults).map(|error| Err(Unanswered::Error(error))),
        }
    }
}

impl<T> Future for Elicitation<'_, T> {
    type Output = Result<T, AskError>;

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Self::Output> {
        match ready!(self.poll_optional(context)) {
            Ok(answer) => Poll::Ready(Ok(answer)),
            Err(unanswered) => self.asked.end_call(unanswered).map(Err),
        }
    }
}

/// A question to a client that perhaps cannot be asked; made by [`Elicitation::optional`].
#[derive(Debug)]
#[must_use = "a question is asked when it is awaited"]
pub struct OptionalElicitation<'c, T> {
    elicitation: Elicitation<'c, T>,
}

impl<T> Future for OptionalElicitation<'_, T> {
    type Output = Result<Option<T>, AskError>;

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Self::Output> {
        Poll::Ready(match ready!(self.elicitation.poll_optional(context)) {
            Ok(answer) => Ok(Some(answer)),
            Err(Unanswered::Unaskable(_)) => Ok(None),
            Err(Unanswered::Error(error)) => Err(error),
        })
    }
}

/// A declared question: answered before its handler is called.
pub(crate) async fn declared<T: Answer>(
    ctx: &Ctx,
    key: &'static str,
    message: Cow<'static, str>,
) -> Result<T, Failure> {
    let mut elicitation = Elicitation::<T>::new(ctx, message).key(key);
    let answer = std::future::poll_fn(|context| elicitation.poll_optional(context)).await;
    match answer {
        Ok(answer) => Ok(answer),
        Err(Unanswered::Error(error)) => Err(error.into()),
        Err(Unanswered::Unaskable(failure)) => T::unaskable().ok_or(failure),
    }
}

#[derive(Clone, Copy, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Action {
    Accept,
    Decline,
    Cancel,
}

#[derive(Deserialize)]
#[serde(expecting = "an object with an `action`")]
struct ElicitResult {
    action: Action,
    #[serde(default)]
    content: Option<Map<String, Value>>,
}

/// What the person chose to do, from an `ElicitResult`.
pub(crate) fn action(answer: &RawValue) -> Result<Action, String> {
    #[derive(Deserialize)]
    #[serde(expecting = "an object with an `action`")]
    struct Only {
        action: Action,
    }
    serde_json::from_str::<Only>(answer.get())
        .map(|result| result.action)
        .map_err(|error| format!("\n- {}", plain(&error)))
}

/// An `ElicitResult`, with its content read as the form's type.
fn elicited<T: Elicit>(answer: &RawValue) -> Result<Elicited<T>, String> {
    let result: ElicitResult = serde_json::from_str(answer.get()).map_err(|error| format!("\n- {}", plain(&error)))?;
    match result.action {
        Action::Accept => {
            let content = result.content.unwrap_or_default();
            let mut answers = Answers::new(T::FORM, &content);
            T::read(&mut answers).map(Elicited::Accept).map_err(|Refused| answers.into_faults())
        }
        Action::Decline => Ok(Elicited::Decline),
        Action::Cancel => Ok(Elicited::Cancel),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_answer_that_is_none_is_refused_in_words_of_the_protocol() {
        for (answer, got) in [("null", "null"), ("\"accept\"", "string \"accept\""), ("1", "integer `1`")] {
            let answer: Box<RawValue> = serde_json::from_str(answer).unwrap();
            let expected = format!("\n- invalid type: {got}, expected an object with an `action`");
            assert_eq!(action(&answer).err(), Some(expected));
        }
    }
}
