//! The protocol from outside: real processes, real pipes and sockets, every revision, expectations written by hand.

mod protocol {
    mod bad_input;
    mod batches;
    mod calls;
    mod cancellation;
    mod changes;
    mod ending;
    mod eras;
    mod features;
    mod flood;
    mod lifecycle;
    mod lists;
    mod never_dies;
    mod resources;
    mod sockets;
    mod voices;

    use mcp_tests::{Link, Process, Revision, Session};

    /// The server that is talked to.
    const FIXTURE: &str = env!("CARGO_BIN_EXE_fixture");

    /// Starts the fixture.
    fn start(environment: &[(&str, &str)]) -> Process {
        Process::start(FIXTURE, Link::Pipe, environment)
    }

    /// Opens a session on one revision over a pipe.
    fn open(revision: Revision) -> Session {
        Session::open(FIXTURE, Link::Pipe, revision, &[])
    }

    /// Opens a session on one revision over a pipe.
    fn open_with(revision: Revision, environment: &[(&str, &str)]) -> Session {
        Session::open(FIXTURE, Link::Pipe, revision, environment)
    }

    /// Runs a script on every revision, over pipes and over sockets.
    fn on_every_revision(script: impl Fn(&mut Session)) {
        for link in Link::ALL {
            for revision in Revision::ALL {
                let mut session = Session::open(FIXTURE, link, revision, &[]);
                eprintln!("on {revision:?} over {link:?}");
                script(&mut session);
                let rest = session.process.rest();
                assert!(rest.is_empty(), "nothing is left to say: {rest:?}");
                let (status, _) = session.process.ended();
                assert!(status.success(), "{status}: {}", session.process.errors());
            }
        }
    }
}
