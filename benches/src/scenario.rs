//! What is measured, and how: each scenario is one function from a program to a figure.

use std::process::Command;
use std::time::{Duration, Instant};

use crate::Result;
use crate::http::{Connection, Site};
use crate::message::{self, Ask, Era};
use crate::process::Process;
use crate::program::{self, Program};
use crate::stdio::Pipes;

/// One scenario.
#[derive(Debug)]
pub struct Scenario {
    pub key: &'static str,
    pub title: &'static str,
    pub unit: &'static str,
    pub target: Target,
    pub programs: &'static [Program],
    pub measure: fn(&Program, Effort) -> Result<Sample>,
}

/// What ours is to reach, in the scenario's unit.
#[derive(Clone, Copy, Debug)]
pub enum Target {
    AtMost(f64),
    TimesLimit(f64),
    LimitPlus(f64),
    /// All rows within so many percent of each other.
    Even(f64),
    None,
}

/// The figure of one run; with it the wall-clock time per call, where that says something.
#[derive(Clone, Copy, Debug)]
pub struct Sample {
    pub value: f64,
    pub wall_micros: Option<f64>,
}

/// Scales the number of calls.
#[derive(Clone, Copy, Debug)]
pub struct Effort(pub f64);

impl Effort {
    fn of(self, calls: usize) -> usize {
        ((calls as f64 * self.0) as usize).max(4)
    }
}

/// No run of one scenario takes much longer than this, however slow the server.
const PATIENCE: Duration = Duration::from_secs(4);

const INDEPENDENCE: [Program; 2] = [program::FEW, program::MANY];
const OURS_ONLY: [Program; 1] = [program::STDIO[1]];
/// tower-mcp drops progress events when its channel is full.
const STREAMING: [Program; 4] = [program::STDIO[0], program::STDIO[1], program::STDIO[2], program::STDIO[3]];
/// Without sessions there is no stream in the legacy era: the tuned one that keeps them streams.
const HTTP_STREAMING: [Program; 4] = [program::HTTP[0], program::HTTP[1], program::HTTP[3], program::HTTP[4]];
const SESSIONS: [Program; 5] =
    [program::HTTP[0], program::HTTP[1], program::HTTP[3], program::HTTP[4], program::HTTP[5]];

