//! Standard input and output, moved to where only the server reaches them.
//!
//! Once they are, a child process cannot eat a request, and `println!`, C libraries and children cannot corrupt the
//! stream: 0 is /dev/null, 1 is standard error.

use std::fs::OpenOptions;
use std::io;
use std::os::fd::OwnedFd;
use std::os::unix::fs::FileTypeExt as _;
use std::sync::atomic::{AtomicBool, Ordering};

use rustix::io::fcntl_dupfd_cloexec;
use rustix::stdio::{dup2_stderr, dup2_stdin, dup2_stdout, stderr, stdin, stdout};

use super::end;

/// Above the standard descriptors, also when one of those was closed.
const ABOVE: i32 = 3;

static TAKEN: AtomicBool = AtomicBool::new(false);

/// The descriptors on which the client is, for the one who asks first.
///
/// # Errors
///
/// When they were taken before, or the system refuses.
pub(super) fn take() -> io::Result<(OwnedFd, OwnedFd)> {
    if TAKEN.swap(true, Ordering::Relaxed) {
        return Err(io::Error::other("standard input and output are being served already"));
    }
    let input = fcntl_dupfd_cloexec(stdin(), ABOVE)?;
    let output = fcntl_dupfd_cloexec(stdout(), ABOVE)?;
    let null = null()?;
    dup2_stdin(&null)?;
    if stderr_is(&output) || dup2_stdout(stderr()).is_err() {
        dup2_stdout(&null)?;
    }
    Ok((input, output))
}

/// /dev/null; where there are no devices, as in an empty root, what is as good.
fn null() -> io::Result<OwnedFd> {
    let null = OpenOptions::new().read(true).write(true).open("/dev/null");
    null.map(OwnedFd::from).or_else(|_| silence())
}

/// The end of a pipe that has no other: nothing comes from it, and what is written to it is refused as to a descriptor that
/// is closed, which std bears with.
fn silence() -> io::Result<OwnedFd> {
    let (reader, _) = end::pipe()?;
    Ok(reader)
}

/// Keeps standard error off a stream in which it ends, too: what is said there would be taken for messages.
pub(super) fn keep_off(output: &OwnedFd) -> io::Result<()> {
    if stderr_is(output) {
        dup2_stderr(null()?)?;
    }
    Ok(())
}

/// Whether standard error ends in the stream itself (`2>&1`). On a terminal it may: a person reads both.
fn stderr_is(output: &OwnedFd) -> bool {
    end::are_same(output, &stderr()) && end::status(output).is_ok_and(|status| !status.file_type().is_char_device())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn without_devices_nothing_is_read_and_writing_harms_nobody() {
        let silence = silence().unwrap();
        assert_eq!(rustix::io::read(&silence, &mut [0; 8]), Ok(0));
        assert_eq!(rustix::io::write(&silence, b"x"), Err(rustix::io::Errno::BADF));
    }
}
