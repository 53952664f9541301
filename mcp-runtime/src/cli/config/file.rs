//! Changing a file that belongs to another program: all or nothing, with a copy of what was there.

use std::ffi::OsString;
use std::fs::{self, OpenOptions};
use std::io::{self, ErrorKind, Write as _};
use std::path::{Path, PathBuf};

use crate::handler::error::{Error, Result};

/// What became of the file.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Written {
    New,
    /// There is a copy of what it was.
    Changed(PathBuf),
    Same,
}

/// Changes a file, or makes it from an empty text. When `merge` fails, nothing happens.
pub(super) fn change(path: &Path, merge: impl FnOnce(&str) -> Result<String>) -> Result<Written> {
    let failed = |what: &str, error: &io::Error| Error::msg(format!("{} {what}: {error}", path.display()));
    let before = match fs::read(path) {
        Ok(bytes) => Some(
            String::from_utf8(bytes)
                .map_err(|_| Error::msg(format!("{} is not UTF-8: it stays as it is", path.display())))?,
        ),
        Err(error) if error.kind() == ErrorKind::NotFound => None,
        Err(error) => return Err(failed("cannot be read", &error)),
    };
    let after = merge(before.as_deref().unwrap_or_default())
        .map_err(|error| Error::msg(format!("{} stays as it is: {error}", path.display())))?;
    let Some(before) = before else {
        let parent = path.parent().filter(|parent| !parent.as_os_str().is_empty());
        parent.map_or(Ok(()), fs::create_dir_all).map_err(|error| failed("cannot be made", &error))?;
        write_new(path, after.as_bytes()).map_err(|error| failed("cannot be made", &error))?;
        return Ok(Written::New);
    };
    if before == after {
        return Ok(Written::Same);
    }
    // A link stays a link: what it leads to is replaced.
    let real = fs::canonicalize(path).map_err(|error| failed("cannot be found", &error))?;
    let permissions = fs::metadata(&real).map_err(|error| failed("cannot be read", &error))?.permissions();
    if permissions.readonly() {
        return Err(Error::msg(format!("{} is read-only: it stays as it is", path.display())));
    }
    let copy = back_up(&real, before.as_bytes())
        .map_err(|error| failed("stays as it is, because no copy of it can be made", &error))?;
    replace(&real, after.as_bytes(), permissions).map_err(|error| failed("stays as it is", &error))?;
    Ok(Written::Changed(copy))
}

fn write_new(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let mut file = OpenOptions::new().write(true).create_new(true).open(path)?;
    file.write_all(bytes)?;
    file.sync_all()
}

/// The path with something behind its name.
fn beside(path: &Path, suffix: &str) -> PathBuf {
    let mut name = path.file_name().map(OsString::from).unwrap_or_default();
    name.push(suffix);
    path.with_file_name(name)
}

/// So many copies are kept.
const MOST: u32 = 1000;

/// A copy beside the file that replaces no earlier copy.
fn back_up(path: &Path, bytes: &[u8]) -> io::Result<PathBuf> {
    for number in 1..MOST {
        let copy = beside(path, &if number == 1 { ".bak".to_owned() } else { format!(".bak{number}") });
        match write_new(&copy, bytes) {
            Err(error) if error.kind() == ErrorKind::AlreadyExists => {}
            Err(error) => return Err(error),
            Ok(()) => {
                // It may hold what only its owner may read.
                fs::set_permissions(&copy, fs::metadata(path)?.permissions())?;
                return Ok(copy);
            }
        }
    }
    Err(io::Error::new(ErrorKind::AlreadyExists, format!("there are {MOST} copies")))
}

/// Puts a whole new file in the place of the old one, so that no reader ever sees half of it.
fn replace(path: &Path, bytes: &[u8], permissions: fs::Permissions) -> io::Result<()> {
    let whole = beside(path, &format!(".{}.tmp", std::process::id()));
    let replaced = write_new(&whole, bytes)
        .and_then(|()| fs::set_permissions(&whole, permissions))
        .and_then(|()| fs::rename(&whole, path));
    if replaced.is_err() {
        drop(fs::remove_file(&whole));
    }
    replaced
}
