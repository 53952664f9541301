//! The live catalog: what is offered now, sorted, found by name, written once for each revision.
//!
//! Readers take a snapshot and never wait; a change makes a new snapshot and forgets the written lists.

use std::borrow::Cow;
use std::ops::Range;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock, PoisonError, RwLock};

use bytes::Bytes;

use super::cursor;
use super::item::{Entry, Item, Offered, PromptItem, ResourceItem, ToolItem};
use crate::hash::Table;
use crate::protocol::Revision;
use crate::protocol::features::Features;
use crate::protocol::write;
use crate::uri_template::{Captures, Refusal, normal_uri};

/// Everything that is offered.
#[derive(Default)]
pub(crate) struct Catalog {
    pub(crate) tools: Shelf<ToolItem>,
    pub(crate) prompts: Shelf<PromptItem>,
    pub(crate) resources: Shelf<ResourceItem>,
    pub(crate) templates: Shelf<ResourceItem>,
}

/// The items of one list.
pub(crate) struct Shelf<T> {
    snapshot: RwLock<Arc<Snapshot<T>>>,
    /// Whether there is anything, for the question that every request asks.
    is_stocked: AtomicBool,
}

impl<T> Default for Shelf<T> {
    fn default() -> Self {
        Self { snapshot: RwLock::new(Arc::new(Snapshot::new(Vec::new()))), is_stocked: AtomicBool::new(false) }
    }
}

/// The items at one time, enabled and disabled.
pub(crate) struct Snapshot<T> {
    slots: Vec<Slot<T>>,
    index: Table<Arc<str>, usize>,
    written: [OnceLock<Written>; Revision::ALL.len()],
}

#[derive(Clone)]
struct Slot<T> {
    key: Arc<str>,
    item: Arc<T>,
    is_enabled: bool,
}

/// The enabled items of a snapshot as JSON, in order.
struct Written {
    /// `"member":[…]` with all entries: the usual answer, a list on one page.
    all: Bytes,
    /// Where in it each entry stands.
    entries: Vec<(Arc<str>, Range<usize>)>,
}

impl<T> Snapshot<T> {
    fn new(slots: Vec<Slot<T>>) -> Self {
        let index = slots.iter().enumerate().map(|(position, slot)| (Arc::clone(&slot.key), position)).collect();
        Self { slots, index, written: Default::default() }
    }

    /// The enabled item with this key.
    pub(crate) fn get(&self, key: &str) -> Option<&Arc<T>> {
        let slot = self.slots.get(*self.index.get(key)?)?;
        slot.is_enabled.then_some(&slot.item)
    }

    /// The enabled items, in order.
    pub(crate) fn items(&self) -> impl Iterator<Item = &Arc<T>> {
        self.slots.iter().filter(|slot| slot.is_enabled).map(|slot| &slot.item)
    }
}

impl<T: Item> Snapshot<T> {
    fn written(&self, list: List, features: &'static Features) -> Option<&Written> {
        let cell = self.written.get(features.revision as usize)?;
        Some(cell.get_or_init(|| {
            let mut all = begin(list);
            let mut entries = Vec::with_capacity(self.slots.len());
            for slot in self.slots.iter().filter(|slot| slot.is_enabled) {
                if !entries.is_empty() {
                    all.push(b',');
                }
                let start = all.len();
                write::json(&mut all, &Entry(&*slot.item, features));
                entries.push((Arc::clone(&slot.key), start..all.len()));
            }
            all.push(b']');
            Written { all: all.into(), entries }
        }))
    }

    /// The page after `after` as `"member":[…]` and, unless it is the last, `,"nextCursor":"…"`. A snapshot is of one list.
    pub(crate) fn page(&self, list: List, after: Option<&str>, size: usize, features: &'static Features) -> Bytes {
        let Some(Written { all, entries }) = self.written(list, features) else { return Bytes::new() };
        let start = after.map_or(0, |after| entries.partition_point(|(key, _)| **key <= *after));
        let rest = entries.get(start..).unwrap_or_default();
        if start == 0 && rest.len() <= size {
            return all.clone();
        }
        let page = rest.get(..size).unwrap_or(rest);
        let mut out = begin(list);
        let Some(((_, first), (key, final_range))) = page.first().zip(page.last()) else {
            out.push(b']');
            return out.into();
        };
        out.extend_from_slice(all.get(first.start..final_range.end).unwrap_or_default());
        out.push(b']');
        if page.len() < rest.len() {
            write_cursor(&mut out, list, key);
        }
        out.into()
    }
}

fn begin(list: List) -> Vec<u8> {
    format!("\"{}\":[", list.member).into_bytes()
}

/// Writes `,"nextCursor":"…"`.
pub(crate) fn write_cursor(out: &mut Vec<u8>, list: List, key: &str) {
    out.extend_from_slice(b",\"nextCursor\":");
    write::json(out, &cursor::write(list.member, key));
}

