//! What it costs to build: the same crate of 102 tools in each framework, as an author would have it.
//!
//! CPU time is that of cargo and all it starts, so a busy machine matters little. The projects take turns at every step.

use std::path::PathBuf;
use std::process::Command;

use nix::sys::resource::{UsageWho, getrusage};
use source::Tools;

use crate::Result;
use crate::program::root;
use crate::table::median;

/// A crate to be built.
struct Project {
    name: &'static str,
    dependencies: String,
    main: fn(&str, usize) -> String,
}

const GENERATED: usize = 100;

/// What lies in a directory beside the author's is compiled so that a change to it would cost little, and that costs a third
/// more. A crate of the registry is not, and from there an author has ours.
const AS_FROM_THE_REGISTRY: &str =
    "\n\n[profile.dev.package]\nmcp-runtime.incremental = false\nmcp-macros.incremental = false";

fn projects(over_http: bool) -> [Project; 2] {
    let runtime = root().join("../mcp-runtime");
    let features = if over_http { r#", features = ["http"]"# } else { "" };
    let (axum, rmcp) = if over_http {
        (
            r#"axum = { version = "0.8", default-features = false, features = ["http1", "tokio"] }"#,
            r#""transport-io", "transport-streamable-http-server""#,
        )
    } else {
        ("", r#""transport-io""#)
    };
    let tokio = r#"tokio = { version = "1", features = ["rt-multi-thread", "macros", "net"] }"#;
    [
        Project {
            name: "mcp-runtime",
            dependencies: format!(
                "mcp-runtime = {{ path = \"{}\"{features} }}\n{tokio}{AS_FROM_THE_REGISTRY}",
                runtime.display()
            ),
            main: ours,
        },
        Project {
            name: "rmcp",
            dependencies: format!(
                "rmcp = {{ version = \"=3.11.0\", features = [{rmcp}] }}\nschemars = \"1\"\nserde = {{ version = \"1\", features = [\"derive\"] }}\n{axum}\n{tokio}"
            ),
            main: rmcp_main,
        },
    ]
}

fn tools(count: usize) -> Tools {
    Tools { count, arguments: 3 }
}

fn ours(serve: &str, count: usize) -> String {
    let own = include_str!("../servers/ours/src/main.rs");
    let (_, own) = own.split_once("/// Add two numbers.").unwrap_or_default();
    let (own, _) = own.split_once("#[tokio::main]").unwrap_or_default();
    format!(
        "use mcp_runtime::prelude::*;\n{}\n/// Add two numbers.{own}#[tokio::main]\nasync fn main() -> mcp_runtime::Result<()> {{\n    mcp_runtime::server!(){serve}.await\n}}\n",
        tools(count).ours()
    )
}

fn rmcp_main(serve: &str, count: usize) -> String {
    let main = include_str!("../servers/rmcp/src/main.rs");
    let build = include_str!("../servers/rmcp/build.rs");
    let own = build.split("r\"").nth(1).and_then(|rest| rest.split("\";").next()).unwrap_or_default();
    let (head, _) = main.split_once("#[tokio::main]").unwrap_or_default();
    let head = head
        .replace("#[cfg(feature = \"http\")]\nmod http;", "")
        .replace("include!(concat!(env!(\"OUT_DIR\"), \"/tools.rs\"));", &tools(count).rmcp(own));
    format!(
        "{head}\n#[tokio::main]\nasync fn main() -> Result<(), Box<dyn std::error::Error>> {{\n    {serve}\n    Ok(())\n}}\n"
    )
}

impl Project {
    fn directory(&self) -> PathBuf {
        root().join("target/compile").join(self.name)
    }

    /// Writes the crate, afresh.
    fn write(&self, generated: usize, over_http: bool, edit: usize) -> Result<()> {
        let serve = match (self.name, over_http) {
            ("rmcp", false) => "Server::new().serve(rmcp::transport::stdio()).await?.waiting().await?;",
            ("rmcp", true) => {
                "let service = rmcp::transport::streamable_http_server::StreamableHttpService::<_, rmcp::transport::streamable_http_server::session::local::LocalSessionManager>::new(|| Ok(Server::new()), Default::default(), Default::default());
    let listener = tokio::net::TcpListener::bind(\"127.0.0.1:0\").await?;
    if std::env::args().len() == 1 {
        Server::new().serve(rmcp::transport::stdio()).await?.waiting().await?;
    }
    axum::serve(listener, axum::Router::new().nest_service(\"/mcp\", service)).await?;"
            }
            (_, false) => ".serve_stdio()",
            (_, true) => ".serve_http(\"127.0.0.1:0\")",
        };
        let main = (self.main)(serve, generated).replacen("#7\"", &format!("#7 edited {edit} times\""), 1);
        let directory = self.directory();
        std::fs::create_dir_all(directory.join("src"))?;
        let manifest = format!(
            "[package]\nname = \"project\"\nversion = \"0.0.0\"\nedition = \"2024\"\n\n[dependencies]\n{}\n\n[workspace]\n",
            self.dependencies
        );
        std::fs::write(directory.join("Cargo.toml"), manifest)?;
        std::fs::copy(root().join("Cargo.lock"), directory.join("Cargo.lock"))?;
        std::fs::write(directory.join("src/main.rs"), main)?;
        Ok(())
    }

    fn cargo(&self, arguments: &[&str]) -> Result<f64> {
        let before = children()?;
        let output = Command::new("cargo")
            .current_dir(self.directory())
            .env("CARGO_TARGET_DIR", self.directory().join("target"))
            .args(arguments)
            .args(["--quiet", "--offline"])
            .output()?;
        if !output.status.success() {
            return Err(
                format!("{}: cargo {arguments:?}: {}", self.name, String::from_utf8_lossy(&output.stderr)).into()
            );
        }
        Ok(children()? - before)
    }

    fn clean(&self) {
        // It is not there the first time.
        drop(std::fs::remove_dir_all(self.directory().join("target")));
    }

    fn crates(&self) -> Result<f64> {
        let output = Command::new("cargo")
            .current_dir(self.directory())
            .args(["tree", "--offline", "--edges", "normal", "--prefix", "none", "--no-dedupe"])
            .output()?;
        let text = String::from_utf8(output.stdout)?;
        let mut crates: Vec<_> = text.lines().map(|line| line.split(' ').take(2).collect::<Vec<_>>()).collect();
        crates.sort();
        crates.dedup();
        // Without itself.
        Ok(crates.len() as f64 - 1.0)
    }

    /// The size of the stripped release binary, in MB.
    fn size(&self) -> Result<f64> {
        let binary = self.directory().join("target/release/project");
        let stripped = self.directory().join("target/stripped");
        if !Command::new("strip").arg("-o").arg(&stripped).arg(&binary).status()?.success() {
            return Err("the binary cannot be stripped".into());
        }
        Ok(std::fs::metadata(stripped)?.len() as f64 / 1e6)
    }
}

/// What the projects cost, one row after the other.
pub struct Row {
    pub what: &'static str,
    /// One for each project.
    pub figures: Vec<f64>,
}

pub const CRATES: &str = "crates (number)";
pub const DEBUG: &str = "debug build, clean";
pub const REBUILD: &str = "debug build after an edit of one body";
pub const RELEASE: &str = "release build, clean";
pub const SIZE: &str = "stripped release binary (MB)";
pub const ALONE: &str = "release build of the author's crate alone, 2 tools";

/// What is built of a server.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Extent {
    /// Everything, after cleaning.
    Clean,
    /// Everything, with what was built before.
    Warm,
    /// Clean, and only what has a target.
    Targets,
}

/// Runs everything and prints it. `clean` builds all dependencies anew.
pub fn run(over_http: bool, clean: bool) -> Result<()> {
    let projects = projects(over_http);
    let kind = if over_http { "HTTP" } else { "stdio" };
    println!("\n{kind} server of {} tools: CPU seconds, unless said otherwise", GENERATED + 2);
    println!("  {:<52}{}", "", projects.iter().map(|project| format!("{:>14}", project.name)).collect::<String>());
    let extent = if clean { Extent::Clean } else { Extent::Warm };
    measure(&projects, over_http, extent, |row| {
        let what = if clean { row.what.to_owned() } else { row.what.replace("clean", "what is left of it") };
        println!("  {what:<52}{}", row.figures.iter().map(|figure| format!("{figure:>14.2}")).collect::<String>());
    })
}

/// Ours alone, what has a target.
pub fn ours_alone(over_http: bool) -> Result<Vec<Row>> {
    let mut rows = Vec::new();
    measure(&projects(over_http)[..1], over_http, Extent::Targets, |row| rows.push(row))?;
    Ok(rows)
}

fn measure(projects: &[Project], over_http: bool, extent: Extent, mut tell: impl FnMut(Row)) -> Result<()> {
    for project in projects {
        project.write(GENERATED, over_http, 0)?;
        if extent != Extent::Warm {
            project.clean();
        }
    }
    let again = |project: &Project, edit: usize, arguments: &[&str]| {
        project.write(GENERATED, over_http, edit)?;
        project.cargo(arguments)
    };
    let edited = |arguments: &'static [&'static str]| {
        move |project: &Project| {
            let times = (1..=3).map(|edit| again(project, edit, arguments)).collect::<Result<Vec<_>>>()?;
            median(times.into_iter()).ok_or_else(|| "nothing was built".into())
        }
    };
    let with_two = |project: &Project| {
        project.write(0, over_http, 0)?;
        project.cargo(&["build", "--release"])
    };
    let mut row = |what: &'static str, measure: &dyn Fn(&Project) -> Result<f64>| -> Result<()> {
        let figures = projects.iter().map(measure).collect::<Result<Vec<_>>>()?;
        tell(Row { what, figures });
        Ok(())
    };
    let is_all = extent != Extent::Targets;
    row(CRATES, &Project::crates)?;
    if is_all {
        row("check, clean", &|project| project.cargo(&["check"]))?;
        row("check after an edit of one body", &edited(&["check"]))?;
    }
    row(DEBUG, &|project| project.cargo(&["build"]))?;
    row(REBUILD, &edited(&["build"]))?;
    row(RELEASE, &|project| project.cargo(&["build", "--release"]))?;
    if is_all {
        row("release build of the author's crate alone", &|project| again(project, 9, &["build", "--release"]))?;
    }
    row(SIZE, &Project::size)?;
    row(ALONE, &with_two)?;
    if is_all {
        row("stripped release binary, 2 tools (MB)", &Project::size)?;
    }
    Ok(())
}

/// CPU seconds of all children so far.
fn children() -> Result<f64> {
    let usage = getrusage(UsageWho::RUSAGE_CHILDREN)?;
    let seconds = |time: nix::sys::time::TimeVal| time.tv_sec() as f64 + time.tv_usec() as f64 / 1e6;
    Ok(seconds(usage.user_time()) + seconds(usage.system_time()))
}
