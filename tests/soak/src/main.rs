//! A server over HTTP under load, as README.md says.

mod calls;
mod client;
mod kills;
mod random;
mod server;
mod stalled;

use std::io::Result;
use std::time::{Instant, SystemTime, UNIX_EPOCH};

/// Counts what went as it should.
#[derive(Debug, Default)]
struct Tally {
    passed: usize,
    failed: usize,
    /// Only checks that have one of these words in their names, if there are any.
    only: Vec<String>,
}

impl Tally {
    fn check(&mut self, name: &str, check: impl FnOnce() -> Result<String>) {
        if !self.only.is_empty() && !self.only.iter().any(|word| name.contains(word)) {
            return;
        }
        let begun = Instant::now();
        let (word, text) = match check() {
            Ok(text) => {
                self.passed += 1;
                ("ok     ", text)
            }
            Err(error) => {
                self.failed += 1;
                ("FAILED ", error.to_string())
            }
        };
        println!("{word} {name} ({} s): {text}", begun.elapsed().as_secs());
    }

    /// The check must fail.
    fn prove(&mut self, name: &str, check: impl FnOnce() -> Result<String>) {
        self.check(name, || match check() {
            Ok(text) => Err(std::io::Error::other(format!("it was not noticed: {text}"))),
            Err(error) => Ok(error.to_string()),
        });
    }
}

fn number(name: &str) -> Option<u64> {
    std::env::var(name).ok()?.parse().ok()
}

fn main() -> std::process::ExitCode {
    let scale = usize::try_from(number("SOAK_SCALE").unwrap_or(1)).unwrap_or(1);
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default().as_secs();
    let seed = number("SOAK_SEED").unwrap_or(now);
    println!("SOAK_SCALE={scale} SOAK_SEED={seed}");
    let (flags, only): (Vec<String>, Vec<String>) =
        std::env::args().skip(1).partition(|argument| argument.starts_with("--"));
    let mut tally = Tally { only, ..Tally::default() };
    if flags.iter().any(|flag| flag == "--prove") {
        tally.prove("memory that calls leak", || calls::many_calls(Some("memory"), 40_000));
        tally.prove("memory that sessions leak", || calls::many_sessions(Some("memory"), 10_000));
        tally.prove("memory that streams leak", || stalled::unread_streams(Some("streams"), 1000));
        tally.prove("answers that are wrong", || calls::many_calls(Some("answers"), 40_000));
        tally.prove("tasks that are left", || kills::killed_clients(Some("tasks"), seed, 40));
    } else {
        tally.check("calls", || calls::many_calls(None, 200_000 * scale));
        tally.check("sessions", || calls::many_sessions(None, 10_000));
        tally.check("unread streams", || stalled::unread_streams(None, 1000));
        tally.check("killed clients", || kills::killed_clients(None, seed, 200 * scale));
    }
    println!("{} passed, {} failed", tally.passed, tally.failed);
    if tally.failed == 0 { std::process::ExitCode::SUCCESS } else { std::process::ExitCode::FAILURE }
}
