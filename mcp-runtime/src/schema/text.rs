//! A schema in words, and what text can say: which types can be read from it, and which have a closed set of values.

use serde_json::Value;

use super::{
    graph::{Graph, Id, Node, SchemaNode, Size},
    types::Types,
    violation::shorten,
};

/// Descriptions follow references this far.
const FAR: usize = 6;

/// A description names this many alternatives.
const MOST_NAMED: usize = 6;

/// No more schemas than this are searched for values.
const MOST_SEARCHED: usize = 512;

/// Whether some text can give this type: a scalar, an enum of scalars, or an `Option` of one; never only an object or
/// an array.
#[must_use]
pub(crate) fn readable_from_text(schema: SchemaNode<'_>) -> bool {
    let scalars = Types::STRING.with(Types::NUMBER).with(Types::INTEGER).with(Types::BOOLEAN);
    schema.graph().types(schema.id()).meets(scalars)
}

/// Whether any text may give this type: a string, and none of a closed set.
#[must_use]
pub(crate) fn gives_any_text(schema: SchemaNode<'_>) -> bool {
    schema.graph().types(schema.id()).meets(Types::STRING) && values(schema.graph(), schema.id()).is_none()
}

/// The values of a type that has only finitely many (unit enums, `bool`, an `Option` of them), as text.
#[must_use]
pub(crate) fn closed_values(schema: SchemaNode<'_>) -> Option<Vec<String>> {
    let values = values(schema.graph(), schema.id())?;
    let texts = values.into_iter().filter_map(|value| match value {
        Value::Null => None,
        Value::String(text) => Some(Some(text)),
        Value::Bool(_) | Value::Number(_) => Some(Some(value.to_string())),
        Value::Array(_) | Value::Object(_) => Some(None),
    });
    texts.collect::<Option<Vec<_>>>().filter(|texts| !texts.is_empty())
}

/// The closed set of values of a schema, `null` included.
pub(super) fn values(graph: &Graph, id: Id) -> Option<Vec<Value>> {
    values_within(graph, id, &mut Vec::new())
}

fn values_within(graph: &Graph, id: Id, seen: &mut Vec<Id>) -> Option<Vec<Value>> {
    if seen.contains(&id) || seen.len() > MOST_SEARCHED {
        return None;
    }
    seen.push(id);
    let node = graph.node(id)?;
    if let Some(values) = &node.values {
        return Some(values.clone());
    }
    let included = node.all_of.iter().find_map(|part| values_within(graph, *part, seen));
    if included.is_some() {
        return included;
    }
    for union in &node.unions {
        let branches: Option<Vec<_>> = union.iter().map(|branch| values_within(graph, *branch, seen)).collect();
        if let Some(branches) = branches {
            return Some(branches.concat());
        }
    }
    match node.types {
        Types::NULL => Some(vec![Value::Null]),
        Types::BOOLEAN => Some(vec![true.into(), false.into()]),
        types if types == Types::BOOLEAN.with(Types::NULL) => Some(vec![true.into(), false.into(), Value::Null]),
        _ => None,
    }
}

/// Values as JSON text, for a message.
pub(super) fn listed(values: &[Value]) -> Vec<String> {
    values.iter().map(shorten).collect()
}

/// What a schema asks for, in a few words: "an integer", "an array of strings", "an object with `x`, `y`".
pub(super) fn describe(graph: &Graph, id: Id) -> String {
    describe_within(graph, id, FAR)
}

/// What the branches of a union ask for.
pub(super) fn describe_union(graph: &Graph, union: &[Id]) -> String {
    either(union.iter().take(MOST_NAMED).map(|branch| describe(graph, *branch)))
}

fn describe_within(graph: &Graph, id: Id, depth: usize) -> String {
    let (Some(node), Some(depth)) = (graph.node(id), depth.checked_sub(1)) else {
        return "a value".to_owned();
    };
    if node.never {
        return "nothing".to_owned();
    }
    if let Some(values) = &node.values {
        return match listed(values).as_slice() {
            [only] => only.clone(),
            several => format!("one of {}", several.join(", ")),
        };
    }
    if node.types == Types::ANY || node.types == Types::OBJECT && node.object.properties.is_empty() {
        if let Some(union) = node.unions.first() {
            return either(union.iter().take(MOST_NAMED).map(|branch| describe_within(graph, *branch, depth)));
        }
        if let Some(part) = node.all_of.first() {
            return describe_within(graph, *part, depth);
        }
    }
    describe_types(graph, node, depth)
}

