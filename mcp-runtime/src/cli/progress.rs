//! What a running request reports, on standard error: a bar where a person watches, lines elsewhere.

use std::io::IsTerminal as _;
use std::time::Duration;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use serde_json::Value;

use super::output::note;

/// Shows the progress and the log messages of one request.
#[derive(Debug)]
pub(super) struct Reporter {
    bar: Option<ProgressBar>,
    is_terminal: bool,
}

/// A bar has so many steps: totals may be fractions.
const STEPS: f64 = 1000.0;

impl Reporter {
    pub(super) fn new() -> Self {
        Self { bar: None, is_terminal: std::io::stderr().is_terminal() }
    }

    /// Shows a notification; other kinds than progress and log messages say nothing to a person.
    pub(super) fn show(&mut self, notification: &Value) {
        let Some(params) = notification.get("params") else { return };
        match notification.get("method").and_then(Value::as_str) {
            Some("notifications/progress") => self.progress(params),
            Some("notifications/message") => self.say(&log_line(params)),
            _ => {}
        }
    }

    fn progress(&mut self, params: &Value) {
        let number = |name: &str| params.get(name).and_then(Value::as_f64);
        let (done, total) = (number("progress").unwrap_or_default(), number("total").filter(|total| *total > 0.0));
        let message = params.get("message").and_then(Value::as_str).unwrap_or_default();
        if !self.is_terminal {
            return note(format_args!("{}", progress_line(done, total, message)));
        }
        let is_first = self.bar.is_none();
        let bar = self.bar.get_or_insert_with(|| ProgressBar::with_draw_target(None, ProgressDrawTarget::hidden()));
        bar.set_style(style(total.is_some()));
        if let Some(total) = total {
            bar.set_length(steps(STEPS));
            bar.set_position(steps(done / total * STEPS));
        }
        bar.set_message(progress_line(done, total, message));
        // Shown from now on: before, there was nothing to show.
        if is_first {
            bar.set_draw_target(ProgressDrawTarget::stderr());
            bar.enable_steady_tick(Duration::from_millis(120));
        }
    }

    /// Prints a line without breaking the bar.
    fn say(&self, line: &str) {
        match &self.bar {
            Some(bar) => bar.suspend(|| note(format_args!("{line}"))),
            None => note(format_args!("{line}")),
        }
    }

    /// Takes the bar away.
    pub(super) fn finish(self) {
        if let Some(bar) = self.bar {
            bar.finish_and_clear();
        }
    }
}

#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "clamped to the steps of the bar")]
fn steps(value: f64) -> u64 {
    value.clamp(0.0, STEPS) as u64
}

fn style(has_total: bool) -> ProgressStyle {
    let template = if has_total { "{bar:30} {msg}" } else { "{spinner} {msg}" };
    ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_bar())
}

fn progress_line(done: f64, total: Option<f64>, message: &str) -> String {
    let amount = total.map_or_else(|| done.to_string(), |total| format!("{done}/{total}"));
    if message.is_empty() { amount } else { format!("{amount} {message}") }
}

/// `[warning] disk: nearly full`
fn log_line(params: &Value) -> String {
    let text = |name: &str| params.get(name).and_then(Value::as_str);
    let data = match params.get("data") {
        Some(Value::String(text)) => text.clone(),
        Some(other) => other.to_string(),
        None => String::new(),
    };
    let logger = text("logger").map(|logger| format!("{logger}: ")).unwrap_or_default();
    format!("[{}] {logger}{data}", text("level").unwrap_or("info"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn progress_says_what_is_known() {
        assert_eq!(progress_line(3.0, Some(10.0), ""), "3/10");
        assert_eq!(progress_line(0.5, Some(1.0), "half"), "0.5/1 half");
        assert_eq!(progress_line(7.0, None, "files"), "7 files");
    }

    #[test]
    fn log_messages_keep_level_logger_and_data() {
        assert_eq!(log_line(&json!({"level": "warning", "logger": "disk", "data": "full"})), "[warning] disk: full");
        assert_eq!(log_line(&json!({"level": "info", "data": {"a": 1}})), "[info] {\"a\":1}");
    }

    #[test]
    fn a_bar_never_leaves_its_length() {
        assert_eq!(steps(f64::INFINITY), 1000);
        assert_eq!(steps(f64::NAN), 0);
        assert_eq!(steps(-4.0), 0);
    }
}
