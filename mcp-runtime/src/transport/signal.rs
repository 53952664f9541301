//! The signals that ask a server to stop, and the end of its patience.
//!
//! They are heard on a thread of their own. A handler that blocks the runtime would otherwise make the process deaf, and
//! once a signal has a listener the system no longer ends the process by itself.

use std::future::{Future, pending};
use std::io;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::{Duration, Instant};

use tokio::sync::watch;

use crate::spawn::thread;

/// What a shell reports for a process that a signal has ended is this plus the number of the signal.
const BY_SIGNAL: i32 = 128;

const INTERRUPT: i32 = 2;
#[cfg(unix)]
const TERMINATE: i32 = 15;

/// What the process was asked. It has one listening thread for all its servers, or none when that failed.
static ASKED: OnceLock<Option<watch::Sender<Asked>>> = OnceLock::new();

#[derive(Clone, Copy, Debug, Default)]
struct Asked {
    /// When, and by which signal.
    to_stop: Option<(Instant, i32)>,
    /// The longest that any listener may take to notice.
    patience: Duration,
}

/// Resolves when the process is asked to end: by Ctrl-C or, on Unix, SIGTERM.
///
/// Listens from the call on, not from the first poll. The process ends by itself when nobody awaits this, when a runtime is
/// too busy to notice for `patience`, and when it is asked a second time.
pub(crate) fn stop(patience: Duration) -> impl Future<Output = ()> + Send + use<> {
    let asked = ASKED.get_or_init(start).as_ref().map(|asked| {
        asked.send_if_modified(|asked| {
            asked.patience = asked.patience.max(patience);
            false
        });
        asked.subscribe()
    });
    async move {
        let is_heard = match asked {
            Some(mut asked) => asked.wait_for(|asked| asked.to_stop.is_some()).await.is_ok(),
            None => false,
        };
        if !is_heard {
            // Nobody listens, so signals end the process in the system's own way.
            pending::<()>().await;
        }
    }
}

/// Which signal has asked the process to end, and when.
#[cfg(any(unix, feature = "http"))]
fn asked() -> Option<(Instant, i32)> {
    ASKED.get()?.as_ref()?.borrow().to_stop
}

/// Whether the process was asked to end so long ago.
#[cfg(all(unix, feature = "stdio"))]
pub(crate) fn is_overdue(time: Duration) -> bool {
    asked().is_some_and(|(since, _)| since.elapsed() > time)
}

/// If the process was asked to end, sees to it that it does: when something holds one of its threads after `time`, nothing
/// but its end ends that. On a thread of its own, since a runtime all of whose threads are held does not even tell the time.
#[cfg(feature = "http")]
pub(crate) fn see_off(time: Duration, is_held: impl FnOnce() -> bool + Send + 'static) {
    let Some((_, signal)) = asked() else { return };
    let watch = move || {
        std::thread::sleep(time);
        if is_held() {
            exit(BY_SIGNAL + signal);
        }
    };
    // Without threads to spare a second signal ends it.
    drop(thread("mcp-farewell", Box::new(watch)));
}

/// Starts to listen, and has started when it returns.
fn start() -> Option<watch::Sender<Asked>> {
    let asked = watch::Sender::default();
    let listener = asked.clone();
    let begun = Arc::<Start>::default();
    let ready = Ready(Arc::clone(&begun));
    thread("mcp-signals", Box::new(move || listen(&listener, &ready))).ok()?;
    begun.wait().then_some(asked)
}

/// Whether signals are heard, once that is known. (A channel for one `()` brings 14,000 lines of what the compiler optimizes.)
#[derive(Debug, Default)]
struct Start {
    is_hearing: Mutex<Option<bool>>,
    is_known: Condvar,
}

impl Start {
    fn lock(&self) -> MutexGuard<'_, Option<bool>> {
        self.is_hearing.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The first word counts.
    fn tell(&self, is_hearing: bool) {
        self.lock().get_or_insert(is_hearing);
        self.is_known.notify_all();
    }

    fn wait(&self) -> bool {
        let mut told = self.lock();
        loop {
            if let Some(is_hearing) = *told {
                return is_hearing;
            }
            told = self.is_known.wait(told).unwrap_or_else(PoisonError::into_inner);
        }
    }
}

/// The side of the listening thread: however that ends, nobody waits for its word.
#[derive(Debug)]
struct Ready(Arc<Start>);

impl Drop for Ready {
    fn drop(&mut self) {
        self.0.tell(false);
    }
}

/// Ends the process, for a thread that knows that nothing else will.
#[expect(clippy::exit, reason = "a handler that never returns cannot be ended in any other way")]
pub(crate) fn exit(code: i32) -> ! {
    std::process::exit(code)
}

fn listen(asked: &watch::Sender<Asked>, ready: &Ready) {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
    // Whoever waits for `ready` sees that this failed; it does so before a signal is taken away from the system.
    drop(runtime.and_then(|runtime| runtime.block_on(obey(asked, ready))));
}

async fn obey(asked: &watch::Sender<Asked>, ready: &Ready) -> io::Result<()> {
    let mut signals = Signals::new()?;
    ready.0.tell(true);
    let signal = signals.next().await;
    if asked.receiver_count() > 0 {
        asked.send_modify(|asked| asked.to_stop = Some((Instant::now(), signal)));
        let patience = asked.borrow().patience;
        let second = tokio::time::timeout(patience, signals.next()).await;
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
