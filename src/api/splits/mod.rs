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

/// Number of players per team of a split, from 2 to 64.
pub type TeamSize = Whole<2, 64>;

/// Request of `POST /v1/scramble`, and the field `scramble` of an update: eligible players, and wishes for the splits.
///
/// Wishes about players who are not eligible are ignored, so a plugin may send outdated lists. Wishes in the objects of
/// players and wishes in lists are combined.
#[derive(Clone, Debug, Default, PartialEq, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ScrambleRequest {
    /// Name of the server. Not allowed in the field `scramble` of an update.
    #[schema(value_type = ServerName, required)]
    pub server: Option<ServerName>,
    /// Name of the pool whose ratings are used. Default: the pool of `server`. Not allowed in the field `scramble` of
    /// an update.
    pub pool: Option<PoolName>,
    /// Eligible players, who may play or wait: 0 to 128, each once.
    #[schema(value_type = Vec<AnyLobbyPlayer>, max_items = 128)]
    pub players: Vec<LobbyPlayer>,
    /// Name of the power (player value from scoreboards) that players are weighed by, built in or configured. Default:
    /// the power of the pool, or else the rating.
    pub by: Option<PowerName>,
    /// Game mode of the match, as in reported rounds, for powers (player values from scoreboards) that depend on the
    /// mode. Default: games of every mode count.
    pub mode: Option<ModeName>,
    /// Mutators (rule changes) of the match, as in reported rounds, for powers that depend on mutators. Up to 16 names.
    #[serde(default)]
    #[schema(value_type = Option<Vec<MutatorName>>, max_items = 16)]
    pub mutators: Mutators,
    /// Name of the next map. The splits compensate its effect if the pool has an advantage
    /// for the map, or its model learns maps.
    pub map: Option<MapName>,
    /// Number of bots at each of the pool's levels of skill that play on each team in every split. The splits
    /// compensate their effect.
    #[serde(default, deserialize_with = "object_or_default")]
    #[schema(value_type = Option<TeamBots>)]
    pub bots: TeamBots,
    /// The current teams. Among otherwise equal splits, those that move few players between the teams are preferred.
    #[schema(value_type = Option<TeamsRequest>)]
    pub current: Option<Object<TeamsRequest>>,
    /// Parties: players who want to share a team or wait together. Each player may be in one party.
    #[serde(default, deserialize_with = "default_where_null")]
    #[schema(value_type = Option<Vec<UniquePlayers<64>>>, max_items = 64)]
    pub parties: Vec<Vec<PlayerId>>,
    /// Rating points by which keeping parties together may raise the difference between the teams' sums, in addition to
    /// `tolerance`. Default: 100.
    pub party_price: Option<Whole<0, 10_000>>,
    /// Pairs of players who should not share a team.
    #[serde(default, deserialize_with = "default_where_null")]
    #[schema(value_type = Option<Vec<Pair>>, max_items = 64)]
    pub apart: Vec<Pair>,
    /// Roles that each team should have players for. Names must be distinct.
    #[serde(default, deserialize_with = "default_where_null")]
    #[schema(value_type = Option<Vec<RoleRequest>>, max_items = 8)]
    pub roles: Vec<Object<RoleRequest>>,
    /// Ids of the players who should play, on either team, instead of waiting.
    #[serde(default, deserialize_with = "default_where_null")]
    #[schema(value_type = Option<UniquePlayers<128>>)]
    pub must_play: Vec<PlayerId>,
    /// Ids of the players who should wait instead of playing.
    #[serde(default, deserialize_with = "default_where_null")]
    #[schema(value_type = Option<UniquePlayers<128>>)]
    pub must_wait: Vec<PlayerId>,
    /// Number of consecutive rounds that each player has waited; `auto` uses the service's own records.
    #[serde(default, deserialize_with = "default_where_null")]
    #[schema(value_type = Option<WaitedRounds>)]
    pub waited: WaitedRounds,
    /// Rating points by which wishes may raise the difference between the teams' sums above the smallest possible one.
    /// Default: 0, or 20 if an eligible player has waited and players may wait.
    pub tolerance: Option<Whole<0, 1000>>,
    /// Rating points by which sharing newcomers out evenly may raise the difference between the teams' sums. Default:
    /// the setting of the pool (20 unless configured), or 0 if `current` is sent or a power other than the rating is
    /// used.
    pub newcomers: Option<Whole<0, 100>>,
    /// `true` prefers, within `tolerance`, the two best players apart and teams with
    /// similar spreads of ratings. Default: `true`.
    pub spread: Option<bool>,
    /// Teams of earlier splits or rounds that should not be repeated, up to 16.
    #[serde(default, deserialize_with = "default_where_null")]
    #[schema(value_type = Option<Vec<TeamsRequest>>, max_items = 16)]
    pub recent: Vec<Object<TeamsRequest>>,
    /// Number of the server's last rounds whose teams should not be repeated. With the
    /// splits in `recent`, at most 16 in all.
    pub repeat: Option<Whole<1, 16>>,
    /// Team sizes to compute splits for. Default: every size from 2 to half of the players.
    #[schema(value_type = Option<Vec<TeamSize>>, min_items = 1, max_items = 63)]
    pub sizes: Option<Vec<TeamSize>>,
    /// `true` if the highest-rated player always plays. Default: `true`.
    pub anchor: Option<bool>,
    /// `true` if players may wait. With `false` everybody plays; of an odd number of players,
    /// one team has one more. Default: `true`.
    pub bench: Option<bool>,
    /// Request for several splits of one team size to choose from.
    #[schema(value_type = Option<AlternativesRequest>)]
    pub alternatives: Option<Object<AlternativesRequest>>,
    /// Random draw among the best splits of one size: the size of `alternatives`, or else the only
    /// size in `sizes`. Default: the best split.
    #[schema(value_type = Option<PickRequest>)]
    pub pick: Option<Object<PickRequest>>,
    /// Form of the teams in the answer: `lists` of ids, or `letters`. Default: `lists`.
    pub seats: Option<Seats>,
}

