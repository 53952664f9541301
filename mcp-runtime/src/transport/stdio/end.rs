//! One end of a pipe or socket, without a change to what others share with us.
//!
//! `O_NONBLOCK` belongs to the open file description, so setting it on an inherited descriptor breaks whoever holds the
//! same pipe: the next reader dies, and our own `eprintln!` panics after `2>&1`. Hence three ways to read and write.

use std::fs::{File, Metadata, OpenOptions};
use std::io;
use std::os::fd::{AsFd, AsRawFd, BorrowedFd, OwnedFd, RawFd};
use std::os::unix::fs::{FileTypeExt as _, MetadataExt as _, OpenOptionsExt as _};
use std::time::Duration;

use rustix::buffer::spare_capacity;
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use socket2::SockRef;

use super::io::Filled;

/// A write of this size to a pipe that is ready does not wait: the least that POSIX allows `PIPE_BUF` to be is 512, and
/// every system with more than that has at least this much.
const ATOMIC: usize = if cfg!(target_os = "linux") { 4096 } else { 512 };

/// One direction of a pipe or socket.
#[derive(Debug)]
pub(super) struct End {
    fd: OwnedFd,
    way: Way,
}

/// How to read or write without waiting.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Way {
    /// A description of our own, with `O_NONBLOCK`.
    Own,
    /// A socket, which has no description of its own: ask before reading; each write says that it does not wait.
    Socket,
    /// A description that others share: ask first, then do only what cannot wait.
    Shared,
}

/// Which half of a connection a descriptor is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Half {
    Input,
    Output,
}

impl End {
    /// Gives the descriptor back when it is not of a kind that tells when it is ready: a file or a terminal.
    pub(super) fn new(fd: OwnedFd, half: Half) -> Result<Self, OwnedFd> {
        let file = File::from(fd);
        let kind = file.metadata().map(|status| status.file_type());
        let fd = OwnedFd::from(file);
        let (fd, way) = match kind {
            Ok(kind) if kind.is_fifo() => match reopened(&fd, half) {
                Some(own) => (own, Way::Own),
                None => (fd, Way::Shared),
            },
            Ok(kind) if kind.is_socket() => (fd, Way::Socket),
            _ => return Err(fd),
        };
        Ok(Self { fd, way })
    }

    /// Reads what is there now to the end of `buffer`, which has spare capacity.
    pub(super) fn try_read(&self, buffer: &mut Vec<u8>) -> io::Result<Filled> {
        let room = buffer.capacity() - buffer.len();
        let count = retry(|| {
            if self.way != Way::Own {
                self.ask(PollFlags::IN)?;
            }
            Ok(rustix::io::read(&self.fd, spare_capacity(buffer))?)
        })?;
        Ok(match count {
            0 => Filled::End,
            count if count < room => Filled::Short,
            _ => Filled::Full,
        })
    }

    /// Writes as much as there is room for now.
    pub(super) fn try_write(&self, bytes: &[u8]) -> io::Result<usize> {
        retry(|| match self.way {
            Way::Own => Ok(rustix::io::write(&self.fd, bytes)?),
            Way::Socket => SockRef::from(&self.fd).send_with_flags(bytes, libc::MSG_DONTWAIT),
            Way::Shared => {
                self.ask(PollFlags::OUT)?;
                Ok(rustix::io::write(&self.fd, bytes.get(..ATOMIC).unwrap_or(bytes))?)
            }
        })
    }

    /// Whether nobody is at the other end any more.
    pub(super) fn is_hung_up(&self) -> bool {
        is_hung_up(&self.fd)
    }

    /// Whether it is a socket, of which each half is closed for itself.
    pub(super) fn is_socket(&self) -> bool {
        self.way == Way::Socket
    }

    /// Whether the other side has taken most of what was written. A socket says that itself.
    pub(super) fn is_mostly_free(&self) -> bool {
        const LITTLE: u64 = 16 * 1024;
        self.wait_for_room(Duration::ZERO)
            && (self.is_socket() || rustix::io::ioctl_fionread(&self.fd).is_ok_and(|waiting| waiting < LITTLE))
    }

