//! Instructions and allocations per call, counted by callgrind: the same on a busy machine as on an idle one.
//!
//! Each figure is the difference between a run with N calls and one with 2N, so that start and end do not count.

use std::collections::{BTreeMap, HashMap};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicUsize, Ordering};

use serde::{Deserialize, Serialize};

use crate::Result;
use crate::http::Site;
use crate::message::{Ask, Era, mebibyte};
use crate::program::{self, Program, root};
use crate::stdio::Pipes;

/// Figures may grow by this much before the check fails.
const TOLERANCE: f64 = 1.10;

/// How often a figure that has grown is taken again: what steps in on a busy machine only ever adds.
const SECOND_LOOKS: usize = 3;

/// What one call takes.
#[derive(Clone, Copy, Debug, Deserialize, Serialize)]
pub struct Cost {
    pub instructions: u64,
    pub allocations: f64,
}

impl Cost {
    fn has_grown_since(self, recorded: Self) -> bool {
        self.instructions as f64 > recorded.instructions as f64 * TOLERANCE
            || self.allocations > recorded.allocations * TOLERANCE + 0.05
    }
}

/// The figures by scenario.
pub type Costs = BTreeMap<String, Cost>;

enum Calls {
    Stdio(fn(&mut Pipes, usize) -> Result<()>),
    Http(Era, fn() -> Ask),
}

struct Counted {
    name: &'static str,
    calls: Calls,
    /// N.
    count: usize,
}

impl Counted {
    fn program<'a>(&self, stdio: Option<&'a Program>, http: Option<&'a Program>) -> Option<&'a Program> {
        match self.calls {
            Calls::Stdio(_) => stdio,
            Calls::Http(..) => http,
        }
    }
}

const COUNTED: [Counted; 6] = [
    Counted {
        name: "stdio, one call at a time",
        calls: Calls::Stdio(|pipes, count| one_by_one(pipes, count, &Ask::Add(20, 22))),
        count: 1000,
    },
    Counted {
        name: "stdio, 64 calls in flight",
        calls: Calls::Stdio(|pipes, count| pipes.pipelined(count, 64)),
        count: 2048,
    },
    Counted {
        name: "stdio, tools/list",
        calls: Calls::Stdio(|pipes, count| one_by_one(pipes, count, &Ask::List(102))),
        count: 100,
    },
    Counted {
        name: "stdio, echo of 1 MiB",
        calls: Calls::Stdio(|pipes, count| one_by_one(pipes, count, &Ask::Echo(mebibyte()))),
        count: 3,
    },
    // So many that a hundred calls which are run elsewhere, because one was interrupted, hardly show.
    Counted { name: "HTTP, one connection, legacy", calls: Calls::Http(Era::Legacy, || Ask::Add(20, 22)), count: 2000 },
    Counted { name: "HTTP, one connection, modern", calls: Calls::Http(Era::Modern, || Ask::Add(20, 22)), count: 2000 },
];

/// Each request is sent when the server sleeps: one that comes before saves it going to sleep and waking, and whether it does
/// is a matter of who is faster.
fn one_by_one(pipes: &mut Pipes, count: usize, ask: &Ask) -> Result<()> {
    for _ in 0..count {
        pipes.process.settle()?;
        pipes.call(ask)?;
    }
    Ok(())
}

/// Counts for one program on pipes and one over HTTP.
pub fn count(stdio: Option<&Program>, http: Option<&Program>) -> Result<Costs> {
    let mut costs = Costs::new();
    for counted in &COUNTED {
        if let Some(program) = counted.program(stdio, http) {
            let cost = cost(program, counted)?;
            println!(
                "  {:<30} {:>12} instructions {:>10.2} allocations",
                counted.name, cost.instructions, cost.allocations
            );
            costs.insert(counted.name.to_owned(), cost);
        }
    }
    Ok(costs)
}

/// What one call at a time costs.
pub fn sequential(program: &Program) -> Result<Cost> {
    cost(program, &COUNTED[0])
}

fn cost(program: &Program, counted: &Counted) -> Result<Cost> {
    let once = run(program, &counted.calls, counted.count)?;
    Ok(run(program, &counted.calls, 2 * counted.count)?.minus(once).over(counted.count))
}

