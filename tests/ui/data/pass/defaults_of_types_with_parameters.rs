//! A type with parameters takes its fields from its default for as many parameters as the derives let it.
#![deny(warnings, unused_qualifications)]
#![allow(dead_code)]

use std::borrow::Cow;

use mcp_runtime::prelude::*;
use mcp_runtime::schemars::JsonSchema;

#[mcp_runtime::data]
pub struct Leaf {
    name: String,
}

#[mcp_runtime::data]
#[serde(default)]
pub struct ForAll<T> {
    number: u8,
    items: Vec<T>,
    leaf: Option<Leaf>,
}

impl<T> Default for ForAll<T> {
    fn default() -> Self {
        Self { number: 1, items: Vec::new(), leaf: None }
    }
}

#[mcp_runtime::data]
#[serde(default)]
pub struct ForSome<T> {
    items: Vec<T>,
}

impl<T: JsonSchema> Default for ForSome<T> {
    fn default() -> Self {
        Self { items: Vec::new() }
    }
}

#[mcp_runtime::data]
#[serde(default)]
#[derive(Default)]
pub struct Bounded<T: Default> {
    item: T,
}

#[mcp_runtime::data]
#[serde(default)]
#[derive(Default)]
pub struct Tuple<T>(u8, Vec<T>)
where
    T: Default;

#[mcp_runtime::data]
#[serde(default)]
#[derive(Default)]
pub struct Borrowed<'a> {
    name: &'a str,
}

#[mcp_runtime::data]
#[serde(default)]
#[derive(Default)]
pub struct Both<'a, T: Default + Clone, U = u8>
where
    U: Default,
{
    item: Cow<'a, T>,
    other: U,
}

#[mcp_runtime::data(crate = ::mcp_runtime)]
#[serde(default)]
#[derive(Default)]
pub struct Elsewhere<T: Default> {
    item: T,
}

#[mcp_runtime::data]
#[serde(default)]
#[schemars(default = "own::<T>")]
#[derive(Default)]
pub struct Named<T> {
    items: Vec<T>,
}

fn own<T>() -> Named<T> {
    Named { items: Vec::new() }
}

#[mcp_runtime::data]
#[serde(default)]
#[schemars(!default)]
pub struct Unsaid<T> {
    items: Vec<T>,
}

impl<T> Default for Unsaid<T> {
    fn default() -> Self {
        Self { items: Vec::new() }
    }
}

#[mcp_runtime::data]
#[serde(default, transparent)]
#[derive(Default)]
pub struct Transparent<T: Default> {
    item: T,
}

/// What is neither read nor described can be an argument of theirs all the same.
pub struct Opaque;

pub struct Names {
    all: ForAll<Opaque>,
    some: ForSome<Opaque>,
}

#[mcp_runtime::data]
pub struct Uses {
    all: ForAll<Leaf>,
    some: ForSome<Leaf>,
    bounded: Bounded<u8>,
}

/// Turn one around.
#[tool]
fn turn(all: ForAll<u8>, both: Both<'static, u8>, elsewhere: Elsewhere<u8>) -> Json<ForSome<u8>> {
    drop((all, both, elsewhere));
    Json(ForSome::default())
}

fn main() {}
