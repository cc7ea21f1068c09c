pub(crate) mod answer;
mod check;
pub(crate) mod teams;
pub(crate) mod ticket;

use serde::Deserialize;
use utoipa::ToSchema;

use self::ticket::BalanceTicket;
use super::json::bounded::Whole;
use super::json::object::{Object, default_where_null};
use super::lobby::{LobbyPlayer, Weight, sent_names};
use super::schema::AnyLobbyPlayer;

use crate::domain::{
    BotLevel, MapName, ModeName, MutatorName, Mutators, PolicyName, PoolName, PowerName,
    Probability, SentName, ServerName,
};

/// Request of `POST /v1/balance`: a match in progress.
#[derive(Clone, Debug, PartialEq, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct BalanceRequest {
    /// Name of the server of the match.
    pub server: ServerName,
    /// Name of the pool whose ratings and policies are used. Default: the pool of `server`.
    pub pool: Option<PoolName>,
    /// Name of the balance policy, built in or configured. Default: the pool's policy.
    pub policy: Option<PolicyName>,
    /// Name of the power (player value from scoreboards) that players are weighed by, built in or configured. Default:
    /// the power of the policy, or else of the pool.
    pub by: Option<PowerName>,
    /// Game mode of the match, as in reported rounds, for powers (player values from scoreboards) that depend on the
    /// mode. Default: games of every mode count.
    pub mode: Option<ModeName>,
    /// Mutators (rule changes) of the match, as in reported rounds, for powers that depend on mutators. Up to 16 names.
    #[serde(default)]
    #[schema(value_type = Option<Vec<MutatorName>>, max_items = 16)]
    pub mutators: Mutators,
    /// Players of team a, 0 to 64. Required with `team_b`, unless `teams` is sent.
    #[schema(value_type = Option<Vec<AnyLobbyPlayer>>, max_items = 64)]
    pub team_a: Option<Vec<LobbyPlayer>>,
    /// Players of team b, 0 to 64. Required with `team_a`, unless `teams` is sent.
    #[schema(value_type = Option<Vec<AnyLobbyPlayer>>, max_items = 64)]
    pub team_b: Option<Vec<LobbyPlayer>>,
    /// 2 to 8 teams of 0 to 64 players each, with at most 128 players in all. Replaces `team_a` and `team_b`.
    #[schema(value_type = Option<Vec<Vec<AnyLobbyPlayer>>>, min_items = 2, max_items = 8)]
    pub teams: Option<Vec<Vec<LobbyPlayer>>>,
    /// Up to 64 players who join the match and have no team. They are placed as by `POST /v1/place`, before the teams
    /// with them are examined.
    #[serde(default, deserialize_with = "default_where_null")]
    #[schema(value_type = Option<Vec<AnyLobbyPlayer>>, max_items = 64)]
    pub joining: Vec<LobbyPlayer>,
    /// Kinds of the match, such as `ffa`, up to 16. A policy moves nobody in some kinds.
    #[serde(default, deserialize_with = "default_where_null")]
    #[schema(value_type = Option<Vec<ModeName>>, max_items = 16)]
    pub modes: Vec<ModeName>,
    /// Number of seconds left in the round. A policy may leave teams alone near the end.
    pub seconds_left: Option<Whole<0, 1_000_000>>,
    /// Bots on the teams of the match: their numbers, weights or levels of skill.
    #[schema(value_type = Option<BotsRequest>)]
    pub bots: Option<Object<BotsRequest>>,
    /// Minimum and maximum number of players that the current map is made for.
    #[schema(value_type = Option<MapPlayersRequest>)]
    pub map_players: Option<Object<MapPlayersRequest>>,
    /// Random draw among the best choices of moves. Default: the very best choice.
    #[schema(value_type = Option<PickRequest>)]
    pub pick: Option<Object<PickRequest>>,
    /// Win probability of the favourite above which the game server scrambles the two teams. If the odds are above it,
    /// RBS sends a message to the pool's webhook.
    pub scramble_above: Option<Probability>,
    /// Ticket from the last answer about this match. The new answer then lists the changes since that answer.
    pub ticket: Option<BalanceTicket>,
    /// `true` if the match does not have these teams, such as teams after a move that a player asks for. Live matches
    /// then do not show them. Default: `false`.
    #[serde(default, deserialize_with = "default_where_null")]
    #[schema(value_type = Option<bool>)]
    pub hypothetical: bool,
    /// Name of the current map. Used if the pool has an advantage for the map, or its model learns maps.
    pub map: Option<MapName>,
}

