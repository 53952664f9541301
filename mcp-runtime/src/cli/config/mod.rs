//! `config`: how a client is told of this server, printed or merged into the client's own file.

mod clients;
mod file;
mod json;
mod splice;
mod toml;

use std::path::{Path, PathBuf};

use clap::builder::PossibleValuesParser;
use clap::{Arg, ArgAction, ArgMatches, Command, value_parser};

use self::clients::{CLIENTS, Client, Format};
use self::file::Written;
use super::output::{Output, note};
use crate::handler::error::{Error, Result};

/// What `config` is asked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Request {
    client: String,
    writes: bool,
    name: Option<String>,
    file: Option<PathBuf>,
    args: Vec<String>,
}

/// How a client starts the server.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Launch {
    name: String,
    command: String,
    args: Vec<String>,
}

/// The command, for the parser.
pub(super) fn command() -> Command {
    Command::new("config")
        .about("Print the configuration of a client, or write it into the client's file")
        .arg_required_else_help(true)
        .arg(
            Arg::new("client")
                .value_name("CLIENT")
                .required(true)
                .value_parser(PossibleValuesParser::new(CLIENTS.iter().map(|client| client.name)))
                .help("The client"),
        )
        .arg(
            Arg::new("write")
                .long("write")
                .action(ArgAction::SetTrue)
                .help("Merge it into the client's file; what is there stays, and a copy of it, too"),
        )
        .arg(
            Arg::new("name").long("name").value_name("NAME").help("The server's name in the client [default: its own]"),
        )
        .arg(
            Arg::new("file")
                .long("file")
                .value_name("FILE")
                .value_parser(value_parser!(PathBuf))
                .help("The file, if it is not where the client usually has it"),
        )
        .arg(
            Arg::new("args")
                .value_name("ARGS")
                .last(true)
                .num_args(0..)
                .help("What the client starts the server with, after --"),
        )
}

impl Request {
    pub(super) fn from_matches(matches: &ArgMatches) -> Self {
        let one = |name: &str| matches.get_one::<String>(name).cloned();
        Self {
            client: one("client").unwrap_or_default(),
            writes: matches.get_flag("write"),
            name: one("name"),
            file: matches.get_one::<PathBuf>("file").cloned(),
            args: matches.get_many::<String>("args").into_iter().flatten().cloned().collect(),
        }
    }
}

/// `config CLIENT`
pub(super) fn run(server: &str, request: &Request) -> Result<()> {
    let client = CLIENTS.iter().find(|client| client.name == request.client);
    let client = client.ok_or_else(|| Error::msg(format!("there is no client `{}`", request.client)))?;
    let program = std::env::current_exe()
        .map_err(|error| Error::msg(format!("the path of this program is not known: {error}")))?;
    let command = program
        .to_str()
        .ok_or_else(|| Error::msg("the path of this program is no text that a configuration can hold"))?;
    let launch = Launch {
        name: request.name.clone().unwrap_or_else(|| server.to_owned()),
        command: command.to_owned(),
        args: request.args.clone(),
    };
    let path = request.file.clone().or_else(|| clients::path(client));
    if request.writes {
        let path = path.ok_or_else(|| Error::msg("the home folder is not known: name the file with --file"))?;
        return write(client, &launch, &path);
    }
    let mut out = Output::plain();
    out.text(&snippet(client, &launch));
    out.finish()?;
    let place = path.map_or_else(|| "its configuration".to_owned(), |path| path.display().to_string());
    note(format_args!("{}: this belongs into {place}; --write puts it there.", client.title));
    if let Some(tip) = client.tip {
        note(format_args!("{}", tip(&launch)));
    }
    Ok(())
}

fn snippet(client: &Client, launch: &Launch) -> String {
    match client.format {
        Format::Json(table, shape) => json::snippet(table, &launch.name, &shape.entry(launch)),
        Format::Toml(table) => toml::snippet(table, launch),
    }
}

fn write(client: &Client, launch: &Launch, path: &Path) -> Result<()> {
    let merge = |before: &str| match client.format {
        Format::Json(table, shape) => json::merge(before, table, &launch.name, &shape.entry(launch)),
        Format::Toml(table) => toml::merge(before, table, launch),
    };
    let written = file::change(path, merge)
        .map_err(|error| Error::msg(format!("{error}\nthis belongs into it:\n\n{}", snippet(client, launch))))?;
    let mut out = Output::plain();
    let place = path.display();
    match written {
        Written::New => out.line(format_args!("{place}: made, with `{}`", launch.name)),
        Written::Changed(copy) => {
            out.line(format_args!("{place}: `{}` is in it now; as it was: {}", launch.name, copy.display()));
        }
        Written::Same => out.line(format_args!("{place}: `{}` is in it already", launch.name)),
    }
    out.finish()?;
    note(format_args!("Restart {} to see the server.", client.title));
    Ok(())
}
