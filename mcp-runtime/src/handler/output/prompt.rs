//! What a prompt may return, and how it becomes messages.

use std::borrow::Cow;

use super::returns::{PromptReturns, Returns};
use super::{consists, position};
use crate::handler::call::Made;
use crate::handler::error::HandlerError;
use crate::handler::prompt::{Messages, PromptMessage};
use crate::protocol::{Content, IntoText};

position! {
    #[diagnostic::on_unimplemented(
        message = "`{Self}` cannot be returned from a prompt",
        label = "is not text or messages",
        note = "return `String` for one message of the user, or `Messages`"
    )]
    /// What a prompt may return.
    ///
    /// * Text (`String`, `&'static str`, `Cow<'static, str>`): one message of the user.
    /// * [`Messages`](crate::Messages), or `Vec<PromptMessage>`.
    /// * A `Result` of any of them, with an error that displays itself.
    pub trait PromptOutput by PromptValue {
        #[doc(hidden)]
        const RETURNS: PromptReturns<Self> = Returns::new(Self::into_prompt, None, None);

        /// The messages.
        #[doc(hidden)]
        fn into_prompt(self) -> Made<Messages>;
    }
}

impl<R> PromptOutput for R
where
    R: PromptValue<Error: HandlerError, Inner: PromptValue>,
    R::Itself: PromptReply,
{
    fn into_prompt(self) -> Made<Messages> {
        self.itself().into_reply()
    }
}

/// How a prompt's value becomes messages. What lacks here is told by the bounds of [`PromptOutput`].
#[doc(hidden)]
pub trait PromptReply {
    fn into_reply(self) -> Made<Messages>;
}

macro_rules! replies {
    ($($($type:ty),+ => |$value:ident| $messages:expr;)+) => {$($(
        consists!([] $type: PromptValue);

        impl PromptReply for $type {
            fn into_reply(self) -> Made<Messages> {
                let $value = self;
                Ok($messages)
            }
        }
    )+)+};
}

replies! {
    Messages => |messages| messages;
    Vec<PromptMessage> => |messages| Messages { description: None, messages };
    String, &'static str, Cow<'static, str> => |text| user(text);
}

fn user(text: impl IntoText) -> Messages {
    Messages::user(Content::text(text))
}

consists!([T, E] Result<T, E>: PromptValue, T, E, ());

impl<T: PromptValue<Itself: PromptReply>, E: HandlerError> PromptReply for Result<T, E> {
    fn into_reply(self) -> Made<Messages> {
        match self {
            Ok(value) => value.itself().into_reply(),
            Err(error) => Err(error.into_failure()),
        }
    }
}
