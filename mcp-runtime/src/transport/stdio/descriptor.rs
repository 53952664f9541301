//! File descriptors that tell when they are ready, without a change to what others share with us.
//!
//! `O_NONBLOCK` belongs to the open file description, so setting it on an inherited descriptor breaks whoever holds the
//! same pipe: the next reader dies, and our own `eprintln!` panics after `2>&1`. Hence three ways to read and write.

use std::io;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::task::{Context, Poll, ready};
use std::time::Duration;

use rustix::buffer::spare_capacity;
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::fs::{FileType, Mode, OFlags, fstat};
use rustix::net::{RecvFlags, SendFlags, recv, send};
use tokio::io::Interest;
use tokio::io::unix::AsyncFd;

use super::io::Filled;

/// A write of this size to a pipe that is ready does not wait: the least that POSIX allows `PIPE_BUF` to be is 512, and
/// every system with more than that has at least this much.
const ATOMIC: usize = if cfg!(target_os = "linux") { 4096 } else { 512 };

/// One direction of a pipe or socket.
#[derive(Debug)]
pub(super) struct Descriptor {
    inner: AsyncFd<OwnedFd>,
    way: Way,
}

/// How to read or write without waiting.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Way {
    /// A description of our own, with `O_NONBLOCK`.
    Own,
    /// A socket: each call says that it does not wait.
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

impl Descriptor {
    /// Gives the descriptor back when it is not of a kind that tells when it is ready: a file or a terminal.
    pub(super) fn new(fd: OwnedFd, half: Half) -> Result<Self, OwnedFd> {
        let (fd, way) = match kind(&fd) {
            FileType::Fifo => match reopened(&fd, half) {
                Some(own) => (own, Way::Own),
                None => (fd, Way::Shared),
            },
            FileType::Socket => (fd, Way::Socket),
            _ => return Err(fd),
        };
        let interest = match half {
            Half::Input => Interest::READABLE,
            Half::Output => Interest::WRITABLE,
        };
        #[expect(deprecated, reason = "its successor is `unsafe` for the sake of descriptors that are not owned")]
        let inner = AsyncFd::try_with_interest(fd, interest).map_err(|refused| refused.into_parts().0)?;
        Ok(Self { inner, way })
    }

    /// Reads what is there now to the end of `buffer`, which has spare capacity.
    pub(super) fn try_read(&self, buffer: &mut Vec<u8>) -> io::Result<Filled> {
        let room = buffer.capacity() - buffer.len();
        let count = retry(|| match self.way {
            Way::Own => rustix::io::read(&self.inner, spare_capacity(buffer)),
            Way::Socket => recv(&self.inner, spare_capacity(buffer), RecvFlags::DONTWAIT).map(|(count, _)| count),
            Way::Shared => {
                self.ask(PollFlags::IN)?;
                rustix::io::read(&self.inner, spare_capacity(buffer))
            }
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
            Way::Own => rustix::io::write(&self.inner, bytes),
            Way::Socket => send(&self.inner, bytes, SendFlags::DONTWAIT),
            Way::Shared => {
                self.ask(PollFlags::OUT)?;
                rustix::io::write(&self.inner, bytes.get(..ATOMIC).unwrap_or(bytes))
            }
        })
    }

    /// Reads when there is something to read.
    pub(super) fn poll_read(
        &self,
        context: &mut Context<'_>,
        mut read: impl FnMut() -> io::Result<Filled>,
    ) -> Poll<io::Result<Filled>> {
        loop {
            let mut ready = ready!(self.inner.poll_read_ready(context))?;
            match read() {
                // All is read, so the next thing to happen is news: one system call a message instead of two.
                Ok(Filled::Short) => {
                    ready.clear_ready();
                    return Poll::Ready(Ok(Filled::Short));
                }
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => ready.clear_ready(),
                other => return Poll::Ready(other),
            }
        }
    }

    /// Writes when there is room.
    pub(super) fn poll_write(
        &self,
        context: &mut Context<'_>,
        mut write: impl FnMut() -> io::Result<usize>,
    ) -> Poll<io::Result<usize>> {
        loop {
            let mut ready = ready!(self.inner.poll_write_ready(context))?;
            match write() {
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => ready.clear_ready(),
                other => return Poll::Ready(other),
            }
        }
    }

