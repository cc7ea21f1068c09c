use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use super::check::Problems;
use super::lobby::{LobbyPlayer, sent_names};
use super::pagination::Count;
use super::schema::AnyLobbyPlayer;
use super::splits::check::check_players;

use super::ReasonText;
use crate::domain::{
    ChangeId, FieldProblem, MapName, PlayerDisplayName, PlayerId, PoolName, Probability, Rating,
    RoundId, SentName, ServerName, Side, Timestamp, Winner,
};

/// The query of `GET /v1/players/{id}`.
#[derive(Clone, Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct PlayerQuery {
    /// The server whose pool is meant.
    pub server: Option<ServerName>,
    /// The pool; the server's, or `default`, where it is left out.
    pub pool: Option<PoolName>,
}

/// The query of `GET /v1/admin/players/{id}/history`.
#[derive(Clone, Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct PlayerHistoryQuery {
    /// The pool; `default` where it is left out.
    pub pool: Option<PoolName>,
    /// The number of a season, of which alone the ratings are; all where it is left out.
    #[param(value_type = Option<u32>)]
    pub season: Option<Count<0, 4_294_967_295, 0>>,
    /// How many points at most, what is no round aside; 500 where it is left out.
    #[serde(default)]
    #[param(inline)]
    pub points: Count<2, 2000, 500>,
}

/// `GET /v1/players/{id}`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct PlayerAnswer {
    /// Who.
    pub id: PlayerId,
    /// What people read in place of the id; `null` where no name is known.
    #[serde(default)]
    pub name: Option<PlayerDisplayName>,
    /// The pool asked for.
    pub pool: PoolName,
    /// The rating now.
    pub rating: Rating,
    /// The standard deviation of the rating, in points, where the pool's model knows it.
    #[serde(default)]
    pub uncertainty: Option<f64>,
    /// Whether it is shown: the shadow period is over.
    pub visible: bool,
    /// Rated rounds.
    pub rounds: u32,
    /// How many more rounds of the season it takes until the player is placed; 0 where it is so, and where no season
    /// has started.
    #[serde(default)]
    pub placing_rounds: u32,
    /// Whether the last of them was too long ago.
    pub stale: bool,
    /// When the last of them ended.
    pub last_played: Option<Timestamp>,
}

/// `POST /v1/players`: who some players are, all at once.
#[derive(Clone, Debug, PartialEq, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct PlayersRequest {
    /// The server.
    pub server: ServerName,
    /// The pool whose ratings are answered; the server's, where it is left out.
    pub pool: Option<PoolName>,
    /// The players, 0 to 128, each once; of objects only ids and names count.
    #[schema(value_type = Vec<AnyLobbyPlayer>, max_items = 128)]
    pub players: Vec<LobbyPlayer>,
}

impl PlayersRequest {
    /// Who is asked about, in the order sent.
    #[must_use]
    pub fn player_ids(&self) -> Vec<PlayerId> {
        self.players.iter().map(|player| player.id).collect()
    }

    /// What they are called.
    #[must_use]
    pub fn names(&self) -> Vec<SentName> {
        sent_names(&self.players)
    }

    /// This request, if its list makes sense.
    ///
    /// # Errors
    /// Too many players, and everybody who is among them twice.
    pub fn checked(self) -> Result<Self, Vec<FieldProblem>> {
        let mut problems = Problems::default();
        check_players("/players", &self.player_ids(), &mut problems);
        problems.none_or(self)
    }
}

/// `POST /v1/players`.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub struct PlayersAnswer {
    /// As sent.
    pub server: ServerName,
    /// The pool named, or the server's.
    pub pool: PoolName,
    /// In the order sent.
    pub players: Vec<PlayerCardAnswer>,
}

/// What a game server shows of a player.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub struct PlayerCardAnswer {
    /// Who.
    pub id: PlayerId,
    /// What people read in place of the id; `null` where no name is known.
    pub name: Option<PlayerDisplayName>,
    /// The rating now.
    pub rating: Rating,
    /// Whether it is shown: the shadow period is over.
    pub visible: bool,
    /// Rated rounds.
    pub rounds: u32,
    /// How many more of them it takes until the rating is shown; 0 where it is.
    pub rounds_until_visible: u32,
    /// How many more rounds of the season it takes until the player is placed; 0 where it is so, and where no season
    /// has started.
    pub placing_rounds: u32,
    /// The place by rating in the pool, 1 for the best; equal ratings have the same. `null` of a hidden player, and
    /// of one who last played too long ago.
    pub rank: Option<u64>,
    /// The division by that place; `null` where there is no rank, or none.
    pub division: Option<String>,
}

