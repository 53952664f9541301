//! A schema compiled for walking: references are indices, keywords are read once. Made when a call is first refused,
//! so that a server whose clients send good arguments never pays for it.

use std::collections::BTreeMap;

use regex_lite::Regex;
use serde_json::Value;

use super::{MAX_DEPTH, compile::compile, number::Bound, types::Types, walk};

/// All nodes of one schema; the first is the root.
#[derive(Debug)]
pub struct Graph {
    nodes: Vec<Node>,
}

/// One place in a schema, which values are checked against or rewritten along.
#[derive(Clone, Copy, Debug)]
pub struct SchemaNode<'g> {
    graph: &'g Graph,
    id: Id,
}

/// Index of a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Id(pub(super) usize);

/// The keywords of one schema that decide whether a value is accepted.
#[derive(Debug, Default)]
pub(super) struct Node {
    pub(super) never: bool,
    pub(super) types: Types,
    pub(super) values: Option<Vec<Value>>,
    pub(super) all_of: Vec<Id>,
    pub(super) unions: Vec<Vec<Id>>,
    pub(super) not: Option<Id>,
    pub(super) conditional: Option<[Option<Id>; 3]>,
    pub(super) numbers: Numbers,
    pub(super) length: Size,
    pub(super) pattern: Option<(String, Regex)>,
    pub(super) array: Array,
    pub(super) object: Object,
}

#[derive(Debug, Default)]
pub(super) struct Numbers {
    pub(super) minimum: Option<Bound>,
    pub(super) maximum: Option<Bound>,
    pub(super) above: Option<Bound>,
    pub(super) below: Option<Bound>,
    pub(super) multiple_of: Option<Bound>,
    /// What the integer type itself holds: serde enforces it, so unlike the bounds it also tells branches apart.
    pub(super) holds: Option<(i128, i128)>,
}

#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Size {
    pub(super) min: Option<u64>,
    pub(super) max: Option<u64>,
}

#[derive(Debug, Default)]
pub(super) struct Array {
    pub(super) prefix: Vec<Id>,
    pub(super) items: Option<Id>,
    pub(super) size: Size,
    pub(super) unique: bool,
}

#[derive(Debug, Default)]
pub(super) struct Object {
    pub(super) properties: BTreeMap<String, Id>,
    pub(super) patterns: Vec<(Regex, Id)>,
    pub(super) additional: Option<Id>,
    pub(super) unevaluated: Option<Id>,
    pub(super) required: Vec<String>,
    pub(super) size: Size,
}

impl Graph {
    /// Compiles a schema document; what it refers to outside itself is taken to accept anything.
    #[must_use]
    pub fn new(document: &Value) -> Self {
        Self {
            nodes: compile(document),
        }
    }

    /// The schema of the whole value.
    #[must_use]
    pub fn root(&self) -> SchemaNode<'_> {
        SchemaNode {
            graph: self,
            id: Id(0),
        }
    }

    pub(super) fn node(&self, id: Id) -> Option<&Node> {
        self.nodes.get(id.0)
    }

    /// The types that `id` and everything it includes allow together.
    pub(super) fn types(&self, id: Id) -> Types {
        self.types_within(id, MAX_DEPTH / 8)
    }

    fn types_within(&self, id: Id, depth: usize) -> Types {
        let (Some(node), Some(depth)) = (self.node(id), depth.checked_sub(1)) else {
            return Types::ANY;
        };
        if node.never {
            return Types::NONE;
        }
        let mut types = node.types;
        for part in &node.all_of {
            types = types.and(self.types_within(*part, depth));
        }
        for union in &node.unions {
            let either = union.iter().map(|branch| self.types_within(*branch, depth));
            types = types.and(either.fold(Types::NONE, Types::with));
        }
        types
    }

    /// The property `name` of `id`, looked for in what it includes and in the branches of its unions too.
    pub(super) fn property(&self, id: Id, name: &str) -> Option<Id> {
        self.find_property(id, name, MAX_DEPTH / 8)
    }

    fn find_property(&self, id: Id, name: &str, depth: usize) -> Option<Id> {
        let (node, depth) = (self.node(id)?, depth.checked_sub(1)?);
        let own = node.object.properties.get(name).copied();
        own.or_else(|| {
            let mut parts = node.all_of.iter().chain(node.unions.iter().flatten());
            parts.find_map(|part| self.find_property(*part, name, depth))
        })
    }

    /// Whether some part of `id` says anything about the property `name`: `unevaluatedProperties` is about the rest.
    pub(super) fn evaluates(&self, id: Id, name: &str) -> bool {
        self.evaluates_within(id, name, MAX_DEPTH / 8)
    }

    fn evaluates_within(&self, id: Id, name: &str, depth: usize) -> bool {
        let (Some(node), Some(depth)) = (self.node(id), depth.checked_sub(1)) else {
            return true;
        };
        let object = &node.object;
        object.properties.contains_key(name)
            || object
                .patterns
                .iter()
                .any(|(pattern, _)| pattern.is_match(name))
            || object
                .additional
                .and_then(|id| self.node(id))
                .is_some_and(|node| !node.never)
            || node
                .all_of
                .iter()
                .chain(node.unions.iter().flatten())
                .chain(node.conditional.iter().flatten().flatten())
                .any(|part| self.evaluates_within(*part, name, depth))
    }

    /// Names of all properties of `id`, those of its parts included.
    pub(super) fn names(&self, id: Id) -> Vec<&str> {
        let mut names = Vec::new();
        self.gather_names(id, MAX_DEPTH / 8, &mut names);
        names.dedup();
        names
    }

    fn gather_names<'g>(&'g self, id: Id, depth: usize, names: &mut Vec<&'g str>) {
        let (Some(node), Some(depth)) = (self.node(id), depth.checked_sub(1)) else {
            return;
        };
        for name in node.object.properties.keys() {
            if !names.contains(&name.as_str()) {
                names.push(name);
            }
        }
        for part in node.all_of.iter().chain(node.unions.iter().flatten()) {
            self.gather_names(*part, depth, names);
        }
    }
}

impl<'g> SchemaNode<'g> {
    pub(super) fn graph(self) -> &'g Graph {
        self.graph
    }

    pub(super) fn id(self) -> Id {
        self.id
    }

    pub(super) fn at(self, id: Id) -> Self {
        Self { id, ..self }
    }

    /// The schema of the property `name` of an object.
    #[must_use]
    pub fn property(self, name: &str) -> Option<Self> {
        self.graph.property(self.id, name).map(|id| self.at(id))
    }

    /// The names of the properties of an object.
    #[must_use]
    pub fn names(self) -> Vec<&'g str> {
        self.graph.names(self.id)
    }

    /// Whether `null` is a value that serde accepts here.
    #[must_use]
    pub fn accepts_null(self) -> bool {
        self.graph.types(self.id).meets(Types::NULL) && walk::fits(self, &Value::Null)
    }
}
