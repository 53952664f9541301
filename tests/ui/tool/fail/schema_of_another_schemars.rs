use mcp_runtime::prelude::*;

#[derive(mcp_runtime::serde::Deserialize)]
#[serde(crate = "mcp_runtime::serde")]
struct Point {
    x: i64,
}

/// As `#[derive(schemars::JsonSchema)]` of schemars 0.8 writes it.
impl schemars_08::JsonSchema for Point {
    fn schema_name() -> String {
        "Point".to_owned()
    }

    fn json_schema(_: &mut schemars_08::r#gen::SchemaGenerator) -> schemars_08::schema::Schema {
        schemars_08::schema::Schema::Bool(true)
    }
}

#[tool]
fn plot(point: Point) -> i64 {
    point.x
}

fn main() {}
