use serde::{Deserialize, Serialize};
use serde_json::Value;
use utoipa::{IntoParams, ToSchema};

use super::quality::whole_where_possible;
use crate::domain::{Fingerprint, PoolName, Rating, SecretName, ServerName, Timestamp};
use crate::rating::VerdictWord;

/// Answer of `GET /v1/admin/settings`: settings of one instance.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct SettingsAnswer {
    /// Version of the service.
    pub version: String,
    /// Time at which the settings in force were read: at the start, or by the last successful reload.
    pub loaded_at: Timestamp,
    /// Settings in force, ordered by name. The value of a list of secrets is the number of secrets.
    pub settings: Vec<SettingAnswer>,
    /// Names of the settings that were changed before the last reload and take effect after a restart.
    pub restart: Vec<String>,
    /// Accepted secrets, in the order of `kind`: admin, game, bound, read.
    pub secrets: Vec<SecretAnswer>,
    /// Configured pools, ordered by name.
    pub pools: Vec<PoolSettingsAnswer>,
}

/// A setting in force, with its value and source.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct SettingAnswer {
    /// Name of the setting in the configuration file, such as `rating.window`.
    pub setting: String,
    /// Value of the setting; `null` if unset.
    pub value: Value,
    /// Source of the setting's value, such as the configuration file.
    pub from: SettingOrigin,
    /// Environment variable, file, flag or other settings that the setting's value comes from; `null` for a default.
    pub place: Option<String>,
}

/// Source of a setting's value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema, strum::Display)]
#[serde(rename_all = "snake_case")]
#[strum(serialize_all = "snake_case")]
pub enum SettingOrigin {
    /// Built-in default value of the setting, because no other source sets the value.
    Default,
    /// Computation of the setting's value by the program, from the values of other settings.
    Computed,
    /// Configuration file that sets the setting's value.
    File,
    /// Environment variable that sets the setting's value.
    Environment,
    /// Command line flag that sets the setting's value.
    #[strum(to_string = "command line")]
    CommandLine,
}

/// An accepted secret, and its use.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct SecretAnswer {
    /// Fingerprint (eight characters) of the accepted secret.
    pub fingerprint: Fingerprint,
    /// Name of the accepted secret; `null` if the secret has none.
    pub name: Option<SecretName>,
    /// Kind of the secret, which decides its permissions.
    pub kind: SecretKind,
    /// Time of the last request to this instance with the secret, refused or not; `null` if there was
    /// none since the start of the instance.
    pub last_used: Option<Timestamp>,
    /// Number of requests to this instance with the secret, since the start of the instance.
    pub requests: u64,
}

/// Kind of a secret, which decides its permissions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema, strum::Display)]
#[serde(rename_all = "snake_case")]
#[strum(serialize_all = "snake_case")]
pub enum SecretKind {
    /// Admin secret, for every endpoint of the API.
    Admin,
    /// Secret for endpoints of game servers, as any server. For every endpoint if no admin secret is configured.
    Game,
    /// Secret for endpoints of game servers, as certain servers only.
    Bound,
    /// Secret that can only read metrics or figures of pools.
    Read,
}

/// Rating model and constants of a pool, now and in the past.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct PoolSettingsAnswer {
    /// Name of the pool.
    pub pool: PoolName,
    /// Name of the model that rates the pool, such as `synelo`.
    pub model: String,
    /// Constants of the rating system in force, by their names under `[rating]`. Constants that are off may be missing.
    pub parameters: Value,
    /// Periods in which the pool's rounds were rated with the same constants, the latest first, at most 50.
    pub history: Vec<SettingsPeriodAnswer>,
    /// `true` if `history` leaves out earlier periods, in which other rating constants applied.
    pub has_earlier: bool,
}

/// A period in which a pool's rounds were rated with the same constants.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct SettingsPeriodAnswer {
    /// End of the period's first round; `null` if earlier rounds are pruned, so that the start is unknown.
    pub began_at: Option<Timestamp>,
    /// Position of the period's first round in the pool's log, from 1.
    pub position: u64,
    /// Rating constants whose values changed at the start of the period; empty for the pool's first period.
    pub changes: Vec<ParameterChangeAnswer>,
}

/// A constant of the rating system whose value changed.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct ParameterChangeAnswer {
    /// Name of the rating constant, as under `[rating]` of the configuration.
    pub parameter: String,
    /// Value of the rating constant before the change; `null` if the constant was off.
    pub before: Value,
    /// Value of the rating constant after the change; `null` if the constant was turned off.
    pub after: Value,
}

