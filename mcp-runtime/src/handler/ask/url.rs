//! Sending a person to a page: `ctx.elicit_url(…)`. What is secret goes there, never into a form.

use std::borrow::Cow;
use std::fmt;
use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, ready};
use std::time::Duration;

use super::answers::is_uri;
use super::asked::{Asked, Unanswered};
use super::elicitation::{Action, Elicited, action};
use super::error::AskError;
use super::pose::Pose;
use crate::handler::ctx::{CallState, Ctx};
use crate::protocol::write;

/// A page that the person agreed to open. Whether they have finished there, only the page knows.
#[derive(Clone)]
pub struct OpenedUrl {
    id: String,
    call: Arc<CallState>,
}

impl fmt::Debug for OpenedUrl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("OpenedUrl").field("id", &self.id).finish_non_exhaustive()
    }
}

impl OpenedUrl {
    /// The name of this request in the protocol.
    #[must_use]
    pub fn id(&self) -> &str {
        &self.id
    }

    /// Tells the client that the person has finished on the page (sent in 2025-11-25, the only revision that has it).
    pub fn completed(&self) {
        if self.call.features.elicitation_modes && !self.call.features.modern {
            let mut message = Vec::with_capacity(128);
            let params = serde_json::json!({"elicitationId": self.id});
            write::notification(&mut message, "notifications/elicitation/complete", Some(&params));
            self.call.outlet.notify(message);
        }
    }
}

/// A request to open a page, under way; made by [`Ctx::elicit_url`].
#[must_use = "a question is asked when it is awaited"]
pub struct UrlElicitation<'c> {
    asked: Asked<'c>,
}

impl fmt::Debug for UrlElicitation<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("UrlElicitation").field("key", &self.asked.key()).finish_non_exhaustive()
    }
}

impl<'c> UrlElicitation<'c> {
    pub(crate) fn new(ctx: &'c Ctx, url: String, message: Cow<'static, str>) -> Self {
        let mut asked = Asked::new(ctx, Pose::Url { message, url, id: String::new() });
        name(&mut asked);
        Self { asked }
    }

    /// What tells this question from the others of the call.
    pub fn key(mut self, key: impl fmt::Display) -> Self {
        self.asked.set_key(key.to_string());
        name(&mut self.asked);
        self
    }

    /// How long an answer is waited for; after that it is [`AskError::Expired`].
    pub fn expires(mut self, after: Duration) -> Self {
        self.asked.set_expires(after);
        self
    }

    /// What the person said, where a "no" is no error.
    pub const fn elicited(self) -> ElicitedUrl<'c> {
        ElicitedUrl(self)
    }

    /// `None` when the client cannot be asked, which otherwise ends the call. A "no" of the person is still one.
    pub const fn optional(self) -> OptionalUrl<'c> {
        OptionalUrl(self)
    }

    fn poll_elicited(&mut self, context: &mut Context<'_>) -> Poll<Result<Elicited<OpenedUrl>, Unanswered>> {
        let Pose::Url { url, id, .. } = &self.asked.pose else { return Poll::Pending };
        if !is_address(url) {
            let problem = format!("`{url}` is no absolute URL that a person could open");
            return Poll::Ready(Err(Unanswered::Error(AskError::Request(problem))));
        }
        let opened = OpenedUrl { id: id.clone(), call: Arc::clone(&self.asked.ctx().call) };
        let answer = ready!(self.asked.poll_optional(context))?;
        match action(&answer) {
            Ok(Action::Accept) => Poll::Ready(Ok(Elicited::Accept(opened))),
            Ok(Action::Decline) => Poll::Ready(Ok(Elicited::Decline)),
            Ok(Action::Cancel) => Poll::Ready(Ok(Elicited::Cancel)),
            Err(faults) => self.asked.misfit(faults).map(|error| Err(Unanswered::Error(error))),
        }
    }
}

/// Whether a person's browser can go there: of `https` and `http` it must be said where.
fn is_address(url: &str) -> bool {
    let to_host =
        |rest: &str| rest.strip_prefix("//").is_some_and(|rest| !rest.is_empty() && !rest.starts_with(['/', '?', '#']));
    is_uri(url)
        && url.split_once(':').is_some_and(|(scheme, rest)| {
            let is_web = scheme.eq_ignore_ascii_case("https") || scheme.eq_ignore_ascii_case("http");
            !is_web || to_host(rest)
        })
}

/// Unique for the server: the call's own name, which nobody can guess, and the question's.
fn name(asked: &mut Asked<'_>) {
    let name = format!("{}-{}", asked.ctx().call.asking.flow(), asked.key());
    if let Pose::Url { id, .. } = &mut asked.pose {
        *id = name;
    }
}

impl Future for UrlElicitation<'_> {
    type Output = Result<OpenedUrl, AskError>;

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Self::Output> {
        match ready!(self.poll_elicited(context)) {
            Ok(elicited) => Poll::Ready(elicited.or_error(self.asked.key())),
            Err(unanswered) => self.asked.end_call(unanswered).map(Err),
        }
    }
}

/// A request to open a page whose "no" is no error; made by [`UrlElicitation::elicited`].
#[derive(Debug)]
#[must_use = "a question is asked when it is awaited"]
pub struct ElicitedUrl<'c>(UrlElicitation<'c>);

impl Future for ElicitedUrl<'_> {
    type Output = Result<Elicited<OpenedUrl>, AskError>;

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Self::Output> {
        match ready!(self.0.poll_elicited(context)) {
            Ok(elicited) => Poll::Ready(Ok(elicited)),
            Err(unanswered) => self.0.asked.end_call(unanswered).map(Err),
        }
    }
}

/// A request to open a page, for a client that perhaps cannot; made by [`UrlElicitation::optional`].
#[derive(Debug)]
#[must_use = "a question is asked when it is awaited"]
pub struct OptionalUrl<'c>(UrlElicitation<'c>);

impl Future for OptionalUrl<'_> {
    type Output = Result<Option<OpenedUrl>, AskError>;

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Self::Output> {
        Poll::Ready(match ready!(self.0.poll_elicited(context)) {
            Ok(elicited) => elicited.or_error(self.0.asked.key()).map(Some),
            Err(Unanswered::Unaskable(_)) => Ok(None),
            Err(Unanswered::Error(error)) => Err(error),
        })
    }
}
