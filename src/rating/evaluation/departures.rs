mod evidence;
mod opposed;

use std::collections::{BTreeMap, HashMap};

use evidence::{Reliability, Sums};
use opposed::Opposed;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::people::WatchedPlayer;
use super::residual::Residual;
use crate::domain::{MapName, Probability, Score, ServerName};
use crate::rating::GroupTotals;

/// Maximum number of departures (results that chance does not explain) in a report on a pool.
const MAX_NAMED: usize = 8;

/// Round of a pool, as input of the search for [`departures`] of results from predictions.
#[derive(Clone, Debug, PartialEq)]
pub struct WatchedRound {
    /// Map of the round, if reported.
    pub map: Option<MapName>,
    /// Server that reported the round.
    pub server: ServerName,
    /// Predicted win probability of team a.
    pub predicted: Probability,
    /// Score of team a: win, draw or loss.
    pub score: Score,
    /// Score that team a would have if the scoreboard decided; `None` without a scoreboard.
    pub scoreboard: Option<Score>,
    /// Share of both teams' points on the scoreboard that the leading team has, from 0.5 to 1; `None` without a
    /// scoreboard.
    pub leading_share: Option<f64>,
    /// Duration of the round in seconds, if reported.
    pub seconds: Option<u32>,
    /// `true` if the teams followed a split of RBS; `None` if unknown.
    pub is_scrambled: Option<bool>,
    /// Players of the round, in the order of the report.
    pub players: Vec<WatchedPlayer>,
}

impl WatchedRound {
    /// Returns the prediction and score of this round as sums over one round, seen from team a. The lead in rating
    /// points counts as 0.
    #[must_use]
    pub fn totals(&self) -> GroupTotals {
        GroupTotals::of(0, self.predicted, self.score)
    }
}

/// Scope of a departure: the part of a pool's rounds in which a [`Departure`] of results from predictions was found.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Scope {
    /// Scope: all rounds of the pool.
    Everywhere,
    /// Scope: all rounds of one server.
    Server(ServerName),
    /// Scope: all rounds on one map, on any server.
    Map(MapName),
    /// Scope: all rounds on one map of one server.
    MapOnServer(MapName, ServerName),
}

/// Kind of departure: the expectation about a pool's rounds that the results contradict.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
#[schema(as = DepartureFrom)]
pub enum DepartureKind {
    /// Kind of departure in which team a wins more or less often than predicted.
    Side,
    /// Kind of departure in which the predicted favourites lose more often than predicted.
    Favourites,
    /// Kind of departure in which teams that lead on the scoreboard lose unexpectedly often.
    Scoreboards,
}

/// Departure: a difference between results and expectations that chance does not explain.
#[derive(Clone, Debug, PartialEq)]
pub struct Departure {
    /// Map, server, map on one server, or whole pool, whose rounds have the unexpected results.
    pub place: Scope,
    /// Kind of the difference: which expectation about the rounds (sides, favourites or scoreboards) the results miss.
    pub kind: DepartureKind,
    /// Number of rounds of the affected map, server or pool since about the beginning of the unexpected results.
    pub rounds: u64,
    /// Mean expected score, 0 to 1, in the rounds with unexpected results: of team a, the favourites, or the teams
    /// ahead on the scoreboard.
    pub expected: f64,
    /// Mean observed score, 0 to 1, in the rounds with unexpected results, of the teams whose mean expected score is
    /// `expected`.
    pub observed: f64,
    /// Standard error of the mean observed score minus the mean expected score; `None` if unknown.
    pub standard_error: Option<f64>,
}

/// Returns departures of results from predictions in `rounds`, oldest first: at most 8, the strongest first.
///
/// # Design
/// The method is CUSUM (E. S. Page, 1954). For every place (map, server, map on a server, or whole pool), sums of log
/// likelihood ratios compare a fault with no fault, and restart when they fall to 0. So a fault may begin at any time,
/// a repaired fault is forgotten, and sums may be checked after every round. Without a fault, every likelihood ratio
/// has the mean 1. A sum then reaches b about once in e^b / g rounds, where g is its growth in a round of the fault.
/// The number of places has no effect.
///
/// - Lean of δ to a team: the ratio is 1 ± 4δ(O - P).
/// - Swapped winners in a share s of the rounds, by the odds: the ratio is 1 - s + s·(1 - p)/p, where p is the
///   probability of the result. The log-odds are scaled as far as the rounds elsewhere support them. Even odds carry no
///   evidence. The shares 1, 0.3 and 0.1 are tested.
/// - Swapped winners, by the scoreboard: p is the share of winners elsewhere who lead the scoreboard.
/// - Opposite leans of servers on one map, which cancel out in the sums of the map.
///
/// A fault of a map also shows on every server with this map, and in the whole pool. Only the place with the strongest
/// evidence is reported. Its rounds are then removed, and the remaining rounds are tested again.
#[must_use]
pub fn departures(rounds: &[WatchedRound]) -> Vec<Departure> {
    let mut rounds: Vec<&WatchedRound> = rounds.iter().collect();
    let mut found: Vec<Departure> = Vec::new();
    while found.len() < MAX_NAMED
        && let Some(strongest) = strongest(&rounds)
    {
        found.push(strongest.described(&rounds));
        let mut index = 0;
        rounds.retain(|round| {
            index += 1;
            index <= strongest.begin || !strongest.place.has(round)
        });
    }
    found
}

