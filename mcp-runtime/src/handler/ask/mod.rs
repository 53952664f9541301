//! Asking the client: written once as straight-line code, right for a client that waits and for one that is sent away.
//!
//! Until 2025-11-25 a question is a request of ours, and its answer wakes the handler (`pending`). In 2026-07-28 the
//! handler is dropped when it can only wait, its questions go out in the result of the call, and the client calls again
//! with the answers: the handler runs from the top and finds them (`memory`). What both share is in `asking` and `asked`.

mod answers;
mod asked;
mod asking;
mod attended;
mod commit;
mod declared;
mod derived;
mod elicitation;
mod error;
mod field;
mod form;
mod literal;
mod memory;
mod message;
mod once;
mod pending;
mod pose;
mod requested;
mod roots;
mod sample;
mod sampling;
mod url;

use std::fmt::Display;

pub use answers::{Answers, Refused};
pub(crate) use asking::{Asking, Channel, Open, Round};
pub(crate) use attended::{Attended, TimeIsOver, Timed};
pub(crate) use commit::LocalReplays;
pub use commit::ReplayStore;
pub(crate) use declared::Round as DeclaredRound;
pub(crate) use declared::{AskStep, EarlyStep};
pub use declared::{IntoQuestion, Keepable, Keeps, Kept, Question, Slots, ask};
pub use derived::{Defaulted, Described, Read, Underived, Written};
pub use elicitation::{Answer, Elicitation, Elicited, OptionalElicitation};
pub use error::AskError;
pub use form::{Choice, Choices, Elicit, FieldKind, Form, FormField, FormPart, Format, chosen};
pub(crate) use memory::{Digest, MOST_REMEMBERED, MOST_ROUNDS, Memory, random_name, seconds_since_1970};
pub use message::{SampleContent, SampleMessage, Sampled};
pub use once::{Attempt, Once, Remembered};
pub(crate) use pending::Line;
pub(crate) use pose::Need;
pub use roots::{OptionalRoots, Root, RootsRequest};
pub use sample::{OptionalSampling, Sampling};
pub use sampling::{SampleRequest, SampleTool, ToolChoice};
pub use url::{ElicitedUrl, OpenedUrl, OptionalUrl, UrlElicitation};

use super::ctx::Ctx;
use crate::protocol::IntoText;

