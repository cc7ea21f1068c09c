use strsim::osa_distance;

use crate::config::Settings;

/// Every variable of the name `RBS_…` that means something.
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

/// In how many letters a name may differ from a setting's to be taken for it; in a short one, one.
const NEARLY: usize = 2;
const SHORT: usize = "RBS_BIND".len();

/// The environment variable `name`; what is no Unicode in it is replaced, and refused later.
pub(super) fn variable(name: &str) -> Option<String> {
    std::env::var_os(name).map(|value| value.to_string_lossy().into_owned())
}

/// A variable that looks like a setting and is none.
pub(super) struct UnknownVariable {
    pub(super) name: String,
    /// The setting that was meant, where the name is nearly its.
    pub(super) meant: Option<&'static str>,
}

/// The variables that look like settings and are none.
pub(super) fn unknown_variables(settings: &Settings) -> Vec<UnknownVariable> {
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
        .map(|name| UnknownVariable {
            meant: meant_by(&name),
            name,
        })
        .collect()
}

/// The setting that a name differs from in a letter or two.
fn meant_by(name: &str) -> Option<&'static str> {
    let nearly = if name.len() > SHORT { NEARLY } else { 1 };
    let is_meant = |known: &&str| {
        // Numbered spares, such as RBS_SECRET_2, are no slips.
        let goes_on = name.strip_prefix(*known);
        !goes_on.is_some_and(|rest| rest.starts_with('_')) && osa_distance(known, name) <= nearly
    };
    KNOWN.into_iter().find(is_meant)
}

/// Looks for variables that look like settings and are none. One that is nearly a setting stops the
/// start, because it was meant to be one, and a secret that is not taken is replaced by another. The
/// others are warned of alone: container platforms make up `RBS_…` variables of their own.
pub(super) fn check_unknown(settings: &Settings) -> anyhow::Result<()> {
    for UnknownVariable { name, meant } in unknown_variables(settings) {
        if let Some(meant) = meant {
            anyhow::bail!(
                "the environment variable {name} is no setting; {meant} is, so rename it, or take it \
                 away"
            );
        }
        tracing::warn!(variable = %name, "This environment variable is no setting");
    }
    Ok(())
}
