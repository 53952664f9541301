//! What the server offers: the entries that expansions register, and the live catalog made from them.

pub(crate) mod build;
pub(crate) mod catalog;
pub(crate) mod changes;
pub(crate) mod cursor;
pub(crate) mod define;
pub(crate) mod entry;
pub(crate) mod gate;
pub(crate) mod item;
pub(crate) mod link;
pub(crate) mod list;
pub(crate) mod problem;
