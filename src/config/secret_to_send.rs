use std::fmt;
use std::path::{Path, PathBuf};

use super::{Flags, InvalidSetting, SecretSource, layers, secret};

/// A secret as it is sent to the service. `Debug` shows nothing of it.
#[derive(Clone)]
pub struct SecretToSend {
    text: String,
    source: SecretSource,
}

impl SecretToSend {
    /// What is sent.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Where it was found.
    #[must_use]
    pub fn source(&self) -> &SecretSource {
        &self.source
    }

    /// The first secret in the file at `path`.
    ///
    /// # Errors
    /// A file that cannot be read, or that holds no secret.
    pub fn of_file(path: &Path) -> Result<Self, InvalidSetting> {
        let text = secret::read_file(path, first).map_err(InvalidSetting)?;
        let source = SecretSource::File(path.to_owned());
        Ok(Self { text, source })
    }

    /// The secret that the environment names, an admin's before a game server's; `None` where it
    /// names none.
    ///
    /// # Errors
    /// A variable or a file that holds no secret.
    pub fn of_environment(
        environment: impl Fn(&str) -> Option<String>,
    ) -> Result<Option<Self>, InvalidSetting> {
        Self::find([None, None], &environment)
    }

    /// The secret that the service of this configuration takes from admins: what is set, or the
    /// file that its first start made; `None` where there is neither.
    ///
    /// # Errors
    /// A setting that makes no sense; a file that cannot be read, or that holds no secret.
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

    /// The secret of admins or else of game servers, in the environment or in these `files`.
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

/// The first secret of a text.
fn first(text: &str) -> Result<String, &'static str> {
    let secrets = secret::split(text)?;
    // A text is split into one part at least.
    let first = secrets.first().map(|(_, secret)| (*secret).to_owned());
    Ok(first.unwrap_or_default())
}

impl fmt::Debug for SecretToSend {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "a secret of {:?}", self.source)
    }
}
