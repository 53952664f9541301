//! Guides, one topic each. They are pages to read; there is nothing here to use.

pub mod state_and_errors {
    #![doc = include_str!("docs/state_and_errors.md")]
}

pub mod resources {
    #![doc = include_str!("docs/resources.md")]
}

pub mod testing {
    #![cfg_attr(feature = "testing", doc = include_str!("docs/testing.md"))]
    #![cfg_attr(
        not(feature = "testing"),
        doc = "Testing handlers and servers: this guide is there with feature `testing`."
    )]
}

pub mod asking {
    #![doc = include_str!("docs/asking.md")]
}

#[cfg(any(doc, feature = "http"))]
pub mod http {
    #![doc = include_str!("docs/http.md")]
}

pub mod linking {
    #![doc = include_str!("docs/linking.md")]
}

pub mod protocol {
    #![doc = include_str!("docs/protocol.md")]
}

pub mod migrating_from_rmcp {
    #![doc = include_str!("docs/migrating_from_rmcp.md")]
}