/// Request of `POST /v1/place`: a match in progress, and the joining players.
#[derive(Clone, Debug, PartialEq, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct PlaceRequest {
    /// Name of the server of the match.
    pub server: ServerName,
    /// Name of the pool whose ratings and policies are used. Default: the pool of `server`.
    pub pool: Option<PoolName>,
    /// Name of the balance policy, built in or configured. Default: the pool's policy.
    pub policy: Option<PolicyName>,
    /// Name of the power (player value from scoreboards) that players are weighed by, built in or configured. Default:
    /// the power of the policy, or else of the pool.
    pub by: Option<PowerName>,
    /// Game mode of the match, as in reported rounds, for powers (player values from scoreboards) that depend on the
    /// mode. Default: games of every mode count.
    pub mode: Option<ModeName>,
    /// Mutators (rule changes) of the match, as in reported rounds, for powers that depend on mutators. Up to 16 names.
    #[serde(default)]
    #[schema(value_type = Option<Vec<MutatorName>>, max_items = 16)]
    pub mutators: Mutators,
    /// Players of team a, 0 to 64. Required with `team_b`, unless `teams` is sent.
    #[schema(value_type = Option<Vec<AnyLobbyPlayer>>, max_items = 64)]
    pub team_a: Option<Vec<LobbyPlayer>>,
    /// Players of team b, 0 to 64. Required with `team_a`, unless `teams` is sent.
    #[schema(value_type = Option<Vec<AnyLobbyPlayer>>, max_items = 64)]
    pub team_b: Option<Vec<LobbyPlayer>>,
    /// 2 to 8 teams of 0 to 64 players each, with at most 128 players in all. Replaces `team_a` and `team_b`.
    #[schema(value_type = Option<Vec<Vec<AnyLobbyPlayer>>>, min_items = 2, max_items = 8)]
    pub teams: Option<Vec<Vec<LobbyPlayer>>>,
    /// Players who join the match and need a team, 1 to 64.
    #[schema(value_type = Vec<AnyLobbyPlayer>, min_items = 1, max_items = 64)]
    pub joining: Vec<LobbyPlayer>,
    /// Bots on the teams of the match: their numbers, weights or levels of skill.
    #[schema(value_type = Option<BotsRequest>)]
    pub bots: Option<Object<BotsRequest>>,
    /// Minimum and maximum number of players that the current map is made for.
    #[schema(value_type = Option<MapPlayersRequest>)]
    pub map_players: Option<Object<MapPlayersRequest>>,
    /// Random draw among the best placements of the joining players. Default: the very best placement.
    #[schema(value_type = Option<PickRequest>)]
    pub pick: Option<Object<PickRequest>>,
    /// Name of the current map. Used if the pool has an advantage for the map, or its model learns maps.
    pub map: Option<MapName>,
}

