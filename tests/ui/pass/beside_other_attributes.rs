//! Attributes of the language stand above and below ours, and texts may be any constant.
#![allow(unused, deprecated)]

use mcp_runtime::prelude::*;

const ADD: &str = "Add";

mod texts {
    pub struct Text(pub &'static str);
    impl Text {
        pub const fn get(self) -> &'static str {
            self.0
        }
    }
    pub const fn text(text: &'static str) -> &'static str {
        text
    }
    pub static ALL: [&str; 1] = ["Add"];
}

macro_rules! format_of {
    () => {
        "Add"
    };
}

#[must_use]
#[tool(title = ADD, description = concat!("Add ", "numbers"))]
#[track_caller]
fn above(a: i64) -> i64 {
    a
}

#[inline]
#[doc(hidden)]
#[tool(title = texts::text("Add"), group = texts::Text("math").get())]
#[cfg(all())]
fn between(a: i64) -> i64 {
    a
}

#[deprecated(note = "use another")]
#[tool(title = format_of!(), description = if cfg!(debug_assertions) { "Add" } else { "" })]
#[must_use]
#[cold]
async fn below(a: i64) -> i64 {
    a
}

#[tool(title = { "Add" }, description = texts::ALL[0])]
#[cfg(any())]
fn never(a: Unknown) -> i64 {
    a
}

/// For whoever reads the code.
#[tool(description = "", meta = [1, 2])]
fn documented(
    /// For whoever reads the code
    #[arg(description = "")]
    a: i64,
) -> i64 {
    a
}

#[tool(icon = mcp_runtime::Icon::new(format!("https://example.com/{ADD}.png")))]
fn drawn() {}

#[resource("note://today", mime = texts::text("text/plain"), list = all)]
#[cfg(any())]
fn note() -> String {
    String::new()
}

macro_rules! resources {
    ($($name:ident $uri:literal $mime:expr;)*) => {$(
        #[resource($uri, mime = $mime)]
        fn $name() -> String {
            String::new()
        }
    )*};
}

resources! {
    today "note://today" "text/plain";
    tomorrow "note://tomorrow" ADD;
}

fn main() {
    let _ = server!();
}
