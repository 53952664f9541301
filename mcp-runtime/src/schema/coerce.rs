//! Arguments as models really send them, rewritten along the schema of the target type until serde accepts them.
//!
//! The type decides, never the look of a value: what a type accepts as it is stays as it is.

use serde_json::{Map, Number, Value};

use super::{
    MAX_DEPTH,
    budget::Budget,
    decode,
    graph::{Graph, Id, Node, SchemaNode},
    number,
    types::Types,
    violation::Violation,
    walk::fits_within,
};

/// Rewrites a value in place until the type behind `schema` accepts it: `"30"` and `30.0` for an integer, `"true"` for
/// a bool, JSON text for an array or object, a number's or bool's text for a string, and without `null` where a
/// field may be absent. Returns whether anything changed; a value that the type accepts never does.
pub(crate) fn coerce(schema: SchemaNode<'_>, value: &mut Value) -> bool {
    let budget = Budget::for_value(value);
    Rewriter { schema, budget }.rewrite(schema.id(), value, 0)
}

/// As [`coerce`], from and to JSON text; `None` when nothing changed. Text keeps what a tree of values cannot hold: the
/// digits of `1.10` for a string, and integers of 128 bits.
///
/// # Errors
/// When the text is not JSON, is nested deeper than 128 levels, or gives a key twice.
pub(crate) fn coerce_raw(schema: SchemaNode<'_>, raw: &str) -> Result<Option<String>, Violation> {
    let raw = raw.trim_ascii();
    let types = schema.graph().types(schema.id());
    let is_number = raw.starts_with(|c: char| c == '-' || c.is_ascii_digit());
    if is_number && types.meets(Types::STRING) && !types.meets(Types::NUMBER.with(Types::INTEGER)) {
        let quoted = Value::String(raw.to_owned());
        return Ok(fits_within(schema, &quoted, 0, &mut Budget::for_value(&quoted)).then(|| quoted.to_string()));
    }
    if is_number && raw.contains('.') && types.meets(Types::INTEGER) && !types.meets(Types::NUMBER) {
        if let Some(integer) = number::integer_text(raw) {
            return Ok(Some(integer.to_owned()));
        }
    }
    let mut value = decode::parse(raw)?;
    if let (Value::String(text), false) = (&value, types.meets(Types::STRING)) {
        if types.meets(Types::INTEGER) {
            if let Some(integer) = number::integer_text(text.trim()) {
                return Ok(Some(integer.to_owned()));
            }
        }
    }
    Ok(coerce(schema, &mut value).then(|| value.to_string()))
}

struct Rewriter<'g> {
    schema: SchemaNode<'g>,
    budget: Budget,
}

