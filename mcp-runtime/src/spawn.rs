//! Where tasks and threads of the runtime's own begin, all as one type: each type of future would bring a copy of all that
//! tokio does with a task, for both of its schedulers, and each closure one of what a thread needs.

use std::future::Future;
use std::io;
use std::pin::Pin;

use tokio::runtime::Handle;
use tokio::task::JoinHandle;
#[cfg(any(unix, feature = "http"))]
use tokio::task::JoinSet;

/// What a task does.
pub(crate) type Task = Pin<Box<dyn Future<Output = ()> + Send>>;

/// Begins a task.
pub(crate) fn task(runtime: &Handle, task: Task) -> JoinHandle<()> {
    runtime.spawn(task)
}

/// Begins a task of several.
#[cfg(any(unix, feature = "http"))]
pub(crate) fn join(tasks: &mut JoinSet<()>, task: Task) {
    drop(tasks.spawn(task));
}

/// Begins a thread that nobody waits for.
pub(crate) fn thread(name: &str, work: Box<dyn FnOnce() + Send>) -> io::Result<()> {
    std::thread::Builder::new().name(name.to_owned()).spawn(work).map(drop)
}
