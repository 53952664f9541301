//! Messages on their way: who waits for an answer, and the task that reads what the server says.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use serde_json::Value;
use tokio::sync::{Notify, oneshot};

use super::ClientError;
use super::outcome::decode;
use crate::protocol::id::Id;
use crate::server::connection::{Connection, Start};
use crate::testing::answers::Answers;

/// What the client and the task that reads for it share.
pub(super) struct Shared {
    pub(super) connection: Connection,
    pub(super) waiting: Mutex<HashMap<Id, oneshot::Sender<Value>>>,
    pub(super) notifications: Mutex<Vec<Value>>,
    pub(super) heard: Notify,
    pub(super) answers: Answers,
}

impl Shared {
    pub(super) fn new(connection: Connection, answers: Answers) -> Self {
        Self { connection, waiting: Mutex::default(), notifications: Mutex::default(), heard: Notify::new(), answers }
    }
}

pub(super) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A request that has been sent.
#[derive(Debug)]
pub struct Pending {
    pub(super) id: Id,
    pub(super) answer: oneshot::Receiver<Value>,
}

impl Pending {
    /// The request's id, as JSON.
    #[must_use]
    pub fn id(&self) -> Value {
        serde_json::to_value(&self.id).unwrap_or_default()
    }
}

impl Future for Pending {
    type Output = Result<Value, ClientError>;

    fn poll(mut self: std::pin::Pin<&mut Self>, context: &mut std::task::Context<'_>) -> std::task::Poll<Self::Output> {
        std::pin::Pin::new(&mut self.answer).poll(context).map(|answer| {
            let mut answer = answer.map_err(|_| ClientError::Closed)?;
            match answer.get_mut("error").map(Value::take) {
                Some(error) => Err(ClientError::Protocol(decode(error)?)),
                None => Ok(answer.get_mut("result").map(Value::take).unwrap_or_default()),
            }
        })
    }
}

/// Takes lines from the outbox and gives them to whoever waits.
pub(super) async fn read(shared: Arc<Shared>) {
    let mut lines = Vec::new();
    loop {
        shared.connection.outbox().filled().await;
        lines.clear();
        shared.connection.outbox().take(&mut lines);
        for line in lines.split(|byte| *byte == b'\n').filter(|line| !line.is_empty()) {
            let Ok(message) = serde_json::from_slice::<Value>(line) else { continue };
            if let Some(response) = shared.answers.respond(&message) {
                if !response.is_null() {
                    if let Some(rest) = shared.connection.receive(response.to_string().as_bytes(), Start::Inline) {
                        drop(tokio::spawn(rest));
                    }
                }
                continue;
            }
            if message.get("method").is_some() {
                lock(&shared.notifications).push(message);
                shared.heard.notify_waiters();
                continue;
            }
            let id = message.get("id").and_then(|id| serde_json::from_value::<Id>(id.clone()).ok());
            if let Some(waiting) = id.and_then(|id| lock(&shared.waiting).remove(&id)) {
                drop(waiting.send(message));
            }
        }
    }
}
