//! A type that is read and written in one field, and only read or only written in another.
use mcp_runtime::prelude::*;

#[mcp_runtime::data]
struct Name {
    text: String,
}

type Alias = Name;

#[mcp_runtime::data]
struct Read {
    name: Name,
    #[serde(skip_serializing)]
    read: Name,
    #[serde(skip_serializing)]
    alias: Alias,
}

#[mcp_runtime::data]
struct Written {
    name: Name,
    #[serde(skip_deserializing, default = "none")]
    written: Alias,
    #[serde(skip_serializing)]
    read: Name,
}

fn none() -> Name {
    Name { text: String::new() }
}

#[mcp_runtime::data]
struct OnlyRead {
    #[serde(skip_serializing)]
    read: Name,
    #[serde(skip_serializing)]
    alias: Alias,
}

#[mcp_runtime::data]
enum Tree {
    Leaf,
    Node {
        #[serde(skip_serializing)]
        left: Box<Tree>,
        right: Box<Tree>,
    },
}

#[mcp_runtime::data]
struct Page<T> {
    names: Vec<Name>,
    #[serde(skip_serializing)]
    read: Vec<Name>,
    value: T,
}

#[mcp_runtime::data]
struct Leaked {
    #[serde(deserialize_with = "leaked")]
    names: &'static [String],
}

fn leaked<'de, D: mcp_runtime::serde::Deserializer<'de>>(deserializer: D) -> Result<&'static [String], D::Error> {
    let names: Vec<String> = mcp_runtime::serde::Deserialize::deserialize(deserializer)?;
    Ok(names.leak())
}

mod shared {
    pub type Cow<T> = std::borrow::Cow<'static, T>;
}

#[mcp_runtime::data]
struct Shared {
    text: shared::Cow<str>,
}

/// Take all of them.
#[tool]
fn take(read: Read, written: Written, only: OnlyRead, tree: Tree, page: Page<i64>, leaked: Leaked, shared: Shared) -> usize {
    let _ = (read.name.text, read.read.text, read.alias.text, written.name.text, written.written.text, written.read.text);
    let _ = (only.read.text, only.alias.text, page.names.len(), page.read.len(), page.value, shared.text);
    match tree {
        Tree::Leaf => leaked.names.len(),
        Tree::Node { left, right } => {
            drop((left, right));
            2
        }
    }
}

fn main() {}
