use mcp_runtime::{ServerHandle, Tool};

fn add(handle: &ServerHandle) {
    let _ = handle.prompts().add(Tool::new("add").call(|_, _| async { 1 }));
}

fn main() {}
