//! Reading and writing on threads: for files and terminals, which do not tell when they are ready, and for systems whose
//! pipes do not.

use std::io::{self, Read, Write};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll, Waker};
use std::time::Duration;

use super::io::Filled;
use crate::spawn::thread;

/// What lies between a thread and the server at most: a pipe's worth.
const BETWEEN: usize = 64 * 1024;

/// What a thread and the server have in common.
#[derive(Debug, Default)]
struct Shared {
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Debug, Default)]
struct State {
    bytes: Vec<u8>,
    /// The thread has nothing left to do, or has failed.
    ended: bool,
    error: Option<io::Error>,
    /// The server has left.
    left: bool,
    waker: Option<Waker>,
}

impl Shared {
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn wait<'a>(&self, state: MutexGuard<'a, State>) -> MutexGuard<'a, State> {
        self.changed.wait(state).unwrap_or_else(PoisonError::into_inner)
    }

    /// Tells everybody that something is different.
    fn tell(&self, mut state: MutexGuard<'_, State>) {
        let waker = state.waker.take();
        drop(state);
        self.changed.notify_all();
        if let Some(waker) = waker {
            waker.wake();
        }
    }
}

/// A thread that reads.
#[derive(Debug)]
pub(super) struct Reader(Arc<Shared>);

impl Reader {
    pub(super) fn spawn(mut source: Box<dyn Read + Send>) -> io::Result<Self> {
        let shared = Arc::new(Shared::default());
        let ours = Arc::clone(&shared);
        let reading = move || {
            let mut buffer = vec![0; BETWEEN];
            loop {
                let read = source.read(&mut buffer);
                if matches!(&read, Err(error) if error.kind() == io::ErrorKind::Interrupted) {
                    continue;
                }
                let mut state = ours.lock();
                while state.bytes.len() >= BETWEEN && !state.left {
                    state = ours.wait(state);
                }
                match read {
                    Ok(count) => {
                        state.bytes.extend_from_slice(buffer.get(..count).unwrap_or_default());
                        state.ended = count == 0;
                    }
                    Err(error) => {
                        state.error = Some(error);
                        state.ended = true;
                    }
                }
                let over = state.ended || state.left;
                ours.tell(state);
                if over {
                    return;
                }
            }
        };
        thread("mcp-input", Box::new(reading))?;
        Ok(Self(shared))
    }

    pub(super) fn try_read(&self, buffer: &mut Vec<u8>) -> io::Result<Filled> {
        let mut state = self.0.lock();
        if state.bytes.is_empty() {
            return match (state.error.take(), state.ended) {
                (Some(error), _) => Err(error),
                (None, true) => Ok(Filled::End),
                (None, false) => Err(io::ErrorKind::WouldBlock.into()),
            };
        }
        buffer.append(&mut state.bytes);
        drop(state);
        self.0.changed.notify_all();
        Ok(Filled::Short)
    }

    pub(super) fn poll_readable(&self, context: &Context<'_>) -> Poll<()> {
        let mut state = self.0.lock();
        if !state.bytes.is_empty() || state.ended {
            return Poll::Ready(());
        }
        state.waker = Some(context.waker().clone());
        Poll::Pending
    }

    /// Waits on the calling thread.
    pub(super) fn wait(&self, time: Duration) {
        let state = self.0.lock();
        if state.bytes.is_empty() && !state.ended {
            drop(self.0.changed.wait_timeout(state, time));
        }
    }
}

impl Drop for Reader {
    fn drop(&mut self) {
        self.0.lock().left = true;
        self.0.changed.notify_all();
    }
}

/// A thread that writes.
#[derive(Debug)]
pub(super) struct Writer(Arc<Shared>);

impl Writer {
    pub(super) fn spawn(mut target: Box<dyn Write + Send>) -> io::Result<Self> {
        let shared = Arc::new(Shared::default());
        let ours = Arc::clone(&shared);
        let writing = move || {
            let mut buffer = Vec::new();
            loop {
                let mut state = ours.lock();
                while state.bytes.is_empty() && !state.left {
                    state = ours.wait(state);
                }
                if state.bytes.is_empty() {
                    return;
                }
                buffer.clone_from(&state.bytes);
                drop(state);
                let written = target.write_all(&buffer).and_then(|()| target.flush());
                let mut state = ours.lock();
                // Only now: what waits here is what is not written yet.
                state.bytes.drain(..buffer.len());
                if let Err(error) = written {
                    state.error = Some(error);
                    state.ended = true;
                    state.bytes.clear();
                    return ours.tell(state);
                }
                ours.tell(state);
            }
        };
        thread("mcp-output", Box::new(writing))?;
        Ok(Self(shared))
    }

