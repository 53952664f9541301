//! What depends on a `cfg`, on a constant of the type's own or on a trait that may be private is as good as with the derives alone.
#![deny(warnings, unused_qualifications, unreachable_pub, unnameable_types)]
#![allow(dead_code)]

use std::borrow::Cow;

#[mcp_runtime::data]
pub struct Leaf {
    name: String,
}

#[mcp_runtime::data]
struct Board {
    cells: [u8; Board::CELLS],
    leaves: [Leaf; LEAVES],
    more: Option<[Leaf; 1 + Board::CELLS]>,
    held: Held<LEAVES>,
}

impl Board {
    const CELLS: usize = 9;
}

const LEAVES: usize = Board::CELLS;

#[mcp_runtime::data]
struct Held<const N: usize> {
    leaf: Leaf,
}

/// What has no default.
struct Bare;

fn bare() -> Bare {
    Bare
}

#[mcp_runtime::data]
struct Conditional<#[cfg(any())] T, U> {
    #[cfg(any())]
    #[serde(default)]
    gone: Missing,
    #[serde(skip)]
    #[cfg_attr(all(), serde(default = "bare"))]
    kept: Bare,
    leaf: Leaf,
    other: U,
}

#[mcp_runtime::data]
struct Fixed {
    name: &'static str,
}

#[mcp_runtime::data]
enum ReadForEver {
    Fixed(Fixed),
    #[serde(borrow)]
    Text(Cow<'static, str>),
}

trait Kind {
    type Id;
}

impl Kind for Leaf {
    type Id = Vec<Leaf>;
}

#[mcp_runtime::data]
pub struct Projected {
    id: <Leaf as Kind>::Id,
    ids: Vec<<Leaf as Kind>::Id>,
}

mod strict {
    #![forbid(private_bounds, single_use_lifetimes)]

    #[mcp_runtime::data]
    struct Strict {
        leaf: super::Leaf,
        leaves: Vec<super::Leaf>,
    }
}

#[mcp_runtime::data]
#[expect(unused_qualifications, reason = "it is said in full")]
struct Qualified {
    leaf: crate::Leaf,
}

#[mcp_runtime::data]
#[serde(default, crate = "mcp_runtime::serde")]
#[schemars(crate = "mcp_runtime::schemars")]
#[derive(Default)]
#[expect(non_camel_case_types, reason = "it is a keyword")]
struct r#try {
    r#fn: u8,
    own: Option<Box<r#try>>,
}

mod inner {
    #[expect(unreachable_pub, reason = "it can be named nowhere else")]
    #[mcp_runtime::data]
    pub struct Inner {
        address: std::net::IpAddr,
    }
}

fn main() {}
