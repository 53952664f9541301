//! What the README shows is what is there: its program, its command and the answer, its session, its configuration.
//!
//! With `README=overwrite` in the environment the session is recorded instead of compared.

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

/// Builds an example; the folder its program is in.
fn build(example: &str) -> PathBuf {
    let built = Command::new(env!("CARGO")).args(["build", "-q", "-p", example]).current_dir(root()).output().unwrap();
    assert!(built.status.success(), "{}", String::from_utf8_lossy(&built.stderr));
    // Where this program is: `target/debug/deps`.
    std::env::current_exe().unwrap().ancestors().nth(2).unwrap().to_owned()
}

/// Runs the commands of a session, one after the other in one home; what a terminal shows of it.
fn session(commands: &[&str]) -> String {
    let programs = build("notes");
    let home = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("readme-{}", std::process::id()));
    std::fs::create_dir_all(&home).unwrap();
    let path = std::env::join_paths(
        std::iter::once(programs.clone()).chain(std::env::split_paths(&std::env::var_os("PATH").unwrap())),
    );
    let path = path.unwrap();
    let mut shown = String::new();
    for command in commands {
        let output = Command::new("sh")
            .args(["-c", &format!("{{ {command}; }} 2>&1")])
            .envs([("PATH", path.as_os_str()), ("HOME", home.as_os_str())])
            .env_remove("XDG_DATA_HOME")
            .env_remove("NOTES_DB")
            .current_dir(&home)
            .stdin(std::process::Stdio::null())
            .output()
            .unwrap();
        shown += &format!("$ {command}\n{}", String::from_utf8(output.stdout).unwrap());
    }
    std::fs::remove_dir_all(&home).unwrap();
    let shown = shown.replace(programs.to_str().unwrap(), "/home/ada/.cargo/bin");
    without_times(&shown.replace(home.to_str().unwrap(), "/home/ada"))
}

/// The same text at whatever time it was recorded.
fn without_times(text: &str) -> String {
    let mut same = String::new();
    for line in text.split_inclusive('\n') {
        match line.split_once("\"changed\": \"") {
            Some((before, after)) => {
                let rest = after.split_once('"').map_or("", |(_, rest)| rest);
                same += &format!("{before}\"changed\": \"2026-11-30T09:00:00Z\"{rest}");
            }
            None => same += line,
        }
    }
    same
}

#[cfg(unix)]
#[test]
fn the_session_is_what_a_terminal_shows() {
    let recorded = blocks("console").remove(0);
    let commands: Vec<&str> = recorded.lines().filter_map(|line| line.strip_prefix("$ ")).collect();
    let shown = session(&commands);
    if std::env::var("README").is_ok_and(|value| value == "overwrite") {
        let page = README.replace(&format!("```console\n{recorded}"), &format!("```console\n{shown}"));
        std::fs::write(root().join("README.md"), page).unwrap();
    } else {
        assert_eq!(recorded, shown);
    }
}