/// Cost independence: the pipelined call with few tools and with many. False when they are more than 5 % apart.
pub fn is_independent(few: &Program, many: &Program) -> Result<bool> {
    let few = cost(few, &COUNTED[1])?.instructions as f64;
    let many = cost(many, &COUNTED[1])?.instructions as f64;
    println!("  with 3 tools {few} instructions a call, with 300 tools {many}");
    Ok((few - many).abs() <= 0.05 * few)
}

/// Compares with the recorded figures. False when one has grown too much, and did so each time it was taken.
pub fn check(costs: &Costs, stdio: &Program, http: &Program) -> Result<bool> {
    let recorded: Costs = serde_json::from_str(&std::fs::read_to_string(recorded_at())?)?;
    let mut is_good = true;
    for counted in &COUNTED {
        let name = counted.name;
        let (Some(&recorded), Some(&first)) = (recorded.get(name), costs.get(name)) else { continue };
        let mut now = first;
        for _ in 0..SECOND_LOOKS {
            if !now.has_grown_since(recorded) {
                break;
            }
            let Some(program) = counted.program(Some(stdio), Some(http)) else { break };
            now = cost(program, counted)?;
            println!(
                "  {name:<30} taken again: {:>12} instructions {:>10.2} allocations",
                now.instructions, now.allocations
            );
        }
        let instructions = now.instructions as f64 / recorded.instructions as f64;
        let has_grown = now.has_grown_since(recorded);
        let is_judged = matches!(counted.calls, Calls::Stdio(_)) || is_undisturbed();
        is_good &= !has_grown || !is_judged;
        let verdict = match instructions {
            _ if has_grown && !is_judged => "not judged: `chrt` is not allowed, so others may interrupt it",
            _ if has_grown => "FAILED: more than 10 % over what is recorded",
            ..0.9 => "ok, and so much better that it should be recorded",
            _ => "ok",
        };
        println!(
            "  {name:<30} {:>+7.1} % instructions, {:>+6.2} allocations: {verdict}",
            (instructions - 1.0) * 100.0,
            now.allocations - recorded.allocations
        );
    }
    Ok(is_good)
}

/// Writes the figures down; those of scenarios that were not counted stay.
pub fn record(costs: Costs) -> Result<()> {
    let mut recorded: Costs = match std::fs::read_to_string(recorded_at()) {
        Ok(text) => serde_json::from_str(&text)?,
        Err(_) => Costs::new(),
    };
    recorded.extend(costs);
    std::fs::write(recorded_at(), serde_json::to_string_pretty(&recorded)? + "\n")?;
    Ok(())
}

fn recorded_at() -> PathBuf {
    root().join("instructions.json")
}

/// The totals of one run.
#[derive(Clone, Copy, Debug)]
struct Totals {
    instructions: u64,
    allocations: u64,
}

impl Totals {
    fn minus(self, other: Self) -> Self {
        Self {
            instructions: self.instructions.saturating_sub(other.instructions),
            allocations: self.allocations.saturating_sub(other.allocations),
        }
    }

    fn over(self, count: usize) -> Cost {
        let allocations = self.allocations as f64 / count as f64;
        Cost { instructions: self.instructions / count as u64, allocations: (allocations * 100.0).round() / 100.0 }
    }
}

/// The least of three runs: on a busy machine a timer or the thread that watches for blocked handlers may step in.
fn run(program: &Program, calls: &Calls, count: usize) -> Result<Totals> {
    let runs = (0..3).map(|_| run_once(program, calls, count)).collect::<Result<Vec<_>>>()?;
    runs.into_iter().min_by_key(|totals| totals.instructions).ok_or_else(|| "nothing was run".into())
}

fn run_once(program: &Program, calls: &Calls, count: usize) -> Result<Totals> {
    static RUNS: AtomicUsize = AtomicUsize::new(0);
    let run = RUNS.fetch_add(1, Ordering::Relaxed);
    let out = root().join(format!("target/callgrind-{}-{run}.out", std::process::id()));
    let command = |address: Option<&str>| {
        let mut command = undisturbed("valgrind");
        command.args(["--tool=callgrind", "--quiet"]).arg(format!("--callgrind-out-file={}", out.display()));
        command.arg("--").arg(program.path()).args(program.arguments(address));
        command
    };
    match calls {
        Calls::Stdio(calls) => {
            let mut pipes = Pipes::open(&mut command(None))?;
            calls(&mut pipes, count)?;
            pipes.close()?;
        }
        Calls::Http(era, ask) => {
            let site = Site::open(|address| command(Some(address)))?;
            let mut connection = site.connect(*era)?;
            let ask = ask();
            for _ in 0..count {
                site.process.settle()?;
                connection.call(&ask)?;
            }
            drop(connection);
            site.process.terminate()?;
        }
    }
    let totals = read(&out);
    if std::env::var_os("KEEP_CALLGRIND").is_none() {
        drop(std::fs::remove_file(&out));
    }
    totals
}