/// One of the four lists.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct List {
    /// The member of the result that holds it; it is in the cursors, too.
    pub(crate) member: &'static str,
}

pub(crate) const TOOLS: List = List { member: "tools" };
pub(crate) const PROMPTS: List = List { member: "prompts" };
pub(crate) const RESOURCES: List = List { member: "resources" };
pub(crate) const TEMPLATES: List = List { member: "resourceTemplates" };

impl<T> Shelf<T> {
    /// What is offered now.
    pub(crate) fn now(&self) -> Arc<Snapshot<T>> {
        Arc::clone(&self.snapshot.read().unwrap_or_else(PoisonError::into_inner))
    }

    /// The enabled item with this key.
    pub(crate) fn get(&self, key: &str) -> Option<Arc<T>> {
        self.snapshot.read().unwrap_or_else(PoisonError::into_inner).get(key).map(Arc::clone)
    }

    /// Whether there is nothing, not even anything disabled.
    pub(crate) fn is_empty(&self) -> bool {
        !self.is_stocked.load(Ordering::Relaxed)
    }

    /// Changes the slots; true when the change was one.
    fn change(&self, change: impl FnOnce(&mut Vec<Slot<T>>) -> bool) -> bool {
        let mut snapshot = self.snapshot.write().unwrap_or_else(PoisonError::into_inner);
        let mut slots = snapshot
            .slots
            .iter()
            .map(|slot| Slot { key: Arc::clone(&slot.key), item: Arc::clone(&slot.item), is_enabled: slot.is_enabled })
            .collect();
        let changed = change(&mut slots);
        if changed {
            self.is_stocked.store(!slots.is_empty(), Ordering::Relaxed);
            *snapshot = Arc::new(Snapshot::new(slots));
        }
        changed
    }
}

impl<T: Item> Shelf<T> {
    /// Puts all items in at once, which are in the order of their keys.
    pub(crate) fn fill(&self, items: Vec<Offered<T>>) {
        self.change(|slots| {
            let slot = |(item, is_enabled): Offered<T>| Slot { key: item.key().into(), item, is_enabled };
            slots.extend(items.into_iter().map(slot));
            true
        });
    }

    /// Adds an item; false when its key is taken.
    pub(crate) fn add(&self, item: T) -> bool {
        self.change(|slots| match slots.binary_search_by(|slot| (*slot.key).cmp(item.key())) {
            Ok(_) => false,
            Err(position) => {
                slots.insert(position, Slot { key: item.key().into(), item: Arc::new(item), is_enabled: true });
                true
            }
        })
    }

    /// Removes an item by key or name; false when there is none.
    pub(crate) fn remove(&self, name: &str) -> bool {
        self.change(|slots| {
            let before = slots.len();
            slots.retain(|slot| &*slot.key != name && slot.item.name() != name);
            slots.len() != before
        })
    }

    /// Enables or disables an item by key or name; false when there is none or it was so already.
    pub(crate) fn set_enabled(&self, name: &str, is_enabled: bool) -> bool {
        self.change(|slots| {
            let mut changed = false;
            for slot in slots.iter_mut().filter(|slot| &*slot.key == name || slot.item.name() == name) {
                changed |= std::mem::replace(&mut slot.is_enabled, is_enabled) != is_enabled;
            }
            changed
        })
    }
}

/// What a URI leads to.
pub(crate) enum Found {
    Resource(Arc<ResourceItem>, Vec<(String, String)>),
    /// A template matches, but a variable holds what it must not.
    Refused(Refusal),
    Nothing,
}

impl Catalog {
    /// The resource at a URI: a direct one before a template, a narrow template before a wide one.
    pub(crate) fn find_resource(&self, uri: &str) -> Found {
        if let Some(item) = self.resources.get(uri) {
            return Found::Resource(item, Vec::new());
        }
        // Written differently by the client, it may still be the same URI.
        if let Cow::Owned(normal) = normal_uri(uri) {
            if let Some(item) = self.resources.now().items().find(|item| normal_uri(item.key()) == normal) {
                return Found::Resource(Arc::clone(item), Vec::new());
            }
        }
        let templates = self.templates.now();
        let mut matching: Vec<&Arc<ResourceItem>> = Vec::new();
        let mut refused = None;
        for item in templates.items() {
            match item.template.matches(uri) {
                None => {}
                Some(Ok(_)) => matching.push(item),
                Some(Err(refusal)) => refused = refused.or(Some(refusal)),
            }
        }
        let best = matching.into_iter().min_by(|a, b| a.template.compare(&b.template));
        match best.and_then(|item| Some((item, item.template.matches(uri)?.ok()?))) {
            Some((item, captures)) => Found::Resource(Arc::clone(item), owned(&captures)),
            None => refused.map_or(Found::Nothing, Found::Refused),
        }
    }
}

fn owned(captures: &Captures<'_>) -> Vec<(String, String)> {
    captures.iter().filter_map(|(name, value)| Some((name.to_owned(), value?.to_owned()))).collect()
}
