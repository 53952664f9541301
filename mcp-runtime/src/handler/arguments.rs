//! The arguments of one call: found once, decoded each by its parameter, all faults reported together.

use std::borrow::Cow;
use std::fmt;

use serde::de::value::Error as Nope;
use serde::de::{DeserializeOwned, Deserializer, Error as _, IgnoredAny, MapAccess, Visitor};
use serde::forward_to_deserialize_any;
use serde_json::value::RawValue;
use serde_json::{Map, Value};

use super::param::{ParamInfo, Prepared};
use crate::protocol::message::{Text, plain};
use crate::schema::{Constraints, Prepared as Schema, SchemaNode, coerce, nearest, violations};

/// The arguments do not fit; [`Arguments::finish`] has the reasons.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Refused;

/// How arguments are read.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Reading {
    /// Refuse what does not fit the type exactly, and unknown arguments.
    pub(crate) strict: bool,
    /// Check constraints of nested types too.
    pub(crate) validate: bool,
}

/// What the catalog knows of a handler's parameters.
#[derive(Debug)]
pub(crate) struct Inputs {
    /// One for each parameter, in order; extractors have no name that a client could send.
    pub(crate) params: Vec<Input>,
    /// Whether one parameter is the whole object.
    pub(crate) is_whole: bool,
    /// The schema of the object.
    pub(crate) schema: Schema,
    pub(crate) reading: Reading,
}

impl Inputs {
    /// The schema of one parameter.
    fn node(&self, input: &Input) -> SchemaNode<'_> {
        let named = input.name.as_deref().and_then(|name| self.schema.property(name));
        named.unwrap_or_else(|| self.schema.root())
    }
}

/// What the catalog knows of one parameter.
#[derive(Debug)]
pub(crate) struct Input {
    /// `None` for extractors.
    pub(crate) name: Option<Cow<'static, str>>,
    pub(crate) default: Option<Value>,
    pub(crate) constraints: Constraints,
    pub(crate) is_optional: bool,
}

/// What came for one parameter.
#[derive(Debug, Default)]
enum Given<'a> {
    #[default]
    Absent,
    Json(&'a RawValue),
    /// From a URI or a prompt: text, whatever its type.
    Text(Cow<'a, str>),
    /// Made before the call.
    Prepared(Prepared),
}

/// The arguments of one call.
pub struct Arguments<'a> {
    inputs: &'a Inputs,
    given: Vec<Given<'a>>,
    whole: Option<&'a RawValue>,
    faults: Vec<String>,
}

impl fmt::Debug for Arguments<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Arguments").field("faults", &self.faults).finish_non_exhaustive()
    }
}

impl<'a> Arguments<'a> {
    /// No arguments yet.
    pub(crate) fn new(inputs: &'a Inputs) -> Self {
        let mut given = Vec::new();
        given.resize_with(inputs.params.len(), Given::default);
        Self { inputs, given, whole: None, faults: Vec::new() }
    }

    /// The arguments in a JSON object; what is no object is an error of the request.
    pub(crate) fn from_json(raw: Option<&'a RawValue>, inputs: &'a Inputs) -> Result<Self, String> {
        let mut args = Self::new(inputs);
        if let Some(raw) = raw {
            let mut unknown = Vec::new();
            let reader = &mut serde_json::Deserializer::from_str(raw.get());
            reader
                .deserialize_map(Members { args: &mut args, unknown: &mut unknown })
                .map_err(|error| format!("`arguments` must be an object with each name once: {}", plain(&error)))?;
            args.whole = Some(raw);
            args.judge_unknown(&unknown);
        }
        Ok(args)
    }

    /// Sets one argument that came as text.
    pub(crate) fn set_text(&mut self, name: &str, text: Cow<'a, str>) {
        if let Some(given) = self.slot(name) {
            *given = Given::Text(text);
        }
    }

    /// Sets a value that was made before the call.
    pub(crate) fn set_prepared(&mut self, index: usize, value: Prepared) {
        if let Some(given) = self.given.get_mut(index) {
            *given = Given::Prepared(value);
        }
    }

