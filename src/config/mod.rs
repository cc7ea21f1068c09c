//! The settings: defaults, then the file, then the environment, then the command line; checked
//! once, at the start.

mod layers;
mod pools;
mod secret;

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::time::Duration;

use serde::Deserialize;

use crate::domain::{PoolName, ServerName};
use crate::store::DatabaseUrl;

pub use pools::PoolSettings;
pub use secret::{SecretSource, Secrets, make_secret_file};

/// Everything that can be set. `Debug` shows no secret.
#[derive(Clone, Debug)]
pub struct Settings {
    /// The configuration file that was read; `None` where the compiled-in defaults serve.
    pub configuration: Option<PathBuf>,
    /// Host and port to listen on.
    pub bind: String,
    /// The database.
    pub database: DatabaseUrl,
    /// The game servers' secrets, and where they came from; `None` where one must be made.
    pub secrets: Option<(Secrets, SecretSource)>,
    /// The admins' secrets; `None` where the game servers' serve.
    pub admin_secrets: Option<Secrets>,
    /// How long a request may take.
    pub request_timeout: Duration,
    /// Every pool; always has `default`.
    pub pools: BTreeMap<PoolName, PoolSettings>,
    /// The pool of each server that does not belong to `default`.
    pub servers: BTreeMap<ServerName, PoolName>,
}

/// Settings given on the command line.
#[derive(Clone, Debug, Default, clap::Args)]
pub struct Flags {
    /// Configuration file (TOML) [default: config/rbs.toml where it exists; env: RBS_CONFIG]
    #[arg(long, global = true, value_name = "FILE")]
    pub config: Option<PathBuf>,
    /// sqlite://FILE or postgres://… [default: sqlite://rbs.db; env: DATABASE_URL]
    #[arg(long, global = true, value_name = "URL", hide_default_value = true)]
    pub database_url: Option<String>,
    /// Host and port; only the commands that listen or connect take it.
    #[arg(skip)]
    pub bind: Option<String>,
}

/// A setting that makes no sense; its text names the setting and says what to do.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct InvalidSetting(String);

/// The shape of the configuration file.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Layered {
    bind: String,
    database_url: String,
    secret_file: Option<PathBuf>,
    admin_secret_file: Option<PathBuf>,
    request_timeout: u64,
    rating: pools::RatingSettings,
    #[serde(default)]
    pools: BTreeMap<String, pools::RatingSettings>,
    #[serde(default)]
    servers: BTreeMap<String, pools::ServerSettings>,
}

impl Settings {
    /// Reads the settings; `environment` looks up a variable.
    ///
    /// # Errors
    /// The first setting that makes no sense.
    pub fn load(
        flags: &Flags,
        environment: impl Fn(&str) -> Option<String>,
    ) -> Result<Self, InvalidSetting> {
        let (file, configuration) = layers::read(flags, &environment)?;
        let (pools, servers) = pools::check(&file.rating, &file.pools, &file.servers)?;
        let database = file
            .database_url
            .parse()
            .map_err(|error| InvalidSetting(format!("DATABASE_URL (database_url) {error}")))?;
        if !file
            .bind
            .rsplit_once(':')
            .is_some_and(|(host, port)| !host.is_empty() && port.parse::<u16>().is_ok())
        {
            return Err(InvalidSetting(format!(
                "RBS_BIND (bind) is \"{}\"; give a host and a port, such as 127.0.0.1:8080",
                file.bind
            )));
        }
        if !(1..=3600).contains(&file.request_timeout) {
            return Err(InvalidSetting(
                "request_timeout must be 1 to 3600 seconds".to_owned(),
            ));
        }
        let secrets = secret::read(
            ("RBS_SECRET", "RBS_SECRET_FILE"),
            file.secret_file,
            &environment,
        )?;
        let admin_secrets = secret::read(
            ("RBS_ADMIN_SECRET", "RBS_ADMIN_SECRET_FILE"),
            file.admin_secret_file,
            &environment,
        )?
        .map(|(secrets, _)| secrets);
        if let (Some((game, _)), Some(admin)) = (&secrets, &admin_secrets) {
            check_apart(game, admin)?;
        }
        Ok(Self {
            configuration,
            bind: file.bind,
            database,
            secrets,
            admin_secrets,
            request_timeout: Duration::from_secs(file.request_timeout),
            pools,
            servers,
        })
    }
}

