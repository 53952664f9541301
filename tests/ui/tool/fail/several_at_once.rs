use mcp_runtime::prelude::*;

#[tool(nmae = "sum", timeout = "30", read_only, destructive)]
const fn add<T>(_: i64, b: &str, #[arg(rnage(min = 1), default = "x")] c: i64, ctx: &mut Ctx) -> impl ToString {
    let _ = (b, c, ctx);
    5
}

fn main() {}
