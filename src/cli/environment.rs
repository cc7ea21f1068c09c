use strsim::osa_distance;

use crate::config::Settings;

/// All environment variables with the prefix `RBS_` that are settings.
const KNOWN: [&str; 11] = [
    "RBS_BIND",
    "RBS_SECRET",
    "RBS_ADMIN_SECRET",
    "RBS_SECRET_FILE",
    "RBS_ADMIN_SECRET_FILE",
    "RBS_READ_SECRET",
    "RBS_READ_SECRET_FILE",
    "RBS_CONFIG",
    "RBS_LOG",
    "RBS_URL",
    "RBS_CA_FILE",
];

/// Maximum edit distance from a setting's name at which a variable counts as a misspelling. Short names allow only 1.
const NEARLY: usize = 2;
const SHORT: usize = "RBS_BIND".len();

/// Returns the environment variable `name`. Invalid Unicode is replaced, and rejected later.
pub(super) fn variable(name: &str) -> Option<String> {
    std::env::var_os(name).map(|value| value.to_string_lossy().into_owned())
}

/// Returns the variables that look like settings but are not, each with the setting whose name is similar, if any.
pub(super) fn unknown_variables(settings: &Settings) -> Vec<(String, Option<&'static str>)> {
    let bound: Vec<_> = settings
        .bound_secrets
        .iter()
        .filter_map(|one| one.variable.as_deref())
        .collect();
    let names = std::env::vars_os().map(|(name, _)| name.to_string_lossy().into_owned());
    let is_unknown = |name: &String| {
        name.starts_with("RBS_") && !KNOWN.contains(&&**name) && !bound.contains(&&**name)
    };
    names
        .filter(is_unknown)
        .map(|name| {
            let meant = meant_by(&name);
            (name, meant)
        })
        .collect()
}

/// Returns the setting that `name` is most likely a misspelling of.
fn meant_by(name: &str) -> Option<&'static str> {
    let nearly = if name.len() > SHORT { NEARLY } else { 1 };
    let is_meant = |known: &&str| {
        // Numbered variants such as RBS_SECRET_2 are no misspellings.
        let goes_on = name.strip_prefix(*known);
        !goes_on.is_some_and(|rest| rest.starts_with('_')) && osa_distance(known, name) <= nearly
    };
    KNOWN.into_iter().find(is_meant)
}

/// Checks for variables that look like settings but are not. A misspelt setting is an error, because ignoring a secret
/// would replace it with another one. Other variables cause only a warning, because container platforms set `RBS_…`
/// variables of their own.
pub(super) fn check_unknown(settings: &Settings) -> anyhow::Result<()> {
    for (name, meant) in unknown_variables(settings) {
        if let Some(meant) = meant {
            anyhow::bail!(
                "the environment variable {name} is not a setting, but {meant} is; rename the \
                 variable, or remove it"
            );
        }
        tracing::warn!(
            variable = %name,
            "This environment variable is ignored, as RBS has no such setting; if meant for RBS, correct its name"
        );
    }
    Ok(())
}
