//! The text of a URI template becomes parts: literals and variables.
//!
//! Only what can be read back from a URI in one pass is accepted; every other construct of RFC 6570 is refused with the
//! way out. This file uses nothing but `std`: the attribute macros compile the very same source.

mod error;

use std::fmt;

pub(crate) use error::TemplateError;

/// A parsed URI template, or a plain URI when it has no variables.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Template {
    text: String,
    pub(super) parts: Vec<Part>,
}

/// A stretch of fixed text, or a variable.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Part {
    /// In normal form: escapes in upper case, non-ASCII text escaped.
    Literal(String),
    Variable(Variable),
}

/// A named hole in a template.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Variable {
    name: String,
    kind: VariableKind,
}

/// How a variable is written, which decides what it can hold.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub(crate) enum VariableKind {
    /// `{x}`: one non-empty stretch without `/`, `?` or `#`.
    Simple,
    /// `{+x}`: anything, slashes included.
    Reserved,
    /// `{/x}`: one path segment with its slash, or nothing.
    Path,
    /// `{/x*}`: any number of path segments with their slashes, or nothing.
    PathExplode,
    /// `{?x}`: a query parameter that may be absent.
    Query,
    /// `{&x}`: the same, after a query that the literal text began.
    QueryContinuation,
    /// `{#x}`: the fragment, which may be absent.
    Fragment,
}

impl Template {
    /// Reads a template.
    ///
    /// # Errors
    /// When the text is not a URI template, or not one that a URI can be matched against in one reading.
    pub(crate) fn parse(text: &str) -> Result<Self, TemplateError> {
        check_scheme(text)?;
        let mut parts = Vec::new();
        let mut rest = text;
        while !rest.is_empty() {
            let (literal, braced) = rest.split_at(rest.find('{').unwrap_or(rest.len()));
            if !literal.is_empty() {
                check_last(&parts, literal)?;
                parts.push(Part::Literal(normal_literal(literal, parts.is_empty())?));
            }
            let Some(open) = braced.strip_prefix('{') else {
                break;
            };
            let (inside, after) = open.split_once('}').ok_or_else(|| TemplateError::Unclosed(braced.to_owned()))?;
            if let Some(name) = inside.strip_prefix('{') {
                return Err(TemplateError::Nested(name.to_owned()));
            }
            if inside.contains('{') {
                return Err(TemplateError::Unclosed(braced.to_owned()));
            }
            parse_expression(inside, &mut parts)?;
            rest = after;
        }
        Ok(Self { text: text.to_owned(), parts })
    }

    /// The template as it was written.
    #[must_use]
    pub(crate) fn as_str(&self) -> &str {
        &self.text
    }

    /// The variables, in the order of the text.
    pub(crate) fn variables(&self) -> impl Iterator<Item = &Variable> {
        variables(&self.parts)
    }

    /// Whether this is a plain URI, without variables.
    #[must_use]
    pub(crate) fn is_direct(&self) -> bool {
        self.variables().next().is_none()
    }
}

impl fmt::Display for Template {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

impl Variable {
    /// The name, which is that of the handler's parameter.
    #[must_use]
    pub(crate) fn name(&self) -> &str {
        &self.name
    }

    /// How it is written.
    #[must_use]
    pub(crate) fn kind(&self) -> VariableKind {
        self.kind
    }
}

impl VariableKind {
    /// Whether a URI may match without this variable having a value.
    #[must_use]
    pub(crate) fn is_optional(self) -> bool {
        !matches!(self, Self::Simple | Self::Reserved)
    }

    /// Whether the value may hold several path segments.
    #[must_use]
    pub(crate) fn is_wide(self) -> bool {
        matches!(self, Self::Reserved | Self::PathExplode)
    }

    /// Whether nothing but its fellows can follow: query and fragment end a URI.
    pub(super) fn is_tail(self) -> bool {
        matches!(self, Self::Query | Self::QueryContinuation | Self::Fragment)
    }

    fn operator(self) -> &'static str {
        match self {
            Self::Simple => "",
            Self::Reserved => "+",
            Self::Path | Self::PathExplode => "/",
            Self::Query => "?",
            Self::QueryContinuation => "&",
            Self::Fragment => "#",
        }
    }
}