impl<'g> Rewriter<'g> {
    fn graph(&self) -> &'g Graph {
        self.schema.graph()
    }

    fn fits(&mut self, id: Id, value: &Value, depth: usize) -> bool {
        fits_within(self.schema.at(id), value, depth, &mut self.budget)
    }

    fn rewrite(&mut self, id: Id, value: &mut Value, depth: usize) -> bool {
        let Some(node) = self.graph().node(id) else {
            return false;
        };
        if depth > MAX_DEPTH || !self.budget.spend(1) {
            return false;
        }
        let mut changed = own_type(node, value);
        changed |= match value {
            Value::Array(items) => self.items(node, items, depth),
            Value::Object(members) => self.members(id, node, members, depth),
            _ => false,
        };
        for part in &node.all_of {
            changed |= self.rewrite(*part, value, depth + 1);
        }
        for union in &node.unions {
            changed |= self.branch(union, value, depth);
        }
        changed
    }

    fn items(&mut self, node: &Node, items: &mut [Value], depth: usize) -> bool {
        let array = &node.array;
        let schemas = array.prefix.iter().copied().map(Some).chain(std::iter::repeat(array.items));
        let mut changed = false;
        for (item, schema) in items.iter_mut().zip(schemas) {
            let Some(schema) = schema else { break };
            changed |= self.rewrite(schema, item, depth + 1);
        }
        changed
    }

    fn members(&mut self, id: Id, node: &Node, members: &mut Map<String, Value>, depth: usize) -> bool {
        let object = &node.object;
        let mut changed = false;
        let mut absent = Vec::new();
        for (name, member) in members.iter_mut() {
            if let Some(schema) = object.properties.get(name).copied() {
                let optional = member.is_null() && !object.required.contains(name);
                if optional && !self.fits(schema, member, depth + 1) {
                    absent.push(name.clone());
                } else {
                    changed |= self.rewrite(schema, member, depth + 1);
                }
                continue;
            }
            let pattern = object.patterns.iter().find(|(pattern, _)| pattern.is_match(name)).map(|(_, id)| *id);
            let rest = pattern
                .or(object.additional)
                .or_else(|| object.unevaluated.filter(|_| !self.graph().evaluates(id, name)));
            if let Some(schema) = rest {
                changed |= self.rewrite(schema, member, depth + 1);
            }
        }
        changed |= !absent.is_empty();
        for name in absent {
            members.remove(&name);
        }
        changed
    }

    /// Rewrites towards the branch that accepts the result; if only one branch can be meant, towards that one anyway,
    /// so that a second fault in it is not reported together with what is no fault.
    fn branch(&mut self, union: &[Id], value: &mut Value, depth: usize) -> bool {
        if union.iter().any(|branch| self.fits(*branch, value, depth + 1)) {
            return false;
        }
        let kind = Types::of(value);
        let meant: Vec<Id> = union.iter().copied().filter(|branch| self.may_mean(*branch, value)).collect();
        if let [only] = *meant {
            return self.rewrite(only, value, depth + 1);
        }
        // A branch that has the value's own type first: the less is rewritten the better.
        let (own, others): (Vec<Id>, Vec<Id>) =
            meant.into_iter().partition(|branch| self.graph().types(*branch).meets(kind));
        for branch in own.into_iter().chain(others) {
            let mut attempt = value.clone();
            if self.rewrite(branch, &mut attempt, depth + 1) && self.fits(branch, &attempt, depth + 1) {
                *value = attempt;
                return true;
            }
        }
        false
    }

    /// Whether a branch could be meant by a value: it has a type that the value can become, and the value does not say
    /// otherwise by its tag.
    fn may_mean(&self, branch: Id, value: &Value) -> bool {
        let types = self.graph().types(branch);
        match value {
            Value::Object(members) if types.meets(Types::OBJECT) => self.tags_agree(branch, members, 8),
            // `{}` where an object or nothing is wanted is an incomplete object, never nothing.
            Value::Object(_) => false,
            _ => types.meets(Types::of(value)) || convert(types, value).is_some(),
        }
    }

    fn tags_agree(&self, id: Id, members: &Map<String, Value>, depth: usize) -> bool {
        let (Some(node), Some(depth)) = (self.graph().node(id), depth.checked_sub(1)) else {
            return true;
        };
        let object = &node.object;
        let has_required = object.required.iter().all(|name| {
            // An externally tagged variant is its one key; of other fields, several may be missing.
            members.contains_key(name) || object.properties.len() > 1 && !self.is_tag(object.properties.get(name))
        });
        has_required
            && object.properties.iter().all(|(name, property)| {
                members.get(name).is_none_or(|member| self.tag(*property).is_none_or(|values| values.contains(member)))
            })
            && node.all_of.iter().all(|part| self.tags_agree(*part, members, depth))
    }

    fn is_tag(&self, property: Option<&Id>) -> bool {
        property.is_some_and(|id| self.tag(*id).is_some())
    }

    /// The value of a property that has only one.
    fn tag(&self, property: Id) -> Option<&'g [Value]> {
        let values = self.graph().node(property)?.values.as_deref()?;
        (values.len() == 1 && values.iter().all(Value::is_string)).then_some(values)
    }
}

/// Turns a value of a type that `node` does not allow into one that it does.
fn own_type(node: &Node, value: &mut Value) -> bool {
    if node.never || node.types.meets(Types::of(value)) {
        return false;
    }
    let Some(converted) = convert(node.types, value) else {
        return false;
    };
    if node.values.as_ref().is_some_and(|values| !values.contains(&converted)) {
        return false;
    }
    *value = converted;
    true
}

/// The value as one of `types`, if it says the same in another JSON type.
fn convert(types: Types, value: &Value) -> Option<Value> {
    match value {
        Value::String(text) => from_text(types, text.trim()),
        Value::Number(number) => from_number(types, number),
        Value::Bool(truth) => types.meets(Types::STRING).then(|| truth.to_string().into()),
        // What accepts only `null` (a unit) is shown to clients as an empty object.
        Value::Object(members) => (types == Types::NULL && members.is_empty()).then_some(Value::Null),
        Value::Null | Value::Array(_) => None,
    }
}

fn from_text(types: Types, text: &str) -> Option<Value> {
    let first = text.bytes().next()?;
    match first {
        b'-' | b'0'..=b'9' => {
            let number: Number = serde_json::from_str(text).ok()?;
            if types.meets(Types::of(&Value::Number(number.clone()))) || types.meets(Types::NUMBER) {
                return Some(Value::Number(number));
            }
            types.meets(Types::INTEGER).then(|| number::whole(&number).map(Value::Number)).flatten()
        }
        b'[' if types.meets(Types::ARRAY) => decode::parse(text).ok(),
        b'{' if types.meets(Types::OBJECT) => decode::parse(text).ok(),
        b't' if types.meets(Types::BOOLEAN) && text == "true" => Some(Value::Bool(true)),
        b'f' if types.meets(Types::BOOLEAN) && text == "false" => Some(Value::Bool(false)),
        b'n' if types.meets(Types::NULL) && text == "null" => Some(Value::Null),
        _ => None,
    }
}

/// A float becomes a string only where its text is at hand (`coerce_raw`): here `1.10` would silently become `"1.1"`.
fn from_number(types: Types, number: &Number) -> Option<Value> {
    if types.meets(Types::INTEGER) {
        return number::whole(number).map(Value::Number);
    }
    (types.meets(Types::STRING) && number::is_integer(number)).then(|| number.to_string().into())
}
