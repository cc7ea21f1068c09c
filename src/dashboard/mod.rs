//! The files of the operators' page and of the description of the API, built into the program.
//!
//! The files hold no data, so everybody may read them. Their scripts ask the service with the secret of whoever looks.

mod files;
#[cfg(test)]
mod tests;

use std::collections::BTreeMap;
use std::sync::LazyLock;

use sha2::{Digest as _, Sha256};

/// One file of the page.
#[derive(Clone, Copy, Debug)]
pub struct File {
    /// Its `Content-Type`.
    pub content_type: &'static str,
    /// What is in it.
    pub content: &'static [u8],
    /// First half of the SHA-256 digest of the content.
    pub digest: u128,
}

/// Every file by its path under `/assets`.
static FILES: LazyLock<BTreeMap<&'static str, File>> = LazyLock::new(|| {
    files::FILES
        .iter()
        .map(|&(path, content)| (path, File::new(path, content)))
        .collect()
});

/// Returns the file at this path under `/assets`, if there is one.
#[must_use]
pub fn file(path: &str) -> Option<File> {
    FILES.get(path).copied()
}

impl File {
    fn new(path: &str, content: &'static [u8]) -> Self {
        let digest = Sha256::digest(content)
            .iter()
            .take(16)
            .fold(0, |digest, byte| (digest << 8) | u128::from(*byte));
        Self {
            content_type: content_type(path),
            content,
            digest,
        }
    }
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
