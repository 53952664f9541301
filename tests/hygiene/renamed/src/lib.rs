//! Handlers in a crate that knows the runtime by another name.

use renamed_runtime::{Json, State, prompt, resource, tool};

/// What is given.
#[renamed_runtime::data(crate = renamed_runtime)]
pub struct Given {
    /// A number
    pub number: u8,
}

/// A tool by another name.
#[tool(crate = renamed_runtime, read_only)]
pub async fn renamed_tool(state: State<u8>, #[arg(default = 2)] number: u8) -> Json<Given> {
    Json(Given { number: number + *state })
}

/// A resource by another name.
#[resource("renamed://{id}", crate = ::renamed_runtime)]
pub fn renamed_resource(id: u8) -> String {
    id.to_string()
}

/// A prompt by another name.
#[prompt(crate = renamed_runtime)]
pub fn renamed_prompt(words: String) -> String {
    words
}
