//! The arguments of `call` and `prompt`, from the words of the command line. All that is wrong with them is said at once.

use std::io::Read as _;

use serde_json::{Map, Value};

use super::faults::Faults;
use super::types::{Schema, prompt_arguments};
use crate::handler::error::{Error, Result};
use crate::schema::{Prepared, coerce, violations};

/// Arguments as they were typed.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Typed {
    /// One JSON object.
    Object(Map<String, Value>),
    /// `name=value` and `name:=json`, in order.
    Pairs(Vec<Pair>),
}

/// One word of the command line.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Pair {
    Text(String, String),
    Json(String, Value),
    /// It has a name, but its JSON is none, and why.
    Broken(String, String),
    /// Not an argument at all.
    Word(String),
}

impl Typed {
    /// Reads the words; `-` takes an object from standard input.
    pub(super) fn read(words: &[String]) -> Result<Self> {
        match words {
            [word] if word == "-" => {
                let mut text = String::new();
                std::io::stdin().lock().read_to_string(&mut text)?;
                object(&text, "standard input")
            }
            [word] if word.trim_start().starts_with('{') => object(word, "the argument"),
            _ => Ok(Self::Pairs(words.iter().map(|word| Pair::read(word)).collect())),
        }
    }

    /// The arguments of a tool with this input schema.
    pub(super) fn for_tool(self, tool: &str, schema: &Value) -> Result<Map<String, Value>> {
        let pairs = match self {
            Self::Object(object) => return Ok(object),
            Self::Pairs(pairs) => pairs,
        };
        let root = Schema::new(schema);
        let known: Vec<&str> = root.properties().map(|(name, _)| name).collect();
        let absent = absent(&known, &pairs);
        let (mut arguments, mut faults) = (Map::new(), Faults::default());
        for pair in &pairs {
            let Some(name) = named(pair, &mut faults) else { continue };
            let property = root.property(name);
            if property.is_none() && !root.is_open() {
                faults.unknown(name, &absent, &known);
                continue;
            }
            let value = match pair {
                Pair::Json(_, value) => value.clone(),
                _ => property.unwrap_or(Schema::new(&Value::Null)).read(&texts(&pairs, name)),
            };
            let is_second = arguments.insert(name.to_owned(), value).is_some();
            if is_second && pairs.iter().any(|pair| matches!(pair, Pair::Json(other, _) if other == name)) {
                faults.add(name, "stands there more than once: after `:=`, a list is one JSON array");
            }
        }
        if !faults.is_empty() {
            // Otherwise it is the server that says what does not fit.
            examine(schema, arguments, &mut faults);
            return Err(faults.into_error(tool));
        }
        Ok(arguments)
    }

    /// The arguments of a prompt, which are all text.
    pub(super) fn for_prompt(self, name: &str, prompt: &Map<String, Value>) -> Result<Map<String, Value>> {
        let pairs: Vec<Pair> = match self {
            Self::Object(object) => object.into_iter().map(|(name, value)| Pair::Json(name, value)).collect(),
            Self::Pairs(pairs) => pairs,
        };
        let known: Vec<&str> = prompt_arguments(prompt).map(|(known, ..)| known).collect();
        let absent = absent(&known, &pairs);
        let (mut arguments, mut faults) = (Map::new(), Faults::default());
        for pair in &pairs {
            let Some(argument) = named(pair, &mut faults) else { continue };
            if !known.contains(&argument) {
                faults.unknown(argument, &absent, &known);
                continue;
            }
            let text = match pair {
                Pair::Text(_, text) | Pair::Json(_, Value::String(text)) => text.clone(),
                Pair::Json(_, other) => other.to_string(),
                Pair::Broken(..) | Pair::Word(_) => continue,
            };
            if arguments.insert(argument.to_owned(), text.into()).is_some() {
                faults.add(argument, "stands there more than once");
            }
        }
        if !faults.is_empty() {
            for (required, ..) in prompt_arguments(prompt).filter(|(.., is_required)| *is_required) {
                if !arguments.contains_key(required) {
                    faults.missing(required);
                }
            }
            return Err(faults.into_error(name));
        }
        Ok(arguments)
    }
}

impl Pair {
    /// `name=value` or `name:=json`
    fn read(word: &str) -> Self {
        let Some((name, value)) = word.split_once('=').filter(|(name, _)| !name.is_empty() && *name != ":") else {
            return Self::Word(word.to_owned());
        };
        let Some(name) = name.strip_suffix(':') else {
            return Self::Text(name.to_owned(), value.to_owned());
        };
        match serde_json::from_str(value) {
            Ok(value) => Self::Json(name.to_owned(), value),
            Err(error) => Self::Broken(name.to_owned(), format!("not JSON: {error}; for a text write {name}={value}")),
        }
    }

    fn name(&self) -> Option<&str> {
        match self {
            Self::Text(name, _) | Self::Json(name, _) | Self::Broken(name, _) => Some(name),
            Self::Word(_) => None,
        }
    }
}

/// The name of an argument that has a value; what has none is a fault.
fn named<'a>(pair: &'a Pair, faults: &mut Faults) -> Option<&'a str> {
    match pair {
        Pair::Text(name, _) | Pair::Json(name, _) => return Some(name),
        Pair::Broken(name, why) => faults.add(name, why),
        Pair::Word(word) => faults.word(word),
    }
    None
}

