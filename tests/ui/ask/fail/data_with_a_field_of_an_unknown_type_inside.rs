#[mcp_runtime::data]
#[derive(mcp_runtime::Elicit)]
struct Trip {
    nights: u8,
    cities: Vec<City>,
}

fn main() {}
