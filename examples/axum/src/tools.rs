//! The to-do lists for models.

use mcp_runtime::Extension;
use mcp_runtime::prelude::*;

use crate::identity::User;
use crate::tasks::Tasks;

/// List the caller's tasks.
#[tool(read_only)]
fn list_tasks(tasks: State<Tasks>, #[from_context] user: Extension<User>) -> Json<Vec<String>> {
    Json(tasks.of(&user))
}

/// Add a task to the caller's list.
#[tool]
fn add_task(
    tasks: State<Tasks>,
    #[from_context] user: Extension<User>,
    /// What is to be done
    task: String,
) -> String {
    format!("{} has {} tasks", user.0.0, tasks.add(&user, task))
}