    pub(super) fn try_write(&self, bytes: &[u8]) -> io::Result<usize> {
        let mut state = self.0.lock();
        if state.ended {
            return Err(state.error.take().unwrap_or_else(|| io::ErrorKind::BrokenPipe.into()));
        }
        let room = BETWEEN.saturating_sub(state.bytes.len());
        if room == 0 {
            return Err(io::ErrorKind::WouldBlock.into());
        }
        let bytes = bytes.get(..room).unwrap_or(bytes);
        state.bytes.extend_from_slice(bytes);
        drop(state);
        self.0.changed.notify_all();
        Ok(bytes.len())
    }

    pub(super) fn poll_writable(&self, context: &Context<'_>) -> Poll<()> {
        self.poll_until(context, |state| state.bytes.len() < BETWEEN)
    }

    /// Waits until everything is written.
    pub(super) fn poll_drained(&self, context: &Context<'_>) -> Poll<()> {
        self.poll_until(context, |state| state.bytes.is_empty())
    }

    fn poll_until(&self, context: &Context<'_>, reached: impl Fn(&State) -> bool) -> Poll<()> {
        let mut state = self.0.lock();
        if state.ended || reached(&state) {
            return Poll::Ready(());
        }
        state.waker = Some(context.waker().clone());
        Poll::Pending
    }

    pub(super) fn is_broken(&self) -> bool {
        self.0.lock().ended
    }
}

impl Drop for Writer {
    fn drop(&mut self) {
        self.0.lock().left = true;
        self.0.changed.notify_all();
    }
}

#[cfg(test)]
mod tests {
    use std::future::poll_fn;

    use super::*;

    #[tokio::test]
    async fn what_a_thread_reads_arrives_whole() {
        let text: Vec<u8> = (0..1_000_000_u32).flat_map(u32::to_le_bytes).collect();
        let reader = Reader::spawn(Box::new(io::Cursor::new(text.clone()))).unwrap();
        let mut read = Vec::new();
        loop {
            poll_fn(|context| reader.poll_readable(context)).await;
            match reader.try_read(&mut read) {
                Ok(Filled::End) => break,
                Err(error) => assert_eq!(error.kind(), io::ErrorKind::WouldBlock),
                Ok(_) => {}
            }
        }
        assert!(read == text);
    }

    /// Takes what is written to it, a piece at a time.
    #[derive(Clone, Default)]
    struct Slow(Arc<Mutex<Vec<u8>>>);

    impl Write for Slow {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            std::thread::yield_now();
            let piece = bytes.get(..1000).unwrap_or(bytes);
            self.0.lock().unwrap().extend_from_slice(piece);
            Ok(piece.len())
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    #[tokio::test]
    async fn drained_means_written() {
        let target = Slow::default();
        let writer = Writer::spawn(Box::new(target.clone())).unwrap();
        let text = vec![b'x'; 500_000];
        let mut rest = text.as_slice();
        while !rest.is_empty() {
            poll_fn(|context| writer.poll_writable(context)).await;
            match writer.try_write(rest) {
                Ok(count) => rest = &rest[count..],
                Err(error) => assert_eq!(error.kind(), io::ErrorKind::WouldBlock),
            }
        }
        poll_fn(|context| writer.poll_drained(context)).await;
        assert!(*target.0.lock().unwrap() == text);
    }

    #[tokio::test]
    async fn a_target_that_fails_is_told_of() {
        struct Broken;
        impl Write for Broken {
            fn write(&mut self, _: &[u8]) -> io::Result<usize> {
                Err(io::ErrorKind::StorageFull.into())
            }
            fn flush(&mut self) -> io::Result<()> {
                Ok(())
            }
        }
        let writer = Writer::spawn(Box::new(Broken)).unwrap();
        assert_eq!(writer.try_write(b"x").unwrap(), 1);
        poll_fn(|context| writer.poll_drained(context)).await;
        assert!(writer.is_broken());
        assert_eq!(writer.try_write(b"x").unwrap_err().kind(), io::ErrorKind::StorageFull);
    }
}
