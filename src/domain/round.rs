use std::ops::Deref;

use serde::{Deserialize, Serialize};

use super::{
    MapName, ModeName, Mutators, PlayerEntry, PlayerMap, PlayerSet, PoolName, RoundId, SentName,
    ServerName, Side, TeamBots, Timestamp, Winner,
};

/// Maximum number of players per team in the report of a round.
pub const MAX_TEAM: usize = 64;

/// Maximum duration of a round in seconds: one day.
const MAX_ROUND: u32 = 86_400;

/// A round as the client sent it. Each field is valid by itself; [`Report`] checks the fields against each other.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RoundParts {
    /// Name that the client gave to the round, unique within the server.
    pub round_id: RoundId,
    /// Server on which the round was played.
    pub server: ServerName,
    /// Name of the map on which the round was played, if given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub map: Option<MapName>,
    /// Game mode in which the round was played, if given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mode: Option<ModeName>,
    /// Mutators (rule changes of the game) active in the round.
    #[serde(default, skip_serializing_if = "Mutators::is_empty")]
    pub mutators: Mutators,
    /// Time at which the round ended. Defaults to the time of arrival.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ended_at: Option<Timestamp>,
    /// Pool whose ratings the round changes. Defaults to the pool of the server.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pool: Option<PoolName>,
    /// Duration of the round in seconds, if given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub round_seconds: Option<u32>,
    /// Team that won the round, or a draw.
    pub winner: Winner,
    /// Bots that played in each team for the whole round.
    #[serde(
        default,
        skip_serializing_if = "TeamBots::is_empty",
        deserialize_with = "TeamBots::deserialize_any"
    )]
    pub bots: TeamBots,
    /// Players of team a, in the client's order.
    pub team_a: Vec<PlayerEntry>,
    /// Players of team b, in the client's order.
    pub team_b: Vec<PlayerEntry>,
}

/// A valid report of a round: 1 to [`MAX_TEAM`] entries per team, at least one player per team at the start, and
/// one entry per player. Only a player who changed sides has an entry on each team.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(transparent)]
pub struct Report(RoundParts);

/// A [`Report`] with the end time and the pool under which the round counts. Serializes as the report with both
/// fields set.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(transparent)]
pub struct Round {
    report: Report,
    #[serde(skip_serializing)]
    ended_at: Timestamp,
    #[serde(skip_serializing)]
    pool: PoolName,
}

/// Problem with one field of a request.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FieldProblem {
    /// JSON pointer (RFC 6901) to the invalid field of the request.
    pub field: String,
    /// Description of the problem with a field, and a correct value to send.
    pub detail: String,
}

impl FieldProblem {
    /// Creates a problem with the request's field at the JSON pointer `field`, described by `detail`.
    pub fn new(field: impl Into<String>, detail: impl Into<String>) -> Self {
        Self {
            field: field.into(),
            detail: detail.into(),
        }
    }
}

impl RoundParts {
    /// Removes and returns the display names of the round's players, which are not part of the event log.
    pub(crate) fn take_names(&mut self) -> Vec<SentName> {
        let at = self.ended_at;
        let names = self.entries_mut().filter_map(|entry| {
            Some(SentName {
                name: entry.name.take()?,
                player: entry.id,
                at,
            })
        });
        names.collect()
    }
}

impl Report {
    /// Returns the values in the report: server, map, winner, players and all other fields of the round.
    #[must_use]
    pub fn parts(&self) -> &RoundParts {
        &self.0
    }

    /// Returns the permanent identity of the round: the server and its name for the round.
    #[must_use]
    pub fn name(&self) -> (ServerName, RoundId) {
        (self.0.server.clone(), self.0.round_id.clone())
    }

    /// Iterates over the round's player entries with their teams: first team a's, then team b's, each in report order.
    pub fn entries(&self) -> impl Iterator<Item = (Side, &PlayerEntry)> {
        let a = self.0.team_a.iter().map(|entry| (Side::A, entry));
        a.chain(self.0.team_b.iter().map(|entry| (Side::B, entry)))
    }

    /// Iterates over the rated player entries of the round, in the order of [`Self::entries`]. Results of a round are
    /// stored in this order.
    pub fn participants(&self) -> impl Iterator<Item = (Side, &PlayerEntry)> {
        self.entries().filter(|(_, entry)| entry.is_rated())
    }

    /// Returns the names of the fields in which a `later` report of the round contradicts this one, or nothing if it
    /// repeats this one. A time or pool that is missing in `later` is no contradiction.
    pub(crate) fn differences(&self, later: &Self) -> Vec<&'static str> {
        let (this, that) = (&self.0, &later.0);
        [
            ("round_id", this.round_id == that.round_id),
            ("server", this.server == that.server),
            ("map", this.map == that.map),
            ("mode", this.mode == that.mode),
            ("mutators", this.mutators == that.mutators),
            (
                "ended_at",
                that.ended_at.is_none() || this.ended_at == that.ended_at,
            ),
            ("pool", that.pool.is_none() || this.pool == that.pool),
            ("round_seconds", this.round_seconds == that.round_seconds),
            ("winner", this.winner == that.winner),
            ("bots", this.bots == that.bots),
            ("team_a", this.team_a == that.team_a),
            ("team_b", this.team_b == that.team_b),
        ]
        .into_iter()
        .filter_map(|(field, is_same)| (!is_same).then_some(field))
        .collect()
    }

    pub(crate) fn in_pool(mut self, pool: PoolName) -> Self {
        self.0.pool = Some(pool);
        self
    }

    /// Returns this report of a round with its winner replaced by `winner`.
    #[must_use]
    pub fn won_by(mut self, winner: Winner) -> Self {
        self.0.winner = winner;
        self
    }

    /// Converts the report into a round, with the end time and the pool under which the round counts.
    #[must_use]
    pub fn settled(mut self, ended_at: Timestamp, pool: PoolName) -> Round {
        self.0.ended_at = Some(ended_at);
        Round {
            report: self.in_pool(pool.clone()),
            ended_at,
            pool,
        }
    }
}

