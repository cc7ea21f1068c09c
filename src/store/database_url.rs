use std::fmt;
use std::path::{Path, PathBuf};
use std::str::FromStr;

use sqlx::postgres::PgConnectOptions;

/// Where the database is. `Debug` shows no password.
#[derive(Clone)]
pub enum DatabaseUrl {
    /// A PostgreSQL server.
    Postgres(Box<PgConnectOptions>),
    /// A file.
    Sqlite {
        /// The file, relative to the folder that the program was started in.
        path: PathBuf,
    },
}

/// A database address that RBS cannot use. It does not repeat the address, which may hold a
/// password.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum InvalidDatabaseUrl {
    /// Neither engine's scheme.
    #[error("must begin with sqlite:// or postgres://")]
    Scheme,
    /// SQLite without a file.
    #[error(
        "must name a file, such as sqlite://rbs.db; a database in memory would lose every round"
    )]
    NoFile,
    /// SQLite with `?…`, of which RBS decides everything itself.
    #[error("must be sqlite:// and a file's path, without a '?'; RBS sets SQLite's options itself")]
    Options,
    /// PostgreSQL's driver does not understand the rest.
    #[error("must be postgres://user:password@host:port/database")]
    Postgres,
}

impl DatabaseUrl {
    /// The folder that an SQLite file lies in; for a server the folder of the program's start.
    #[must_use]
    pub fn folder(&self) -> &Path {
        match self {
            Self::Postgres(_) => Path::new(""),
            Self::Sqlite { path } => path.parent().unwrap_or(Path::new("")),
        }
    }
}

impl FromStr for DatabaseUrl {
    type Err = InvalidDatabaseUrl;

    fn from_str(text: &str) -> Result<Self, InvalidDatabaseUrl> {
        if text.starts_with("postgres://") || text.starts_with("postgresql://") {
            let options = text.parse().map_err(|_| InvalidDatabaseUrl::Postgres)?;
            return Ok(Self::Postgres(Box::new(options)));
        }
        let path = text
            .strip_prefix("sqlite:")
            .ok_or(InvalidDatabaseUrl::Scheme)?;
        let path = path.strip_prefix("//").unwrap_or(path);
        if path.contains('?') {
            return Err(InvalidDatabaseUrl::Options);
        }
        if path.is_empty() || path.contains(":memory:") || path.ends_with('/') {
            return Err(InvalidDatabaseUrl::NoFile);
        }
        Ok(Self::Sqlite { path: path.into() })
    }
}

impl fmt::Display for DatabaseUrl {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Postgres(options) => write!(
                formatter,
                "postgres://{}:{}/{}",
                options.get_host(),
                options.get_port(),
                options.get_database().unwrap_or_default()
            ),
            Self::Sqlite { path } => write!(formatter, "sqlite://{}", path.display()),
        }
    }
}

impl fmt::Debug for DatabaseUrl {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, formatter)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_and_a_server_are_told_apart() {
        let file: DatabaseUrl = "sqlite://data/rbs.db".parse().unwrap();
        assert_eq!(file.folder(), Path::new("data"));
        let server: DatabaseUrl = "postgres://rbs:hunter2@db:5433/ratings".parse().unwrap();
        assert_eq!(format!("{server:?}"), "postgres://db:5433/ratings");
    }

    #[test]
    fn what_would_lose_rounds_or_is_no_address_is_refused() {
        for (text, problem) in [
            ("sqlite::memory:", InvalidDatabaseUrl::NoFile),
            ("sqlite://", InvalidDatabaseUrl::NoFile),
            ("sqlite://rbs.db?mode=memory", InvalidDatabaseUrl::Options),
            ("mysql://root@localhost/rbs", InvalidDatabaseUrl::Scheme),
            ("rbs.db", InvalidDatabaseUrl::Scheme),
            ("postgres://host:port/", InvalidDatabaseUrl::Postgres),
        ] {
            assert_eq!(text.parse::<DatabaseUrl>().unwrap_err(), problem, "{text}");
        }
    }
}
