use std::fs;
use std::path::Path;

use anyhow::Context as _;
use ureq::tls::{Certificate, PemItem, RootCerts, TlsConfig, parse_pem};

/// Whose certificates are believed: those that come from an authority in the PEM file at `path`, in
/// place of the public ones.
///
/// # Errors
/// A file that cannot be read or holds no certificate.
pub(crate) fn authorities(path: &Path) -> anyhow::Result<TlsConfig> {
    let shown = path.display();
    let text = fs::read(path).with_context(|| format!("{shown} cannot be read"))?;
    let mut certificates: Vec<Certificate<'static>> = Vec::new();
    for item in parse_pem(&text) {
        let item = item.with_context(|| format!("{shown} is no PEM file"))?;
        if let PemItem::Certificate(certificate) = item {
            certificates.push(certificate);
        }
    }
    anyhow::ensure!(
        !certificates.is_empty(),
        "{shown} holds no certificate; in a PEM file each begins with -----BEGIN CERTIFICATE-----"
    );
    let roots = RootCerts::new_with_certs(&certificates);
    Ok(TlsConfig::builder().root_certs(roots).build())
}
