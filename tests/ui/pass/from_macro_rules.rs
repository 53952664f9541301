//! Handlers that a macro of the author's makes.

use mcp_runtime::prelude::*;

macro_rules! doubles {
    ($($name:ident: $ty:ty, $title:literal, $text:expr, $max:literal;)+) => {$(
        #[doc = $text]
        #[tool(read_only, title = $title, max_concurrency = $max)]
        async fn $name(#[arg(range(max = $max))] value: $ty, #[arg(default = $max)] other: $ty) -> $ty {
            value * other
        }
    )+};
}

doubles! {
    double: i64, "Double", "Doubles whole numbers.", 9;
    double_float: f64, "Double", concat!("Doubles ", "fractions."), 9;
}

macro_rules! note {
    ($uri:literal, $name:ident) => {
        #[resource($uri)]
        fn $name(id: String) -> String {
            id
        }
    };
}

note!("note://{id}", note);

fn main() {}
