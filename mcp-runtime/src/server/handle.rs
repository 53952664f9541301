//! `ServerHandle`: changes to a running server.

use std::fmt;
use std::sync::Arc;

use super::core::Core;
use crate::handler::ctx::Ctx;
use crate::handler::error::{Error, Result};
use crate::protocol::on_each;
use crate::registry::build::{Builder, same_templates};
use crate::registry::define::{Definition, PromptDefinition, ResourceDefinition, ToolDefinition};
use crate::registry::entry::Location;
use crate::registry::item::{Item as _, ResourceItem};
use crate::registry::problem::{BuildError, Problem};
use crate::sorted::Sorted;

/// Changes a running server: what it offers, what has changed, when it stops. Cheap to clone, for any thread.
///
/// Each real change is announced to the clients that are entitled to hear of it; bursts become one announcement.
#[derive(Clone)]
pub struct ServerHandle {
    core: Arc<Core>,
}

impl fmt::Debug for ServerHandle {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ServerHandle").field("name", &self.core.identity.name).finish_non_exhaustive()
    }
}

impl ServerHandle {
    pub(crate) const fn new(core: Arc<Core>) -> Self {
        Self { core }
    }

    #[cfg(feature = "testing")]
    pub(crate) fn core(&self) -> &Core {
        &self.core
    }

    /// The tools.
    #[must_use]
    pub fn tools(&self) -> ToolsHandle<'_> {
        ToolsHandle { core: &self.core }
    }

    /// The resources and templates.
    #[must_use]
    pub fn resources(&self) -> ResourcesHandle<'_> {
        ResourcesHandle { core: &self.core }
    }

    /// The prompts.
    #[must_use]
    pub fn prompts(&self) -> PromptsHandle<'_> {
        PromptsHandle { core: &self.core }
    }

    /// Says that the contents of a resource changed, to the clients that have subscribed to it.
    pub fn resource_updated(&self, uri: impl Into<String>) {
        let uri = uri.into();
        self.core.changes.record(|changes| {
            changes.updated.insert(uri);
        });
    }

    /// Says that the list of resources changed: what `list = …` enumerates is known to you alone.
    pub fn resources_changed(&self) {
        self.core.changes.record(|changes| changes.resources = true);
    }

    /// Stops the server: it finishes as on SIGTERM.
    pub fn shutdown(&self) {
        self.core.stopping.send_replace(true);
    }
}

/// One kind of thing that the server offers: what authors call stands below, outside of the macro.
macro_rules! shelf_handle {
    ($(#[$doc:meta])* $type:ident, $definition:ty, $kind:literal, [$($shelf:ident),+], $change:ident, $make:expr, $add:expr) => {
        $(#[$doc])*
        #[derive(Clone, Copy)]
        pub struct $type<'h> {
            core: &'h Core,
        }

        impl fmt::Debug for $type<'_> {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(stringify!($type))
            }
        }

        impl $type<'_> {
            fn set_enabled(&self, name: &str, is_enabled: bool) -> bool {
                self.announced([$(self.core.catalog.$shelf.set_enabled(name, is_enabled)),+].contains(&true))
            }

            fn take(&self, name: &str) -> bool {
                self.announced([$(self.core.catalog.$shelf.remove(name)),+].contains(&true))
            }

            fn put(&self, definition: $definition, at: Location) -> Result<(), Error> {
                let no_prefixes = Sorted::default();
                let options = &self.core.options;
                // What is defined at run time has no parameters, so none that want a state.
                let mut builder = Builder::new(options.profile, options.reading, &[], &no_prefixes);
                let make: fn(&mut Builder<'_>, $definition, Location) -> Option<_> = $make;
                let item = make(&mut builder, definition, at);
                BuildError::check(builder.finish())?;
                let Some(item) = item else { return Ok(()) };
                let key = item.key().to_owned();
                let add: fn(&Core, _) -> Result<bool, Problem> = $add;
                let added = add(self.core, item).or_else(|problem| BuildError::check(vec![problem]).map(|()| false))?;
                if !self.announced(added) {
                    let problem = Problem::new(format!("there is a {} `{key}` already", $kind), "remove it first, or choose another name");
                    BuildError::check(vec![problem.at("at", at)])?;
                }
                Ok(())
            }

            fn announced(&self, changed: bool) -> bool {
                if changed {
                    self.core.changes.record(|changes| changes.$change = true);
                }
                changed
            }
        }
    };
}

