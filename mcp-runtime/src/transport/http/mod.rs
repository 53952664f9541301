//! HTTP: one endpoint for every revision, and the two routes of 2024-11-05.
//!
//! ```text
//! serve        accepts connections, and lets go of them
//! service      one request: who may call, and what for
//! guard        `Host`, `Origin`, CORS
//! accept       `Accept` and `Content-Type`
//! body         bodies of requests and responses
//! post         a message, answered as JSON or as events
//! get          a session's own stream, and its end
//! stream       the messages of one logical stream
//! events       a reader of it
//! sessions     sessions that are their ids; streams that wait for their client
//! store        what changes in a session
//! two_routes   HTTP+SSE
//! work         running handlers
//! answer       responses
//! limits       how much may go on at a time
//! ```

mod accept;
mod answer;
mod body;
mod events;
mod get;
mod guard;
mod limits;
mod post;
pub(crate) mod serve;
mod service;
mod sessions;
mod store;
mod stream;
mod two_routes;
mod work;

pub use body::HttpBody;
pub use service::HttpService;
pub(crate) use service::Site;
