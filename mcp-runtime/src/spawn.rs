//! Where tasks and threads of the runtime's own begin, all as one type: each type of future would bring a copy of all that
//! tokio does with a task, for both of its schedulers, and each closure one of what a thread needs. And what an author's program
//! awaits, which would bring a copy of the server.

use std::future::Future;
use std::io;
use std::pin::Pin;

use tokio::runtime::Handle;
use tokio::task::JoinHandle;
#[cfg(any(all(unix, feature = "stdio"), feature = "http"))]
use tokio::task::JoinSet;

/// What a task does.
pub(crate) type Task = Pin<Box<dyn Future<Output = ()> + Send>>;

/// Begins a task.
pub(crate) fn task(runtime: &Handle, task: Task) -> JoinHandle<()> {
    runtime.spawn(task)
}

/// Begins a task of several.
#[cfg(any(all(unix, feature = "stdio"), feature = "http"))]
pub(crate) fn join(tasks: &mut JoinSet<()>, task: Task) {
    drop(tasks.spawn(task));
}

/// Begins a thread that nobody waits for.
pub(crate) fn thread(name: &str, work: Box<dyn FnOnce() + Send>) -> io::Result<()> {
    std::thread::Builder::new().name(name.to_owned()).spawn(work).map(drop)
}

/// Boxed, so that the future of an author's `main` does not hold the server's: that would be compiled with each program
/// again, some 30 kB of it, and over HTTP all of hyper. For the same reason nothing generic may call this.
#[cfg(any(feature = "stdio", feature = "http"))]
pub(crate) fn compiled_here<T>(
    future: impl Future<Output = T> + Send + 'static,
) -> Pin<Box<dyn Future<Output = T> + Send>> {
    Box::pin(future)
}