struct Strongest {
    place: Scope,
    kind: DepartureKind,
    /// Number of the pool's rounds before results began to depart from predictions.
    begin: usize,
    evidence: f64,
    /// Share of decided rounds, 0 to 1, whose winners led the scoreboard, outside the map or server with the departure.
    ahead: f64,
}

fn strongest(rounds: &[&WatchedRound]) -> Option<Strongest> {
    let mut watch = Watch::default();
    for round in rounds {
        watch.add(round);
    }
    let Watch {
        pool,
        places,
        opposed,
        ..
    } = watch;
    let opposed = opposed.iter().filter_map(|(map, opposed)| {
        let (server, evidence, begin) = opposed.named()?;
        Some(Strongest {
            place: Scope::MapOnServer(map.clone(), server.clone()),
            kind: DepartureKind::Side,
            begin,
            evidence,
            ahead: 0.5,
        })
    });
    let named = places.iter().flat_map(|sums| {
        let named = sums.evidence.iter().filter(|one| one.is_named);
        named.map(|one| Strongest {
            place: sums.place.clone(),
            kind: one.kind,
            begin: one.begin,
            evidence: one.sum,
            ahead: pool.without(&sums.reliability).ahead().unwrap_or(0.5),
        })
    });
    // Ties go to the first place, the most general one.
    named.chain(opposed).reduce(|best, one| {
        if one.evidence > best.evidence {
            one
        } else {
            best
        }
    })
}

#[derive(Default)]
struct Watch {
    rounds: usize,
    pool: Reliability,
    places: Vec<Sums>,
    indices: HashMap<Scope, usize>,
    opposed: BTreeMap<MapName, Opposed>,
}

impl Watch {
    fn add(&mut self, round: &WatchedRound) {
        for place in scopes_of(round) {
            let index = *self.indices.entry(place).or_insert_with_key(|place| {
                self.places.push(Sums::of(place.clone()));
                self.places.len() - 1
            });
            self.places[index].add(self.rounds, round, &self.pool);
        }
        if let Some(map) = &round.map {
            let opposed = self.opposed.entry(map.clone()).or_default();
            opposed.add(self.rounds, round);
        }
        self.pool.add(round);
        self.rounds += 1;
    }
}

fn scopes_of(round: &WatchedRound) -> impl Iterator<Item = Scope> {
    let server = &round.server;
    let with_map = round.map.iter().flat_map(move |map| {
        let pair = Scope::MapOnServer(map.clone(), server.clone());
        [Scope::Map(map.clone()), pair]
    });
    [Scope::Everywhere, Scope::Server(server.clone())]
        .into_iter()
        .chain(with_map)
}

impl Scope {
    fn has(&self, round: &WatchedRound) -> bool {
        scopes_of(round).any(|scope| scope == *self)
    }
}

impl Strongest {
    fn described(&self, rounds: &[&WatchedRound]) -> Departure {
        let since = rounds.iter().skip(self.begin);
        let mut sums = GroupTotals::default();
        for round in since.filter(|round| self.place.has(round)) {
            let one = match self.kind {
                DepartureKind::Side => Some(round.totals()),
                DepartureKind::Favourites => (round.predicted != Probability::HALF)
                    .then(|| GroupTotals::of_favourite(0, round.predicted, round.score)),
                DepartureKind::Scoreboards => agrees(round).and_then(|agrees| {
                    let score = if agrees { Score::WIN } else { Score::LOSS };
                    Probability::new(self.ahead).map(|ahead| GroupTotals::of(0, ahead, score))
                }),
            };
            sums = sums.plus(one.unwrap_or_default());
        }
        let Residual {
            rounds,
            predicted,
            observed,
            standard_error,
            ..
        } = sums.residual();
        Departure {
            place: self.place.clone(),
            kind: self.kind,
            rounds,
            expected: predicted.unwrap_or(0.5),
            observed: observed.unwrap_or(0.5),
            standard_error,
        }
    }
}

/// Returns `true` if the winners lead the scoreboard; `None` if nobody won, or nobody leads.
fn agrees(round: &WatchedRound) -> Option<bool> {
    let scoreboard = round.scoreboard.filter(|of| *of != Score::DRAW)?;
    (round.score != Score::DRAW).then(|| scoreboard == round.score)
}

#[cfg(test)]
mod tests;
