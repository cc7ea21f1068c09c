use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use super::quality::whole_where_possible;
use crate::domain::{PoolName, Rating, ServerName, Timestamp};

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