/// A program that no other interrupts, where the system allows it: over HTTP a handler that took 2 ms is run elsewhere for
/// a while, and under callgrind on a busy machine that is every one.
fn undisturbed(program: &str) -> Command {
    if !is_undisturbed() {
        return Command::new(program);
    }
    let mut command = Command::new("chrt");
    command.args(["--rr", "1", program]);
    command
}

fn is_undisturbed() -> bool {
    static ALLOWED: OnceLock<bool> = OnceLock::new();
    *ALLOWED.get_or_init(|| {
        Command::new("chrt").args(["--rr", "1", "true"]).output().is_ok_and(|output| output.status.success())
    })
}

/// Reads callgrind's output: the sum of all costs, and how often the allocator was called.
fn read(path: &Path) -> Result<Totals> {
    let text = std::fs::read_to_string(path).map_err(|error| format!("callgrind has written nothing: {error}"))?;
    parse(&text).ok_or_else(|| "callgrind's output has no totals".into())
}

fn parse(text: &str) -> Option<Totals> {
    let total = |line: &str| line.split_ascii_whitespace().next()?.parse::<u64>().ok();
    let (mut names, mut callee, mut allocations, mut instructions) = (HashMap::new(), false, 0, None);
    for line in text.lines() {
        if let Some(name) = line.strip_prefix("fn=").or_else(|| line.strip_prefix("cfn=")) {
            // `(12) name` the first time, `(12)` from then on.
            let (number, name) = name.split_once(' ').map_or((name, None), |(number, name)| (number, Some(name)));
            let is_allocator = match name {
                Some(name) => is_allocator(name),
                None => names.get(number).copied().unwrap_or(false),
            };
            names.insert(number, is_allocator);
            callee = is_allocator && line.starts_with("cfn=");
        } else if let Some(calls) = line.strip_prefix("calls=") {
            if callee {
                allocations += total(calls)?;
            }
        } else if let Some(sum) = line.strip_prefix("totals:").or_else(|| line.strip_prefix("summary:")) {
            instructions = total(sum);
        }
    }
    Some(Totals { instructions: instructions?, allocations })
}

fn is_allocator(name: &str) -> bool {
    let name = name.split(['\'', '@']).next().unwrap_or(name);
    matches!(name, "malloc" | "calloc" | "realloc" | "aligned_alloc" | "posix_memalign" | "memalign")
}

/// The programs to count for by default: one build, which serves on pipes, too.
pub const OURS: (Program, Program) = (program::HTTP[1], program::HTTP[1]);

#[cfg(test)]
mod tests {
    use super::parse;

    #[test]
    fn only_what_is_over_a_tenth_more_has_grown() {
        let cost = |instructions, allocations| super::Cost { instructions, allocations };
        let recorded = cost(1000, 8.0);
        assert!(!cost(1100, 8.8).has_grown_since(recorded) && !cost(10, 0.0).has_grown_since(recorded));
        assert!(cost(1101, 8.0).has_grown_since(recorded) && cost(1000, 9.0).has_grown_since(recorded));
    }

    #[test]
    fn calls_of_the_allocator_are_counted_and_its_own_lines_are_not() {
        let text = "fn=(1) main\n0 5\ncfn=(2) malloc\ncalls=3 0\n0 60\ncfn=(3) free\ncalls=3 0\n0 9\nfn=(2)\n0 60\ncfn=(4) calloc'2\ncalls=1 0\n0 2\ncfn=(2)\ncalls=2 0\n0 40\ntotals: 174\n";
        let totals = parse(text).unwrap();
        assert_eq!((totals.instructions, totals.allocations), (174, 6));
    }
}
