//! What can be said of a schema by those who use its type, whether it is a tree or plain.

use serde_json::{Map, Value};

use super::{keywords::Keywords, write::Member};

/// A schema that more is said of.
pub(super) trait Describe<'a> {
    /// The type of its values apart from `null`, if it is one.
    fn kind(&self) -> Option<&str>;

    /// Sets a keyword.
    fn say(&mut self, keyword: &'static str, what: Member<'a>);

    /// Limits values of a kind, if there are such; a `keyword` of text becomes that of arrays for arrays.
    fn limit(&mut self, kind: &str, keyword: &'static str, limit: &Value) -> bool;
}

impl<'a> Describe<'a> for Map<String, Value> {
    fn kind(&self) -> Option<&str> {
        match self.keyword("type")? {
            Value::Array(several) => {
                let mut others = several.iter().filter_map(Value::as_str).filter(|kind| *kind != "null");
                others.next().filter(|_| others.next().is_none())
            }
            kind => kind.as_str(),
        }
    }

    fn say(&mut self, keyword: &'static str, what: Member<'a>) {
        self.set(keyword, what.into_value());
    }

    fn limit(&mut self, kind: &str, keyword: &'static str, limit: &Value) -> bool {
        let own = match self.keyword("type") {
            Some(Value::String(own)) => Some(own.as_str()),
            Some(Value::Array(several)) => several.iter().filter_map(Value::as_str).find(|own| *own != "null"),
            _ => None,
        };
        match own.and_then(|own| keyword_of(own, kind, keyword)) {
            Some(keyword) => self.set(keyword, limit.clone()),
            None => return limit_branches(self, kind, keyword, limit),
        }
        true
    }
}

fn limit_branches(schema: &mut Map<String, Value>, kind: &str, keyword: &'static str, limit: &Value) -> bool {
    let mut fits_one = false;
    for union in ["anyOf", "oneOf"] {
        let branches = schema.get_mut(union).and_then(Value::as_array_mut);
        for branch in branches.into_iter().flatten().filter_map(Value::as_object_mut) {
            fits_one |= branch.limit(kind, keyword, limit);
        }
    }
    fits_one
}

/// The keyword for a limit on values of type `own`, if it is about them.
pub(super) fn keyword_of(own: &str, kind: &str, keyword: &'static str) -> Option<&'static str> {
    match (own, keyword) {
        ("integer", _) if kind == "number" => Some(keyword),
        ("array", "minLength") => Some("minItems"),
        ("array", "maxLength") => Some("maxItems"),
        (own, _) => (own == kind).then_some(keyword),
    }
}
