#![allow(unused)]

use mcp_runtime::prelude::*;

struct Address {
    city: String,
}

#[mcp_runtime::data]
struct Person {
    name: String,
    addresses: Vec<Address>,
}

/// Add someone.
#[tool]
fn add(person: Person) -> Json<Person> {
    Json(person)
}

fn main() {}
