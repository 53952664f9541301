//! A URI is read against a template: which text each variable holds, decoded and checked.
//!
//! One reading, no second tries: a variable ends at the first occurrence of the text after it, and what follows a wide
//! variable is read from the end. Backtracking would let a client burn seconds with sixty dashes.

use std::borrow::Cow;

use percent_encoding::percent_decode_str;

use super::guard::{Place, Reason, Refusal, decode};
use super::parse::{Part, Template, Variable, VariableKind, is_uri_byte, lower_scheme, normalize};

/// The values of a template's variables in the order of the template; `None` for an optional one that is absent.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct Captures<'t>(Vec<(&'t str, Option<String>)>);

impl<'t> Captures<'t> {
    /// The decoded value of a variable; `None` when it is absent or the template has no such variable.
    #[cfg(test)]
    #[must_use]
    pub(crate) fn get(&self, name: &str) -> Option<&str> {
        self.iter().find(|(other, _)| *other == name).and_then(|(_, value)| value)
    }

    /// Names and values, in the order of the template.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (&'t str, Option<&str>)> {
        self.0.iter().map(|(name, value)| (*name, value.as_deref()))
    }
}

impl<'t> IntoIterator for Captures<'t> {
    type Item = (&'t str, Option<String>);
    type IntoIter = std::vec::IntoIter<Self::Item>;

    fn into_iter(self) -> Self::IntoIter {
        self.0.into_iter()
    }
}

impl Template {
    /// Reads a URI. `None`: it is not of this template. `Some(Err(…))`: it is, and must not be served; a server should
    /// answer with that reason rather than try templates that are less specific.
    #[must_use]
    pub(crate) fn matches<'t>(&'t self, uri: &str) -> Option<Result<Captures<'t>, Refusal>> {
        let uri = normal_uri(uri);
        let (body, tail) = self.split_tail();
        let (uri_body, uri_tail) = split_uri(&uri, body, tail)?;
        let raw = match_body(body, uri_body)?;
        Some(self.decode(raw, read_tail(tail, uri_tail)))
    }

    /// The parts that stand in the path, and the variables of query or fragment.
    fn split_tail(&self) -> (&[Part], &[Part]) {
        let is_tail = |part: &Part| matches!(part, Part::Variable(v) if v.kind().is_tail());
        let at = self.parts.iter().position(is_tail).unwrap_or(self.parts.len());
        self.parts.split_at_checked(at).unwrap_or((&self.parts, &[]))
    }

    fn decode<'t>(&'t self, body: Vec<Option<&str>>, tail: Tail<'_>) -> Result<Captures<'t>, Refusal> {
        let mut raw = body.into_iter().chain(tail?);
        let mut place = Place::of(self);
        let mut values = Vec::new();
        for part in &self.parts {
            match part {
                Part::Literal(text) if text.contains('?') => place = Place::Query,
                Part::Literal(_) => {}
                Part::Variable(variable) => {
                    let value = raw.next().flatten().map(|raw| decode(variable, place, raw)).transpose()?;
                    values.push((variable.name(), value));
                }
            }
        }
        Ok(Captures(values))
    }
}

type Tail<'u> = Result<Vec<Option<&'u str>>, Refusal>;

/// The form in which URIs are compared: scheme in lower case, escapes in upper case, nothing unescaped that should be.
#[must_use]
pub(crate) fn normal_uri(uri: &str) -> Cow<'_, str> {
    let scheme = uri.split(':').next().unwrap_or_default();
    if uri.bytes().all(|byte| is_uri_byte(byte) && byte != b'%')
        && !scheme.bytes().any(|byte| byte.is_ascii_uppercase())
    {
        Cow::Borrowed(uri)
    } else {
        Cow::Owned(lower_scheme(&normalize(uri)))
    }
}

/// Cuts the query or fragment off, if the template has variables for it.
fn split_uri<'u>(uri: &'u str, body: &[Part], tail: &[Part]) -> Option<(&'u str, Option<&'u str>)> {
    let cut = |mark| uri.split_once(mark).map_or((uri, None), |(body, tail)| (body, Some(tail)));
    let Some(Part::Variable(first)) = tail.first() else {
        return Some((uri, None));
    };
    match first.kind() {
        VariableKind::Fragment => Some(cut('#')),
        // A `#` would begin a fragment, and the template has none.
        _ if uri.contains('#') => None,
        VariableKind::Query => Some(cut('?')),
        _ => {
            // The template began the query itself: behind its own `&`s comes ours.
            let written = |part: &Part| match part {
                Part::Literal(text) => text.matches('&').count(),
                Part::Variable(_) => 0,
            };
            let own = body.iter().map(written).sum();
            let query = uri.find('?')?;
            let at = uri.match_indices('&').filter(|(at, _)| *at > query).nth(own);
            Some(at.map_or((uri, None), |(at, _)| (uri.get(..at).unwrap_or_default(), uri.get(at + 1..))))
        }
    }
}

/// Query parameters may come in any order; those that the template does not know are ignored.
fn read_tail<'u>(tail: &[Part], text: Option<&'u str>) -> Tail<'u> {
    let mut values = Vec::with_capacity(tail.len());
    for part in tail {
        let Part::Variable(variable) = part else {
            continue;
        };
        values.push(match text {
            Some(text) if variable.kind() == VariableKind::Fragment => Some(text),
            Some(text) => query_value(variable, text)?,
            None => None,
        });
    }
    Ok(values)
}

