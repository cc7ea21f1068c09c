pub(crate) mod answer;
pub(crate) mod check;
mod labels;
pub(crate) mod letters;

use std::collections::BTreeMap;
use std::fmt;

use serde::{Deserialize, Deserializer, de};
use utoipa::ToSchema;

use super::json::bounded::Whole;
use super::json::object::{Object, default_where_null, object_or_default};
use super::lobby::{LobbyPlayer, ids_of_players_if_any, sent_names};
use super::schema::{AnyLobbyPlayer, UniquePlayers};
use crate::api::PickRequest;
use crate::domain::{
    MapName, ModeName, MutatorName, Mutators, PlayerId, PoolName, PowerName, RoleName, SentName,
    ServerName, TeamBots,
};

pub use letters::{
    KnownSplitsAnswer, LetteredSplitAnswer, LetteredTableAnswer, LettersAndNoticesAnswer,
    ListsAndNoticesAnswer, ScrambleAnswer, Seats, SplitsAnswer,
};

/// Players a team, as far as a split can be asked for.
pub type TeamSize = Whole<2, 64>;

/// `POST /v1/scramble`, and the `scramble` of an update: who may play, and what is wished of the splits.
///
/// Players who are named in a wish and may not play are passed over, so a plugin may send lists that
/// are out of date. What stands with a player and what stands in lists counts together.
#[derive(Clone, Debug, Default, PartialEq, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ScrambleRequest {
    /// Whose players; its pool's ratings count. Within an update it is left out.
    #[schema(value_type = ServerName, required)]
    pub server: Option<ServerName>,
    /// The pool whose ratings count; the server's, where it is left out. Within an update it is left out.
    pub pool: Option<PoolName>,
    /// Who may play, 0 to 128 distinct players.
    #[schema(value_type = Vec<AnyLobbyPlayer>, max_items = 128)]
    pub players: Vec<LobbyPlayer>,
    /// By which power players count, built in or the configuration's own; the pool's where
    /// none is named, and the rating where that names none.
    pub by: Option<PowerName>,
    /// The mode that is played, as rounds name theirs, for powers that go by it; where it is left out,
    /// games of every mode count.
    pub mode: Option<ModeName>,
    /// The mutators that it is played with, likewise, up to 16 names.
    #[serde(default)]
    #[schema(value_type = Option<Vec<MutatorName>>, max_items = 16)]
    pub mutators: Mutators,
    /// The map that is played next; where the pool has an advantage set for it, or its model knows how it leans, the splits
    /// make up for that.
    pub map: Option<MapName>,
    /// The bots that play on each team whatever the split, by the levels of skill that the pool names; the splits make up
    /// for them.
    #[serde(default, deserialize_with = "object_or_default")]
    #[schema(value_type = Option<TeamBots>)]
    pub bots: TeamBots,
    /// The teams as they stand.
    #[schema(value_type = Option<TeamsRequest>)]
    pub current: Option<Object<TeamsRequest>>,
    /// Who want to be on one team or wait together; nobody is in two parties.
    #[serde(default, deserialize_with = "default_where_null")]
    #[schema(value_type = Option<Vec<UniquePlayers<64>>>, max_items = 64)]
    pub parties: Vec<Vec<PlayerId>>,
    /// The rating points by which keeping parties together may raise the difference.
    pub party_price: Option<Whole<0, 10_000>>,
    /// Who should not share a team.
    #[serde(default, deserialize_with = "default_where_null")]
    #[schema(value_type = Option<Vec<Pair>>, max_items = 64)]
    pub apart: Vec<Pair>,
    /// What each team should have somebody for; no name stands twice.
    #[serde(default, deserialize_with = "default_where_null")]
    #[schema(value_type = Option<Vec<RoleRequest>>, max_items = 8)]
    pub roles: Vec<Object<RoleRequest>>,
    /// Who should be on a team.
    #[serde(default, deserialize_with = "default_where_null")]
    #[schema(value_type = Option<UniquePlayers<128>>)]
    pub must_play: Vec<PlayerId>,
    /// Who should wait.
    #[serde(default, deserialize_with = "default_where_null")]
    #[schema(value_type = Option<UniquePlayers<128>>)]
    pub must_wait: Vec<PlayerId>,
    /// For how many rounds in a row players have waited, or `auto`: as the service knows it.
    #[serde(default, deserialize_with = "default_where_null")]
    #[schema(value_type = Option<WaitedRounds>)]
    pub waited: WaitedRounds,
    /// The rating points above the least difference within which wishes decide. Where it is left out 0, or 20 where
    /// somebody who is there has waited and players may wait.
    pub tolerance: Option<Whole<0, 1000>>,
    /// Rating points by which sharing newcomers out evenly may raise the difference. The default is the pool's setting, 20
    /// unless configured, or 0 if `current` is sent or a power other than the rating counts.
    pub newcomers: Option<Whole<0, 100>>,
    /// Whether teams should be alike in shape where that costs nothing.
    pub spread: Option<bool>,
    /// Splits not to repeat.
    #[serde(default, deserialize_with = "default_where_null")]
    #[schema(value_type = Option<Vec<TeamsRequest>>, max_items = 16)]
    pub recent: Vec<Object<TeamsRequest>>,
    /// Of how many of the server's last rounds the teams are not to be repeated either; with `recent` no more than 16
    /// in all.
    pub repeat: Option<Whole<1, 16>>,
    /// The only team sizes to split into.
    #[schema(value_type = Option<Vec<TeamSize>>, min_items = 1, max_items = 63)]
    pub sizes: Option<Vec<TeamSize>>,
    /// Whether the highest-rated player always plays.
    pub anchor: Option<bool>,
    /// Whether players may wait. Where it is `false` everybody plays, an odd number k against k + 1.
    pub bench: Option<bool>,
    /// Several splits of one size.
    #[schema(value_type = Option<AlternativesRequest>)]
    pub alternatives: Option<Object<AlternativesRequest>>,
    /// Draws of the best splits instead of taking the very best: of the size of `alternatives`, or else of the one
    /// size asked for.
    #[schema(value_type = Option<PickRequest>)]
    pub pick: Option<Object<PickRequest>>,
    /// How the teams are answered; as lists of ids where it is left out.
    pub seats: Option<Seats>,
}

