#[mcp_runtime::data]
#[derive(Clone, Debug, PartialEq)]
enum Place {
    Of(Vec<City>),
    Named { name: String },
}

fn main() {}