pub const ALL: [Scenario; 19] = [
    stdio("stdio", "stdio, one call at a time", Target::TimesLimit(1.5), |program, effort| {
        one_by_one(&mut pipes(program)?, 200, effort.of(20_000), &Ask::Add(20, 22))
    }),
    stdio("stdio-64", "stdio, 64 calls in flight", Target::AtMost(1.5), |program, effort| {
        let mut pipes = pipes(program)?;
        pipes.pipelined(1000, 64)?;
        let (mut calls, count) = (0, effort.of(100_000));
        metered(
            &mut pipes,
            |pipes| &pipes.process,
            |pipes, begun| {
                while calls < count && begun.elapsed() < PATIENCE {
                    pipes.pipelined(1000, 64)?;
                    calls += 1000;
                }
                Ok(calls)
            },
        )
    }),
    stdio("tools-list", "stdio, tools/list of 102 tools", Target::TimesLimit(1.5), |program, effort| {
        one_by_one(&mut pipes(program)?, 20, effort.of(2000), &Ask::List(program.tools()))
    }),
    Scenario {
        unit: "ms CPU per call",
        ..stdio("echo", "stdio, echo of 1 MiB", Target::TimesLimit(1.3), |program, effort| {
            let sample = one_by_one(&mut pipes(program)?, 4, effort.of(100), &Ask::Echo(message::mebibyte()))?;
            Ok(Sample { value: sample.value / 1000.0, ..sample })
        })
    },
    Scenario {
        unit: "µs CPU per event",
        programs: &STREAMING,
        ..stdio("progress", "stdio, 10,000 progress events of one call", Target::None, |program, _| {
            per_event(one_by_one(&mut pipes(program)?, 1, 4, &Ask::Count(10_000))?)
        })
    },
    Scenario {
        unit: "ms CPU",
        ..stdio("cold-start", "cold start, to the answer to `initialize`", Target::LimitPlus(1.0), |program, effort| {
            let (mut cpu, starts) = (Duration::ZERO, effort.of(20));
            let begun = Instant::now();
            for _ in 0..starts {
                cpu += pipes(program)?.process.cpu()?;
            }
            Ok(Sample { value: per(cpu, starts) / 1000.0, wall_micros: Some(per(begun.elapsed(), starts)) })
        })
    },
    Scenario {
        unit: "MiB resident",
        ..stdio("memory", "memory after the stdio calls", Target::AtMost(5.0), |program, effort| {
            let mut pipes = pipes(program)?;
            one_by_one(&mut pipes, 0, effort.of(10_000), &Ask::Add(20, 22))?;
            pipes.pipelined(effort.of(10_000), 64)?;
            Ok(Sample { value: pipes.process.resident()? / 1024.0, wall_micros: None })
        })
    },
    Scenario {
        unit: "KiB more",
        programs: &OURS_ONLY,
        ..stdio("flat", "memory that a million more calls take", Target::AtMost(64.0), |program, effort| {
            let mut pipes = pipes(program)?;
            pipes.pipelined(effort.of(100_000), 64)?;
            let before = pipes.process.resident()?;
            pipes.pipelined(effort.of(1_000_000), 64)?;
            Ok(Sample { value: pipes.process.resident()? - before, wall_micros: None })
        })
    },
    Scenario {
        programs: &INDEPENDENCE,
        ..stdio(
            "independence",
            "stdio, one call at a time, few tools and many",
            Target::Even(5.0),
            |program, effort| one_by_one(&mut pipes(program)?, 200, effort.of(20_000), &Ask::Add(20, 22)),
        )
    },
    http("http", "HTTP, one connection, legacy", |program, effort| {
        http_calls(program, effort, Era::Legacy, 1, &Ask::Add(20, 22))
    }),
    http("http-modern", "HTTP, one connection, modern", |program, effort| {
        http_calls(program, effort, Era::Modern, 1, &Ask::Add(20, 22))
    }),
    http("http-64", "HTTP, 64 connections, legacy", |program, effort| {
        http_calls(program, effort, Era::Legacy, 64, &Ask::Add(20, 22))
    }),
    http("http-64-modern", "HTTP, 64 connections, modern", |program, effort| {
        http_calls(program, effort, Era::Modern, 64, &Ask::Add(20, 22))
    }),
    Scenario {
        target: Target::None,
        ..http("http-list", "HTTP, tools/list of 102 tools, modern", |program, effort| {
            http_calls(program, Effort(effort.0 / 10.0), Era::Modern, 1, &Ask::List(program.tools()))
        })
    },
    Scenario {
        target: Target::None,
        ..http("http-echo", "HTTP, echo of 1 MiB, modern", |program, effort| {
            http_calls(program, Effort(effort.0 / 100.0), Era::Modern, 1, &Ask::Echo(message::mebibyte()))
        })
    },
    Scenario {
        unit: "µs CPU per event",
        target: Target::None,
        programs: &HTTP_STREAMING,
        ..http("http-progress", "HTTP, 10,000 progress events of one call, legacy", |program, _| {
            per_event(http_calls_of(program, Era::Legacy, 1, 4, &Ask::Count(10_000))?)
        })
    },
    Scenario {
        unit: "µs CPU per event",
        target: Target::None,
        programs: &HTTP_STREAMING,
        ..http("http-progress-modern", "HTTP, 10,000 progress events of one call, modern", |program, _| {
            per_event(http_calls_of(program, Era::Modern, 1, 4, &Ask::Count(10_000))?)
        })
    },
    Scenario {
        unit: "KiB per session",
        target: Target::AtMost(0.5),
        programs: &SESSIONS,
        ..http("sessions", "2,000 idle sessions", |program, _| {
            let (site, mut connection) = sessions(program, 100)?;
            let before = site.process.resident()?;
            open(&mut connection, 2000)?;
            Ok(Sample { value: (site.process.resident()? - before) / 2000.0, wall_micros: None })
        })
    },
    Scenario {
        unit: "µs CPU per session",
        target: Target::None,
        programs: &SESSIONS,
        ..http("session-open", "a session opened (initialize, initialized)", |program, effort| {
            let (site, mut connection) = sessions(program, 100)?;
            let (before, count) = (site.process.cpu()?, effort.of(1000));
            open(&mut connection, count)?;
            Ok(Sample { value: per(site.process.cpu()? - before, count), wall_micros: None })
        })
    },
];