    /// Waits on the calling thread until there is room to write or nobody is at the other end. False when time is over.
    pub(super) fn wait_for_room(&self, time: Duration) -> bool {
        wait_for(&self.fd, PollFlags::OUT, time)
    }

    /// Waits on the calling thread until nobody is at the other end. False when time is over.
    pub(super) fn wait_for_departure(&self, time: Duration) -> bool {
        wait_for(&self.fd, PollFlags::empty(), time)
    }

    /// Takes up to `most` bytes away that the other side has not read, so that whoever waits for room goes on; how many there
    /// were. None of a socket, and none where the system does not let the other end be opened.
    ///
    /// It is opened for the moment only: as long as we hold it, nobody would hear that the client has left.
    pub(super) fn take_away(&self, most: usize) -> usize {
        let Some(other) = (!self.is_socket()).then(|| reopened(&self.fd, Half::Input)).flatten() else { return 0 };
        let mut buffer = vec![0; 64 * 1024];
        let mut taken = 0;
        while taken < most {
            match retry(|| Ok(rustix::io::read(&other, buffer.as_mut_slice())?)) {
                Ok(count) if count > 0 => taken += count,
                _ => break,
            }
        }
        taken
    }

    /// Makes room for so many bytes in a socket, or leaves it as it is.
    pub(super) fn widen(&self, room: usize) {
        drop(SockRef::from(&self.fd).set_send_buffer_size(room));
    }

    fn ask(&self, what: PollFlags) -> io::Result<()> {
        match poll(&mut [PollFd::new(&self.fd, what)], Some(&Timespec::default()))? {
            0 => Err(io::ErrorKind::WouldBlock.into()),
            _ => Ok(()),
        }
    }
}

impl AsFd for End {
    fn as_fd(&self) -> BorrowedFd<'_> {
        self.fd.as_fd()
    }
}

impl AsRawFd for End {
    fn as_raw_fd(&self) -> RawFd {
        self.fd.as_raw_fd()
    }
}

impl From<End> for OwnedFd {
    fn from(end: End) -> Self {
        end.fd
    }
}

/// Whether nobody is at the other end of a pipe or socket any more.
pub(super) fn is_hung_up(fd: &impl AsFd) -> bool {
    let mut fds = [PollFd::new(fd, PollFlags::OUT)];
    poll(&mut fds, Some(&Timespec::default())).is_ok()
        && fds[0].revents().intersects(PollFlags::ERR | PollFlags::HUP | PollFlags::NVAL)
}

/// Whether both are the same pipe or socket.
pub(super) fn are_same(one: &impl AsFd, other: &impl AsFd) -> bool {
    let (Ok(one), Ok(other)) = (status(one), status(other)) else { return false };
    (one.dev(), one.ino()) == (other.dev(), other.ino())
}

/// What the system says of an open file, pipe or socket.
pub(super) fn status(fd: &impl AsFd) -> io::Result<Metadata> {
    File::from(fd.as_fd().try_clone_to_owned()?).metadata()
}

/// Waits on the calling thread until there is something to read, or never will be. False when time is over.
pub(super) fn wait_for_words(fd: &impl AsFd, time: Duration) -> bool {
    wait_for(fd, PollFlags::IN, time)
}

fn wait_for(fd: &impl AsFd, what: PollFlags, time: Duration) -> bool {
    let seconds = i64::try_from(time.as_secs()).unwrap_or(i64::MAX);
    let time = Timespec { tv_sec: seconds, tv_nsec: i64::from(time.subsec_nanos()) };
    // Woken early, by a signal say, it is asked once more than it had to be.
    poll(&mut [PollFd::new(fd, what)], Some(&time)).is_ok_and(|count| count > 0)
}

/// The same pipe with a description of its own. None without /proc, or when the pipe belongs to somebody else.
fn reopened(fd: &OwnedFd, half: Half) -> Option<OwnedFd> {
    if !cfg!(any(target_os = "linux", target_os = "android")) {
        return None;
    }
    let mut options = OpenOptions::new();
    match half {
        Half::Input => options.read(true),
        Half::Output => options.write(true),
    };
    let path = format!("/proc/self/fd/{}", fd.as_raw_fd());
    options.custom_flags(libc::O_NONBLOCK | libc::O_NOCTTY).open(path).ok().map(OwnedFd::from)
}

