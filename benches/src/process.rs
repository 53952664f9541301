//! A server process, on the client's processor: what it has used so far.

use std::path::Path;
use std::process::{Child, Command};
use std::time::{Duration, Instant};

use nix::sched::{CpuSet, sched_getaffinity, sched_setaffinity};
use nix::sys::signal::{Signal, kill};
use nix::time::{ClockId, clock_getcpuclockid, clock_gettime};
use nix::unistd::Pid;

use crate::Result;

/// So long a server may be busy after it has answered.
const PATIENCE: Duration = Duration::from_secs(30);

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

    /// Waits until every thread of it sleeps: whatever follows an answer is done then, and the next request wakes it.
    pub fn settle(&self) -> Result<()> {
        let tasks = format!("/proc/{}/task", self.child.id());
        let end = Instant::now() + PATIENCE;
        while !is_asleep(Path::new(&tasks))? {
            if Instant::now() > end {
                return Err(format!("the server does not come to rest within {PATIENCE:?}").into());
            }
            std::thread::yield_now();
        }
        Ok(())
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

fn is_asleep(tasks: &Path) -> Result<bool> {
    for task in std::fs::read_dir(tasks)? {
        // A thread may end meanwhile.
        let Ok(stat) = std::fs::read_to_string(task?.path().join("stat")) else { return Ok(false) };
        if state(&stat) != Some('S') {
            return Ok(false);
        }
    }
    Ok(true)
}

/// The state in a line of `stat`: it follows the name, which is in parentheses and may hold some itself.
fn state(stat: &str) -> Option<char> {
    stat.rsplit_once(") ")?.1.chars().next()
}

fn pid(child: &Child) -> Pid {
    Pid::from_raw(child.id().cast_signed())
}

#[cfg(test)]
mod tests {
    use std::io::Read as _;
    use std::process::{Command, Stdio};

    use super::{Process, state};

    #[test]
    fn the_state_is_found_behind_any_name() {
        assert_eq!(state("7 (add) S 1 7"), Some('S'));
        assert_eq!(state("7 (a) b) R 1 7"), Some('R'));
        assert_eq!(state("7"), None);
    }

    #[test]
    fn a_process_that_is_busy_is_waited_for() {
        let busy = "i=0; while [ $i -lt 100000 ]; do i=$((i+1)); done; echo done; read _";
        let mut command = Command::new("sh");
        command.args(["-c", busy]).stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut process = Process::start(&mut command).unwrap();
        let mut output = process.child.stdout.take().unwrap();
        process.settle().unwrap();
        drop(process);
        let mut said = String::new();
        output.read_to_string(&mut said).unwrap();
        assert_eq!(said, "done\n");
    }

    #[test]
    fn a_process_that_waits_has_settled() {
        let process = Process::start(Command::new("cat").stdin(Stdio::piped()).stdout(Stdio::null())).unwrap();
        process.settle().unwrap();
    }
}
