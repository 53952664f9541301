//! A connection that is given up when its client does not read.
//!
//! hyper waits for such a client for ever. What it has been sent is bounded, but its place among the connections is another's.

use std::io::{Error, ErrorKind, IoSlice, Result};
use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::Duration;

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::time::{Sleep, sleep};

/// A connection whose client has to take something of what waits for it from time to time.
#[derive(Debug)]
pub(super) struct Patience<S> {
    stream: S,
    time: Duration,
    /// Runs while the client takes nothing.
    stalled: Option<Pin<Box<Sleep>>>,
}

impl<S> Patience<S> {
    pub(super) const fn new(stream: S, time: Duration) -> Self {
        Self { stream, time, stalled: None }
    }

    fn judge<T>(&mut self, written: Poll<Result<T>>, context: &mut Context<'_>) -> Poll<Result<T>> {
        if written.is_ready() {
            self.stalled = None;
            return written;
        }
        let stalled = self.stalled.get_or_insert_with(|| Box::pin(sleep(self.time)));
        stalled.as_mut().poll(context).map(|()| Err(Error::new(ErrorKind::TimedOut, "the client does not read")))
    }
}

impl<S: AsyncRead + Unpin> AsyncRead for Patience<S> {
    fn poll_read(mut self: Pin<&mut Self>, context: &mut Context<'_>, buffer: &mut ReadBuf<'_>) -> Poll<Result<()>> {
        Pin::new(&mut self.stream).poll_read(context, buffer)
    }
}

impl<S: AsyncWrite + Unpin> AsyncWrite for Patience<S> {
    fn poll_write(mut self: Pin<&mut Self>, context: &mut Context<'_>, bytes: &[u8]) -> Poll<Result<usize>> {
        let written = Pin::new(&mut self.stream).poll_write(context, bytes);
        self.judge(written, context)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        slices: &[IoSlice<'_>],
    ) -> Poll<Result<usize>> {
        let written = Pin::new(&mut self.stream).poll_write_vectored(context, slices);
        self.judge(written, context)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Result<()>> {
        Pin::new(&mut self.stream).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(context)
    }
}

#[cfg(test)]
mod tests {
    use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _, duplex};

    use super::*;

    #[tokio::test(start_paused = true)]
    async fn a_client_that_reads_slowly_is_waited_for_and_one_that_reads_nothing_is_not() {
        let (mut client, server) = duplex(8);
        let mut server = Patience::new(server, Duration::from_secs(60));
        let reading = tokio::spawn(async move {
            let mut read = [0; 8];
            for _ in 0..10 {
                sleep(Duration::from_secs(50)).await;
                client.read_exact(&mut read).await.unwrap();
            }
            client
        });
        server.write_all(&[1; 80]).await.unwrap();
        let _client = reading.await.unwrap();
        server.write_all(&[1; 8]).await.unwrap();
        let begun = tokio::time::Instant::now();
        assert_eq!(server.write_all(&[1; 8]).await.unwrap_err().kind(), ErrorKind::TimedOut);
        assert_eq!(begun.elapsed().as_secs(), 60);
    }
}
