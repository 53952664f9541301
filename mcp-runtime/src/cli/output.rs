//! Standard output and standard error of a command. A reader that has seen enough (`| head`) is no failure.

use std::fmt::{Arguments, Display};
use std::io::{self, ErrorKind, IsTerminal as _, Write as _};

use crate::handler::error::Result;

/// What a command prints, written at once when it is finished.
#[derive(Debug)]
pub(super) struct Output {
    text: Vec<u8>,
    #[cfg(unix)]
    taken: Option<std::fs::File>,
}

impl Output {
    /// The process's own standard output.
    pub(super) const fn plain() -> Self {
        Self {
            text: Vec::new(),
            #[cfg(unix)]
            taken: None,
        }
    }

    /// Standard output for the command alone: what handlers print goes to standard error, as it does when a client is served.
    pub(super) fn guarded() -> Self {
        #[cfg(unix)]
        // When it has been taken already, it is guarded enough.
        if let Ok((_, output)) = crate::transport::stdio::take_standard() {
            return Self { text: Vec::new(), taken: Some(output.into()) };
        }
        Self::plain()
    }

    /// Adds a line.
    pub(super) fn line(&mut self, line: impl Display) {
        self.text.extend_from_slice(line.to_string().as_bytes());
        self.text.push(b'\n');
    }

    /// Adds a text that ends its last line, unless it does already.
    pub(super) fn text(&mut self, text: &str) {
        self.text.extend_from_slice(text.as_bytes());
        if !text.is_empty() && !text.ends_with('\n') {
            self.text.push(b'\n');
        }
    }

    /// Adds bytes as they are.
    pub(super) fn bytes(&mut self, bytes: &[u8]) {
        self.text.extend_from_slice(bytes);
    }

    /// Whether a person reads it.
    pub(super) fn is_terminal(&self) -> bool {
        #[cfg(unix)]
        if let Some(taken) = &self.taken {
            return taken.is_terminal();
        }
        io::stdout().is_terminal()
    }

    /// Writes everything.
    ///
    /// # Errors
    ///
    /// When it cannot be written, unless because nobody reads any more.
    pub(super) fn finish(self) -> Result<()> {
        match self.write() {
            Err(error) if error.kind() != ErrorKind::BrokenPipe => Err(error.into()),
            _ => Ok(()),
        }
    }

    fn write(self) -> io::Result<()> {
        #[cfg(unix)]
        if let Some(mut taken) = self.taken {
            return taken.write_all(&self.text);
        }
        let mut stdout = io::stdout().lock();
        stdout.write_all(&self.text)?;
        stdout.flush()
    }
}

/// Tells a person something on standard error, which may be closed.
pub(super) fn note(text: Arguments<'_>) {
    drop(io::stderr().lock().write_all(format!("{text}\n").as_bytes()));
}
