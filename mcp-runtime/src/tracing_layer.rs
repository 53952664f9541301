//! A `tracing` layer that sends the events of a request to the client that made it (feature `tracing`).

use std::fmt::{self, Write as _};

use serde_json::{Map, Value};
use tracing::field::{Field, Visit};
use tracing::{Event, Level, Subscriber};
use tracing_subscriber::Layer;
use tracing_subscriber::layer::Context;

use crate::LogLevel;
use crate::handler::current;

/// Forwards the events of the current request to its client, as log messages.
///
/// The client hears those of the level that it asked for; `tracing`'s own filters come first. The logger is the event's
/// target. Events that are no part of a request stay where they are.
///
/// ```
/// use tracing_subscriber::prelude::*;
///
/// tracing_subscriber::registry()
///     .with(mcp_runtime::ClientLayer)
///     .init();
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct ClientLayer;

impl<S: Subscriber> Layer<S> for ClientLayer {
    fn on_event(&self, event: &Event<'_>, _: Context<'_, S>) {
        let Some(ctx) = current::get() else { return };
        let level = match *event.metadata().level() {
            Level::ERROR => LogLevel::Error,
            Level::WARN => LogLevel::Warning,
            Level::INFO => LogLevel::Info,
            Level::DEBUG | Level::TRACE => LogLevel::Debug,
        };
        let mut fields = Fields::default();
        event.record(&mut fields);
        ctx.logger(event.metadata().target()).log(level, fields.into_data());
    }
}

/// An event's fields as JSON.
#[derive(Default)]
struct Fields(Map<String, Value>);

impl Fields {
    /// The message alone where there is nothing else, otherwise an object.
    fn into_data(mut self) -> Value {
        match self.0.remove("message") {
            Some(message) if self.0.is_empty() => message,
            Some(message) => {
                self.0.insert("message".to_owned(), message);
                Value::Object(self.0)
            }
            None => Value::Object(self.0),
        }
    }

    fn put(&mut self, field: &Field, value: impl Into<Value>) {
        self.0.insert(field.name().to_owned(), value.into());
    }
}

impl Visit for Fields {
    fn record_debug(&mut self, field: &Field, value: &dyn fmt::Debug) {
        let mut text = String::new();
        // Writing to a string does not fail; what a `Debug` refuses to say is left out.
        write!(text, "{value:?}").ok();
        self.put(field, text);
    }

    fn record_str(&mut self, field: &Field, value: &str) {
        self.put(field, value);
    }

    fn record_i64(&mut self, field: &Field, value: i64) {
        self.put(field, value);
    }

    fn record_u64(&mut self, field: &Field, value: u64) {
        self.put(field, value);
    }

    fn record_f64(&mut self, field: &Field, value: f64) {
        self.put(field, value);
    }

    fn record_bool(&mut self, field: &Field, value: bool) {
        self.put(field, value);
    }
}
