//! `subscriptions/listen`: what a client hears of changes, until it has enough.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::handler::host::{Origin, Outlet};
use crate::protocol::id::Id;
use crate::protocol::params::Params;
use crate::protocol::{ProtocolError, meta, write};
use crate::registry::changes::{ChangeSet, Subscriber};
use crate::server::core::{Core, Offer};

/// What a subscription asks to hear.
#[derive(Clone, Debug, Default, Deserialize, Serialize)]
#[serde(rename_all = "camelCase", default)]
struct Filter {
    #[serde(skip_serializing_if = "is_false")]
    tools_list_changed: bool,
    #[serde(skip_serializing_if = "is_false")]
    prompts_list_changed: bool,
    #[serde(skip_serializing_if = "is_false")]
    resources_list_changed: bool,
    #[serde(skip_serializing_if = "BTreeSet::is_empty")]
    resource_subscriptions: BTreeSet<String>,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde's signature")]
const fn is_false(value: &bool) -> bool {
    !*value
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
        let asked: Filter = params.require_object("notifications")?;
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
        #[derive(Serialize)]
        struct Params<'a> {
            _meta: Value,
            #[serde(skip_serializing_if = "Option::is_none")]
            notifications: Option<&'a Filter>,
            #[serde(skip_serializing_if = "Option::is_none")]
            uri: Option<&'a str>,
        }
        let mut message = Vec::new();
        write::notification(&mut message, method, Some(&Params { _meta: self.tag(), notifications, uri }));
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
