//! URI templates (RFC 6570): parse, expand, match.
