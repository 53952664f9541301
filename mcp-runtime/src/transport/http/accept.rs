//! What a client takes as an answer, and what it sends: `Accept` and `Content-Type`, read with patience.
//!
//! Half of the clients in use send less than the specification asks of them, so everything that can be answered is.

use http::HeaderValue;
use http::header::ACCEPT;

use crate::server::endpoint::known::{Header, Known};

/// What a client takes as an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Accepts {
    pub(super) json: bool,
    pub(super) events: bool,
}

impl Accepts {
    pub(super) const NONE: Self = Self { json: false, events: false };
    pub(super) const BOTH: Self = Self { json: true, events: true };
    pub(super) const EVENTS: Self = Self { json: false, events: true };

    /// Reads `Accept`; absent means anything.
    pub(super) fn read(headers: &Known<'_>) -> Self {
        match headers.accept {
            Header::Absent => Self::BOTH,
            // In these words the specification asks for it, and nearly every client has it from there.
            Header::Once(value) if value == "application/json, text/event-stream" => Self::BOTH,
            Header::Once(value) => Self::of(&mut std::iter::once(value)),
            Header::Repeated(_) => Self::of(&mut headers.all.get_all(ACCEPT).iter()),
        }
    }

    fn of(values: &mut dyn Iterator<Item = &HeaderValue>) -> Self {
        let mut best = [(0, false); 2];
        let mut is_empty = true;
        for value in values {
            // What is no text is no media type either.
            let ranges = value.to_str().unwrap_or_default().as_bytes().split(|byte| *byte == b',');
            for range in ranges.map(<[u8]>::trim_ascii).filter(|range| !range.is_empty()) {
                is_empty = false;
                let (range, parameters) = halves(range, b';');
                let wanted = !is_refused(parameters);
                let range = halves(range.trim_ascii(), b'/');
                for (best, kind) in best.iter_mut().zip([("application", "json"), ("text", "event-stream")]) {
                    let rank = rank(range, kind);
                    // The most specific range decides; of two equal ones the one that wants it.
                    if rank > best.0 || (rank == best.0 && rank > 0 && wanted) {
                        *best = (rank, wanted);
                    }
                }
            }
        }
        let [json, events] = best.map(|(_, wanted)| wanted);
        if is_empty { Self::BOTH } else { Self { json, events } }
    }
}

/// How specifically a media range means a type; 0 when it does not.
fn rank((range_kind, range_subtype): (&[u8], &[u8]), (kind, subtype): (&str, &str)) -> u8 {
    let is_kind = range_kind.eq_ignore_ascii_case(kind.as_bytes());
    match range_subtype {
        _ if is_kind && range_subtype.eq_ignore_ascii_case(subtype.as_bytes()) => 3,
        b"*" if is_kind => 2,
        // Java's HttpURLConnection, and people, leave the second star out.
        b"*" | b"" if range_kind == b"*" => 1,
        _ => 0,
    }
}

/// What is before and after a byte; nothing after it when it is not there.
fn halves(text: &[u8], at: u8) -> (&[u8], &[u8]) {
    let mut halves = text.splitn(2, |byte| *byte == at);
    (halves.next().unwrap_or_default(), halves.next().unwrap_or_default())
}

/// Whether the parameters hold a `q` of zero.
fn is_refused(parameters: &[u8]) -> bool {
    std::str::from_utf8(parameters)
        .unwrap_or_default()
        .split(';')
        .filter_map(|parameter| parameter.split_once('='))
        .any(|(name, value)| {
            name.trim().eq_ignore_ascii_case("q") && value.trim().parse::<f32>().is_ok_and(|quality| quality <= 0.0)
        })
}

/// Whether the body is JSON by what the client says of it; one that says nothing is believed to be.
pub(super) fn is_json(headers: &Known<'_>) -> bool {
    let is_plain =
        headers.content_encoding.first().is_none_or(|coding| coding.as_bytes().eq_ignore_ascii_case(b"identity"));
    let Some(value) = headers.content_type.first() else { return is_plain };
    // Hardly anybody writes it in another way.
    if value == "application/json" {
        return is_plain;
    }
    let kind = halves(value.to_str().unwrap_or_default().as_bytes(), b';').0.trim_ascii();
    let (kind, subtype) = halves(kind, b'/');
    let is_json = subtype.eq_ignore_ascii_case(b"json")
        || subtype.last_chunk::<5>().is_some_and(|end| end.eq_ignore_ascii_case(b"+json"));
    is_plain && is_json && kind.eq_ignore_ascii_case(b"application")
}

#[cfg(test)]
mod tests {
    use http::HeaderMap;
    use http::header::{CONTENT_ENCODING, CONTENT_TYPE};

    use super::*;

    fn accepts(values: &[&str]) -> (bool, bool) {
        let mut headers = HeaderMap::new();
        for value in values {
            headers.append(ACCEPT, value.parse().unwrap());
        }
        let Accepts { json, events } = Accepts::read(&Known::of(&headers));
        (json, events)
    }

    #[test]
    fn the_most_specific_range_decides() {
        for (values, expected) in [
            (&[][..], (true, true)),
            (&[""], (true, true)),
            (&["*/*"], (true, true)),
            (&["*"], (true, true)),
            (&["application/json, text/event-stream"], (true, true)),
            (&["application/json", "text/event-stream"], (true, true)),
            (&["APPLICATION/JSON;charset=utf-8 , Text/Event-Stream;q=0.5"], (true, true)),
            (&["application/json"], (true, false)),
            (&["application/*"], (true, false)),
            (&["text/event-stream"], (false, true)),
            (&["text/*"], (false, true)),
            (&["application/json;q=0, */*"], (false, true)),
            (&["*/*, text/event-stream; q=0.0"], (true, false)),
            (&["*/*;q=0, application/json"], (true, false)),
            (&["*/*;q=0"], (false, false)),
            (&["text/html"], (false, false)),
            (&["text/html, */*;q=0.8"], (true, true)),
            (&["application/json;q=oops"], (true, false)),
            (&[",,;q=0,/,"], (false, false)),
        ] {
            assert_eq!(accepts(values), expected, "{values:?}");
        }
    }

    #[test]
    fn a_body_is_json_unless_the_client_says_otherwise() {
        let said = |name, value: &'static str| {
            let mut headers = HeaderMap::new();
            headers.insert(name, value.parse().unwrap());
            is_json(&Known::of(&headers))
        };
        assert!(is_json(&Known::of(&HeaderMap::new())));
        assert!(said(CONTENT_TYPE, "application/json"));
        assert!(said(CONTENT_TYPE, "Application/JSON; charset=UTF-8"));
        assert!(said(CONTENT_TYPE, "application/vnd.api+json"));
        assert!(said(CONTENT_ENCODING, "identity"));
        assert!(!said(CONTENT_TYPE, "text/plain"));
        assert!(!said(CONTENT_TYPE, "application/x-www-form-urlencoded"));
        assert!(!said(CONTENT_ENCODING, "gzip"));
    }
}
