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
    BotLevel, MapName, ModeName, MutatorName, Mutators, PolicyName, PoolName, PowerName, SentName,
    ServerName,
};

/// `POST /v1/balance`: a match as it stands.
#[derive(Clone, Debug, PartialEq, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct BalanceRequest {
    /// The server of the match.
    pub server: ServerName,
    /// The pool whose ratings and policies count; the server's, where it is left out.
    pub pool: Option<PoolName>,
    /// By which policy, built in or the configuration's own; the pool's where none is named.
    pub policy: Option<PolicyName>,
    /// By which power players count, built in or the configuration's own; the policy's or the pool's
    /// where none is named.
    pub by: Option<PowerName>,
    /// The mode that is played, as rounds name theirs, for powers that go by it; where it is left out,
    /// games of every mode count.
    pub mode: Option<ModeName>,
    /// The mutators that it is played with, likewise, up to 16 names.
    #[serde(default)]
    #[schema(value_type = Option<Vec<MutatorName>>, max_items = 16)]
    pub mutators: Mutators,
    /// Team a, 0 to 64 players; with `team_b`, and not with `teams`.
    #[schema(value_type = Option<Vec<AnyLobbyPlayer>>, max_items = 64)]
    pub team_a: Option<Vec<LobbyPlayer>>,
    /// Team b, 0 to 64 players; with `team_a`, and not with `teams`.
    #[schema(value_type = Option<Vec<AnyLobbyPlayer>>, max_items = 64)]
    pub team_b: Option<Vec<LobbyPlayer>>,
    /// 2 to 8 teams of 0 to 64 players each, 128 together, in place of `team_a` and `team_b`.
    #[schema(value_type = Option<Vec<Vec<AnyLobbyPlayer>>>, min_items = 2, max_items = 8)]
    pub teams: Option<Vec<Vec<LobbyPlayer>>>,
    /// Up to 64 players who have no team yet: they are placed first, as `/v1/place` does it, and then
    /// the teams are judged with them.
    #[serde(default, deserialize_with = "default_where_null")]
    #[schema(value_type = Option<Vec<AnyLobbyPlayer>>, max_items = 64)]
    pub joining: Vec<LobbyPlayer>,
    /// What kind of match it is.
    #[serde(default, deserialize_with = "default_where_null")]
    #[schema(value_type = Option<Vec<ModeName>>, max_items = 16)]
    pub modes: Vec<ModeName>,
    /// The seconds left in the round.
    pub seconds_left: Option<Whole<0, 1_000_000>>,
    /// The bots on the teams.
    #[schema(value_type = Option<BotsRequest>)]
    pub bots: Option<Object<BotsRequest>>,
    /// For how many players the map is made.
    #[schema(value_type = Option<MapPlayersRequest>)]
    pub map_players: Option<Object<MapPlayersRequest>>,
    /// Draws one of the best choices instead of the very best.
    #[schema(value_type = Option<PickRequest>)]
    pub pick: Option<Object<PickRequest>>,
    /// The `ticket` of the last answer about this match: the answer says what has changed since.
    pub ticket: Option<BalanceTicket>,
    /// The map that is played, where the pool has an advantage set for it or its model knows how it leans.
    pub map: Option<MapName>,
}

/// `POST /v1/place`: a match as it stands, and who joins it.
#[derive(Clone, Debug, PartialEq, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct PlaceRequest {
    /// The server of the match.
    pub server: ServerName,
    /// The pool whose ratings and policies count; the server's, where it is left out.
    pub pool: Option<PoolName>,
    /// By which policy, built in or the configuration's own; the pool's where none is named.
    pub policy: Option<PolicyName>,
    /// By which power players count, built in or the configuration's own; the policy's or the pool's
    /// where none is named.
    pub by: Option<PowerName>,
    /// The mode that is played, as rounds name theirs, for powers that go by it; where it is left out,
    /// games of every mode count.
    pub mode: Option<ModeName>,
    /// The mutators that it is played with, likewise, up to 16 names.
    #[serde(default)]
    #[schema(value_type = Option<Vec<MutatorName>>, max_items = 16)]
    pub mutators: Mutators,
    /// Team a, 0 to 64 players; with `team_b`, and not with `teams`.
    #[schema(value_type = Option<Vec<AnyLobbyPlayer>>, max_items = 64)]
    pub team_a: Option<Vec<LobbyPlayer>>,
    /// Team b, 0 to 64 players; with `team_a`, and not with `teams`.
    #[schema(value_type = Option<Vec<AnyLobbyPlayer>>, max_items = 64)]
    pub team_b: Option<Vec<LobbyPlayer>>,
    /// 2 to 8 teams of 0 to 64 players each, 128 together, in place of `team_a` and `team_b`.
    #[schema(value_type = Option<Vec<Vec<AnyLobbyPlayer>>>, min_items = 2, max_items = 8)]
    pub teams: Option<Vec<Vec<LobbyPlayer>>>,
    /// Who joins, 1 to 64 players.
    #[schema(value_type = Vec<AnyLobbyPlayer>, min_items = 1, max_items = 64)]
    pub joining: Vec<LobbyPlayer>,
    /// The bots on the teams.
    #[schema(value_type = Option<BotsRequest>)]
    pub bots: Option<Object<BotsRequest>>,
    /// For how many players the map is made.
    #[schema(value_type = Option<MapPlayersRequest>)]
    pub map_players: Option<Object<MapPlayersRequest>>,
    /// Draws one of the best ways instead of the very best.
    #[schema(value_type = Option<PickRequest>)]
    pub pick: Option<Object<PickRequest>>,
    /// The map that is played, where the pool has an advantage set for it or its model knows how it leans.
    pub map: Option<MapName>,
}

