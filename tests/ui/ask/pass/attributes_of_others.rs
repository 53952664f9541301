//! What serde's names say is read in a form, with a derive of serde's or without; what else stands there is its readers'.

use mcp_runtime::prelude::*;
use mcp_runtime::{schemars, serde};

#[derive(Elicit)]
#[serde(rename_all = "camelCase")]
struct Booking {
    #[serde(rename = "nights")]
    how_long: u8,
    class: Class,
}

#[derive(Elicit)]
enum Class {
    #[serde(rename = "second")]
    Second,
    First,
}

#[mcp_runtime::data]
#[derive(Elicit)]
struct Kept {
    #[serde(default)]
    #[schemars(range(min = 1))]
    nights: u8,
}

#[derive(Elicit, serde::Deserialize)]
#[serde(crate = "mcp_runtime::serde")]
struct Read {
    #[serde(default)]
    nights: u8,
}

#[derive(Elicit, schemars::JsonSchema)]
#[schemars(crate = "mcp_runtime::schemars")]
struct Described {
    #[schemars(range(min = 1))]
    nights: u8,
}

#[derive(Default, Elicit)]
enum Meal {
    None,
    #[default]
    Breakfast,
}

// With clap's derive it is a part of a command line, too.
#[derive(Elicit)]
struct Flags {
    #[arg(long, default_value_t = 2)]
    nights: u8,
}

fn main() {}
