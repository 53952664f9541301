//! Who the client is and what it can do.

use serde::{Deserialize, Deserializer};
use serde_json::{Map, Value};

/// Name and version of a client, see <https://modelcontextprotocol.io/specification/draft/basic>. For display and logs: clients can claim anything.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[non_exhaustive]
pub struct Implementation {
    /// The programmatic name.
    #[serde(default)]
    pub name: String,
    /// The version.
    #[serde(default)]
    pub version: String,
    /// A name for people.
    #[serde(default)]
    pub title: Option<String>,
}

/// What the client declared that it can do.
///
/// Unknown members are kept in [`raw`](Self::raw), so nothing that a newer client declares is refused.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ClientCapabilities {
    raw: Map<String, Value>,
}

impl<'de> Deserialize<'de> for ClientCapabilities {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Map::deserialize(deserializer).map(|raw| Self { raw })
    }
}

impl ClientCapabilities {
    /// The capabilities as the client sent them.
    #[must_use]
    pub const fn raw(&self) -> &Map<String, Value> {
        &self.raw
    }

    /// Whether the client can show a form (`elicitation`, which means forms when it says nothing else).
    #[must_use]
    pub fn can_elicit(&self) -> bool {
        self.raw.get("elicitation").is_some_and(|elicitation| {
            elicitation.as_object().is_some_and(|modes| modes.contains_key("form") || !modes.contains_key("url"))
        })
    }

    /// Whether the client can open a URL for the user (`elicitation.url`).
    #[must_use]
    pub fn can_elicit_url(&self) -> bool {
        self.has(&["elicitation", "url"])
    }

    /// Whether the client can ask a model (`sampling`).
    #[must_use]
    pub fn can_sample(&self) -> bool {
        self.has(&["sampling"])
    }

    /// Whether the model that the client asks can use tools (`sampling.tools`).
    #[must_use]
    pub fn can_sample_with_tools(&self) -> bool {
        self.has(&["sampling", "tools"])
    }

    /// Whether the client can add to what a model is asked what it knows from this server (`sampling.context`).
    pub(crate) fn can_sample_with_context(&self) -> bool {
        self.has(&["sampling", "context"])
    }

    /// Whether the client has roots (`roots`).
    #[must_use]
    pub fn has_roots(&self) -> bool {
        self.has(&["roots"])
    }

    /// Whether the client says when its roots change (`roots.listChanged`).
    pub(crate) fn announces_roots(&self) -> bool {
        self.raw.get("roots").and_then(|roots| roots.get("listChanged")).is_some_and(|announces| announces == true)
    }

    /// Whether the path leads to an object.
    fn has(&self, path: &[&str]) -> bool {
        let mut at = &self.raw;
        for key in path {
            match at.get(*key) {
                Some(Value::Object(next)) => at = next,
                _ => return false,
            }
        }
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn declared(text: &str) -> ClientCapabilities {
        serde_json::from_str(text).unwrap()
    }

    #[test]
    fn an_empty_elicitation_means_forms_only() {
        let capabilities = declared(r#"{"elicitation":{}}"#);
        assert!(capabilities.can_elicit());
        assert!(!capabilities.can_elicit_url());
    }

    #[test]
    fn url_mode_alone_does_not_mean_forms() {
        let capabilities = declared(r#"{"elicitation":{"url":{}},"sampling":{"tools":{}},"x":[1]}"#);
        assert!(!capabilities.can_elicit());
        assert!(capabilities.can_elicit_url());
        assert!(capabilities.can_sample_with_tools());
        assert!(!capabilities.has_roots());
    }
}
