#[mcp_runtime::data]
#[derive(Clone, Debug, Default, PartialEq)]
struct Place {
    name: String,
    cities: Option<Vec<City>>,
}

fn main() {}