/// The arguments that were not given: one of them is meant where a name is unknown.
fn absent<'a>(known: &[&'a str], pairs: &[Pair]) -> Vec<&'a str> {
    known.iter().copied().filter(|name| !pairs.iter().any(|pair| pair.name() == Some(name))).collect()
}

/// All texts under one name.
fn texts<'a>(pairs: &'a [Pair], name: &str) -> Vec<&'a str> {
    let text = |pair: &'a Pair| match pair {
        Pair::Text(other, text) if other == name => Some(text.as_str()),
        _ => None,
    };
    pairs.iter().filter_map(text).collect()
}

/// What the server would say of the arguments, were it asked.
fn examine(schema: &Value, arguments: Map<String, Value>, faults: &mut Faults) {
    let Ok(prepared) = Prepared::from_json(schema) else { return };
    let mut value = Value::Object(arguments);
    coerce(prepared.root(), &mut value);
    for violation in violations(prepared.root(), &value) {
        faults.violation(&violation);
    }
}

fn object(text: &str, place: &str) -> Result<Typed> {
    match serde_json::from_str(text) {
        Ok(Value::Object(object)) => Ok(Typed::Object(object)),
        Ok(_) => Err(Error::msg(format!("{place} is JSON, but not an object"))),
        Err(error) => Err(Error::msg(format!("{place} is not JSON: {error}"))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn typed(words: &[&str]) -> Result<Typed> {
        Typed::read(&words.iter().map(|word| (*word).to_owned()).collect::<Vec<_>>())
    }

    fn for_tool(words: &[&str]) -> Result<Value> {
        let schema = json!({"type": "object", "properties": {
            "text": {"type": "string"}, "count": {"type": "integer"}, "tags": {"type": "array", "items": {"type": "string"}}
        }});
        typed(words)?.for_tool("t", &schema).map(Value::Object)
    }

    #[test]
    fn the_schema_says_what_a_value_is() {
        assert_eq!(for_tool(&["text=12", "count=12"]).unwrap(), json!({"text": "12", "count": 12}));
        assert_eq!(for_tool(&["text=a=b", "tags=x", "tags=y"]).unwrap(), json!({"text": "a=b", "tags": ["x", "y"]}));
        assert_eq!(for_tool(&["text="]).unwrap(), json!({"text": ""}));
    }

    #[test]
    fn colon_and_equals_take_json() {
        assert_eq!(for_tool(&["text:=12", "tags:=[\"x\"]"]).unwrap(), json!({"text": 12, "tags": ["x"]}));
        let error = for_tool(&["text:=hello"]).unwrap_err().to_string();
        assert!(error.contains("text=hello"), "{error}");
    }

    #[test]
    fn one_object_is_taken_as_it_is() {
        assert_eq!(for_tool(&["{\"a\": 1}"]).unwrap(), json!({"a": 1}));
        assert!(for_tool(&["{a}"]).unwrap_err().to_string().contains("not JSON"));
    }

    #[test]
    fn an_unknown_name_is_never_ignored() {
        assert_eq!(
            for_tool(&["cuont=1"]).unwrap_err().to_string(),
            "the arguments of `t` do not fit:\n- /cuont: unknown argument, did you mean `count`?"
        );
        assert!(for_tool(&["zzz=1"]).unwrap_err().to_string().contains("`count`"));
        assert!(for_tool(&["word"]).unwrap_err().to_string().contains("name=value"));
        assert!(for_tool(&["=x"]).is_err());
        assert!(for_tool(&[":=1"]).is_err());
    }

    #[test]
    fn everything_that_is_wrong_is_said_at_once_and_once() {
        let schema = json!({"type": "object", "required": ["text", "count", "kind"], "properties": {
            "text": {"type": "string"}, "count": {"type": "integer"}, "kind": {"enum": ["a", "b"]}, "tags": {"type": "array"}
        }});
        let words = ["cuont=1", "kind=c", "zzz=1", "stray", "tags:=[", "text:=1", "text=x"];
        let error = typed(&words).unwrap().for_tool("t", &schema).unwrap_err().to_string();
        let lines: Vec<&str> = error.lines().collect();
        assert_eq!(lines.len(), 7, "{error}");
        for (line, said) in lines.iter().skip(1).zip([
            "- /cuont: unknown argument, did you mean `count`?",
            "- /zzz: unknown argument, there is `",
            "- `stray` is not an argument: write name=value",
            "- /tags: not JSON",
            "- /text: stands there more than once",
            "- /kind: expected one of \"a\", \"b\", got \"c\"",
        ]) {
            assert!(line.starts_with(said), "{line}\n{said}");
        }
    }

    #[test]
    fn arguments_of_prompts_are_text() {
        let Value::Object(prompt) = json!({"arguments": [{"name": "n"}, {"name": "m"}]}) else { panic!("an object") };
        let arguments = typed(&["n=12", "m:={\"a\":1}"]).unwrap().for_prompt("p", &prompt).unwrap();
        assert_eq!(Value::Object(arguments), json!({"n": "12", "m": "{\"a\":1}"}));
        assert!(typed(&["o=1"]).unwrap().for_prompt("p", &prompt).is_err());
        assert!(typed(&["n=1", "n=2"]).unwrap().for_prompt("p", &prompt).is_err());
    }
}