/// Bots on the teams of a match: their numbers, weights or levels of skill.
#[derive(Clone, Debug, Default, PartialEq, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct BotsRequest {
    /// Number of bots on team a.
    pub a: Option<Whole<0, 64>>,
    /// Number of bots on team b.
    pub b: Option<Whole<0, 64>>,
    /// Number of bots on each team, in the order of the teams in the request's `teams`. Replaces `a` and `b`.
    #[schema(value_type = Option<Vec<Whole<0, 64>>>, max_items = 8)]
    pub teams: Option<Vec<Whole<0, 64>>>,
    /// Weight of each bot on team a, in the unit of the policy. Replaces `a`; not allowed for a match with `teams`.
    #[schema(value_type = Option<Vec<Weight>>, max_items = 64)]
    pub weights_a: Option<Vec<Weight>>,
    /// Weight of each bot on team b, in the unit of the policy. Replaces `b`; not allowed for a match with `teams`.
    #[schema(value_type = Option<Vec<Weight>>, max_items = 64)]
    pub weights_b: Option<Vec<Weight>>,
    /// Mean weight of a bot, in the unit of the policy. Every added bot is assumed to have this weight.
    pub weight: Option<Weight>,
    /// Level of skill of each bot on team a, by the pool's names, for policies that weigh ratings. Replaces `a` and
    /// `weights_a`; not allowed for a match with `teams`.
    #[schema(max_items = 32)]
    pub levels_a: Option<Vec<BotLevel>>,
    /// Level of skill of each bot on team b, by the pool's names, for policies that weigh ratings. Replaces `b` and
    /// `weights_b`; not allowed for a match with `teams`.
    #[schema(max_items = 32)]
    pub levels_b: Option<Vec<BotLevel>>,
    /// Level of skill of every bot that the policy would add, by the pool's names. Replaces `weight`.
    pub level: Option<BotLevel>,
}

/// Minimum and maximum number of players that a map is made for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct MapPlayersRequest {
    /// Minimum number of players that the map is made for.
    pub least: Whole<0, 128>,
    /// Maximum number of players that the map is made for.
    pub most: Whole<0, 128>,
}

/// Random draw among the best choices of moves, placements or splits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct PickRequest {
    /// Number of best choices (moves, placements or splits) to draw from, each equally likely. Leaves out moves that do
    /// not balance the teams, and placements that break more limits than the best one.
    pub of: Whole<1, 4>,
    /// Seed of the random draw among the best moves, placements or splits. Equal requests with equal seeds get equal
    /// answers.
    pub seed: Whole<0, 4_294_967_295>,
}

/// Players of a match, in the form in which the request sent the teams.
#[derive(Clone, Copy, Debug)]
pub enum TeamLists<'all> {
    /// Players of two teams, from the request's lists `team_a` and `team_b`.
    Two(&'all [LobbyPlayer], &'all [LobbyPlayer]),
    /// Players of two or more teams, from the lists in the request's `teams`.
    Teams(&'all [Vec<LobbyPlayer>]),
}

impl<'all> TeamLists<'all> {
    /// Returns the players of all teams, without joining players.
    fn players(self) -> impl Iterator<Item = &'all LobbyPlayer> {
        let (pair, teams) = match self {
            Self::Two(a, b) => ([a, b], &[][..]),
            Self::Teams(teams) => ([&[][..]; 2], teams),
        };
        pair.into_iter().flatten().chain(teams.iter().flatten())
    }
}

impl BalanceRequest {
    /// Returns the players of each team, in the form in which the request sent the teams.
    pub(crate) fn lists(&self) -> TeamLists<'_> {
        match &self.teams {
            Some(teams) => TeamLists::Teams(teams),
            None => TeamLists::Two(
                self.team_a.as_deref().unwrap_or_default(),
                self.team_b.as_deref().unwrap_or_default(),
            ),
        }
    }

    pub(crate) fn names(&self) -> Vec<SentName> {
        sent_names(self.lists().players().chain(&self.joining))
    }
}

impl From<PlaceRequest> for BalanceRequest {
    fn from(request: PlaceRequest) -> Self {
        Self {
            server: request.server,
            pool: request.pool,
            policy: request.policy,
            by: request.by,
            mode: request.mode,
            mutators: request.mutators,
            team_a: request.team_a,
            team_b: request.team_b,
            teams: request.teams,
            joining: request.joining,
            modes: Vec::new(),
            seconds_left: None,
            bots: request.bots,
            map_players: request.map_players,
            pick: request.pick,
            scramble_above: None,
            ticket: None,
            hypothetical: false,
            map: request.map,
        }
    }
}
