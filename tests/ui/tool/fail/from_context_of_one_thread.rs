use mcp_runtime::prelude::*;
use mcp_runtime::{Ctx, FromContext};

use std::rc::Rc;

struct User(Rc<str>);

impl FromContext for User {
    type Error = mcp_runtime::Error;

    async fn from_context(ctx: &Ctx) -> Result<Self> {
        Ok(Self(ctx.client().name().into()))
    }
}

/// Say who calls.
#[tool]
fn who(#[from_context] user: User) -> String {
    user.0.to_string()
}

fn main() {}