    fn slot(&mut self, name: &str) -> Option<&mut Given<'a>> {
        let index = self.inputs.params.iter().position(|input| input.name.as_deref() == Some(name))?;
        self.given.get_mut(index)
    }

    /// Clients add arguments of their own, so unknown ones are ignored; but not one that is nearly the name of a missing one.
    pub(crate) fn judge_unknown(&mut self, unknown: &[Cow<'a, str>]) {
        if unknown.is_empty() || self.inputs.is_whole {
            return;
        }
        let absent: Vec<&str> = (self.inputs.params.iter().zip(&self.given))
            .filter(|(_, given)| matches!(given, Given::Absent))
            .filter_map(|(input, _)| input.name.as_deref())
            .collect();
        for name in unknown {
            if let Some(near) = nearest(name, absent.iter().copied()) {
                self.faults.push(format!("/{name}: unknown argument, did you mean `{near}`?"));
            } else if self.inputs.reading.strict {
                self.faults.push(format!("/{name}: unknown argument"));
            }
        }
    }

    /// Records why the arguments do not fit.
    pub(crate) fn refuse(&mut self, fault: String) -> Refused {
        self.faults.push(fault);
        Refused
    }

    /// The value made before the call.
    pub(crate) fn prepared<T: 'static>(&mut self, info: &ParamInfo) -> Result<T, Refused> {
        match self.given.get_mut(info.index).map(std::mem::take) {
            Some(Given::Prepared(value)) => value.downcast().map(|value| *value).map_err(|_| Refused),
            _ => Err(Refused),
        }
        .map_err(|Refused| self.refuse(format!("`{}` was not made", info.name)))
    }

    /// One argument, decoded.
    pub(crate) fn decode<T: DeserializeOwned>(&mut self, info: &ParamInfo) -> Result<T, Refused> {
        let (Some(given), Some(input)) = (self.given.get_mut(info.index), self.inputs.params.get(info.index)) else {
            return Err(self.refuse(format!("`{}` is not known", info.name)));
        };
        match std::mem::take(given) {
            Given::Json(raw) => match serde_json::from_str(raw.get()) {
                Ok(value) => self.check(input, raw.get()).map(|()| value),
                Err(error) => match serde_json::from_str(raw.get()) {
                    Ok(value) => self.decode_leniently(input, value, &error),
                    // Nested too deeply for a tree.
                    Err(error) => Err(self.refuse(format!("/{}: {}", info.name, plain(&error)))),
                },
            },
            Given::Text(text) => self.decode_text(input, text.into_owned()),
            Given::Absent | Given::Prepared(_) => self.decode_absent(input),
        }
    }

    fn decode_text<T: DeserializeOwned>(&mut self, input: &Input, text: String) -> Result<T, Refused> {
        let value = Value::String(text);
        match T::deserialize(&value) {
            Ok(decoded) => self.check(input, &value.to_string()).map(|()| decoded),
            Err(error) => self.decode_leniently(input, value, &error),
        }
    }

    fn decode_absent<T: DeserializeOwned>(&mut self, input: &Input) -> Result<T, Refused> {
        if let Some(default) = &input.default {
            return T::deserialize(default).map_err(|error| self.refuse(format!("{}: {}", pointer(input), plain(&error))));
        }
        absent().ok_or_else(|| {
            // What is asked for is what `null` lacks.
            let expected = violations(self.inputs.node(input), &Value::Null);
            let expected = expected.first().map(|violation| format!(", expected {}", violation.expected())).unwrap_or_default();
            self.refuse(format!("{}: required, but missing{expected}", pointer(input)))
        })
    }

    /// The strict decoder has refused: rewrite along the schema, decode again, and say where it fails if it does.
    #[cold]
    fn decode_leniently<T: DeserializeOwned>(&mut self, input: &Input, mut value: Value, error: &serde_json::Error) -> Result<T, Refused> {
        if !self.inputs.reading.strict {
            if value.is_null() && (input.is_optional || input.default.is_some()) {
                return self.decode_absent(input);
            }
            if coerce(self.inputs.node(input), &mut value)
                && let Ok(decoded) = T::deserialize(&value)
            {
                return self.check(input, &value.to_string()).map(|()| decoded);
            }
        }
        let at = pointer(input);
        let found = violations(self.inputs.node(input), &value);
        if found.is_empty() {
            return Err(self.refuse(format!("{at}: {}", plain(error))));
        }
        self.faults.extend(found.into_iter().map(|violation| violation.under(&at).to_string()));
        Err(Refused)
    }

    /// The constraints of a parameter whose value has been decoded; `json` is the value's text.
    fn check(&mut self, input: &Input, json: &str) -> Result<(), Refused> {
        let at = || pointer(input);
        let before = self.faults.len();
        if let Some(violation) = input.constraints.check(json) {
            self.faults.push(violation.under(&at()).to_string());
        }
        if self.inputs.reading.validate
            && let Ok(value) = serde_json::from_str(json)
        {
            let found = violations(self.inputs.node(input), &value);
            self.faults.extend(found.into_iter().map(|violation| violation.under(&at()).to_string()));
        }
        if self.faults.len() == before { Ok(()) } else { Err(Refused) }
    }

    /// The whole object, decoded.
    pub(crate) fn decode_whole<T: DeserializeOwned>(&mut self) -> Result<T, Refused> {
        let text = self.whole.map_or("{}", RawValue::get);
        let error = match serde_json::from_str(text) {
            Ok(decoded) if !self.inputs.reading.validate => return Ok(decoded),
            Ok(decoded) => {
                let value = serde_json::from_str(text).unwrap_or_default();
                return self.check_whole(&value).map(|()| decoded);
            }
            Err(error) => error,
        };
        let Ok(mut value) = serde_json::from_str::<Value>(text) else {
            return Err(self.refuse(plain(&error)));
        };
        if !self.inputs.reading.strict
            && coerce(self.inputs.schema.root(), &mut value)
            && let Ok(decoded) = T::deserialize(&value)
        {
            return if self.inputs.reading.validate { self.check_whole(&value).map(|()| decoded) } else { Ok(decoded) };
        }
        self.check_whole(&value)?;
        Err(self.refuse(plain(&error)))
    }

    /// The whole object against its schema.
    fn check_whole(&mut self, value: &Value) -> Result<(), Refused> {
        let found = violations(self.inputs.schema.root(), value);
        let kept = found.is_empty();
        self.faults.extend(found.iter().map(ToString::to_string));
        if kept { Ok(()) } else { Err(Refused) }
    }

    /// All arguments as they came, for definitions that have no parameters; checked against the schema.
    pub(crate) fn into_map(mut self) -> Result<Map<String, Value>, String> {
        let mut value: Value = match self.whole {
            Some(raw) => serde_json::from_str(raw.get()).map_err(|error| format!("\n- {}", plain(&error)))?,
            None => self.texts(),
        };
        if !self.inputs.reading.strict {
            coerce(self.inputs.schema.root(), &mut value);
        }
        let _ = self.check_whole(&value);
        match value {
            Value::Object(map) if self.faults.is_empty() => Ok(map),
            _ => Err(self.into_faults()),
        }
    }

    /// What came as text, as an object.
    fn texts(&mut self) -> Value {
        let given = self.inputs.params.iter().zip(&mut self.given);
        given
            .filter_map(|(input, given)| match (&input.name, std::mem::take(given)) {
                (Some(name), Given::Text(text)) => Some((name.to_string(), Value::String(text.into_owned()))),
                _ => None,
            })
            .collect::<Map<_, _>>()
            .into()
    }

    /// Ends the decoding.
    ///
    /// # Errors
    ///
    /// When any argument did not fit; [`Arguments::into_faults`] says all that is wrong.
    pub fn finish(&self) -> Result<(), Refused> {
        if self.faults.is_empty() { Ok(()) } else { Err(Refused) }
    }

    /// All that is wrong, a line each.
    pub(crate) fn into_faults(self) -> String {
        self.faults.iter().map(|fault| format!("\n- {fault}")).collect()
    }
}

