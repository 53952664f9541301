#[derive(::mcp_runtime::serde::Deserialize, ::mcp_runtime::schemars::JsonSchema)]
#[serde(crate = "::mcp_runtime::serde")]
#[schemars(crate = "::mcp_runtime::schemars")]
/// A sum.
#[derive(Debug, Serialize)]
pub struct Sum {
    /// The total
    total: i64,
}
