//! What the compiler tells the authors of handlers, case by case.
//!
//! `TRYBUILD=overwrite cargo test -p mcp-tests --test ui` records the answers again; each one is to be read, not just recorded.

use std::fs;
use std::path::{Path, PathBuf};

/// Cases with more than one mistake, or where the compiler adds an error of its own about the function itself.
const SEVERAL: [&str; 3] = ["several_at_once", "on_an_associated_function", "function_of_unknown_form"];

/// Cases where there is no token to point at but the attribute.
const WITHOUT_A_TOKEN: [&str; 2] = ["without_keys", "on_an_associated_function"];

#[test]
fn every_mistake_is_answered_as_recorded() {
    let cases = trybuild::TestCases::new();
    cases.compile_fail("ui/*/fail/*.rs");
}

#[test]
fn handlers_compile_wherever_they_stand() {
    let cases = trybuild::TestCases::new();
    cases.pass("ui/pass/*.rs");
    cases.pass("ui/*/pass/*.rs");
}

#[test]
fn every_mistake_has_one_error() {
    for (name, answer) in answers() {
        let errors = answer.lines().filter(|line| line.starts_with("error")).count();
        assert!(errors == 1 || SEVERAL.contains(&name.as_str()), "{name}: {errors} errors\n{answer}");
    }
}

#[test]
fn answers_do_not_speak_of_the_expansion() {
    for (name, answer) in answers() {
        for word in ["__private", "mcp_macros::", "__A0", "__R", "__ENTRY"] {
            // The constant whose value is wrong is the entry itself: the compiler names it in passing.
            let is_passing = word == "__ENTRY" && answer.contains("E0080");
            assert!(is_passing || !answer.contains(word), "{name} says `{word}`\n{answer}");
        }
        let is_pointed = !answer.contains("originates in the attribute macro");
        assert!(
            is_pointed || WITHOUT_A_TOKEN.contains(&name.as_str()),
            "{name} points at the whole attribute\n{answer}"
        );
    }
}

#[test]
fn every_message_is_in_an_answer() {
    let answers: Vec<String> = answers().into_iter().map(|(_, answer)| answer).collect();
    let macros = Path::new(env!("CARGO_MANIFEST_DIR")).join("../mcp-macros/src");
    let mut missing = Vec::new();
    for file in files(&macros, "rs").into_iter().chain(files(&macros.join("template"), "rs")) {
        let source = fs::read_to_string(&file).expect("a source file");
        let source = source.split("#[cfg(test)]").next().unwrap_or_default();
        for message in ["errors.at(", "errors.on(", "write!("].into_iter().flat_map(|call| messages(source, call)) {
            let is_said = |answer: &String| answer.lines().any(|line| says(line, &message));
            if !answers.iter().any(is_said) {
                missing.push(format!("{}: {message}", file.display()));
            }
        }
    }
    assert!(missing.is_empty(), "no case shows these messages:\n{}", missing.join("\n"));
}

#[test]
fn messages_are_found_in_the_source() {
    let source = r#"errors.at(key, format!("`{name}` is \"{{x}}\"\nadd `y`")); errors.at(key, "plain");"#;
    assert_eq!(messages(source, "errors.at("), ["`\0` is \"{x}\"", "plain"]);
    assert!(says("error: `id` is \"{x}\"", "`\0` is \"{x}\"") && !says("error: `id` was \"{x}\"", "`\0` is \"{x}\""));
}

/// The recorded answers, by the name of their case.
fn answers() -> Vec<(String, String)> {
    let ui = Path::new(env!("CARGO_MANIFEST_DIR")).join("ui");
    let kinds = ["tool", "resource", "prompt", "data", "ask"].map(|kind| ui.join(kind).join("fail"));
    let recorded = kinds.iter().flat_map(|folder| files(folder, "stderr")).map(|file| {
        let name = file.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        (name, fs::read_to_string(&file).expect("a recorded answer"))
    });
    let recorded: Vec<_> = recorded.collect();
    assert!(recorded.len() >= 200, "only {} answers are recorded", recorded.len());
    recorded
}

fn files(folder: &Path, extension: &str) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path());
    let mut files: Vec<_> = entries.filter(|path| path.extension().is_some_and(|found| found == extension)).collect();
    files.sort();
    files
}

/// The first lines of the messages that `call` is given, with `{}` for what is filled in.
fn messages(source: &str, call: &str) -> Vec<String> {
    source.split(call).skip(1).filter_map(|after| first_line(after.split_once('"')?.1)).collect()
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
fn says(line: &str, message: &str) -> bool {
    let mut rest = line;
    message.split('\0').all(|part| match rest.split_once(part) {
        Some((_, after)) => {
            rest = after;
            true
        }
        None => false,
    })
}
