use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;

use super::Finding;
use crate::cli::database::configuration;
use crate::cli::environment::unknown_variables;
use crate::cli::serve::short_secrets;
use crate::config::{SecretSource, Settings};

const SECRETS: &str = "secrets";

pub(super) fn check(settings: &Settings) -> Vec<Finding> {
    let from = configuration(settings);
    let mut findings = vec![Finding::good("settings", format!("read from {from}"))];
    for (name, meant) in unknown_variables(settings) {
        let finding = format!("the environment variable {name} is not a setting");
        findings.push(match meant {
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
    let game = settings.secrets.as_ref().map(|(secrets, _)| secrets);
    findings.extend(short_secrets(settings, game).into_iter().map(|name| {
        Finding::problem(
            SECRETS,
            format!("a secret of {name} has fewer than 16 characters, and can be guessed"),
            "replace it, here and in the plugins, with a secret from `openssl rand -hex 32`",
        )
    }));
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

/// Returns a problem if all users of this machine can read the file with a secret.
fn readable_by_all(path: &Path) -> Option<Finding> {
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
