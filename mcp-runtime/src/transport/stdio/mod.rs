//! Messages as lines: over standard input and output, or any pair of pipes or sockets.
//!
//! ```text
//! guard       moves descriptors 0 and 1 to where only the server reaches them
//! errors      keeps standard error from holding up whoever writes to it
//! io          both halves behind calls that never wait: descriptor (pipes, sockets: end), thread (files, terminals)
//! lines       bytes to lines
//! buffer      what both halves keep bytes in
//! slot        what is known between two steps
//! wire        what happens between the bytes and the protocol, step by step
//! driver      the task that takes these steps
//! turns       which handlers run, and which wait for their turn
//! lifeguard   the thread that takes them while a handler blocks the driver
//! watch       how the lifeguard knows
//! ```

mod buffer;
#[cfg(unix)]
mod descriptor;
mod driver;
#[cfg(unix)]
mod end;
#[cfg(unix)]
mod errors;
#[cfg(unix)]
mod guard;
mod io;
mod lifeguard;
mod lines;
mod slot;
#[cfg(test)]
mod tests;
mod thread;
mod turns;
mod watch;
mod wire;

use std::future::{Future, poll_fn};
#[cfg(unix)]
use std::os::fd::OwnedFd;
use std::pin::pin;
use std::sync::Arc;
use std::task::Poll;
use std::time::Duration;

use tokio::runtime::Handle;
use tokio::task::JoinHandle;

use self::io::{Input, Output};
pub(crate) use self::lifeguard::LINGER;
use self::thread::{Reader, Writer};
use self::wire::Wire;
use crate::handler::call;
use crate::server::connection::Connection;
use crate::spawn::task;
use crate::transport::signal;

/// What may be chosen about a stream of lines.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct StdioOptions {
    /// The longest message that is read, in bytes. A longer one is skipped and refused.
    pub(crate) max_message: usize,
    /// How long handlers may go on after the end of input.
    pub(crate) grace: Duration,
    /// What happens to a handler that blocks its thread for longer than that.
    pub(crate) stuck: Stuck,
}

/// What to do when a handler blocks its thread although its client has left.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Stuck {
    /// End the process: it is there for this client only.
    Exit,
    /// Wait: there are others.
    #[cfg(unix)]
    Wait,
}

impl Stuck {
    /// Whether others are served on the same threads.
    const fn has_neighbours(self) -> bool {
        !matches!(self, Self::Exit)
    }
}

impl Default for StdioOptions {
    fn default() -> Self {
        Self { max_message: 16 * 1024 * 1024, grace: Duration::from_secs(30), stuck: Stuck::Exit }
    }
}

/// Standard input and output, out of the reach of everything else in the process.
#[derive(Debug)]
pub(crate) struct Standard {
    #[cfg(unix)]
    pair: (OwnedFd, OwnedFd),
}

impl Standard {
    /// Takes them, once per process.
    ///
    /// From here on descriptors 0 and 1 are /dev/null and standard error, which keeps nobody waiting (Unix).
    ///
    /// # Errors
    ///
    /// When they cannot be had.
    pub(crate) fn take() -> std::io::Result<Self> {
        #[cfg(unix)]
        {
            let pair = guard::take()?;
            guard::keep_off(&pair.1)?;
            errors::keep_flowing();
            Ok(Self { pair })
        }
        #[cfg(not(unix))]
        Ok(Self {})
    }

    /// Serves over them until the client is done or `shutdown` comes.
    ///
    /// # Errors
    ///
    /// When the system gives no thread to read a file with.
    pub(crate) async fn serve(
        self,
        connection: Arc<Connection>,
        options: StdioOptions,
        shutdown: impl Future,
    ) -> std::io::Result<()> {
        #[cfg(unix)]
        let (input, output) = halves(self.pair.0, self.pair.1)?;
        #[cfg(not(unix))]
        let (input, output) = (
            Input::Thread(Reader::spawn(Box::new(std::io::stdin()))?),
            Output::Thread(Writer::spawn(Box::new(std::io::stdout()))?),
        );
        run(Wire::new(connection, input, output, options), shutdown).await
    }
}

/// After the last word: a runtime cannot go down while a `blocking` handler holds a thread of its pool, and nothing but the
/// end of the process ends that.
pub(crate) async fn dismiss() {
    let ended = tokio::time::Instant::now();
    while call::any_on_threads() {
        if ended.elapsed() > LINGER {
            signal::exit(0);
        }
        tokio::time::sleep(lifeguard::TICK).await;
    }
}

/// Moves standard input and output to where nothing else reaches them, for a command that prints a handler's result.
///
/// # Errors
///
/// When they were taken before, or the system refuses.
#[cfg(all(unix, feature = "cli"))]
pub(crate) fn take_standard() -> std::io::Result<(OwnedFd, OwnedFd)> {
    guard::take()
}

/// Serves over any two descriptors, such as a socket and its duplicate.
///
/// # Errors
///
/// When the system gives no thread to read a file with.
#[cfg(unix)]
pub(crate) async fn serve_pair(
    connection: Arc<Connection>,
    (input, output): (OwnedFd, OwnedFd),
    options: StdioOptions,
    shutdown: impl Future,
) -> std::io::Result<()> {
    let (input, output) = halves(input, output)?;
    run(Wire::new(connection, input, output, options), shutdown).await
}

#[cfg(unix)]
fn halves(input: OwnedFd, output: OwnedFd) -> std::io::Result<(Input, Output)> {
    use self::descriptor::Descriptor;
    use self::end::Half;
    Ok((
        match Descriptor::new(input, Half::Input) {
            Ok(input) => Input::Descriptor(input),
            Err(file) => Input::Thread(Reader::spawn(Box::new(std::fs::File::from(file)))?),
        },
        match Descriptor::new(output, Half::Output) {
            Ok(output) => Output::Descriptor(output),
            Err(file) => Output::Thread(Writer::spawn(Box::new(std::fs::File::from(file)))?),
        },
    ))
}

async fn run(wire: Arc<Wire>, shutdown: impl Future) -> std::io::Result<()> {
    let mut shutdown = pin!(shutdown);
    // Asked before anything is read, so that it listens by then.
    let is_over = poll_fn(|context| Poll::Ready(shutdown.as_mut().poll(context).is_ready())).await;
    let runtime = Handle::current();
    let departure = wire.output.departure(&wire.input).map(|departed| {
        let wire = Arc::clone(&wire);
        let seen_off = async move {
            departed.await;
            wire.hang_up();
        };
        Owned(task(&runtime, Box::pin(seen_off)))
    });
    // A task of its own: on a runtime with workers the thread of `main` is none of them, and would cost a switch of
    // threads for each message.
    let mut driver = Owned(task(&runtime, Box::pin(driver::drive(Arc::clone(&wire)))));
    if !is_over {
        tokio::select! {
            biased;
            ended = &mut driver.0 => return ended.map_err(std::io::Error::other),
            _ = shutdown => {}
        }
    }
    drop(departure);
    wire.stop();
    (&mut driver.0).await.map_err(std::io::Error::other)
}

/// A task that ends when nobody waits for it any more.
#[derive(Debug)]
struct Owned(JoinHandle<()>);

impl Drop for Owned {
    fn drop(&mut self) {
        self.0.abort();
    }
}
