pub(crate) mod answer;
mod check;
pub(crate) use std::collections::BTreeMap;

use serde::Deserialize;
use utoipa::ToSchema;

use super::json::bounded::Whole;
use super::json::object::{Object, default_where_null, object_or_default};
use super::lobby::{LobbyPlayer, sent_names};
use super::schema::{AnyLobbyPlayer, AnyTime, Pings};
use crate::domain::{
    MapName, ModeName, PlayerId, PolicyName, PoolName, RegionName, RoleName, SentName, ServerName,
    TeamBots, TicketName, Timestamp,
};

/// Number of players per team of a match from a queue, from 1 to 64.
pub type MatchSize = Whole<1, 64>;
/// Network latency between the players of a matchmaking ticket and a game server or region, in milliseconds from 0 to
/// 60,000.
pub type Ping = Whole<0, 60_000>;

/// Request of `POST /v1/match`: the whole queue, and the free servers. The caller
/// keeps the queue; RBS stores nothing of it.
#[derive(Clone, Debug, PartialEq, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct MatchRequest {
    /// Name of the pool whose ratings and policies are used. Default: `default`.
    pub pool: Option<PoolName>,
    /// Name of the matchmaking policy, built in or configured. Default: the pool's policy.
    pub policy: Option<PolicyName>,
    /// Time up to which the waits of the tickets are counted. Default: the current time.
    #[schema(value_type = Option<AnyTime>)]
    pub now: Option<Timestamp>,
    /// Tickets (groups of players who wait together): up to 1,000 tickets with 4,000 players in all.
    #[schema(value_type = Vec<TicketRequest>, max_items = 1000)]
    pub tickets: Vec<Object<TicketRequest>>,
    /// Free servers, up to 64. Each server starts at most one match.
    #[schema(value_type = Vec<FreeServerRequest>, max_items = 64)]
    pub servers: Vec<Object<FreeServerRequest>>,
    /// Allowed numbers of players per team on servers without sizes of their own.
    #[serde(default, deserialize_with = "default_where_null")]
    #[schema(value_type = Option<Vec<MatchSize>>, max_items = 8)]
    pub sizes: Vec<MatchSize>,
    /// Roles that each team should have players for. Names must be distinct.
    #[serde(default, deserialize_with = "default_where_null")]
    #[schema(value_type = Option<Vec<MatchRoleRequest>>, max_items = 8)]
    pub roles: Vec<Object<MatchRoleRequest>>,
}

/// A ticket: one or more players who wait together, and play on the same team of one match.
#[derive(Clone, Debug, PartialEq, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct TicketRequest {
    /// Name of the ticket, unique within the queue.
    pub id: TicketName,
    /// Players of the ticket: 1 to 64. A player may be in only one ticket of the queue.
    #[schema(value_type = Vec<AnyLobbyPlayer>, min_items = 1, max_items = 64)]
    pub players: Vec<LobbyPlayer>,
    /// Time at which the wait of the ticket began.
    #[schema(value_type = AnyTime)]
    pub since: Timestamp,
    /// Servers that the ticket accepts, by name, each with the ping in milliseconds, or `null` if unknown. A ticket
    /// without `servers` and `regions` accepts every server.
    #[schema(value_type = Option<Pings>)]
    pub servers: Option<BTreeMap<ServerName, Option<Ping>>>,
    /// Regions that the ticket accepts, by name, each with the ping in milliseconds, or `null` if unknown. An entry in
    /// `servers` overrides the region.
    #[schema(value_type = Option<Pings>)]
    pub regions: Option<BTreeMap<RegionName, Option<Ping>>>,
    /// Game modes that the ticket accepts, up to 16. Default: every mode.
    #[serde(default, deserialize_with = "default_where_null")]
    #[schema(value_type = Option<Vec<ModeName>>, max_items = 16)]
    pub modes: Vec<ModeName>,
    /// Ids of the ticket's players who can take each role, by the name of the role.
    #[serde(default, deserialize_with = "default_where_null")]
    #[schema(value_type = Option<BTreeMap<String, Vec<PlayerId>>>)]
    pub roles: BTreeMap<RoleName, Vec<PlayerId>>,
}

/// A free server, which can start one match.
#[derive(Clone, Debug, PartialEq, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct FreeServerRequest {
    /// Name of the server, unique within the request.
    pub name: ServerName,
    /// Region of the server, by the name that tickets use.
    pub region: Option<RegionName>,
    /// Name of the map that the server plays next. Used if the pool has an advantage for the map, or its model learns
    /// maps.
    pub map: Option<MapName>,
    /// Number of bots on each team at each of the pool's levels of skill.
    #[serde(default, deserialize_with = "object_or_default")]
    #[schema(value_type = Option<TeamBots>)]
    pub bots: TeamBots,
    /// Game modes that the server offers, up to 16. Default: every mode that the players accept.
    #[serde(default, deserialize_with = "default_where_null")]
    #[schema(value_type = Option<Vec<ModeName>>, max_items = 16)]
    pub modes: Vec<ModeName>,
    /// Allowed numbers of players per team on this server. Default: `sizes` of the request.
    #[serde(default, deserialize_with = "default_where_null")]
    #[schema(value_type = Option<Vec<MatchSize>>, max_items = 8)]
    pub sizes: Vec<MatchSize>,
}

/// A role that each team should have players for.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct MatchRoleRequest {
    /// Name of the role, such as `medic`.
    pub name: RoleName,
    /// Number of players that each team should have for the role. Default: 1.
    pub each: Option<Whole<1, 8>>,
}

impl MatchRequest {
    pub(crate) fn names(&self) -> Vec<SentName> {
        sent_names(
            self.tickets
                .iter()
                .flat_map(|Object(ticket)| &ticket.players),
        )
    }

    /// Returns the ids of the waiting players, in the order of the tickets in the request.
    pub(crate) fn players(&self) -> impl Iterator<Item = PlayerId> {
        let players = self
            .tickets
            .iter()
            .flat_map(|Object(ticket)| &ticket.players);
        players.map(|player| player.id)
    }

    /// Returns the allowed numbers of players per team on one server: its own sizes, or else the request's.
    pub(crate) fn sizes_of(&self, server: &FreeServerRequest) -> Vec<usize> {
        let sizes = if server.sizes.is_empty() {
            &self.sizes
        } else {
            &server.sizes
        };
        sizes.iter().map(|size| size.count()).collect()
    }
}
