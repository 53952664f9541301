//! A value walked along a schema: either only "does it fit", or every difference in words.
//!
//! Work and depth are bounded: unions of recursive types would otherwise take exponential time.

use serde_json::{Map, Value};

use super::{
    MAX_DEPTH,
    budget::Budget,
    graph::{Graph, Id, Node, SchemaNode, Size},
    number::{Bound, EXACT},
    text,
    types::Types,
    violation::{Fault, Violation, push_step, push_step_text},
};

/// More violations than this are not listed.
const MOST: usize = 20;

/// All differences between a value and its schema (at most 20), with pointers from the value itself.
#[must_use]
pub(crate) fn violations(schema: SchemaNode<'_>, value: &Value) -> Vec<Violation> {
    violations_at(schema, "", value)
}

/// As [`violations`], for a value that itself sits at the JSON pointer `at`.
#[must_use]
pub(crate) fn violations_at(schema: SchemaNode<'_>, at: &str, value: &Value) -> Vec<Violation> {
    let mut budget = Budget::for_value(value);
    let mut walker = Walker::new(schema.graph(), Rules::All, &mut budget);
    walker.pointer.push_str(at);
    let mut found = Vec::new();
    walker.report = Some(&mut found);
    walker.walk(schema.id(), value, 0);
    found.truncate(MOST);
    found
}

/// As [`fits`], out of a budget that is shared by a larger piece of work.
pub(super) fn fits_within(schema: SchemaNode<'_>, value: &Value, depth: usize, budget: &mut Budget) -> bool {
    Walker::new(schema.graph(), Rules::Shape, budget).walk(schema.id(), value, depth)
}

/// Which keywords count.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Rules {
    /// Those that serde enforces while it reads the type.
    Shape,
    All,
}

pub(super) struct Walker<'g, 'w> {
    pub(super) graph: &'g Graph,
    pub(super) rules: Rules,
    pub(super) budget: &'w mut Budget,
    pub(super) report: Option<&'w mut Vec<Violation>>,
    pub(super) pointer: String,
}

impl<'g, 'w> Walker<'g, 'w> {
    fn new(graph: &'g Graph, rules: Rules, budget: &'w mut Budget) -> Self {
        Self { graph, rules, budget, report: None, pointer: String::new() }
    }

    /// Whether the value is accepted; in a report, everything that speaks against it.
    pub(super) fn walk(&mut self, id: Id, value: &Value, depth: usize) -> bool {
        let Some(node) = self.graph.node(id) else {
            return true;
        };
        // Out of means the value gets the benefit of the doubt: serde has the last word.
        if depth > MAX_DEPTH || !self.budget.spend(1) {
            return true;
        }
        if node.never || !node.types.meets(Types::of(value)) || !is_listed(node, value) {
            self.refuse_kind(id, node, value);
            return false;
        }
        let mut good = match value {
            Value::Number(number) => self.number(node, value, Bound::of(number)),
            Value::String(text) => self.string(node, value, text),
            Value::Array(items) => self.array(node, value, items, depth),
            Value::Object(members) => self.object(id, node, value, members, depth),
            Value::Null | Value::Bool(_) => true,
        };
        if good || self.goes_on() {
            good &= self.parts(id, node, value, depth);
        }
        good
    }

    /// Whether it is worth looking for more after a first violation.
    fn goes_on(&self) -> bool {
        self.report.as_ref().is_some_and(|found| found.len() < MOST)
    }

    pub(super) fn refuse(&mut self, violation: impl FnOnce(&str) -> Violation) -> bool {
        if let Some(found) = &mut self.report {
            found.push(violation(&self.pointer));
        }
        false
    }

    fn refuse_limit(&mut self, expected: impl FnOnce() -> String, got: &Value) -> bool {
        self.refuse(|at| Violation::new(at, Fault::Limit, expected(), got))
    }

