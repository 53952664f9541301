//! A schema compiled for walking: references are indices, keywords are read once. Made when a call is first refused,
//! so that a server whose clients send good arguments never pays for it.

use serde_json::Value;

use super::{
    compile::compile,
    number::Bound,
    pattern::{CompilePattern, Pattern},
    types::Types,
};
use crate::sorted::Sorted;

/// All nodes of one schema; the first is the root.
#[derive(Debug)]
pub(crate) struct Graph {
    nodes: Vec<Node>,
    /// The types that each node and all that it includes allow together.
    types: Vec<Types>,
}

/// One place in a schema, which values are checked against or rewritten along.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SchemaNode<'g> {
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
    pub(super) pattern: Option<Pattern>,
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
    pub(super) properties: Sorted<String, Id>,
    pub(super) patterns: Vec<(Pattern, Id)>,
    pub(super) additional: Option<Id>,
    pub(super) unevaluated: Option<Id>,
    pub(super) required: Vec<String>,
    pub(super) size: Size,
}

impl Graph {
    /// Compiles a schema document; what it refers to outside itself is taken to accept anything.
    #[must_use]
    pub(super) fn new(document: &Value, patterns: CompilePattern) -> Self {
        let nodes = compile(document, patterns);
        let types = narrow(&nodes);
        Self { nodes, types }
    }

    /// The schema of the whole value.
    #[must_use]
    pub(crate) fn root(&self) -> SchemaNode<'_> {
        SchemaNode { graph: self, id: Id(0) }
    }

    pub(super) fn node(&self, id: Id) -> Option<&Node> {
        self.nodes.get(id.0)
    }

    /// The types that `id` and everything it includes allow together.
    pub(super) fn types(&self, id: Id) -> Types {
        self.types.get(id.0).copied().unwrap_or_default()
    }

    /// The property `name` of `id`, looked for in what it includes and in the branches of its unions too.
    pub(super) fn property(&self, id: Id, name: &str) -> Option<Id> {
        self.parts(id).into_iter().find_map(|part| self.node(part)?.object.properties.get(name).copied())
    }

    /// Whether some part of `id` says anything about the property `name`: `unevaluatedProperties` is about the rest.
    pub(super) fn evaluates(&self, id: Id, name: &str) -> bool {
        let is_open = |id: Id| self.node(id).is_some_and(|node| !node.never);
        self.parts(id).into_iter().filter_map(|part| self.node(part)).any(|node| {
            let object = &node.object;
            object.properties.get(name).is_some()
                || object.patterns.iter().any(|(pattern, _)| pattern.is_match(name))
                || object.additional.is_some_and(is_open)
        })
    }

    /// Names of all properties of `id`, those of its parts included.
    pub(super) fn names(&self, id: Id) -> Vec<&str> {
        let mut names: Vec<&str> = Vec::new();
        for node in self.parts(id).into_iter().filter_map(|part| self.node(part)) {
            let new = node.object.properties.keys().map(String::as_str).filter(|name| !names.contains(name));
            let new: Vec<_> = new.collect();
            names.extend(new);
        }
        names
    }

    /// `id` and all schemas that are about the same value, each once, outer ones first.
    pub(super) fn parts(&self, id: Id) -> Vec<Id> {
        let mut parts = vec![id];
        let mut next = 0;
        while let Some(node) = parts.get(next).and_then(|id| self.node(*id)) {
            let inner = node.all_of.iter().chain(node.unions.iter().flatten());
            let inner = inner.chain(node.conditional.iter().flatten().flatten());
            for part in inner {
                if parts.len() < MOST_PARTS && !parts.contains(part) {
                    parts.push(*part);
                }
            }
            next += 1;
        }
        parts
    }
}

/// A schema of more parts than this is not searched further.
const MOST_PARTS: usize = 512;

/// What each node allows, given what its parts allow: narrowed until nothing changes, which a type that contains
/// itself needs. Types only ever disappear, so this ends; a type that consists of nothing else stays as it was.
fn narrow(nodes: &[Node]) -> Vec<Types> {
    let mut types: Vec<Types> = nodes.iter().map(|node| if node.never { Types::NONE } else { node.types }).collect();
    for _ in 0..nodes.len() {
        let mut changed = false;
        // Parts come after what they are part of, mostly: from the back, once is mostly enough.
        for (id, node) in nodes.iter().enumerate().rev() {
            let of = |part: &Id| types.get(part.0).copied().unwrap_or_default();
            let all = node.all_of.iter().map(of).fold(Types::ANY, Types::and);
            let either = node.unions.iter().map(|union| union.iter().map(of).fold(Types::NONE, Types::with));
            let narrowed = either.fold(all, Types::and);
            if let Some(known) = types.get_mut(id) {
                let both = known.and(narrowed);
                changed |= both != *known;
                *known = both;
            }
        }
        if !changed {
            break;
        }
    }
    types
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
    pub(crate) fn property(self, name: &str) -> Option<Self> {
        self.graph.property(self.id, name).map(|id| self.at(id))
    }

    /// The names of the properties of an object.
    #[cfg(test)]
    #[must_use]
    pub(crate) fn names(self) -> Vec<&'g str> {
        self.graph.names(self.id)
    }
}
