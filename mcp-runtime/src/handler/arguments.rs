//! The arguments of one call: found once, decoded each by its parameter, all faults reported together.

use std::borrow::Cow;
use std::fmt;

use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

use super::absent::absent;
use super::given::{Given, Slots};
use super::prepare::Prepared;
use crate::protocol::message::plain;
use crate::protocol::scan::{Broken, Places, Scan};
use crate::schema::{
    Constraints, Prepared as Schema, SchemaNode, Violation, coerce, coerce_raw, nearest, one_of_names, parse, shown,
    violations, violations_at,
};

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
    /// Whether the client can send an argument of this name.
    pub(crate) fn has_argument(&self, name: &str) -> bool {
        self.names().any(|known| known == name)
    }

    /// What the client can send.
    pub(crate) fn names(&self) -> impl Iterator<Item = &str> {
        self.params.iter().filter_map(|input| input.name.as_deref())
    }

    /// The schema of one parameter, and where it stands.
    fn node(&self, index: usize) -> (SchemaNode<'_>, String) {
        let name = self.params.get(index).and_then(|input| input.name.as_deref());
        let node = name.and_then(|name| self.schema.property(name)).unwrap_or_else(|| self.schema.root());
        (node, name.map(|name| format!("/{name}")).unwrap_or_default())
    }
}

/// What the catalog knows of one parameter.
#[derive(Debug)]
pub(crate) struct Input {
    /// `None` for extractors.
    pub(crate) name: Option<Cow<'static, str>>,
    /// As JSON.
    pub(crate) default: Option<String>,
    /// `None` where nothing is limited, as nearly everywhere.
    pub(crate) constraints: Option<Box<Constraints>>,
    pub(crate) is_optional: bool,
}

impl Input {
    /// Why an argument, as JSON, is not within its limits.
    #[inline]
    fn violation(&self, json: &str) -> Option<Violation> {
        self.constraints.as_ref()?.check(json)
    }
}

/// The arguments of one call.
pub struct Arguments<'a> {
    inputs: &'a Inputs,
    given: Slots<'a>,
    /// The object, as text.
    whole: Option<&'a str>,
    faults: Vec<String>,
    /// What the client sent beside them, shortened.
    strange: Vec<String>,
    is_one_missing: bool,
}

impl fmt::Debug for Arguments<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Arguments").field("faults", &self.faults).finish_non_exhaustive()
    }
}

impl<'a> Arguments<'a> {
    /// No arguments yet.
    pub(crate) fn new(inputs: &'a Inputs) -> Self {
        let given = Slots::new(inputs.params.len());
        Self { inputs, given, whole: None, faults: Vec::new(), strange: Vec::new(), is_one_missing: false }
    }

    /// The arguments in a JSON object; what is no object is an error of the request.
    pub(crate) fn read(&mut self, json: &'a str, places: &Places) -> Result<(), String> {
        let unknown = self
            .find(json, places)
            .map_err(|why| format!("`arguments` must be an object with each name once: {why}"))?;
        self.whole = Some(json);
        self.judge_unknown(&unknown);
        Ok(())
    }