impl fmt::Display for Variable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let star = if self.kind == VariableKind::PathExplode { "*" } else { "" };
        write!(f, "{{{}{}{star}}}", self.kind.operator(), self.name)
    }
}

fn variables(parts: &[Part]) -> impl Iterator<Item = &Variable> {
    parts.iter().filter_map(|part| match part {
        Part::Variable(variable) => Some(variable),
        Part::Literal(_) => None,
    })
}

fn check_scheme(text: &str) -> Result<(), TemplateError> {
    if text.trim().is_empty() {
        return Err(TemplateError::Empty);
    }
    let scheme = text.split_once(':').map_or("", |(scheme, _)| scheme);
    let begins = scheme.starts_with(|c: char| c.is_ascii_alphabetic());
    if begins && scheme.chars().all(|c| c.is_ascii_alphanumeric() || "+-.".contains(c)) {
        Ok(())
    } else if scheme.is_empty() || scheme.contains(['{', '/', '?', '#']) {
        Err(TemplateError::NoScheme(text.to_owned()))
    } else {
        Err(TemplateError::Scheme(scheme.to_owned()))
    }
}

/// Query and fragment are the end of a URI: refuses what comes `next` after one.
fn check_last(parts: &[Part], next: &str) -> Result<(), TemplateError> {
    match parts.last() {
        Some(Part::Variable(last)) if last.kind.is_tail() => {
            Err(TemplateError::AfterTail { tail: last.to_string(), next: next.to_owned() })
        }
        _ => Ok(()),
    }
}

/// Reads what stands between braces and appends its variables.
fn parse_expression(inside: &str, parts: &mut Vec<Part>) -> Result<(), TemplateError> {
    let whole = format!("{{{inside}}}");
    check_last(parts, &whole)?;
    let (kind, names) = split_operator(inside)?;
    if names.split(',').any(str::is_empty) {
        return Err(TemplateError::EmptyExpression(whole));
    }
    if names.contains(',') && matches!(kind.operator(), "" | "+" | "#") {
        return Err(TemplateError::List(whole));
    }
    check_place(kind, parts, &whole)?;
    for name in names.split(',') {
        let variable = parse_variable(name, kind)?;
        check_neighbours(&variable, parts)?;
        parts.push(Part::Variable(variable));
    }
    Ok(())
}

fn split_operator(inside: &str) -> Result<(VariableKind, &str), TemplateError> {
    let Some(first) = inside.chars().next() else {
        return Err(TemplateError::EmptyExpression("{}".to_owned()));
    };
    let kind = match first {
        '+' => VariableKind::Reserved,
        '/' => VariableKind::Path,
        '?' => VariableKind::Query,
        '&' => VariableKind::QueryContinuation,
        '#' => VariableKind::Fragment,
        ';' => return Err(TemplateError::PathParameter(inside.to_owned())),
        '.' => return Err(TemplateError::Label(inside.to_owned())),
        '=' | ',' | '!' | '@' | '|' | '$' | '*' | ':' => {
            return Err(TemplateError::UnknownOperator { operator: first, expression: inside.to_owned() });
        }
        _ => return Ok((VariableKind::Simple, inside)),
    };
    Ok((kind, inside.get(1..).unwrap_or_default()))
}

/// A query needs to know whether the literal text has begun one already.
fn check_place(kind: VariableKind, parts: &[Part], whole: &str) -> Result<(), TemplateError> {
    let written = |mark: char| parts.iter().any(|part| matches!(part, Part::Literal(text) if text.contains(mark)));
    match kind {
        VariableKind::QueryContinuation if !written('?') => Err(TemplateError::NothingToContinue(whole.to_owned())),
        VariableKind::Query if written('?') => Err(TemplateError::SecondQuery(whole.to_owned())),
        _ if kind.is_tail() && written('#') => Err(TemplateError::AfterFragment(whole.to_owned())),
        _ => Ok(()),
    }
}

fn parse_variable(text: &str, kind: VariableKind) -> Result<Variable, TemplateError> {
    if let Some((name, _)) = text.split_once(':') {
        return Err(TemplateError::Prefix { written: text.to_owned(), name: name.to_owned() });
    }
    let (name, kind) = match (text.strip_suffix('*'), kind) {
        (Some(name), VariableKind::Path) => (name, VariableKind::PathExplode),
        (Some(name), _) => {
            return Err(TemplateError::Explode {
                written: format!("{}{text}", kind.operator()),
                name: name.to_owned(),
            });
        }
        (None, _) => (text, kind),
    };
    let plain = |c: char| c.is_ascii_alphanumeric() || c == '_';
    if name.is_empty() || !name.chars().all(plain) {
        return Err(TemplateError::Name(name.to_owned()));
    }
    Ok(Variable { name: name.to_owned(), kind })
}