    fn refuse_kind(&mut self, id: Id, node: &Node, value: &Value) {
        let graph = self.graph;
        // A number that only a double holds is an integer to who wrote it: what is wrong is its size.
        let is_huge = value.as_f64().is_some_and(|number| number.abs() >= EXACT);
        let held = node.numbers.holds.filter(|_| is_huge && !node.types.meets(Types::NUMBER));
        if let (None, Some((low, high))) = (&node.values, held) {
            self.refuse_limit(|| format!("an integer from {low} to {high}"), value);
            return;
        }
        self.refuse(|at| match &node.values {
            Some(values) => Violation::not_allowed(at, text::listed(values), value),
            None => Violation::new(at, Fault::Type, text::describe(graph, id), value),
        });
    }

    fn number(&mut self, node: &Node, value: &Value, number: Option<Bound>) -> bool {
        let Some(number) = number else { return true };
        let limits = &node.numbers;
        if let Some((low, high)) = limits.holds {
            let inside = at_least(number, Bound::Int(low)) && at_least(Bound::Int(high), number);
            if !inside && !node.types.meets(Types::NUMBER) {
                return self.refuse_limit(|| format!("an integer from {low} to {high}"), value);
            }
        }
        if self.rules == Rules::Shape {
            return true;
        }
        let inside = limits.minimum.is_none_or(|min| at_least(number, min))
            && limits.maximum.is_none_or(|max| at_least(max, number))
            && limits.above.is_none_or(|min| !at_least(min, number))
            && limits.below.is_none_or(|max| !at_least(number, max));
        let mut good = inside || self.refuse_limit(|| text::range(node), value);
        if let Some(step) = limits.multiple_of.filter(|step| !number.is_multiple_of(*step)) {
            good = self.refuse_limit(|| format!("a multiple of {step}"), value);
        }
        good
    }

    fn string(&mut self, node: &Node, value: &Value, text: &str) -> bool {
        if self.rules == Rules::Shape {
            return true;
        }
        let mut good = true;
        if (node.length.min.is_some() || node.length.max.is_some()) && !holds(node.length, text.chars().count()) {
            good = self.refuse_limit(|| text::count(node.length, "a string of", "character"), value);
        }
        if let Some(pattern) = node.pattern.as_ref().filter(|pattern| !pattern.is_match(text)) {
            good = self.refuse_limit(|| format!("a string that matches `{}`", pattern.text), value);
        }
        good
    }

    fn array(&mut self, node: &Node, value: &Value, items: &[Value], depth: usize) -> bool {
        let array = &node.array;
        let fixed =
            !array.prefix.is_empty() || array.size.max.is_some_and(|max| max == 0 || array.size.min == Some(max));
        let mut good = true;
        if (fixed || self.rules == Rules::All) && !holds(array.size, items.len()) {
            good = self.refuse_limit(|| text::count(array.size, "an array of", "item"), value);
        }
        if array.unique && self.rules == Rules::All && has_repetition(items) {
            good = self.refuse_limit(|| "an array without repetitions".to_owned(), value);
        }
        let prefix = array.prefix.iter().copied().map(Some);
        let schemas = prefix.chain(std::iter::repeat(array.items));
        for ((index, item), schema) in items.iter().enumerate().zip(schemas) {
            if !good && !self.goes_on() {
                break;
            }
            let Some(schema) = schema else { break };
            good &= self.step(schema, item, depth, |pointer| push_step(pointer, index));
        }
        good
    }

    fn object(&mut self, id: Id, node: &Node, value: &Value, members: &Map<String, Value>, depth: usize) -> bool {
        let object = &node.object;
        let mut good = true;
        for name in object.required.iter().filter(|name| !members.contains_key(*name)) {
            good = self.refuse_missing(id, name);
            if !self.goes_on() {
                return false;
            }
        }
        if self.rules == Rules::All && !holds(object.size, members.len()) {
            good = self.refuse_limit(|| text::count(object.size, "an object with", "member"), value);
        }
        for (name, member) in members {
            if !good && !self.goes_on() {
                return false;
            }
            let mut claimed = false;
            let own = object.properties.get(name).copied();
            let matching = object.patterns.iter().filter(|(pattern, _)| pattern.is_match(name)).map(|(_, id)| *id);
            for schema in own.into_iter().chain(matching) {
                claimed = true;
                good &= self.step(schema, member, depth, |pointer| {
                    push_step_text(pointer, name);
                });
            }
            if claimed {
                continue;
            }
            let rest = object.additional.or_else(|| object.unevaluated.filter(|_| !self.graph.evaluates(id, name)));
            let Some(rest) = rest else { continue };
            if self.graph.node(rest).is_some_and(|node| node.never) {
                good = self.refuse_unknown(id, name, member);
            } else {
                good &= self.step(rest, member, depth, |pointer| push_step_text(pointer, name));
            }
        }
        good
    }

