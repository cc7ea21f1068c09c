use std::fmt;
use std::path::{Path, PathBuf};

use super::{Flags, InvalidSetting, SecretSource, layers, secret};

/// A secret in clear text, for commands that send requests to the service. `Debug` hides the text.
#[derive(Clone)]
pub struct SecretToSend {
    pub(crate) text: String,
    /// Variable or file in which the secret was found.
    pub(crate) source: SecretSource,
}

impl SecretToSend {
    /// Reads the first secret in the file at `path`.
    ///
    /// # Errors
    /// Returns an error if the file cannot be read, or holds no valid secret.
    pub fn of_file(path: &Path) -> Result<Self, InvalidSetting> {
        let text = secret::read_file(path, first).map_err(InvalidSetting)?;
        let source = SecretSource::File(path.to_owned());
        Ok(Self { text, source })
    }

    /// Reads an admin's secret, else a game server's, from the environment. `None` if the environment names no secret.
    ///
    /// # Errors
    /// Returns an error if a variable or its file holds no valid secret.
    pub fn of_environment(
        environment: impl Fn(&str) -> Option<String>,
    ) -> Result<Option<Self>, InvalidSetting> {
        Self::find([None, None], &environment)
    }

    /// Reads the secret that the service with this configuration accepts from admins: the configured one, else the one
    /// that the service generated at its first start. `None` if neither exists.
    ///
    /// # Errors
    /// Returns an error if a setting is invalid, or if a file cannot be read or holds no valid secret.
    pub fn of_configuration(
        flags: &Flags,
        environment: impl Fn(&str) -> Option<String>,
    ) -> Result<Option<Self>, InvalidSetting> {
        let settings = layers::read(flags, &environment)?.settings;
        let made = secret::made_file(settings.database()?.folder());
        let files = [settings.admin_secret_file, settings.secret_file];
        match Self::find(files, &environment)? {
            None if made.exists() => Self::of_file(&made).map(Some),
            found => Ok(found),
        }
    }

    /// Finds an admin's secret, else a game server's, in the environment or in the given files.
    fn find(
        [admin, game]: [Option<PathBuf>; 2],
        environment: &impl Fn(&str) -> Option<String>,
    ) -> Result<Option<Self>, InvalidSetting> {
        let mut found = secret::find("RBS_ADMIN_SECRET", admin, environment, first)?;
        if found.is_none() {
            found = secret::find("RBS_SECRET", game, environment, first)?;
        }
        Ok(found.map(|(text, source)| Self { text, source }))
    }
}

fn first(text: &str) -> Result<String, &'static str> {
    let secrets = secret::split(text)?;
    // `split` returns at least one secret.
    let first = secrets.first().map(|(_, secret)| (*secret).to_owned());
    Ok(first.unwrap_or_default())
}

impl fmt::Debug for SecretToSend {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "a secret of {:?}", self.source)
    }
}
