//! What is asked, as a request of the peer's revision, and what the client must be able to do for it.

use std::borrow::Cow;

use serde::Serialize;
use serde::ser::SerializeMap as _;
use serde_json::value::{RawValue, to_raw_value};
use serde_json::{Value, json};

use super::error::AskError;
use super::form::Form;
use super::sampling::SampleRequest;
use crate::handler::client::Client;
use crate::protocol::features::Features;

/// What is asked.
#[derive(Debug)]
pub(crate) enum Pose {
    /// A form.
    Form { message: Cow<'static, str>, form: &'static Form },
    /// A page that the person opens; the id is sent where the revision has one.
    Url { message: Cow<'static, str>, url: String, id: String },
    /// A model's text.
    Sample(Box<SampleRequest>),
    /// The client's roots.
    Roots,
}

/// What the client must have declared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Need {
    Forms,
    Urls,
    Sampling,
    SamplingTools,
    Roots,
}

impl Need {
    /// Whether the client, by its revision and its own words, can be asked.
    pub(crate) fn is_met(self, client: &Client, features: &Features) -> bool {
        let can = &client.capabilities;
        match self {
            Self::Forms => features.elicitation && can.can_elicit(),
            Self::Urls => features.elicitation_modes && can.can_elicit_url(),
            Self::Sampling => can.can_sample(),
            Self::SamplingTools => features.sampling_tools && can.can_sample_with_tools(),
            Self::Roots => can.has_roots(),
        }
    }

    /// As the client would have to declare it.
    pub(crate) fn capabilities(self) -> Value {
        match self {
            Self::Forms => json!({"elicitation": {}}),
            Self::Urls => json!({"elicitation": {"url": {}}}),
            Self::Sampling => json!({"sampling": {}}),
            Self::SamplingTools => json!({"sampling": {"tools": {}}}),
            Self::Roots => json!({"roots": {}}),
        }
    }

    /// In words, after "which this client".
    pub(crate) const fn lacking(self) -> &'static str {
        match self {
            Self::Forms => "it has to ask the user with a form (`elicitation`), which this client does not support",
            Self::Urls => "it has to send the user to a page (`elicitation.url`), which this client does not support",
            Self::Sampling => {
                "it has to ask a model through the client (`sampling`), which this client does not support"
            }
            Self::SamplingTools => {
                "it has to ask a model with tools (`sampling.tools`), which this client does not support"
            }
            Self::Roots => "it has to know the client's roots (`roots`), which this client does not support",
        }
    }
}

impl Pose {
    pub(crate) fn need(&self) -> Need {
        match self {
            Self::Form { .. } => Need::Forms,
            Self::Url { .. } => Need::Urls,
            Self::Sample(request) if request.wants_tools() => Need::SamplingTools,
            Self::Sample(_) => Need::Sampling,
            Self::Roots => Need::Roots,
        }
    }

    pub(crate) const fn method(&self) -> &'static str {
        match self {
            Self::Form { .. } | Self::Url { .. } => "elicitation/create",
            Self::Sample(_) => "sampling/createMessage",
            Self::Roots => "roots/list",
        }
    }

    /// What it is called where its author gave it no key.
    pub(crate) const fn name(&self) -> &'static str {
        match self {
            Self::Form { form, .. } => form.name,
            Self::Url { .. } => "url",
            Self::Sample(_) => "sample",
            Self::Roots => "roots",
        }
    }

    /// Leaves out what the client can do without, and has not declared.
    pub(crate) fn fit(&mut self, client: &Client, features: &Features) {
        if let Self::Sample(request) = self {
            // Earlier revisions have no word for it: there a client leaves out by itself what it does not do.
            if features.sampling_tools && !client.capabilities.can_sample_with_context() {
                request.leave_out_context();
            }
        }
    }

    /// The parameters as a client of these features knows them.
    pub(crate) fn params(&self, features: &'static Features) -> Result<Option<Box<RawValue>>, AskError> {
        let written = match self {
            Self::Roots => return Ok(None),
            Self::Form { .. } | Self::Url { .. } => to_raw_value(&Params(self, features)),
            Self::Sample(request) => {
                request.check()?;
                to_raw_value(&request.with(features))
            }
        };
        written.map(Some).map_err(|error| AskError::Request(format!("the question cannot be written as JSON: {error}")))
    }
}

struct Params<'a>(&'a Pose, &'static Features);

impl Serialize for Params<'_> {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Self(pose, features) = *self;
        let mut map = serializer.serialize_map(None)?;
        match pose {
            Pose::Form { message, form } => {
                if features.elicitation_modes {
                    map.serialize_entry("mode", "form")?;
                }
                map.serialize_entry("message", message)?;
                map.serialize_entry("requestedSchema", &form.with(features))?;
            }
            Pose::Url { message, url, id } => {
                map.serialize_entry("mode", "url")?;
                map.serialize_entry("message", message)?;
                map.serialize_entry("url", url)?;
                if !features.modern {
                    map.serialize_entry("elicitationId", id)?;
                }
            }
            Pose::Sample(_) | Pose::Roots => {}
        }
        map.end()
    }
}
