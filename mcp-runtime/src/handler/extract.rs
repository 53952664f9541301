//! Extractors: what the server provides to a handler, and the whole arguments object.

use std::fmt;
use std::future::Future;
use std::ops::Deref;
use std::sync::Arc;

use super::ctx::Ctx;
use super::param::{Param, from_context};

/// Shared state, put in with [`Server::state`](crate::Server::state) and taken by naming its type.
///
/// Derefs to `T`. That every state a handler wants is there is checked before the server starts.
///
/// ```
/// use mcp_runtime::prelude::*;
///
/// struct Greeting(String);
///
/// /// Greet somebody.
/// #[tool]
/// fn greet(greeting: State<Greeting>, name: String) -> String {
///     format!("{}, {name}!", greeting.0)
/// }
///
/// // A handler is an ordinary function:
/// assert_eq!(greet(State::from(Greeting("Hello".into())), "Ada".into()), "Hello, Ada!");
/// ```
pub struct State<T: ?Sized>(Arc<T>);

impl<T: ?Sized> State<T> {
    /// The shared pointer itself.
    #[must_use]
    pub fn into_arc(self) -> Arc<T> {
        self.0
    }
}

impl<T: ?Sized> Clone for State<T> {
    fn clone(&self) -> Self {
        Self(Arc::clone(&self.0))
    }
}

impl<T: ?Sized> Deref for State<T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.0
    }
}

impl<T> From<T> for State<T> {
    fn from(value: T) -> Self {
        Self(Arc::new(value))
    }
}

impl<T: ?Sized> State<T> {
    /// State that is shared already, or a trait object: `State::from_arc(store as Arc<dyn Store>)`.
    #[must_use]
    pub const fn from_arc(value: Arc<T>) -> Self {
        Self(value)
    }
}

impl<T: ?Sized + fmt::Debug> fmt::Debug for State<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("State").field(&&*self.0).finish()
    }
}

/// What can be the server's state: everything that is `Send + Sync + 'static`. There is nothing to implement.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be the server's state",
    label = "is not `Send + Sync + 'static`",
    note = "threads share it: hold `Arc` instead of `Rc`, put a `Mutex` around what changes inside, such as a `RefCell` or a connection, and borrow nothing; a `dyn Trait` is shared where it is `dyn Trait + Send + Sync`"
)]
pub trait Shared: Send + Sync + 'static {}

// One bound, for one error where a type is neither `Send` nor `Sync`.
#[diagnostic::do_not_recommend]
impl<T: ?Sized + Send + Sync + 'static> Shared for T {}

/// The whole arguments object as one value, instead of single parameters.
///
/// ```
/// use mcp_runtime::prelude::*;
///
/// #[mcp_runtime::data]
/// struct Query {
///     /// What to look for
///     text: String,
///     /// How many hits at most
///     limit: Option<u32>,
/// }
///
/// /// Search.
/// #[tool(read_only)]
/// fn search(query: Args<Query>) -> String {
///     format!("{} hits for {}", query.limit.unwrap_or(10), query.text)
/// }
/// # fn main() {}
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Args<T>(pub T);

impl<T> Deref for Args<T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.0
    }
}

/// A type that is made from the request's context, for parameters marked `#[from_context]`.
///
/// ```
/// use mcp_runtime::prelude::*;
/// use mcp_runtime::{Ctx, FromContext};
///
/// struct Caller(String);
///
/// impl FromContext for Caller {
///     type Error = mcp_runtime::Error;
///
///     async fn from_context(ctx: &Ctx) -> Result<Self, Self::Error> {
///         Ok(Caller(ctx.client().name().to_owned()))
///     }
/// }
///
/// /// Say who calls.
/// #[tool]
/// fn whoami(#[from_context] caller: Caller) -> String {
///     caller.0
/// }
/// # fn main() {}
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be made from the context",
    label = "does not implement `FromContext`",
    note = "implement `mcp_runtime::FromContext` for it, or remove `#[from_context]` to take it from the client"
)]
pub trait FromContext: Sized + Send + 'static {
    /// Why it can't be made; ends the call, like an error that the handler itself returned.
    type Error: fmt::Display + 'static;

    /// Makes the value.
    fn from_context(ctx: &Ctx) -> impl Future<Output = Result<Self, Self::Error>> + Send;
}

/// It as a parameter. A trait of its own, because what a type of the author's lacks to be made so is told of his implementation,
/// and not again where the type is taken.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be made from the context",
    label = "does not implement `FromContext`",
    note = "implement `mcp_runtime::FromContext` for it, or remove `#[from_context]` to take it from the client"
)]
pub trait Extracted: Sized {
    #[doc(hidden)]
    const EXTRACTED: Param<Self>;
}

#[diagnostic::do_not_recommend]
impl<T: FromContext> Extracted for T {
    const EXTRACTED: Param<T> = from_context::<T>();
}