/// Checks that no secret of the game servers opens what is for admins.
///
/// # Errors
/// A secret that both have.
pub fn check_apart(game: &Secrets, admin: &Secrets) -> Result<(), InvalidSetting> {
    if game.overlap(admin) {
        return Err(InvalidSetting(
            "RBS_SECRET and RBS_ADMIN_SECRET have a secret in common, which makes every game server \
             an admin; give admins another (`openssl rand -hex 32` makes one), or leave \
             RBS_ADMIN_SECRET out where all may do everything"
                .to_owned(),
        ));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rating::Parameters;

    fn load(toml: &str, environment: &[(&str, &str)]) -> Result<Settings, String> {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("rbs.toml");
        std::fs::write(&path, toml).unwrap();
        let flags = Flags {
            config: Some(path),
            ..Flags::default()
        };
        let look_up = |name: &str| {
            let found = environment.iter().find(|(key, _)| *key == name);
            found.map(|(_, value)| (*value).to_owned())
        };
        Settings::load(&flags, look_up).map_err(|error| error.to_string())
    }

    #[test]
    fn without_anything_the_defaults_are_the_contracts() {
        let settings = load("", &[]).unwrap();
        assert_eq!(settings.bind, "127.0.0.1:8080");
        assert_eq!(settings.database.to_string(), "sqlite://rbs.db");
        assert!(settings.secrets.is_none() && settings.admin_secrets.is_none());
        let default = &settings.pools[&PoolName::default()];
        assert_eq!(default.parameters, Parameters::default());
        assert_eq!(default.max_exact_pool, 32);
    }

    #[test]
    fn the_environment_wins_over_the_file() {
        let settings = load(
            "bind = \"0.0.0.0:1\"\ndatabase_url = \"sqlite://file.db\"",
            &[("RBS_BIND", "127.0.0.1:2"), ("RBS_SECRET", "12345,6.7")],
        )
        .unwrap();
        assert_eq!(settings.bind, "127.0.0.1:2");
        assert_eq!(settings.database.to_string(), "sqlite://file.db");
        let (secrets, _) = settings.secrets.unwrap();
        assert!(secrets.contain("12345") && secrets.contain("6.7"));
        assert!(!secrets.contain("12345,6.7") && !secrets.contain(""));
    }

    #[test]
    fn a_pool_takes_what_it_does_not_say_from_the_rest() {
        let settings = load(
            "[rating]\nk_max = 60.0\n[pools.arena]\nwindow = 20\n[pools.duel]\ntheta = 401.5\n\
             [servers.arena-1]\npool = \"arena\"\nmax_team_size = 9\n\
             [servers.arena-2]\npool = \"arena\"\nmax_team_size = 4\n\
             [servers.arena-3]\nmax_team_size = 1\n",
            &[],
        )
        .unwrap();
        let arena = &settings.pools[&"arena".parse().unwrap()].parameters;
        assert_eq!((arena.k_max, arena.window, arena.theta), (60.0, 20, 1200.0));
        assert_eq!(
            settings.pools[&"duel".parse().unwrap()].parameters.theta,
            401.5
        );
        assert_eq!(settings.pools[&PoolName::default()].parameters.theta, 400.0);
        assert_eq!(
            settings.servers[&"arena-1".parse().unwrap()].as_str(),
            "arena"
        );
    }

    #[test]
    fn what_makes_no_sense_is_named() {
        for (toml, variables, names) in [
            ("[rating]\nk_max = 1.0", vec![], "rating.k_max"),
            ("[rating]\nthetta = 1.0", vec![], "thetta"),
            ("[rating]\nsigma = \"wide\"", vec![], "rating.sigma"),
            (
                "[rating]\nmax_team_size = 0",
                vec![],
                "rating.max_team_size",
            ),
            (
                "[rating]\ninitial_rating = -1",
                vec![],
                "rating.initial_rating",
            ),
            (
                "[rating]\nmax_exact_pool = 65",
                vec![],
                "rating.max_exact_pool",
            ),
            ("[pools.arena]\nwindow = 0", vec![], "pools.arena.window"),
            ("[pools.\"a b\"]", vec![], "pools.a b"),
            ("[servers.x]\npool = \"nope\"", vec![], "servers.x.pool"),
            ("bind = 5", vec![], "bind"),
            ("bind = \"here\"", vec![], "RBS_BIND"),
            ("request_timeout = 0", vec![], "request_timeout"),
            ("not toml", vec![], "rbs.toml"),
            ("", vec![("DATABASE_URL", "mysql://x")], "DATABASE_URL"),
            ("", vec![("RBS_SECRET", "")], "RBS_SECRET"),
            ("", vec![("RBS_SECRET", "a,,b")], "RBS_SECRET"),
            ("", vec![("RBS_SECRET", "naïve")], "RBS_SECRET"),
            (
                "",
                vec![("RBS_SECRET", "a,b"), ("RBS_ADMIN_SECRET", "c,a")],
                "RBS_ADMIN_SECRET",
            ),
            (
                "[rating]\nweight_velocity = 0.0\nweight_win_rate = 0.0\nweight_volatility = 0.0",
                vec![],
                "rating.weight_volatility",
            ),
            ("[rating]\nk_max = 10001.0", vec![], "rating.k_max"),
            ("", vec![("RBS_ADMIN_SECRET", " ")], "RBS_ADMIN_SECRET"),
            (
                "",
                vec![("RBS_SECRET_FILE", "/nowhere/at/all")],
                "RBS_SECRET_FILE",
            ),
            (
                "",
                vec![("RBS_SECRET", "a"), ("RBS_SECRET_FILE", "b")],
                "RBS_SECRET_FILE",
            ),
            (
                "[rating]\ntheta = 9.0\nmax_team_size = 0",
                vec![],
                "rating.max_team_size",
            ),
            (
                "[rating]\nstale_days = 1000000000",
                vec![],
                "rating.stale_days",
            ),
        ] {
            let error = load(toml, &variables).unwrap_err();
            assert!(error.contains(names), "{toml} {variables:?}: {error}");
        }
    }

    #[test]
    fn what_is_wanted_is_said_in_words_and_not_in_types() {
        for (toml, says) in [
            (
                "[rating]\nsigma = \"wide\"",
                "rating.sigma: must be a number (",
            ),
            (
                "[rating]\nwindow = -1",
                "rating.window: must be a whole number from 0 to 4294967295 (",
            ),
            (
                "[rating]\nmin_rating = 0.5",
                "rating.min_rating: must be a whole number (",
            ),
            ("rating = 5", "rating: must be a table ("),
            ("pools = 5", "pools: must be a table ("),
            ("bind = 5", "bind: must be a text in quotes ("),
            (
                "[servers.s]\nplace = 1",
                "\"place\" is no setting; there are pool, max_team_size (",
            ),
        ] {
            let error = load(toml, &[]).unwrap_err();
            assert!(error.contains(says), "{toml}: {error}");
        }
    }

    #[test]
    fn no_secret_is_ever_printed() {
        let settings = load(
            "",
            &[("RBS_SECRET", "hunter2"), ("RBS_ADMIN_SECRET", "hunter3")],
        );
        let text = format!("{settings:?}");
        assert!(!text.contains("hunter"), "{text}");
        let error = load("", &[("RBS_SECRET", "hunter2 ,é")]).unwrap_err();
        assert!(!error.contains("hunter"), "{error}");
        let error = load(
            "",
            &[("DATABASE_URL", "postgres://rbs:hunter2@host:port/x")],
        )
        .unwrap_err();
        assert!(!error.contains("hunter"), "{error}");
        for file in [
            "database_url = \"postgres://rbs:hunter2@host/db",
            "bind = [\"hunter2\"]",
            "request_timeout = \"hunter2\"",
        ] {
            let error = load(file, &[]).unwrap_err();
            assert!(
                !error.contains("hunter") && error.contains("rbs.toml"),
                "{error}"
            );
        }
    }

    #[test]
    fn the_environments_secret_wins_over_the_files() {
        let secret = [("RBS_SECRET", "from-the-environment")];
        let settings = load("secret_file = \"/nowhere/at/all\"", &secret).unwrap();
        assert!(settings.secrets.unwrap().0.contain("from-the-environment"));
    }
}