    /// Finds each parameter's member; what belongs to none is returned.
    fn find(&mut self, json: &'a str, places: &Places) -> Result<Vec<Cow<'a, str>>, String> {
        let (mut unknown, mut twice) = (Vec::new(), None);
        let mut put = |key: Cow<'a, str>, value| match self.slot(&key) {
            Some(given @ Given::Absent) => *given = Given::Json(value),
            Some(_) => twice = twice.take().or(Some(key)),
            None if unknown.len() < MOST_UNKNOWN => unknown.push(key),
            None => {}
        };
        let read = match places.of(json) {
            Some(members) => {
                members.for_each(|(key, value)| put(key.into(), value));
                Ok(())
            }
            None => Scan::new(json).object(|key, scan| {
                put(key, scan.value()?.get());
                Ok(())
            }),
        };
        match (read, twice) {
            (Ok(()), None) => Ok(unknown),
            (Ok(()), Some(key)) => Err(format!("`{key}` stands twice")),
            (Err(Broken), _) => Err(Broken::explain(json)),
        }
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
    /// Where one is missing in any case, they are told of: it may be one of them under another name.
    pub(crate) fn judge_unknown(&mut self, unknown: &[Cow<'a, str>]) {
        if unknown.is_empty() || self.inputs.is_whole {
            return;
        }
        let absent: Vec<&str> = (self.inputs.params.iter().zip(self.given.iter()))
            .filter(|(_, given)| matches!(given, Given::Absent))
            .filter_map(|(input, _)| input.name.as_deref())
            .collect();
        for name in unknown {
            let shown = shown(name);
            match nearest(name, absent.iter().copied()) {
                Some(near) => self.faults.push(format!("/{shown}: unknown argument, did you mean `{near}`?")),
                None if self.strange.len() < MOST_STRANGE => self.strange.push(format!("/{shown}")),
                None => {}
            }
        }
    }

    /// Records why the arguments do not fit.
    pub(crate) fn refuse(&mut self, fault: String) -> Refused {
        self.faults.push(fault);
        Refused
    }

    /// Records why one argument does not fit.
    pub(crate) fn refuse_at(&mut self, index: usize, why: &dyn fmt::Display) -> Refused {
        let (_, at) = self.inputs.node(index);
        self.refuse(format!("{at}: {why}"))
    }

    /// The value made before the call.
    pub(crate) fn prepared<T: 'static>(&mut self, index: usize) -> Result<T, Refused> {
        match self.given.get_mut(index).map(std::mem::take) {
            Some(Given::Prepared(value)) => value.downcast().map(|value| *value).map_err(|_| Refused),
            _ => Err(Refused),
        }
        .map_err(|Refused| self.refuse(format!("the parameter in place {index} was not made")))
    }

    /// One argument, decoded.
    pub(crate) fn decode<T: DeserializeOwned>(&mut self, index: usize) -> Result<T, Refused> {
        let given = self.given.get_mut(index).map(std::mem::take).unwrap_or_default();
        let json = match given {
            Given::Json(json) => Cow::Borrowed(json),
            Given::Text(text) => Cow::Owned(Value::String(text.into_owned()).to_string()),
            Given::Absent | Given::Prepared(_) => return self.decode_absent(index),
        };
        match serde_json::from_str(&json) {
            Ok(value) => self.check(index, &json).map(|()| value),
            Err(error) => match self.rewrite(index, &json, &error)? {
                None => self.decode_absent(index),
                Some(better) => match serde_json::from_str(&better) {
                    Ok(value) => self.check(index, &better).map(|()| value),
                    Err(error) => Err(self.explain(index, &better, &error)),
                },
            },
        }
    }

    fn decode_absent<T: DeserializeOwned>(&mut self, index: usize) -> Result<T, Refused> {
        let inputs = self.inputs;
        match inputs.params.get(index).and_then(|input| input.default.as_deref()) {
            Some(default) => serde_json::from_str(default).map_err(|error| self.explain(index, default, &error)),
            None => absent().ok_or_else(|| self.missing(index)),
        }
    }

    #[cold]
    fn missing(&mut self, index: usize) -> Refused {
        let (node, at) = self.inputs.node(index);
        // What is asked for is what `null` lacks.
        let expected = violations(node, &Value::Null);
        let expected =
            expected.first().map(|violation| format!(", expected {}", violation.expected())).unwrap_or_default();
        self.is_one_missing = true;
        self.refuse(format!("{at}: required, but missing{expected}"))
    }

    /// The strict decoder has refused: the text as the schema reads it; `None` when it says that there is nothing.
    #[cold]
    fn rewrite(&mut self, index: usize, json: &str, error: &serde_json::Error) -> Result<Option<String>, Refused> {
        if self.inputs.reading.strict {
            return Err(self.explain(index, json, error));
        }
        let may_be_absent = |input: &Input| input.is_optional || input.default.is_some();
        if json.trim_ascii() == "null" && self.inputs.params.get(index).is_some_and(may_be_absent) {
            return Ok(None);
        }
        let (node, at) = self.inputs.node(index);
        match coerce_raw(node, json) {
            Ok(Some(better)) => Ok(Some(better)),
            Ok(None) => Err(self.explain(index, json, error)),
            Err(violation) => Err(self.refuse(violation.under(&at).to_string())),
        }
    }

    /// Says where a text does not fit: by the schema, which knows of every place, or in serde's words.
    #[cold]
    fn explain(&mut self, index: usize, json: &str, error: &serde_json::Error) -> Refused {
        let (node, at) = self.inputs.node(index);
        let own = self.inputs.params.get(index).and_then(|input| input.violation(json));
        let found = match (parse(json), own) {
            // What the type holds helps nobody who is to stay within a range of it.
            (Ok(value), Some(own)) if value.is_number() => vec![own.under(&at)],
            (Ok(value), _) => violations_at(node, &at, &value),
            (Err(violation), _) => vec![violation.under(&at)],
        };
        if found.is_empty() {
            return self.refuse(format!("{at}: {}", plain(error)));
        }
        self.faults.extend(found.iter().map(ToString::to_string));
        Refused
    }

    /// The constraints of a parameter whose value has been decoded; `json` is the value's text.
    fn check(&mut self, index: usize, json: &str) -> Result<(), Refused> {
        let inputs = self.inputs;
        let violation = inputs.params.get(index).and_then(|input| input.violation(json));
        if violation.is_none() && !inputs.reading.validate {
            return Ok(());
        }
        let (node, at) = inputs.node(index);
        let before = self.faults.len();
        self.faults.extend(violation.map(|violation| violation.under(&at).to_string()));
        if inputs.reading.validate {
            if let Ok(value) = serde_json::from_str(json) {
                self.faults.extend(violations_at(node, &at, &value).iter().map(ToString::to_string));
            }
        }
        if self.faults.len() == before { Ok(()) } else { Err(Refused) }
    }

    /// The whole object, decoded.
    pub(crate) fn decode_whole<T: DeserializeOwned>(&mut self) -> Result<T, Refused> {
        let json = self.whole.unwrap_or("{}");
        match serde_json::from_str(json) {
            Ok(value) => self.check_whole(json).map(|()| value),
            Err(error) => {
                let better = self.rewrite(WHOLE, json, &error)?.unwrap_or_default();
                match serde_json::from_str(&better) {
                    Ok(value) => self.check_whole(&better).map(|()| value),
                    Err(error) => Err(self.explain(WHOLE, &better, &error)),
                }
            }
        }
    }

    /// The whole object against its schema, where the server wants that.
    fn check_whole(&mut self, json: &str) -> Result<(), Refused> {
        if self.inputs.reading.validate { self.check(WHOLE, json) } else { Ok(()) }
    }

    /// All arguments as they came, for definitions that have no parameters; checked against the schema.
    pub(crate) fn into_map(mut self) -> Result<Map<String, Value>, String> {
        let parsed = match self.whole {
            Some(json) => parse(json),
            None => Ok(self.texts()),
        };
        let mut value = parsed.map_err(|violation| format!("\n- {violation}"))?;
        let root = self.inputs.schema.root();
        if !self.inputs.reading.strict {
            coerce(root, &mut value);
        }
        self.faults.extend(violations(root, &value).iter().map(ToString::to_string));
        match value {
            Value::Object(map) if self.faults.is_empty() => Ok(map),
            _ => Err(self.into_faults()),
        }
    }

    /// What came as text, as an object.
    fn texts(&mut self) -> Value {
        let mut texts = Map::new();
        for (index, input) in self.inputs.params.iter().enumerate() {
            let given = self.given.get_mut(index).map(std::mem::take);
            if let (Some(name), Some(Given::Text(text))) = (&input.name, given) {
                texts.insert(name.to_string(), Value::String(text.into_owned()));
            }
        }
        texts.into()
    }

    /// Ends the decoding.
    ///
    /// # Errors
    ///
    /// When any argument did not fit; [`Arguments::into_faults`] says all that is wrong.
    pub fn finish(&self) -> Result<(), Refused> {
        let is_good = self.faults.is_empty() && (self.strange.is_empty() || !self.inputs.reading.strict);
        if is_good { Ok(()) } else { Err(Refused) }
    }

    /// All that is wrong, a line each.
    pub(crate) fn into_faults(mut self) -> String {
        if !self.strange.is_empty() && (self.is_one_missing || self.inputs.reading.strict) {
            let expected = one_of_names(self.inputs.names());
            let (several, names) = (if self.strange.len() > 1 { "s" } else { "" }, self.strange.join(", "));
            self.faults.push(format!("{names}: unknown argument{several}, expected {expected}"));
        }
        self.faults.iter().flat_map(|fault| ["\n- ", fault]).collect()
    }
}

/// Stands for no parameter: what is said then is about the whole object.
const WHOLE: usize = usize::MAX;

/// The most unknown names looked at; more is no slip of a model's pen.
const MOST_UNKNOWN: usize = 64;

/// So many of them are repeated at most.
const MOST_STRANGE: usize = 8;
