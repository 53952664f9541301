//! What the README shows is what is there: its program, its command and the answer, its configuration.

use std::path::{Path, PathBuf};
use std::process::Command;

const README: &str = include_str!("../../README.md");

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// The fenced blocks of a language, in order.
fn blocks(language: &str) -> Vec<String> {
    let mut blocks = Vec::new();
    let mut open: Option<(bool, String)> = None;
    for line in README.lines() {
        match (&mut open, line.strip_prefix("```")) {
            (None, Some(info)) => open = Some((info.split(',').next() == Some(language), String::new())),
            (Some(_), Some(_)) => blocks.extend(open.take().filter(|(wanted, _)| *wanted).map(|(_, text)| text)),
            (Some((_, text)), None) => {
                text.push_str(line);
                text.push('\n');
            }
            (None, None) => {}
        }
    }
    blocks
}

#[test]
fn the_program_is_the_quickstart_example() {
    let example = std::fs::read_to_string(root().join("examples/quickstart/src/main.rs")).unwrap();
    assert_eq!(blocks("rust")[0], example);
    assert!(example.lines().count() < 40);
}

/// The last line that a command of the README prints.
fn last_line(command: &str) -> String {
    let output = Command::new("sh").arg("-c").arg(command).current_dir(root()).output().unwrap();
    let printed = String::from_utf8_lossy(&output.stdout);
    let problems = String::from_utf8_lossy(&output.stderr);
    printed.lines().last().unwrap_or_else(|| panic!("nothing printed: {problems}")).to_owned()
}

#[test]
fn the_first_command_prints_the_answer_below_it() {
    assert_eq!(last_line(&blocks("sh")[0]), blocks("text")[0].trim_end());
}

#[test]
fn three_messages_are_answered_as_shown() {
    assert_eq!(last_line(&blocks("sh")[2]), blocks("json")[0].trim_end());
}

#[test]
fn the_second_command_runs_the_tests() {
    assert_eq!(blocks("sh")[1], "cargo test --workspace\n");
}

#[test]
fn configuration_is_json() {
    for block in blocks("json") {
        serde_json::from_str::<serde_json::Value>(&block).unwrap();
    }
}
