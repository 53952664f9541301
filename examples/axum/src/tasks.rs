//! The to-do lists, and the web API to them.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use axum::extract::State;
use axum::http::StatusCode;
use axum::routing::get;
use axum::{Extension, Json, Router};

use crate::identity::User;

/// Everybody's tasks.
#[derive(Debug, Default)]
pub struct Tasks(Mutex<BTreeMap<User, Vec<String>>>);

impl Tasks {
    fn lock(&self) -> MutexGuard<'_, BTreeMap<User, Vec<String>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Those of one person.
    pub fn of(&self, user: &User) -> Vec<String> {
        self.lock().get(user).cloned().unwrap_or_default()
    }

    /// One more; how many there are then.
    pub fn add(&self, user: &User, task: String) -> usize {
        let mut tasks = self.lock();
        let tasks = tasks.entry(user.clone()).or_default();
        tasks.push(task);
        tasks.len()
    }
}

/// `GET /tasks` and `POST /tasks`.
pub fn routes(tasks: Arc<Tasks>) -> Router {
    Router::new().route("/tasks", get(list).post(add)).with_state(tasks)
}

async fn list(tasks: State<Arc<Tasks>>, user: Extension<User>) -> Json<Vec<String>> {
    Json(tasks.of(&user))
}

async fn add(tasks: State<Arc<Tasks>>, user: Extension<User>, task: String) -> StatusCode {
    tasks.add(&user, task);
    StatusCode::CREATED
}
