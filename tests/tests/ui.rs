//! What the compiler tells the authors of handlers, case by case.
//!
//! `TRYBUILD=overwrite cargo test -p mcp-tests --test ui` records the answers again; each one is to be read, not just recorded.

use std::fs;
use std::path::{Path, PathBuf};

#[path = "ui/messages.rs"]
mod messages;

use crate::messages::{all_messages, const_functions, files, messages, says, sources};

/// Cases with more than one mistake, or where the compiler adds an error of its own about the function itself.
const SEVERAL: [&str; 3] = ["several_at_once", "on_a_closure", "variadic"];

/// Cases where there is no token to point at but the attribute, or the call of a macro.
const WITHOUT_A_TOKEN: [&str; 3] = ["without_keys", "macros_of_another_version", "server_with_something"];

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
        // All that an expansion names begins with two underscores.
        let named = answer.split("__").skip(1).any(|after| after.starts_with(char::is_alphabetic));
        assert!(!named && !answer.contains("mcp_macros::"), "{name} names what is generated\n{answer}");
        let is_pointed = !answer.contains("originates in the");
        assert!(
            is_pointed || WITHOUT_A_TOKEN.contains(&name.as_str()),
            "{name} points at the whole attribute\n{answer}"
        );
    }
}

#[test]
fn every_message_of_the_macros_is_in_an_answer() {
    let macros = Path::new(env!("CARGO_MANIFEST_DIR")).join("../mcp-macros/src");
    let said = sources(&macros).into_iter().map(|(file, source)| {
        let found: Vec<_> = match source.split_once("fn rule(") {
            // Nothing but messages.
            Some((_, texts)) => all_messages(texts),
            None => {
                ["errors.at(", "errors.on(", "write!("].into_iter().flat_map(|call| messages(&source, call)).collect()
            }
        };
        (file, found)
    });
    assert_all_are_shown(said);
}

#[test]
fn every_message_of_the_runtime_is_in_an_answer() {
    let runtime = Path::new(env!("CARGO_MANIFEST_DIR")).join("../mcp-runtime/src");
    let said: Vec<_> = sources(&runtime)
        .into_iter()
        .map(|(file, source)| {
            let bounds =
                source.split("diagnostic::on_unimplemented(").skip(1).filter_map(|after| after.split_once(")]"));
            // Closed after each text, as the arguments of a call are.
            let bounds = bounds.flat_map(|(text, _)| {
                let text = text.replace("\",\n", "\")\n");
                ["message =", "label =", "note ="].map(|key| messages(&text, key))
            });
            let constants = const_functions(&source);
            let asserted = constants.iter().flat_map(|body| ["panic!(", "assert!("].map(|call| messages(body, call)));
            let found: Vec<_> = bounds.chain(asserted).flatten().collect();
            (file, found)
        })
        .collect();
    let count = said.iter().map(|(_, found)| found.len()).sum::<usize>();
    assert!(count > 60, "only {count} messages are found in the runtime");
    assert_all_are_shown(said);
}

fn assert_all_are_shown(said: impl IntoIterator<Item = (PathBuf, Vec<String>)>) {
    // What needs a feature that is off here is shown in the documentation, where `doc_messages` compares it.
    let docs = Path::new(env!("CARGO_MANIFEST_DIR")).join("../mcp-runtime/src/docs");
    let shown = files(&docs, "md").into_iter().map(|page| fs::read_to_string(page).expect("a page"));
    let answers: Vec<String> = answers().into_iter().map(|(_, answer)| answer).chain(shown).collect();
    let is_shown = |message: &str| answers.iter().any(|answer| answer.lines().any(|line| says(line, message)));
    let missing: Vec<_> = said
        .into_iter()
        .flat_map(|(file, found)| found.into_iter().map(move |message| (file.clone(), message)))
        .filter(|(_, message)| !is_shown(message))
        .map(|(file, message)| format!("{}: {}", file.display(), message.replace('\0', "…")))
        .collect();
    assert!(missing.is_empty(), "no case shows these messages:\n{}", missing.join("\n"));
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
