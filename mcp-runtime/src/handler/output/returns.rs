//! The dictionaries in which expansions carry a return type.

use std::fmt;
use std::future::Future;

use crate::handler::call::{Call, Converted, Made, OnThread, Pooled};
use crate::handler::ctx::{Ctx, within};
use crate::handler::error::Failure;
use crate::handler::param::Param;
use crate::handler::parameter::{Carries, Chosen};
use crate::handler::prompt::Messages;
use crate::handler::tool_result::ToolResult;
use crate::protocol::ResourceContents;
use crate::schema::SchemaFn;

/// How a handler's return type becomes a reply: the bound is met where this is made, its methods have none.
pub struct Returns<R, M: 'static> {
    into: fn(R) -> Made<M>,
    schema: Option<SchemaFn>,
    mime: Option<&'static str>,
}

impl<R, M> fmt::Debug for Returns<R, M> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Returns")
    }
}

impl<R, M> Clone for Returns<R, M> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<R, M> Copy for Returns<R, M> {}

/// What a tool returns.
pub type ToolReturns<R> = Returns<R, ToolResult>;
/// What a resource returns.
pub type ResourceReturns<R> = Returns<R, Option<Vec<ResourceContents>>>;
/// What a prompt returns.
pub type PromptReturns<R> = Returns<R, Messages>;

impl<R, M> Returns<R, M> {
    pub(super) const fn new(into: fn(R) -> Made<M>, schema: Option<SchemaFn>, mime: Option<&'static str>) -> Self {
        Self { into, schema, mime }
    }

    /// The schema of the structured content.
    #[must_use]
    pub const fn output(&self) -> Option<SchemaFn> {
        self.schema
    }

    /// The media type that goes with the type.
    #[must_use]
    pub const fn mime(&self) -> Option<&'static str> {
        self.mime
    }

    /// A synchronous handler has returned.
    pub fn done<'c>(&self, value: R) -> Call<'c, M> {
        Call::Done((self.into)(value))
    }

    /// A synchronous handler moves to the blocking pool. Cancelled, its thread runs on and its reply is dropped; one that has no
    /// thread yet does not begin.
    pub fn blocking<'c, F>(&self, ctx: &Ctx, body: F) -> Call<'c, M>
    where
        F: FnOnce(&Ctx) -> R + Send + 'static,
        M: Send,
        R: 'static,
    {
        let ctx = ctx.clone();
        let into = self.into;
        Call::Future(Box::pin(async move {
            let running = OnThread::begin(&ctx.call);
            let on_thread = move || {
                let _running = running;
                within(&ctx.call, || into(body(&ctx)))
            };
            match Pooled(tokio::task::spawn_blocking(on_thread)).await {
                Ok(made) => made,
                Err(error) => match error.try_into_panic() {
                    Ok(panic) => std::panic::resume_unwind(panic),
                    Err(error) => Err(Failure::Message(format!("the call was stopped: {error}"))),
                },
            }
        }))
    }
}

/// A parameter of a `blocking` handler, on its way to the thread.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be moved to the thread of a `blocking` handler",
    label = "is not `Send`",
    note = "use `Arc` for `Rc` and `Mutex` for `RefCell` in it, or remove `blocking`"
)]
pub trait Movable: Sized {
    /// Packs it, so that the bound is asked for where the type is written, and not of the closure that takes all of them.
    fn pack(self) -> Packed<Self>;
}

#[diagnostic::do_not_recommend]
impl<T: Send + 'static> Movable for T {
    fn pack(self) -> Packed<T> {
        Packed(Box::new(move || self))
    }
}

/// One that the client sends, or state, on its way: not of the type itself, because then the compiler would tell of this bound what
/// it should tell of those below.
pub trait Moves: Carries {
    #[doc(hidden)]
    const MOVED: Param<Self::Value>;

    #[doc(hidden)]
    fn pack(value: Self::Value) -> Packed<Self::Value>;
}

impl<C> Moves for C
where
    C: Carries,
    C::Value: Chosen<Itself: Movable> + 'static,
{
    const MOVED: Param<C::Value> = C::Value::CHOSEN;

    fn pack(value: C::Value) -> Packed<C::Value> {
        let packed = value.itself().pack();
        Packed(Box::new(move || C::Value::again(unpack(packed))))
    }
}

/// A value that can be moved to another thread.
pub struct Packed<T>(Box<dyn FnOnce() -> T + Send>);

/// The value that was packed.
#[must_use]
pub fn unpack<T>(packed: Packed<T>) -> T {
    (packed.0)()
}

impl<T> fmt::Debug for Packed<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Packed")
    }
}

/// An asynchronous handler that has begun.
///
/// A trait of its own, because the compiler names the function whose bound a future breaks, with its place in our source, but not
/// the trait whose method is called by its path.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not the future of an `async fn`",
    label = "another attribute makes it a function that is not `async`",
    note = "remove that attribute, or move it above this one"
)]
pub trait Runs<R, M>: Sized {
    /// The call under way.
    fn run<'c>(returns: &Returns<R, M>, handler: Self) -> Call<'c, M>
    where
        Self: 'c,
        R: 'c;
}

impl<R, M, F: Future<Output = R> + Send> Runs<R, M> for F {
    fn run<'c>(returns: &Returns<R, M>, handler: Self) -> Call<'c, M>
    where
        Self: 'c,
        R: 'c,
    {
        Call::Future(Box::pin(Converted::new(handler, returns.into)))
    }
}
