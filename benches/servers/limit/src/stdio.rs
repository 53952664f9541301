//! A loop over non-blocking pipes: whatever one read brings is answered in one write.

use std::io;

use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::unix::pipe;

use crate::answer::answer;

pub async fn serve() -> io::Result<()> {
    let mut input = pipe::OpenOptions::new().open_receiver("/proc/self/fd/0")?;
    let mut output = pipe::OpenOptions::new().open_sender("/proc/self/fd/1")?;
    let (mut buffer, mut out) = (Vec::with_capacity(64 * 1024), Vec::new());
    let mut searched = 0;
    while input.read_buf(&mut buffer).await? > 0 {
        let mut start = 0;
        while let Some(length) = memchr::memchr(b'\n', &buffer[searched..]) {
            let end = searched + length;
            answer(&buffer[start..end], &mut out)?;
            start = end + 1;
            searched = start;
        }
        buffer.drain(..start);
        searched = buffer.len();
        output.write_all(&out).await?;
        out.clear();
    }
    Ok(())
}
