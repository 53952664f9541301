//! Who may call: `Host` and `Origin` against DNS rebinding and foreign web pages, and CORS for pages that may.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};
use std::sync::OnceLock;

use http::header::{
    ACCESS_CONTROL_ALLOW_HEADERS, ACCESS_CONTROL_ALLOW_METHODS, ACCESS_CONTROL_ALLOW_ORIGIN,
    ACCESS_CONTROL_EXPOSE_HEADERS, ACCESS_CONTROL_MAX_AGE, ACCESS_CONTROL_REQUEST_HEADERS, VARY,
};
use http::{HeaderMap, HeaderName, HeaderValue, StatusCode, Uri};

use crate::server::endpoint::known::{Header, Known};
use crate::server::endpoint::options::HttpOptions;

/// Longer is the name of no host, whatever is written around it.
const MOST_USUAL: usize = 300;

/// Who may call.
#[derive(Debug)]
pub(super) struct Guard {
    hosts: Vec<Listed>,
    any_host: bool,
    /// The first host by which a client was let in, as it was written: nearly all others write the same.
    usual: OnceLock<Box<str>>,
    origins: Vec<Origin>,
    any_origin: bool,
}

/// A host and its port, if one is said.
#[derive(Clone, Copy, Debug)]
struct Place<'t> {
    host: &'t str,
    port: Option<u16>,
}

/// The same, kept.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Listed {
    host: String,
    port: Option<u16>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
struct Origin {
    scheme: String,
    host: String,
    port: Option<u16>,
}

/// Why a request is turned away, for people.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Forbidden {
    pub(super) status: StatusCode,
    pub(super) text: String,
}

impl Forbidden {
    fn new(text: String) -> Self {
        Self { status: StatusCode::FORBIDDEN, text }
    }

    fn bad(text: &str) -> Self {
        Self { status: StatusCode::BAD_REQUEST, text: text.to_owned() }
    }
}

impl<'t> Place<'t> {
    /// Reads `host`, `host:port`, `[::1]:port`.
    fn read(text: &'t str) -> Option<Self> {
        let text = text.trim_ascii();
        let (host, port) = match text.strip_prefix('[') {
            Some(rest) => {
                let (host, rest) = rest.split_once(']')?;
                host.parse::<Ipv6Addr>().ok()?;
                (host, if rest.is_empty() { None } else { Some(rest.strip_prefix(':')?) })
            }
            None => text.split_once(':').map_or((text, None), |(host, port)| (host, Some(port))),
        };
        let port = port.filter(|port| !port.is_empty()).map(str::parse).transpose().ok()?;
        let host = host.trim_end_matches('.');
        let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'-' | b'_' | b':');
        (!host.is_empty() && host.bytes().all(is_plain)).then_some(Self { host, port })
    }

    fn is_loopback(self) -> bool {
        self.host.eq_ignore_ascii_case("localhost")
            || self.host.parse::<Ipv4Addr>().is_ok_and(|address| address.is_loopback())
            || self.host.parse::<Ipv6Addr>().is_ok_and(|address| address.is_loopback())
    }

    fn is_same(self, other: Self) -> bool {
        self.host.eq_ignore_ascii_case(other.host) && self.port == other.port
    }

    fn is_listed(self, entry: &Listed) -> bool {
        self.host.eq_ignore_ascii_case(&entry.host) && (entry.port.is_none() || entry.port == self.port)
    }
}

impl From<Place<'_>> for Listed {
    fn from(Place { host, port }: Place<'_>) -> Self {
        Self { host: host.to_ascii_lowercase(), port }
    }
}

impl Origin {
    /// Reads `scheme://host:port`; the default port is as good as none.
    fn read(text: &str) -> Option<Self> {
        let (scheme, rest) = text.trim().split_once("://")?;
        let Place { host, port } = Place::read(rest.trim_end_matches('/'))?;
        let scheme = scheme.to_ascii_lowercase();
        let default = match scheme.as_str() {
            "http" => Some(80),
            "https" => Some(443),
            _ => None,
        };
        Some(Self { scheme, host: host.to_ascii_lowercase(), port: port.or(default) })
    }

