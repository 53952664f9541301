//! What each revision defines, as one table of data.
//!
//! Nothing else compares revisions: whoever writes to the wire asks here whether a member exists.

use super::Revision;

/// What may stand in `structuredContent`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Structured {
    /// The member is not defined.
    Never,
    /// Only an object.
    Object,
    /// Any JSON value.
    Any,
}

/// What a peer of one revision understands.
#[derive(Debug)]
#[expect(clippy::struct_excessive_bools, reason = "a row of yes and no")]
pub(crate) struct Features {
    pub(crate) revision: Revision,
    /// JSON-RPC batches.
    pub(crate) batches: bool,
    /// `audio` content blocks.
    pub(crate) audio: bool,
    /// Tool annotations.
    pub(crate) tool_annotations: bool,
    /// `message` in progress notifications.
    pub(crate) progress_message: bool,
    /// The `completions` capability.
    pub(crate) completions: bool,
    /// `title` and `_meta` on definitions and contents.
    pub(crate) titles: bool,
    /// `resource_link` content blocks.
    pub(crate) resource_links: bool,
    /// `structuredContent` and `outputSchema`.
    pub(crate) structured: Structured,
    /// `lastModified` in annotations.
    pub(crate) last_modified: bool,
    /// `icons`, and `description` and `websiteUrl` of an implementation.
    pub(crate) icons: bool,
    /// `mode`, `url` and titled choices in elicitation.
    pub(crate) elicitation_modes: bool,
    /// Elicitation at all.
    pub(crate) elicitation: bool,
    /// Tools, and several content blocks, in sampling.
    pub(crate) sampling_tools: bool,
    /// Event streams that begin with an empty event and may be left for a while.
    #[cfg_attr(not(feature = "http"), expect(dead_code, reason = "only HTTP has streams to come back to"))]
    pub(crate) polling: bool,
    /// `resultType`, `serverInfo` in `_meta`, cache hints.
    pub(crate) modern: bool,
}

impl Features {
    /// The table's row for `revision`.
    pub(crate) const fn of(revision: Revision) -> &'static Self {
        match revision {
            Revision::V2024_11_05 => &V2024_11_05,
            Revision::V2025_03_26 => &V2025_03_26,
            Revision::V2025_06_18 => &V2025_06_18,
            Revision::V2025_11_25 => &V2025_11_25,
            Revision::V2026_07_28 => &V2026_07_28,
        }
    }
}

const V2024_11_05: Features = Features {
    revision: Revision::V2024_11_05,
    batches: false,
    audio: false,
    tool_annotations: false,
    progress_message: false,
    completions: false,
    titles: false,
    resource_links: false,
    structured: Structured::Never,
    last_modified: false,
    icons: false,
    elicitation_modes: false,
    elicitation: false,
    sampling_tools: false,
    polling: false,
    modern: false,
};

const V2025_03_26: Features = Features {
    revision: Revision::V2025_03_26,
    batches: true,
    audio: true,
    tool_annotations: true,
    progress_message: true,
    completions: true,
    ..V2024_11_05
};

const V2025_06_18: Features = Features {
    revision: Revision::V2025_06_18,
    batches: false,
    titles: true,
    resource_links: true,
    structured: Structured::Object,
    last_modified: true,
    elicitation: true,
    ..V2025_03_26
};

const V2025_11_25: Features = Features {
    revision: Revision::V2025_11_25,
    icons: true,
    elicitation_modes: true,
    sampling_tools: true,
    polling: true,
    ..V2025_06_18
};

const V2026_07_28: Features =
    Features { revision: Revision::V2026_07_28, structured: Structured::Any, modern: true, ..V2025_11_25 };