/// Answer of `POST /v1/admin/reload`: the changed settings.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct ReloadAnswer {
    /// Names of the changed settings that took effect with the reload, sorted.
    pub taken: Vec<String>,
    /// Names of the changed settings that take effect after a restart, sorted.
    pub restart: Vec<String>,
    /// Secrets that the service accepts since the reload.
    pub secrets_added: Vec<ReloadedSecretAnswer>,
    /// Secrets that the service does not accept any more. Dashboard sessions with these secrets have ended.
    pub secrets_removed: Vec<ReloadedSecretAnswer>,
}

/// A secret that a reload added or removed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct ReloadedSecretAnswer {
    /// Fingerprint (eight characters) of the secret that the reload added or removed.
    pub fingerprint: Fingerprint,
    /// Name of the secret that the reload added or removed; `null` if the secret has none.
    pub name: Option<SecretName>,
    /// Kind of the secret, which decides its permissions.
    pub kind: SecretKind,
}

/// Answer of `GET /v1/admin/diagnostics`: facts for a bug report.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct DiagnosticsAnswer {
    /// Text to paste into a bug report. Contains no secrets, but review the text before publishing.
    pub text: String,
}

/// Query of endpoints about one pool.
#[derive(Clone, Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct PoolQuery {
    /// Name of the pool that the request is about. Default: `default`.
    pub pool: Option<PoolName>,
}

/// Answer of `GET /v1/admin/pools`: the configured pools.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct PoolsAnswer {
    /// Configured pools, ordered by name.
    pub pools: Vec<PoolAnswer>,
    /// Version of the service.
    pub version: String,
}

/// A configured pool and its main settings.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct PoolAnswer {
    /// Name of the pool.
    pub pool: PoolName,
    /// Name of the model that rates the pool, such as `synelo`.
    pub model: String,
    /// Θ, the current logistic scale of the predictions, in points. Whole values are written without a fraction.
    #[serde(serialize_with = "whole_where_possible")]
    pub theta: f64,
    /// Number of rated rounds of the pool.
    pub rounds: u64,
    /// W: number of latest rounds of a player, or of the pool, from which K-factors and quality figures are computed.
    pub window: u32,
    /// Rating of the pool's new players, in points.
    pub initial_rating: Rating,
    /// Lowest possible rating of the pool, in points; without effect under the model `adaptive`.
    pub min_rating: Rating,
    /// Number of rated rounds before a player's rating is shown.
    pub shadow_rounds: u32,
    /// Number of days without a round after which a player is stale and has no rank.
    pub stale_days: u32,
    /// Names of the servers that are configured for the pool, sorted.
    pub servers: Vec<ServerName>,
    /// `true` if the pool's leaderboard page is public.
    pub leaderboard_public: bool,
    /// `true` if the pages of the pool's players are public.
    pub player_pages_public: bool,
    /// Figures of the pool at a glance; `null` while the service is still reading rounds, such as after its start.
    pub summary: Option<PoolSummaryAnswer>,
}

/// Figures of a pool at a glance, to compare pools.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct PoolSummaryAnswer {
    /// Verdict about the calibration of the pool's predictions, as a word such as `too_bold`.
    pub verdict: VerdictWord,
    /// Verdict about the calibration of the pool's predictions, as a short sentence.
    pub message: String,
    /// Number of the pool's counted rounds in the current hour and the 23 hours before.
    pub rounds_24_hours: u64,
    /// Number of players of the pool, with hidden and stale ones.
    pub players: u64,
    /// Number of the pool's servers that need attention, or whose results depart from the predictions.
    pub servers_in_need: u64,
}

/// Answer of `GET /v1/admin/activity`: rounds per hour and server.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub struct ActivityAnswer {
    /// Name of the requested pool.
    pub pool: PoolName,
    /// Start of the first hour in the lists of rounds per hour.
    pub from: Timestamp,
    /// Number of hours in each list of rounds per hour, including the current hour.
    pub hours: u32,
    /// Rounds per hour of the twelve servers with the most rounds, ordered by name.
    pub servers: Vec<ServerActivityAnswer>,
    /// Number of rounds in each hour on all servers that `servers` leaves out, the oldest hour first.
    pub others: Vec<u64>,
    /// Number of rounds of all servers in each hour, the oldest hour first.
    pub total: Vec<u64>,
}

/// Rounds per hour of one server.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub struct ServerActivityAnswer {
    /// Name of the server.
    pub server: ServerName,
    /// Number of the server's rounds in each hour, the oldest hour first.
    pub rounds: Vec<u64>,
}