impl ScrambleRequest {
    /// What those are called who may play.
    #[must_use]
    pub fn names(&self) -> Vec<SentName> {
        sent_names(&self.players)
    }

    /// The size that a draw is of: that of the alternatives, or else the one size asked for, or that of everybody.
    #[must_use]
    pub fn drawn_size(&self) -> Option<usize> {
        let alternatives = self.alternatives.map(|Object(wanted)| wanted.size.count());
        alternatives.or_else(|| match self.sizes.as_deref() {
            Some([size]) => Some(size.count()),
            None if self.bench == Some(false) => Some(self.players.len() / 2),
            _ => None,
        })
    }
}

/// `POST /v1/scramble` with the server that it has to name.
#[derive(Clone, Debug, PartialEq)]
pub struct ServerScramble {
    /// Whose players.
    pub server: ServerName,
    /// The named pool.
    pub pool: Option<PoolName>,
    /// The rest.
    pub request: ScrambleRequest,
}

impl<'de> Deserialize<'de> for ServerScramble {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let mut request = ScrambleRequest::deserialize(deserializer)?;
        let server = request
            .server
            .take()
            .ok_or_else(|| de::Error::missing_field("server"))?;
        let pool = request.pool.take();
        Ok(Self {
            server,
            pool,
            request,
        })
    }
}

/// Two teams as they stand or stood, sides interchangeable.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TeamsRequest {
    /// Each team with the name of its field.
    pub teams: [(&'static str, Vec<PlayerId>); 2],
}

impl<'de> Deserialize<'de> for TeamsRequest {
    /// Reads `team_a` and `team_b`, or `a` and `b` as answers name them.
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        #[derive(Deserialize)]
        #[serde(deny_unknown_fields)]
        struct Sent {
            #[serde(default, deserialize_with = "ids_of_players_if_any")]
            team_a: Option<Vec<PlayerId>>,
            #[serde(default, deserialize_with = "ids_of_players_if_any")]
            team_b: Option<Vec<PlayerId>>,
            #[serde(default, deserialize_with = "ids_of_players_if_any")]
            a: Option<Vec<PlayerId>>,
            #[serde(default, deserialize_with = "ids_of_players_if_any")]
            b: Option<Vec<PlayerId>>,
        }

        let sent = Sent::deserialize(deserializer)?;
        let teams = match (sent.team_a, sent.team_b, sent.a, sent.b) {
            (a, b, None, None) => [("team_a", a), ("team_b", b)],
            (None, None, a, b) => [("a", a), ("b", b)],
            _ => {
                return Err(de::Error::custom(
                    "has both \"team_a\" or \"team_b\" and \"a\" or \"b\"; send \"team_a\" and \"team_b\" \
                     alone",
                ));
            }
        };
        let [one, other] = teams.map(|(name, team)| {
            let team = team.map(|team| (name, team));
            team.ok_or_else(|| de::Error::missing_field(name))
        });
        Ok(Self {
            teams: [one?, other?],
        })
    }
}

