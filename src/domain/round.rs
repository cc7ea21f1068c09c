use std::ops::Deref;

use serde::{Deserialize, Serialize};

use super::check_round::{impossible_seconds, repeated_players, repeated_stats};
use super::{
    MapName, ModeName, Mutators, PlayerEntry, PoolName, RoundId, SentName, ServerName, Side,
    TeamBots, Timestamp, Winner,
};

/// The most entries that one team may have.
pub const MAX_TEAM: usize = 64;

/// What a client sends about a round, each field well-formed but the whole not yet checked.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RoundParts {
    /// The client's name for the round.
    pub round_id: RoundId,
    /// The server that it was played on.
    pub server: ServerName,
    /// The map, if given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub map: Option<MapName>,
    /// The way of playing, if given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mode: Option<ModeName>,
    /// What changed the rules of the game.
    #[serde(default, skip_serializing_if = "Mutators::is_empty")]
    pub mutators: Mutators,
    /// When it ended; where it is not given, when it arrives.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ended_at: Option<Timestamp>,
    /// The pool that it counts in; where it is not given, the server's.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pool: Option<PoolName>,
    /// How long it took, if given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub round_seconds: Option<u32>,
    /// How it ended.
    pub winner: Winner,
    /// The bots that played from the start to the end.
    #[serde(
        default,
        skip_serializing_if = "TeamBots::is_empty",
        deserialize_with = "TeamBots::deserialize_any"
    )]
    pub bots: TeamBots,
    /// Team a, in the client's order.
    pub team_a: Vec<PlayerEntry>,
    /// Team b, in the client's order.
    pub team_b: Vec<PlayerEntry>,
}

/// A round as it was sent, which can be rated: 1 to 64 entries a team, at least one of each at the
/// start, and no player twice but one who changed sides.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(transparent)]
pub struct Report(RoundParts);

/// A report with the time and the pool that the round counts with. In JSON the report with both.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(transparent)]
pub struct Round {
    report: Report,
    #[serde(skip_serializing)]
    ended_at: Timestamp,
    #[serde(skip_serializing)]
    pool: PoolName,
}

/// Something wrong with one field of an input.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct FieldProblem {
    /// Where: a JSON pointer (RFC 6901) into the input.
    pub field: String,
    /// What is wrong and what to send instead.
    pub detail: String,
}

impl FieldProblem {
    /// The problem `detail` at the JSON pointer `field`.
    pub fn new(field: impl Into<String>, detail: impl Into<String>) -> Self {
        Self {
            field: field.into(),
            detail: detail.into(),
        }
    }
}

impl RoundParts {
    /// Takes the names of the players out, which are no part of the log.
    pub fn take_names(&mut self) -> Vec<SentName> {
        let at = self.ended_at;
        let entries = self.team_a.iter_mut().chain(&mut self.team_b);
        let names = entries.filter_map(|entry| {
            Some(SentName {
                name: entry.name.take()?,
                player: entry.id,
                at,
            })
        });
        names.collect()
    }

    /// The same without the names of the players.
    fn without_names(mut self) -> Self {
        for entry in self.team_a.iter_mut().chain(&mut self.team_b) {
            entry.name = None;
        }
        self
    }
}

impl Report {
    /// What was sent.
    #[must_use]
    pub fn parts(&self) -> &RoundParts {
        &self.0
    }

    /// What names it for good.
    #[must_use]
    pub fn name(&self) -> (ServerName, RoundId) {
        (self.0.server.clone(), self.0.round_id.clone())
    }

    /// Every entry with its side: team a, then team b, each in the order sent.
    pub fn entries(&self) -> impl Iterator<Item = (Side, &PlayerEntry)> {
        let a = self.0.team_a.iter().map(|entry| (Side::A, entry));
        a.chain(self.0.team_b.iter().map(|entry| (Side::B, entry)))
    }

    /// The entries that are rated, in the same order: what a round makes of its participants is
    /// listed so everywhere.
    pub fn participants(&self) -> impl Iterator<Item = (Side, &PlayerEntry)> {
        self.entries().filter(|(_, entry)| entry.is_rated())
    }

    /// The fields in which `later` is another round than this one; none where it reports this very
    /// round again. A time or pool that `later` leaves out asks for nothing, and cannot differ.
    #[must_use]
    pub fn differences(&self, later: &Self) -> Vec<&'static str> {
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

    /// The same report of a round that is to count in `pool`.
    #[must_use]
    pub fn in_pool(mut self, pool: PoolName) -> Self {
        self.0.pool = Some(pool);
        self
    }

    /// The same report of a round that ended so.
    #[must_use]
    pub fn won_by(mut self, winner: Winner) -> Self {
        self.0.winner = winner;
        self
    }

    /// The round with the time and the pool that it counts with.
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
    /// When it ended.
    #[must_use]
    pub fn ended_at(&self) -> Timestamp {
        self.ended_at
    }

    /// The pool that it counts in.
    #[must_use]
    pub fn pool(&self) -> &PoolName {
        &self.pool
    }

    /// Has it end so.
    pub fn set_winner(&mut self, winner: Winner) {
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

    fn try_from(parts: RoundParts) -> Result<Self, Self::Error> {
        let mut problems = Vec::new();
        for (field, team) in [("/team_a", &parts.team_a), ("/team_b", &parts.team_b)] {
            if team.is_empty() || team.len() > MAX_TEAM {
                problems.push(FieldProblem::new(
                    field,
                    format!("has {} players; send 1 to {MAX_TEAM}", team.len()),
                ));
            } else if !team.iter().any(|entry| entry.at_start) {
                problems.push(FieldProblem::new(
                    field,
                    "has nobody who stood on the team when the round started; leave out \
                     \"at_start\": false for at least one player",
                ));
            }
        }
        repeated_players(&parts, &mut problems);
        impossible_seconds(&parts, &mut problems);
        repeated_stats(&parts, &mut problems);
        if problems.is_empty() {
            Ok(Self(parts.without_names()))
        } else {
            Err(problems)
        }
    }
}
