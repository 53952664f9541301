//! The headers that repeat what is in the body, so that proxies can route without reading it; both must agree.
//!
//! See <https://modelcontextprotocol.io/specification/draft/basic/transports/streamable-http>.

use std::borrow::Cow;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use http::{HeaderMap, HeaderName};
use serde_json::Value;

use super::known::{Header, Unclear};
use crate::protocol::scan::Raw;
use crate::protocol::{ErrorCode, ProtocolError};
use crate::schema::EXACT;
use crate::server::core::Core;

fn mismatch(text: String) -> ProtocolError {
    ProtocolError::new(ErrorCode::HEADER_MISMATCH, text)
}

/// The header's value, which must be there once.
fn required<'h>(header: Header<'h>, shown: &str) -> Result<&'h str, ProtocolError> {
    match header.single() {
        Ok(Some(value)) => Ok(value),
        Ok(None) => Err(mismatch(format!("Header mismatch: `{shown}` is missing"))),
        Err(Unclear::Repeated) => Err(mismatch(format!("Header mismatch: `{shown}` stands there more than once"))),
        Err(Unclear::NotText) => {
            Err(mismatch(format!("Header mismatch: `{shown}` is not ASCII: send it as `=?base64?…?=`")))
        }
    }
}

/// Checks a header against what the body says.
pub(super) fn check(header: Header<'_>, shown: &str, body: &str) -> Result<(), ProtocolError> {
    let value = required(header, shown)?;
    agree(shown, value == body)
}

/// Checks a header that may be encoded.
pub(super) fn check_encoded(header: Header<'_>, shown: &str, body: &str) -> Result<(), ProtocolError> {
    let value = decode(shown, required(header, shown)?)?;
    agree(shown, value == body)
}

fn agree(shown: &str, agrees: bool) -> Result<(), ProtocolError> {
    if agrees { Ok(()) } else { Err(mismatch(format!("Header mismatch: `{shown}` does not say what the body says"))) }
}

/// A value as it was before it was encoded for the header.
fn decode<'h>(shown: &str, value: &'h str) -> Result<Cow<'h, str>, ProtocolError> {
    let Some(encoded) = value.strip_prefix("=?base64?").and_then(|rest| rest.strip_suffix("?=")) else {
        return Ok(Cow::Borrowed(value));
    };
    let text = STANDARD.decode(encoded).ok().and_then(|bytes| String::from_utf8(bytes).ok());
    text.map(Cow::Owned)
        .ok_or_else(|| mismatch(format!("Header mismatch: `{shown}` is not valid Base64 of UTF-8 text")))
}

/// Checks the headers that repeat arguments of a tool (`x-mcp-header`). Those of other tools are nobody's business.
pub(super) fn check_arguments(
    core: &Core,
    headers: &HeaderMap,
    tool: &str,
    arguments: Option<Raw<'_>>,
) -> Result<(), ProtocolError> {
    let Some(item) = core.catalog.tools.get(tool) else { return Ok(()) };
    if item.headers.is_empty() {
        return Ok(());
    }
    let arguments: Value = arguments.and_then(|raw| serde_json::from_str(raw.get()).ok()).unwrap_or_default();
    for (name, path) in &item.headers {
        let shown = format!("Mcp-Param-{name}");
        let Ok(header) = HeaderName::try_from(&shown).map(|name| Header::named(headers, &name)) else { continue };
        let argument = path.iter().try_fold(&arguments, |value, key| value.get(key)).filter(|value| !value.is_null());
        match argument {
            Some(argument) => {
                let value = decode(&shown, required(header, &shown)?)?;
                agree(&shown, says(&value, argument))?;
            }
            None if header.is_there() => agree(&shown, false)?,
            None => {}
        }
    }
    Ok(())
}

/// Whether a header's value says what the argument says; numbers by their value.
fn says(header: &str, argument: &Value) -> bool {
    match argument {
        Value::String(text) => header == text,
        Value::Bool(value) => header == if *value { "true" } else { "false" },
        Value::Number(number) => header == number.to_string() || same_number(header, &number.to_string()),
        _ => false,
    }
}

fn same_number(a: &str, b: &str) -> bool {
    let number = |text: &str| serde_json::from_str::<serde_json::Number>(text).ok();
    let (Some(a), Some(b)) = (number(a), number(b)) else { return false };
    let whole =
        |number: &serde_json::Number| number.as_i64().map(i128::from).or_else(|| number.as_u64().map(i128::from));
    match (whole(&a), whole(&b)) {
        (Some(a), Some(b)) => a == b,
        #[expect(clippy::float_cmp, reason = "the same number, not a near one")]
        _ => a.as_f64().zip(b.as_f64()).is_some_and(|(a, b)| a == b && a.abs() <= EXACT),
    }
}

#[cfg(test)]
mod tests {
    use super::super::known::Known;
    use super::*;

    fn map(pairs: &[(&'static str, &'static str)]) -> HeaderMap {
        let mut headers = HeaderMap::new();
        for (name, value) in pairs {
            headers.append(*name, value.parse().unwrap());
        }
        headers
    }

    #[test]
    fn a_name_is_compared_after_decoding_and_trimming() {
        for (header, body, good) in [
            ("add", "add", true),
            (" \tadd ", "add", true),
            ("ADD", "add", false),
            ("=?base64?YWRk?=", "add", true),
            ("=?base64?w6k=?=", "é", true),
            ("=?base64?w6k?=", "é", false),
            ("=?base64?!!!!?=", "é", false),
            ("=?base64?/w==?=", "\u{ff}", false),
            ("=?BASE64?YWRk?=", "add", false),
            ("=?BASE64?YWRk?=", "=?BASE64?YWRk?=", true),
            ("=?base64?YWRk", "=?base64?YWRk", true),
            ("=?base64?PT9iYXNlNjQ/eD89?=", "=?base64?x?=", true),
            ("=?base64??=", "", true),
        ] {
            let headers = map(&[("mcp-name", header)]);
            let checked = check_encoded(Known::of(&headers).name, "Mcp-Name", body);
            assert_eq!(checked.is_ok(), good, "{header} {body}");
            assert!(checked.is_ok() || checked.unwrap_err().code() == ErrorCode::HEADER_MISMATCH);
        }
    }

    #[test]
    fn a_header_that_stands_twice_is_refused_even_when_both_agree() {
        let headers = map(&[("mcp-method", "tools/list"), ("mcp-method", "tools/list")]);
        let header = Known::of(&headers).method;
        assert!(check(header, "Mcp-Method", "tools/list").is_err());
        assert_eq!(header.single(), Err(Unclear::Repeated));
    }

    #[test]
    fn numbers_are_compared_by_value_and_texts_are_not() {
        let says = |header, json: &str| says(header, &serde_json::from_str(json).unwrap());
        assert!(says("42", "42") && says("42.0", "42") && says("42", "42.0") && says("-7", "-7"));
        assert!(says("18446744073709551615", "18446744073709551615"));
        assert!(!says("9007199254740993", "9007199254740992"));
        assert!(!says("42", "43") && !says("", "0") && !says("abc", "1"));
        assert!(says("true", "true") && !says("TRUE", "true") && !says("1", "true"));
        assert!(says("42", "\"42\"") && !says("42.0", "\"42\""));
        assert!(!says("{}", "{}"));
    }
}
