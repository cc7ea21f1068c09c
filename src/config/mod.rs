//! Settings from defaults, file, environment and command line, in ascending priority. They are checked at the start and
//! at each reload.

/// Returns an [`InvalidSetting`] with the given sentence from the calling function unless the given condition holds.
macro_rules! require {
    ($holds:expr, $($sentence:tt)+) => {
        let holds: bool = $holds;
        if !holds {
            return Err(InvalidSetting(format!($($sentence)+)));
        }
    };
}

mod balance;
mod catalogs;
mod effective;
mod game_servers;
mod layers;
mod leaderboard;
mod matchmaking;
mod overrides;
mod pools;
mod powers;
mod reading;
mod reload;
mod scoreboard;
mod season;
mod secret;
mod secret_to_send;
mod splits;
#[cfg(test)]
mod tests;

use std::collections::BTreeMap;
use std::ops::RangeInclusive;
use std::path::PathBuf;
use std::time::Duration;

use serde::Deserialize;

use layers::Layers;

use crate::domain::{PoolName, ServerName};
use crate::store::DatabaseUrl;

pub use balance::BalanceSettings;
pub use effective::{EffectiveSetting, Origin, effective_settings};
pub use game_servers::{BoundSecrets, RateLimit, UnknownServers, check_apart};
pub use leaderboard::LeaderboardSettings;
pub use matchmaking::MatchmakingSettings;
pub use overrides::{Override, Overrides};
pub(crate) use pools::WebhookEvent;
pub use pools::{PoolSettings, WebhookSettings, WebhookUrl};
pub use powers::PowerSettings;
pub use reading::{ReadScope, ReadSecrets};
pub use reload::{Reloaded, reload};
pub use scoreboard::ScoreboardSettings;
pub use season::SeasonSettings;
pub use secret::{Candidate, KnownSecret, SecretSource, Secrets, make_secret_file};
pub use secret_to_send::SecretToSend;
pub use splits::SplitSettings;

/// All settings of the service. `Debug` shows no secret.
#[derive(Clone, Debug)]
pub struct Settings {
    /// Path of the configuration file that was read; `None` if no file was found.
    pub configuration: Option<PathBuf>,
    /// Host and port to listen on.
    pub bind: String,
    /// Address of the database.
    pub database: DatabaseUrl,
    /// Secrets of all game servers, and their source; `None` if the service must generate a secret.
    pub secrets: Option<(Secrets, SecretSource)>,
    /// Admin secrets; `None` if the secrets of game servers also serve admins.
    pub admin_secrets: Option<Secrets>,
    /// `true` if admin secrets may have fewer than 16 characters.
    pub allow_short_admin_secrets: bool,
    /// Secrets that are valid only for some servers.
    pub bound_secrets: Vec<BoundSecrets>,
    /// Secrets that can only read metrics or figures of pools.
    pub read_secrets: Option<ReadSecrets>,
    /// Rate limit of each game server's secret; `None` for no limit.
    pub rate_limit: Option<RateLimit>,
    /// Maximum duration of a request, including the arrival of the body.
    pub request_timeout: Duration,
    /// Maximum memory for the tables of all concurrent split computations, in bytes.
    pub solver_memory: u64,
    /// `true` if `GET /metrics` needs no secret.
    pub metrics_public: bool,
    /// Folder with the database's backups, whose age the metrics report; `None` to report no age.
    pub backup_folder: Option<PathBuf>,
    /// Settings of every pool; always contains `default`.
    pub pools: BTreeMap<PoolName, PoolSettings>,
    /// Pool of every server that the configuration file names.
    pub servers: BTreeMap<ServerName, PoolName>,
    /// Treatment of requests from servers that the configuration file does not name.
    pub unknown_servers: UnknownServers,
    /// Period after the arrival of a round in which its game server may void the round; zero allows no void.
    pub void_own_within: Duration,
    /// Maximum age of a round from a game server, from its end to its arrival; zero allows any age.
    pub max_round_age: Duration,
}

/// Settings given as flags on the command line.
#[derive(Clone, Debug, Default, clap::Args)]
pub struct Flags {
    /// Configuration file (TOML) [env: RBS_CONFIG]
    ///
    /// The default is config/rbs.toml if this file exists, else /etc/rbs/rbs.toml.
    #[arg(long, value_name = "FILE", help_heading = "Settings")]
    pub config: Option<PathBuf>,
    /// sqlite://FILE or postgres://… [default: sqlite://rbs.db; env: DATABASE_URL]
    #[arg(long, value_name = "URL", help_heading = "Settings")]
    pub database_url: Option<String>,
    /// Host and port. Only commands that start a service, send requests to the address, or show settings have this
    /// flag.
    #[arg(skip)]
    pub bind: Option<String>,
}

/// Error of an invalid setting. The text names the setting and the correction.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct InvalidSetting(String);

/// Allowed values of the setting `solver_memory`, in MiB: from the needs of ordinary pools to a tebibyte.
const SOLVER_MEMORY_MIB: RangeInclusive<u64> = 16..=1 << 20;

/// Maximum of the setting `void_own_minutes`: one day, in minutes.
const MAX_VOID_MINUTES: u32 = 24 * 60;

/// Maximum of the setting `max_round_age_days`: ten years, in days.
const MAX_AGE_DAYS: u32 = 3650;

