#![allow(unused)]

use mcp_runtime::Elicit;

#[derive(Elicit)]
enum Class {
    Second,
    First,
}

#[derive(Elicit)]
struct Booking {
    #[elicit(default = "Third")]
    class: Class,
}

fn main() {}
