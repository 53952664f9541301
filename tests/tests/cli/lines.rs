//! What is right and wrong on the command line, and stdio without one.

use super::program::{fed, run, run_as};

const CALL: &str = concat!(
    r#"{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}"#,
    "\n",
    r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#,
    "\n",
    r#"{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"add","arguments":{"a":12,"b":30}}}"#,
    "\n",
);

#[test]
fn without_arguments_the_protocol_is_spoken() {
    let run = fed(&[], CALL);
    assert!(run.out.contains(r#""text":"42""#), "{run:?}");
    assert!(!run.err.contains("--help"), "the hint is for terminals: {run:?}");
    assert_eq!(run.code, 0);
}

#[test]
fn help_is_the_page_we_keep() {
    // With HTTP built in there is one more flag, and the columns are wider.
    let narrow = |line: &str| {
        let (indent, text) = line.split_at(line.len() - line.trim_start().len());
        let columns: Vec<_> = text.split("  ").map(str::trim).filter(|column| !column.is_empty()).collect();
        format!("{indent}{}\n", columns.join("  "))
    };
    let shown = |args: &[&str]| -> String {
        run(args).ok().lines().filter(|line| !line.contains("--http")).map(narrow).collect()
    };
    let mut page = String::new();
    for args in [
        vec!["--help"],
        vec!["list", "--help"],
        vec!["call", "--help"],
        vec!["read", "--help"],
        vec!["prompt", "--help"],
        vec!["doctor", "--help"],
        vec!["manifest", "--help"],
        vec!["config", "--help"],
        vec!["completions", "--help"],
    ] {
        page.push_str(&format!("$ cli_server {}\n{}\n", args.join(" "), shown(&args)));
    }
    page = page.replace("Usage: cli_server [OPTIONS] [COMMAND]", "Usage: cli_server [COMMAND]");
    let kept = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/cli/help.txt");
    if std::env::var_os("UPDATE_SNAPSHOTS").is_some() {
        std::fs::write(kept, &page).unwrap();
    }
    assert_eq!(page, std::fs::read_to_string(kept).unwrap(), "UPDATE_SNAPSHOTS=1 writes it again");
}

#[test]
fn the_version_is_the_servers() {
    assert_eq!(run(&["--version"]).ok(), "cli_server 1.2.3\n");
}

#[test]
fn what_is_unknown_is_an_error_that_suggests() {
    assert!(run(&["lsit"]).fails(2).contains("'list'"));
    assert!(run(&["--htpp"]).fails(2).contains("'--http'"));
    assert!(run(&["list", "--jsno"]).fails(2).contains("'--json'"));
    assert!(run(&["config", "curser"]).fails(2).contains("'cursor'"));
    assert!(run(&["doctor", "--srtict"]).fails(2).contains("'--strict'"));
    assert!(run(&["call"]).fails(2).contains("<TOOL>"));
    assert!(run(&["config"]).fails(2).contains("claude-code"), "what there is to choose from");
    assert!(run(&["list", "--json", "--markdown"]).fails(2).contains("cannot be used with"));
    assert!(run(&["--http", "no-address"]).fails(2).contains("not an address"));
    assert!(run(&["--http", "8000", "list"]).fails(2).contains("cannot be used with"));
    assert!(run(&["completions", "cmd"]).fails(2).contains("possible values"));
}

#[test]
fn a_wrong_command_line_starts_nothing() {
    assert!(!run(&["lsit"]).err.contains("started"));
}

#[test]
fn a_built_server_and_given_arguments_do_the_same() {
    assert_eq!(run_as("built", &["call", "add", "a=1", "b=1"]).ok(), "2\n");
    assert_eq!(run_as("given", &["is", "not", "read"]).ok(), "3\n");
}

#[test]
fn a_server_that_cannot_start_says_so_whatever_is_asked() {
    let error = run_as("broken", &["list"]).fails(1);
    assert!(error.contains("the server cannot start") && error.contains("`add`"), "{error}");
}

#[test]
fn completions_are_made_for_each_shell() {
    for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
        let script = run(&["completions", shell]).ok();
        assert!(script.contains("cli_server") && script.contains("manifest"), "{shell}");
    }
}

#[cfg(unix)]
#[test]
fn a_reader_that_has_seen_enough_is_no_failure() {
    use super::program::{Folder, program};
    use std::os::fd::OwnedFd;
    use std::os::unix::net::UnixStream;
    for args in [
        vec!["list"],
        vec!["call", "add", "a=1", "b=2"],
        vec!["completions", "zsh"],
        vec!["manifest"],
        vec!["--help"],
        vec!["doctor"],
    ] {
        let (ours, theirs) = UnixStream::pair().unwrap();
        drop(ours);
        let status = program(&Folder::new()).args(&args).stdout(OwnedFd::from(theirs)).status().unwrap();
        assert_eq!(status.code(), Some(0), "{args:?}");
    }
}
