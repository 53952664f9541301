//! What is proven of the fields of a type with parameters takes nothing from what the type is good for.
#![deny(warnings, unused_qualifications, unreachable_pub, single_use_lifetimes, unused_lifetimes)]
#![allow(dead_code)]

use std::borrow::Cow;
use std::collections::HashMap;
use std::marker::PhantomData;

use mcp_runtime::prelude::*;

#[mcp_runtime::data]
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Leaf {
    name: String,
}

type Alias = Leaf;

/// What clients do not see needs nothing.
#[derive(Clone, Debug, Default, PartialEq)]
struct Bare;

#[mcp_runtime::data]
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Page<T> {
    items: Vec<T>,
    leaf: Leaf,
    more: Option<Box<Page<u8>>>,
    by_name: HashMap<String, Alias>,
    #[serde(skip)]
    bare: Bare,
    #[serde(skip)]
    also: PhantomData<T>,
}

#[mcp_runtime::data]
#[derive(Clone, Debug, PartialEq)]
pub struct Tree<T> {
    item: T,
    leaf: Leaf,
    branches: Vec<Self>,
    again: Vec<Tree<T>>,
    page: Page<Leaf>,
}

/// Holds itself by way of types with parameters.
#[mcp_runtime::data]
#[derive(Clone, Debug, PartialEq)]
pub struct Node {
    tree: Box<Tree<Node>>,
    holder: Option<Box<Holder<Node>>>,
}

#[mcp_runtime::data]
#[derive(Clone, Debug, PartialEq)]
pub struct Holder<T> {
    item: T,
    nodes: Vec<Node>,
    tree: Tree<Vec<Node>>,
}

pub trait Mark {}

impl Mark for u8 {}

#[mcp_runtime::data]
#[derive(Clone, Debug)]
pub struct Bounded<T: Mark + Clone, U = Leaf>
where
    U: Clone,
{
    item: T,
    other: U,
    leaf: Leaf,
    own: Vec<Bounded<u8>>,
}

#[mcp_runtime::data]
pub struct Where
where
    Leaf: Clone,
{
    leaf: Leaf,
    own: Option<Box<Where>>,
}

#[mcp_runtime::data]
#[derive(Clone, Debug, PartialEq)]
pub struct Counted<T = Leaf, const N: usize = 2> {
    item: T,
    leaf: Leaf,
    leaves: [Leaf; 3],
    page: Page<[u8; 2]>,
}

#[mcp_runtime::data]
pub struct Pair<T: ?Sized>(Leaf, Box<T>);

#[mcp_runtime::data]
#[derive(Clone, Debug, PartialEq)]
#[serde(tag = "kind")]
pub enum Inside<T> {
    Page(Page<u8>),
    Other(Page<T>),
    Named { one: Page<u8>, other: Page<T>, own: Box<Inside<T>>, another: Box<Inside<u8>> },
}

/// Where serde does not say what it reads, nothing is granted that could be taken for it.
#[mcp_runtime::data]
#[derive(Clone, Debug, PartialEq)]
#[serde(tag = "kind", content = "content")]
pub enum Beside<T> {
    Leaf(Leaf),
    Page(Page<u8>),
    Other(Page<T>),
    Own(Box<Beside<T>>),
    Another(Box<Beside<String>>),
}

#[mcp_runtime::data]
#[derive(Clone, Debug, PartialEq)]
#[serde(untagged)]
pub enum Either<T> {
    One(Page<u8>),
    Other(Page<T>),
    Both(Leaf, Page<u8>, Page<T>),
}

#[mcp_runtime::data]
#[derive(Clone, Debug, PartialEq)]
#[serde(rename_all = "camelCase")]
pub struct Flat<T> {
    #[serde(flatten)]
    leaf: Leaf,
    #[serde(flatten)]
    page: Page<T>,
    #[serde(default)]
    other_page: Page<u8>,
}

#[mcp_runtime::data]
#[derive(Clone, Debug, PartialEq)]
#[serde(transparent)]
pub struct Transparent<T> {
    page: Page<T>,
    #[serde(skip)]
    other: Page<u8>,
}

/// A type of two lifetimes, of which one is behind an alias.
#[mcp_runtime::data]
#[derive(Clone, Debug, PartialEq)]
pub struct Text<'a> {
    text: Cow<'a, str>,
    leaf: Leaf,
}

type OwnText = Text<'static>;

#[mcp_runtime::data]
#[derive(Clone, Debug, PartialEq)]
pub struct Texts<'a> {
    text: Text<'a>,
    own: OwnText,
    name: &'a str,
}

#[mcp_runtime::data]
pub struct Fixed {
    text: &'static str,
}

/// What is borrowed for ever, in what is.
#[mcp_runtime::data]
pub struct Fixtures {
    first: Fixed,
    name: &'static str,
}

#[mcp_runtime::data]
#[derive(Debug, mcp_runtime::serde::Serialize)]
pub struct Owner<T> {
    leaf: Leaf,
    item: T,
}

macro_rules! made {
    ($name:ident<$parameter:ident>, $ty:ty) => {
        #[mcp_runtime::data]
        pub struct $name<$parameter> {
            item: $ty,
            list: Vec<$ty>,
            parameter: $parameter,
        }
    };
}

made!(Made<T>, Leaf);

impl<T> Drop for Made<T> {
    fn drop(&mut self) {}
}

impl<T: Clone> Page<T> {
    fn first(&self) -> Option<T> {
        self.items.first().cloned()
    }
}

/// Turn one around.
#[tool]
fn turn(page: Page<Leaf>, tree: Tree<Page<String>>, counted: Counted<u8, 3>, beside: Beside<u8>) -> Json<Holder<Node>> {
    #[mcp_runtime::data]
    struct Inner<T> {
        leaf: Leaf,
        item: T,
    }
    let inner = Inner { leaf: page.first().unwrap_or_default(), item: (tree, counted, beside) };
    panic!("{}", inner.leaf.name)
}

#[mcp_runtime::data]
pub struct Uses<T> {
    page: Page<Leaf>,
    bounded: Bounded<u8>,
    counted: Counted,
    inside: Vec<Inside<Leaf>>,
    mine: Page<T>,
}

fn main() {}
