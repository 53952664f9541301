//! Which of two templates is tried first, and which two no URI can tell apart.

use std::cmp::{Ordering, Reverse};

use super::parse::{Part, Template, VariableKind};

/// A part of a template as far as order goes; the first variant is the most specific.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Rank {
    /// Longer text first.
    Text(Reverse<usize>),
    End,
    Simple,
    Path,
    Query,
    Fragment,
    Wide,
}

impl Template {
    /// The order in which templates are tried: literal text (longer first) before `{x}` before a query before a wide
    /// variable, part by part.
    #[must_use]
    pub(crate) fn compare(&self, other: &Self) -> Ordering {
        self.ranks().cmp(other.ranks()).then_with(|| self.as_str().cmp(other.as_str()))
    }

    fn ranks(&self) -> impl Iterator<Item = Rank> {
        self.parts.iter().map(Rank::of).chain([Rank::End])
    }
}

impl Rank {
    fn of(part: &Part) -> Self {
        match part {
            Part::Literal(text) => Self::Text(Reverse(text.len())),
            Part::Variable(variable) => match variable.kind() {
                VariableKind::Simple => Self::Simple,
                VariableKind::Path => Self::Path,
                VariableKind::Query | VariableKind::QueryContinuation => Self::Query,
                VariableKind::Fragment => Self::Fragment,
                VariableKind::Reserved | VariableKind::PathExplode => Self::Wide,
            },
        }
    }
}

/// Whether two templates match exactly the same URIs, so that one of them could never be reached.
#[must_use]
pub(crate) fn ambiguous(a: &Template, b: &Template) -> bool {
    shape(a).eq(shape(b))
}

/// What decides which URIs match: not the names, nor how many query parameters there are (unknown ones are ignored).
fn shape(template: &Template) -> impl Iterator<Item = Result<&str, VariableKind>> {
    let mut in_query = false;
    template.parts.iter().filter_map(move |part| match part {
        Part::Literal(text) => Some(Ok(text.as_str())),
        Part::Variable(variable) => match variable.kind() {
            kind @ (VariableKind::Query | VariableKind::QueryContinuation) => {
                (!std::mem::replace(&mut in_query, true)).then_some(Err(kind))
            }
            kind => Some(Err(kind)),
        },
    })
}
