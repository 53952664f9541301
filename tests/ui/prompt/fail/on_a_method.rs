use mcp_runtime::prelude::*;

struct Reviewer;

impl Reviewer {
    #[prompt]
    async fn review(self, code: String) -> String {
        code
    }
}

fn main() {}