    fn step(&mut self, schema: Id, value: &Value, depth: usize, push: impl FnOnce(&mut String)) -> bool {
        let here = self.pointer.len();
        if self.report.is_some() {
            push(&mut self.pointer);
        }
        let good = self.walk(schema, value, depth + 1);
        self.pointer.truncate(here);
        good
    }

    fn refuse_missing(&mut self, id: Id, name: &str) -> bool {
        let graph = self.graph;
        self.refuse(|at| {
            let mut pointer = at.to_owned();
            push_step_text(&mut pointer, name);
            let property = graph.property(id, name);
            let expected = property.map(|id| text::describe(graph, id)).unwrap_or_default();
            let values = property.and_then(|id| text::values(graph, id)).unwrap_or_default();
            Violation::missing(pointer, expected, text::listed(&values))
        })
    }

    fn refuse_unknown(&mut self, id: Id, name: &str, member: &Value) -> bool {
        let graph = self.graph;
        self.refuse(|at| {
            let mut pointer = at.to_owned();
            push_step_text(&mut pointer, name);
            let known = graph.names(id).into_iter().map(str::to_owned).collect();
            Violation::unknown(&pointer, known, member)
        })
    }

    /// `allOf`, `$ref`, `anyOf`, `oneOf`, `not`, `if`.
    fn parts(&mut self, id: Id, node: &Node, value: &Value, depth: usize) -> bool {
        let mut good = true;
        for part in &node.all_of {
            good &= self.walk(*part, value, depth + 1);
            if !good && !self.goes_on() {
                return false;
            }
        }
        for union in &node.unions {
            if !union.iter().any(|branch| self.fits(*branch, value, depth)) {
                good = false;
                if self.report.is_some() {
                    self.explain(id, union, value, depth);
                }
                if !self.goes_on() {
                    return false;
                }
            }
        }
        if self.rules == Rules::All {
            if node.not.is_some_and(|not| self.fits(not, value, depth)) {
                good = self.refuse_limit(|| "another value".to_owned(), value);
            }
            if let Some([Some(test), then, otherwise]) = node.conditional {
                let branch = if self.fits(test, value, depth) { then } else { otherwise };
                good &= branch.is_none_or(|branch| self.walk(branch, value, depth + 1));
            }
        }
        good
    }

    fn fits(&mut self, branch: Id, value: &Value, depth: usize) -> bool {
        let report = self.report.take();
        let good = self.walk(branch, value, depth + 1);
        self.report = report;
        good
    }
}

fn is_listed(node: &Node, value: &Value) -> bool {
    node.values.as_ref().is_none_or(|values| values.iter().any(|listed| same(listed, value)))
}

/// Equality of JSON: `1` and `1.0` are the same number.
fn same(a: &Value, b: &Value) -> bool {
    match (a, b) {
        (Value::Number(a), Value::Number(b)) => {
            a == b
                || Bound::of(a).zip(Bound::of(b)).is_some_and(|(a, b)| a.compare(b) == Some(std::cmp::Ordering::Equal))
        }
        _ => a == b,
    }
}

fn has_repetition(items: &[Value]) -> bool {
    let mut seen = std::collections::HashSet::with_capacity(items.len());
    items.iter().any(|item| !seen.insert(item.to_string()))
}

fn at_least(a: Bound, b: Bound) -> bool {
    a.compare(b).is_some_and(std::cmp::Ordering::is_ge)
}

pub(super) fn holds(size: Size, count: usize) -> bool {
    let count = count as u64;
    size.min.is_none_or(|min| count >= min) && size.max.is_none_or(|max| count <= max)
}
