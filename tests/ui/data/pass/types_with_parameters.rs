//! What is proven of the fields of a type with parameters takes nothing from what the type is good for.
#![deny(warnings, unused_qualifications, unreachable_pub, single_use_lifetimes, unused_lifetimes)]
#![allow(dead_code)]

use std::borrow::Cow;
use std::collections::HashMap;
use std::hash::Hash;
use std::marker::PhantomData;

use mcp_runtime::prelude::*;
use mcp_runtime::serde::de::DeserializeOwned;

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

#[mcp_runtime::data]
#[derive(Clone, Debug, PartialEq)]
pub struct Pairs<T> {
    pairs: Vec<(T, Leaf)>,
    four: [(Leaf, Option<T>); 4],
    own: HashMap<String, (Leaf, Pairs<T>)>,
}

/// Where serde does not say what it reads, what is granted is not taken for it.
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
#[serde(tag = "kind", content = "content", deny_unknown_fields)]
pub enum BesideStrictly<T> {
    One(Page<u8>),
    Other(Page<T>),
    #[serde(skip)]
    Skipped(Page<u16>),
    Named {},
    Unit,
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

#[mcp_runtime::data]
#[serde(transparent)]
pub struct TransparentPages<T: Eq + Hash>(HashMap<T, Page<T>>, #[serde(skip)] Page<u8>);

#[mcp_runtime::data]
#[serde(transparent)]
pub struct TransparentOf<T> {
    page: Page<u8>,
    #[serde(skip)]
    of: PhantomData<T>,
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
    leaf: Leaf,
}

#[mcp_runtime::data]
pub struct Read<'a> {
    first: Fixed,
    name: &'static str,
    own: &'a str,
    leaf: Leaf,
}

#[mcp_runtime::data]
pub struct ReadForEver {
    first: Fixed,
    #[serde(borrow)]
    text: Cow<'static, str>,
    leaf: Leaf,
}

#[mcp_runtime::data]
pub struct Borrowed<'a> {
    name: &'a str,
    leaf: Leaf,
    page: Page<Leaf>,
}

/// What is copied, though it could be borrowed for ever, is read from everything.
#[mcp_runtime::data]
pub struct Copied {
    text: Cow<'static, str>,
    leaf: Leaf,
    #[serde(skip)]
    name: &'static str,
    own: Option<Box<Copied>>,
}

#[mcp_runtime::data]
#[derive(Debug, mcp_runtime::serde::Serialize)]
pub struct Owner<T> {
    leaf: Leaf,
    item: T,
}

/// What has no default, where none is taken.
pub struct NoDefault;

fn no_default() -> NoDefault {
    NoDefault
}

#[mcp_runtime::data]
#[derive(Debug)]
pub struct OwnDefault(u8);

impl Default for OwnDefault {
    fn default() -> Self {
        Self(1)
    }
}

#[mcp_runtime::data]
#[serde(rename_all = "camelCase", default)]
pub struct Defaults {
    leaf: Leaf,
    own: OwnDefault,
    #[serde(default)]
    other: OwnDefault,
    #[serde(skip)]
    of_the_type: NoDefault,
    #[serde(skip, default = "no_default")]
    named: NoDefault,
}

impl Default for Defaults {
    fn default() -> Self {
        let (leaf, own, other) = Default::default();
        Self { leaf, own, other, of_the_type: NoDefault, named: NoDefault }
    }
}

#[mcp_runtime::data]
#[derive(Clone, Debug, Default)]
#[serde(default)]
pub struct DefaultsOf<T: Default> {
    leaf: Leaf,
    items: Vec<T>,
    #[serde(skip)]
    bare: Bare,
    own: Option<Box<DefaultsOf<u8>>>,
}

#[mcp_runtime::data]
enum DefaultsIn<T> {
    One {
        #[serde(default)]
        leaf: Leaf,
        #[serde(skip)]
        bare: Bare,
        item: T,
    },
    #[serde(skip)]
    Skipped(NoDefault),
}

#[mcp_runtime::data]
#[derive(Clone, Debug)]
pub struct SelfIn<T>
where
    Self: Sized,
{
    leaf: Leaf,
    item: T,
}

fn is_read_from_everything<T: DeserializeOwned>() {}

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
    is_read_from_everything::<Copied>();
    is_read_from_everything::<Defaults>();
    is_read_from_everything::<DefaultsOf<Leaf>>();
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
