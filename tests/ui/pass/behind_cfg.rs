//! Functions, parameters and helper attributes behind `#[cfg]`.

use mcp_runtime::prelude::*;

#[tool]
#[cfg(any())]
fn never(value: NoSuchType) -> String {
    value
}

#[cfg(all())]
#[tool]
#[cfg(all())]
fn always(a: i64, #[cfg(any())] missing: NoSuchType, #[cfg(all())] b: i64, #[cfg_attr(all(), arg(default = 3))] c: i64) -> i64 {
    a + b + c
}

#[cfg(any())]
#[tool]
fn one() {}

#[cfg(not(any()))]
#[tool]
fn one(a: i64) -> i64 {
    a
}

fn main() {
    assert_eq!(always(1, 2, 3), 6);
    assert_eq!(one(1), 1);
}
