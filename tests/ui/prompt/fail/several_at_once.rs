use mcp_runtime::prelude::*;

#[prompt(titel = "Review", timeout = 30, destructive)]
unsafe fn review((a, b): (String, String), #[arg(length(min = 3, max = 1), header = "X")] code: String, code2: &String) -> &str {
    let _ = (a, b, code);
    code2
}

fn main() {}
