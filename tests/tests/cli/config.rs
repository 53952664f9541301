//! `config`, and what it does to files that are somebody's.

use std::fs;
use std::path::Path;

use serde_json::{Value, json};

use super::program::{Folder, Run, run, run_in};

const CLIENTS: [(&str, &str); 6] = [
    ("claude", ".config/Claude/claude_desktop_config.json"),
    ("claude-code", ".mcp.json"),
    ("cursor", ".cursor/mcp.json"),
    ("vscode", ".vscode/mcp.json"),
    ("codex", ".codex/config.toml"),
    ("gemini", ".gemini/settings.json"),
];

fn program() -> &'static str {
    env!("CARGO_BIN_EXE_cli_server")
}

fn write(home: &Folder, client: &str) -> Run {
    run_in(home, "", &["config", client, "--write"], "")
}

#[test]
fn each_client_gets_its_own_form_with_the_absolute_path() {
    let json = |client: &str| serde_json::from_str::<Value>(&run(&["config", client]).ok()).unwrap();
    assert!(Path::new(program()).is_absolute());
    assert_eq!(json("claude"), json!({"mcpServers": {"cli-server": {"command": program(), "args": []}}}));
    assert_eq!(
        json("claude-code"),
        json!({"mcpServers": {"cli-server": {"type": "stdio", "command": program(), "args": []}}})
    );
    assert_eq!(json("vscode"), json!({"servers": {"cli-server": {"type": "stdio", "command": program(), "args": []}}}));
    assert_eq!(json("cursor"), json("gemini"));
    let toml = format!("[mcp_servers.cli-server]\ncommand = \"{}\"\nargs = []\n", program());
    assert_eq!(run(&["config", "codex"]).ok(), toml);
    assert!(run(&["config", "claude-code"]).err.contains("claude mcp add --scope user cli-server -- /"));
}

#[test]
fn the_name_and_the_servers_own_flags_are_given() {
    let out = run(&["config", "cursor", "--name", "mine", "--", "--db", "my notes.db"]).ok();
    let json: Value = serde_json::from_str(&out).unwrap();
    assert_eq!(json["mcpServers"]["mine"]["args"], json!(["--db", "my notes.db"]));
}

#[cfg(target_os = "linux")]
#[test]
fn a_file_that_is_missing_is_made_with_its_folder() {
    let home = Folder::new();
    for (client, file) in CLIENTS {
        let out = write(&home, client).ok();
        assert!(out.contains(file) && out.contains("made"), "{out}");
        let text = fs::read_to_string(home.path(file)).unwrap();
        assert_eq!(text, run(&["config", client]).ok(), "{client}");
        assert!(write(&home, client).ok().contains("is in it already"));
    }
    assert_eq!(home.files(".cursor"), ["mcp.json"], "no copy, no rest");
}

#[test]
fn what_is_there_stays_and_so_does_a_copy() {
    let home = Folder::new();
    fs::create_dir(home.path(".cursor")).unwrap();
    let before = "{\n  // mine\n  \"mcpServers\": {\n    \"other\": {\"command\": \"x\"}\n  },\n  \"a\": 1\n}\n";
    fs::write(home.path(".cursor/mcp.json"), before).unwrap();
    assert!(write(&home, "cursor").ok().contains("mcp.json.bak"));
    let after = fs::read_to_string(home.path(".cursor/mcp.json")).unwrap();
    assert!(
        after.starts_with(
            "{\n  // mine\n  \"mcpServers\": {\n    \"other\": {\"command\": \"x\"},\n    \"cli-server\": {\n"
        ),
        "{after}"
    );
    assert!(after.ends_with("    }\n  },\n  \"a\": 1\n}\n"), "{after}");
    assert_eq!(fs::read_to_string(home.path(".cursor/mcp.json.bak")).unwrap(), before);

    run_in(&home, "", &["config", "cursor", "--write", "--", "--db"], "").ok();
    assert_eq!(home.files(".cursor"), ["mcp.json", "mcp.json.bak", "mcp.json.bak2"], "an earlier copy stays");
    assert_eq!(fs::read_to_string(home.path(".cursor/mcp.json.bak")).unwrap(), before);
}

#[test]
fn an_empty_file_is_filled() {
    let home = Folder::new();
    fs::write(home.path(".mcp.json"), "").unwrap();
    write(&home, "claude-code").ok();
    let json: Value = serde_json::from_str(&fs::read_to_string(home.path(".mcp.json")).unwrap()).unwrap();
    assert_eq!(json["mcpServers"]["cli-server"]["command"], program());
}

#[test]
fn a_broken_file_stays_as_it_is_and_the_snippet_is_shown() {
    let home = Folder::new();
    fs::create_dir(home.path(".codex")).unwrap();
    for (client, file, text) in [
        ("claude-code", ".mcp.json", "{\"mcpServers\": {"),
        ("claude-code", ".mcp.json", "[]"),
        ("codex", ".codex/config.toml", "[a\n"),
    ] {
        fs::write(home.path(file), text).unwrap();
        let error = write(&home, client).fails(1);
        assert!(error.contains("stays as it is") && error.contains("cli-server"), "{error}");
        assert_eq!(fs::read_to_string(home.path(file)).unwrap(), text);
    }
    assert_eq!(home.files(".codex"), ["config.toml"]);
}

#[test]
fn a_read_only_file_stays_as_it_is() {
    let home = Folder::new();
    let file = home.path(".mcp.json");
    fs::write(&file, "{}").unwrap();
    let mut permissions = fs::metadata(&file).unwrap().permissions();
    permissions.set_readonly(true);
    fs::set_permissions(&file, permissions).unwrap();
    assert!(write(&home, "claude-code").fails(1).contains("read-only"));
    assert_eq!(fs::read_to_string(&file).unwrap(), "{}");
    assert_eq!(home.files(""), [".mcp.json"]);
}

#[cfg(unix)]
#[test]
fn a_link_stays_a_link_and_permissions_stay() {
    use std::os::unix::fs::{PermissionsExt as _, symlink};
    let home = Folder::new();
    let real = home.path("dotfiles.json");
    fs::write(&real, "{}").unwrap();
    fs::set_permissions(&real, fs::Permissions::from_mode(0o600)).unwrap();
    symlink(&real, home.path(".mcp.json")).unwrap();
    write(&home, "claude-code").ok();
    assert!(fs::symlink_metadata(home.path(".mcp.json")).unwrap().is_symlink());
    assert!(fs::read_to_string(&real).unwrap().contains("cli-server"));
    for file in ["dotfiles.json", "dotfiles.json.bak"] {
        assert_eq!(fs::metadata(home.path(file)).unwrap().permissions().mode() & 0o777, 0o600, "{file}");
    }
}

#[test]
fn another_file_can_be_named() {
    let home = Folder::new();
    run_in(&home, "", &["config", "vscode", "--write", "--file", "user/mcp.json"], "").ok();
    assert!(home.path("user/mcp.json").exists());
}
