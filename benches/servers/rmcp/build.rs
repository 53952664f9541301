//! Writes the tools: rmcp wants all of them in one block.

const OWN: &str = r"
    fn new() -> Self {
        Self { tool_router: Self::tool_router(), prompt_router: Self::prompt_router() }
    }

    /// Add two numbers.
    #[tool]
    async fn add(&self, Parameters(Add { a, b }): Parameters<Add>) -> String {
        (a + b).to_string()
    }

    /// Say it again.
    #[tool]
    async fn echo(&self, Parameters(Echo { text }): Parameters<Echo>) -> String {
        text
    }
";

fn main() -> std::io::Result<()> {
    let out = std::env::var("OUT_DIR").expect("cargo sets it");
    std::fs::write(format!("{out}/tools.rs"), source::Tools::from_env().rmcp(OWN))
}
