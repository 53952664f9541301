//! Pipes and sockets that tell the runtime when they are ready.

use std::future::Future;
use std::io;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::task::{Context, Poll, ready};
use std::time::Duration;

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use tokio::io::Interest;
use tokio::io::unix::AsyncFd;

use super::end::{self, End, Half};
use super::io::Filled;

/// One direction of a pipe or socket, known to the runtime.
#[derive(Debug)]
pub(super) struct Descriptor {
    inner: AsyncFd<End>,
}

impl Descriptor {
    /// Gives the descriptor back when it is not of a kind that tells when it is ready: a file or a terminal.
    pub(super) fn new(fd: OwnedFd, half: Half) -> Result<Self, OwnedFd> {
        let end = End::new(fd, half)?;
        let interest = match half {
            Half::Input => Interest::READABLE,
            Half::Output => Interest::WRITABLE,
        };
        Ok(Self { inner: registered(end, interest).map_err(OwnedFd::from)? })
    }

    /// Reads what is there now to the end of `buffer`, which has spare capacity.
    pub(super) fn try_read(&self, buffer: &mut Vec<u8>) -> io::Result<Filled> {
        self.inner.get_ref().try_read(buffer)
    }

    /// Writes as much as there is room for now.
    pub(super) fn try_write(&self, bytes: &[u8]) -> io::Result<usize> {
        self.inner.get_ref().try_write(bytes)
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
        // There is room nearly always, so the runtime is asked only when there was none.
        match write() {
            Err(error) if error.kind() == io::ErrorKind::WouldBlock => {}
            other => return Poll::Ready(other),
        }
        loop {
            let mut ready = ready!(self.inner.poll_write_ready(context))?;
            match write() {
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => ready.clear_ready(),
                other => return Poll::Ready(other),
            }
        }
    }

    /// Whether both are one socket, the end of which shows in what is read.
    pub(super) fn is_same_as(&self, other: &Self) -> bool {
        end::are_same(self.inner.get_ref(), other.inner.get_ref())
    }

    /// Whether nobody is at the other end any more.
    pub(super) fn is_hung_up(&self) -> bool {
        self.inner.get_ref().is_hung_up()
    }

    /// Resolves when nobody is at the other end any more, although nothing is written. None where the system tells that only to
    /// who writes.
    pub(super) fn departure(&self) -> Option<impl Future<Output = ()> + Send + use<>> {
        if !cfg!(any(target_os = "linux", target_os = "android")) {
            return None;
        }
        // A socket is readable at its end. A pipe reports an error, and nothing else to who asks for errors only: not each time
        // that the other side has read something.
        let interest = if self.inner.get_ref().is_socket() { Interest::READABLE } else { Interest::ERROR };
        let duplicate = self.as_fd().try_clone_to_owned().ok()?;
        let inner = registered(duplicate, interest).ok()?;
        Some(async move {
            while let Ok(mut ready) = inner.ready(interest).await {
                if end::is_hung_up(inner.get_ref()) {
                    return;
                }
                ready.clear_ready();
            }
            // It is the runtime that refuses: it is going down.
            std::future::pending::<()>().await;
        })
    }
}

/// Makes a descriptor known to the runtime, or gives it back.
fn registered<T: std::os::fd::AsRawFd>(fd: T, interest: Interest) -> Result<AsyncFd<T>, T> {
    #[expect(deprecated, reason = "its successor is `unsafe` for the sake of descriptors that are not owned")]
    AsyncFd::try_with_interest(fd, interest).map_err(|refused| refused.into_parts().0)
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
