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
use tokio::time::sleep;

/// What a shell reports for a process that a signal has ended is this plus the number of the signal.
const BY_SIGNAL: i32 = 128;

const INTERRUPT: i32 = 2;
#[cfg(unix)]
const TERMINATE: i32 = 15;

/// The process has one, for all its servers.
static LISTENER: OnceLock<watch::Sender<Asked>> = OnceLock::new();

/// What was asked, by whom.
#[derive(Clone, Copy, Debug, Default)]
struct Asked {
    to_stop: bool,
    /// The longest that anybody needs to stop.
    patience: Duration,
}

/// Resolves when the process is asked to end: by Ctrl-C or, on Unix, SIGTERM.
///
/// Listens from the call on, not from the first poll. Asked a second time, or `patience` after the first, the process ends
/// whatever it is doing. It also ends, at once, when it is asked to while nobody awaits this.
pub(crate) fn stop(patience: Duration) -> impl Future<Output = ()> {
    let listener = LISTENER.get_or_init(start);
    listener.send_if_modified(|asked| {
        asked.patience = asked.patience.max(patience);
        false
    });
    let mut listening = listener.subscribe();
    async move {
        // The sender is never dropped, so this ends only with what it waits for.
        drop(listening.wait_for(|asked| asked.to_stop).await);
    }
}

/// Starts to listen, and has started when it returns.
fn start() -> watch::Sender<Asked> {
    let asked = watch::Sender::default();
    let listener = asked.clone();
    let (ready, started) = mpsc::sync_channel(1);
    // Without the thread, signals end the process in the system's own way.
    if Builder::new().name("mcp-signals".into()).spawn(move || listen(&listener, &ready)).is_ok() {
        _ = started.recv();
    }
    asked
}

/// Ends the process, for a thread that knows that nothing else will.
#[expect(clippy::exit, reason = "a handler that never returns cannot be ended in any other way")]
pub(crate) fn exit(code: i32) -> ! {
    std::process::exit(code)
}

fn listen(listener: &watch::Sender<Asked>, ready: &SyncSender<()>) {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
    // What fails here fails before a signal was taken away from the system.
    drop(runtime.and_then(|runtime| runtime.block_on(obey(listener, ready))));
}

async fn obey(listener: &watch::Sender<Asked>, ready: &SyncSender<()>) -> io::Result<()> {
    let mut signals = Signals::new()?;
    // The other end waits for it.
    _ = ready.send(());
    let signal = signals.next().await;
    if listener.receiver_count() > 0 {
        listener.send_modify(|asked| asked.to_stop = true);
        let patience = listener.borrow().patience;
        tokio::select! {
            _ = signals.next() => {}
            () = sleep(patience) => {}
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
