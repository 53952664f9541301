//! Writes the generated tools.

fn main() -> std::io::Result<()> {
    let out = std::env::var("OUT_DIR").expect("cargo sets it");
    std::fs::write(format!("{out}/tools.rs"), source::Tools::from_env().tower_mcp())
}
