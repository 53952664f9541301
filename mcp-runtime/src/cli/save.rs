//! Binary content as files, for `--out`.

use std::fs::{self, OpenOptions};
use std::io::{self, ErrorKind, Write as _};
use std::path::{Path, PathBuf};

use percent_encoding::percent_decode_str;

use crate::handler::error::{Error, Result};

/// A folder into which content is saved; nothing in it is ever overwritten.
#[derive(Debug)]
pub(super) struct Folder {
    path: PathBuf,
}

/// So many files of one name are tried.
const MOST: u32 = 10_000;

impl Folder {
    /// The folder, made if need be.
    pub(super) fn open(path: &Path) -> Result<Self> {
        fs::create_dir_all(path)
            .map_err(|error| Error::msg(format!("the folder {} cannot be made: {error}", path.display())))?;
        Ok(Self { path: path.to_owned() })
    }

    /// Saves bytes under a name near `name` that is not taken.
    pub(super) fn save(&self, name: &str, mime: &str, bytes: &[u8]) -> Result<PathBuf> {
        let (stem, extension) = file_name(name, mime);
        for number in 1..MOST {
            let name = if number == 1 { format!("{stem}.{extension}") } else { format!("{stem}-{number}.{extension}") };
            let path = self.path.join(name);
            match write_new(&path, bytes) {
                Err(error) if error.kind() == ErrorKind::AlreadyExists => {}
                Err(error) => return Err(Error::msg(format!("{} cannot be written: {error}", path.display()))),
                Ok(()) => return Ok(path),
            }
        }
        Err(Error::msg(format!("{} is full of files named {stem}", self.path.display())))
    }
}

fn write_new(path: &Path, bytes: &[u8]) -> io::Result<()> {
    OpenOptions::new().write(true).create_new(true).open(path)?.write_all(bytes)
}

/// A harmless stem and an extension: the server chooses neither a folder nor a hidden file.
fn file_name(name: &str, mime: &str) -> (String, String) {
    let last = name
        .split(['?', '#'])
        .next()
        .unwrap_or_default()
        .trim_end_matches('/')
        .rsplit(['/', '\\'])
        .next()
        .unwrap_or_default();
    let (stem, own) = match last.rsplit_once('.') {
        Some((stem, extension)) if !stem.is_empty() && (1..=5).contains(&extension.len()) => (stem, Some(extension)),
        _ => (last, None),
    };
    let stem = safe(&percent_decode_str(stem).decode_utf8_lossy());
    let extension = own.map(safe).filter(|own| !own.is_empty()).unwrap_or_else(|| extension(mime).to_owned());
    (if stem.is_empty() { "content".to_owned() } else { stem }, extension)
}

fn safe(text: &str) -> String {
    let safe: String = text
        .chars()
        .take(80)
        .map(|c| if c.is_ascii_alphanumeric() || c == '-' || c == '_' { c } else { '_' })
        .collect();
    safe.trim_matches('_').to_owned()
}

fn extension(mime: &str) -> &'static str {
    match mime.split(';').next().unwrap_or_default().trim() {
        "image/png" => "png",
        "image/jpeg" => "jpg",
        "image/gif" => "gif",
        "image/webp" => "webp",
        "image/svg+xml" => "svg",
        "audio/wav" | "audio/x-wav" => "wav",
        "audio/mpeg" => "mp3",
        "audio/ogg" => "ogg",
        "audio/flac" => "flac",
        "video/mp4" => "mp4",
        "application/pdf" => "pdf",
        "application/json" => "json",
        "application/zip" => "zip",
        "text/markdown" => "md",
        "text/html" => "html",
        "text/csv" => "csv",
        text if text.starts_with("text/") => "txt",
        _ => "bin",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn name(of: &str, mime: &str) -> String {
        let (stem, extension) = file_name(of, mime);
        format!("{stem}.{extension}")
    }

    #[test]
    fn a_file_is_named_after_the_end_of_its_uri() {
        assert_eq!(name("note://12/cat.jpeg?size=1", "image/jpeg"), "cat.jpeg");
        assert_eq!(name("draw", "image/png"), "draw.png");
        assert_eq!(name("attachment://1/a%20plan.png", "image/png"), "a_plan.png");
        assert_eq!(name("x://..%2F..%2Fetc%2Fpasswd", "text/plain"), "etc_passwd.txt");
        assert_eq!(name("img://", "image/png"), "img.png");
        assert_eq!(name("a/b/", "x/y"), "b.bin");
    }

    #[test]
    fn no_name_leaves_the_folder_or_hides() {
        assert_eq!(name("file:///../..", "text/plain"), "content.txt");
        assert_eq!(name("..\\..\\x.exe", "text/plain"), "x.exe");
        assert_eq!(name(".profile", "text/plain"), "profile.txt");
        assert_eq!(name("a\0b.p/g", "image/png"), "g.png");
    }
}
