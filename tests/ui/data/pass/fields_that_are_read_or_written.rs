//! Of a field that is only read, only written or neither, no more is asked than the derives ask.
#![deny(warnings)]
#![allow(dead_code)]

use mcp_runtime::schemars::{self, JsonSchema};
use mcp_runtime::serde::{self, Deserialize, Serialize};

#[derive(Default, Serialize, JsonSchema)]
#[serde(crate = "serde")]
struct Written(u8);

#[derive(Deserialize, JsonSchema)]
#[serde(crate = "serde")]
struct Read(u8);

#[derive(Default, Deserialize, JsonSchema)]
#[serde(crate = "serde")]
struct ReadOrMissing(u8);

#[derive(Default, JsonSchema)]
struct Described(u8);

#[derive(Default)]
struct Neither;

#[mcp_runtime::data]
struct Named {
    #[serde(skip_deserializing)]
    written: Written,
    #[serde(skip_deserializing)]
    all_written: Vec<Written>,
    #[serde(skip_serializing)]
    read: Read,
    #[serde(skip_serializing, default = "one")]
    all_read: (Read, Option<Vec<Read>>),
    #[serde(skip)]
    neither: Neither,
    #[serde(skip_serializing, skip_deserializing)]
    nor: Neither,
}

fn one() -> (Read, Option<Vec<Read>>) {
    (Read(1), None)
}

#[mcp_runtime::data]
struct Unnamed(#[serde(skip_deserializing)] Written, #[serde(skip_serializing)] Read, #[serde(skip)] Neither);

#[mcp_runtime::data]
enum Variants {
    Neither(#[serde(skip)] Described),
    Written(#[serde(skip_deserializing)] Written),
    Read(#[serde(skip_serializing)] Read),
    Both(#[serde(skip)] Neither, #[serde(skip_serializing)] Read),
    Named {
        #[serde(skip)]
        neither: Neither,
        #[serde(skip_deserializing)]
        written: Written,
    },
    #[serde(skip)]
    Skipped(Neither),
}

#[mcp_runtime::data]
#[serde(tag = "type")]
enum Tagged {
    Neither(#[serde(skip)] Described),
    Written(#[serde(skip_deserializing)] Written),
    Read(#[serde(skip_serializing)] Read),
}

#[mcp_runtime::data]
#[serde(tag = "type", content = "content")]
enum BesideTheTag {
    Neither(#[serde(skip)] ReadOrMissing),
    Read(#[serde(skip_serializing)] Read),
    #[serde(untagged)]
    Rest(#[serde(skip)] Described),
}

#[mcp_runtime::data]
#[serde(untagged)]
enum Untagged {
    Neither(#[serde(skip)] Described),
    Written(#[serde(skip_deserializing)] Written),
    Read(#[serde(skip_serializing)] Read),
}

#[mcp_runtime::data]
struct Fixed {
    name: &'static str,
    #[serde(skip_deserializing)]
    written: Written,
    #[serde(skip_serializing)]
    read: Read,
}

#[mcp_runtime::data]
struct Page<T> {
    #[serde(skip_deserializing)]
    written: Written,
    #[serde(skip_serializing)]
    read: (Read, Vec<T>),
    item: T,
}

#[mcp_runtime::data]
#[serde(default)]
#[derive(Default)]
struct Defaults {
    #[serde(skip_deserializing)]
    written: Written,
    #[serde(skip)]
    neither: Neither,
}

#[mcp_runtime::data]
struct Tree {
    #[serde(skip_serializing)]
    read: Vec<Tree>,
    #[serde(skip_deserializing)]
    written: Option<Box<Tree>>,
    name: String,
}

#[derive(Default, Serialize)]
#[serde(crate = "serde")]
struct WithoutSchema;

#[mcp_runtime::data]
struct Undescribed {
    #[serde(skip_deserializing)]
    #[schemars(skip)]
    skipped: WithoutSchema,
    #[serde(skip_deserializing)]
    #[schemars(with = "String")]
    described: WithoutSchema,
}

/// Of what is transparent, the other fields need nothing.
#[mcp_runtime::data]
#[serde(transparent)]
struct Transparent {
    number: u8,
    #[serde(skip_serializing, default)]
    neither: Neither,
    #[serde(skip)]
    nor: Neither,
}

#[derive(Default, Serialize)]
#[serde(crate = "serde")]
struct Shown(u8);

#[mcp_runtime::data]
#[serde(transparent)]
struct TwoSides {
    #[serde(skip_deserializing)]
    shown: Shown,
    #[serde(skip_serializing)]
    read: Read,
}

#[mcp_runtime::data]
#[serde(transparent)]
struct OtherSides {
    #[serde(default)]
    shown: Shown,
    #[serde(skip_serializing)]
    read: Read,
}

fn main() {}
