//! Codex, whose file is TOML: one table is set, comments and order stay.

use toml_edit::{Array, DocumentMut, Item, Table, value};

use super::Launch;
use crate::handler::error::{Error, Result};

/// The file's text with nothing else in it.
pub(super) fn snippet(table: &str, launch: &Launch) -> String {
    merge("", table, launch).unwrap_or_default()
}

/// The text with the server's command in its place; what else its table says stays.
pub(super) fn merge(before: &str, table: &str, launch: &Launch) -> Result<String> {
    let mut document: DocumentMut = before
        .parse()
        .map_err(|error: toml_edit::TomlError| Error::msg(format!("it is broken TOML ({})", error.message())))?;
    let is_no_table = |name: &str| Error::msg(format!("`{name}` in it is not a table"));
    let mut implicit = Table::new();
    // Without a header of its own: `[mcp_servers.name]` is enough.
    implicit.set_implicit(true);
    let servers = document.entry(table).or_insert(Item::Table(implicit));
    let servers = servers.as_table_like_mut().ok_or_else(|| is_no_table(table))?;
    let server = servers.entry(&launch.name).or_insert_with(toml_edit::table);
    let server = server.as_table_like_mut().ok_or_else(|| is_no_table(&launch.name))?;
    let args: Array = launch.args.iter().map(String::as_str).collect();
    let is_said = server.get("command").and_then(Item::as_str) == Some(&launch.command)
        && server.get("args").and_then(Item::as_array).is_some_and(|said| said.to_string() == args.to_string());
    if is_said {
        return Ok(before.to_owned());
    }
    server.insert("command", value(&launch.command));
    server.insert("args", value(args));
    Ok(document.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn launch() -> Launch {
        Launch {
            name: "my-server".to_owned(),
            command: "/bin/s".to_owned(),
            args: vec!["--db".to_owned(), "x".to_owned()],
        }
    }

    #[test]
    fn the_snippet_is_one_table() {
        let expected = "[mcp_servers.my-server]\ncommand = \"/bin/s\"\nargs = [\"--db\", \"x\"]\n";
        assert_eq!(snippet("mcp_servers", &launch()), expected);
    }

    #[test]
    fn comments_order_and_other_keys_stay() {
        let before = "# mine\nmodel = \"o\" # fast\n\n[mcp_servers.my-server]\ncommand = \"/old\"\nstartup_timeout_sec = 20\n\n[z]\na = 1\n";
        let after = merge(before, "mcp_servers", &launch()).unwrap();
        let expected = before.replace("\"/old\"", "\"/bin/s\"").replace("= 20\n", "= 20\nargs = [\"--db\", \"x\"]\n");
        assert_eq!(after, expected);
        assert_eq!(merge(&after, "mcp_servers", &launch()).unwrap(), after);
    }

    #[test]
    fn a_new_server_comes_after_the_others() {
        let before = "[mcp_servers.other]\ncommand = \"x\"\n";
        let after = merge(before, "mcp_servers", &launch()).unwrap();
        assert!(after.starts_with(before) && after.contains("[mcp_servers.my-server]"), "{after}");
    }

    #[test]
    fn what_is_broken_or_something_else_is_refused() {
        for before in ["a = ", "mcp_servers = 1", "[mcp_servers]\nmy-server = 1", "[a\n"] {
            assert!(merge(before, "mcp_servers", &launch()).is_err(), "{before}");
        }
    }
}
