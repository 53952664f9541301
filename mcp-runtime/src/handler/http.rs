//! Extractors for what HTTP brings beside the message: headers, the whole head, what outer layers have put there.

use std::ops::Deref;

use http::HeaderMap;
use http::request::Parts;

use super::ctx::Ctx;
use super::error::Error;
use super::extract::FromContext;

/// The head of the request; `None` when it did not come over HTTP.
fn parts(ctx: &Ctx) -> Option<&Parts> {
    ctx.call.outlet.transport()?.downcast_ref()
}

fn required(ctx: &Ctx) -> Result<&Parts, Error> {
    parts(ctx).ok_or_else(|| Error::msg("this needs a request over HTTP"))
}

/// What a layer around the server has put into the request's extensions, for parameters marked `#[from_context]`.
///
/// Here an outer layer has found out who calls, and a tool asks for it:
///
/// ```
/// use mcp_runtime::prelude::*;
/// use mcp_runtime::Extension;
///
/// #[derive(Clone)]
/// struct User(String);
///
/// /// Say who calls.
/// #[tool]
/// fn whoami(#[from_context] user: Extension<User>) -> String {
///     user.0.0
/// }
/// # fn main() {}
/// ```
///
/// Without it the call ends with an error; `Option<Extension<T>>` is `None` instead.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Extension<T>(pub T);

impl<T> Deref for Extension<T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.0
    }
}

impl<T: Clone + Send + Sync + 'static> FromContext for Extension<T> {
    type Error = Error;

    async fn from_context(ctx: &Ctx) -> Result<Self, Error> {
        let found = required(ctx)?.extensions.get::<T>().cloned();
        found.map(Self).ok_or_else(|| {
            Error::msg(format_args!("no layer has put a `{}` into the request", std::any::type_name::<T>()))
        })
    }
}

impl<T: Clone + Send + Sync + 'static> FromContext for Option<Extension<T>> {
    type Error = Error;

    async fn from_context(ctx: &Ctx) -> Result<Self, Error> {
        Ok(parts(ctx).and_then(|parts| parts.extensions.get::<T>().cloned()).map(Extension))
    }
}

impl FromContext for HeaderMap {
    type Error = Error;

    async fn from_context(ctx: &Ctx) -> Result<Self, Error> {
        Ok(required(ctx)?.headers.clone())
    }
}

impl FromContext for Option<HeaderMap> {
    type Error = Error;

    async fn from_context(ctx: &Ctx) -> Result<Self, Error> {
        Ok(parts(ctx).map(|parts| parts.headers.clone()))
    }
}

impl FromContext for Parts {
    type Error = Error;

    async fn from_context(ctx: &Ctx) -> Result<Self, Error> {
        required(ctx).cloned()
    }
}
