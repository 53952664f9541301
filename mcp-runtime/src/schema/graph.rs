//! A schema compiled for walking: references are indices, keywords are read once. Made when a call is first refused,
//! so that a server whose clients send good arguments never pays for it.

use std::collections::{BTreeMap, HashMap};

use regex_lite::Regex;
use serde_json::{Map, Value};

use super::{MAX_DEPTH, number::Bound, pattern};

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
pub(super) struct Id(usize);

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

/// A set of JSON types; without a `type` keyword it is all of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Types(u8);

impl Types {
    pub(super) const NULL: Self = Self(1);
    pub(super) const BOOLEAN: Self = Self(2);
    pub(super) const INTEGER: Self = Self(4);
    pub(super) const NUMBER: Self = Self(8);
    pub(super) const STRING: Self = Self(16);
    pub(super) const ARRAY: Self = Self(32);
    pub(super) const OBJECT: Self = Self(64);
    pub(super) const ANY: Self = Self(127);
    const NONE: Self = Self(0);

    pub(super) fn named(name: &str) -> Option<Self> {
        Some(match name {
            "null" => Self::NULL,
            "boolean" => Self::BOOLEAN,
            "integer" => Self::INTEGER,
            "number" => Self::NUMBER.with(Self::INTEGER),
            "string" => Self::STRING,
            "array" => Self::ARRAY,
            "object" => Self::OBJECT,
            _ => return None,
        })
    }

    /// The type of a value, as serde sees it: `1.0` is no integer.
    pub(super) fn of(value: &Value) -> Self {
        match value {
            Value::Null => Self::NULL,
            Value::Bool(_) => Self::BOOLEAN,
            Value::Number(number) if super::number::is_integer(number) => Self::INTEGER,
            Value::Number(_) => Self::NUMBER,
            Value::String(_) => Self::STRING,
            Value::Array(_) => Self::ARRAY,
            Value::Object(_) => Self::OBJECT,
        }
    }

    pub(super) const fn with(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    pub(super) const fn and(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }

    pub(super) const fn meets(self, other: Self) -> bool {
        self.0 & other.0 != 0
    }
}

impl Default for Types {
    fn default() -> Self {
        Self::ANY
    }
}

impl Graph {
    /// Compiles a schema document; what it refers to outside itself is taken to accept anything.
    #[must_use]
    pub fn new(document: &Value) -> Self {
        let mut compiler = Compiler {
            document,
            nodes: Vec::new(),
            targets: HashMap::new(),
        };
        compiler.compile(document, 0);
        Self {
            nodes: compiler.nodes,
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
        self.graph.types(self.id).meets(Types::NULL) && super::walk::fits(self, &Value::Null)
    }
}

struct Compiler<'v> {
    document: &'v Value,
    nodes: Vec<Node>,
    targets: HashMap<&'v str, Id>,
}

impl<'v> Compiler<'v> {
    fn compile(&mut self, schema: &'v Value, depth: usize) -> Id {
        let id = Id(self.nodes.len());
        self.nodes.push(Node::default());
        let node = match schema {
            Value::Bool(false) => Node {
                never: true,
                ..Node::default()
            },
            Value::Object(map) if depth < MAX_DEPTH => self.read(map, depth + 1),
            _ => Node::default(),
        };
        if let Some(place) = self.nodes.get_mut(id.0) {
            *place = node;
        }
        id
    }

    fn read(&mut self, map: &'v Map<String, Value>, depth: usize) -> Node {
        let values = match (map.get("const"), map.get("enum")) {
            (Some(only), _) => Some(vec![only.clone()]),
            (None, Some(Value::Array(values))) => Some(values.clone()),
            _ => None,
        };
        let mut all_of = self.list(map.get("allOf"), depth);
        all_of.extend(
            map.get("$ref")
                .and_then(Value::as_str)
                .map(|target| self.refer(target, depth)),
        );
        let unions = ["anyOf", "oneOf"]
            .into_iter()
            .filter(|keyword| map.get(*keyword).is_some_and(Value::is_array));
        Node {
            never: false,
            types: read_types(map, values.as_deref()),
            values,
            all_of,
            unions: unions
                .map(|keyword| self.list(map.get(keyword), depth))
                .collect(),
            not: self.one(map.get("not"), depth),
            conditional: map.get("if").map(|test| {
                [Some(test), map.get("then"), map.get("else")].map(|schema| self.one(schema, depth))
            }),
            numbers: read_numbers(map),
            length: read_size(map, "minLength", "maxLength"),
            pattern: map
                .get("pattern")
                .and_then(Value::as_str)
                .and_then(|text| pattern::compile(text).map(|regex| (text.to_owned(), regex))),
            array: Array {
                prefix: self.list(map.get("prefixItems"), depth),
                items: self.one(map.get("items"), depth),
                size: read_size(map, "minItems", "maxItems"),
                unique: map.get("uniqueItems") == Some(&Value::Bool(true)),
            },
            object: self.read_object(map, depth),
        }
    }