/// A role that each team should have players for.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct RoleRequest {
    /// What it is called.
    pub name: RoleName,
    /// Who can fill it, 1 to 128 distinct players.
    #[schema(value_type = UniquePlayers<128>)]
    pub players: Vec<PlayerId>,
    /// How many of them each team should have; 1 where it is left out.
    pub each: Option<Whole<1, 8>>,
}

/// Several splits of one size, to choose from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct AlternativesRequest {
    /// Players a team.
    pub size: TeamSize,
    /// How many at most.
    pub count: Whole<1, 20>,
}

/// Two players, in JSON a list of two ids.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Deserialize)]
#[serde(try_from = "Vec<PlayerId>")]
pub struct Pair(pub [PlayerId; 2]);

impl TryFrom<Vec<PlayerId>> for Pair {
    type Error = String;

    fn try_from(players: Vec<PlayerId>) -> Result<Self, String> {
        <[PlayerId; 2]>::try_from(players)
            .map(Self)
            .map_err(|players| {
                let count = match players.len() {
                    1 => "1 player".to_owned(),
                    other => format!("{other} players"),
                };
                format!("has {count}; send a list of two, who should not share a team")
            })
    }
}

/// For how many rounds players have waited.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum WaitedRounds {
    /// In JSON an object whose keys are ids in any form that is a string.
    Sent(BTreeMap<PlayerId, u32>),
    /// In JSON `"auto"`: as the service knows it from the server's last rounds and splits.
    Auto,
}

impl WaitedRounds {
    /// What was sent of the players.
    #[must_use]
    pub fn sent(&self) -> Option<&BTreeMap<PlayerId, u32>> {
        match self {
            Self::Sent(rounds) => Some(rounds),
            Self::Auto => None,
        }
    }

    /// Whether the service is to know it.
    #[must_use]
    pub fn is_auto(&self) -> bool {
        *self == Self::Auto
    }
}

impl Default for WaitedRounds {
    fn default() -> Self {
        Self::Sent(BTreeMap::new())
    }
}

impl<'de> Deserialize<'de> for WaitedRounds {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Visitor;

        impl<'de> de::Visitor<'de> for Visitor {
            type Value = WaitedRounds;

            fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
                formatter.write_str("an object from player ids to rounds, or \"auto\"")
            }

            fn visit_str<E: de::Error>(self, text: &str) -> Result<WaitedRounds, E> {
                let auto = (text == "auto").then_some(WaitedRounds::Auto);
                auto.ok_or_else(|| E::invalid_value(de::Unexpected::Str(text), &self))
            }

            fn visit_map<M: de::MapAccess<'de>>(
                self,
                mut map: M,
            ) -> Result<WaitedRounds, M::Error> {
                let mut rounds = BTreeMap::new();
                while let Some(player) = map.next_key::<PlayerId>()? {
                    let seed = RoundsOf {
                        player,
                        repeated: rounds.contains_key(&player),
                    };
                    rounds.insert(player, map.next_value_seed(seed)?);
                }
                Ok(WaitedRounds::Sent(rounds))
            }
        }

        deserializer.deserialize_any(Visitor)
    }
}

/// Reads the rounds of one player. A repeat is refused here because an error from a value is
/// reported at its key.
struct RoundsOf {
    player: PlayerId,
    repeated: bool,
}

impl<'de> de::DeserializeSeed<'de> for RoundsOf {
    type Value = u32;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<u32, D::Error> {
        let rounds = Whole::<0, 1_000_000>::deserialize(deserializer)?;
        if self.repeated {
            return Err(de::Error::custom(format!(
                "{} stands twice; name each player once, in one form",
                self.player
            )));
        }
        Ok(rounds.get())
    }
}
