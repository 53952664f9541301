//! URI templates (RFC 6570): parse, expand, match.
//!
//! A resource's URI with holes in it. Of the standard, what can be read back from a URI in one pass.

mod expand;
mod guard;
mod matching;
mod order;
#[expect(
    missing_docs,
    reason = "the fields of an error's variants are named for what they hold"
)]
mod parse;

pub(crate) use guard::Refusal;
pub(crate) use matching::{Captures, normal_uri};
pub(crate) use order::ambiguous;
pub(crate) use parse::Template;

#[cfg(test)]
mod tests;
