#![allow(unused)]

use mcp_runtime::prelude::*;

struct User;

impl FromContext for User {
    type Error = String;

    async fn from_context(_: &Ctx) -> std::result::Result<Self, String> {
        Ok(User)
    }
}

/// Say who asks.
#[tool]
fn whoami(#[from_ctx] user: User) {}

fn main() {}