const fn stdio(
    key: &'static str,
    title: &'static str,
    target: Target,
    measure: fn(&Program, Effort) -> Result<Sample>,
) -> Scenario {
    Scenario { key, title, unit: "µs CPU per call", target, programs: &program::STDIO, measure }
}

const fn http(key: &'static str, title: &'static str, measure: fn(&Program, Effort) -> Result<Sample>) -> Scenario {
    Scenario {
        key, title, unit: "µs CPU per call", target: Target::TimesLimit(1.6), programs: &program::HTTP, measure
    }
}

fn pipes(program: &Program) -> Result<Pipes> {
    Pipes::open(Command::new(program.path()).args(program.arguments(None)))
}

fn site(program: &Program) -> Result<Site> {
    Site::open(|address| {
        let mut command = Command::new(program.path());
        command.args(program.arguments(Some(address)));
        command
    })
}

fn one_by_one(pipes: &mut Pipes, warm_up: usize, count: usize, ask: &Ask) -> Result<Sample> {
    for _ in 0..warm_up {
        pipes.call(ask)?;
    }
    metered(pipes, |pipes| &pipes.process, |pipes, begun| repeated(count, begun, || pipes.call(ask)))
}

fn http_calls(program: &Program, effort: Effort, era: Era, connections: usize, ask: &Ask) -> Result<Sample> {
    http_calls_of(program, era, connections, effort.of(10_000) / connections, ask)
}

/// So many calls on each connection; all connections have a request under way, all the time.
fn http_calls_of(program: &Program, era: Era, connections: usize, count: usize, ask: &Ask) -> Result<Sample> {
    let site = site(program)?;
    let mut connections = (0..connections).map(|_| site.connect(era)).collect::<Result<Vec<_>>>()?;
    let mut round = || {
        connections.iter_mut().try_for_each(|connection| connection.send(ask))?;
        connections.iter_mut().try_for_each(|connection| connection.receive(ask))
    };
    for _ in 0..(count / 50).max(1) {
        round()?;
    }
    let sample = metered(&mut round, |_| &site.process, |round, begun| repeated(count, begun, round))?;
    let width = connections.len() as f64;
    Ok(Sample { value: sample.value / width, wall_micros: sample.wall_micros.map(|wall| wall / width) })
}

fn sessions(program: &Program, count: usize) -> Result<(Site, Connection)> {
    let site = site(program)?;
    let mut connection = site.connect(Era::Legacy)?;
    open(&mut connection, count)?;
    Ok((site, connection))
}

fn open(connection: &mut Connection, sessions: usize) -> Result<()> {
    (0..sessions).try_for_each(|_| connection.initialize())
}

/// Calls until `count` is reached or patience is lost; how often it was.
fn repeated(count: usize, begun: Instant, mut call: impl FnMut() -> Result<()>) -> Result<usize> {
    let mut calls = 0;
    while calls < count && (calls < 2 || begun.elapsed() < PATIENCE) {
        call()?;
        calls += 1;
    }
    Ok(calls)
}

/// The server's CPU time per call, and the wall-clock time.
fn metered<T>(
    client: &mut T,
    process: impl for<'a> Fn(&'a T) -> &'a Process,
    run: impl FnOnce(&mut T, Instant) -> Result<usize>,
) -> Result<Sample> {
    let (before, begun) = (process(client).cpu()?, Instant::now());
    let calls = run(client, begun)?;
    let (wall, after) = (begun.elapsed(), process(client).cpu()?);
    Ok(Sample { value: per(after - before, calls), wall_micros: Some(per(wall, calls)) })
}

#[expect(clippy::unnecessary_wraps, reason = "it ends a measurement that can fail")]
fn per_event(sample: Sample) -> Result<Sample> {
    Ok(Sample { value: sample.value / 10_000.0, wall_micros: sample.wall_micros.map(|wall| wall / 10_000.0) })
}

/// Microseconds for each.
fn per(time: Duration, count: usize) -> f64 {
    time.as_secs_f64() * 1e6 / count as f64
}
