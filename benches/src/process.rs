//! A server process, on the client's processor: what it has used so far.

use std::process::{Child, Command};
use std::time::Duration;

use nix::sched::{CpuSet, sched_getaffinity, sched_setaffinity};
use nix::sys::signal::{Signal, kill};
use nix::time::{ClockId, clock_getcpuclockid, clock_gettime};
use nix::unistd::Pid;

use crate::Result;

/// Keeps this process, and those it starts, on one processor.
pub fn pin() -> Result<()> {
    let this = Pid::from_raw(0);
    let allowed = sched_getaffinity(this)?;
    // The last one: interrupts tend to be served by the first.
    let last = (0..CpuSet::count())
        .rev()
        .find(|cpu| allowed.is_set(*cpu).unwrap_or(false))
        .ok_or("no processor is allowed")?;
    let mut one = CpuSet::new();
    one.set(last)?;
    sched_setaffinity(this, &one)?;
    Ok(())
}

/// A running server. It ends with its owner.
#[derive(Debug)]
pub struct Process {
    pub child: Child,
    clock: ClockId,
}

impl Process {
    pub fn start(command: &mut Command) -> Result<Self> {
        let child = command.spawn().map_err(|error| format!("{}: {error}", command.get_program().display()))?;
        let clock = clock_getcpuclockid(pid(&child))?;
        Ok(Self { child, clock })
    }

    /// User and system time of all its threads, those that have ended too.
    pub fn cpu(&self) -> Result<Duration> {
        Ok(clock_gettime(self.clock)?.into())
    }

    /// Resident memory in KiB.
    pub fn resident(&self) -> Result<f64> {
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.child.id()))?;
        let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).ok_or("no resident size is known")?;
        Ok(line.trim().trim_end_matches("kB").trim().parse()?)
    }

    /// Asks it to end, and waits until it has.
    pub fn terminate(mut self) -> Result<()> {
        kill(pid(&self.child), Signal::SIGTERM)?;
        self.child.wait()?;
        Ok(())
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        // It may have ended already.
        drop(self.child.kill());
        drop(self.child.wait());
    }
}

fn pid(child: &Child) -> Pid {
    Pid::from_raw(child.id().cast_signed())
}
