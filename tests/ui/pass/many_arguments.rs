//! Twelve arguments, a doc block each.

use mcp_runtime::prelude::*;

/// Everything.
///
/// - one
/// - two
#[tool(
    read_only,
    title = "All"
)]
#[rustfmt::skip]
async fn all(
    /// 1
    a: i8, /// 2
    b: i16, /// 3
    c: i32,
    /** 4 */ d: i64,
    e: u8, f: u16, g: u32, h: u64, i: f32, j: f64, k: bool, l: char,
) -> String {
    format!("{a}{b}{c}{d}{e}{f}{g}{h}{i}{j}{k}{l}")
}

fn main() {}
