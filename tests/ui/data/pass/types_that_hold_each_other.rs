//! What is proven of the fields of a type holds for types that hold themselves and each other, by whatever name.
#![deny(warnings)]
#![allow(dead_code)]

use std::collections::HashMap;

use mcp_runtime::prelude::*;

#[mcp_runtime::data]
#[derive(Clone, Debug, PartialEq)]
pub struct Tree {
    branches: Vec<Tree>,
    leaf: Option<Box<Leaf>>,
    by_name: HashMap<String, Self>,
    private: Private,
}

type Alias = Leaf;

#[mcp_runtime::data]
#[derive(Clone, Debug, PartialEq)]
pub enum Leaf {
    Of(Box<Tree>),
    Named { leaf: Box<Leaf>, again: Box<Alias> },
    Bare,
}

#[mcp_runtime::data]
#[derive(Clone, Debug, PartialEq)]
struct Private(Option<std::path::PathBuf>, Unit);

#[mcp_runtime::data]
#[derive(Clone, Debug, PartialEq)]
struct Unit;

/// What clients do not see needs nothing.
#[derive(Default)]
struct Cache;

#[mcp_runtime::data]
#[derive(Elicit)]
struct Form {
    /// How it is called
    name: String,
    choice: Choice,
}

#[mcp_runtime::data]
#[derive(Elicit)]
enum Choice {
    This,
    That,
}

#[mcp_runtime::data]
struct Borrowed<'a> {
    name: &'a str,
    fixed: &'static str,
    units: std::borrow::Cow<'a, [Unit]>,
    #[serde(skip)]
    cache: Cache,
}

/// Turn one around.
#[tool]
fn turn(tree: Tree, form: Form) -> Json<Leaf> {
    #[mcp_runtime::data]
    struct Inside {
        units: [Unit; 2],
        form: Form,
    }
    let _ = Inside { units: [Unit, Unit], form };
    Json(Leaf::Of(Box::new(tree)))
}

fn main() {}
