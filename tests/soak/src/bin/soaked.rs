//! The server that is put under load. `SOAKED_LEAK` names what it is to leak, so that the checks can be checked.

use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use mcp_runtime::prelude::*;
use tokio::runtime::Handle;
use tokio::sync::Notify;

/// So many requests and so many streams at a time: few, so that a place that is not given back is missed.
const PLACES: usize = 200;

/// What handlers share.
#[derive(Default)]
struct Hall {
    /// Handlers that are running.
    inside: AtomicUsize,
    gathered: AtomicUsize,
    full: Notify,
    kept: Mutex<Vec<Vec<u8>>>,
}

/// Inside as long as it lives.
struct Guest<'a>(&'a AtomicUsize);

impl<'a> Guest<'a> {
    fn enter(count: &'a AtomicUsize) -> Self {
        count.fetch_add(1, Ordering::SeqCst);
        Self(count)
    }
}

impl Drop for Guest<'_> {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::SeqCst);
    }
}

fn leaks(what: &str) -> bool {
    static LEAK: std::sync::OnceLock<Option<String>> = std::sync::OnceLock::new();
    LEAK.get_or_init(|| std::env::var("SOAKED_LEAK").ok()).as_deref() == Some(what)
}

/// Add two numbers.
#[tool]
fn add(hall: State<Hall>, a: u64, b: u64) -> u64 {
    if leaks("memory") {
        hall.kept.lock().unwrap().push(vec![1; 512]);
    }
    // Now and then, so that the result is lost and the client is not.
    if leaks("answers") && a % 1000 == 7 { 0 } else { a + b }
}

/// Report progress while it takes its time.
#[tool]
async fn report(ctx: &Ctx, hall: State<Hall>, steps: u32) -> u32 {
    let guest = Guest::enter(&hall.inside);
    for step in 1..=steps {
        ctx.progress(step, steps).await;
        tokio::time::sleep(Duration::from_millis(1)).await;
    }
    if leaks("tasks") {
        tokio::spawn(std::future::pending::<()>());
    }
    drop(guest);
    steps
}

/// Report so many megabytes of progress.
#[tool]
async fn flood(ctx: &Ctx, hall: State<Hall>, megabytes: u32) -> &'static str {
    let _guest = Guest::enter(&hall.inside);
    let text = "x".repeat(8 * 1024);
    for step in 1..=megabytes * 128 {
        ctx.progress_message(step, None, text.as_str()).await;
        if leaks("streams") {
            hall.kept.lock().unwrap().push(vec![1; 1024]);
        }
    }
    "flooded"
}

/// Wait until so many are here.
#[tool]
async fn gather(hall: State<Hall>, count: usize) -> &'static str {
    let _guest = Guest::enter(&hall.inside);
    let full = hall.full.notified();
    if hall.gathered.fetch_add(1, Ordering::SeqCst) + 1 == count {
        hall.gathered.store(0, Ordering::SeqCst);
        hall.full.notify_waiters();
    } else {
        full.await;
    }
    "all are here"
}

/// How many handlers and how many tasks there are now.
#[tool]
fn inside(hall: State<Hall>) -> String {
    format!("{} {}", hall.inside.load(Ordering::SeqCst), Handle::current().metrics().num_alive_tasks())
}

#[tokio::main]
async fn main() -> mcp_runtime::Result<()> {
    let address = std::env::args().nth(1).unwrap_or_else(|| "127.0.0.1:8000".to_owned());
    let server = mcp_runtime::server!().state(Hall::default()).max_in_flight(PLACES).max_streams(PLACES);
    server.serve_http(&*address).await
}