fn describe_types(graph: &Graph, node: &Node, depth: usize) -> String {
    let number = if node.types.meets(Types::NUMBER) { None } else { Some("an integer".to_owned()) };
    let kinds = [
        (Types::STRING, "a string".to_owned()),
        (Types::NUMBER, "a number".to_owned()),
        (Types::INTEGER, number.unwrap_or_default()),
        (Types::BOOLEAN, "true or false".to_owned()),
        (Types::ARRAY, describe_array(graph, node, depth)),
        (Types::OBJECT, describe_object(node)),
        (Types::NULL, "null".to_owned()),
    ];
    if node.types == Types::ANY {
        return "a value".to_owned();
    }
    either(kinds.into_iter().filter(|(kind, text)| node.types.meets(*kind) && !text.is_empty()).map(|(_, text)| text))
}

fn describe_array(graph: &Graph, node: &Node, depth: usize) -> String {
    let item = node.array.items.and_then(|id| graph.node(id).map(|item| (id, item)));
    let Some((id, item)) = item.filter(|_| depth > FAR - 4) else {
        return "an array".to_owned();
    };
    let plural = match item.types {
        Types::STRING if item.values.is_none() => Some("strings"),
        Types::INTEGER => Some("integers"),
        Types::BOOLEAN => Some("booleans"),
        Types::ARRAY => Some("arrays"),
        Types::OBJECT => Some("objects"),
        types if types == Types::NUMBER.with(Types::INTEGER) => Some("numbers"),
        _ => None,
    };
    match (plural, describe_within(graph, id, depth)) {
        (Some(plural), _) => format!("an array of {plural}"),
        (None, one) if one == "a value" => "an array".to_owned(),
        (None, one) => format!("an array where each is {one}"),
    }
}

fn describe_object(node: &Node) -> String {
    let names: Vec<_> = node.object.required.iter().take(6).map(|name| format!("`{name}`")).collect();
    match (names.len(), node.object.required.len()) {
        (0, _) => "an object".to_owned(),
        (shown, all) if shown < all => format!("an object with {}, …", names.join(", ")),
        _ => format!("an object with {}", names.join(", ")),
    }
}

/// "a string or null"
fn either(texts: impl Iterator<Item = String>) -> String {
    let mut several: Vec<String> = Vec::new();
    for text in texts {
        if !several.contains(&text) {
            several.push(text);
        }
    }
    match several.as_slice() {
        [] => "a value".to_owned(),
        _ => several.join(" or "),
    }
}

/// "an integer from 1 to 100"
pub(super) fn range(node: &Node) -> String {
    let limits = &node.numbers;
    let kind = if node.types.meets(Types::NUMBER) { "a number" } else { "an integer" };
    let low =
        limits.minimum.map(|min| format!("at least {min}")).or(limits.above.map(|min| format!("more than {min}")));
    let high =
        limits.maximum.map(|max| format!("at most {max}")).or(limits.below.map(|max| format!("less than {max}")));
    match (limits.minimum, limits.maximum, low, high) {
        (Some(min), Some(max), ..) => format!("{kind} from {min} to {max}"),
        (_, _, Some(low), Some(high)) => format!("{kind} {low} and {high}"),
        (_, _, Some(one), None) | (_, _, None, Some(one)) => format!("{kind} of {one}"),
        _ => kind.to_owned(),
    }
}

/// "a string of 1 to 10 characters"
pub(super) fn count(size: Size, what: &str, unit: &str) -> String {
    let plural = |count: u64| if count == 1 { "" } else { "s" };
    match (size.min, size.max) {
        (Some(min), Some(max)) if min == max => format!("{what} {min} {unit}{}", plural(min)),
        (Some(min), Some(max)) => format!("{what} {min} to {max} {unit}s"),
        (Some(min), None) => format!("{what} at least {min} {unit}{}", plural(min)),
        (None, Some(max)) => format!("{what} at most {max} {unit}{}", plural(max)),
        (None, None) => format!("{what} {unit}s"),
    }
}
