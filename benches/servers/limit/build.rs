//! Writes the generated tools.

fn main() -> std::io::Result<()> {
    let out = std::env::var("OUT_DIR").expect("cargo sets it");
    std::fs::write(format!("{out}/tools.json"), source::Tools::from_env().listed())
}
