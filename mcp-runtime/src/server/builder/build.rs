//! From what the author has said and what is linked to a server that can run, or to all that is wrong with it.

use std::any::{Any, TypeId};
use std::collections::HashMap;
use std::sync::Arc;

use tokio::sync::watch;

use super::{Defined, Server};
use crate::registry::build::{Builder, Given, twice};
use crate::registry::catalog::Catalog;
use crate::registry::changes::Changes;
use crate::registry::entry::{Handler, Location};
use crate::registry::item::Offered;
use crate::registry::link;
use crate::registry::problem::{BuildError, Problem};
use crate::server::ask::Table;
use crate::server::built::BuiltServer;
use crate::server::core::Core;
use crate::server::modern;

impl Server {
    /// The sealer, from the keys that are configured.
    #[cfg(feature = "http")]
    fn take_sealer(&mut self) -> Result<crate::server::seal::Sealer, Problem> {
        use crate::server::seal::Sealer;
        let mut keys = std::mem::take(&mut self.state_keys);
        let mut from = "`.state_key(…)`";
        if keys.is_empty() {
            keys = std::env::var("MCP_STATE_KEY")
                .unwrap_or_default()
                .split(',')
                .map(|key| key.trim().to_owned())
                .collect();
            keys.retain(|key| !key.is_empty());
            from = "`MCP_STATE_KEY`";
        }
        if keys.is_empty() {
            return Sealer::random()
                .map_err(|error| Problem::new(format!("no random key can be made: {error}"), "set `MCP_STATE_KEY`"));
        }
        let problem = |_| {
            Problem::new(
                format!("{from} is not 32 bytes as Base64 or hexadecimal digits"),
                "make one with `openssl rand -base64 32`",
            )
        };
        Sealer::from_keys(&keys).map_err(problem)
    }

    fn wants(&self, handler: &Handler) -> bool {
        let of = handler.at.crate_name();
        (self.groups.is_empty() || handler.group.is_some_and(|group| self.groups.get(group).is_some()))
            && (self.only.is_empty() || self.only.get(of).is_some())
            && self.exclude.get(of).is_none()
    }

    /// Says which crates are named that have nothing here: what was to be left out may be served under another name.
    fn warn_of_strangers(&self) {
        let named = self.exclude.iter().map(|(name, at)| (".exclude", name, *at));
        warn_of_crates(named.chain(self.prefixes.iter().map(|(name, prefix)| (".prefix", name, prefix.at))));
    }

    /// Says which crates and groups are named in vain, where others are served.
    fn warn_of_missing(&self) {
        warn_of_crates(self.only.iter().map(|(name, at)| (".only", name, *at)));
        if self.groups.is_empty() {
            return;
        }
        let linked = linked_groups();
        for (name, at) in self.groups.iter().filter(|(name, _)| !linked.contains(&name.as_str())) {
            let groups = if linked.is_empty() { "none".to_owned() } else { linked.join(", ") };
            crate::diagnostics::warn(format_args!(
                "`.group` names `{name}`, which no handler is in: the groups here are {groups} ({at})"
            ));
        }
    }

    /// Builds every schema once and checks everything.
    ///
    /// # Errors
    ///
    /// All problems at once: duplicate names with both places, state that is missing or there twice, schemas and defaults
    /// that do not fit, templates that collide, and a program in which nothing is linked.
    pub fn build(mut self) -> Result<BuiltServer, BuildError> {
        self.warn_of_strangers();
        let mut problems = Vec::new();
        self.check_identity(&mut problems);
        let (given, states) = self.take_states();
        problems.extend(twice(&given));
        let mut builder = Builder::new(self.options.profile, self.options.reading, &given, &self.prefixes);

        let tools = link::MCP_RUNTIME_TOOLS.iter().filter(|entry| self.wants(&entry.handler));
        let mut tools: Vec<_> = tools
            .filter_map(|entry| builder.offered("tool", &entry.handler, |builder| Some(builder.tool(entry))))
            .collect();
        tools.extend(defined(&mut self.tools, &mut builder));

        let prompts = link::MCP_RUNTIME_PROMPTS.iter().filter(|entry| self.wants(&entry.handler));
        let mut prompts: Vec<_> = prompts
            .filter_map(|entry| builder.offered("prompt", &entry.handler, |builder| Some(builder.prompt(entry))))
            .collect();
        prompts.extend(defined(&mut self.prompts, &mut builder));

        let resources = link::MCP_RUNTIME_RESOURCES.iter().filter(|entry| self.wants(&entry.handler));
        let mut resources: Vec<_> = resources
            .filter_map(|entry| builder.offered("resource", &entry.handler, |builder| builder.resource(entry)))
            .collect();
        resources.extend(defined(&mut self.resources, &mut builder));

        let tools = builder.sort("tool", tools);
        let prompts = builder.sort("prompt", prompts);
        let resources = builder.sort("resource", resources);
        builder.check_templates(&resources);
        problems.extend(builder.finish());
        if tools.is_empty()
            && prompts.is_empty()
            && resources.is_empty()
            && self.methods.is_empty()
            && !self.allow_empty
            && problems.is_empty()
        {
            problems.push(self.nothing_is_served());
        } else {
            self.warn_of_missing();
        }
        if self.options.revisions.is_empty() {
            problems
                .push(Problem::new("the server serves no protocol revision", "name at least one in `.revisions(…)`"));
        }
        #[cfg(feature = "http")]
        let sealer = self.take_sealer();
        #[cfg(feature = "http")]
        problems.extend(sealer.as_ref().err().cloned());
        BuildError::check(problems)?;

        let catalog = Catalog::default();
        let (direct, templates) = resources.into_iter().partition(|(item, _)| item.is_direct());
        catalog.tools.fill(tools);
        catalog.prompts.fill(prompts);
        catalog.resources.fill(direct);
        catalog.templates.fill(templates);
        let core = Core {
            server_info: modern::server_info(&self.identity),
            identity: self.identity,
            instructions: self.instructions,
            catalog,
            changes: Arc::new(Changes::default()),
            states,
            methods: self.methods,
            around: self.around,
            listing: Arc::default(),
            completing: Arc::default(),
            extending: Arc::default(),
            options: self.options,
            table: Table::default(),
            replays: self.replays,
            #[cfg(feature = "testing")]
            trails: crate::server::ask::Trails::default(),
            #[cfg(feature = "http")]
            sealer: sealer?,
            stopping: watch::Sender::new(false),
        };
        Ok(BuiltServer { core: Arc::new(core), hooks: self.hooks })
    }