    /// Whether nobody is at the other end any more.
    pub(super) fn is_hung_up(&self) -> bool {
        let mut fds = [PollFd::new(&self.inner, PollFlags::OUT)];
        poll(&mut fds, Some(&Timespec::default())).is_ok()
            && fds[0].revents().intersects(PollFlags::ERR | PollFlags::HUP | PollFlags::NVAL)
    }

    fn ask(&self, what: PollFlags) -> rustix::io::Result<()> {
        match poll(&mut [PollFd::new(&self.inner, what)], Some(&Timespec::default()))? {
            0 => Err(rustix::io::Errno::AGAIN),
            _ => Ok(()),
        }
    }
}

impl AsFd for Descriptor {
    fn as_fd(&self) -> BorrowedFd<'_> {
        self.inner.get_ref().as_fd()
    }
}

/// Waits on the calling thread until one of the two is ready or the time is over.
pub(super) fn wait(input: Option<&Descriptor>, output: Option<&Descriptor>, time: Duration) {
    let mut fds: Vec<_> = input
        .map(|fd| PollFd::new(fd, PollFlags::IN))
        .into_iter()
        .chain(output.map(|fd| PollFd::new(fd, PollFlags::OUT)))
        .collect();
    let time = Timespec { tv_sec: 0, tv_nsec: i64::from(time.subsec_nanos()) };
    // Woken early, by a signal say, the caller looks round once more than it had to.
    _ = poll(&mut fds, Some(&time));
}

fn kind(fd: &OwnedFd) -> FileType {
    fstat(fd).map_or(FileType::Unknown, |stat| FileType::from_raw_mode(stat.st_mode))
}

/// The same pipe with a description of its own. None without /proc, or when the pipe belongs to somebody else.
fn reopened(fd: &OwnedFd, half: Half) -> Option<OwnedFd> {
    use std::os::fd::AsRawFd;
    if !cfg!(any(target_os = "linux", target_os = "android")) {
        return None;
    }
    let access = match half {
        Half::Input => OFlags::RDONLY,
        Half::Output => OFlags::WRONLY,
    };
    let path = format!("/proc/self/fd/{}", fd.as_raw_fd());
    rustix::fs::open(path, access | OFlags::NONBLOCK | OFlags::CLOEXEC | OFlags::NOCTTY, Mode::empty()).ok()
}

fn retry<T>(mut call: impl FnMut() -> rustix::io::Result<T>) -> io::Result<T> {
    loop {
        match call() {
            Err(rustix::io::Errno::INTR) => {}
            other => return other.map_err(io::Error::from),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shared(fd: OwnedFd, interest: Interest) -> Descriptor {
        #[expect(deprecated, reason = "as above")]
        let inner = AsyncFd::with_interest(fd, interest).unwrap();
        Descriptor { inner, way: Way::Shared }
    }

    fn would_block<T: std::fmt::Debug>(result: io::Result<T>) -> bool {
        result.is_err_and(|error| error.kind() == io::ErrorKind::WouldBlock)
    }

    #[tokio::test]
    async fn a_pipe_that_cannot_be_reopened_never_waits_either() {
        let (read, write) = rustix::pipe::pipe().unwrap();
        let (input, output) = (shared(read, Interest::READABLE), shared(write, Interest::WRITABLE));
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
        }
        assert!(would_block(input.try_read(&mut buffer)));

        drop(output);
        assert_eq!(input.try_read(&mut buffer).unwrap(), Filled::End);
    }

    #[tokio::test]
    async fn pipes_are_reopened_where_the_system_can() {
        let (read, write) = rustix::pipe::pipe().unwrap();
        let (input, output) =
            (Descriptor::new(read, Half::Input).unwrap(), Descriptor::new(write, Half::Output).unwrap());
        let expected = if cfg!(target_os = "linux") { Way::Own } else { Way::Shared };
        assert_eq!((input.way, output.way), (expected, expected));
        assert!(!output.is_hung_up());
        drop(input);
        assert!(output.is_hung_up());
        assert_eq!(output.try_write(b"x").unwrap_err().kind(), io::ErrorKind::BrokenPipe);
    }

    #[tokio::test]
    async fn files_are_given_back() {
        let null = std::fs::File::open("/dev/null").unwrap();
        assert!(Descriptor::new(null.into(), Half::Input).is_err());
    }
}
