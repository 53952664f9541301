//! What a person at a terminal sees.

use std::fs::File;
use std::io::Read as _;
use std::os::fd::OwnedFd;
use std::process::Stdio;

use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};

use super::program::{Folder, program};

/// Both ends of a terminal: what is shown on it, and what the program has.
fn terminal() -> (File, OwnedFd) {
    let screen = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY).unwrap();
    grantpt(&screen).unwrap();
    unlockpt(&screen).unwrap();
    let name = ptsname(&screen, Vec::new()).unwrap();
    let program = File::options().read(true).write(true).open(name.to_str().unwrap()).unwrap();
    (File::from(screen), program.into())
}

/// Everything that is shown until the program has closed its end.
fn shown(mut screen: File) -> String {
    let mut all = Vec::new();
    let mut part = [0; 4096];
    // The end of a terminal is an error on Linux.
    while let Ok(length @ 1..) = screen.read(&mut part) {
        all.extend_from_slice(&part[..length]);
    }
    String::from_utf8_lossy(&all).into_owned()
}

#[test]
fn progress_is_a_bar() {
    let (screen, end) = terminal();
    let home = Folder::new();
    let child = program(&home)
        .args(["call", "count", "to=4"])
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(end)
        .spawn()
        .unwrap();
    let screen = std::thread::spawn(move || shown(screen));
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.stdout, b"4\n");
    let screen = screen.join().unwrap();
    assert!(screen.contains("4/4 sheep") && screen.contains('\u{2588}') && screen.contains("\u{1b}["), "{screen:?}");
    assert!(screen.contains("[info] counting"), "{screen:?}");
    assert!(!screen.contains("0/0"), "nothing is shown before there is something to show: {screen:?}");
}

#[test]
fn a_person_is_told_what_this_is_and_the_protocol_is_spoken_all_the_same() {
    use std::io::Write as _;
    let (screen, end) = terminal();
    let home = Folder::new();
    let mut child =
        program(&home).stdin(end.try_clone().unwrap()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    drop(end);
    let ping = r#"{"jsonrpc":"2.0","id":7,"method":"ping"}"#;
    (&screen).write_all(format!("{ping}\n\u{4}").as_bytes()).unwrap();
    let (mut out, mut err) = (String::new(), String::new());
    child.stdout.take().unwrap().read_to_string(&mut out).unwrap();
    child.stderr.take().unwrap().read_to_string(&mut err).unwrap();
    assert_eq!(child.wait().unwrap().code(), Some(0), "{err}");
    assert!(err.contains("cli_server list") && err.contains("cli_server --help"), "{err}");
    assert!(out.contains(r#""id":7"#), "{out}");
}

/// Calls the tool that asks, with this typed at once; the exit code, what it says, and what the screen shows.
fn answered(variant: &str, typed: &str) -> (Option<i32>, String, String) {
    answered_with(variant, &[], typed)
}

fn answered_with(variant: &str, flags: &[&str], typed: &str) -> (Option<i32>, String, String) {
    use std::io::Write as _;
    let (screen, end) = terminal();
    let home = Folder::new();
    let child = program(&home)
        .args(["call", "bring"])
        .args(flags)
        .env("CLI_SERVER", variant)
        .stdin(end.try_clone().unwrap())
        .stdout(Stdio::piped())
        .stderr(end)
        .spawn()
        .unwrap();
    (&screen).write_all(typed.as_bytes()).unwrap();
    let screen = std::thread::spawn(move || shown(screen));
    let output = child.wait_with_output().unwrap();
    (output.status.code(), String::from_utf8(output.stdout).unwrap(), screen.join().unwrap())
}

#[test]
fn questions_are_asked_and_answered_in_both_eras() {
    for variant in ["", "legacy"] {
        let (code, out, screen) = answered(variant, "many\n12\n3\ncoffee\n");
        assert_eq!((code, out.as_str()), (Some(0), "3 Coffee\n"), "{variant}: {screen}");
        assert!(screen.contains("? What shall it be?") && screen.contains("at most 9"), "{variant}: {screen}");
    }
}

#[test]
fn a_question_can_be_declined_or_left() {
    for (variant, typed) in [("", "/decline\n"), ("legacy", "/decline\n"), ("", "3\n\u{4}"), ("legacy", "\u{4}")] {
        let (code, out, screen) = answered(variant, typed);
        assert_eq!((code, out.as_str()), (Some(1), ""), "{variant}: {screen}");
        assert!(screen.contains("tool `bring` failed"), "{variant}: {screen}");
    }
}

#[test]
fn a_person_is_asked_only_for_what_was_not_given() {
    for variant in ["", "legacy"] {
        let (code, out, screen) = answered_with(variant, &["--answer", "many=3"], "tea\n");
        assert_eq!((code, out.as_str()), (Some(0), "3 Tea\n"), "{variant}: {screen}");
        assert!(screen.contains("many, How many: 3"), "{variant}: {screen}");
    }
}
