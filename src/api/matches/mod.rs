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

/// Players a team of a match from a queue.
pub type MatchSize = Whole<1, 64>;
/// A ping in milliseconds.
pub type Ping = Whole<0, 60_000>;

/// `POST /v1/match`: who waits, and where matches can be played. Whoever asks owns the queue: RBS keeps nothing of it.
#[derive(Clone, Debug, PartialEq, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct MatchRequest {
    /// The pool whose ratings and policies count; `default` where it is left out.
    pub pool: Option<PoolName>,
    /// By which policy, built in or the configuration's own; the pool's where none is named.
    pub policy: Option<PolicyName>,
    /// Until when the tickets have waited; now where it is left out.
    #[schema(value_type = Option<AnyTime>)]
    pub now: Option<Timestamp>,
    /// Who waits, up to 1,000 tickets with 4,000 players.
    #[schema(value_type = Vec<TicketRequest>, max_items = 1000)]
    pub tickets: Vec<Object<TicketRequest>>,
    /// The servers that are free, up to 64. Each begins one match at most.
    #[schema(value_type = Vec<FreeServerRequest>, max_items = 64)]
    pub servers: Vec<Object<FreeServerRequest>>,
    /// The players a team that matches may have, where a server has no sizes of its own.
    #[serde(default, deserialize_with = "default_where_null")]
    #[schema(value_type = Option<Vec<MatchSize>>, max_items = 8)]
    pub sizes: Vec<MatchSize>,
    /// What each team should have somebody for; no name stands twice.
    #[serde(default, deserialize_with = "default_where_null")]
    #[schema(value_type = Option<Vec<MatchRoleRequest>>, max_items = 8)]
    pub roles: Vec<Object<MatchRoleRequest>>,
}

/// One or more players who wait together. They play on one team or not at all.
#[derive(Clone, Debug, PartialEq, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct TicketRequest {
    /// What it is called, once in the queue.
    pub id: TicketName,
    /// Who, 1 to 64 players; nobody stands in two tickets.
    #[schema(value_type = Vec<AnyLobbyPlayer>, min_items = 1, max_items = 64)]
    pub players: Vec<LobbyPlayer>,
    /// Since when they have waited.
    #[schema(value_type = AnyTime)]
    pub since: Timestamp,
    /// The servers that they would play on, with the ping to each in milliseconds, or `null` where that is not known.
    /// With neither these nor regions they would play anywhere.
    #[schema(value_type = Option<Pings>)]
    pub servers: Option<BTreeMap<ServerName, Option<Ping>>>,
    /// The regions that they would play in, likewise; what stands of a server counts before its region.
    #[schema(value_type = Option<Pings>)]
    pub regions: Option<BTreeMap<RegionName, Option<Ping>>>,
    /// The modes that they would play, up to 16; any where there is none.
    #[serde(default, deserialize_with = "default_where_null")]
    #[schema(value_type = Option<Vec<ModeName>>, max_items = 16)]
    pub modes: Vec<ModeName>,
    /// By role, who of them can take it.
    #[serde(default, deserialize_with = "default_where_null")]
    #[schema(value_type = Option<BTreeMap<String, Vec<PlayerId>>>)]
    pub roles: BTreeMap<RoleName, Vec<PlayerId>>,
}

/// A server that is free.
#[derive(Clone, Debug, PartialEq, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct FreeServerRequest {
    /// What it is called, once in the list.
    pub name: ServerName,
    /// Where it stands, as tickets name it.
    pub region: Option<RegionName>,
    /// The map that is played next, where the pool has an advantage set for it or its model knows how it leans.
    pub map: Option<MapName>,
    /// The bots that play on each team, by the levels of skill that the pool names.
    #[serde(default, deserialize_with = "object_or_default")]
    #[schema(value_type = Option<TeamBots>)]
    pub bots: TeamBots,
    /// What can be played there, up to 16 modes; whatever those who meet there would play where there is none.
    #[serde(default, deserialize_with = "default_where_null")]
    #[schema(value_type = Option<Vec<ModeName>>, max_items = 16)]
    pub modes: Vec<ModeName>,
    /// The players a team that a match there may have; the request's where there is none.
    #[serde(default, deserialize_with = "default_where_null")]
    #[schema(value_type = Option<Vec<MatchSize>>, max_items = 8)]
    pub sizes: Vec<MatchSize>,
}

/// A role that each team should have players for.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct MatchRoleRequest {
    /// What it is called.
    pub name: RoleName,
    /// How many players who can take it each team should have; 1 where it is left out.
    pub each: Option<Whole<1, 8>>,
}

impl MatchRequest {
    /// What those are called who wait.
    #[must_use]
    pub fn names(&self) -> Vec<SentName> {
        sent_names(
            self.tickets
                .iter()
                .flat_map(|Object(ticket)| &ticket.players),
        )
    }

    /// Everybody who waits, in the order of the tickets.
    pub fn players(&self) -> impl Iterator<Item = PlayerId> {
        let players = self
            .tickets
            .iter()
            .flat_map(|Object(ticket)| &ticket.players);
        players.map(|player| player.id)
    }

    /// The sizes of matches on a server.
    #[must_use]
    pub fn sizes_of(&self, server: &FreeServerRequest) -> Vec<usize> {
        let sizes = if server.sizes.is_empty() {
            &self.sizes
        } else {
            &server.sizes
        };
        sizes.iter().map(|size| size.count()).collect()
    }
}
