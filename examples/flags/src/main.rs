//! Flags of its own beside those of every server: `flags --language de call greet name=Ada`.

use clap::{Parser, Subcommand, ValueEnum};
use mcp_runtime::prelude::*;

#[derive(Parser)]
#[command(version, about)]
struct Cli {
    /// The language of the greetings
    #[arg(long, global = true, value_enum, default_value_t = Language::En)]
    language: Language,
    #[command(subcommand)]
    command: Option<Own>,
    /// `--http`, `list`, `call` and so on
    #[command(flatten)]
    mcp: mcp_runtime::cli::Args,
}

/// What this program can do besides being a server.
#[derive(Subcommand)]
enum Own {
    /// Print the languages there are
    Languages,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum Language {
    En,
    De,
    Fr,
}

impl Language {
    const fn greeting(self) -> &'static str {
        match self {
            Self::En => "Good day",
            Self::De => "Guten Tag",
            Self::Fr => "Bonjour",
        }
    }
}

/// Greet somebody, in the language the server was started with.
#[tool(read_only)]
fn greet(
    language: State<Language>,
    /// Who it is
    name: String,
) -> String {
    format!("{}, {name}!", language.greeting())
}

#[tokio::main]
async fn main() -> mcp_runtime::Result<()> {
    let cli = Cli::parse();
    match cli.command {
        Some(Own::Languages) => {
            for language in Language::value_variants() {
                println!("{language:?}: {}", language.greeting());
            }
            Ok(())
        }
        None => mcp_runtime::server!().state(cli.language).run_with(cli.mcp).await,
    }
}