fn retry<T>(mut call: impl FnMut() -> io::Result<T>) -> io::Result<T> {
    loop {
        match call() {
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            other => return other,
        }
    }
}

/// A pipe that children do not inherit: its reading end, and its writing end.
pub(super) fn pipe() -> io::Result<(OwnedFd, OwnedFd)> {
    #[cfg(not(target_vendor = "apple"))]
    return Ok(rustix::pipe::pipe_with(rustix::pipe::PipeFlags::CLOEXEC)?);
    // There it takes two steps, between which a child may be started.
    #[cfg(target_vendor = "apple")]
    {
        let (reader, writer) = rustix::pipe::pipe()?;
        for end in [&reader, &writer] {
            rustix::io::fcntl_setfd(end, rustix::io::FdFlags::CLOEXEC)?;
        }
        Ok((reader, writer))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shared(fd: OwnedFd) -> End {
        End { fd, way: Way::Shared }
    }

    fn would_block<T: std::fmt::Debug>(result: io::Result<T>) -> bool {
        result.is_err_and(|error| error.kind() == io::ErrorKind::WouldBlock)
    }

    #[test]
    fn a_pipe_that_cannot_be_reopened_never_waits_either() {
        let (read, write) = rustix::pipe::pipe().unwrap();
        never_waits(&shared(read), shared(write));
    }

    #[test]
    fn a_socket_never_waits_although_others_would() {
        let (read, write) = std::os::unix::net::UnixStream::pair().unwrap();
        never_waits(&End::new(read.into(), Half::Input).unwrap(), End::new(write.into(), Half::Output).unwrap());
    }

    fn never_waits(input: &End, output: End) {
        let mut buffer = Vec::with_capacity(1 << 20);
        assert!(would_block(input.try_read(&mut buffer)));

        let plenty = vec![b'x'; 100_000];
        let mut written = 0;
        loop {
            match output.try_write(&plenty) {
                Ok(count) => written += count,
                full => {
                    assert!(would_block(full));
                    break;
                }
            }
        }
        assert!(written >= ATOMIC);
        while buffer.len() < written {
            assert_eq!(input.try_read(&mut buffer).unwrap(), Filled::Short);
            buffer.reserve(1 << 20);
        }
        assert!(would_block(input.try_read(&mut buffer)));

        drop(output);
        assert_eq!(input.try_read(&mut buffer).unwrap(), Filled::End);
    }

    #[test]
    fn pipes_are_reopened_where_the_system_can() {
        let (read, write) = rustix::pipe::pipe().unwrap();
        let (input, output) = (End::new(read, Half::Input).unwrap(), End::new(write, Half::Output).unwrap());
        let expected = if cfg!(target_os = "linux") { Way::Own } else { Way::Shared };
        assert_eq!((input.way, output.way), (expected, expected));
        assert!(!output.is_hung_up());
        drop(input);
        assert!(output.is_hung_up());
        assert_eq!(output.try_write(b"x").unwrap_err().kind(), io::ErrorKind::BrokenPipe);
    }

    #[test]
    fn what_nobody_reads_is_taken_away_and_the_end_is_still_seen() {
        let (read, write) = rustix::pipe::pipe().unwrap();
        let output = End::new(write, Half::Output).unwrap();
        while output.try_write(&[b'x'; ATOMIC]).is_ok() {}
        assert!(!output.wait_for_room(Duration::ZERO));
        let expected = if cfg!(target_os = "linux") { ATOMIC } else { 0 };
        assert!(output.take_away(1) >= expected);
        assert_eq!(output.wait_for_room(Duration::ZERO), cfg!(target_os = "linux"));
        assert!(!output.is_hung_up());
        drop(read);
        assert!(output.is_hung_up());
    }

    #[test]
    fn nothing_is_taken_away_from_a_socket() {
        let (read, write) = std::os::unix::net::UnixStream::pair().unwrap();
        let output = End::new(write.into(), Half::Output).unwrap();
        assert!(output.try_write(b"x").is_ok());
        assert_eq!(output.take_away(1), 0);
        drop(read);
    }

    #[test]
    fn files_are_given_back() {
        let null = File::open("/dev/null").unwrap();
        assert!(End::new(null.into(), Half::Input).is_err());
    }
}
