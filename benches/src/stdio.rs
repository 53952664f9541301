//! A client on pipes: one request at a time, or a window of them.

use std::collections::HashMap;
use std::io::{BufRead as _, BufReader, Write as _};
use std::process::{ChildStdin, ChildStdout, Command, Stdio};

use crate::Result;
use crate::message::{self, Ask, Era, INITIALIZE, INITIALIZED};
use crate::process::Process;

/// A connection to a server that has just been started.
#[derive(Debug)]
pub struct Pipes {
    pub process: Process,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
    line: Vec<u8>,
    last_id: u64,
}

impl Pipes {
    /// Starts the server and waits for its answer to `initialize`.
    pub fn open(command: &mut Command) -> Result<Self> {
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
        let mut process = Process::start(command)?;
        let input = process.child.stdin.take().ok_or("no pipe")?;
        let output = BufReader::with_capacity(1 << 16, process.child.stdout.take().ok_or("no pipe")?);
        let mut pipes = Self { process, input, output, line: Vec::new(), last_id: 0 };
        pipes.input.write_all(format!("{INITIALIZE}\n").as_bytes())?;
        pipes.read()?;
        if !pipes.line.windows(12).any(|part| part == b"\"serverInfo\"") {
            return Err(format!("not initialized: {}", String::from_utf8_lossy(&pipes.line)).into());
        }
        pipes.input.write_all(format!("{INITIALIZED}\n").as_bytes())?;
        Ok(pipes)
    }

    /// One request, and its answer.
    pub fn call(&mut self, ask: &Ask) -> Result<()> {
        self.last_id += 1;
        let mut request = Vec::new();
        ask.write(self.last_id, Era::Legacy, &mut request)?;
        request.push(b'\n');
        self.input.write_all(&request)?;
        if let Ask::Count(to) = ask {
            for step in 1..=*to {
                self.read()?;
                message::check_progress(step, &self.line)?;
            }
        }
        self.read()?;
        ask.check(self.last_id, &self.line)
    }

    /// So many requests, with `window` of them under way: as answers come in, as many requests go out, in one write.
    pub fn pipelined(&mut self, count: usize, window: usize) -> Result<()> {
        let mut under_way = HashMap::new();
        let mut requests = Vec::new();
        let mut left = count;
        while left > 0 || !under_way.is_empty() {
            while left > 0 && under_way.len() < window {
                left -= 1;
                self.last_id += 1;
                let ask = Ask::Add(self.last_id.cast_signed(), 3);
                ask.write(self.last_id, Era::Legacy, &mut requests)?;
                requests.push(b'\n');
                under_way.insert(self.last_id, ask);
            }
            self.input.write_all(&requests)?;
            requests.clear();
            loop {
                self.read()?;
                let id = message::id(&self.line)?.ok_or("an answer without id")?;
                under_way.remove(&id).ok_or("an answer came twice, or to nothing")?.check(id, &self.line)?;
                if !self.output.buffer().contains(&b'\n') {
                    break;
                }
            }
        }
        Ok(())
    }

    /// Ends the input and waits for the server to end.
    pub fn close(self) -> Result<()> {
        let Self { mut process, input, output, .. } = self;
        drop(input);
        let status = process.child.wait()?;
        drop(output);
        if status.success() { Ok(()) } else { Err(format!("the server ended with {status}").into()) }
    }

    fn read(&mut self) -> Result<()> {
        self.line.clear();
        if self.output.read_until(b'\n', &mut self.line)? == 0 {
            return Err("the server has closed its output".into());
        }
        Ok(())
    }
}
