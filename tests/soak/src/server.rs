//! The server's process, and what it takes.

use std::io::{Error, Result};
use std::net::{SocketAddr, TcpListener};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::json;

use crate::client::{Client, call};

pub const KEY: &str = "AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=";
pub const OTHER_KEY: &str = "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1eff";

/// So many requests and streams it lets in at a time.
pub const PLACES: usize = 200;

/// A running server. It ends with its owner.
#[derive(Debug)]
pub struct Server {
    child: Child,
    pub address: SocketAddr,
}

/// What a server takes at one moment.
#[derive(Clone, Copy, Debug)]
pub struct Taken {
    /// Resident memory in KiB.
    pub memory: usize,
    pub descriptors: usize,
    pub handlers: usize,
    pub tasks: usize,
}

impl Server {
    pub fn start(key: &str, leak: Option<&str>) -> Result<Self> {
        let address = TcpListener::bind("127.0.0.1:0")?.local_addr()?;
        let program = std::env::current_exe()?.with_file_name("soaked");
        let mut command = Command::new(program);
        command.arg(address.to_string()).env("MCP_STATE_KEY", key).stdout(Stdio::null()).stderr(Stdio::null());
        // One heap for all threads: glibc gives each of them one of its own, which grows by itself and hides what leaks.
        command.env("MALLOC_ARENA_MAX", "1");
        if let Some(leak) = leak {
            command.env("SOAKED_LEAK", leak);
        }
        let server = Self { child: command.spawn()?, address };
        let begun = Instant::now();
        while let Err(error) = Client::connect(address) {
            if begun.elapsed() > Duration::from_secs(20) {
                return Err(error);
            }
            std::thread::sleep(Duration::from_millis(5));
        }
        Ok(server)
    }

    /// Asks it to end, and says how long that took.
    pub fn stop(mut self) -> Result<Duration> {
        let begun = Instant::now();
        Command::new("kill").args(["-s", "TERM", &self.child.id().to_string()]).status()?;
        let status = self.child.wait()?;
        if status.success() { Ok(begun.elapsed()) } else { Err(Error::other(format!("it ended with {status}"))) }
    }

    pub fn taken(&self) -> Result<Taken> {
        let text = Client::connect(self.address)?.send(&call(None, "inside", &json!({})))?.text();
        let mut numbers = text.split(' ').map(|number| number.parse().map_err(|_| Error::other(text.clone())));
        let mut number = || numbers.next().unwrap_or(Ok(0));
        let (handlers, tasks) = (number()?, number()?);
        let memory = self.status("VmRSS:")?;
        let descriptors = std::fs::read_dir(format!("/proc/{}/fd", self.child.id()))?.count();
        Ok(Taken { memory, descriptors, handlers, tasks })
    }

    /// The most memory that it ever had, in KiB.
    pub fn peak(&self) -> Result<usize> {
        self.status("VmHWM:")
    }

    fn status(&self, name: &str) -> Result<usize> {
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.child.id()))?;
        let number = status.lines().find_map(|line| line.strip_prefix(name)).unwrap_or_default();
        number.trim().trim_end_matches("kB").trim().parse().map_err(Error::other)
    }

    /// What it takes when it has come to rest: as soon as it takes no more than `before`, or after a while.
    pub fn at_rest(&self, before: &Taken) -> Result<Taken> {
        let begun = Instant::now();
        loop {
            let now = self.taken()?;
            let is_at_rest =
                now.handlers <= before.handlers && now.tasks <= before.tasks && now.descriptors <= before.descriptors;
            if is_at_rest || begun.elapsed() > Duration::from_secs(5) {
                return Ok(now);
            }
            std::thread::sleep(Duration::from_millis(20));
        }
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        // It may have ended already.
        drop(self.child.kill());
        drop(self.child.wait());
    }
}
