//! A session's own stream, streams that are taken up again, and the end of a session.

use std::sync::Arc;

use http::request::Parts;
use http::{HeaderName, Response, StatusCode};

use super::accept::Accepts;
use super::answer;
use super::attic::Return;
use super::body::HttpBody;
use super::events::{Events, Held};
use super::live::Live;
use super::service::Site;
use super::stream::{Stream, Style};
use super::stream_name::{Kind, Name};
use crate::handler::http::principal;
use crate::server::endpoint::known::Known;
use crate::server::endpoint::{self, Refusal};

const LAST_EVENT_ID: HeaderName = HeaderName::from_static("last-event-id");

impl Site {
    /// Opens a stream, or takes one up again.
    pub(super) fn get(self: &Arc<Self>, parts: &Parts, headers: &Known<'_>) -> Response<HttpBody> {
        let (_, live) = match self.session(parts, headers) {
            Ok(found) => found,
            Err(response) => return *response,
        };
        if !Accepts::read(headers).events {
            return answer::refuse(StatusCode::NOT_ACCEPTABLE, "Not acceptable: a stream is `text/event-stream`");
        }
        let Some(permit) = self.streams.enter() else {
            return answer::busy("As many streams are open as may be: try again later");
        };
        self.attic.sweep();
        let last = parts.headers.get(LAST_EVENT_ID).map(|value| value.to_str().unwrap_or_default().trim().to_owned());
        let (stream, reader) = match last.filter(|last| !last.is_empty()).as_deref() {
            None => self.open(&live),
            Some(last) => match resume(&live, last) {
                Some(found) => found,
                // Nothing was promised on a stream of its own: a new one tells of what comes.
                None if Name::read(last).is_some_and(|(name, _)| name.kind == Kind::Standalone) => self.open(&live),
                None => {
                    return answer::refuse(
                        StatusCode::BAD_REQUEST,
                        "Bad request: what follows this `Last-Event-ID` is not kept any more",
                    );
                }
            },
        };
        let place = Return { live, stream: Arc::clone(&stream), attic: Arc::clone(&self.attic) };
        let events = Events::new(stream, reader, self.core.options.http.keep_alive, Held::Return(place));
        answer::events(events.standing(self.core.stopped(), permit))
    }

    fn open(&self, live: &Arc<Live>) -> (Arc<Stream>, u32) {
        let polling = live.session.features.polling;
        let style = Style {
            accepts: Accepts::EVENTS,
            name: Some(self.name(Kind::Standalone)),
            polling,
            is_subscription: true,
            can_ask: false,
        };
        let stream = Stream::new(style);
        stream.commit();
        live.add(&stream);
        live.announce(&self.core);
        // A stream that has just begun can be read.
        let reader = stream.attach(None).unwrap_or_default();
        (stream, reader)
    }

    /// Ends a session.
    pub(super) fn delete(&self, parts: &Parts, headers: &Known<'_>) -> Response<HttpBody> {
        match self.session(parts, headers) {
            Ok((id, live)) => {
                self.sessions.end(id, &live);
                answer::empty(StatusCode::NO_CONTENT)
            }
            Err(response) => *response,
        }
    }

    /// The session that the headers name.
    fn session<'h>(&self, parts: &Parts, headers: &Known<'h>) -> Result<(&'h str, Arc<Live>), Box<Response<HttpBody>>> {
        if !endpoint::has_sessions(&self.core) || endpoint::is_modern(headers) {
            return Err(Box::new(answer::not_allowed("POST, OPTIONS")));
        }
        let refused = |refusal: Refusal| Box::new(answer::refused(&refusal));
        endpoint::check_legacy_version(&self.core, headers).map_err(refused)?;
        let Some(id) = endpoint::session_id(headers).map_err(refused)? else {
            return Err(refused(Refusal::invalid(
                None,
                "Invalid request: `Mcp-Session-Id` is missing; a session begins with a POST",
            )));
        };
        let live = self
            .sessions
            .open(&self.core, id, principal(&parts.extensions))
            .ok_or_else(|| refused(Refusal::no_session(None)))?;
        Ok((id, live))
    }
}

fn resume(live: &Live, last: &str) -> Option<(Arc<Stream>, u32)> {
    let (name, event) = Name::read(last)?;
    let stream = live.find(&name)?;
    let reader = stream.attach(Some(event)).ok()?;
    Some((stream, reader))
}