impl Ctx {
    /// Asks the person with a form; what the form's type is follows from the type that is wanted.
    ///
    /// `T` is a type that derives [`Elicit`], for which a "no" is an error that `?` passes on and the model reads;
    /// `Option<T>`, for which it is `None`; or [`Elicited<T>`], which tells a "no" from a dismissal. A client that cannot
    /// be asked ends the call with an error, unless the question is [`optional`](Elicitation::optional).
    ///
    /// ```
    /// use mcp_runtime::prelude::*;
    ///
    /// #[derive(Elicit)]
    /// struct Confirm {
    ///     /// Yes, deploy it
    ///     sure: bool,
    /// }
    ///
    /// /// Deploy to production.
    /// #[tool(destructive)]
    /// async fn deploy(ctx: &Ctx) -> Result<&'static str> {
    ///     let confirm: Confirm = ctx.elicit("Deploy to production?").await?;
    ///     Ok(if confirm.sure { "deployed" } else { "nothing was done" })
    /// }
    /// # fn main() {}
    /// ```
    ///
    /// A 2026 client is sent away with the question and calls again with the answer: the handler runs again from the top,
    /// and its answered questions are ready at once. What must not happen twice goes into [`once`](Self::once). Wrap a
    /// question into no timer of your own: give the handler a `timeout`, which does not count a person's time.
    ///
    /// A question stays in its handler:
    ///
    /// ```compile_fail
    /// # use mcp_runtime::prelude::*;
    /// # #[derive(Elicit)]
    /// # struct Confirm { sure: bool }
    /// # async fn deploy(ctx: &Ctx) {
    /// let question = ctx.elicit::<Confirm>("Deploy to production?");
    /// tokio::spawn(question); // error: borrowed data escapes
    /// # }
    /// ```
    pub fn elicit<T: Answer>(&self, message: impl IntoText) -> Elicitation<'_, T> {
        Elicitation::new(self, message.into_text())
    }

    /// Asks the person to open a page, for everything that must not pass through the client: passwords, keys, payments.
    ///
    /// The answer is that they agreed to open it. Whether they have finished there, the page has to tell the server: put
    /// [`flow_id`](Self::flow_id) into its address. Needs `elicitation.url` (from 2025-11-25).
    pub fn elicit_url(&self, url: impl Into<String>, message: impl IntoText) -> UrlElicitation<'_> {
        UrlElicitation::new(self, url.into(), message.into_text())
    }

    /// Asks the client's model.
    ///
    /// ```
    /// # use mcp_runtime::prelude::*;
    /// # use mcp_runtime::SampleRequest;
    /// /// Summarize a text.
    /// #[tool(read_only)]
    /// async fn summarize(ctx: &Ctx, text: String) -> Result<String> {
    ///     let request = SampleRequest::new(format!("Summarize:\n{text}")).max_tokens(200);
    ///     Ok(ctx.sample(request).await?.text())
    /// }
    /// # fn main() {}
    /// ```
    pub fn sample(&self, request: impl Into<SampleRequest>) -> Sampling<'_> {
        Sampling::new(self, request.into())
    }

    /// The folders that the client works in. Until 2025-11-25 they are asked for once, and again when they have changed.
    pub fn roots(&self) -> RootsRequest<'_> {
        RootsRequest::new(self)
    }

    /// Runs a future whose effect must not be repeated when the handler is: its success is remembered, an error is not.
    ///
    /// The future gives a `Result`; what it remembers has serde's `Serialize` and `Deserialize`.
    ///
    /// ```
    /// # use mcp_runtime::prelude::*;
    /// # #[derive(Elicit)]
    /// # struct Confirm { sure: bool }
    /// # async fn reserve(room: &str, key: &str) -> Result<u64> { Ok(7) }
    /// /// Book a room.
    /// #[tool]
    /// async fn book(ctx: &Ctx, room: String) -> Result<String> {
    ///     let id = ctx.once("reserve", reserve(&room, ctx.flow_id())).await?;
    ///     let confirm: Confirm = ctx.elicit(format!("Room {room} is reserved. Book it?")).await?;
    ///     Ok(if confirm.sure { format!("booked as {id}") } else { "not booked".into() })
    /// }
    /// # fn main() {}
    /// ```
    ///
    /// A client may repeat a round whose answer it lost; then that round's future runs again. Where that matters, hand
    /// [`flow_id`](Self::flow_id) to the other side as its idempotency key, or pass [`commit_once`](Self::commit_once) first.
    /// The future may not ask questions.
    pub fn once<F: Attempt<T, E>, T: Remembered, E>(&self, key: impl Display, future: F) -> Once<'_, F, T, E> {
        Once::new(self, key.to_string(), future)
    }

    /// The name of this call, the same in all its rounds; nobody can guess it.
    #[must_use]
    pub fn flow_id(&self) -> &str {
        self.call.asking.flow()
    }

    /// A point that this call passes once: when a client repeats a round that has passed it, this is an error.
    ///
    /// # Errors
    ///
    /// [`AskError::Repeated`], or when the server's [`ReplayStore`] fails.
    pub async fn commit_once(&self) -> Result<(), AskError> {
        let asking = &self.call.asking;
        let (key, _) = asking.reserve("commit_once");
        if !asking.is_repeated() {
            return Ok(());
        }
        let name = format!("{}/{key}", asking.flow());
        let (store, ttl) = self.call.host.replays();
        let claim = async {
            match store.claim(&name, ttl).await {
                Ok(true) => Ok(()),
                Ok(false) => Err(AskError::Repeated),
                Err(error) => {
                    Err(AskError::Request(format!("it cannot be told whether this was done before: {error:#}")))
                }
            }
        };
        self.once(key, claim).await
    }
}
