//! Every target in one run, and the table of them at the end.

use std::fmt::Write as _;

use crate::program::{LIMIT, OURS};
use crate::scenario::{self, Effort, Scenario, Target};
use crate::{Result, compile, instructions, rounds, table};

/// Enough for a median; more rounds belong to a run of one scenario.
const ROUNDS: usize = 3;

/// So much of the usual number of calls.
const EFFORT: Effort = Effort(0.5);

/// The table's lines so far.
#[derive(Debug, Default)]
struct Report {
    lines: String,
    met: usize,
    missed: usize,
}

impl Report {
    fn add(&mut self, what: &str, columns: [Option<f64>; 4], target: &str, is_met: Option<bool>) {
        let [limit, ours, tuned, documented] =
            columns.map(|figure| figure.map_or_else(|| "-".to_owned(), |figure| format!("{figure:.2}")));
        let verdict = match is_met {
            Some(true) => "met",
            Some(false) => "MISSED",
            None => "not measured",
        };
        self.met += usize::from(is_met == Some(true));
        self.missed += usize::from(is_met == Some(false));
        _ = writeln!(self.lines, "| {what} | {limit} | {tuned} / {documented} | {target} | {ours} | {verdict} |");
    }

    /// A figure of ours that stands for itself.
    fn at_most(&mut self, what: &str, ours: Option<f64>, most: f64) {
        self.add(what, [None, ours, None, None], &format!("≤ {most}"), ours.map(|ours| ours <= most));
    }

    fn scenario(&mut self, scenario: &Scenario, rows: &[table::Row]) {
        let of = |names: &[&str]| rows.iter().filter(|row| names.contains(&row.name)).find_map(table::Row::median);
        let (limit, ours) = (of(&[LIMIT]), of(&[OURS]));
        let what = format!("{}, {}", scenario.title, scenario.unit);
        let columns = [limit, ours, of(&["rmcp tuned", "rmcp tuned, sessions"]), of(&["rmcp as documented"])];
        match scenario.target {
            Target::Even(percent) => {
                let medians: Vec<_> = rows.iter().filter_map(table::Row::median).collect();
                let apart = match medians.as_slice() {
                    [few, many] => Some((many / few - 1.0).abs() * 100.0),
                    _ => None,
                };
                self.at_most(&format!("{}, % apart", scenario.title), apart, percent);
            }
            target => {
                let bound = table::bound(target, limit);
                let text = match target {
                    Target::TimesLimit(factor) => {
                        let ratio = ours.zip(limit).map_or(0.0, |(ours, limit)| ours / limit);
                        format!("≤ {factor} × limit ({ratio:.2} ×)")
                    }
                    Target::LimitPlus(more) => format!("≤ limit + {more}"),
                    Target::AtMost(most) => format!("≤ {most}"),
                    Target::Even(_) | Target::None => return,
                };
                self.add(&what, columns, &text, ours.zip(bound).map(|(ours, bound)| ours <= bound));
            }
        }
    }
}

/// Runs all that has a target, except the builds if `builds` is false. False when a target is missed.
pub fn run(builds: bool) -> Result<bool> {
    let mut report = Report::default();
    // On all processors, so before this process keeps to one.
    if builds {
        for (over_http, name, most) in [(false, "stdio", [45.0, 45.0, 80.0]), (true, "HTTP", [65.0, 60.0, 110.0])] {
            eprintln!("building the {name} server of the compile-cost benchmark");
            let rows = compile::ours_alone(over_http)?;
            let of = |what: &str| rows.iter().find(|row| row.what == what).and_then(|row| row.figures.first().copied());
            let [crates, debug, release] = most;
            report.at_most(&format!("{name}: {}", compile::CRATES), of(compile::CRATES), crates);
            report.at_most(&format!("{name}: {}, CPU s", compile::DEBUG), of(compile::DEBUG), debug);
            report.at_most(&format!("{name}: {}, CPU s", compile::RELEASE), of(compile::RELEASE), release);
            if !over_http {
                report.at_most(&format!("{name}: {}, CPU s", compile::ALONE), of(compile::ALONE), 10.0);
                report.at_most(&format!("{name}: {}, CPU s", compile::REBUILD), of(compile::REBUILD), 2.0);
                report.at_most(&format!("{name}: {}", compile::SIZE), of(compile::SIZE), 2.4);
            }
        }
    }
    crate::process::pin()?;
    for scenario in scenario::ALL.iter().filter(|scenario| !matches!(scenario.target, Target::None)) {
        let rows = rounds(scenario, ROUNDS, EFFORT, |_| true);
        table::print(scenario, &rows);
        report.scenario(scenario, &rows);
    }
    let (stdio, _) = instructions::OURS;
    let cost = instructions::sequential(&stdio)?;
    report.at_most("stdio, one call at a time, instructions", Some(cost.instructions as f64), 15_000.0);
    report.at_most("stdio, one call at a time, allocations", Some(cost.allocations), 10.0);
    println!("\n| | limit | rmcp tuned / as documented | target | ours | |\n|---|---|---|---|---|---|");
    print!("{}", report.lines);
    println!("\n{} met, {} missed", report.met, report.missed);
    Ok(report.missed == 0)
}
