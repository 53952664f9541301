//! D0 and D5: whether the server starts, and how it was built and will be served.

use super::finding::{Findings, Level, Rule};
use crate::server::core::Core;

pub(super) const CANNOT_START: Rule = Rule::new(
    "D001",
    Level::Error,
    "what keeps the server from starting: names taken twice, templates that are never reached, missing state",
);
pub(super) const ABORTS: Rule =
    Rule::new("D501", Level::Error, "built with panic = \"abort\": one panic in a tool ends the server");
pub(super) const NO_KEY: Rule = Rule::new(
    "D502",
    Level::Error,
    "served over HTTP beyond this machine without a state key: sessions end with the process",
);

pub(super) fn check(core: &Core, http: Option<&str>, findings: &mut Findings) {
    if cfg!(panic = "abort") {
        let advice = "remove `panic = \"abort\"` from the profile in Cargo.toml: panics are answered as errors only while they unwind";
        findings.add(&ABORTS, None, "the program is built with panic = \"abort\"", advice);
    }
    if let Some(address) = http.filter(|address| !is_loopback(address) && !has_state_key(core)) {
        let text = format!("{address} is reached from other machines, and there is no state key");
        findings.add(
            &NO_KEY,
            None,
            text,
            "set `MCP_STATE_KEY` to the output of `openssl rand -base64 32`, the same for all instances",
        );
    }
}

#[cfg(feature = "http")]
fn has_state_key(core: &Core) -> bool {
    !core.sealer.is_random()
}

#[cfg(not(feature = "http"))]
const fn has_state_key(_: &Core) -> bool {
    true
}

/// Whether only this machine reaches an address; a name that is not known here is taken for public.
fn is_loopback(address: &str) -> bool {
    let host = address.rsplit_once(':').map_or(address, |(host, _)| host).trim_start_matches('[').trim_end_matches(']');
    host == "localhost" || host.parse::<std::net::IpAddr>().is_ok_and(|ip| ip.is_loopback())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn loopback_is_known_by_its_addresses() {
        for address in ["127.0.0.1:8000", "[::1]:80", "localhost:1", "127.9.9.9:1"] {
            assert!(is_loopback(address), "{address}");
        }
        for address in ["0.0.0.0:8000", "[::]:80", "example.com:80", "192.168.1.2:80"] {
            assert!(!is_loopback(address), "{address}");
        }
    }
    #[cfg(feature = "http")]
    #[test]
    fn beyond_this_machine_a_state_key_is_needed() {
        use crate::Server;
        let codes = |server: Server, address: &str| {
            let mut findings = Findings::default();
            check(&server.allow_empty().build().unwrap().core, Some(address), &mut findings);
            findings.codes()
        };
        let server = || Server::new("s", "1").only(["-"]);
        assert_eq!(codes(server(), "0.0.0.0:80"), ["D502"]);
        assert_eq!(codes(server(), "127.0.0.1:80"), [""; 0]);
        assert_eq!(codes(server().state_key("00".repeat(32)), "0.0.0.0:80"), [""; 0]);
    }
}