    fn is_loopback(&self) -> bool {
        let place = Place { host: &self.host, port: None };
        matches!(self.scheme.as_str(), "http" | "https") && place.is_loopback()
    }
}

impl Guard {
    /// From the builder's choices and the environment's.
    pub(super) fn new(options: &HttpOptions) -> Self {
        let listed = |own: &[String], variable: &str| -> Vec<String> {
            let more = std::env::var(variable).unwrap_or_default();
            own.iter()
                .cloned()
                .chain(more.split(',').map(|entry| entry.trim().to_owned()))
                .filter(|entry| !entry.is_empty())
                .collect()
        };
        Self::of(&listed(&options.hosts, "MCP_ALLOWED_HOSTS"), &listed(&options.origins, "MCP_ALLOWED_ORIGINS"))
    }

    fn of(hosts: &[String], origins: &[String]) -> Self {
        let note = |entry: &str, setting: &str| {
            crate::diagnostics::warn(format_args!("`{entry}` in {setting} cannot be read and is ignored"));
        };
        let any = "*";
        let mut guard =
            Self { hosts: Vec::new(), any_host: false, usual: OnceLock::new(), origins: Vec::new(), any_origin: false };
        for entry in hosts {
            match Place::read(entry) {
                _ if entry == any => guard.any_host = true,
                Some(place) => guard.hosts.push(place.into()),
                None => note(entry, "the allowed hosts"),
            }
        }
        for entry in origins {
            match Origin::read(entry) {
                _ if entry == any => guard.any_origin = true,
                Some(origin) => guard.origins.push(origin),
                // Written without its scheme, it means both.
                None => match Place::read(entry) {
                    Some(_) => guard.origins.extend(
                        ["http", "https"].iter().filter_map(|scheme| Origin::read(&format!("{scheme}://{entry}"))),
                    ),
                    None => note(entry, "the allowed origins"),
                },
            }
        }
        guard
    }

    /// Also lets clients call by the address that is listened on, if it is one address.
    pub(super) fn allow_address(&mut self, address: IpAddr) {
        if !address.is_unspecified() {
            self.hosts.push(Listed { host: address.to_string(), port: None });
        }
    }

    /// Lets the request pass, or says why not. The origin is that of an allowed web page.
    pub(super) fn check(&self, target: &Uri, headers: &Known<'_>) -> Result<Option<HeaderValue>, Forbidden> {
        self.check_host(target, headers.host)?;
        let value = match headers.origin {
            Header::Absent => return Ok(None),
            Header::Once(value) => value,
            Header::Repeated(_) => {
                return Err(Forbidden::new("Forbidden: `Origin` stands there more than once".to_owned()));
            }
        };
        let text = value.to_str().unwrap_or_default();
        let origin = Origin::read(text);
        let known = |origin: &Origin| origin.is_loopback() || self.origins.contains(origin);
        if self.any_origin || origin.as_ref().is_some_and(known) {
            return Ok(Some(value.clone()));
        }
        Err(Forbidden::new(format!(
            "Forbidden: web pages of origin `{}` may not call this server; add it to `MCP_ALLOWED_ORIGINS` or `.allowed_origins(…)`",
            shown(text)
        )))
    }

    fn is_usual(&self, host: &[u8]) -> bool {
        self.usual.get().is_some_and(|usual| usual.as_bytes() == host)
    }

    fn check_host(&self, target: &Uri, host: Header<'_>) -> Result<(), Forbidden> {
        let authority = target.authority().map(http::uri::Authority::as_str);
        let header = match host {
            Header::Absent => None,
            Header::Once(value) if authority.is_none() && self.is_usual(value.as_bytes()) => return Ok(()),
            Header::Once(value) => Some(value.to_str().unwrap_or_default()),
            Header::Repeated(_) => return Err(Forbidden::bad("Bad request: `Host` stands there more than once")),
        };
        if let (Some(header), Some(authority)) = (header, authority) {
            let are_same = match (Place::read(header), Place::read(authority)) {
                (Some(one), Some(other)) => one.is_same(other),
                (one, other) => one.is_none() && other.is_none(),
            };
            if !are_same {
                return Err(Forbidden::bad("Bad request: `Host` and the request's target name different hosts"));
            }
        }
        // No web page can leave it out, so its absence is no attack.
        let Some(text) = authority.or(header) else { return Ok(()) };
        if self.any_host || self.is_usual(text.as_bytes()) {
            return Ok(());
        }
        let may_call = |place: Place<'_>| place.is_loopback() || self.hosts.iter().any(|entry| place.is_listed(entry));
        if Place::read(text).is_some_and(may_call) {
            if text.len() <= MOST_USUAL {
                self.usual.get_or_init(|| text.into());
            }
            return Ok(());
        }
        Err(Forbidden::new(format!(
            "Forbidden: this server does not answer to host `{}`; add it to `MCP_ALLOWED_HOSTS` or `.allowed_hosts(…)`",
            shown(text)
        )))
    }
}

