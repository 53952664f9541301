//! `subscriptions/listen`: what a client hears of changes, until it has enough.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use serde_json::{Map, Value};

use crate::handler::host::{Origin, Outlet};
use crate::protocol::id::Id;
use crate::protocol::params::Params;
use crate::protocol::{ProtocolError, meta, write};
use crate::registry::changes::{ChangeSet, Subscriber};
use crate::server::core::{Core, Offer};

/// What a subscription asks to hear.
#[derive(Clone, Debug, Default)]
struct Filter {
    tools_list_changed: bool,
    prompts_list_changed: bool,
    resources_list_changed: bool,
    resource_subscriptions: BTreeSet<String>,
}

impl Filter {
    fn read(asked: &Params<'_>) -> Result<Self, ProtocolError> {
        let flag = |name| asked.get::<bool>(name).map(Option::unwrap_or_default);
        Ok(Self {
            tools_list_changed: flag("toolsListChanged")?,
            prompts_list_changed: flag("promptsListChanged")?,
            resources_list_changed: flag("resourcesListChanged")?,
            resource_subscriptions: asked.get("resourceSubscriptions")?.unwrap_or_default(),
        })
    }

    /// What a client is told that it hears.
    fn shown(&self) -> Value {
        let flags = [
            ("toolsListChanged", self.tools_list_changed),
            ("promptsListChanged", self.prompts_list_changed),
            ("resourcesListChanged", self.resources_list_changed),
        ];
        let mut members: Map<String, Value> =
            flags.into_iter().filter(|(_, hears)| *hears).map(|(name, _)| (name.to_owned(), true.into())).collect();
        if !self.resource_subscriptions.is_empty() {
            members.insert("resourceSubscriptions".to_owned(), self.resource_subscriptions.iter().cloned().collect());
        }
        members.into()
    }
}

/// A subscription listens to so many resources at most.
const MOST_LISTENED: usize = 10_000;

/// Their URIs have so many bytes at most, together.
const MOST_LISTENED_BYTES: usize = 256 * 1024;

/// An open `subscriptions/listen`. It hears of changes until it is dropped.
pub(crate) struct Listener {
    filter: Filter,
    id: Id,
    outlet: Arc<dyn Outlet>,
    finished: AtomicBool,
}

impl Listener {
    pub(super) fn open(
        core: &Arc<Core>,
        id: Id,
        outlet: &Arc<dyn Outlet>,
        params: &Params<'_>,
    ) -> Result<Arc<Self>, ProtocolError> {
        params.check()?;
        let asked = Filter::read(&params.require_object("notifications")?)?;
        let bytes: usize = asked.resource_subscriptions.iter().map(String::len).sum();
        if asked.resource_subscriptions.len() > MOST_LISTENED || bytes > MOST_LISTENED_BYTES {
            return Err(ProtocolError::invalid_params(format!(
                "more than {MOST_LISTENED} resources in one subscription, or {MOST_LISTENED_BYTES} bytes of them: open several"
            )));
        }
        let (tools, prompts, resources) =
            (core.offers(Offer::Tools), core.offers(Offer::Prompts), core.offers(Offer::Resources));
        let filter = Filter {
            tools_list_changed: asked.tools_list_changed && tools,
            prompts_list_changed: asked.prompts_list_changed && prompts,
            resources_list_changed: asked.resources_list_changed && resources,
            resource_subscriptions: if resources { asked.resource_subscriptions } else { BTreeSet::new() },
        };
        let listener = Arc::new(Self { filter, id, outlet: Arc::clone(outlet), finished: AtomicBool::new(false) });
        // The acknowledgment first: nothing of a subscription may precede it.
        listener.send("notifications/subscriptions/acknowledged", Some(&listener.filter), None);
        core.changes.subscribe(&(Arc::clone(&listener) as Arc<dyn Subscriber>));
        Ok(listener)
    }

    /// The id of the request that opened it.
    pub(crate) const fn id(&self) -> &Id {
        &self.id
    }

    fn tag(&self) -> Value {
        serde_json::json!({meta::SUBSCRIPTION_ID: self.id})
    }

    fn send(&self, method: &str, notifications: Option<&Filter>, uri: Option<&str>) {
        let mut params = serde_json::json!({"_meta": self.tag()});
        if let Some(filter) = notifications {
            params["notifications"] = filter.shown();
        }
        if let Some(uri) = uri {
            params["uri"] = uri.into();
        }
        let mut message = Vec::new();
        write::notification(&mut message, method, Some(&params));
        self.outlet.notify(message);
    }

    /// Ends the subscription from our side: the client is told, once.
    pub(crate) fn finish(&self) {
        if self.finished.swap(true, Ordering::Relaxed) {
            return;
        }
        let mut out = Vec::new();
        write::result(&mut out, &self.id, |out| {
            write::json(out, &serde_json::json!({"resultType": "complete", "_meta": self.tag()}));
        });
        self.outlet.respond(out, Origin::Handler);
    }
}

impl Subscriber for Listener {
    fn changed(&self, changes: &ChangeSet) {
        if self.finished.load(Ordering::Relaxed) {
            return;
        }
        let lists = [
            (changes.tools && self.filter.tools_list_changed, "notifications/tools/list_changed"),
            (changes.prompts && self.filter.prompts_list_changed, "notifications/prompts/list_changed"),
            (changes.resources && self.filter.resources_list_changed, "notifications/resources/list_changed"),
        ];
        for (_, method) in lists.into_iter().filter(|(wanted, _)| *wanted) {
            self.send(method, None, None);
        }
        for uri in self.filter.resource_subscriptions.intersection(&changes.updated) {
            self.send("notifications/resources/updated", None, Some(uri));
        }
    }
}
