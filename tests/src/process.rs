//! A test server as a child process, over a real pipe or, as Node gives it, a pair of sockets.
//!
//! Everything waits for an event with one generous limit, so a server that hangs fails its test instead of the whole run.

use std::fs::File;
use std::io::{BufRead, BufReader, Read, Write};
use std::os::fd::OwnedFd;
use std::os::unix::net::UnixStream;
use std::process::{Child, Command, ExitStatus};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use serde_json::Value;

/// Far more than anything here takes, also on a machine that is busy with other things.
const LIMIT: Duration = Duration::from_secs(30);

/// What the child's standard input and output are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Link {
    /// Two pipes, as a shell and Python make them.
    Pipe,
    /// Two pairs of sockets, as Node makes them.
    Socket,
}

impl Link {
    /// Both.
    pub const ALL: [Self; 2] = [Self::Pipe, Self::Socket];
}

/// What becomes of the child's standard error.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Errors {
    /// It is read, and [`Process::errors`] is what was said.
    Read,
    /// It is a pipe or socket that nobody reads.
    Unread(Link),
    /// It is a pipe that nobody holds the other end of.
    Closed,
    /// It is standard output (`2>&1`).
    OnOutput,
}

/// A running server.
#[derive(Debug)]
pub struct Process {
    child: Child,
    input: Option<Box<dyn WriteDebug>>,
    output: Option<Box<dyn ReadDebug>>,
    lines: Option<Receiver<String>>,
    errors: Option<JoinHandle<String>>,
    /// Our end of a standard error that is not read.
    unread: Option<OwnedFd>,
}

/// No line came in time, or the stream is over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Silent {
    /// Nothing came in time.
    Late,
    /// Nothing will come any more.
    Over,
}

/// Something to write to.
trait WriteDebug: Write + Send + std::fmt::Debug {}
impl<T: Write + Send + std::fmt::Debug> WriteDebug for T {}

/// Something to read from.
trait ReadDebug: Read + Send + std::fmt::Debug {}
impl<T: Read + Send + std::fmt::Debug> ReadDebug for T {}

impl Process {
    /// Starts `program` with these variables in its environment, and reads what it says.
    pub fn start(program: &str, link: Link, environment: &[(&str, &str)]) -> Self {
        let mut process = Self::start_unread(program, link, environment);
        process.read();
        process
    }

    /// Starts `program` without reading from it until [`read`](Self::read).
    pub fn start_unread(program: &str, link: Link, environment: &[(&str, &str)]) -> Self {
        Self::start_with(program, link, Errors::Read, environment)
    }

    /// Starts `program` with a standard error of some kind, without reading from it until [`read`](Self::read).
    pub fn start_with(program: &str, link: Link, errors: Errors, environment: &[(&str, &str)]) -> Self {
        let (its_input, input) = channel(link);
        let (output, its_output) = channel(link);
        let (kept, its_errors) = match errors {
            Errors::Read | Errors::Closed => channel(Link::Pipe),
            Errors::Unread(link) => channel(link),
            Errors::OnOutput => {
                (output.try_clone().expect("a duplicate"), its_output.try_clone().expect("a duplicate"))
            }
        };
        let mut command = Command::new(program);
        command.envs(environment.iter().copied()).env_remove("RUST_BACKTRACE");
        command.stdin(its_input).stdout(its_output).stderr(its_errors);
        let child = command.spawn().expect("the server starts");
        // The command holds our copies of the child's ends.
        drop(command);
        let (errors, unread) = match errors {
            Errors::Read => (Some(std::thread::spawn(move || read_to_end(kept))), None),
            Errors::Unread(_) => (None, Some(kept)),
            Errors::Closed | Errors::OnOutput => (None, None),
        };
        let (input, output): (File, File) = (input.into(), output.into());
        Self { child, input: Some(Box::new(input)), output: Some(Box::new(output)), lines: None, errors, unread }
    }

    /// Begins to read.
    pub fn read(&mut self) {
        let Some(output) = self.output.take() else { return };
        let (sender, lines) = mpsc::channel();
        std::thread::spawn(move || {
            for line in BufReader::new(output).lines() {
                let Ok(line) = line else { return };
                if sender.send(line).is_err() {
                    return;
                }
            }
        });
        self.lines = Some(lines);
    }

    /// Reads so many lines, and then no more: nobody else reads from the output afterwards.
    pub fn wait_for_output(&mut self, lines: usize) {
        let output = self.output.as_mut().expect("it is not being read");
        let (mut seen, mut byte) = (0, [0]);
        while seen < lines {
            output.read_exact(&mut byte).expect("the server says something");
            seen += usize::from(byte == *b"\n");
        }
    }

    /// Writes bytes as they are.
    pub fn write(&mut self, bytes: impl AsRef<[u8]>) {
        let input = self.input.as_mut().expect("the input is open");
        input.write_all(bytes.as_ref()).and_then(|()| input.flush()).expect("the server reads");
    }

