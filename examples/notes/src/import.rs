//! Importing a folder of Markdown files: read one by one, with progress, then kept all at once.

use std::path::{Path, PathBuf};

use mcp_runtime::{Error, prelude::*};

use crate::files::Files;
use crate::store::{Draft, NoteId, Store};

/// So many files are imported at once.
const MOST: usize = 1000;

/// What was imported.
#[mcp_runtime::data]
struct Imported {
    /// The ids of the new notes
    notes: Vec<NoteId>,
}

/// Import the Markdown files of a folder and of the folders in it, each as a note: all of them, or none.
#[tool(disabled, destructive = false)]
async fn import_folder(
    ctx: &Ctx,
    store: State<Store>,
    files: State<Files>,
    /// The path of the folder
    #[arg(default = ".")]
    folder: String,
) -> Result<Json<Imported>> {
    let found = markdown_files(files.find(&folder)?).await?;
    let mut drafts = Vec::new();
    for (done, file) in found.iter().enumerate() {
        ctx.progress_message(done, found.len(), files.name(file)).await;
        drafts.push(draft(file, &tokio::fs::read_to_string(file).await?));
    }
    // A call that is cancelled before this line has changed nothing.
    let store = store.into_arc();
    let notes = tokio::task::spawn_blocking(move || store.add_all(&drafts)).await??;
    ctx.progress(found.len(), found.len()).await;
    ctx.server().resources_changed();
    Ok(Json(Imported { notes: notes.into_iter().map(|note| note.id).collect() }))
}

/// The Markdown files in a folder, in order. Links are not followed: they lead out of it, or round in circles.
async fn markdown_files(folder: PathBuf) -> Result<Vec<PathBuf>> {
    let mut found = Vec::new();
    let mut folders = vec![folder];
    while let Some(folder) = folders.pop() {
        let mut entries = tokio::fs::read_dir(folder).await?;
        while let Some(entry) = entries.next_entry().await? {
            let (kind, path) = (entry.file_type().await?, entry.path());
            if kind.is_dir() {
                folders.push(path);
            } else if kind.is_file() && path.extension().is_some_and(|extension| extension == "md") {
                found.push(path);
            }
            if found.len() > MOST {
                return Err(Error::msg(format!("more than {MOST} files: import the folders in it one by one")));
            }
        }
    }
    found.sort();
    Ok(found)
}

/// A file as a note: its title is the heading it begins with, or else its name.
fn draft(file: &Path, text: &str) -> Draft {
    let (first, rest) = text.split_once('\n').unwrap_or((text, ""));
    match first.strip_prefix("# ") {
        Some(title) => Draft { title: title.trim().to_owned(), body: rest.trim_start().to_owned() },
        None => {
            let name = file.file_stem().unwrap_or_default();
            Draft { title: name.to_string_lossy().into_owned(), body: text.to_owned() }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_called_after_its_heading_or_its_name() {
        let file = Path::new("garden/Tomatoes.md");
        let draft = |text| draft(file, text);
        let named = |title: &str, body: &str| Draft { title: title.to_owned(), body: body.to_owned() };
        assert_eq!(draft("# In the garden\n\nSow in March."), named("In the garden", "Sow in March."));
        assert_eq!(draft("Sow in March.\n# Later"), named("Tomatoes", "Sow in March.\n# Later"));
        assert_eq!(draft(""), named("Tomatoes", ""));
    }
}
