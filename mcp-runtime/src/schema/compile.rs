//! A schema document read into the nodes of a graph. What this library does not understand accepts everything: the
//! walker must never refuse what serde would take.

use std::collections::HashMap;

use serde_json::{Map, Value};

use super::{
    MAX_DEPTH,
    graph::{Array, Id, Node, Numbers, Object, Size},
    keywords::Keywords,
    number::Bound,
    pattern::CompilePattern,
    types::Types,
};
use crate::sorted::Sorted;

/// The nodes of a document; the first is the root.
pub(super) fn compile(document: &Value, patterns: CompilePattern) -> Vec<Node> {
    let mut compiler = Compiler { document, patterns, nodes: Vec::new(), targets: HashMap::new() };
    compiler.compile(document, 0);
    compiler.nodes
}

struct Compiler<'v> {
    document: &'v Value,
    patterns: CompilePattern,
    nodes: Vec<Node>,
    targets: HashMap<&'v str, Id>,
}

impl<'v> Compiler<'v> {
    fn compile(&mut self, schema: &'v Value, depth: usize) -> Id {
        let id = Id(self.nodes.len());
        self.nodes.push(Node::default());
        let node = match schema {
            Value::Bool(false) => Node { never: true, ..Node::default() },
            Value::Object(map) if depth < MAX_DEPTH => self.read(map, depth + 1),
            _ => Node::default(),
        };
        if let Some(place) = self.nodes.get_mut(id.0) {
            *place = node;
        }
        id
    }

    fn read(&mut self, map: &'v Map<String, Value>, depth: usize) -> Node {
        let values = match (map.keyword("const"), map.keyword("enum")) {
            (Some(only), _) => Some(vec![only.clone()]),
            (None, Some(Value::Array(values))) => Some(values.clone()),
            _ => None,
        };
        let mut all_of = self.list(map.keyword("allOf"), depth);
        all_of.extend(map.keyword("$ref").and_then(Value::as_str).map(|target| self.refer(target, depth)));
        let unions = ["anyOf", "oneOf"].into_iter().filter(|keyword| map.keyword(keyword).is_some_and(Value::is_array));
        Node {
            never: false,
            types: read_types(map, values.as_deref()),
            values,
            all_of,
            unions: unions.map(|keyword| self.list(map.keyword(keyword), depth)).collect(),
            not: self.one(map.keyword("not"), depth),
            conditional: map.keyword("if").map(|test| {
                [Some(test), map.keyword("then"), map.keyword("else")].map(|schema| self.one(schema, depth))
            }),
            numbers: read_numbers(map),
            length: read_size(map, "minLength", "maxLength"),
            pattern: map.keyword("pattern").and_then(Value::as_str).and_then(self.patterns),
            array: Array {
                prefix: self.list(map.keyword("prefixItems"), depth),
                items: self.one(map.keyword("items"), depth),
                size: read_size(map, "minItems", "maxItems"),
                unique: map.keyword("uniqueItems") == Some(&Value::Bool(true)),
            },
            object: self.read_object(map, depth),
        }
    }

    fn read_object(&mut self, map: &'v Map<String, Value>, depth: usize) -> Object {
        let members = |keyword| map.keyword(keyword).and_then(Value::as_object).into_iter().flatten();
        let mut properties = Sorted::default();
        for (name, schema) in members("properties") {
            properties.insert(name.clone(), self.compile(schema, depth));
        }
        let mut patterns = Vec::new();
        let mut understood = true;
        for (text, schema) in members("patternProperties") {
            match (self.patterns)(text) {
                Some(pattern) => patterns.push((pattern, self.compile(schema, depth))),
                None => understood = false,
            }
        }
        let required = map.keyword("required").and_then(Value::as_array).into_iter().flatten();
        Object {
            properties,
            patterns,
            // Names that a pattern we cannot read would have claimed must not be refused as additional.
            additional: self.one(map.keyword("additionalProperties").filter(|_| understood), depth),
            unevaluated: self.one(map.keyword("unevaluatedProperties"), depth),
            required: required.filter_map(Value::as_str).map(str::to_owned).collect(),
            size: read_size(map, "minProperties", "maxProperties"),
        }
    }

    fn one(&mut self, schema: Option<&'v Value>, depth: usize) -> Option<Id> {
        schema.filter(|schema| **schema != Value::Bool(true)).map(|schema| self.compile(schema, depth))
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
            let pointer = percent_encoding::percent_decode_str(pointer).decode_utf8().ok()?;
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
    match (map.keyword("type"), values) {
        (Some(Value::Array(several)), _) => several.iter().map(named).fold(Types::NONE, Types::with),
        (Some(one), _) => named(one),
        (None, Some(values)) => values.iter().map(Types::of).fold(Types::NONE, Types::with),
        (None, None) => Types::ANY,
    }
}

fn read_numbers(map: &Map<String, Value>) -> Numbers {
    let bound = |keyword| match map.keyword(keyword) {
        Some(Value::Number(number)) => Bound::of(number),
        _ => None,
    };
    let format = map.keyword("format").and_then(Value::as_str);
    let single = |bound: f32| (format == Some("float")).then_some(Bound::Float(bound.into()));
    Numbers {
        minimum: bound("minimum").or_else(|| single(f32::MIN)),
        maximum: bound("maximum").or_else(|| single(f32::MAX)),
        above: bound("exclusiveMinimum"),
        below: bound("exclusiveMaximum"),
        multiple_of: bound("multipleOf"),
        holds: format.and_then(integer_range),
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
    let number = |keyword| map.keyword(keyword).and_then(Value::as_u64);
    Size { min: number(min), max: number(max) }
}
