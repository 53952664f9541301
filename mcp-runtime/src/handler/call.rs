//! One call of a handler: done already, or a future that borrows the `Ctx` and nothing else.

use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::task::{Context, Poll};

use pin_project_lite::pin_project;
use tokio::task::{JoinError, JoinHandle};

use super::ctx::CallState;
use super::error::Failure;

/// A boxed future.
pub type BoxFuture<'a, T> = Pin<Box<dyn Future<Output = T> + Send + 'a>>;

/// What a handler made: its reply, or why there is none.
pub(crate) type Made<R> = Result<R, Failure>;

/// A handler that has been called.
pub enum Call<'c, R> {
    /// A synchronous handler is done.
    Done(Made<R>),
    /// An asynchronous one is under way.
    Future(BoxFuture<'c, Made<R>>),
}

impl<R> std::fmt::Debug for Call<'_, R> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::Done(_) => "Call::Done",
            Self::Future(_) => "Call::Future",
        })
    }
}

/// How many `blocking` handlers run on threads of the pool or wait for one, in the whole process.
static ON_THREADS: AtomicUsize = AtomicUsize::new(0);

/// Whether a `blocking` handler still runs: its thread goes on after a cancellation, and keeps its runtime from going down.
pub(crate) fn any_on_threads() -> bool {
    ON_THREADS.load(Ordering::Relaxed) > 0
}

/// A `blocking` handler runs, or will run, until this is dropped.
pub(super) struct OnThread(Arc<CallState>);

impl OnThread {
    /// From before the pool is asked: its thread may be slow to start, and the process must not be taken for idle meanwhile.
    pub(super) fn begin(call: &Arc<CallState>) -> Self {
        ON_THREADS.fetch_add(1, Ordering::Relaxed);
        call.on_threads.fetch_add(1, Ordering::Relaxed);
        Self(Arc::clone(call))
    }
}

impl Drop for OnThread {
    fn drop(&mut self) {
        ON_THREADS.fetch_sub(1, Ordering::Relaxed);
        self.0.on_threads.fetch_sub(1, Ordering::Relaxed);
    }
}

/// A job of the pool that is not begun any more when nobody waits for it.
pub(super) struct Pooled<T>(pub(super) JoinHandle<T>);

impl<T> Future for Pooled<T> {
    type Output = Result<T, JoinError>;

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Self::Output> {
        Pin::new(&mut self.0).poll(context)
    }
}

impl<T> Drop for Pooled<T> {
    fn drop(&mut self) {
        self.0.abort();
    }
}

pin_project! {
    /// A handler's future with the conversion of what it returns.
    ///
    /// A struct, because `async move { into(future.await) }` holds the future twice.
    pub(crate) struct Converted<F, O, R> {
        #[pin]
        future: F,
        into: fn(O) -> Made<R>,
    }
}

impl<F, O, R> Converted<F, O, R> {
    pub(crate) const fn new(future: F, into: fn(O) -> Made<R>) -> Self {
        Self { future, into }
    }
}

impl<F: Future<Output = O>, O, R> Future for Converted<F, O, R> {
    type Output = Made<R>;

    fn poll(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Made<R>> {
        let this = self.project();
        this.future.poll(context).map(this.into)
    }
}
