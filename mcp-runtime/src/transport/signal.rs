//! The signals that ask a server to stop, and the end of its patience.
//!
//! They are heard on a thread of their own. A handler that blocks the runtime would otherwise make the process deaf, and
//! once a signal has a listener the system no longer ends the process by itself.

use std::future::Future;
use std::io;
use std::sync::OnceLock;
use std::sync::mpsc::{self, SyncSender};
use std::thread::Builder;
use std::time::Duration;

use tokio::sync::watch;

/// What a shell reports for a process that a signal has ended is this plus the number of the signal.
const BY_SIGNAL: i32 = 128;

const INTERRUPT: i32 = 2;
#[cfg(unix)]
const TERMINATE: i32 = 15;

/// How long a listener may take to notice. One that does not has no thread to notice with.
const PATIENCE: Duration = Duration::from_secs(1);

/// Whether the process was asked to stop. It has one listening thread for all its servers, or none when that failed.
static ASKED: OnceLock<Option<watch::Sender<bool>>> = OnceLock::new();

/// Resolves when the process is asked to end: by Ctrl-C or, on Unix, SIGTERM.
///
/// Listens from the call on, not from the first poll. The process ends by itself when nobody awaits this, when a runtime is
/// too busy to notice, and when it is asked a second time.
///
/// # Errors
///
/// When the system does not tell of signals.
pub(crate) fn stop() -> impl Future<Output = io::Result<()>> {
    let asked = ASKED.get_or_init(start).as_ref().map(watch::Sender::subscribe);
    async move {
        let Some(mut asked) = asked else {
            return Err(io::Error::other("there is no thread to listen on"));
        };
        // The sender is never dropped, so this ends only with what it waits for.
        drop(asked.wait_for(|asked| *asked).await);
        Ok(())
    }
}

/// Starts to listen, and has started when it returns.
fn start() -> Option<watch::Sender<bool>> {
    let asked = watch::Sender::default();
    let listener = asked.clone();
    let (ready, started) = mpsc::sync_channel(1);
    Builder::new().name("mcp-signals".into()).spawn(move || listen(&listener, &ready)).ok()?;
    started.recv().ok().map(|()| asked)
}

/// Ends the process, for a thread that knows that nothing else will.
#[expect(clippy::exit, reason = "a handler that never returns cannot be ended in any other way")]
pub(crate) fn exit(code: i32) -> ! {
    std::process::exit(code)
}

fn listen(asked: &watch::Sender<bool>, ready: &SyncSender<()>) {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
    // Whoever waits for `ready` sees that this failed; it does so before a signal is taken away from the system.
    drop(runtime.and_then(|runtime| runtime.block_on(obey(asked, ready))));
}

async fn obey(asked: &watch::Sender<bool>, ready: &SyncSender<()>) -> io::Result<()> {
    let mut signals = Signals::new()?;
    _ = ready.send(());
    let signal = signals.next().await;
    if asked.receiver_count() > 0 {
        asked.send_replace(true);
        let second = tokio::time::timeout(PATIENCE, signals.next()).await;
        // Who has heard listens no more, and takes the time it needs.
        if second.is_err() && asked.receiver_count() == 0 {
            signals.next().await;
        }
    }
    exit(BY_SIGNAL + signal)
}

#[cfg(unix)]
struct Signals {
    terminate: tokio::signal::unix::Signal,
    interrupt: tokio::signal::unix::Signal,
}

#[cfg(unix)]
impl Signals {
    fn new() -> io::Result<Self> {
        use tokio::signal::unix::{SignalKind, signal};
        Ok(Self { terminate: signal(SignalKind::terminate())?, interrupt: signal(SignalKind::interrupt())? })
    }

    async fn next(&mut self) -> i32 {
        tokio::select! {
            _ = self.terminate.recv() => TERMINATE,
            _ = self.interrupt.recv() => INTERRUPT,
        }
    }
}

#[cfg(windows)]
struct Signals(tokio::signal::windows::CtrlC);

#[cfg(windows)]
impl Signals {
    fn new() -> io::Result<Self> {
        tokio::signal::windows::ctrl_c().map(Self)
    }

    async fn next(&mut self) -> i32 {
        self.0.recv().await;
        INTERRUPT
    }
}
