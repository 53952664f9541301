//! The request that this thread is working on, for code that has no `Ctx` at hand (feature `tracing`).

use std::cell::RefCell;

use super::ctx::Ctx;

thread_local! {
    static CURRENT: RefCell<Option<Ctx>> = const { RefCell::new(None) };
}

/// Gives the thread its former request back, also when a handler panics.
struct Former(Option<Ctx>);

impl Drop for Former {
    fn drop(&mut self) {
        let former = self.0.take();
        CURRENT.with(|current| drop(current.replace(former)));
    }
}

/// Runs `work` as part of a request.
pub(crate) fn within<T>(ctx: &Ctx, work: impl FnOnce() -> T) -> T {
    let _former = Former(CURRENT.with(|current| current.replace(Some(ctx.clone()))));
    work()
}

/// The request that this thread is working on.
pub(crate) fn get() -> Option<Ctx> {
    // Borrowed already when dropping a former request's context logs something: that belongs to no request.
    CURRENT.with(|current| current.try_borrow().ok()?.clone())
}
