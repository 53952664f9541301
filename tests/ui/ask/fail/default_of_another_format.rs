#![allow(unused)]

use mcp_runtime::Elicit;

#[derive(Elicit)]
struct Booking {
    #[elicit(default = "nobody", format = "email")]
    mail: String,
}

fn main() {}
