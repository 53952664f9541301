use mcp_runtime::prelude::*;

#[derive(Elicit)]
struct Guest {
    name: String,
}

/// Invite guests.
#[tool]
async fn invite(#[ask("Who comes?")] guests: Vec<Guest>) -> usize {
    guests.len()
}

fn main() {}
