//! JSON for people, with the members in the order in which the server sent them: a parsed object would be sorted.

/// Breaks a JSON text, as serde writes it, into indented lines. What is no JSON comes out somehow.
pub(super) fn pretty(text: &str) -> String {
    let mut lines = String::with_capacity(text.len() * 2);
    let (mut depth, mut in_string, mut is_escaped) = (0_usize, false, false);
    let mut characters = text.chars().peekable();
    while let Some(character) = characters.next() {
        if in_string {
            lines.push(character);
            in_string = is_escaped || character != '"';
            is_escaped = !is_escaped && character == '\\';
            continue;
        }
        match character {
            '{' | '[' => {
                lines.push(character);
                while characters.next_if(char::is_ascii_whitespace).is_some() {}
                if let Some(end) = characters.next_if(|next| matches!(next, '}' | ']')) {
                    lines.push(end);
                } else {
                    depth += 1;
                    new_line(&mut lines, depth);
                }
            }
            '}' | ']' => {
                depth = depth.saturating_sub(1);
                new_line(&mut lines, depth);
                lines.push(character);
            }
            ',' => {
                lines.push(character);
                new_line(&mut lines, depth);
            }
            ':' => lines.push_str(": "),
            _ if character.is_ascii_whitespace() => {}
            _ => {
                in_string = character == '"';
                lines.push(character);
            }
        }
    }
    lines
}

fn new_line(lines: &mut String, depth: usize) {
    lines.push('\n');
    lines.extend(std::iter::repeat_n("  ", depth));
}

#[cfg(test)]
mod tests {
    use super::pretty;
    use serde_json::{Value, json};

    #[test]
    fn it_looks_as_serde_would_write_it() {
        let values = [
            json!({"a": [1, {"b": []}, {}, "x, {y}: [z]"], "q\"\\": null, "é\n": true}),
            json!([]),
            json!("a\\\"b"),
            json!(-1.5e3),
        ];
        for value in values {
            assert_eq!(pretty(&value.to_string()), serde_json::to_string_pretty(&value).unwrap());
            let spaced = serde_json::to_string_pretty(&value).unwrap();
            assert_eq!(pretty(&spaced), spaced, "blanks between are nothing");
        }
    }

    #[test]
    fn members_stay_in_their_order() {
        assert_eq!(pretty(r#"{"b":1,"a":2}"#), "{\n  \"b\": 1,\n  \"a\": 2\n}");
    }

    #[test]
    fn what_is_no_json_is_no_problem() {
        for text in ["}}", "\"\\", "{[", "", "{,:"] {
            assert!(serde_json::from_str::<Value>(text).is_err());
            pretty(text);
        }
    }
}
