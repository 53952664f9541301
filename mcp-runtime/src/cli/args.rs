//! What can be said on the command line, by hand and not derived: an author's parser flattens it.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use clap::builder::PossibleValuesParser;
use clap::error::ErrorKind;
use clap::{Arg, ArgAction, ArgMatches, Command, FromArgMatches, value_parser};

use super::ask::{self, Answer};
use super::config;

/// The command line of every server, for a clap parser to flatten: `#[command(flatten)] mcp: mcp_runtime::cli::Args`.
///
/// It adds the flag `--http` and the commands `list`, `call`, `read`, `prompt`, `doctor`, `manifest`, `config` and
/// `completions` to those of your own.
#[derive(Clone, Debug)]
pub struct Args {
    pub(super) action: Action,
}

/// What is to be done.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Action {
    Stdio,
    Http(String),
    List(Form),
    Call { name: String, words: Vec<String>, options: CallOptions },
    Read { uri: String, options: CallOptions },
    Prompt { name: String, words: Vec<String>, options: CallOptions },
    Doctor(DoctorOptions),
    Manifest(Option<PathBuf>),
    Config(config::Request),
    Completions(clap_complete::Shell),
}

/// How a list is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Form {
    Table,
    Json,
    Markdown,
}

/// What `call`, `read` and `prompt` have in common.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct CallOptions {
    pub(super) out: Option<PathBuf>,
    pub(super) is_json: bool,
    /// The least level of log messages to show; none at all without one.
    pub(super) log: Option<String>,
    /// To questions of the server.
    pub(super) answers: Vec<Answer>,
}

/// What `doctor` is asked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct DoctorOptions {
    pub(super) is_strict: bool,
    pub(super) is_json: bool,
    pub(super) lists_rules: bool,
    /// Where the server will be served over HTTP.
    pub(super) http: Option<String>,
}

const HTTP: &str = "mcp_http";
const DEFAULT_ADDRESS: &str = "127.0.0.1:8000";
const LEVELS: [&str; 9] = ["off", "debug", "info", "notice", "warning", "error", "critical", "alert", "emergency"];

const EXIT_CODES: &str = "Exit codes: 0 done, 1 failed (the tool, the request, a check), 2 wrong command line.";

/// The name the program was called by.
pub(super) fn program_name() -> String {
    let called = std::env::args_os().next();
    let name = called.as_deref().map(Path::new).and_then(Path::file_stem).and_then(|name| name.to_str());
    name.unwrap_or("server").to_owned()
}

/// The command that `.run()` reads, without ours.
pub(super) fn program(version: &str, about: String) -> Command {
    Command::new(program_name()).version(version.to_owned()).about(about).after_help(EXIT_CODES)
}

/// A command with ours added.
pub(super) fn command(command: Command) -> Command {
    let http = Arg::new(HTTP)
        .long("http")
        .value_name("ADDR")
        .num_args(0..=1)
        .default_missing_value(DEFAULT_ADDRESS)
        .value_parser(address)
        .hide(cfg!(not(feature = "http")))
        .help("Serve Streamable HTTP at http://ADDR/mcp instead of stdio [default: 127.0.0.1:8000]");
    command.arg(http).subcommands([
        list(),
        call(),
        read(),
        prompt(),
        doctor(),
        manifest(),
        config::command(),
        completions(),
    ])
}

/// Reads a whole command line.
pub(super) fn parse(program: Command, words: impl Iterator<Item = OsString>) -> Result<Args, clap::Error> {
    let mut command = command(program);
    let name = OsString::from(command.get_name());
    let matches = command.try_get_matches_from_mut(std::iter::once(name).chain(words))?;
    Args::from_arg_matches(&matches).map_err(|error| error.format(&mut command))
}

/// `8000`, `:8000` and `host:8000` are addresses.
fn address(text: &str) -> Result<String, String> {
    let whole = match text.strip_prefix(':') {
        Some(port) => format!("127.0.0.1:{port}"),
        None if text.bytes().all(|byte| byte.is_ascii_digit()) => format!("127.0.0.1:{text}"),
        None => text.to_owned(),
    };
    let port = whole.rsplit_once(':').filter(|(host, _)| !host.is_empty()).map(|(_, port)| port.parse::<u16>());
    match port {
        Some(Ok(_)) => Ok(whole),
        _ => Err(format!("not an address: write a port, or host and port such as `{DEFAULT_ADDRESS}`")),
    }
}

