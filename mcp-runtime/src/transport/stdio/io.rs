//! The two halves of a connection, whatever they are made of, behind calls that never wait.

use std::io;
use std::task::{Context, Poll, ready};
use std::time::Duration;

#[cfg(unix)]
use super::descriptor::{self, Descriptor};
use super::thread::{Reader, Writer};
use crate::handler::call::BoxFuture;

/// How much a read brought.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Filled {
    /// Everything there was.
    Short,
    /// As much as there was room for.
    #[cfg(unix)]
    Full,
    /// Nothing, and no more will come.
    End,
}

/// Where messages come from.
#[derive(Debug)]
pub(super) enum Input {
    #[cfg(unix)]
    Descriptor(Descriptor),
    Thread(Reader),
}

/// Where messages go to.
#[derive(Debug)]
pub(super) enum Output {
    #[cfg(unix)]
    Descriptor(Descriptor),
    Thread(Writer),
}

impl Input {
    /// Reads what is there now to the end of `buffer`, which has spare capacity.
    pub(super) fn try_read(&self, buffer: &mut Vec<u8>) -> io::Result<Filled> {
        match self {
            #[cfg(unix)]
            Self::Descriptor(input) => input.try_read(buffer),
            Self::Thread(input) => input.try_read(buffer),
        }
    }

    /// Calls `read`, which is to call `try_read`, when there is something to read.
    pub(super) fn poll_read(
        &self,
        context: &mut Context<'_>,
        mut read: impl FnMut() -> io::Result<Filled>,
    ) -> Poll<io::Result<Filled>> {
        match self {
            #[cfg(unix)]
            Self::Descriptor(input) => input.poll_read(context, read),
            Self::Thread(input) => loop {
                ready!(input.poll_readable(context));
                match read() {
                    Err(error) if error.kind() == io::ErrorKind::WouldBlock => {}
                    other => return Poll::Ready(other),
                }
            },
        }
    }
}

impl Output {
    /// Writes as much as there is room for now.
    pub(super) fn try_write(&self, bytes: &[u8]) -> io::Result<usize> {
        match self {
            #[cfg(unix)]
            Self::Descriptor(output) => output.try_write(bytes),
            Self::Thread(output) => output.try_write(bytes),
        }
    }

    /// Calls `write`, which is to call `try_write`, when there is room.
    pub(super) fn poll_write(
        &self,
        context: &mut Context<'_>,
        mut write: impl FnMut() -> io::Result<usize>,
    ) -> Poll<io::Result<usize>> {
        match self {
            #[cfg(unix)]
            Self::Descriptor(output) => output.poll_write(context, write),
            Self::Thread(output) => loop {
                ready!(output.poll_writable(context));
                match write() {
                    Err(error) if error.kind() == io::ErrorKind::WouldBlock => {}
                    other => return Poll::Ready(other),
                }
            },
        }
    }

    /// Waits until what was written has left the process.
    pub(super) fn poll_drained(&self, context: &Context<'_>) -> Poll<()> {
        match self {
            #[cfg(unix)]
            Self::Descriptor(_) => Poll::Ready(()),
            Self::Thread(output) => output.poll_drained(context),
        }
    }

    /// Resolves when nobody reads any more, although nothing is written. None where only a write shows that.
    pub(super) fn departure(&self, input: &Input) -> Option<BoxFuture<'static, ()>> {
        match (self, input) {
            #[cfg(unix)]
            (Self::Descriptor(output), Input::Descriptor(input)) if output.is_same_as(input) => None,
            #[cfg(unix)]
            (Self::Descriptor(output), _) => output.departure().map(|departed| Box::pin(departed) as _),
            (Self::Thread(_), _) => None,
        }
    }

    /// Whether nobody reads any more.
    pub(super) fn is_closed(&self) -> bool {
        match self {
            #[cfg(unix)]
            Self::Descriptor(output) => output.is_hung_up(),
            Self::Thread(output) => output.is_broken(),
        }
    }
}

/// Waits on the calling thread until one of the two is ready or the time is over.
pub(super) fn wait(input: Option<&Input>, output: Option<&Output>, time: Duration) {
    #[cfg(unix)]
    if !matches!(input, Some(Input::Thread(_))) {
        let input = input.and_then(|input| match input {
            Input::Descriptor(input) => Some(input),
            Input::Thread(_) => None,
        });
        let output = output.and_then(|output| match output {
            Output::Descriptor(output) => Some(output),
            Output::Thread(_) => None,
        });
        return descriptor::wait(input, output, time);
    }
    // What a thread writes is written without us.
    match (input, output) {
        (Some(Input::Thread(input)), _) => input.wait(time),
        _ => std::thread::sleep(time),
    }
}
