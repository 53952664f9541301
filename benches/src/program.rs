//! The measured servers: how each is built, and how it is started.

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::Result;

/// A build of a server package.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Build {
    package: &'static str,
    features: &'static str,
    /// How many tools beside `add` and `echo`.
    generated: usize,
}

/// A server in one of the ways it is run.
#[derive(Clone, Copy, Debug)]
pub struct Program {
    pub name: &'static str,
    build: Build,
    mode: Option<&'static str>,
}

const fn program(name: &'static str, package: &'static str, features: &'static str) -> Program {
    Program { name, build: Build { package, features, generated: 100 }, mode: None }
}

pub const OURS: &str = "mcp-runtime";
pub const LIMIT: &str = "limit";

/// Over pipes.
pub const STDIO: [Program; 5] = [
    program(LIMIT, "limit", ""),
    program(OURS, "ours", ""),
    program("rmcp tuned", "rmcp-server", "tuned"),
    program("rmcp as documented", "rmcp-server", ""),
    program("tower-mcp", "tower-mcp-server", ""),
];

/// Over HTTP. The tuned rmcp answers with JSON and keeps no sessions, or keeps sessions.
pub const HTTP: [Program; 6] = [
    program(LIMIT, "limit", "http"),
    program(OURS, "ours", "http"),
    program("rmcp tuned", "rmcp-server", "http,tuned"),
    Program { mode: Some("session"), ..program("rmcp tuned, sessions", "rmcp-server", "http,tuned") },
    program("rmcp as documented", "rmcp-server", "http"),
    program("tower-mcp", "tower-mcp-server", "http"),
];

/// Ours with few tools and with many; with HTTP, which the other counted servers have, so that one build of the runtime is
/// enough for all of them.
pub const FEW: Program = ours_with("mcp-runtime (3 tools)", 1);
pub const MANY: Program = ours_with("mcp-runtime (300 tools)", 298);

const fn ours_with(name: &'static str, generated: usize) -> Program {
    Program { name, build: Build { package: "ours", features: "http", generated }, mode: None }
}

impl Program {
    /// How many tools it lists.
    pub const fn tools(&self) -> usize {
        self.build.generated + 2
    }

    pub fn path(&self) -> PathBuf {
        self.build.path()
    }

    /// The command that serves on standard input and output, or on an address.
    pub fn arguments(&self, address: Option<&str>) -> Vec<String> {
        address.into_iter().chain(self.mode).map(str::to_owned).collect()
    }

    /// Builds it, unless it was built in this run.
    pub fn build(&self, built: &mut Vec<Build>) -> Result<()> {
        if built.contains(&self.build) {
            return Ok(());
        }
        self.build.run()?;
        built.push(self.build);
        Ok(())
    }
}

impl Build {
    /// Where the binary is kept: cargo has one place for all features.
    fn path(&self) -> PathBuf {
        let Self { package, features, generated } = self;
        root().join(format!("target/servers/{package}-{}-{generated}", features.replace(',', "-")))
    }

    fn run(&self) -> Result<()> {
        eprintln!("building {} {} with {} tools", self.package, self.features, self.generated + 2);
        let output = Command::new("cargo")
            .current_dir(root())
            .args(["build", "--quiet", "--release", "--locked", "--package", self.package, "--features", self.features])
            .env("BENCH_TOOLS", self.generated.to_string())
            .env_remove("CARGO_TARGET_DIR")
            .output()?;
        if !output.status.success() {
            return Err(format!("{} does not build: {}", self.package, String::from_utf8_lossy(&output.stderr)).into());
        }
        let path = self.path();
        std::fs::create_dir_all(path.parent().unwrap_or(&path))?;
        std::fs::copy(root().join("target/release").join(self.package), &path)?;
        Ok(())
    }
}

/// The directory of this package.
pub fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}
