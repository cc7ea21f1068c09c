use std::fmt;
use std::path::{Path, PathBuf};
use std::str::FromStr;

use sqlx::postgres::PgConnectOptions;

const TARGET: &str = "target_session_attrs=";

/// Address of the database. `Debug` omits the password.
#[derive(Clone)]
pub enum DatabaseUrl {
    /// One or more PostgreSQL servers, of which one takes writes.
    Postgres(Vec<PgConnectOptions>),
    /// An SQLite database file.
    Sqlite {
        /// Path of the SQLite file. A relative path begins in the folder that the program was started in.
        path: PathBuf,
    },
}

/// Database address that RBS cannot use. The messages do not repeat the address, which may contain a password.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum InvalidDatabaseUrl {
    /// The scheme of the address is none of `sqlite`, `postgres` and `postgresql`.
    #[error("must begin with sqlite:// or postgres://")]
    Scheme,
    /// An SQLite address names no file.
    #[error(
        "must name a file, such as sqlite://rbs.db; a database in memory would lose every round"
    )]
    NoFile,
    /// An SQLite address has options (`?…`), which RBS sets itself.
    #[error("must be sqlite:// and a file's path, without a '?'; RBS sets SQLite's options itself")]
    Options,
    /// PostgreSQL's driver cannot parse the address.
    #[error(
        "must be postgres://user:password@host:port/database, or with several servers \
         postgres://user:password@host:port,host:port/database"
    )]
    Postgres,
    /// The option `target_session_attrs` asks for another server than the one that takes writes.
    #[error(
        "must leave target_session_attrs out or set it to read-write; RBS uses the server that accepts writes"
    )]
    Target,
}

impl DatabaseUrl {
    /// Returns the folder of the SQLite file. For PostgreSQL, returns an empty path: the working directory.
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
            return Ok(Self::Postgres(servers(text)?));
        }
        let rest = text
            .strip_prefix("sqlite:")
            .ok_or(InvalidDatabaseUrl::Scheme)?;
        let path = rest.strip_prefix("//").unwrap_or(rest);
        if path.contains('?') {
            return Err(InvalidDatabaseUrl::Options);
        }
        if path.is_empty() || path.contains(":memory:") || path.ends_with('/') {
            return Err(InvalidDatabaseUrl::NoFile);
        }
        Ok(Self::Sqlite { path: path.into() })
    }
}

/// Splits a PostgreSQL address with several hosts, separated by commas, into one address for each. The driver only
/// parses addresses with a single host.
fn servers(url: &str) -> Result<Vec<PgConnectOptions>, InvalidDatabaseUrl> {
    let (scheme, rest) = url.split_once("://").ok_or(InvalidDatabaseUrl::Scheme)?;
    let (place, behind) = rest.split_at(rest.find(['/', '?', '#']).unwrap_or(rest.len()));
    let (user, hosts) = place.split_at(place.rfind('@').map_or(0, |at| at + 1));
    let (path, query) = behind.split_once('?').unwrap_or((behind, ""));
    let mut kept = Vec::new();
    for parameter in query.split('&').filter(|parameter| !parameter.is_empty()) {
        match parameter.strip_prefix(TARGET) {
            None => kept.push(parameter),
            Some("read-write" | "primary") => {}
            Some(_) => return Err(InvalidDatabaseUrl::Target),
        }
    }
    let query = kept.join("&");
    let server = |host: &str| {
        let url = format!("{scheme}://{user}{host}{path}?{query}");
        url.parse().map_err(|_| InvalidDatabaseUrl::Postgres)
    };
    hosts.split(',').map(server).collect()
}

impl fmt::Display for DatabaseUrl {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Postgres(servers) => {
                // User, password and options are left out.
                let places: Vec<String> = servers
                    .iter()
                    .map(|server| format!("{}:{}", server.get_host(), server.get_port()))
                    .collect();
                let database = servers.first().and_then(PgConnectOptions::get_database);
                write!(
                    formatter,
                    "postgres://{}/{}",
                    places.join(","),
                    database.unwrap_or_default()
                )
            }
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
    fn a_file_and_a_server_are_distinguished() {
        let file: DatabaseUrl = "sqlite://data/rbs.db".parse().unwrap();
        assert_eq!(file.folder(), Path::new("data"));
        let server: DatabaseUrl = "postgres://rbs:hunter2@db:5433/ratings".parse().unwrap();
        assert_eq!(format!("{server:?}"), "postgres://db:5433/ratings");
    }

    #[test]
    fn several_servers_share_user_database_and_options() {
        let url = "postgres://rbs:a%2Cb@one:5433,two,%2Ftmp%2Fpg:5434/ratings\
                   ?target_session_attrs=read-write&options=-cwork_mem%3D8MB";
        let several: DatabaseUrl = url.parse().unwrap();
        let DatabaseUrl::Postgres(servers) = &several else {
            panic!("{several} is PostgreSQL");
        };
        let ports: Vec<u16> = servers.iter().map(PgConnectOptions::get_port).collect();
        assert_eq!(ports, [5433, 5432, 5434]);
        assert_eq!(servers[1].get_host(), "two");
        assert_eq!(servers[2].get_socket(), Some(&PathBuf::from("/tmp/pg")));
        for server in servers {
            assert_eq!(server.get_username(), "rbs");
            assert_eq!(server.get_database(), Some("ratings"));
            assert_eq!(server.get_options(), Some("-cwork_mem=8MB"));
        }
        let shown = several.to_string();
        assert!(
            shown.starts_with("postgres://one:5433,two:5432,"),
            "{shown}"
        );
        assert!(!shown.contains("a,b") && !shown.contains("a%2C"), "{shown}");
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
            ("postgres://one:1,two:x/db", InvalidDatabaseUrl::Postgres),
            (
                "postgres://one,two/db?target_session_attrs=standby",
                InvalidDatabaseUrl::Target,
            ),
        ] {
            assert_eq!(text.parse::<DatabaseUrl>().unwrap_err(), problem, "{text}");
        }
    }
}
