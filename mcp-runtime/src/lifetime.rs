//! What all ways of running a server share: what is said at its start, and what ends it.

use std::time::Duration;

use crate::registry::entry::Location;
use crate::server::BuiltServer;
use crate::sorted::Sorted;
use crate::transport::signal;

impl BuiltServer {
    /// Resolves on Ctrl-C, SIGTERM or [`ServerHandle::shutdown`](crate::ServerHandle::shutdown).
    pub(crate) fn ended(&self) -> impl Future<Output = ()> + Send + use<> {
        let stopped = self.core.stopped();
        // What is ready then is still answered; that takes moments, not the grace period.
        let signalled = signal::stop(Duration::from_secs(1));
        async move {
            tokio::select! {
                () = stopped => {}
                () = signalled => {}
            }
        }
    }

    /// Says what is served: a linked dependency may offer more than its user knows.
    pub(crate) fn introduce(&self, place: &str) {
        let catalog = &self.core.catalog;
        let (tools, prompts) = (catalog.tools.now(), catalog.prompts.now());
        let (resources, templates) = (catalog.resources.now(), catalog.templates.now());
        let places = (tools.items().map(|item| item.common.at))
            .chain(prompts.items().map(|item| item.common.at))
            .chain(resources.items().chain(templates.items()).map(|item| item.common.at));
        let mut crates: Sorted<&str, ()> = Sorted::default();
        for at in places.filter(Location::is_attribute) {
            crates.insert(at.crate_name(), ());
        }
        let from = if crates.is_empty() {
            String::new()
        } else {
            format!(" from {}", crates.keys().copied().collect::<Vec<_>>().join(", "))
        };
        crate::diagnostics::note(format_args!(
            "{} {} serves {}, {}, {}{from} on {place}",
            self.core.identity.name,
            self.core.identity.version,
            count(tools.items().count(), "tool"),
            count(resources.items().count() + templates.items().count(), "resource"),
            count(prompts.items().count(), "prompt"),
        ));
    }
}

fn count(number: usize, what: &str) -> String {
    let plural = if number == 1 { "" } else { "s" };
    format!("{number} {what}{plural}")
}