/// The bots on the teams.
#[derive(Clone, Debug, Default, PartialEq, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct BotsRequest {
    /// How many stand on team a.
    pub a: Option<Whole<0, 64>>,
    /// How many stand on team b.
    pub b: Option<Whole<0, 64>>,
    /// How many stand on each of `teams`, in that order; in place of `a` and `b`.
    #[schema(value_type = Option<Vec<Whole<0, 64>>>, max_items = 8)]
    pub teams: Option<Vec<Whole<0, 64>>>,
    /// What each bot on team a weighs; in place of `a`, and not with `teams`.
    #[schema(value_type = Option<Vec<Weight>>, max_items = 64)]
    pub weights_a: Option<Vec<Weight>>,
    /// What each bot on team b weighs; in place of `b`, and not with `teams`.
    #[schema(value_type = Option<Vec<Weight>>, max_items = 64)]
    pub weights_b: Option<Vec<Weight>>,
    /// What a bot weighs on average, which any that comes is taken to weigh.
    pub weight: Option<Weight>,
    /// The level of skill of each bot on team a, as the pool names it, where the policy weighs ratings; in place of `a` and
    /// `weights_a`, and not with `teams`.
    #[schema(max_items = 32)]
    pub levels_a: Option<Vec<BotLevel>>,
    /// The same of team b.
    #[schema(max_items = 32)]
    pub levels_b: Option<Vec<BotLevel>>,
    /// The level of any bot that comes; in place of `weight`.
    pub level: Option<BotLevel>,
}

/// For how many players a map is made.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct MapPlayersRequest {
    /// The least.
    pub least: Whole<0, 128>,
    /// The most.
    pub most: Whole<0, 128>,
}

/// Which of the best choices is taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct PickRequest {
    /// Of how many, each as likely as the others; of fewer where there are not so many that are
    /// good.
    pub of: Whole<1, 4>,
    /// What decides: equal requests with equal seeds get equal answers.
    pub seed: Whole<0, 4_294_967_295>,
}

/// The players of a match, by how they were sent.
#[derive(Clone, Copy, Debug)]
pub enum TeamLists<'all> {
    /// As `team_a` and `team_b`.
    Two(&'all [LobbyPlayer], &'all [LobbyPlayer]),
    /// As `teams`.
    Teams(&'all [Vec<LobbyPlayer>]),
}

impl<'all> TeamLists<'all> {
    /// The players of all teams.
    fn players(self) -> impl Iterator<Item = &'all LobbyPlayer> {
        let (pair, teams) = match self {
            Self::Two(a, b) => ([a, b], &[][..]),
            Self::Teams(teams) => ([&[][..]; 2], teams),
        };
        pair.into_iter().flatten().chain(teams.iter().flatten())
    }
}

impl BalanceRequest {
    /// The teams, in the form in which they were sent.
    #[must_use]
    pub fn lists(&self) -> TeamLists<'_> {
        match &self.teams {
            Some(teams) => TeamLists::Teams(teams),
            None => TeamLists::Two(
                self.team_a.as_deref().unwrap_or_default(),
                self.team_b.as_deref().unwrap_or_default(),
            ),
        }
    }

    /// What everybody is called who plays or joins.
    #[must_use]
    pub fn names(&self) -> Vec<SentName> {
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
            ticket: None,
            map: request.map,
        }
    }
}
