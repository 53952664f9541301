//! JSON in one form, whatever order and spelling a client chose: what is equal becomes the same bytes.

use serde_json::{Number, Value};

use crate::schema::EXACT;

/// Appends the canonical form: keys sorted, no blanks, `1.0` as `1`.
pub(super) fn write(out: &mut Vec<u8>, value: &Value) {
    match value {
        Value::Number(number) => out.extend_from_slice(plain(number).as_bytes()),
        Value::Array(values) => {
            out.push(b'[');
            for value in values {
                write(out, value);
                out.push(b',');
            }
            out.push(b']');
        }
        Value::Object(members) => {
            let mut sorted: Vec<_> = members.iter().collect();
            sorted.sort_unstable_by_key(|(key, _)| *key);
            out.push(b'{');
            for (key, value) in sorted {
                write(out, &Value::String(key.clone()));
                out.push(b':');
                write(out, value);
                out.push(b',');
            }
            out.push(b'}');
        }
        scalar => out.extend_from_slice(scalar.to_string().as_bytes()),
    }
}

fn plain(number: &Number) -> String {
    match number.as_f64() {
        #[expect(clippy::cast_possible_truncation, reason = "whole and within 2^53")]
        Some(double) if number.is_f64() && double.fract() == 0.0 && double.abs() <= EXACT => {
            (double as i64).to_string()
        }
        _ => number.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn canonical(text: &str) -> String {
        let mut out = Vec::new();
        write(&mut out, &serde_json::from_str(text).unwrap());
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn order_blanks_escapes_and_zeros_do_not_count() {
        assert_eq!(canonical(r#"{"b": 1.0, "a": [ "\u0041", null ]}"#), canonical(r#"{"a":["A",null],"b":1}"#));
        assert_eq!(canonical("-0.0"), canonical("0"));
        assert_eq!(canonical("1e3"), canonical("1000"));
    }

    #[test]
    fn what_differs_stays_different() {
        for (a, b) in [
            ("1", "\"1\""),
            ("[1,2]", "[2,1]"),
            ("1.5", "1"),
            ("{}", "[]"),
            (r#"{"a":"b,"}"#, r#"{"a":"b"}"#),
            ("9007199254740993", "9007199254740992"),
        ] {
            assert_ne!(canonical(a), canonical(b));
        }
    }
}
