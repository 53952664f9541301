//! Values become a URI. What is written here, `matches` reads back unchanged, or it is an error.

use std::error::Error;
use std::fmt;

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};

use super::guard::Refusal;
use super::parse::{Part, Template, Variable, VariableKind, push_escaped};

/// Everything but the unreserved characters of RFC 3986.
const RESERVED: &AsciiSet = &NON_ALPHANUMERIC.remove(b'-').remove(b'.').remove(b'_').remove(b'~');

/// For `{+x}` and `{#x}`: the reserved characters stay. `%` does not: values are plain text, not escaped already.
const ILLEGAL: &AsciiSet = &RESERVED
    .remove(b':')
    .remove(b'/')
    .remove(b'?')
    .remove(b'#')
    .remove(b'[')
    .remove(b']')
    .remove(b'@')
    .remove(b'!')
    .remove(b'$')
    .remove(b'&')
    .remove(b'\'')
    .remove(b'(')
    .remove(b')')
    .remove(b'*')
    .remove(b'+')
    .remove(b',')
    .remove(b';')
    .remove(b'=');

/// How much of a value is escaped: as little as the standard says, more where the text around it would be mistaken.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Escaping {
    Standard,
    Punctuation,
    Everything,
}

impl Template {
    /// Writes the URI in which the variables have these values. Optional variables may be left out.
    ///
    /// # Errors
    /// When a required value is missing, a name is unknown, or no URI of this template has these values: an empty path
    /// segment, say, or `..` in a path.
    pub(crate) fn expand<'v>(
        &self,
        values: impl IntoIterator<Item = (&'v str, &'v str)>,
    ) -> Result<String, ExpandError> {
        let given: Vec<(&str, &str)> = values.into_iter().collect();
        let known = |name: &str| self.variables().any(|variable| variable.name() == name);
        if let Some((name, _)) = given.iter().find(|(name, _)| !known(name)) {
            return Err(ExpandError::Unknown((*name).to_owned()));
        }
        let value = |name: &str| given.iter().find(|(other, _)| *other == name).map(|(_, value)| *value);
        let mut failure = ExpandError::Unreadable(self.as_str().to_owned());
        for escaping in [Escaping::Standard, Escaping::Punctuation, Escaping::Everything] {
            let uri = self.write(&value, escaping)?;
            match self.matches(&uri) {
                Some(Ok(read)) if read.iter().all(|(name, read)| read == value(name)) => {
                    return Ok(uri);
                }
                Some(Err(refusal)) => failure = ExpandError::Refused(refusal),
                _ => {}
            }
        }
        Err(failure)
    }

    fn write<'v>(&self, value: &dyn Fn(&str) -> Option<&'v str>, escaping: Escaping) -> Result<String, ExpandError> {
        let mut uri = String::with_capacity(self.as_str().len());
        let mut query = '?';
        for part in &self.parts {
            match part {
                Part::Literal(text) => uri.push_str(text),
                Part::Variable(variable) => match value(variable.name()) {
                    Some(value) => write_value(&mut uri, variable, value, escaping, &mut query),
                    None if variable.kind().is_optional() => {}
                    None => return Err(ExpandError::Missing(variable.name().to_owned())),
                },
            }
        }
        Ok(uri)
    }
}

fn write_value(uri: &mut String, variable: &Variable, value: &str, escaping: Escaping, query: &mut char) {
    match variable.kind() {
        VariableKind::Simple | VariableKind::Reserved => {}
        VariableKind::Path | VariableKind::PathExplode => uri.push('/'),
        VariableKind::Fragment => uri.push('#'),
        VariableKind::Query | VariableKind::QueryContinuation => {
            let mark = if variable.kind() == VariableKind::Query { *query } else { '&' };
            *query = '&';
            uri.extend([mark.to_string().as_str(), variable.name(), "="]);
        }
    }
    let set = match variable.kind() {
        VariableKind::Reserved | VariableKind::Fragment => ILLEGAL,
        _ => RESERVED,
    };
    for (at, segment) in value.split('/').enumerate() {
        if at > 0 {
            uri.push_str(if keeps_slashes(variable.kind()) { "/" } else { "%2F" });
        }
        match escaping {
            Escaping::Standard => uri.extend(utf8_percent_encode(segment, set)),
            Escaping::Punctuation => uri.extend(utf8_percent_encode(segment, NON_ALPHANUMERIC)),
            Escaping::Everything => segment.bytes().for_each(|byte| push_escaped(uri, byte)),
        }
    }
}

fn keeps_slashes(kind: VariableKind) -> bool {
    kind.is_wide() || kind == VariableKind::Fragment
}

/// Why values do not make a URI.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub(crate) enum ExpandError {
    /// A required variable has no value.
    Missing(String),
    /// The template has no variable of this name.
    Unknown(String),
    /// The server would refuse the URI.
    Refused(Refusal),
    /// The URI would not be read back as these values.
    Unreadable(String),
}

impl fmt::Display for ExpandError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Missing(name) => write!(f, "`{name}` has no value and the URI needs one"),
            Self::Unknown(name) => write!(f, "the URI template has no variable `{name}`"),
            Self::Refused(refusal) => refusal.fmt(f),
            Self::Unreadable(template) => {
                write!(
                    f,
                    "no URI of `{template}` has these values: one is empty, or is given without the one before it"
                )
            }
        }
    }
}

impl Error for ExpandError {}
