//! One call of a handler: done already, or a future that borrows the `Ctx` and nothing else.

use std::future::Future;
use std::pin::Pin;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::task::{Context, Poll};

use pin_project_lite::pin_project;

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

/// How many `blocking` handlers run on threads of the pool, in the whole process.
static ON_THREADS: AtomicUsize = AtomicUsize::new(0);

/// Whether a `blocking` handler still runs: its thread goes on after a cancellation, and keeps its runtime from going down.
pub(crate) fn any_on_threads() -> bool {
    ON_THREADS.load(Ordering::Relaxed) > 0
}

/// A `blocking` handler runs until this is dropped.
#[derive(Debug)]
pub(super) struct OnThread(());

impl OnThread {
    pub(super) fn begin() -> Self {
        ON_THREADS.fetch_add(1, Ordering::Relaxed);
        Self(())
    }
}

impl Drop for OnThread {
    fn drop(&mut self) {
        ON_THREADS.fetch_sub(1, Ordering::Relaxed);
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
