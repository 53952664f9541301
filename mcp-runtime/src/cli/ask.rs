//! Questions of a handler, asked on the terminal.

use crate::testing::ClientBuilder;

/// Gives the client of `call`, `read` and `prompt` what it needs to answer a handler's questions.
///
/// It declares no capability yet, so a handler that asks gets the error that any client without forms gives it.
pub(super) fn prepare(client: ClientBuilder) -> ClientBuilder {
    client
}
