//! A server in a process of its own: this program once more, running one of its ignored tests.

use std::io::Read as _;
use std::net::SocketAddr;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use tokio::net::TcpStream;

use crate::client::{Connection, PATIENCE, Request, Response};

/// Where the server of another process listens.
pub const ADDRESS: &str = "MCP_TEST_ADDRESS";

/// A running server, ended with the test.
pub struct Process {
    child: Child,
    /// Reads standard error to its end.
    listener: Option<JoinHandle<String>>,
    pub address: SocketAddr,
}

impl Process {
    /// Runs an ignored test, which serves at `ADDRESS`, and waits until it listens.
    pub async fn start(test: &str, environment: &[(&str, &str)]) -> Self {
        let address = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
        let mut child = Command::new(std::env::current_exe().unwrap())
            .args(["--ignored", "--exact", "--nocapture", test])
            .env(ADDRESS, address.to_string())
            .envs(environment.iter().copied())
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let mut stderr = child.stderr.take().unwrap();
        let listener = std::thread::spawn(move || {
            let mut said = Vec::new();
            drop(stderr.read_to_end(&mut said));
            String::from_utf8_lossy(&said).into_owned()
        });
        let process = Self { child, listener: Some(listener), address };
        let begun = Instant::now();
        while TcpStream::connect(address).await.is_err() {
            assert!(begun.elapsed() < PATIENCE, "the process does not listen");
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
        process
    }

    pub async fn connect(&self) -> Connection {
        Connection::open(self.address).await
    }

    pub async fn send(&self, request: &Request) -> Response {
        self.connect().await.send(request).await
    }

    /// Sends a signal, by its name.
    pub fn signal(&self, name: &str) {
        let sent = Command::new("kill").args(["-s", name, &self.child.id().to_string()]).status().unwrap();
        assert!(sent.success());
    }

    /// The most memory that it has taken so far, in bytes.
    pub fn peak_memory(&self) -> u64 {
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.child.id())).unwrap();
        let line = status.lines().find(|line| line.starts_with("VmHWM:")).unwrap();
        line.split_whitespace().nth(1).unwrap().parse::<u64>().unwrap() * 1024
    }

    /// What it has said on standard error, once it has ended.
    pub fn said(&mut self) -> String {
        self.listener.take().unwrap().join().unwrap()
    }

    /// Waits for its end, and how long that took.
    pub async fn ended(&mut self) -> (ExitStatus, Duration) {
        let begun = Instant::now();
        loop {
            if let Some(status) = self.child.try_wait().unwrap() {
                return (status, begun.elapsed());
            }
            assert!(begun.elapsed() < PATIENCE, "the process does not end");
            tokio::time::sleep(Duration::from_millis(2)).await;
        }
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        drop(self.child.kill());
        drop(self.child.wait());
    }
}
