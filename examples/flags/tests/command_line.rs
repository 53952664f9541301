//! The program's own flags and those of every server, together.

use std::process::{Command, Output};

fn flags(args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_flags")).args(args).output().unwrap()
}

fn out(args: &[&str]) -> String {
    let output = flags(args);
    assert!(output.status.success(), "{output:?}");
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn its_own_flags_stand_before_and_after_our_commands() {
    assert_eq!(out(&["call", "greet", "name=Ada"]), "Good day, Ada!\n");
    assert_eq!(out(&["--language", "de", "call", "greet", "name=Ada"]), "Guten Tag, Ada!\n");
    assert_eq!(out(&["call", "greet", "name=Ada", "--language=fr"]), "Bonjour, Ada!\n");
}

#[test]
fn its_own_commands_stand_beside_ours() {
    assert!(out(&["languages"]).starts_with("En: Good day\n"));
    let help = out(&["--help"]);
    for word in ["languages", "list", "doctor", "--language"] {
        assert!(help.contains(word), "{word}: {help}");
    }
}

#[test]
fn what_is_unknown_to_both_is_an_error() {
    assert_eq!(flags(&["--langauge", "de"]).status.code(), Some(2));
    assert_eq!(flags(&["lisst"]).status.code(), Some(2));
    assert_eq!(flags(&["--language", "xx"]).status.code(), Some(2));
}

#[test]
fn a_client_starts_it_with_its_flags() {
    let snippet = out(&["config", "claude", "--", "--language", "de"]);
    assert!(snippet.contains(r#""args": ["--language", "de"]"#), "{snippet}");
}

#[test]
fn without_a_command_it_is_a_server() {
    assert_eq!(out(&[]), "", "no input, no output");
}
