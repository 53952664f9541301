//! Two modules may have functions of one name, whatever they take: each handler calls its own.

use mcp_runtime::testing::Client;
use serde_json::json;

mod numbers {
    use mcp_runtime::prelude::*;

    /// Add one.
    #[tool(name = "next_number")]
    fn next(number: u32) -> u32 {
        number + 1
    }
}

mod letters {
    use mcp_runtime::Ctx;
    use mcp_runtime::prelude::*;

    /// Add a letter.
    #[tool(name = "next_letter")]
    async fn next(ctx: &Ctx, letters: String, more: Vec<String>) -> Result<String> {
        ctx.progress(1, 1).await;
        Ok(format!("{letters}{}", more.concat()))
    }
}

mod threads {
    use mcp_runtime::prelude::*;

    /// Count them.
    #[tool(name = "next_thread", blocking)]
    fn next(threads: State<Vec<u32>>) -> Json<Vec<u32>> {
        Json(threads.iter().map(|thread| thread + 1).collect())
    }
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> mcp_runtime::Result<()> {
    let client = Client::connect(mcp_runtime::server!().state(vec![1_u32, 2])).await?;
    assert_eq!(client.call("next_number", json!({"number": 1})).await?.text(), "2");
    assert_eq!(client.call("next_letter", json!({"letters": "a", "more": ["b", "c"]})).await?.text(), "abc");
    assert_eq!(client.call("next_thread", json!({})).await?.text(), "[2,3]");
    Ok(())
}
