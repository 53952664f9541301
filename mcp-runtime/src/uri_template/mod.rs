//! URI templates (RFC 6570): parse, expand, match.
//!
//! A resource's URI with holes in it. Of the standard, what can be read back from a URI in one pass.

mod expand;
mod guard;
mod matching;
mod order;
mod parse;

pub(crate) use guard::Refusal;
pub(crate) use matching::{Captures, normal_uri};
pub(crate) use order::ambiguous;
pub(crate) use parse::Template;
#[cfg(test)]
pub(crate) use {
    expand::ExpandError,
    guard::Reason,
    parse::{TemplateError, Variable, VariableKind},
};

#[cfg(test)]
mod tests;
