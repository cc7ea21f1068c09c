use std::fmt;

use serde::{Deserialize, Serialize};
use serde_json::Value;
use utoipa::{IntoParams, ToSchema};

use super::quality::whole_where_possible;
use crate::domain::{Fingerprint, PoolName, Rating, SecretName, ServerName, Timestamp};

/// `GET /v1/admin/settings`: what one instance runs with.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct SettingsAnswer {
    /// The version of the service.
    pub version: String,
    /// When the settings in force were read: at the start, or by the last reload that succeeded.
    pub loaded_at: Timestamp,
    /// Every setting in force, by name; of secrets how many there are.
    pub settings: Vec<SettingAnswer>,
    /// The settings that the last reload found changed and that a restart applies, by name.
    pub restart: Vec<String>,
    /// The secrets that are accepted: the admins', the game servers', those bound to servers, those that only read.
    pub secrets: Vec<SecretAnswer>,
    /// The pools, by name.
    pub pools: Vec<PoolSettingsAnswer>,
}

/// A setting in force.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct SettingAnswer {
    /// Its name in the configuration file, such as `rating.window`.
    pub setting: String,
    /// Its value; `null` where nothing is set.
    pub value: Value,
    /// Where the value comes from.
    pub from: SettingOrigin,
    /// Its variable, file or flag, or what it follows from; `null` of a plain default.
    pub place: Option<String>,
}

/// Where a setting comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum SettingOrigin {
    /// It is not set.
    Default,
    /// It follows from other settings.
    Computed,
    /// The configuration file.
    File,
    /// An environment variable.
    Environment,
    /// The command line.
    CommandLine,
}

/// In words.
impl fmt::Display for SettingOrigin {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Self::Default => "default",
            Self::Computed => "computed",
            Self::File => "file",
            Self::Environment => "environment",
            Self::CommandLine => "command line",
        })
    }
}

/// A secret that is accepted, and whether it is still used.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct SecretAnswer {
    /// What it is known by.
    pub fingerprint: Fingerprint,
    /// Its name; `null` where it has none.
    pub name: Option<SecretName>,
    /// What it is for.
    pub kind: SecretKind,
    /// When this instance last received a request with it, refused or not; `null` where that was not since its start.
    pub last_used: Option<Timestamp>,
    /// How many requests with it this instance has received since its start.
    pub requests: u64,
}

/// What a secret is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum SecretKind {
    /// Everything.
    Admin,
    /// All game servers; where no admin secret is set, everything.
    Game,
    /// Some game servers.
    Bound,
    /// Reading metrics or figures.
    Read,
}

impl fmt::Display for SecretKind {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.pad(match self {
            Self::Admin => "admin",
            Self::Game => "game",
            Self::Bound => "bound",
            Self::Read => "read",
        })
    }
}

/// What a pool is rated by, and was.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct PoolSettingsAnswer {
    /// The pool.
    pub pool: PoolName,
    /// The model that it is rated by, such as `synelo`.
    pub model: String,
    /// The constants of its ratings in force, by their names under `[rating]`; one that is off may be missing.
    pub parameters: Value,
    /// Since when which constants counted, the latest first, at most 50.
    pub history: Vec<SettingsPeriodAnswer>,
    /// Whether there are earlier ones than those listed.
    pub has_earlier: bool,
}

/// A stretch of a pool's rounds that were rated by the same constants.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct SettingsPeriodAnswer {
    /// When the first of these rounds ended; `null` where earlier ones are pruned, so that nothing has it any more.
    pub began_at: Option<Timestamp>,
    /// The place of the first of them in the pool's log, from 1.
    pub position: u64,
    /// What differs from the constants before; empty of the first stretch.
    pub changes: Vec<ParameterChangeAnswer>,
}

/// A constant that was changed.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct ParameterChangeAnswer {
    /// Its name under `[rating]`.
    pub parameter: String,
    /// What it was; `null` where it was off.
    pub before: Value,
    /// What it became; `null` where it was turned off.
    pub after: Value,
}

/// `POST /v1/admin/reload`: what reading the settings again has changed.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct ReloadAnswer {
    /// The settings that changed and hold from now on, by name.
    pub taken: Vec<String>,
    /// Those that changed and hold from the next start on, by name.
    pub restart: Vec<String>,
    /// The secrets that are accepted from now on and were not.
    pub secrets_added: Vec<ReloadedSecretAnswer>,
    /// Those that were accepted and are not any more; log-ins by them have ended.
    pub secrets_removed: Vec<ReloadedSecretAnswer>,
}

/// A secret that a reload has added or removed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct ReloadedSecretAnswer {
    /// What it is known by.
    pub fingerprint: Fingerprint,
    /// Its name; `null` where it has none.
    pub name: Option<SecretName>,
    /// What it is for.
    pub kind: SecretKind,
}

impl From<&SecretAnswer> for ReloadedSecretAnswer {
    fn from(secret: &SecretAnswer) -> Self {
        Self {
            fingerprint: secret.fingerprint,
            name: secret.name.clone(),
            kind: secret.kind,
        }
    }
}

/// `GET /v1/admin/diagnostics`: what a bug report should have.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct DiagnosticsAnswer {
    /// Lines to paste, without secrets; look through them first.
    pub text: String,
}

/// The query of what concerns one pool.
#[derive(Clone, Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct PoolQuery {
    /// The pool; `default` where it is left out.
    pub pool: Option<PoolName>,
}

/// `GET /v1/admin/pools`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct PoolsAnswer {
    /// The configured pools, by name.
    pub pools: Vec<PoolAnswer>,
    /// The version of the service.
    pub version: String,
}

/// A configured pool.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct PoolAnswer {
    /// Its name.
    pub pool: PoolName,
    /// The model that it is rated by, such as `synelo`.
    pub model: String,
    /// Θ, the logistic scale of the predictions, now, a whole number where it is one.
    #[serde(serialize_with = "whole_where_possible")]
    pub theta: f64,
    /// Rated rounds.
    pub rounds: u64,
    /// W.
    pub window: u32,
    /// A new player's rating.
    pub initial_rating: Rating,
    /// Nobody falls below.
    pub min_rating: Rating,
    /// Rounds before a rating is shown.
    pub shadow_rounds: u32,
    /// Days without a round after which a player is stale.
    pub stale_days: u32,
    /// The servers that are configured to be in it, by name.
    pub servers: Vec<ServerName>,
    /// Whether its leaderboard is shown to everybody.
    pub leaderboard_public: bool,
    /// Whether a page of each player is shown to everybody.
    pub player_pages_public: bool,
}

/// `GET /v1/admin/activity`.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub struct ActivityAnswer {
    /// The pool asked for.
    pub pool: PoolName,
    /// When the first hour begins.
    pub from: Timestamp,
    /// How many hours.
    pub hours: u32,
    /// The twelve servers with the most rounds, by name.
    pub servers: Vec<ServerActivityAnswer>,
    /// The rounds of all others in each hour, the oldest first.
    pub others: Vec<u64>,
    /// All rounds in each hour.
    pub total: Vec<u64>,
}

/// The rounds of one server.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub struct ServerActivityAnswer {
    /// Which.
    pub server: ServerName,
    /// In each hour, the oldest first.
    pub rounds: Vec<u64>,
}
