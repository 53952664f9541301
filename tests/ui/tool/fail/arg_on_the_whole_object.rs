use mcp_runtime::prelude::*;

#[mcp_runtime::data]
struct Sum {
    a: i64,
}

/// Add numbers.
#[tool]
async fn add(#[arg(title = "Numbers")] sum: Args<Sum>) -> i64 {
    sum.a
}

fn main() {}