/// `/v1/admin/players/{id}`: the player, and what the next round's K-factor comes from.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct AdminPlayerAnswer {
    /// What everybody may see.
    #[serde(flatten)]
    pub player: PlayerAnswer,
    /// What an admin calls the player, above the name that game servers send; `null` where that is nothing.
    #[serde(default)]
    pub alias: Option<PlayerDisplayName>,
    /// Whether the player is forgotten: names that game servers send are not kept.
    #[serde(default)]
    pub forgotten: bool,
    /// Whether people are not to be shown the id: `name` stands in its place.
    #[serde(default)]
    pub id_hidden: bool,
    /// How unsettled the rating is, 0 (settled) to 1 (still moving) (F3).
    pub convergence: f64,
    /// The K-factor of the next round: by how many points it moves the rating for a whole point of surprise, the
    /// most that it can by SynElo (F5).
    pub k: f64,
    /// What that comes from (F3).
    pub window: WindowAnswer,
    /// The latest rounds, the latest first.
    pub last_rounds: Vec<LastRoundAnswer>,
    /// The admins' last change of the player that counts, which can be undone; `null` where there is none, or
    /// where it is pruned.
    pub last_change: Option<LastChangeAnswer>,
}

/// The last that admins changed of a player.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct LastChangeAnswer {
    /// `set` or `reset`.
    pub change: String,
    /// The rating that was given; `null` of a reset.
    pub rating: Option<Rating>,
    /// What it is named.
    pub change_id: ChangeId,
    /// The admin's words.
    pub reason: Option<String>,
    /// When.
    pub at: Timestamp,
}

/// `POST /v1/admin/players/{id}/undo`.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct UndoRequest {
    /// The change to undo, by its `change_id`: it is as if it had never been made.
    pub undoes: ChangeId,
    /// Why.
    pub reason: Option<ReasonText>,
    /// What the undo is named, so that it is made once however often it is sent.
    pub change_id: Option<ChangeId>,
}

/// What it comes from how unsettled a player's rating is, over the latest rounds (F3).
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct WindowAnswer {
    /// Rounds in the window.
    pub n: u32,
    /// How far the ratings drift: the newer half's mean less the older's, without a sign, in Kmax (F3).
    pub velocity: f64,
    /// How far the results are from the predictions, in `win_rate_tolerance` (F3).
    pub win_rate_excess: f64,
    /// The standard deviation of the ratings, in Kmax (F3).
    pub volatility: f64,
}

/// A round as it was for one player.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct LastRoundAnswer {
    /// The round.
    pub round_id: RoundId,
    /// Where it was played.
    pub server: ServerName,
    /// On which map.
    pub map: Option<MapName>,
    /// When it ended.
    pub ended_at: Timestamp,
    /// How.
    pub winner: Winner,
    /// The team that the player was rated on.
    pub team: Side,
    /// That team's win probability.
    pub win_probability: Probability,
    /// The rating before.
    pub before: Rating,
    /// The rating after.
    pub rating: Rating,
    /// The difference, in points.
    pub delta: i32,
    /// The K-factor.
    pub k: f64,
}

/// `GET /v1/admin/players/{id}/history`.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub struct PlayerHistoryAnswer {
    /// Who.
    pub id: PlayerId,
    /// The pool asked for.
    pub pool: PoolName,
    /// In the order in which they were counted.
    pub points: Vec<PlayerPointAnswer>,
}

/// A player's rating at some moment.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub struct PlayerPointAnswer {
    /// When the round ended, or the change was made.
    pub at: Timestamp,
    /// The rating after it.
    pub rating: Rating,
    /// What made it: `round`, `set`, `reset` or `season`, the start of one.
    pub change: &'static str,
    /// Which of the player's rated rounds it was, counted from 1 and across resets; `null` of a change.
    pub round_number: Option<u64>,
    /// The round; `null` of a change, and of a round that is pruned.
    pub round_id: Option<RoundId>,
    /// Its server.
    pub server: Option<ServerName>,
}
