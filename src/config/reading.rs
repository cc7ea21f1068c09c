use std::collections::BTreeSet;
use std::path::PathBuf;

use serde::Deserialize;

use super::InvalidSetting;
use super::secret;
use super::secret::Secrets;

/// Secrets for reading: they open some endpoints and can change nothing.
#[derive(Clone, Debug)]
pub struct ReadSecrets {
    /// Secrets accepted on read-only endpoints; a request needs any one of them.
    pub secrets: Secrets,
    /// Groups of endpoints that the secrets for reading give access to.
    pub scopes: BTreeSet<ReadScope>,
}

/// A group of endpoints that secrets for reading can give access to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ReadScope {
    /// Endpoint of the metrics, for Prometheus.
    Metrics,
    /// Endpoints with figures of whole pools, for external dashboards.
    Figures,
}

/// Reads the secrets for reading from the environment or from `file`; `None` if none is set.
pub(super) fn check(
    file: Option<PathBuf>,
    scopes: Vec<ReadScope>,
    environment: &impl Fn(&str) -> Option<String>,
) -> Result<Option<ReadSecrets>, InvalidSetting> {
    require!(
        !scopes.is_empty(),
        "read_scopes is empty; name \"metrics\", \"figures\" or both, or leave RBS_READ_SECRET \
         out if nobody needs a read-only secret"
    );
    let read = secret::read("RBS_READ_SECRET", file, environment)?;
    Ok(read.map(|(secrets, _)| ReadSecrets {
        secrets,
        scopes: scopes.into_iter().collect(),
    }))
}

/// Checks that no secret for reading is also a secret of game servers or admins.
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
            "RBS_READ_SECRET and {setting} have a secret in common, which would then allow \
             more than reading; choose another read-only secret (`openssl rand -hex 32` makes one)"
        );
    }
    Ok(())
}