/// A client's text in a message of ours: short and plain.
fn shown(text: &str) -> String {
    text.chars().filter(|character| !character.is_control()).take(100).collect()
}

const EXPOSED: HeaderValue =
    HeaderValue::from_static("Mcp-Session-Id, MCP-Protocol-Version, WWW-Authenticate, Retry-After");
const METHODS: HeaderValue = HeaderValue::from_static("GET, POST, DELETE, OPTIONS");
const HEADERS: HeaderValue = HeaderValue::from_static(
    "Accept, Authorization, Content-Type, Last-Event-ID, MCP-Protocol-Version, Mcp-Method, Mcp-Name, Mcp-Session-Id",
);
const ONE_DAY: HeaderValue = HeaderValue::from_static("86400");
const REQUEST_METHOD: HeaderName = http::header::ACCESS_CONTROL_REQUEST_METHOD;

/// Whether a browser asks what a page may do, before it does it.
pub(super) fn is_preflight(headers: &HeaderMap) -> bool {
    headers.contains_key(REQUEST_METHOD)
}

/// What a browser is told before a page does what it asks for.
pub(super) fn allow_preflight(response: &mut HeaderMap, request: &HeaderMap) {
    // Any header may be sent: `Mcp-Param-*` are the tools' own.
    let asked = request.get(ACCESS_CONTROL_REQUEST_HEADERS).cloned();
    response.insert(ACCESS_CONTROL_ALLOW_METHODS, METHODS);
    response.insert(ACCESS_CONTROL_ALLOW_HEADERS, asked.unwrap_or(HEADERS));
    response.insert(ACCESS_CONTROL_MAX_AGE, ONE_DAY);
}

/// Lets a page of this origin read the response.
pub(super) fn allow_origin(response: &mut HeaderMap, origin: HeaderValue) {
    response.insert(ACCESS_CONTROL_ALLOW_ORIGIN, origin);
    response.insert(ACCESS_CONTROL_EXPOSE_HEADERS, EXPOSED);
    response.append(VARY, HeaderValue::from_static("Origin"));
}

#[cfg(test)]
mod tests {
    use super::*;
    use http::Request;

    fn check(guard: &Guard, headers: &[(&str, &str)]) -> Result<bool, u16> {
        let mut request = Request::builder();
        for (name, value) in headers {
            request = if *name == ":authority" {
                request.uri(format!("http://{value}/mcp"))
            } else {
                request.header(*name, *value)
            };
        }
        let (parts, ()) = request.body(()).unwrap().into_parts();
        guard
            .check(&parts.uri, &Known::of(&parts.headers))
            .map(|origin| origin.is_some())
            .map_err(|forbidden| forbidden.status.as_u16())
    }

    fn guard(hosts: &[&str], origins: &[&str]) -> Guard {
        let owned = |texts: &[&str]| texts.iter().map(|text| (*text).to_owned()).collect::<Vec<_>>();
        Guard::of(&owned(hosts), &owned(origins))
    }

