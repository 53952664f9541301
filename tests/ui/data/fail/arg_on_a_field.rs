#[mcp_runtime::data]
struct Place {
    #[arg(range(min = 1))]
    people: u32,
}

fn main() {}