/// Where one variable ends must be plain from the text: by a literal, or by the mark that the next one begins with.
fn check_neighbours(variable: &Variable, parts: &[Part]) -> Result<(), TemplateError> {
    if variables(parts).any(|other| other.name == variable.name) {
        return Err(TemplateError::Twice(variable.name.clone()));
    }
    let wide = variables(parts).find(|other| other.kind.is_wide());
    if let Some(first) = wide.filter(|_| variable.kind.is_wide()) {
        return Err(TemplateError::TwoWide { first: first.to_string(), second: variable.to_string() });
    }
    if variable.kind.is_tail() {
        return Ok(());
    }
    let begins_with_slash = matches!(variable.kind, VariableKind::Path | VariableKind::PathExplode);
    if let Some(wide) = wide.filter(|_| begins_with_slash) {
        return Err(TemplateError::PathAfterWide { wide: wide.to_string(), path: variable.to_string() });
    }
    match parts {
        [.., Part::Variable(before)] if !begins_with_slash => {
            Err(TemplateError::Touching { first: before.to_string(), second: variable.to_string() })
        }
        // Is the slash of `/a` the variable's or the text's?
        [.., Part::Variable(before), Part::Literal(text)] if before.kind == VariableKind::Path && text == "/" => {
            Err(TemplateError::SlashAfterPath { path: before.to_string(), name: before.name.clone() })
        }
        _ => Ok(()),
    }
}

/// Checks the fixed text and brings it into the form in which URIs are compared.
fn normal_literal(text: &str, is_first: bool) -> Result<String, TemplateError> {
    if text.contains('}') {
        return Err(TemplateError::StrayClose(text.to_owned()));
    }
    if let Some(found) = text.chars().find(|c| c.is_whitespace() || c.is_control() || "\"<>\\^`|".contains(*c)) {
        return Err(TemplateError::Character { found, text: text.to_owned() });
    }
    let escaped = |after: &str| {
        let mut digits = after.chars();
        [digits.next(), digits.next()].iter().all(|c| c.is_some_and(|c| c.is_ascii_hexdigit()))
    };
    if !text.split('%').skip(1).all(escaped) {
        return Err(TemplateError::Percent(text.to_owned()));
    }
    let normal = normalize(text);
    Ok(if is_first { lower_scheme(&normal) } else { normal })
}

/// Escapes what a URI cannot hold as it is, and writes escapes in upper case.
pub(super) fn normalize(text: &str) -> String {
    let mut normal = String::with_capacity(text.len());
    let mut digits = 0_u8;
    for byte in text.bytes() {
        if digits > 0 && byte.is_ascii_hexdigit() {
            digits -= 1;
            normal.push(char::from(byte.to_ascii_uppercase()));
        } else if is_uri_byte(byte) {
            digits = if byte == b'%' { 2 } else { 0 };
            normal.push(char::from(byte));
        } else {
            digits = 0;
            push_escaped(&mut normal, byte);
        }
    }
    normal
}

/// Whether a byte can stand in a URI as it is (`%` as the beginning of an escape).
pub(super) fn is_uri_byte(byte: u8) -> bool {
    byte.is_ascii_graphic() && !b"\"<>\\^`{|}".contains(&byte)
}

/// Appends `%XX`.
pub(super) fn push_escaped(text: &mut String, byte: u8) {
    const HEX: [char; 16] = ['0', '1', '2', '3', '4', '5', '6', '7', '8', '9', 'A', 'B', 'C', 'D', 'E', 'F'];
    text.push('%');
    text.extend([byte >> 4, byte & 15].iter().filter_map(|half| HEX.get(usize::from(*half))));
}

/// Schemes are compared without regard to case.
pub(super) fn lower_scheme(uri: &str) -> String {
    match uri.split_once(':') {
        Some((scheme, rest)) => format!("{}:{rest}", scheme.to_ascii_lowercase()),
        None => uri.to_owned(),
    }
}
