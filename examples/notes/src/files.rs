//! The one folder that clients may name files in: what a model says must not reach the rest of the machine.

use std::path::{Path, PathBuf};

use mcp_runtime::{Error, Result};

/// The folder.
#[derive(Clone, Debug)]
pub(crate) struct Files(Option<PathBuf>);

impl Files {
    /// This folder, or none at all.
    pub(crate) fn new(folder: Option<PathBuf>) -> Result<Self> {
        Ok(Self(folder.map(|folder| folder.canonicalize()).transpose()?))
    }

    /// The file or folder at `path` in it. Links are followed, but not out of it.
    pub(crate) fn find(&self, path: &str) -> Result<PathBuf> {
        let folder = self.0.as_deref().ok_or_else(|| Error::msg("this server reads no files"))?;
        let found = folder.join(path).canonicalize().ok();
        found.filter(|found| found.starts_with(folder)).ok_or_else(|| Error::msg(format!("there is no `{path}` here")))
    }

    /// A path in it as its clients know it.
    pub(crate) fn name(&self, path: &Path) -> String {
        let folder = self.0.as_deref().unwrap_or(path);
        path.strip_prefix(folder).unwrap_or(path).display().to_string()
    }
}
