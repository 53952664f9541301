//! The program under test, run once.

use std::fs;
use std::io::Write as _;
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};

/// What a run left behind.
#[derive(Debug)]
pub(crate) struct Run {
    pub(crate) code: i32,
    pub(crate) out: String,
    pub(crate) err: String,
    pub(crate) bytes: Vec<u8>,
}

impl Run {
    /// The output of a run that must succeed.
    #[track_caller]
    pub(crate) fn ok(self) -> String {
        assert_eq!(self.code, 0, "{self:?}");
        self.out
    }

    /// What a run that must fail with `code` says.
    #[track_caller]
    pub(crate) fn fails(self, code: i32) -> String {
        assert_eq!(self.code, code, "{self:?}");
        self.err
    }
}

/// The program, in a home folder of its own.
pub(crate) fn program(home: &Folder) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_cli_server"));
    command.current_dir(&home.0).env("HOME", &home.0).env("TERM", "xterm");
    for variable in ["XDG_CONFIG_HOME", "CODEX_HOME", "CLI_SERVER", "MCP_STATE_KEY"] {
        command.env_remove(variable);
    }
    command
}

/// Runs with these arguments and this on standard input.
pub(crate) fn fed(args: &[&str], input: &str) -> Run {
    run_in(&Folder::new(), "", args, input)
}

pub(crate) fn run(args: &[&str]) -> Run {
    fed(args, "")
}

/// Runs the variant of the server.
pub(crate) fn run_as(variant: &str, args: &[&str]) -> Run {
    run_in(&Folder::new(), variant, args, "")
}

pub(crate) fn run_in(home: &Folder, variant: &str, args: &[&str], input: &str) -> Run {
    let mut child = program(home)
        .args(args)
        .env("CLI_SERVER", variant)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    // A program that does not read its input may be gone already.
    drop(child.stdin.take().unwrap().write_all(input.as_bytes()));
    let output = child.wait_with_output().unwrap();
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    Run {
        code: output.status.code().unwrap_or(-1),
        out: text(&output.stdout),
        err: text(&output.stderr),
        bytes: output.stdout,
    }
}

/// A folder that goes when the test is over.
#[derive(Debug)]
pub(crate) struct Folder(pub(crate) PathBuf);

impl Folder {
    pub(crate) fn new() -> Self {
        static NUMBER: AtomicU32 = AtomicU32::new(0);
        let number = NUMBER.fetch_add(1, Ordering::Relaxed);
        let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("cli-{}-{number}", std::process::id()));
        fs::create_dir_all(&path).unwrap();
        Self(path)
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.0.join(name)
    }

    /// The names of the files in it.
    pub(crate) fn files(&self, under: &str) -> Vec<String> {
        let mut names: Vec<String> = fs::read_dir(self.0.join(under))
            .unwrap()
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect();
        names.sort();
        names
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        drop(fs::remove_dir_all(&self.0));
    }
}