/// Settings merged from all sources, in the format of the configuration file.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Layered {
    bind: String,
    database_url: String,
    secret_file: Option<PathBuf>,
    admin_secret_file: Option<PathBuf>,
    allow_short_admin_secrets: bool,
    read_secret_file: Option<PathBuf>,
    read_scopes: Vec<ReadScope>,
    request_timeout: u64,
    solver_memory: u64,
    metrics_public: bool,
    backup_folder: Option<PathBuf>,
    unknown_servers: UnknownServers,
    void_own_minutes: u32,
    max_round_age_days: u32,
    requests_per_second: Option<f64>,
    burst: Option<u32>,
    #[serde(default)]
    game_servers: Vec<game_servers::GameServerSettings>,
    rating: pools::RatingSettings,
    balance: balance::BalanceTable,
    matchmaking: matchmaking::MatchmakingTable,
    #[serde(default)]
    powers: powers::PowersTable,
    leaderboard: leaderboard::LeaderboardTable,
    scoreboard: scoreboard::ScoreboardTable,
    season: season::SeasonTable,
    splits: splits::SplitsTable,
    webhook: pools::WebhookTable,
    #[serde(default)]
    pools: BTreeMap<String, pools::RatingSettings>,
    #[serde(default)]
    servers: BTreeMap<String, pools::ServerSettings>,
}

impl Layered {
    fn database(&self) -> Result<DatabaseUrl, InvalidSetting> {
        self.database_url
            .parse()
            .map_err(|error| InvalidSetting(format!("DATABASE_URL (database_url) {error}")))
    }
}

impl Settings {
    /// Reads and checks all settings of the service. The function `environment` looks up an environment variable.
    ///
    /// # Errors
    /// Returns an error about the first invalid setting.
    pub fn load(
        flags: &Flags,
        environment: impl Fn(&str) -> Option<String>,
    ) -> Result<Self, InvalidSetting> {
        let Layers { settings, file, .. } = layers::read(flags, &environment)?;
        Self::check(settings, file, &environment)
    }

    /// Checks the merged settings, and reads the secrets. `configuration` is the path of the configuration file.
    fn check(
        file: Layered,
        configuration: Option<PathBuf>,
        environment: &impl Fn(&str) -> Option<String>,
    ) -> Result<Self, InvalidSetting> {
        let (pools, mut servers) = pools::check(&file)?;
        let database = file.database()?;
        let place = file.bind.rsplit_once(':');
        require!(
            place.is_some_and(|(host, port)| !host.is_empty() && port.parse::<u16>().is_ok()),
            "RBS_BIND (bind) is \"{}\"; give a host and a port, such as 127.0.0.1:8080",
            file.bind
        );
        require!(
            (1..=3600).contains(&file.request_timeout),
            "request_timeout must be 1 to 3600 seconds"
        );
        require!(
            SOLVER_MEMORY_MIB.contains(&file.solver_memory),
            "solver_memory must be {} to {} (MiB)",
            SOLVER_MEMORY_MIB.start(),
            SOLVER_MEMORY_MIB.end()
        );
        require!(
            file.void_own_minutes <= MAX_VOID_MINUTES,
            "void_own_minutes must be 0 (game servers void no round) to {MAX_VOID_MINUTES}"
        );
        require!(
            file.max_round_age_days <= MAX_AGE_DAYS,
            "max_round_age_days must be 0 (rounds of any age are taken) to {MAX_AGE_DAYS}"
        );
        let secrets = secret::read("RBS_SECRET", file.secret_file, environment)?;
        let admin_secrets = secret::read("RBS_ADMIN_SECRET", file.admin_secret_file, environment)?
            .map(|(secrets, _)| secrets);
        let rate_limit = game_servers::check_rate("", file.requests_per_second, file.burst)?;
        let bound_secrets =
            game_servers::check(file.game_servers, &pools, &servers, rate_limit, environment)?;
        for server in bound_secrets.iter().flat_map(|bound| &bound.servers) {
            servers.entry(server.clone()).or_default();
        }
        let read_secrets = reading::check(file.read_secret_file, file.read_scopes, environment)?;
        if let Some((game, _)) = &secrets {
            let read = read_secrets.as_ref();
            check_apart(&bound_secrets, game, admin_secrets.as_ref(), read)?;
        }
        Ok(Self {
            configuration,
            bind: file.bind,
            database,
            secrets,
            admin_secrets,
            allow_short_admin_secrets: file.allow_short_admin_secrets,
            bound_secrets,
            read_secrets,
            rate_limit,
            request_timeout: Duration::from_secs(file.request_timeout),
            solver_memory: file.solver_memory << 20,
            metrics_public: file.metrics_public,
            backup_folder: file.backup_folder,
            pools,
            servers,
            unknown_servers: file.unknown_servers,
            void_own_within: Duration::from_secs(60 * u64::from(file.void_own_minutes)),
            max_round_age: Duration::from_hours(24 * u64::from(file.max_round_age_days)),
        })
    }

    /// Checks the length of the admin secrets, or of the game servers' secrets if no admin secrets are set.
    ///
    /// # Errors
    /// Returns an error if an admin secret has fewer than 16 characters and `allow_short_admin_secrets` is not set.
    pub fn check_admin_secrets(&self, game: &Secrets) -> Result<(), InvalidSetting> {
        let (admin, setting) = match &self.admin_secrets {
            Some(admin) => (admin, "RBS_ADMIN_SECRET"),
            None => (game, "RBS_SECRET"),
        };
        require!(
            self.allow_short_admin_secrets || !admin.are_short,
            "a secret of {setting} opens everything and has fewer than 16 characters, so that it can be guessed; take what \
             `openssl rand -hex 32` makes, or set allow_short_admin_secrets = true"
        );
        Ok(())
    }
}
