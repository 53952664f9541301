//! Extractors for what HTTP brings beside the message: headers, the whole head, what outer layers have put there.

use std::ops::Deref;
use std::sync::Arc;

use http::request::Parts;
use http::{Extensions, HeaderMap};

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

/// Who calls, as a layer around the server has found out: put it into the request's extensions, and what the server gives a
/// client to keep is that caller's only.
///
/// A session, its streams and the state between two rounds of questions are bound to it: with another principal, or none,
/// they do not exist. Without such a layer nobody is told apart, and whoever has an id may use it.
///
/// ```
/// use mcp_runtime::Principal;
/// use mcp_runtime::prelude::*;
///
/// // In the layer: request.extensions_mut().insert(Principal::new(user_id));
///
/// /// Say who calls.
/// #[tool]
/// fn whoami(#[from_context] caller: Principal) -> String {
///     caller.as_str().to_owned()
/// }
/// # fn main() {}
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Principal(Arc<str>);

impl Principal {
    /// The caller with this name, which nobody else has: a subject of a token, a user's id.
    pub fn new(name: impl Into<Arc<str>>) -> Self {
        Self(name.into())
    }

    /// The name.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// Who an outer layer says that the caller is.
pub(crate) fn principal(extensions: &Extensions) -> Option<&str> {
    extensions.get::<Principal>().map(Principal::as_str)
}

impl FromContext for Principal {
    type Error = Error;

    async fn from_context(ctx: &Ctx) -> Result<Self, Error> {
        required(ctx)?.extensions.get::<Self>().cloned().ok_or_else(|| Error::msg("no layer has said who calls"))
    }
}

impl FromContext for Option<Principal> {
    type Error = Error;

    async fn from_context(ctx: &Ctx) -> Result<Self, Error> {
        Ok(parts(ctx).and_then(|parts| parts.extensions.get::<Principal>().cloned()))
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