impl ScrambleRequest {
    pub(crate) fn names(&self) -> Vec<SentName> {
        sent_names(&self.players)
    }

    /// Returns the team size of a random draw: the size of the alternatives, or else the only requested size. Without a
    /// bench, the size of the split of all players.
    pub(crate) fn drawn_size(&self) -> Option<usize> {
        let alternatives = self.alternatives.map(|Object(wanted)| wanted.size.count());
        alternatives.or_else(|| match self.sizes.as_deref() {
            Some([size]) => Some(size.count()),
            None if self.bench == Some(false) => Some(self.players.len() / 2),
            _ => None,
        })
    }
}

/// A `POST /v1/scramble` request with server and pool moved out of [`ScrambleRequest`].
#[derive(Clone, Debug, PartialEq)]
pub struct ServerScramble {
    /// Name of the server, which the endpoint requires.
    pub server: ServerName,
    /// Name of the pool from the request, if the request names one.
    pub pool: Option<PoolName>,
    /// Request for splits, without server and pool.
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

/// Two current or past teams of players, in either order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TeamsRequest {
    /// Two teams, each with the name of the JSON field and the ids of the players.
    pub teams: [(&'static str, Vec<PlayerId>); 2],
}

impl<'de> Deserialize<'de> for TeamsRequest {
    /// Accepts the JSON fields `team_a` and `team_b`, or `a` and `b` as in answers.
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
                    "mixes \"team_a\" or \"team_b\" with \"a\" or \"b\"; send only \
                     \"team_a\" and \"team_b\"",
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
    /// Name of the role, such as `medic`.
    pub name: RoleName,
    /// Ids of the players who can take the role: 1 to 128, each once.
    #[schema(value_type = UniquePlayers<128>)]
    pub players: Vec<PlayerId>,
    /// Number of players that each team should have for the role. Default: 1.
    pub each: Option<Whole<1, 8>>,
}

/// Request for several splits of one team size to choose from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct AlternativesRequest {
    /// Number of players per team of the alternative splits.
    pub size: TeamSize,
    /// Maximum number of alternative splits to return, the best first.
    pub count: Whole<1, 20>,
}

/// Two players who should not share a team; in JSON a list of two ids.
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
                format!("has {count}; send a list of two players who should not share a team")
            })
    }
}

/// Number of consecutive rounds that players have waited, sent by the client or derived by the service.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum WaitedRounds {
    /// Number of waited rounds of each player. In JSON an object whose keys are player ids in any accepted text form.
    Sent(BTreeMap<PlayerId, u32>),
    /// Derivation of the waits by the service, from the server's last rounds and splits. In JSON `"auto"`.
    Auto,
}

impl WaitedRounds {
    /// Returns the waits in rounds that the client sent, by player, or `None` for `"auto"`.
    pub(crate) fn sent(&self) -> Option<&BTreeMap<PlayerId, u32>> {
        match self {
            Self::Sent(rounds) => Some(rounds),
            Self::Auto => None,
        }
    }

    /// Returns `true` if the service should derive how many rounds the players have waited.
    pub(crate) fn is_auto(&self) -> bool {
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
                formatter.write_str(
                    "an object with the number of rounds for each player id, or \"auto\"",
                )
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

/// Deserializer of the number of rounds that one player has waited. A repeated player is refused here, because serde
/// reports an error of a value with the path of its key.
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
                "{} is listed twice, perhaps in two forms of the SteamID; name each player once",
                self.player
            )));
        }
        Ok(rounds.get())
    }
}
