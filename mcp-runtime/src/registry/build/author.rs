//! What an author wrote and only runs when the server is built: values that may panic, or be what a literal may not.

use std::any::Any;
use std::borrow::Cow;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

use serde_json::{Map, Value};

use super::{Builder, Who};
use crate::protocol::Icon;
use crate::registry::define::About;
use crate::registry::entry::{Handler, Hints, Location};
use crate::registry::item::Offered;
use crate::registry::problem::Problem;

/// Runs an author's expression; an error is what it panicked with.
pub(super) fn run<R>(make: impl FnOnce() -> R) -> Result<R, String> {
    catch_unwind(AssertUnwindSafe(make)).map_err(|payload| {
        let text = said(&*payload);
        // What it panicked with may panic again when it is dropped, and that, too.
        let dropped = catch_unwind(AssertUnwindSafe(|| drop(payload)));
        let _: Result<(), ()> = dropped.map_err(std::mem::forget);
        text
    })
}

fn said(payload: &(dyn Any + Send)) -> String {
    let text = payload.downcast_ref::<String>().map(String::as_str);
    text.or_else(|| payload.downcast_ref::<&str>().copied()).unwrap_or("without a word").to_owned()
}

const EVALUATED: &str =
    "it is evaluated once, when the server is built: give a value that does not depend on what may be missing";

impl Builder<'_> {
    /// An item, unless making it panics where nothing else told: in the author's `JsonSchema` or `Deserialize`.
    pub(crate) fn offered<T>(
        &mut self,
        kind: &str,
        handler: &Handler,
        make: impl FnOnce(&mut Self) -> Option<T>,
    ) -> Option<Offered<T>> {
        let item = run(|| make(self)).unwrap_or_else(|said| {
            let who = Who { kind, name: handler.name };
            let rule = format!("{who}: a type of its arguments or its result panics: {said}");
            let advice = "the types are asked for their schemas when the server is built: mend their `JsonSchema` and `Deserialize`";
            self.problems.push(Problem::new(rule, advice).at("at", handler.at));
            None
        });
        Some((Arc::new(item?), !handler.disabled))
    }

    /// What an author's expression gives; a panic in it is a problem.
    pub(super) fn evaluated<R>(
        &mut self,
        who: Who<'_>,
        at: Location,
        what: &str,
        make: impl FnOnce() -> R,
    ) -> Option<R> {
        run(make)
            .map_err(|said| {
                self.problems.push(Problem::new(format!("{who}: {what} panics: {said}"), EVALUATED).at("at", at));
            })
            .ok()
    }

    pub(super) fn about(&mut self, kind: &str, handler: &Handler) -> About {
        let who = Who { kind, name: handler.name };
        let meta = handler.meta.and_then(|make| self.evaluated(who, handler.at, "`meta`", make));
        let icon = handler.icon.and_then(|make| self.evaluated(who, handler.at, "`icon`", make));
        if handler.group.is_some_and(str::is_empty) {
            let advice = "write one such as `group = \"admin\"`, or remove it";
            self.problems.push(Problem::new(format!("{who}: `group` needs a name"), advice).at("at", handler.at));
        }
        if handler.title.is_some_and(|title| title.trim().is_empty()) {
            let rule = format!("{who}: `title` is empty");
            let advice = "write one such as `title = \"Add numbers\"`, or remove it";
            self.problems.push(Problem::new(rule, advice).at("at", handler.at));
        }
        let about = About {
            name: self.prefixed(kind, handler),
            title: handler.title.map(Cow::Borrowed),
            // A file that is included ends in a line break.
            description: handler.description.trim().into(),
            icons: icon.into_iter().collect(),
            meta: meta.map(|meta| self.meta(who, handler.at, meta)).unwrap_or_default(),
            timeout: handler.timeout,
        };
        self.check_icons(who, handler.at, &about.icons);
        about
    }

    fn meta(&mut self, who: Who<'_>, at: Location, meta: Value) -> Map<String, Value> {
        match meta {
            Value::Object(meta) => meta,
            other => {
                let rule = format!("{who}: `meta` is an object, but this is {}", kind_in_words(&other));
                let advice = "write `meta = serde_json::json!({\"example.com/key\": …})`";
                self.problems.push(Problem::new(rule, advice).at("at", at));
                Map::new()
            }
        }
    }

    /// Clients load icons from the addresses that they know.
    pub(super) fn check_icons(&mut self, who: Who<'_>, at: Location, icons: &[Icon]) {
        for icon in icons {
            if !["https://", "http://", "data:"].iter().any(|scheme| icon.src.starts_with(scheme)) {
                // What was included instead may be a whole picture.
                let shown: String = icon.src.chars().take(80).collect();
                let rule = format!("{who}: an icon is an address that clients load, but this is {shown:?}");
                let advice = "begin it with `https://` or `data:`, or give the bytes: `include_bytes!(\"icon.png\")`";
                self.problems.push(Problem::new(rule, advice).at("at", at));
            }
        }
    }

    /// A media type, as far as its shape tells.
    pub(super) fn check_mime(&mut self, who: Who<'_>, at: Location, mime: Option<&str>) {
        let is_media_type = |mime: &str| {
            mime.split_once('/').is_some_and(|(kind, rest)| {
                let is_kind = !kind.is_empty() && kind.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'-');
                is_kind && rest.starts_with(|c: char| c.is_ascii_alphanumeric())
            })
        };
        if let Some(mime) = mime.filter(|mime| !is_media_type(mime)) {
            let rule = format!("{who}: a media type has two halves, but this is {mime:?}");
            self.problems.push(Problem::new(rule, "write one such as `text/markdown`").at("at", at));
        }
    }

    pub(super) fn check_hints(&mut self, who: Who<'_>, at: Location, hints: Hints) {
        if hints.read_only == Some(true) && hints.destructive == Some(true) {
            let rule = format!("{who}: a tool that is `read_only` cannot be `destructive`");
            self.problems.push(Problem::new(rule, "remove one of them").at("at", at));
        }
    }
}

fn kind_in_words(value: &Value) -> &'static str {
    match value {
        Value::Null => "nothing that JSON can write",
        Value::Bool(_) => "a `bool`",
        Value::Number(_) => "a number",
        Value::String(_) => "text",
        Value::Array(_) => "a list",
        Value::Object(_) => "an object",
    }
}
