#[derive(mcp_runtime::Elicit)]
struct Trip {
    nights: u8,
    city: Option<City>,
}

fn main() {}