impl Round {
    /// Returns the time at which the round ended.
    #[must_use]
    pub fn ended_at(&self) -> Timestamp {
        self.ended_at
    }

    pub(crate) fn pool(&self) -> &PoolName {
        &self.pool
    }

    pub(crate) fn set_winner(&mut self, winner: Winner) {
        self.report.0.winner = winner;
    }
}

impl Deref for Round {
    type Target = Report;

    fn deref(&self) -> &Report {
        &self.report
    }
}

impl TryFrom<RoundParts> for Report {
    type Error = Vec<FieldProblem>;

    fn try_from(mut parts: RoundParts) -> Result<Self, Self::Error> {
        let mut problems = Vec::new();
        for (field, team) in [("/team_a", &parts.team_a), ("/team_b", &parts.team_b)] {
            if team.is_empty() || team.len() > MAX_TEAM {
                let count = team.len();
                let detail = format!("has {count} players; send 1 to {MAX_TEAM} players");
                problems.push(FieldProblem::new(field, detail));
            } else if !team.iter().any(|entry| entry.at_start) {
                let detail = "has no player who was on the team when the round started; leave out \
                              \"at_start\": false for at least one player";
                problems.push(FieldProblem::new(field, detail));
            }
        }
        repeated_players(&parts, &mut problems);
        impossible_seconds(&parts, &mut problems);
        repeated_stats(&parts, &mut problems);
        if problems.is_empty() {
            parts.take_names();
            Ok(Self(parts))
        } else {
            Err(problems)
        }
    }
}

/// Adds a problem for each repeated entry of a player in a round's report, unless the player changed sides.
fn repeated_players(parts: &RoundParts, problems: &mut Vec<FieldProblem>) {
    let mut first_seen: PlayerMap<(Side, &PlayerEntry)> = PlayerMap::default();
    let (a, b) = (&parts.team_a, &parts.team_b);
    for (side, field, team) in [(Side::A, "/team_a", a), (Side::B, "/team_b", b)] {
        for (index, entry) in team.iter().enumerate() {
            let Some(&(first_side, first)) = first_seen.get(&entry.id) else {
                first_seen.insert(entry.id, (side, entry));
                continue;
            };
            let changed_sides = first_side != side
                && ((!first.participated && !entry.at_start)
                    || (!entry.participated && !first.at_start));
            if !changed_sides {
                let detail = format!(
                    "{} is listed twice; list each player once; only a player who changed sides may be on both \
                     teams, with \"participated\": false on the old team and \"at_start\": false on the new team",
                    entry.id
                );
                problems.push(FieldProblem::new(format!("{field}/{index}"), detail));
            }
        }
    }
}

/// Adds a problem for every duration in a round's report that is out of range or longer than the round.
fn impossible_seconds(parts: &RoundParts, problems: &mut Vec<FieldProblem>) {
    let is_impossible = |seconds| !(1..=MAX_ROUND).contains(&seconds);
    if parts.round_seconds.is_some_and(is_impossible) {
        let detail =
            format!("is out of range; send a number from 1 to {MAX_ROUND}, or leave it out");
        problems.push(FieldProblem::new("/round_seconds", detail));
        return;
    }
    for (field, team) in [("/team_a", &parts.team_a), ("/team_b", &parts.team_b)] {
        for (index, entry) in team.iter().enumerate() {
            let detail = match (entry.seconds, parts.round_seconds) {
                (Some(_), None) => {
                    "needs \"round_seconds\"; send the length of the round too".to_owned()
                }
                (Some(seconds), Some(all)) if seconds > all => {
                    format!("is {seconds}, longer than the round; send at most {all}")
                }
                _ => continue,
            };
            let field = format!("{field}/{index}/seconds");
            problems.push(FieldProblem::new(field, detail));
        }
    }
}

/// Adds a problem for the second scoreboard line of a player who changed sides, because it is unclear whether the two
/// lines should be added up.
fn repeated_stats(parts: &RoundParts, problems: &mut Vec<FieldProblem>) {
    let mut seen: PlayerSet = PlayerSet::default();
    for (field, team) in [("/team_a", &parts.team_a), ("/team_b", &parts.team_b)] {
        for (index, entry) in team.iter().enumerate() {
            if entry.stats.is_some() && !seen.insert(entry.id) {
                let detail = format!(
                    "is sent twice for {}; send the stats of the whole round once, on either team",
                    entry.id
                );
                problems.push(FieldProblem::new(format!("{field}/{index}/stats"), detail));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{from_value, json};

    use super::*;

    #[test]
    fn a_player_who_changed_sides_may_stand_twice_from_whichever_side() {
        let left = json!([{"id": "[U:1:1]", "participated": false}, "[U:1:2]"]);
        let joined = json!(["[U:1:3]", {"id": "[U:1:1]", "at_start": false}]);
        for (team_a, team_b) in [(&left, &joined), (&joined, &left)] {
            let parts = json!({
                "round_id": "1", "server": "s", "winner": "a", "team_a": team_a, "team_b": team_b,
            });
            let mut problems = Vec::new();
            repeated_players(&from_value(parts).unwrap(), &mut problems);
            assert_eq!(problems, []);
        }
    }
}
