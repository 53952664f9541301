//! HTTP: one endpoint for every revision, and the two routes of 2024-11-05.
//!
//! ```text
//! serve        accepts connections, and lets go of them
//! patience     gives up clients that do not read
//! due          gives up clients that do not write
//! seldom       futures that are not asked in vain
//! service      one request: who may call, and what for
//! guard        `Host`, `Origin`, CORS
//! accept       `Accept` and `Content-Type`
//! body         bodies of requests and responses
//! post         a message, answered as JSON or as events
//! get          a session's own stream, and its end
//! stream       the messages of one logical stream
//! stream_name  how streams and their events are named
//! backlog      what waits in a stream, and what is kept of it
//! events       a reader of it
//! sessions     sessions that are their ids, as far as they were used lately
//! session_id   what is sealed in an id
//! live         what goes on in a session
//! attic        streams that wait for their client
//! store        what changes in a session
//! two_routes   HTTP+SSE
//! caller       how a handler reaches its client
//! work         running handlers
//! lifeguard    what happens while one of them blocks
//! answer       responses
//! limits       how much may go on at a time
//! ```

mod accept;
mod answer;
mod attic;
mod backlog;
mod body;
mod caller;
mod due;
mod events;
mod get;
mod guard;
mod lifeguard;
mod limits;
mod live;
mod patience;
mod post;
mod seldom;
pub(crate) mod serve;
mod service;
mod session_id;
mod sessions;
mod store;
mod stream;
mod stream_name;
mod two_routes;
mod work;

pub use body::HttpBody;
pub use service::HttpService;
pub(crate) use service::Site;
