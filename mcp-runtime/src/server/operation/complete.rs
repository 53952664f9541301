//! `completion/complete`: candidates for an argument that is being typed.

use std::sync::Arc;

use super::{Work, error, unknown, unknown_of};
use crate::handler::completion::CompletionContext;
use crate::handler::ctx::Ctx;
use crate::protocol::ProtocolError;
use crate::protocol::params::Params;
use crate::registry::catalog::Found;
use crate::registry::item::{Completer, PromptItem, ResourceItem};
use crate::server::core::Core;
use crate::server::reply::{Candidates, Reply};

/// `completion/complete`
pub(crate) fn complete(core: &Arc<Core>, ctx: Ctx, params: &Params<'_>) -> Result<Work, ProtocolError> {
    let reference = params.require_object("ref")?;
    let argument = params.require_object("argument")?;
    let (name, partial) = (argument.require_text("name")?, argument.require_text("value")?.into_owned());
    let arguments = params.object("context")?.unwrap_or_default().get("arguments")?.unwrap_or_default();
    let source = match (&*reference.require_text("type")?, &reference.text("name")?, &reference.text("uri")?) {
        ("ref/prompt", Some(name), _) => {
            let item = core.catalog.prompts.get(name);
            Completed::Prompt(item.ok_or_else(|| unknown("prompt", name, &core.catalog.prompts.now()))?)
        }
        ("ref/resource", _, Some(uri)) => {
            let item = core.catalog.templates.get(uri);
            let item = item.or_else(|| match core.catalog.find_resource(uri) {
                Found::Resource(item, _) => Some(item),
                _ => None,
            });
            Completed::Resource(item.ok_or_else(|| unknown("resource template", uri, &core.catalog.templates.now()))?)
        }
        _ => {
            return Err(ProtocolError::invalid_params(
                "`params.ref` must be a `ref/prompt` with a `name` or a `ref/resource` with a `uri`",
            ));
        }
    };
    if !source.has_argument(&name) {
        return Err(unknown_of("argument", &name, source.arguments()));
    }
    let name = name.into_owned();
    let context = CompletionContext { arguments, host: Arc::clone(core) as _ };
    let (core, pace) = (Arc::clone(core), Arc::clone(&core.completing));
    Ok(Work::new(ctx.call, pace, async move {
        let values = match source.completer(&name) {
            None => Vec::new(),
            Some(Completer::Closed(values)) => starting_with(values, &partial),
            Some(Completer::Function(function)) => {
                function(&partial, &context).await.map_err(|failure| error(&core, failure))?
            }
        };
        Ok(Reply::Completion(Candidates::new(values)))
    }))
}

enum Completed {
    Prompt(Arc<PromptItem>),
    Resource(Arc<ResourceItem>),
}

impl Completed {
    fn completer(&self, argument: &str) -> Option<&Completer> {
        match self {
            Self::Prompt(item) => item.common.completer(argument),
            Self::Resource(item) => item.common.completer(argument),
        }
    }

    fn has_argument(&self, argument: &str) -> bool {
        match self {
            Self::Prompt(item) => item.common.has_argument(argument),
            Self::Resource(item) => item.common.has_argument(argument),
        }
    }

    fn arguments(&self) -> Vec<&str> {
        match self {
            Self::Prompt(item) => item.common.inputs.names().collect(),
            Self::Resource(item) => item.common.inputs.names().collect(),
        }
    }
}

fn starting_with(values: &[String], partial: &str) -> Vec<String> {
    let partial = partial.to_lowercase();
    values.iter().filter(|value| value.to_lowercase().starts_with(&partial)).cloned().collect()
}
