//! Everything the server defines, as a client of one revision receives it.

use std::collections::HashMap;
use std::fmt;

use serde::Deserialize;
use serde::de::{Deserializer, IgnoredAny, MapAccess, Visitor};
use serde_json::Value;

use crate::protocol::features::Features;
use crate::registry::catalog::Shelf;
use crate::registry::entry::Location;
use crate::registry::item::{Entry, Item};
use crate::server::core::Core;

/// What is defined, sorted; resources that a function enumerates are data and not among it.
#[derive(Debug, Default)]
pub(super) struct Definitions {
    pub(super) tools: Vec<Definition>,
    pub(super) resources: Vec<Definition>,
    pub(super) templates: Vec<Definition>,
    pub(super) prompts: Vec<Definition>,
}

/// One of them, and where it stands in the source.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Definition {
    pub(super) json: Value,
    pub(super) at: Option<Location>,
}

impl Definitions {
    pub(super) fn of(core: &Core, features: &'static Features) -> Self {
        let catalog = &core.catalog;
        Self {
            tools: written(&catalog.tools, features, |tool| tool.common.at),
            resources: written(&catalog.resources, features, |resource| resource.common.at),
            templates: written(&catalog.templates, features, |template| template.common.at),
            prompts: written(&catalog.prompts, features, |prompt| prompt.common.at),
        }
    }

    /// The lists under the names they have in the protocol.
    pub(super) fn lists(&self) -> [(&'static str, &[Definition]); 4] {
        [
            ("tools", &self.tools),
            ("resources", &self.resources),
            ("resourceTemplates", &self.templates),
            ("prompts", &self.prompts),
        ]
    }
}

fn written<T: Item>(shelf: &Shelf<T>, features: &'static Features, at: impl Fn(&T) -> Location) -> Vec<Definition> {
    let json = |item: &T| serde_json::to_value(Entry(item, features)).unwrap_or_default();
    shelf.now().items().map(|item| Definition { json: json(item), at: Some(at(item)) }).collect()
}

/// The names of each tool's arguments in the order of its parameters, which a parsed schema has lost.
pub(super) fn argument_orders(core: &Core) -> HashMap<String, Vec<String>> {
    #[derive(Deserialize)]
    struct Root {
        properties: Names,
    }
    let names =
        |schema: &str| serde_json::from_str::<Root>(schema).map_or_else(|_| Vec::new(), |root| root.properties.0);
    let tools = core.catalog.tools.now();
    tools.items().map(|tool| (tool.name().to_owned(), names(tool.common.inputs.schema.wire().get()))).collect()
}

/// The names of an object's members.
struct Names(Vec<String>);

impl<'de> Deserialize<'de> for Names {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Members;
        impl<'de> Visitor<'de> for Members {
            type Value = Names;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut members: A) -> Result<Names, A::Error> {
                let mut names = Vec::new();
                while let Some((name, IgnoredAny)) = members.next_entry()? {
                    names.push(name);
                }
                Ok(Names(names))
            }
        }
        deserializer.deserialize_map(Members)
    }
}

/// A text member.
pub(super) fn text<'a>(value: &'a Value, name: &str) -> &'a str {
    value.get(name).and_then(Value::as_str).unwrap_or_default()
}