shelf_handle!(
    /// The tools of a running server.
    ToolsHandle,
    ToolDefinition,
    "tool",
    [tools],
    tools,
    |builder, definition, at| Some(builder.defined_tool(definition, at)),
    |core, item| Ok(core.catalog.tools.add(item))
);
shelf_handle!(
    /// The prompts of a running server.
    PromptsHandle,
    PromptDefinition,
    "prompt",
    [prompts],
    prompts,
    |builder, definition, at| Some(builder.defined_prompt(definition, at)),
    |core, item| Ok(core.catalog.prompts.add(item))
);
shelf_handle!(
    /// The resources and templates of a running server, by name or URI.
    ResourcesHandle,
    ResourceDefinition,
    "resource",
    [resources, templates],
    resources,
    |builder, definition, at| builder.defined_resource(definition, at),
    |core, item: ResourceItem| {
        if item.is_direct() {
            return Ok(core.catalog.resources.add(item));
        }
        match core.catalog.templates.now().items().find_map(|known| same_templates(known, &item)) {
            Some(problem) => Err(problem),
            None => Ok(core.catalog.templates.add(item)),
        }
    }
);

on_each! {
    ToolsHandle<'_>, PromptsHandle<'_>, ResourcesHandle<'_> => {
        /// Offers it (again). Returns whether that was a change.
        #[expect(clippy::must_use_candidate, reason = "it is done whether or not that is asked")]
        pub fn enable(&self, name: &str) -> bool {
            self.set_enabled(name, true)
        }

        /// Stops offering it, for clients as if it did not exist. Calls under way go on. Returns whether that was a change.
        #[expect(clippy::must_use_candidate, reason = "it is done whether or not that is asked")]
        pub fn disable(&self, name: &str) -> bool {
            self.set_enabled(name, false)
        }

        /// Removes it for good. Calls under way go on. Returns whether it was there.
        #[expect(clippy::must_use_candidate, reason = "it is done whether or not that is asked")]
        pub fn remove(&self, name: &str) -> bool {
            self.take(name)
        }
    }
}

impl ToolsHandle<'_> {
    /// Adds a [`ToolDefinition`](crate::ToolDefinition).
    ///
    /// # Errors
    ///
    /// When its name is taken, or something in it does not fit.
    #[track_caller]
    pub fn add(&self, definition: impl Definition<ToolDefinition>) -> Result<(), Error> {
        self.put(definition.definition(), Location::caller())
    }
}

impl PromptsHandle<'_> {
    /// Adds a [`PromptDefinition`](crate::PromptDefinition).
    ///
    /// # Errors
    ///
    /// When its name is taken, or something in it does not fit.
    #[track_caller]
    pub fn add(&self, definition: impl Definition<PromptDefinition>) -> Result<(), Error> {
        self.put(definition.definition(), Location::caller())
    }
}

impl ResourcesHandle<'_> {
    /// Adds a [`ResourceDefinition`](crate::ResourceDefinition).
    ///
    /// # Errors
    ///
    /// When its name is taken, or something in it does not fit.
    #[track_caller]
    pub fn add(&self, definition: impl Definition<ResourceDefinition>) -> Result<(), Error> {
        self.put(definition.definition(), Location::caller())
    }
}

impl Ctx {
    /// A handle to the server, to change what it offers or to say what changed.
    ///
    /// # Panics
    ///
    /// Never: every context belongs to a server.
    #[must_use]
    #[expect(clippy::expect_used, reason = "contexts are made by servers only")]
    pub fn server(&self) -> ServerHandle {
        let core = Arc::clone(&self.call.host).as_any().downcast::<Core>();
        ServerHandle::new(core.expect("a context belongs to a server"))
    }
}
