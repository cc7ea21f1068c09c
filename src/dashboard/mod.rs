//! Embedded browser files: the admins' dashboard, the page of the API description, and the style of the public pages.
//!
//! The files hold no data, so they need no secret. Their scripts call the API with the secret of the user.

#[cfg(test)]
mod tests;

use std::collections::BTreeMap;
use std::sync::LazyLock;

use sha2::{Digest as _, Sha256};

/// Browser file that is embedded in the program.
#[derive(Clone, Copy, Debug)]
pub struct File {
    /// Value of the header `Content-Type` with which the embedded browser file is sent.
    pub content_type: &'static str,
    /// Content of the browser file that is embedded in the program.
    pub content: &'static [u8],
    /// First 128 bits of the SHA-256 digest of the embedded browser file's content.
    pub digest: u128,
}

/// Embedded files by their path under `/assets`. `build.rs` makes the bundles `app.css`, `app.js` and `public.css`.
const EMBEDDED: &[(&str, &[u8])] = &[
    (
        "app.css",
        include_bytes!(concat!(env!("OUT_DIR"), "/app.css")),
    ),
    (
        "app.js",
        include_bytes!(concat!(env!("OUT_DIR"), "/app.js")),
    ),
    ("docs.js", include_bytes!("docs/docs.js")),
    ("icon.svg", include_bytes!("page/icon.svg")),
    ("index.html", include_bytes!("page/index.html")),
    (
        "public.css",
        include_bytes!(concat!(env!("OUT_DIR"), "/public.css")),
    ),
    (
        "swagger-ui-bundle.js",
        include_bytes!("vendor/swagger-ui/swagger-ui-bundle.js"),
    ),
    (
        "swagger-ui-license",
        include_bytes!("vendor/swagger-ui/LICENSE"),
    ),
    (
        "swagger-ui.css",
        include_bytes!("vendor/swagger-ui/swagger-ui.css"),
    ),
    ("theme_first.js", include_bytes!("page/theme_first.js")),
    ("uplot-license", include_bytes!("vendor/uplot/LICENSE")),
];

static FILES: LazyLock<BTreeMap<&'static str, File>> = LazyLock::new(|| {
    EMBEDDED
        .iter()
        .map(|&(path, content)| (path, File::new(path, content)))
        .collect()
});

/// Returns the embedded browser file at this path under `/assets`, if there is one.
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
