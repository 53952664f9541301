//! mcp-runtime beside rmcp, tower-mcp and a server written by hand. See README.md.

mod compile;
mod http;
mod instructions;
mod message;
mod process;
mod program;
mod scenario;
mod stdio;
mod table;
mod targets;

use program::Program;
use scenario::{Effort, Scenario};
use table::Row;

type Result<T, E = Box<dyn std::error::Error>> = std::result::Result<T, E>;

const USAGE: &str = "\
cargo run --release -- [SCENARIO...]      all scenarios unless named, in alternation, on one processor
    --rounds N          runs of each (5)
    --effort X          so many times the calls (1.0)
    --only NAME,NAME    these programs
    --no-build          with the servers as they were built last
cargo run --release -- instructions       instructions and allocations per call of ours, under callgrind
    --check             fails when they are 10 % over instructions.json
    --record            writes them there
    --all               of the others, too
    --independence      fails when they differ by more than 5 % between 3 and 300 tools
cargo run --release -- targets            all that has a target, and the table of it (about ten minutes)
    --no-build          with the servers as they were built last
    --no-compile        without what it costs to build
cargo run --release -- compile            what the build of 102 tools costs, beside rmcp
    --http              an HTTP server
    --warm              without the clean builds
cargo run --release -- list               the scenarios";

#[derive(Debug, Default)]
struct Options {
    words: Vec<String>,
    only: Vec<String>,
    rounds: Option<usize>,
    effort: Option<f64>,
    flags: Vec<String>,
}

impl Options {
    fn read(mut arguments: impl Iterator<Item = String>) -> Result<Self> {
        let mut options = Self::default();
        while let Some(argument) = arguments.next() {
            let mut value = || arguments.next().ok_or_else(|| format!("{argument} needs a value"));
            match &*argument {
                "--rounds" => options.rounds = Some(value()?.parse()?),
                "--effort" => options.effort = Some(value()?.parse()?),
                "--only" => options.only = value()?.split(',').map(str::to_owned).collect(),
                "--no-build" | "--no-compile" | "--check" | "--record" | "--all" | "--independence" | "--http"
                | "--warm" => options.flags.push(argument),
                flag if flag.starts_with('-') => return Err(format!("`{flag}` is not known\n{USAGE}").into()),
                _ => options.words.push(argument),
            }
        }
        Ok(options)
    }

    fn has(&self, flag: &str) -> bool {
        self.flags.iter().any(|given| given == flag)
    }

    fn wants(&self, program: &Program) -> bool {
        self.only.is_empty() || self.only.iter().any(|name| name == program.name)
    }
}

fn main() -> std::process::ExitCode {
    match Options::read(std::env::args().skip(1)).and_then(|options| run(&options)) {
        Ok(true) => std::process::ExitCode::SUCCESS,
        Ok(false) => std::process::ExitCode::FAILURE,
        Err(error) => {
            eprintln!("{error}");
            std::process::ExitCode::FAILURE
        }
    }
}

fn run(options: &Options) -> Result<bool> {
    match options.words.first().map(String::as_str) {
        Some("list") => {
            for scenario in &scenario::ALL {
                println!("{:<22} {}, {}", scenario.key, scenario.title, scenario.unit);
            }
            Ok(true)
        }
        Some("instructions") => count_instructions(options),
        Some("compile") => compile::run(options.has("--http"), !options.has("--warm")).map(|()| true),
        Some("targets") => {
            if !options.has("--no-build") {
                build(scenario::ALL.iter().flat_map(|scenario| scenario.programs))?;
            }
            targets::run(!options.has("--no-compile"))
        }
        _ => measure(options),
    }
}

fn measure(options: &Options) -> Result<bool> {
    if let Some(unknown) = options.words.iter().find(|word| scenario::ALL.iter().all(|scenario| scenario.key != **word))
    {
        return Err(format!("there is no scenario `{unknown}`\n{USAGE}").into());
    }
    let wanted =
        |scenario: &&Scenario| options.words.is_empty() || options.words.iter().any(|word| word == scenario.key);
    let scenarios: Vec<_> = scenario::ALL.iter().filter(wanted).collect();
    let wants = |program: &Program| options.wants(program);
    if !options.has("--no-build") {
        build(scenarios.iter().flat_map(|scenario| scenario.programs).filter(|program| wants(program)))?;
    }
    process::pin()?;
    let mut is_good = true;
    for scenario in scenarios {
        let effort = Effort(options.effort.unwrap_or(1.0));
        is_good &= table::print(scenario, &rounds(scenario, options.rounds.unwrap_or(5), effort, wants));
    }
    Ok(is_good)
}

fn build<'p>(programs: impl Iterator<Item = &'p Program>) -> Result<()> {
    let mut built = Vec::new();
    for program in programs {
        program.build(&mut built)?;
    }
    Ok(())
}

/// A B C A B C …: what disturbs the machine disturbs all of them.
fn rounds(scenario: &Scenario, count: usize, effort: Effort, wants: impl Fn(&Program) -> bool) -> Vec<Row> {
    let programs: Vec<_> = scenario.programs.iter().filter(|program| wants(program)).collect();
    let mut rows: Vec<_> =
        programs.iter().map(|program| Row { name: program.name, samples: Vec::new(), failure: None }).collect();
    for _ in 0..count {
        for (program, row) in programs.iter().zip(&mut rows) {
            if row.failure.is_none() {
                match (scenario.measure)(program, effort) {
                    Ok(sample) => row.samples.push(sample),
                    Err(error) => row.failure = Some(error.to_string()),
                }
            }
        }
    }
    rows
}

fn count_instructions(options: &Options) -> Result<bool> {
    let (stdio, http) = instructions::OURS;
    let mut built = Vec::new();
    let mut is_good = true;
    let pairs = if options.has("--all") {
        vec![
            (program::STDIO[0], program::HTTP[0]),
            (stdio, http),
            (program::STDIO[2], program::HTTP[2]),
            (program::STDIO[3], program::HTTP[4]),
        ]
    } else {
        vec![(stdio, http)]
    };
    if !options.has("--no-build") {
        for program in pairs.iter().flat_map(|(stdio, http)| [stdio, http]) {
            program.build(&mut built)?;
        }
        if options.has("--independence") {
            program::FEW.build(&mut built)?;
            program::MANY.build(&mut built)?;
        }
    }
    // One processor, so one worker: which of several wakes up is chance.
    process::pin()?;
    for (stdio, http) in pairs {
        println!("{}", stdio.name);
        let costs = instructions::count(Some(&stdio), Some(&http))?;
        if stdio.name == program::OURS {
            if options.has("--record") {
                instructions::record(costs)?;
            } else if options.has("--check") {
                is_good &= instructions::check(&costs, &stdio, &http)?;
            }
        }
    }
    if options.has("--independence") {
        is_good &= instructions::is_independent(&program::FEW, &program::MANY)?;
    }
    Ok(is_good)
}