fn query_value<'u>(variable: &Variable, query: &'u str) -> Result<Option<&'u str>, Refusal> {
    let pairs = query.split('&').map(|pair| pair.split_once('=').unwrap_or((pair, "")));
    let mut found = pairs.filter(|(key, _)| percent_decode_str(key).eq(variable.name().bytes()));
    let value = found.next().map(|(_, value)| value);
    match found.next() {
        Some(_) => Err(Refusal::new(variable, Reason::Repeated)),
        None => Ok(value),
    }
}

/// The raw text of each variable in the path part.
fn match_body<'u>(parts: &[Part], uri: &'u str) -> Option<Vec<Option<&'u str>>> {
    let same = |a: &Part, b: &Part| matches!((a, b), (Part::Variable(_), Part::Variable(_)));
    let mut runs: Vec<&[Part]> = parts.chunk_by(same).collect();
    let mut rest = uri.strip_prefix(literal(runs.first()))?;
    if runs.len() > 1 && !literal(runs.last()).is_empty() {
        rest = rest.strip_suffix(literal(runs.pop().as_ref()))?;
    }
    // Now holes and the texts between them take turns: hole, text, hole.
    let pairs: Vec<&[&[Part]]> = runs.get(1..)?.chunks(2).collect();
    let Some(last) = pairs.len().checked_sub(1) else {
        return rest.is_empty().then(Vec::new);
    };
    let greedy = pairs.iter().position(|pair| pair.first().is_some_and(|hole| is_wide(hole))).unwrap_or(last);

    let mut regions = Vec::with_capacity(pairs.len());
    for pair in pairs.iter().take(greedy) {
        let (before, after) = cut_first(rest, literal(pair.get(1)))?;
        regions.push(before);
        rest = after;
    }
    let mut from_end = Vec::with_capacity(last - greedy);
    for pair in pairs.iter().take(last).skip(greedy).rev() {
        let (before, after) = cut_last(rest, literal(pair.get(1)))?;
        from_end.push(after);
        rest = before;
    }
    regions.push(rest);
    regions.extend(from_end.into_iter().rev());

    let mut values = Vec::with_capacity(parts.len());
    let mut in_query = literal(runs.first()).contains('?');
    for (pair, region) in pairs.iter().zip(regions) {
        fill(pair.first()?, region, in_query, &mut values)?;
        in_query = in_query || literal(pair.get(1)).contains('?');
    }
    Some(values)
}

/// The text of a run that is a literal, nothing for one of variables.
fn literal<'t>(run: Option<&&'t [Part]>) -> &'t str {
    match run {
        Some([Part::Literal(text)]) => text,
        _ => "",
    }
}

fn is_wide(hole: &[Part]) -> bool {
    hole.iter().any(|part| matches!(part, Part::Variable(variable) if variable.kind().is_wide()))
}

/// Gives each variable of one hole its raw text, from left to right.
fn fill<'u>(hole: &[Part], region: &'u str, in_query: bool, values: &mut Vec<Option<&'u str>>) -> Option<()> {
    let mut rest = region;
    for part in hole {
        let Part::Variable(variable) = part else {
            continue;
        };
        let value = match variable.kind() {
            VariableKind::Simple if in_query => Some(take_until(&mut rest, '&')),
            VariableKind::Simple => Some(take_until(&mut rest, '/')),
            VariableKind::Reserved => Some(std::mem::take(&mut rest)),
            _ if rest.is_empty() => None,
            kind => {
                rest = rest.strip_prefix('/')?;
                Some(if kind.is_wide() { std::mem::take(&mut rest) } else { take_until(&mut rest, '/') })
            }
        };
        let beyond: &[char] = match variable.kind() {
            VariableKind::Reserved => &[],
            _ if in_query => &['#'],
            _ => &['?', '#'],
        };
        if value.is_some_and(|value| value.is_empty() || value.contains(beyond)) {
            return None;
        }
        values.push(value);
    }
    rest.is_empty().then_some(())
}

fn take_until<'u>(rest: &mut &'u str, end: char) -> &'u str {
    let (value, after) = rest.split_at(rest.find(end).unwrap_or(rest.len()));
    *rest = after;
    value
}

/// Cuts at the first occurrence of `literal`.
fn cut_first<'u>(text: &'u str, literal: &str) -> Option<(&'u str, &'u str)> {
    let mut from = 0;
    loop {
        let at = from + text.get(from..)?.find(literal)?;
        if !splits_escape(text, at) {
            return Some((text.get(..at)?, text.get(at + literal.len()..)?));
        }
        from = at + 1;
    }
}

/// Cuts at the last occurrence of `literal`.
fn cut_last<'u>(text: &'u str, literal: &str) -> Option<(&'u str, &'u str)> {
    let mut to = text.len();
    loop {
        let at = text.get(..to)?.rfind(literal)?;
        if !splits_escape(text, at) {
            return Some((text.get(..at)?, text.get(at + literal.len()..)?));
        }
        to = (at + literal.len()).checked_sub(1)?;
    }
}

/// Whether `at` is inside an escape: the `2` of `%2F` is no text.
fn splits_escape(text: &str, at: usize) -> bool {
    let sign = |back: usize| at.checked_sub(back).and_then(|at| text.as_bytes().get(at)) == Some(&b'%');
    sign(1) || sign(2)
}
