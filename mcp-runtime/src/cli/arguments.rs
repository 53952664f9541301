//! The arguments of `call` and `prompt`, from the words of the command line.

use std::io::Read as _;

use serde_json::{Map, Value};

use super::types::{Schema, prompt_arguments};
use crate::handler::error::{Error, Result};
use crate::schema::nearest;

/// Arguments as they were typed.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Typed {
    /// One JSON object.
    Object(Map<String, Value>),
    /// `name=value` and `name:=json`, in order.
    Pairs(Vec<(String, Given)>),
}

#[derive(Clone, Debug, PartialEq)]
pub(super) enum Given {
    Text(String),
    Json(Value),
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
            _ => Ok(Self::Pairs(words.iter().map(|word| pair(word)).collect::<Result<_>>()?)),
        }
    }

    /// The arguments of a tool with this input schema.
    pub(super) fn for_tool(self, tool: &str, schema: &Value) -> Result<Map<String, Value>> {
        let pairs = match self {
            Self::Object(object) => return Ok(object),
            Self::Pairs(pairs) => pairs,
        };
        let schema = Schema::new(schema);
        let known = || schema.properties().map(|(name, _)| name).collect::<Vec<_>>();
        let mut arguments = Map::new();
        for (name, given) in &pairs {
            let property = schema.property(name);
            if property.is_none() && !schema.is_open() {
                return Err(unknown(&format!("tool `{tool}`"), name, &known()));
            }
            let value = match given {
                Given::Json(value) => value.clone(),
                Given::Text(_) => {
                    let texts = texts(&pairs, name);
                    property.unwrap_or(Schema::new(&Value::Null)).read(&texts)
                }
            };
            arguments.insert(name.clone(), value);
        }
        Ok(arguments)
    }

    /// The arguments of a prompt, which are all text.
    pub(super) fn for_prompt(self, name: &str, prompt: &Map<String, Value>) -> Result<Map<String, Value>> {
        let pairs: Vec<(String, Given)> = match self {
            Self::Object(object) => object.into_iter().map(|(name, value)| (name, Given::Json(value))).collect(),
            Self::Pairs(pairs) => pairs,
        };
        let mut arguments = Map::new();
        for (argument, given) in pairs {
            if !prompt_arguments(prompt).any(|(known, ..)| known == argument) {
                let known: Vec<&str> = prompt_arguments(prompt).map(|(known, ..)| known).collect();
                return Err(unknown(&format!("prompt `{name}`"), &argument, &known));
            }
            let text = match given {
                Given::Text(text) | Given::Json(Value::String(text)) => text,
                Given::Json(other) => other.to_string(),
            };
            arguments.insert(argument, text.into());
        }
        Ok(arguments)
    }
}

/// All texts under one name.
fn texts<'a>(pairs: &'a [(String, Given)], name: &str) -> Vec<&'a str> {
    let of_name = pairs.iter().filter(|(other, _)| other == name);
    of_name.filter_map(|(_, given)| if let Given::Text(text) = given { Some(text.as_str()) } else { None }).collect()
}

fn object(text: &str, place: &str) -> Result<Typed> {
    match serde_json::from_str(text) {
        Ok(Value::Object(object)) => Ok(Typed::Object(object)),
        Ok(_) => Err(Error::msg(format!("{place} is JSON, but not an object"))),
        Err(error) => Err(Error::msg(format!("{place} is not JSON: {error}"))),
    }
}

/// `name=value` or `name:=json`
fn pair(word: &str) -> Result<(String, Given)> {
    let Some((name, value)) = word.split_once('=').filter(|(name, _)| !name.is_empty() && *name != ":") else {
        return Err(Error::msg(format!(
            "`{word}` is not an argument: write name=value, name:=JSON or one JSON object"
        )));
    };
    let Some(name) = name.strip_suffix(':') else {
        return Ok((name.to_owned(), Given::Text(value.to_owned())));
    };
    match serde_json::from_str(value) {
        Ok(value) => Ok((name.to_owned(), Given::Json(value))),
        Err(error) => {
            Err(Error::msg(format!("the value of `{name}` is not JSON: {error}\nfor a text write {name}={value}")))
        }
    }
}

/// Nothing of this name: what is near it, or everything there is.
fn unknown(owner: &str, name: &str, known: &[&str]) -> Error {
    Error::msg(format!("{owner} has no argument `{name}`: {}", alternatives(name, known)))
}

/// `did you mean …`, or the list.
pub(super) fn alternatives(name: &str, known: &[&str]) -> String {
    match nearest(name, known.iter().copied()) {
        Some(near) => format!("did you mean `{near}`?"),
        None if known.is_empty() => "there are none".to_owned(),
        None => format!("there is {}", known.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ")),
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
            "tool `t` has no argument `cuont`: did you mean `count`?"
        );
        assert!(for_tool(&["zzz=1"]).unwrap_err().to_string().contains("`count`"));
        assert!(for_tool(&["word"]).unwrap_err().to_string().contains("name=value"));
        assert!(for_tool(&["=x"]).is_err());
        assert!(for_tool(&[":=1"]).is_err());
    }

    #[test]
    fn arguments_of_prompts_are_text() {
        let Value::Object(prompt) = json!({"arguments": [{"name": "n"}, {"name": "m"}]}) else { panic!("an object") };
        let arguments = typed(&["n=12", "m:={\"a\":1}"]).unwrap().for_prompt("p", &prompt).unwrap();
        assert_eq!(Value::Object(arguments), json!({"n": "12", "m": "{\"a\":1}"}));
        assert!(typed(&["o=1"]).unwrap().for_prompt("p", &prompt).is_err());
    }
}