fn flag(name: &'static str, help: &'static str) -> Arg {
    Arg::new(name).long(name).action(ArgAction::SetTrue).help(help)
}

fn list() -> Command {
    Command::new("list")
        .about("List the tools, resources and prompts")
        .arg(flag("json", "All definitions as JSON, with their schemas").conflicts_with("markdown"))
        .arg(flag("markdown", "A catalogue for a README"))
}

fn options(command: Command) -> Command {
    command
        .arg(
            Arg::new("out")
                .long("out")
                .value_name("DIR")
                .value_parser(value_parser!(PathBuf))
                .help("Save images, audio and other binary content in this folder"),
        )
        .arg(flag("json", "The result as JSON, as a client receives it"))
        .arg(
            Arg::new("answer")
                .long("answer")
                .value_name("FIELD=VALUE")
                .action(ArgAction::Append)
                .value_parser(ask::parse)
                .help("Answer the server's questions: a field of a form; yes agrees, no declines [default: ask]"),
        )
        .arg(
            Arg::new("log")
                .long("log")
                .value_name("LEVEL")
                .default_value("info")
                .value_parser(PossibleValuesParser::new(LEVELS))
                .hide_possible_values(true)
                .help("Show the server's log messages from this level on: debug, info, notice, warning, error or off"),
        )
}

fn words(help: &'static str) -> Arg {
    Arg::new("words").value_name("ARGUMENT").num_args(0..).help(help)
}

fn call() -> Command {
    let command = Command::new("call")
        .about("Call a tool and print its result")
        .arg(Arg::new("name").value_name("TOOL").required(true).help("The tool's name"))
        .arg(words("name=value, name:=JSON, one JSON object, or - to read the object from standard input"))
        .after_help(
            "A value is read as the tool's schema says: in `a=12` it is a number for a number and the text 12 for a\n\
             string. A list takes its name several times: `tag=a tag=b`. With `:=` the value is JSON: `filter:='{\"x\":1}'`.",
        );
    options(command)
}

fn read() -> Command {
    let command = Command::new("read")
        .about("Read a resource and print it")
        .arg(Arg::new("uri").value_name("URI").required(true).help("The resource's URI"));
    options(command)
}

fn prompt() -> Command {
    let command = Command::new("prompt")
        .about("Get a prompt and print its messages")
        .arg(Arg::new("name").value_name("PROMPT").required(true).help("The prompt's name"))
        .arg(words("name=value, one JSON object, or - to read the object from standard input"));
    options(command)
}

fn doctor() -> Command {
    Command::new("doctor")
        .about("Find what clients and models stumble over")
        .arg(flag("strict", "Fail on warnings, too; for CI"))
        .arg(flag("json", "The findings as JSON"))
        .arg(flag("rules", "List the rules"))
        .arg(
            Arg::new("http")
                .long("http")
                .value_name("ADDR")
                .num_args(0..=1)
                .default_missing_value(DEFAULT_ADDRESS)
                .value_parser(address)
                .help("Check for being served over HTTP at this address, too"),
        )
}

fn manifest() -> Command {
    Command::new("manifest").about("Print all definitions in a canonical form, with a hash").arg(
        Arg::new("check")
            .long("check")
            .value_name("FILE")
            .value_parser(value_parser!(PathBuf))
            .help("Fail when the definitions differ from those in this manifest"),
    )
}

fn completions() -> Command {
    let program = program_name();
    Command::new("completions")
        .about("Print a completion script for a shell")
        .arg(Arg::new("shell").value_name("SHELL").required(true).value_parser(value_parser!(clap_complete::Shell)))
        .after_help(format!(
            "bash: source <({program} completions bash)\nzsh:  source <({program} completions zsh)\nfish: {program} completions fish | source"
        ))
}

fn one(matches: &ArgMatches, name: &str) -> String {
    matches.get_one::<String>(name).cloned().unwrap_or_default()
}

fn many(matches: &ArgMatches, name: &str) -> Vec<String> {
    matches.get_many::<String>(name).into_iter().flatten().cloned().collect()
}

fn call_options(matches: &ArgMatches) -> CallOptions {
    CallOptions {
        out: matches.get_one::<PathBuf>("out").cloned(),
        is_json: matches.get_flag("json"),
        log: matches.get_one::<String>("log").filter(|level| *level != "off").cloned(),
        answers: matches.get_many::<Answer>("answer").into_iter().flatten().cloned().collect(),
    }
}

