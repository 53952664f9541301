//! `doctor`: what clients and models stumble over, found before they do.
//!
//! Each rule has a code and stands in a file with others of its kind; most of them answer reports of a client that dropped
//! a tool, or all tools, of a server.

mod build;
mod finding;
mod names;
mod schemas;
mod sizes;
mod texts;

use serde_json::json;

use self::finding::{Finding, Findings, Level, RULES, Rule};
use super::args::DoctorOptions;
use super::definitions::Definitions;
use super::output::Output;
use crate::handler::error::{Error, Result};
use crate::protocol::Revision;
use crate::protocol::features::Features;
use crate::registry::problem::BuildError;
use crate::server::BuiltServer;

/// `doctor`
pub(super) fn run(built: &BuiltServer, options: &DoctorOptions) -> Result<()> {
    if options.lists_rules {
        return rules();
    }
    let core = &built.core;
    let revision = core.options.revisions.last().copied().unwrap_or(Revision::LATEST);
    let definitions = Definitions::of(core, Features::of(revision));
    let mut findings = Findings::default();
    texts::check(&definitions, core.instructions.as_deref(), &mut findings);
    names::check(&definitions, &core.identity.name, &mut findings);
    schemas::check(&definitions, &mut findings);
    if core.options.revisions.contains(&Revision::LATEST_LEGACY) {
        schemas::check_legacy_outputs(&Definitions::of(core, Features::of(Revision::LATEST_LEGACY)), &mut findings);
    }
    let cost = sizes::check(&definitions, core.options.page_size, &mut findings);
    build::check(core, options.http.as_deref(), &mut findings);
    report(&core.identity.name, &findings.sorted(), Some(cost), options)
}

/// The doctor's word on a server that cannot start.
pub(super) fn cannot_start(name: &str, error: &BuildError, options: &DoctorOptions) -> Result<()> {
    if options.lists_rules {
        return rules();
    }
    let mut findings = Findings::default();
    for problem in super::problems(error) {
        let text = problem.strip_prefix("error: ").unwrap_or(&problem);
        let (rule, advice) = text.split_once('\n').unwrap_or((text, ""));
        let advice: Vec<&str> = advice.lines().map(str::trim).collect();
        findings.add(&build::CANNOT_START, None, rule, advice.join("\n"));
    }
    report(name, &findings.sorted(), None, options)
}

fn rules() -> Result<()> {
    let mut out = Output::plain();
    for Rule { code, level, about } in RULES {
        out.line(format_args!("{code}  {:<7}  {about}", level.as_str()));
    }
    out.finish()
}

fn report(name: &str, findings: &[Finding], cost: Option<sizes::Cost>, options: &DoctorOptions) -> Result<()> {
    let count = |level: Level| findings.iter().filter(|finding| finding.rule.level == level).count();
    let (errors, warnings) = (count(Level::Error), count(Level::Warning));
    let mut out = Output::plain();
    if options.is_json {
        let findings: Vec<_> = findings.iter().map(Finding::to_json).collect();
        let cost = cost.map(|cost| json!({"tools": cost.tools, "bytes": cost.bytes, "tokens": cost.tokens()}));
        out.line(serde_json::to_string_pretty(&json!({"server": name, "findings": findings, "toolsList": cost}))?);
    } else {
        for finding in findings {
            out.line(format_args!("{finding}\n"));
        }
        if let Some(cost) = cost {
            out.line(cost);
        }
        out.line(verdict(name, errors, warnings, count(Level::Note)));
    }
    out.finish()?;
    if errors > 0 || (options.is_strict && warnings > 0) {
        return Err(Error::msg(format!("`doctor` found {}", counted(errors, warnings))));
    }
    Ok(())
}

fn verdict(name: &str, errors: usize, warnings: usize, notes: usize) -> String {
    match (errors + warnings, notes) {
        (0, 0) => format!("{name} is healthy"),
        (0, _) => format!("{name} is healthy, with {}", plural(notes, "note")),
        _ => format!("{name} has {}", counted(errors, warnings)),
    }
}

fn counted(errors: usize, warnings: usize) -> String {
    let parts = [(errors, "error"), (warnings, "warning")];
    let parts: Vec<String> =
        parts.into_iter().filter(|(count, _)| *count > 0).map(|(count, word)| plural(count, word)).collect();
    parts.join(" and ")
}

fn plural(count: usize, word: &str) -> String {
    format!("{count} {word}{}", if count == 1 { "" } else { "s" })
}
