//! The messages that stand in sources, by reading them as text: what a macro or the compiler can say to an author.

use std::fs;
use std::path::{Path, PathBuf};

/// The sources below a folder, without their unit tests.
pub(crate) fn sources(folder: &Path) -> Vec<(PathBuf, String)> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path());
    let (folders, _): (Vec<_>, Vec<_>) = entries.partition(|path| path.is_dir());
    let own = files(folder, "rs").into_iter().map(|file| {
        let source = fs::read_to_string(&file).expect("a source file");
        let code = source.split("#[cfg(test)]").next().unwrap_or_default().to_owned();
        (file, code)
    });
    own.chain(folders.iter().flat_map(|folder| sources(folder))).collect()
}

/// The bodies of functions that the compiler evaluates: what they panic with, an author reads.
pub(crate) fn const_functions(source: &str) -> Vec<String> {
    let mut lines = source.lines();
    let mut bodies = Vec::new();
    while let Some(line) = lines.next() {
        if line.contains("const fn ") && !line.ends_with('}') {
            let end = format!("{}}}", &line[..line.len() - line.trim_start().len()]);
            bodies.push(lines.by_ref().take_while(|line| *line != end).collect::<Vec<_>>().join("\n"));
        }
    }
    bodies
}

pub(crate) fn files(folder: &Path, extension: &str) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path());
    let mut files: Vec<_> = entries.filter(|path| path.extension().is_some_and(|found| found == extension)).collect();
    files.sort();
    files
}

/// The first lines of the messages that `call` is given, with `{}` for what is filled in: of several texts the longest.
pub(crate) fn messages(source: &str, call: &str) -> Vec<String> {
    let longest = |after| literals(after).into_iter().max_by_key(|text| text.len());
    source.split(call).skip(1).filter_map(longest).filter_map(first_line).collect()
}

/// The first lines of all texts.
pub(crate) fn all_messages(source: &str) -> Vec<String> {
    let mut found = Vec::new();
    let mut rest = source;
    while let Some((_, after)) = rest.split_once('"') {
        let (text, after) = after.split_at(closing_quote(after));
        found.extend(first_line(text));
        rest = after;
    }
    found
}

/// The texts in a list of arguments, up to where its parenthesis closes; each as it is written, with its closing quote.
fn literals(arguments: &str) -> Vec<&str> {
    let (mut found, mut open, mut rest) = (Vec::new(), 0_usize, arguments);
    while let Some(at) = rest.find(['"', '(', ')']) {
        let (token, after) = rest[at..].split_at(1);
        rest = after;
        match token {
            "(" => open += 1,
            ")" if open == 0 => break,
            ")" => open -= 1,
            _ => {
                let end = closing_quote(rest);
                found.push(&rest[..end]);
                rest = &rest[end..];
            }
        }
    }
    found
}

/// Where the text that `rest` begins with ends, behind its quote.
fn closing_quote(rest: &str) -> usize {
    let mut is_escaped = false;
    let end = rest.bytes().position(|byte| {
        let is_end = byte == b'"' && !is_escaped;
        is_escaped = byte == b'\\' && !is_escaped;
        is_end
    });
    end.map_or(rest.len(), |end| end + 1)
}

fn first_line(literal: &str) -> Option<String> {
    let (mut line, mut chars) = (String::new(), literal.chars().peekable());
    while let Some(c) = chars.next() {
        match (c, chars.peek()) {
            ('"', _) | ('\\', Some('n')) => return Some(line),
            ('\\', Some(&escaped)) => {
                line.push(escaped);
                chars.next();
            }
            ('{', Some('{')) | ('}', Some('}')) => {
                line.push(c);
                chars.next();
            }
            ('{', _) => {
                chars.by_ref().find(|c| *c == '}');
                line.push('\0');
            }
            _ => line.push(c),
        }
    }
    None
}

/// Whether a line of an answer has the fixed parts of a message, in their order.
pub(crate) fn says(line: &str, message: &str) -> bool {
    let mut rest = line;
    message.split('\0').all(|part| match rest.split_once(part) {
        Some((_, after)) => {
            rest = after;
            true
        }
        None => false,
    })
}

#[test]
fn messages_are_found_in_the_source() {
    let source = r#"errors.at(key, format!("`{name}` is \"{{x}}\"\nadd `y`")); errors.at(keys.key("k"), "plain");"#;
    assert_eq!(messages(source, "errors.at("), ["`\0` is \"{x}\"", "plain"]);
    let body = "    pub const fn f() {\n        panic!(\"no\")\n    }\n    fn g() {\n        panic!(\"yes\")\n    }\n";
    assert_eq!(const_functions(body), ["        panic!(\"no\")"]);
    assert!(says("error: `id` is \"{x}\"", "`\0` is \"{x}\"") && !says("error: `id` was \"{x}\"", "`\0` is \"{x}\""));
}
