//! Checks of the settings and secrets.

use std::fs;
use std::path::Path;

use super::finding::Finding;
use crate::cli::database::configuration;
use crate::cli::environment::unknown_variables;
use crate::config::{SecretSource, Secrets, Settings};

const SECRETS: &str = "secrets";

pub(super) fn check(settings: &Settings) -> Vec<Finding> {
    let from = configuration(settings);
    let mut findings = vec![Finding::good("settings", format!("read from {from}"))];
    for unknown in unknown_variables(settings) {
        let finding = format!("the environment variable {} is not a setting", unknown.name);
        findings.push(match unknown.meant {
            Some(meant) => Finding::problem(
                "settings",
                finding,
                format!("rename it to {meant}, or remove it"),
            ),
            None => Finding::warning(
                "settings",
                finding,
                "if it was meant for RBS, correct its name or remove it",
            ),
        });
    }
    let before = findings.len();
    findings.extend(short_secrets(settings));
    let file = match &settings.secrets {
        Some((_, SecretSource::File(path) | SecretSource::NewFile(path))) => Some(path.clone()),
        Some((_, SecretSource::Variable(_))) => None,
        None => Some(settings.database.folder().join("rbs.secret")),
    };
    if let Some(path) = file {
        findings.extend(readable_by_all(&path));
    }
    if findings.len() == before {
        let finding =
            "all secrets are long enough, and no file with secrets can be read by every user";
        findings.push(Finding::good(SECRETS, finding));
    }
    findings
}

fn short_secrets(settings: &Settings) -> Vec<Finding> {
    let game = settings.secrets.as_ref().map(|(secrets, _)| secrets);
    let read = settings.read_secrets.as_ref().map(|read| &read.secrets);
    let bound = settings.bound_secrets.iter();
    let bound = bound.map(|bound| ("game_servers", &bound.secrets));
    let named = [
        ("RBS_SECRET", game),
        ("RBS_ADMIN_SECRET", settings.admin_secrets.as_ref()),
        ("RBS_READ_SECRET", read),
    ];
    let named = named
        .into_iter()
        .filter_map(|(name, secrets)| Some((name, secrets?)));
    let is_short = |(_, secrets): &(&str, &Secrets)| secrets.are_short();
    let short = named.chain(bound).filter(is_short);
    short
        .map(|(name, _)| {
            Finding::problem(
                SECRETS,
                format!("a secret of {name} has fewer than 16 characters, and can be guessed"),
                "replace it, here and in the plugins, with a secret from `openssl rand -hex 32`",
            )
        })
        .collect()
}

/// Returns a problem if all users of this machine can read the file with a secret.
#[cfg(unix)]
fn readable_by_all(path: &Path) -> Option<Finding> {
    use std::os::unix::fs::PermissionsExt as _;

    const OTHERS: u32 = 0o007;
    let mode = fs::metadata(path).ok()?.permissions().mode();
    let shown = path.display();
    (mode & OTHERS != 0).then(|| {
        Finding::problem(
            SECRETS,
            format!("every user of this machine may read {shown}"),
            format!("chmod o= {shown}, and replace the secret if other people can log in here"),
        )
    })
}

/// Reports no problem with the access rights of a file that holds a secret, because systems other than Unix have no
/// permission bits.
#[cfg(not(unix))]
fn readable_by_all(_: &Path) -> Option<Finding> {
    None
}