    #[test]
    fn only_this_machine_may_call_by_default() {
        let guard = guard(&[], &[]);
        for host in ["localhost", "localhost:8000", "LOCALHOST.:1", "127.0.0.1", "127.8.8.8:1", "[::1]", "[::1]:8000"] {
            assert_eq!(check(&guard, &[("host", host)]), Ok(false), "{host}");
            assert_eq!(check(&guard, &[("host", host), ("origin", &format!("http://{host}"))]), Ok(true), "{host}");
        }
        for host in [
            "evil.example.com",
            "localhost.evil.com",
            "evil.com:80",
            "127.0.0.1.evil.com",
            "128.0.0.1",
            "",
            "[::2]",
            "a b",
            "localhost:x",
            "localhost@evil.com",
            "0.0.0.0",
        ] {
            assert_eq!(check(&guard, &[("host", host)]), Err(403), "{host}");
            assert_eq!(check(&guard, &[("origin", &format!("http://{host}"))]), Err(403), "{host}");
        }
        for origin in ["null", "", "file://", "localhost", "ftp://localhost", "https://localhost.evil.com"] {
            assert_eq!(check(&guard, &[("host", "localhost"), ("origin", origin)]), Err(403), "{origin}");
        }
        assert_eq!(check(&guard, &[]), Ok(false));
    }

    #[test]
    fn that_one_host_was_let_in_says_nothing_of_another() {
        let guard = guard(&["a.example"], &[]);
        for _ in 0..2 {
            assert_eq!(check(&guard, &[("host", "evil.example")]), Err(403));
            assert_eq!(check(&guard, &[("host", "a.example")]), Ok(false));
            for host in ["a.example.evil", "a.exampl", "", "evil.example"] {
                assert_eq!(check(&guard, &[("host", host)]), Err(403), "{host}");
                assert_eq!(check(&guard, &[(":authority", "b.example"), ("host", "a.example")]), Err(400));
            }
            assert_eq!(check(&guard, &[("host", "a.example"), ("host", "a.example")]), Err(400));
            assert_eq!(check(&guard, &[("host", "a.example"), ("origin", "http://evil.example")]), Err(403));
            assert_eq!(check(&guard, &[("host", "A.EXAMPLE:80")]), Ok(false));
        }
    }

    #[test]
    fn the_target_counts_and_must_not_contradict_the_header() {
        let guard = guard(&["a.example"], &[]);
        assert_eq!(check(&guard, &[(":authority", "a.example:443")]), Ok(false));
        assert_eq!(check(&guard, &[(":authority", "b.example")]), Err(403));
        assert_eq!(check(&guard, &[(":authority", "a.example"), ("host", "A.example")]), Ok(false));
        assert_eq!(check(&guard, &[(":authority", "a.example"), ("host", "localhost")]), Err(400));
        assert_eq!(check(&guard, &[("host", "localhost"), ("host", "localhost")]), Err(400));
        assert_eq!(check(&guard, &[("origin", "http://localhost"), ("origin", "http://localhost")]), Err(403));
    }

    #[test]
    fn default_ports_are_equal_and_others_are_not() {
        let guard = guard(&["a.example", "b.example:8443"], &["https://a.example", "http://b.example:80", "c.example"]);
        for (origin, good) in [
            ("https://a.example", true),
            ("https://a.example:443", true),
            ("HTTPS://A.EXAMPLE", true),
            ("https://a.example:8443", false),
            ("http://a.example", false),
            ("http://b.example", true),
            ("http://c.example", true),
            ("https://c.example:443", true),
        ] {
            assert_eq!(check(&guard, &[("origin", origin)]).is_ok(), good, "{origin}");
        }
        assert_eq!(check(&guard, &[("host", "a.example:99")]), Ok(false));
        assert_eq!(check(&guard, &[("host", "b.example:8443")]), Ok(false));
        assert_eq!(check(&guard, &[("host", "b.example")]), Err(403));
    }

    #[test]
    fn a_star_means_any() {
        assert_eq!(check(&guard(&["*"], &[]), &[("host", "x.example")]), Ok(false));
        assert_eq!(check(&guard(&["*"], &[]), &[("host", "x.example"), ("origin", "http://x.example")]), Err(403));
        assert_eq!(check(&guard(&["*"], &["*"]), &[("host", "x.example"), ("origin", "null")]), Ok(true));
    }

    #[test]
    fn the_refusal_names_the_setting() {
        let (parts, ()) = Request::builder().header("host", "evil.example").body(()).unwrap().into_parts();
        let text = guard(&[], &[]).check(&parts.uri, &Known::of(&parts.headers)).unwrap_err().text;
        assert!(text.contains("evil.example") && text.contains("MCP_ALLOWED_HOSTS"), "{text}");
    }
}
