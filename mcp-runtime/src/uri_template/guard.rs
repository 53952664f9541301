//! The raw text of a variable becomes its value, unless that value could lead out of what the template covers.
//!
//! Decoding comes first: `..%2f..%2fetc` is harmless text until it is decoded and joined to a directory.

use std::error::Error;
use std::fmt;

use percent_encoding::percent_decode_str;

use super::parse::{Part, Template, Variable, VariableKind};

/// A URI that is of a template, but whose variable must not reach a handler.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Refusal {
    variable: String,
    reason: Reason,
}

/// What is wrong with the value of a variable.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub(crate) enum Reason {
    /// A `%` without two hexadecimal digits.
    Escape,
    /// The decoded bytes are not UTF-8.
    Utf8,
    /// A NUL character.
    Nul,
    /// A `.` or `..` path segment.
    DotSegment,
    /// A backslash, a separator on some systems.
    Backslash,
    /// A leading slash or a drive letter: joined to a directory, the path replaces it.
    Absolute,
    /// A query parameter that is given twice.
    Repeated,
}

impl Refusal {
    pub(super) fn new(variable: &Variable, reason: Reason) -> Self {
        Self { variable: variable.name().to_owned(), reason }
    }

    /// The name of the variable.
    #[cfg(test)]
    #[must_use]
    pub(crate) fn variable(&self) -> &str {
        &self.variable
    }

    /// What is wrong with its value.
    #[cfg(test)]
    #[must_use]
    pub(crate) fn reason(&self) -> Reason {
        self.reason
    }
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let rule = match self.reason {
            Reason::Escape => {
                "has a `%` that is not followed by two hexadecimal digits: write `%25` for the sign itself"
            }
            Reason::Utf8 => "is not UTF-8 once it is decoded",
            Reason::Nul => "must not contain a NUL character",
            Reason::DotSegment => "must not contain the path segments `.` and `..`",
            Reason::Backslash => "must not contain a backslash: path segments are separated by `/`",
            Reason::Absolute => "must be a relative path, without a leading `/` or a drive letter",
            Reason::Repeated => "is given more than once in the query",
        };
        write!(f, "`{}` in the URI {rule}", self.variable)
    }
}

impl Error for Refusal {}

/// Where a variable stands, which decides how much harm it can do.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Place {
    /// In the path of a `file:` URI: any variable is likely to be joined to a directory.
    File,
    /// In any other path.
    Path,
    /// In a query or a fragment: text, not a path.
    Query,
}

impl Place {
    /// Where the variables of a template begin.
    pub(super) fn of(template: &Template) -> Self {
        match template.parts.first() {
            Some(Part::Literal(text)) if text.starts_with("file:") => Self::File,
            _ => Self::Path,
        }
    }
}

/// Decodes the text of a variable and checks the result.
pub(super) fn decode(variable: &Variable, place: Place, raw: &str) -> Result<String, Refusal> {
    let place = if variable.kind().is_tail() { Place::Query } else { place };
    let refused = |reason| Refusal::new(variable, reason);
    let escapes = |after: &str| after.as_bytes().get(..2).is_some_and(|two| two.iter().all(u8::is_ascii_hexdigit));
    if !raw.split('%').skip(1).all(escapes) {
        return Err(refused(Reason::Escape));
    }
    let value = percent_decode_str(raw).decode_utf8().map_err(|_| refused(Reason::Utf8))?;
    match fault(&value, variable.kind(), place) {
        Some(reason) => Err(refused(reason)),
        None => Ok(value.into_owned()),
    }
}

fn fault(value: &str, kind: VariableKind, place: Place) -> Option<Reason> {
    if place == Place::Query && !kind.is_wide() {
        return None;
    }
    let is_path = kind.is_wide() || place == Place::File;
    let dots = |segment: &str| segment == ".." || (is_path && segment == ".");
    let drive = || matches!(value.as_bytes(), [letter, b':', ..] if letter.is_ascii_alphabetic());
    if value.contains('\0') {
        Some(Reason::Nul)
    } else if value.split(['/', '\\']).any(dots) {
        Some(Reason::DotSegment)
    } else if is_path && value.contains('\\') {
        Some(Reason::Backslash)
    } else if is_path && (value.starts_with('/') || (place == Place::File && drive())) {
        Some(Reason::Absolute)
    } else {
        None
    }
}