fn pointer(input: &Input) -> String {
    format!("/{}", input.name.as_deref().unwrap_or_default())
}

struct Members<'m, 'a> {
    args: &'m mut Arguments<'a>,
    unknown: &'m mut Vec<Cow<'a, str>>,
}

/// The most unknown names looked at; more is no slip of a model's pen.
const MOST_UNKNOWN: usize = 64;

impl<'a> Visitor<'a> for Members<'_, 'a> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'a>>(self, mut map: A) -> Result<(), A::Error> {
        while let Some(Text(key)) = map.next_key()? {
            match self.args.slot(&key) {
                Some(given @ Given::Absent) => *given = Given::Json(map.next_value()?),
                Some(_) => return Err(A::Error::custom(format_args!("`{key}` stands twice"))),
                None => {
                    map.next_value::<IgnoredAny>()?;
                    if self.unknown.len() < MOST_UNKNOWN {
                        self.unknown.push(key);
                    }
                }
            }
        }
        Ok(())
    }
}

/// The value that a type has when the client sends nothing: whatever the type makes of that, never its spelling.
pub(crate) fn absent<T: DeserializeOwned>() -> Option<T> {
    T::deserialize(Nothing).ok()
}

/// Deserializes into optional values only, through any number of newtypes and boxes.
struct Nothing;

impl<'de> Deserializer<'de> for Nothing {
    type Error = Nope;

    fn deserialize_any<V: Visitor<'de>>(self, _: V) -> Result<V::Value, Nope> {
        Err(Nope::custom("nothing"))
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Nope> {
        visitor.visit_none()
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(self, _: &'static str, visitor: V) -> Result<V::Value, Nope> {
        visitor.visit_newtype_struct(self)
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf unit unit_struct
        seq tuple tuple_struct map struct enum identifier ignored_any
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_may_be_absent_is_decided_by_the_type() {
        #[derive(serde::Deserialize)]
        struct Alias(#[expect(dead_code, reason = "only its shape matters")] Box<Option<u8>>);
        type Maybe = Option<String>;

        assert!(absent::<Maybe>().is_some());
        assert!(absent::<Alias>().is_some());
        assert!(absent::<String>().is_none());
        assert!(absent::<Vec<u8>>().is_none());
        assert!(absent::<()>().is_none());
    }
}
