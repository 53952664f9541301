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

/// The file of a client with this in it.
#[cfg(target_os = "linux")]
fn file(home: &Folder, name: &str, text: &str) -> std::path::PathBuf {
    let file = home.path(name);
    fs::create_dir_all(file.parent().unwrap()).unwrap();
    fs::write(&file, text).unwrap();
    file
}

#[cfg(target_os = "linux")]
#[test]
fn an_empty_file_is_filled() {
    for (client, name) in CLIENTS {
        let home = Folder::new();
        let file = file(&home, name, "");
        write(&home, client).ok();
        assert_eq!(fs::read_to_string(&file).unwrap(), run(&["config", client]).ok(), "{client}");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn what_each_client_has_is_still_there() {
    let home = Folder::new();
    for (client, name) in CLIENTS {
        let before = match client {
            "codex" => "model = \"x\" # mine\n\n[mcp_servers.other]\ncommand = \"y\"\n",
            "vscode" => "{\"inputs\": [], \"servers\": {\"other\": {\"command\": \"y\"}}}\n",
            _ => "{\"theme\": \"dark\", \"mcpServers\": {\"other\": {\"command\": \"y\"}}}\n",
        };
        let file = file(&home, name, before);
        write(&home, client).ok();
        let after = fs::read_to_string(&file).unwrap();
        assert!(after.contains("other") && after.contains("cli-server"), "{client}: {after}");
        assert!(["# mine", "inputs", "theme"].iter().any(|own| after.contains(own)), "{client}: {after}");
        assert_eq!(fs::read_to_string(file.with_file_name(format!("{}.bak", file_name(&file)))).unwrap(), before);
    }
}

#[cfg(target_os = "linux")]
fn file_name(file: &Path) -> &str {
    file.file_name().unwrap().to_str().unwrap()
}

#[cfg(target_os = "linux")]
#[test]
fn a_broken_file_stays_as_it_is_and_the_snippet_is_shown() {
    for (client, name) in CLIENTS {
        let broken = if client == "codex" { ["[a\n", "mcp_servers = 1\n"] } else { ["{\"mcpServers\": {", "[]"] };
        for text in broken {
            let home = Folder::new();
            let file = file(&home, name, text);
            let error = write(&home, client).fails(1);
            assert!(error.contains("stays as it is") && error.contains("cli-server"), "{client}: {error}");
            assert_eq!(fs::read_to_string(&file).unwrap(), text);
            assert_eq!(fs::read_dir(file.parent().unwrap()).unwrap().count(), 1, "no copy, no rest");
        }
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_read_only_file_stays_as_it_is() {
    for (client, name) in CLIENTS {
        let home = Folder::new();
        let file = file(&home, name, "");
        let mut permissions = fs::metadata(&file).unwrap().permissions();
        permissions.set_readonly(true);
        fs::set_permissions(&file, permissions).unwrap();
        assert!(write(&home, client).fails(1).contains("read-only"), "{client}");
        assert_eq!(fs::read_to_string(&file).unwrap(), "");
        assert_eq!(fs::read_dir(file.parent().unwrap()).unwrap().count(), 1, "no copy, no rest");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_file_that_is_a_folder_is_an_error_that_names_it() {
    for (client, name) in CLIENTS {
        let home = Folder::new();
        fs::create_dir_all(home.path(name)).unwrap();
        let error = write(&home, client).fails(1);
        assert!(error.contains(name), "{client}: {error}");
    }
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