/// What one of our commands says; `None` for a command of the author's.
fn action(name: &str, matches: &ArgMatches) -> Option<Action> {
    Some(match name {
        "list" if matches.get_flag("json") => Action::List(Form::Json),
        "list" if matches.get_flag("markdown") => Action::List(Form::Markdown),
        "list" => Action::List(Form::Table),
        "call" => {
            Action::Call { name: one(matches, "name"), words: many(matches, "words"), options: call_options(matches) }
        }
        "read" => Action::Read { uri: one(matches, "uri"), options: call_options(matches) },
        "prompt" => {
            Action::Prompt { name: one(matches, "name"), words: many(matches, "words"), options: call_options(matches) }
        }
        "doctor" => Action::Doctor(DoctorOptions {
            is_strict: matches.get_flag("strict"),
            is_json: matches.get_flag("json"),
            lists_rules: matches.get_flag("rules"),
            http: matches.get_one::<String>("http").cloned(),
        }),
        "manifest" => Action::Manifest(matches.get_one::<PathBuf>("check").cloned()),
        "config" => Action::Config(config::Request::from_matches(matches)),
        "completions" => Action::Completions(*matches.get_one::<clap_complete::Shell>("shell")?),
        _ => return None,
    })
}

impl FromArgMatches for Args {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, clap::Error> {
        let http = matches.get_one::<String>(HTTP).cloned();
        let ours = matches.subcommand().and_then(|(name, matches)| Some((name, action(name, matches)?)));
        match (ours, http) {
            (None, None) => Ok(Self { action: Action::Stdio }),
            (None, Some(address)) => Ok(Self { action: Action::Http(address) }),
            (Some((_, action)), None) => Ok(Self { action }),
            (Some((name, _)), Some(_)) => {
                let text = format!("the argument '--http' cannot be used with the command '{name}'");
                Err(clap::Error::raw(ErrorKind::ArgumentConflict, text))
            }
        }
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}

impl clap::Args for Args {
    fn augment_args(parser: Command) -> Command {
        command(parser)
    }

    fn augment_args_for_update(parser: Command) -> Command {
        command(parser)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(words: &[&str]) -> Result<Action, ErrorKind> {
        let parsed = parse(Command::new("server"), words.iter().map(OsString::from));
        parsed.map(|args| args.action).map_err(|error| error.kind())
    }

    #[test]
    fn clap_finds_nothing_wrong_with_the_commands() {
        command(Command::new("server")).debug_assert();
    }

    #[test]
    fn nothing_means_stdio() {
        assert_eq!(read(&[]), Ok(Action::Stdio));
    }

    #[test]
    fn http_takes_an_address_or_a_port_or_nothing() {
        let at = |text: &str| Ok(Action::Http(text.to_owned()));
        assert_eq!(read(&["--http"]), at("127.0.0.1:8000"));
        assert_eq!(read(&["--http", "9000"]), at("127.0.0.1:9000"));
        assert_eq!(read(&["--http=:9000"]), at("127.0.0.1:9000"));
        assert_eq!(read(&["--http", "0.0.0.0:80"]), at("0.0.0.0:80"));
        assert_eq!(read(&["--http", "[::1]:80"]), at("[::1]:80"));
        assert_eq!(read(&["--http", "list"]), Err(ErrorKind::ValueValidation));
        assert_eq!(read(&["--http", "8000", "list"]), Err(ErrorKind::ArgumentConflict));
    }

    #[test]
    fn what_is_unknown_is_an_error() {
        assert_eq!(read(&["lits"]), Err(ErrorKind::InvalidSubcommand));
        assert_eq!(read(&["--htpp"]), Err(ErrorKind::UnknownArgument));
        assert_eq!(read(&["list", "--jsn"]), Err(ErrorKind::UnknownArgument));
        assert_eq!(read(&["config", "emacs"]), Err(ErrorKind::InvalidValue));
    }

    #[test]
    fn a_command_of_the_authors_is_none_of_ours() {
        let theirs = command(Command::new("server").subcommand(Command::new("migrate")));
        let matches = theirs.try_get_matches_from(["server", "migrate"]).unwrap();
        assert_eq!(Args::from_arg_matches(&matches).unwrap().action, Action::Stdio);
    }
}