    /// Nothing is linked, or the builder has narrowed it all away.
    fn nothing_is_served(&self) -> Problem {
        let linked = linked_crates();
        if linked.is_empty() {
            return Problem::new(
                "no tool, resource or prompt is linked into this program",
                "handlers in a library crate are dropped unless the program names the crate: add `use my_handlers as _;` to main.rs",
            );
        }
        let groups = linked_groups();
        let groups =
            if groups.is_empty() { String::new() } else { format!("; their groups are {}", groups.join(", ")) };
        let problem = Problem::new(
            "no tool, resource or prompt is left by `.group(…)`, `.only(…)` and `.exclude(…)`",
            format!("name other groups or crates: handlers are linked from {}{groups}", linked.join(", ")),
        );
        let named = [("group", &self.groups), ("only", &self.only), ("exclude", &self.exclude)];
        let places =
            named.into_iter().flat_map(|(setter, names)| names.iter().map(move |(name, at)| (setter, name, at)));
        places.fold(problem, |problem, (setter, name, at)| problem.at(format!(".{setter} of `{name}`"), *at))
    }

    /// Clients show the name, and keep what they know of a server under it.
    fn check_identity(&self, problems: &mut Vec<Problem>) {
        if self.identity.name.is_empty() {
            let advice = "give one to `Server::new(…)`, or write `mcp_runtime::server!()`";
            problems.push(Problem::new("the server has no name", advice).at("at", self.at));
        }
    }

    /// What was given, in order, and the states by type.
    fn take_states(&mut self) -> (Vec<Given>, HashMap<TypeId, Box<dyn Any + Send + Sync>>) {
        let states = std::mem::take(&mut self.states);
        let given = states.iter().map(|(given, _)| *given).collect();
        (given, states.into_iter().map(|(given, state)| (given.id, state)).collect())
    }
}

/// Warns of crates that are named, and have no handlers here.
fn warn_of_crates<'a>(named: impl Iterator<Item = (&'a str, &'a String, Location)>) {
    let mut named = named.peekable();
    if named.peek().is_none() {
        return;
    }
    let linked = linked_crates();
    for (setter, name, at) in named.filter(|(_, name, _)| !linked.contains(&name.as_str())) {
        let crates = linked.join(", ");
        crate::diagnostics::warn(format_args!(
            "`{setter}` names the crate `{name}`, which has no handlers here: they are linked from {crates} ({at})"
        ));
    }
}

/// The crates whose handlers are linked into this program.
fn linked_crates() -> Vec<&'static str> {
    sorted(linked_handlers().map(|handler| handler.at.crate_name()))
}

/// The groups that the linked handlers are in.
fn linked_groups() -> Vec<&'static str> {
    sorted(linked_handlers().filter_map(|handler| handler.group))
}

fn linked_handlers() -> impl Iterator<Item = &'static Handler> {
    let tools = link::MCP_RUNTIME_TOOLS.iter().map(|entry| &entry.handler);
    let prompts = link::MCP_RUNTIME_PROMPTS.iter().map(|entry| &entry.handler);
    tools.chain(prompts).chain(link::MCP_RUNTIME_RESOURCES.iter().map(|entry| &entry.handler))
}

fn sorted(names: impl Iterator<Item = &'static str>) -> Vec<&'static str> {
    let mut names: Vec<_> = names.collect();
    names.sort_unstable();
    names.dedup();
    names
}

/// The items that are defined at run time, offered from the start.
fn defined<I>(items: &mut Vec<Defined<I>>, builder: &mut Builder<'_>) -> impl Iterator<Item = Offered<I>> {
    std::mem::take(items).into_iter().filter_map(|make| Some((Arc::new(make(builder)?), true)))
}
