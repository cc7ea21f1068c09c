use std::collections::BTreeSet;
use std::path::PathBuf;

use serde::Deserialize;

use super::InvalidSetting;
use super::secret;
use super::secret::Secrets;

/// Secrets that open some figures to read and nothing else.
#[derive(Clone, Debug)]
pub struct ReadSecrets {
    /// The secrets; any one of them will do.
    pub secrets: Secrets,
    /// What they open.
    pub scopes: BTreeSet<ReadScope>,
}

/// What a secret for reading opens.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ReadScope {
    /// The metrics, for Prometheus.
    Metrics,
    /// The figures of whole pools, for dashboards of others.
    Figures,
}

/// The secrets for reading, in the environment or in `file`, and what they open; `None` where none is
/// set.
pub(super) fn check(
    file: Option<PathBuf>,
    scopes: Vec<ReadScope>,
    environment: &impl Fn(&str) -> Option<String>,
) -> Result<Option<ReadSecrets>, InvalidSetting> {
    require!(
        !scopes.is_empty(),
        "read_scopes is empty; name \"metrics\", \"figures\" or both, and leave RBS_READ_SECRET out \
         where nobody is to have a secret for reading alone"
    );
    let read = secret::read("RBS_READ_SECRET", file, environment)?;
    Ok(read.map(|(secrets, _)| ReadSecrets {
        secrets,
        scopes: scopes.into_iter().collect(),
    }))
}

/// Checks that no secret for reading is good for more.
///
/// # Errors
/// One that is among the game servers' or the admins' too.
pub(super) fn check_apart(
    read: Option<&Secrets>,
    game: &Secrets,
    admin: Option<&Secrets>,
) -> Result<(), InvalidSetting> {
    for (others, setting) in [(Some(game), "RBS_SECRET"), (admin, "RBS_ADMIN_SECRET")] {
        require!(
            !read
                .zip(others)
                .is_some_and(|(read, others)| read.overlap(others)),
            "RBS_READ_SECRET and {setting} have a secret in common, which would be for more than \
             reading; give those who only read another (`openssl rand -hex 32` makes one)"
        );
    }
    Ok(())
}
