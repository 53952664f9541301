//! `#[prompt]`.

use proc_macro2::TokenStream;

use crate::diag::Errors;
use crate::function::{Function, Helpers};
use crate::handler::{self, Handler};
use crate::keys::Keys;
use crate::kind::Kind;
use crate::resource::{check_no_header, check_not_empty};

/// A checked prompt.
pub(crate) struct Prompt {
    pub(crate) handler: Handler,
}

impl Prompt {
    /// Reads `#[prompt(args)]` on `function`.
    pub(crate) fn parse(args: TokenStream, function: Function, helpers: &[Helpers], errors: &mut Errors) -> Self {
        let keys = Keys::parse(Kind::Prompt.attribute(), args, &[handler::KEYS, handler::RESERVED], errors);
        let handler = Handler::parse(Kind::Prompt, function, helpers, &keys, errors);
        check_not_empty(&handler, &keys, errors);
        check_no_header(&handler, errors);
        Self { handler }
    }
}
