//! The clients: what their files look like and where they are.

use std::env;
use std::path::PathBuf;

use serde_json::{Value, json};

use super::Launch;

/// A client.
#[derive(Debug)]
pub(super) struct Client {
    pub(super) name: &'static str,
    pub(super) title: &'static str,
    pub(super) format: Format,
    place: Place,
    /// Another way, for people.
    pub(super) tip: Option<fn(&Launch) -> String>,
}

/// The form of a client's file, and the table that holds the servers.
#[derive(Clone, Copy, Debug)]
pub(super) enum Format {
    Json(&'static str, Shape),
    Toml(&'static str),
}

/// What a server's entry says.
#[derive(Clone, Copy, Debug)]
pub(super) enum Shape {
    /// Command and arguments.
    Plain,
    /// The transport as well.
    Typed,
}

impl Shape {
    pub(super) fn entry(self, launch: &Launch) -> Value {
        match self {
            Self::Plain => json!({"command": launch.command, "args": launch.args}),
            Self::Typed => json!({"type": "stdio", "command": launch.command, "args": launch.args}),
        }
    }
}

#[derive(Clone, Copy, Debug)]
enum Place {
    /// Where programs keep their configuration on this system.
    Configuration(&'static str),
    Home(&'static str),
    /// The folder the command is given in.
    Here(&'static str),
    /// A folder that a variable names, or one in the home folder.
    Variable(&'static str, &'static str, &'static str),
}

/// Every client that is known.
pub(super) const CLIENTS: [Client; 6] = [
    Client {
        name: "claude",
        title: "Claude Desktop",
        format: Format::Json("mcpServers", Shape::Plain),
        place: Place::Configuration("Claude/claude_desktop_config.json"),
        tip: None,
    },
    Client {
        name: "claude-code",
        title: "Claude Code",
        format: Format::Json("mcpServers", Shape::Typed),
        place: Place::Here(".mcp.json"),
        tip: Some(claude_code),
    },
    Client {
        name: "cursor",
        title: "Cursor",
        format: Format::Json("mcpServers", Shape::Plain),
        place: Place::Home(".cursor/mcp.json"),
        tip: None,
    },
    Client {
        name: "vscode",
        title: "VS Code",
        format: Format::Json("servers", Shape::Typed),
        place: Place::Here(".vscode/mcp.json"),
        tip: None,
    },
    Client {
        name: "codex",
        title: "Codex",
        format: Format::Toml("mcp_servers"),
        place: Place::Variable("CODEX_HOME", ".codex", "config.toml"),
        tip: None,
    },
    Client {
        name: "gemini",
        title: "Gemini CLI",
        format: Format::Json("mcpServers", Shape::Plain),
        place: Place::Home(".gemini/settings.json"),
        tip: None,
    },
];

fn claude_code(launch: &Launch) -> String {
    let words = [&launch.name].into_iter().chain([&launch.command]).chain(&launch.args);
    let mut words = words.map(|word| quoted(word));
    let name = words.next().unwrap_or_default();
    format!("For all your projects: claude mcp add --scope user {name} -- {}", words.collect::<Vec<_>>().join(" "))
}

/// A word as a shell takes it.
fn quoted(word: &str) -> String {
    let is_plain = !word.is_empty() && word.chars().all(|c| c.is_ascii_alphanumeric() || "-_./:=@%+,\\".contains(c));
    if is_plain { word.to_owned() } else { format!("'{}'", word.replace('\'', "'\\''")) }
}

/// Where a client has its file on this system; `None` without a home folder.
pub(super) fn path(client: &Client) -> Option<PathBuf> {
    match client.place {
        Place::Here(file) => Some(env::current_dir().ok()?.join(file)),
        Place::Home(file) => Some(home()?.join(file)),
        Place::Configuration(file) => Some(configuration()?.join(file)),
        Place::Variable(variable, folder, file) => match set(variable) {
            Some(folder) => Some(folder.join(file)),
            None => Some(home()?.join(folder).join(file)),
        },
    }
}

fn set(variable: &str) -> Option<PathBuf> {
    env::var_os(variable).filter(|value| !value.is_empty()).map(PathBuf::from)
}

fn home() -> Option<PathBuf> {
    set(if cfg!(windows) { "USERPROFILE" } else { "HOME" })
}

fn configuration() -> Option<PathBuf> {
    if cfg!(windows) {
        return set("APPDATA");
    }
    if cfg!(target_os = "macos") {
        return Some(home()?.join("Library/Application Support"));
    }
    set("XDG_CONFIG_HOME").or_else(|| Some(home()?.join(".config")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_quoted_for_the_shell_when_they_must_be() {
        assert_eq!(quoted("/bin/server"), "/bin/server");
        assert_eq!(quoted("/my server"), "'/my server'");
        assert_eq!(quoted("it's"), "'it'\\''s'");
        assert_eq!(quoted(""), "''");
    }
}