    /// Writes bytes as they are; whether the server still reads is none of the test's business.
    pub fn try_write(&mut self, bytes: &[u8]) -> std::io::Result<()> {
        self.input.as_mut().expect("the input is open").write_all(bytes)
    }

    /// The input, to write from another thread.
    pub fn take_input(&mut self) -> impl Write + Send + use<> {
        self.input.take().expect("the input is open")
    }

    /// Sends a message.
    pub fn send(&mut self, message: &Value) {
        self.write(format!("{message}\n"));
    }

    /// Sends one line of text.
    pub fn line(&mut self, line: &str) {
        self.write(format!("{line}\n"));
    }

    /// The next line, whatever it is.
    pub fn next_line(&mut self, limit: Duration) -> Result<String, Silent> {
        self.read();
        self.lines.as_ref().expect("it is being read").recv_timeout(limit).map_err(|error| match error {
            RecvTimeoutError::Timeout => Silent::Late,
            RecvTimeoutError::Disconnected => Silent::Over,
        })
    }

    /// The next message. Anything on the stream that is no message fails the test.
    pub fn receive(&mut self) -> Value {
        let line = self.next_line(LIMIT).unwrap_or_else(|silent| panic!("no answer: {silent:?}"));
        serde_json::from_str(&line).unwrap_or_else(|error| panic!("not a message: {error}: {line}"))
    }

    /// Everything that still comes, after the input has been closed.
    pub fn rest(&mut self) -> Vec<Value> {
        self.close();
        let mut rest = Vec::new();
        loop {
            match self.next_line(LIMIT) {
                Ok(line) => rest
                    .push(serde_json::from_str(&line).unwrap_or_else(|error| panic!("not a message: {error}: {line}"))),
                Err(Silent::Over) => return rest,
                Err(Silent::Late) => panic!("the server goes on without input"),
            }
        }
    }

    /// Closes the server's input.
    pub fn close(&mut self) {
        self.input = None;
    }

    /// Closes our end of the server's output, unread.
    pub fn hang_up(&mut self) {
        self.output = None;
        self.lines = None;
    }

    /// Closes our end of a standard error that is not read.
    pub fn close_errors(&mut self) {
        self.unread = None;
    }

    /// The child's process id.
    pub fn id(&self) -> u32 {
        self.child.id()
    }

    /// Sends a signal by name, such as `TERM`.
    pub fn signal(&self, name: &str) {
        let sent = Command::new("kill").args(["-s", name, &self.id().to_string()]).status().expect("`kill` runs");
        assert!(sent.success(), "the signal was sent");
    }

    /// The most memory the server ever had, in KiB.
    pub fn peak_memory(&self) -> u64 {
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.id())).expect("/proc");
        let line = status.lines().find(|line| line.starts_with("VmHWM:")).expect("a peak");
        line.split_whitespace().nth(1).and_then(|number| number.parse().ok()).expect("a number")
    }

    /// The processor time that the server has used, in clock ticks of 10 ms.
    pub fn processor_ticks(&self) -> u64 {
        let stat = std::fs::read_to_string(format!("/proc/{}/stat", self.id())).expect("/proc");
        let after_name = stat.rsplit(')').next().expect("fields");
        let fields: Vec<&str> = after_name.split_whitespace().collect();
        [11, 12].iter().map(|&field| fields[field].parse::<u64>().expect("a number")).sum()
    }

    /// Whether the server has ended, without waiting.
    pub fn has_ended(&mut self) -> bool {
        self.child.try_wait().expect("its state").is_some()
    }

    /// Waits for the end of the process, and how long that took.
    pub fn ended(&mut self) -> (ExitStatus, Duration) {
        let began = Instant::now();
        loop {
            if let Some(status) = self.child.try_wait().expect("its state") {
                return (status, began.elapsed());
            }
            assert!(began.elapsed() < LIMIT, "the server does not end");
            std::thread::sleep(Duration::from_millis(2));
        }
    }

    /// What it said on standard error, once it has ended.
    pub fn errors(&mut self) -> String {
        self.errors.take().and_then(|errors| errors.join().ok()).unwrap_or_default()
    }
}

/// The reading end, then the writing end.
fn channel(link: Link) -> (OwnedFd, OwnedFd) {
    match link {
        Link::Pipe => {
            let (read, write) = std::io::pipe().expect("a pipe");
            (read.into(), write.into())
        }
        Link::Socket => {
            let (read, write) = UnixStream::pair().expect("a pair of sockets");
            (read.into(), write.into())
        }
    }
}

fn read_to_end(end: OwnedFd) -> String {
    let mut text = Vec::new();
    // Whatever was said before it broke is worth having.
    let _ = File::from(end).read_to_end(&mut text);
    String::from_utf8_lossy(&text).into_owned()
}

impl Drop for Process {
    fn drop(&mut self) {
        // It has ended already, or the test failed before it could.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
