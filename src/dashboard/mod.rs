//! The operators' page, as it goes over the wire: a page, one script and one style, built into the program.
//!
//! Nothing in them is data, so they are for everybody; what they show, they ask the service for with
//! the secret of whoever looks.

mod files;
#[cfg(test)]
mod tests;

use std::collections::BTreeMap;
use std::io;
use std::io::Write as _;
use std::sync::LazyLock;

use flate2::Compression;
use flate2::write::GzEncoder;
use sha2::{Digest as _, Sha256};

/// One file of the page.
#[derive(Debug)]
pub struct File {
    /// Its `Content-Type`.
    pub content_type: &'static str,
    /// What is in it.
    pub plain: &'static [u8],
    /// The same, compressed by gzip; `None` where that makes it no smaller.
    pub gzip: Option<Vec<u8>>,
    /// Names the content, for `ETag` and `If-None-Match`: another content has another one. Weak,
    /// since it is the same however the file is compressed.
    pub tag: String,
}

/// Every file by its path under `/assets`. They are compressed when the first is asked for.
static FILES: LazyLock<BTreeMap<&'static str, File>> = LazyLock::new(|| {
    let files = files::FILES.iter();
    files
        .map(|&(path, plain)| (path, prepare(path, plain)))
        .collect()
});

/// The file at this path under `/assets`, if there is one.
#[must_use]
pub fn file(path: &str) -> Option<&'static File> {
    FILES.get(path)
}

fn prepare(path: &str, plain: &'static [u8]) -> File {
    let digest = Sha256::digest(plain);
    let first = digest.iter().take(16);
    let number = first.fold(0, |number, byte| (number << 8) | u128::from(*byte));
    File {
        content_type: content_type(path),
        plain,
        // A buffer takes whatever is written; were it not to, the plain file is as good.
        gzip: compress(plain).ok().filter(|gzip| gzip.len() < plain.len()),
        tag: format!("W/\"{number:032x}\""),
    }
}

fn compress(plain: &[u8]) -> io::Result<Vec<u8>> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
    encoder.write_all(plain)?;
    encoder.finish()
}

fn content_type(path: &str) -> &'static str {
    match path.rsplit_once('.').map(|(_, ending)| ending) {
        Some("html") => "text/html; charset=utf-8",
        Some("js") => "text/javascript; charset=utf-8",
        Some("css") => "text/css; charset=utf-8",
        Some("svg") => "image/svg+xml",
        _ => "text/plain; charset=utf-8",
    }
}
