//! Who calls: a bearer token, checked once for the web API and for MCP.

use axum::extract::Request;
use axum::http::StatusCode;
use axum::http::header::{AUTHORIZATION, WWW_AUTHENTICATE};
use axum::middleware::Next;
use axum::response::{IntoResponse as _, Response};
use mcp_runtime::Principal;

/// Who calls.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct User(pub &'static str);

/// Where a program of yours would ask its database, or check a signature.
fn user(token: &str) -> Option<User> {
    match token {
        "ada-secret" => Some(User("ada")),
        "bob-secret" => Some(User("bob")),
        _ => None,
    }
}

/// Lets a request pass that has a good token, and notes whose it is.
pub async fn authenticate(mut request: Request, next: Next) -> Response {
    let header = request.headers().get(AUTHORIZATION).and_then(|value| value.to_str().ok());
    let Some(user) = header.and_then(|header| header.strip_prefix("Bearer ")).and_then(user) else {
        return (StatusCode::UNAUTHORIZED, [(WWW_AUTHENTICATE, "Bearer")]).into_response();
    };
    // Sessions and questions of one are not there for another.
    request.extensions_mut().insert(Principal::new(user.0));
    // What tools and routes want to know.
    request.extensions_mut().insert(user);
    next.run(request).await
}
