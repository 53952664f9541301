//! The headers that mean something to the endpoint, found in one pass: a look into the map costs as much for each of them.

use http::header::{ACCEPT, CONTENT_ENCODING, CONTENT_TYPE, HOST, ORIGIN};
use http::{HeaderMap, HeaderName, HeaderValue};

pub(crate) const SESSION_ID: HeaderName = HeaderName::from_static("mcp-session-id");

/// A header that cannot be understood.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Unclear {
    /// It stands there more than once: a proxy and we might take different ones.
    Repeated,
    /// It holds bytes that are not visible ASCII.
    NotText,
}

/// A header, as it stands there.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Header<'h> {
    #[default]
    Absent,
    Once(&'h HeaderValue),
    /// More than once; this is the first.
    Repeated(&'h HeaderValue),
}

/// The headers that mean something here.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Known<'h> {
    /// With these others, too.
    pub(crate) all: &'h HeaderMap,
    pub(crate) host: Header<'h>,
    pub(crate) origin: Header<'h>,
    pub(crate) accept: Header<'h>,
    pub(crate) content_type: Header<'h>,
    pub(crate) content_encoding: Header<'h>,
    pub(crate) version: Header<'h>,
    pub(crate) session: Header<'h>,
    pub(crate) method: Header<'h>,
    pub(crate) name: Header<'h>,
}

impl<'h> Header<'h> {
    fn add(&mut self, value: &'h HeaderValue) {
        *self = match *self {
            Self::Absent => Self::Once(value),
            Self::Once(first) | Self::Repeated(first) => Self::Repeated(first),
        };
    }

    /// The header with this name.
    pub(crate) fn named(all: &'h HeaderMap, name: &HeaderName) -> Self {
        let mut header = Self::Absent;
        all.get_all(name).iter().for_each(|value| header.add(value));
        header
    }

    pub(crate) const fn is_there(self) -> bool {
        !matches!(self, Self::Absent)
    }

    /// The first of its values.
    pub(crate) const fn first(self) -> Option<&'h HeaderValue> {
        match self {
            Self::Absent => None,
            Self::Once(value) | Self::Repeated(value) => Some(value),
        }
    }

    /// Its one value, without the white space around it.
    pub(crate) fn single(self) -> Result<Option<&'h str>, Unclear> {
        match self {
            Self::Absent => Ok(None),
            Self::Once(value) => value.to_str().map(|text| Some(text.trim_ascii())).map_err(|_| Unclear::NotText),
            Self::Repeated(_) => Err(Unclear::Repeated),
        }
    }
}

impl<'h> Known<'h> {
    pub(crate) fn of(all: &'h HeaderMap) -> Self {
        let mut known = Self {
            all,
            host: Header::Absent,
            origin: Header::Absent,
            accept: Header::Absent,
            content_type: Header::Absent,
            content_encoding: Header::Absent,
            version: Header::Absent,
            session: Header::Absent,
            method: Header::Absent,
            name: Header::Absent,
        };
        for (name, value) in all {
            // Most comparisons are of one byte: the names of HTTP's own headers are numbers.
            let header = match name {
                _ if name == HOST => &mut known.host,
                _ if name == ACCEPT => &mut known.accept,
                _ if name == CONTENT_TYPE => &mut known.content_type,
                _ if name == CONTENT_ENCODING => &mut known.content_encoding,
                _ if name == ORIGIN => &mut known.origin,
                _ => match name.as_str() {
                    "mcp-protocol-version" => &mut known.version,
                    "mcp-session-id" => &mut known.session,
                    "mcp-method" => &mut known.method,
                    "mcp-name" => &mut known.name,
                    _ => continue,
                },
            };
            header.add(value);
        }
        known
    }
}
