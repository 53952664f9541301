//! Every key that the derives know is left to them, in every form and place that they know it in.
#![allow(dead_code)]

use std::collections::BTreeMap;
use std::marker::PhantomData;

use mcp_runtime::schemars;
use mcp_runtime::serde::{Deserialize, Deserializer, Serialize, Serializer};

#[mcp_runtime::data]
#[serde(rename = "Town", rename_all = "camelCase", deny_unknown_fields, expecting = "a town")]
#[serde(bound(serialize = ""), bound(deserialize = ""))]
#[schemars(title = concat!("A", " town"), description = "Where", example = City::default(), inline)]
#[schemars(extend("x-one" = 1), extend("x-two" = [2, 3]), transform = schemars::transform::RecursiveTransform(of))]
#[derive(Default)]
struct City {
    #[serde(rename(serialize = "n", deserialize = "m"), alias = "one", alias = "two", default = "name")]
    #[schemars(length(min = 1, max = "LONGEST"), pattern(r"^[a-z]+$"), description = "Its name")]
    name: String,
    #[serde(rename = "a", rename(deserialize = "b"))]
    renamed: u8,
    #[serde(rename(deserialize = "c", deserialize = "d"))]
    twice: u8,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 1), example = 1, example = 2)]
    size: Option<u8>,
    #[serde(default = "Vec::<u8>::new", skip_serializing_if = "<[u8]>::is_empty")]
    #[schemars(length(equal = 3), inner(range(min = 1)))]
    list: Vec<u8>,
    #[schemars(email, required)]
    mail: Option<String>,
    #[schemars(url, regex(pattern = "a"))]
    url: String,
    #[schemars(contains(pattern = "@"), with = "String")]
    other: String,
    #[schemars(schema_with = "any", !default)]
    #[serde(default)]
    any: String,
    #[schemars(rename = "z", skip_serializing_if = "Option::is_none", default)]
    z: Option<u8>,
    #[serde()]
    #[schemars()]
    nothing: u8,
}

const LONGEST: usize = 80;

fn name() -> String {
    "Berne".to_owned()
}

fn of(_: &mut schemars::Schema) {}

fn any(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
    schemars::Schema::default()
}

#[mcp_runtime::data]
#[serde(default = "Filled::new")]
struct Filled {
    first: u8,
    #[serde(skip_deserializing)]
    second: u8,
}

impl Filled {
    fn new() -> Self {
        Self { first: 1, second: 2 }
    }
}

#[mcp_runtime::data]
#[serde(default)]
#[derive(Default)]
struct Empty {}

#[mcp_runtime::data]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
struct Unit;

#[mcp_runtime::data]
#[serde(tag = "type")]
struct Tagged {
    first: u8,
    r#type_: u8,
}

#[mcp_runtime::data]
#[serde(default)]
#[derive(Default)]
struct Tuple(u8, #[serde(default)] u8, #[serde(skip)] u8);

#[mcp_runtime::data]
#[serde(tag = "type", rename_all(serialize = "lowercase", deserialize = "UPPERCASE"), rename_all_fields = "camelCase")]
enum ByTag {
    #[serde(alias = "uno", rename_all = "snake_case")]
    One { first: u8 },
    #[serde(rename_all = "SCREAMING_SNAKE_CASE")]
    Other { r#type: u8 },
    Renamed {
        #[serde(rename = "kind")]
        r#type: u8,
    },
    #[serde(skip)]
    Skipped { r#type: u8 },
    Read {
        #[serde(skip)]
        r#type: u8,
    },
    Newtype(City),
    Unit,
    #[serde(other)]
    Other2,
}

#[mcp_runtime::data]
#[serde(tag = "type", content = "content")]
enum Beside {
    Named { r#type: u8, content: u8 },
    Tuple(u8, u8),
    None(),
    #[serde(untagged)]
    Rest(u8, u8),
}

#[mcp_runtime::data]
#[serde(untagged)]
#[schemars(untagged)]
enum Untagged {
    Tuple(u8, u8),
    #[serde(with = "hexadecimal")]
    #[schemars(with = "String", title = "In hexadecimal")]
    Number(u8),
}

#[mcp_runtime::data]
#[serde(transparent)]
struct Transparent<T> {
    #[schemars(range(max = 3))]
    number: u8,
    #[serde(skip)]
    cache: u8,
    #[serde(default, skip_serializing)]
    also: u8,
    of: PhantomData<T>,
}

#[mcp_runtime::data]
#[serde(try_from = "u8", into = "u8")]
#[derive(Clone)]
struct Small(u8);

impl TryFrom<u8> for Small {
    type Error = &'static str;

    fn try_from(number: u8) -> Result<Self, Self::Error> {
        if number < 8 { Ok(Self(number)) } else { Err("too great") }
    }
}

impl From<Small> for u8 {
    fn from(small: Small) -> Self {
        small.0
    }
}

#[mcp_runtime::data]
struct Holder<'a> {
    #[serde(flatten)]
    city: City,
    #[serde(flatten)]
    rest: BTreeMap<String, u8>,
    #[serde(borrow = "'a")]
    text: std::borrow::Cow<'a, str>,
    #[serde(serialize_with = "hexadecimal::serialize", deserialize_with = "hexadecimal::deserialize")]
    number: u8,
}

mod hexadecimal {
    use super::*;

    pub fn serialize<S: Serializer>(number: &u8, serializer: S) -> Result<S::Ok, S::Error> {
        format!("{number:x}").serialize(serializer)
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<u8, D::Error> {
        let text = <&str>::deserialize(deserializer)?;
        u8::from_str_radix(text, 16).map_err(mcp_runtime::serde::de::Error::custom)
    }
}

#[mcp_runtime::data]
#[cfg_attr(all(), serde(tag = "type"))]
#[serde(content = "content")]
enum Conditional {
    One(u8, u8),
}

macro_rules! named {
    ($type:ident, $name:literal, $($key:tt)*) => {
        #[mcp_runtime::data]
        #[serde(rename = $name, $($key)*)]
        struct $type {
            #[serde(rename = $name, default)]
            field: u8,
        }
    };
}

named!(Named, "name", rename_all = "camelCase");

fn main() {}