    fn read_object(&mut self, map: &'v Map<String, Value>, depth: usize) -> Object {
        let members = |keyword| {
            map.get(keyword)
                .and_then(Value::as_object)
                .into_iter()
                .flatten()
        };
        let properties =
            members("properties").map(|(name, schema)| (name.clone(), self.compile(schema, depth)));
        let properties = properties.collect();
        let mut patterns = Vec::new();
        let mut understood = true;
        for (text, schema) in members("patternProperties") {
            match pattern::compile(text) {
                Some(regex) => patterns.push((regex, self.compile(schema, depth))),
                None => understood = false,
            }
        }
        let required = map
            .get("required")
            .and_then(Value::as_array)
            .into_iter()
            .flatten();
        Object {
            properties,
            patterns,
            // Names that a pattern we cannot read would have claimed must not be refused as additional.
            additional: self.one(
                map.get("additionalProperties").filter(|_| understood),
                depth,
            ),
            unevaluated: self.one(map.get("unevaluatedProperties"), depth),
            required: required
                .filter_map(Value::as_str)
                .map(str::to_owned)
                .collect(),
            size: read_size(map, "minProperties", "maxProperties"),
        }
    }

    fn one(&mut self, schema: Option<&'v Value>, depth: usize) -> Option<Id> {
        schema
            .filter(|schema| **schema != Value::Bool(true))
            .map(|schema| self.compile(schema, depth))
    }

    fn list(&mut self, schemas: Option<&'v Value>, depth: usize) -> Vec<Id> {
        let schemas = schemas.and_then(Value::as_array).into_iter().flatten();
        schemas.map(|schema| self.compile(schema, depth)).collect()
    }

    fn refer(&mut self, target: &'v str, depth: usize) -> Id {
        if target == "#" {
            return Id(0);
        }
        if let Some(known) = self.targets.get(target) {
            return *known;
        }
        let schema = target.strip_prefix('#').and_then(|pointer| {
            let pointer = percent_encoding::percent_decode_str(pointer)
                .decode_utf8()
                .ok()?;
            self.document.pointer(&pointer)
        });
        // Known before it is read, so that a type which contains itself comes round to the same node.
        let id = Id(self.nodes.len());
        self.targets.insert(target, id);
        self.compile(schema.unwrap_or(&Value::Bool(true)), depth)
    }
}

fn read_types(map: &Map<String, Value>, values: Option<&[Value]>) -> Types {
    let named = |value: &Value| value.as_str().and_then(Types::named).unwrap_or(Types::ANY);
    match (map.get("type"), values) {
        (Some(Value::Array(several)), _) => {
            several.iter().map(named).fold(Types::NONE, Types::with)
        }
        (Some(one), _) => named(one),
        (None, Some(values)) => values.iter().map(Types::of).fold(Types::NONE, Types::with),
        (None, None) => Types::ANY,
    }
}

fn read_numbers(map: &Map<String, Value>) -> Numbers {
    let bound = |keyword| match map.get(keyword) {
        Some(Value::Number(number)) => Bound::of(number),
        _ => None,
    };
    Numbers {
        minimum: bound("minimum"),
        maximum: bound("maximum"),
        above: bound("exclusiveMinimum"),
        below: bound("exclusiveMaximum"),
        multiple_of: bound("multipleOf"),
        holds: map
            .get("format")
            .and_then(Value::as_str)
            .and_then(integer_range),
    }
}

/// The range of the integer type that schemars names in `format`.
fn integer_range(format: &str) -> Option<(i128, i128)> {
    Some(match format {
        "int8" => (i8::MIN.into(), i8::MAX.into()),
        "int16" => (i16::MIN.into(), i16::MAX.into()),
        "int32" => (i32::MIN.into(), i32::MAX.into()),
        "int64" | "int" => (i64::MIN.into(), i64::MAX.into()),
        "uint8" => (0, u8::MAX.into()),
        "uint16" => (0, u16::MAX.into()),
        "uint32" => (0, u32::MAX.into()),
        "uint64" | "uint" => (0, u64::MAX.into()),
        "uint128" => (0, i128::MAX),
        _ => return None,
    })
}

fn read_size(map: &Map<String, Value>, min: &str, max: &str) -> Size {
    let number = |keyword| map.get(keyword).and_then(Value::as_u64);
    Size {
        min: number(min),
        max: number(max),
    }
}
