use std::fmt;
use std::fs;
use std::path::Path;

use super::{Flags, InvalidSetting, SecretSource, layers, secret};
use crate::store::DatabaseUrl;

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
        let text = fs::read_to_string(path).map_err(|error| {
            InvalidSetting(format!("{} cannot be read: {error}", path.display()))
        })?;
        let source = SecretSource::File(path.to_owned());
        Self::first(&text, source)
            .map_err(|problem| InvalidSetting(format!("{} {problem}", path.display())))
    }

    /// The secret that the environment names, an admin's before a game server's; `None` where it
    /// names none.
    ///
    /// # Errors
    /// A variable or a file that holds no secret.
    pub fn of_environment(
        environment: impl Fn(&str) -> Option<String>,
    ) -> Result<Option<Self>, InvalidSetting> {
        for (variable, file_variable) in [
            ("RBS_ADMIN_SECRET", "RBS_ADMIN_SECRET_FILE"),
            ("RBS_SECRET", "RBS_SECRET_FILE"),
        ] {
            if let Some(text) = environment(variable) {
                return Self::first(&text, SecretSource::Variable(variable))
                    .map(Some)
                    .map_err(|problem| InvalidSetting(format!("{variable} {problem}")));
            }
            if let Some(path) = environment(file_variable) {
                return Self::of_file(Path::new(&path))
                    .map(Some)
                    .map_err(|problem| InvalidSetting(format!("{file_variable}: {problem}")));
            }
        }
        Ok(None)
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
        let is_set = |variable| environment(variable).is_some();
        let has_admin = is_set("RBS_ADMIN_SECRET") || is_set("RBS_ADMIN_SECRET_FILE");
        let has_game = is_set("RBS_SECRET") || is_set("RBS_SECRET_FILE");
        match (settings.admin_secret_file, settings.secret_file) {
            (Some(path), _) if !has_admin => Self::of_file(&path).map(Some),
            (_, Some(path)) if !has_admin && !has_game => Self::of_file(&path).map(Some),
            _ if has_admin || has_game => Self::of_environment(environment),
            _ => {
                let database: DatabaseUrl = settings.database_url.parse().map_err(|error| {
                    InvalidSetting(format!("DATABASE_URL (database_url) {error}"))
                })?;
                let made = secret::made_file(database.folder());
                made.exists().then(|| Self::of_file(&made)).transpose()
            }
        }
    }

    fn first(text: &str, source: SecretSource) -> Result<Self, &'static str> {
        let secrets = secret::split(text)?;
        // A text is split into one part at least.
        let text = secrets.first().copied().unwrap_or_default().to_owned();
        Ok(Self { text, source })
    }
}

impl fmt::Debug for SecretToSend {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "a secret of {:?}", self.source)
    }
}
