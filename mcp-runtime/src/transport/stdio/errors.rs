//! Standard error that nobody reads, or to which nobody listens any more.
//!
//! When its pipe is full whoever prints would wait for ever, with the lock that all others need: `eprintln!`, the panic hook,
//! a child. So a thread looks now and then. As long as somebody reads, nothing is changed: the last words of a process that
//! crashes arrive. Otherwise what is printed goes through a pipe of ours from then on, and what finds no room is lost.
//!
//! A child that was started before that has its own copy of the client's end. When that stays full, what is in it is taken
//! away. A socket, as Node makes them, nobody but the client can empty: there such a child waits, once it has said more than
//! the widened socket holds.

use std::io::Read as _;
use std::os::fd::OwnedFd;
use std::thread::sleep;
use std::time::{Duration, Instant};

use rustix::io::fcntl_dupfd_cloexec;
use rustix::stdio::{dup2_stderr, dup2_stdout, stderr, stdout};

use super::end::{self, End, Half};
use crate::spawn::thread;

/// How often to look whether there is room.
const LOOK: Duration = Duration::from_secs(1);

/// Who takes nothing for so long does not read.
const PATIENCE: Duration = Duration::from_millis(100);

/// What the client's end is made to hold once, so that those who wait already can go on: the most that everybody may ask for.
const ROOM: usize = 1024 * 1024;

/// Sees to it that nobody who prints waits for long.
pub(super) fn keep_flowing() {
    // Files and terminals take whatever comes.
    let Ok(Ok(end)) = fcntl_dupfd_cloexec(stderr(), 3).map(|fd| End::new(fd, Half::Output)) else { return };
    // Whoever is about to print would fail, so this does not wait for the thread.
    let mut printed = end.is_hung_up().then(|| divert(&end));
    let relaying = move || {
        let printed = printed.take().unwrap_or_else(|| {
            until_nobody_reads(&end);
            divert(&end)
        });
        // Without a pipe, or on a system that refuses, all stays as it was.
        if let Ok(printed) = printed {
            relay(printed, &end);
        }
    };
    // Without a thread to spare it is as in any other program.
    drop(thread("mcp-errors", Box::new(relaying)));
}

fn until_nobody_reads(end: &End) {
    while !end.wait_for_departure(LOOK) {
        if !end.wait_for_room(PATIENCE) {
            return;
        }
    }
}

/// Puts a pipe of ours in the place of the client's, and makes room for those who wait at that one.
fn divert(end: &End) -> std::io::Result<OwnedFd> {
    let (read, write) = end::pipe()?;
    if end::are_same(&stdout(), &stderr()) {
        dup2_stdout(&write)?;
    }
    dup2_stderr(&write)?;
    if end.is_socket() {
        end.widen(ROOM);
    } else {
        #[cfg(any(target_os = "linux", target_os = "android"))]
        {
            _ = rustix::pipe::fcntl_setpipe_size(end, ROOM);
        }
    }
    Ok(read)
}

fn relay(printed: OwnedFd, end: &End) {
    let mut printed = std::fs::File::from(printed);
    let mut buffer = vec![0; 64 * 1024];
    let (mut lost, mut crowd) = (0, Crowd::default());
    loop {
        lost += crowd.relieve(end);
        if !end::wait_for_words(&printed, crowd.patience) {
            continue;
        }
        match printed.read(&mut buffer) {
            Ok(0) => return,
            Ok(count) => pass_on(buffer.get(..count).unwrap_or_default(), end, &mut lost),
            Err(error) if error.kind() == std::io::ErrorKind::Interrupted => {}
            Err(_) => sleep(PATIENCE),
        }
    }
}

/// Those who write to the client's end although we do not: children from before.
struct Crowd {
    /// Since when the end is full. We leave room there, so it is others who fill it.
    waits_since: Option<Instant>,
    /// How long they wait for the client. Not long once it was seen that it does not read.
    patience: Duration,
}

impl Default for Crowd {
    fn default() -> Self {
        Self { waits_since: None, patience: LOOK }
    }
}

impl Crowd {
    /// Makes room when it is long that there is none; how many bytes are lost.
    fn relieve(&mut self, end: &End) -> usize {
        if end.wait_for_room(Duration::ZERO) {
            *self = Self::default();
            return 0;
        }
        if self.waits_since.get_or_insert_with(Instant::now).elapsed() < self.patience {
            return 0;
        }
        *self = Self { waits_since: None, patience: PATIENCE };
        end.take_away(ROOM)
    }
}

/// Whether the client takes something within [`PATIENCE`].
fn gets_free(end: &End) -> bool {
    (0..10).any(|_| {
        sleep(PATIENCE / 10);
        end.is_mostly_free()
    })
}

/// Passes on what there is room for. The room that was made is for those who waited at the client's end: it is left to them.
fn pass_on(bytes: &[u8], end: &End, lost: &mut usize) {
    if *lost > 0 {
        let note = format!("\nmcp-runtime: nobody read standard error: {lost} bytes are lost\n");
        if end.is_mostly_free() && end.try_write(note.as_bytes()).is_ok() {
            *lost = 0;
        }
    }
    let mut rest = bytes;
    while !rest.is_empty() {
        // Waited for once: who prints is not to be slowed down by each piece.
        let may_write = end.is_mostly_free() || (*lost == 0 && gets_free(end));
        let written = if may_write { end.try_write(rest).ok() } else { None };
        let Some(count) = written else {
            *lost += rest.len();
            return;
        };
        rest = rest.get(count..).unwrap_or_default();
    }
}
