use std::collections::HashMap;

use super::number;
use super::residual::Residual;
use crate::domain::{MapName, Probability, Score, ServerName};
use crate::rating::GroupTotals;

/// Evidence at which a departure of results from predictions is reported, as the logarithm of a likelihood ratio in
/// nats. Sums are checked after every round, on every map and server, and in both directions. Of pools without a fault,
/// about one in 200 reaches this evidence within 1,000 rounds.
const NAMED: f64 = 10.0;
/// Evidence, in nats, below which a reported departure of results from predictions is withdrawn.
const FORGIVEN: f64 = NAMED / 2.0;
/// Maximum of the bounded evidence for a departure, in nats. The limit makes a repaired fault disappear again.
const MAX: f64 = NAMED + 1.0;
/// Tested advantages of a team, as shares of its score: a small one that lasts, and a large one that shows at once.
const LEANS: [f64; 2] = [0.05, 0.15];
/// Minimum number of rounds of a reported departure of results from predictions.
const MIN_ROUNDS: u64 = 20;
const MAX_NAMED: usize = 8;
/// Maximum absolute log-odds of a prediction, in nats. The limit keeps a single upset from being proof.
const SUREST: f64 = 3.0;
/// Minimum number of rounds outside the tested map or server for an estimate of how often winners lead the scoreboard.
const MIN_SCOREBOARDS: u64 = 50;

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

/// Expectation that the results of a pool's rounds contradict by more than chance explains.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DepartureKind {
    /// Departure of results from predictions: team a scores more or less than predicted.
    Side,
    /// Departure of results from predictions: teams that were predicted to win lose.
    Favourites,
    /// Departure of results from scoreboards: teams that lead the scoreboard lose.
    Scoreboards,
}

/// Departure: a difference between results and expectations that chance does not explain.
#[derive(Clone, Debug, PartialEq)]
pub struct Departure {
    /// Part of the pool's rounds whose results depart from the expectation.
    pub place: Scope,
    /// Expectation from which the results depart.
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
/// The method is CUSUM (E. S. Page, 1954). For every place, sums of log likelihood ratios compare a fault with no
/// fault, and restart when they fall to 0. So a fault may begin at any time, a repaired fault is forgotten, and sums
/// may be checked after every round. Without a fault, every likelihood ratio has the mean 1. A sum then reaches b about
/// once in e^b / g rounds, where g is its growth in a round of the fault. The number of places has no effect.
///
/// - Advantage of δ for a team: the ratio is 1 ± 4δ(O - P).
/// - Swapped winners, by the odds: the ratio is the likelihood of the opposite result. The log-odds are scaled as far
///   as the rounds elsewhere support them. Even odds carry no evidence.
/// - Swapped winners, by the scoreboard: the ratio is the odds at which winners elsewhere lead the scoreboard.
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
    /// Share of winners outside the tested map or server who lead the scoreboard.
    ahead: f64,
}

fn strongest(rounds: &[&WatchedRound]) -> Option<Strongest> {
    let mut watch = Watch::default();
    for round in rounds {
        watch.add(round);
    }
    let Watch { pool, places, .. } = watch;
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
    named.reduce(|best, one| {
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
        match self {
            Self::Everywhere => true,
            Self::Server(server) => *server == round.server,
            Self::Map(map) => Some(map) == round.map.as_ref(),
            Self::MapOnServer(map, server) => {
                *server == round.server && Some(map) == round.map.as_ref()
            }
        }
    }
}

/// Statistics of how far predicted odds and scoreboards agree with results.
#[derive(Clone, Copy, Debug, Default)]
struct Reliability {
    /// Σ of the winners' predicted log-odds (`agreement`), and Σ of the squared log-odds (`squares`).
    agreement: f64,
    squares: f64,
    /// Number of decided rounds with a scoreboard, and number of rounds whose winners led the scoreboard.
    scoreboards: u64,
    ahead: u64,
}

impl Reliability {
    fn add(&mut self, round: &WatchedRound) {
        let odds = log_odds(round.predicted);
        self.agreement += sign(round.score) * odds;
        self.squares += odds * odds;
        if let Some(agrees) = agrees(round) {
            self.scoreboards += 1;
            self.ahead += u64::from(agrees);
        }
    }

    fn without(self, other: &Self) -> Self {
        Self {
            agreement: self.agreement - other.agreement,
            squares: self.squares - other.squares,
            scoreboards: self.scoreboards - other.scoreboards,
            ahead: self.ahead - other.ahead,
        }
    }

    /// Returns the factor that would calibrate the predicted log-odds, minus one standard error, 0 to 4. The first step
    /// of Newton's method underestimates the factor rather than overestimating it.
    fn slope(&self) -> f64 {
        if self.squares <= 0.0 {
            return 0.0;
        }
        let slope = 2.0 * self.agreement / self.squares - 2.0 / self.squares.sqrt();
        slope.clamp(0.0, 4.0)
    }

    /// Returns the share of winners who lead the scoreboard, minus two standard errors. Returns `None` for fewer than
    /// [`MIN_SCOREBOARDS`] rounds.
    fn ahead(&self) -> Option<f64> {
        (self.scoreboards >= MIN_SCOREBOARDS).then(|| {
            let all = number(self.scoreboards);
            let share = number(self.ahead) / all;
            let error = (share * (1.0 - share) / all).sqrt();
            (share - 2.0 * error).min(0.95)
        })
    }
}

struct Sums {
    place: Scope,
    reliability: Reliability,
    evidence: [Evidence; 6],
}

#[derive(Clone, Copy)]
struct Evidence {
    kind: DepartureKind,
    /// Evidence for a fault: log likelihood ratio of a fault to no fault, in nats, since it last fell to 0 (`sum`).
    /// `bounded` is this evidence limited to [`MAX`].
    sum: f64,
    bounded: f64,
    rounds: u64,
    begin: usize,
    is_named: bool,
}

impl Evidence {
    const fn of(kind: DepartureKind) -> Self {
        Self {
            kind,
            sum: 0.0,
            bounded: 0.0,
            rounds: 0,
            begin: 0,
            is_named: false,
        }
    }

    /// Adds a round's log likelihood ratio, in nats, to the evidence that results depart from predictions.
    fn add(&mut self, index: usize, ratio: f64) {
        if ratio == 0.0 {
            return;
        }
        if self.rounds == 0 {
            self.begin = index;
        }
        self.rounds += 1;
        self.sum += ratio;
        self.bounded = (self.bounded + ratio).min(MAX);
        if self.bounded <= 0.0 {
            *self = Self::of(self.kind);
        } else if self.bounded >= NAMED && self.rounds >= MIN_ROUNDS {
            self.is_named = true;
        } else if self.bounded < FORGIVEN {
            self.is_named = false;
        }
    }
}

impl Sums {
    fn of(place: Scope) -> Self {
        let side = Evidence::of(DepartureKind::Side);
        let favourites = Evidence::of(DepartureKind::Favourites);
        let scoreboards = Evidence::of(DepartureKind::Scoreboards);
        Self {
            place,
            reliability: Reliability::default(),
            evidence: [side, side, side, side, favourites, scoreboards],
        }
    }

    /// Adds a round to the evidence that results on its map, its server or in its pool depart from predictions. `pool`
    /// has the statistics of all earlier rounds of the pool.
    fn add(&mut self, index: usize, round: &WatchedRound, pool: &Reliability) {
        let miss = round.score.value() - round.predicted.get();
        let (sides, winners) = self.evidence.split_at_mut(2 * LEANS.len());
        let leans = LEANS.iter().flat_map(|lean| [*lean, -lean]);
        for (one, lean) in sides.iter_mut().zip(leans) {
            one.add(index, libm::log1p(4.0 * lean * miss));
        }
        let elsewhere = pool.without(&self.reliability);
        if let [favourites, scoreboards] = winners {
            let odds = sign(round.score) * log_odds(round.predicted);
            favourites.add(index, -elsewhere.slope() * odds);
            if let (Some(agrees), Some(ahead)) = (agrees(round), elsewhere.ahead())
                && ahead > 0.5
            {
                let ratio = libm::log(ahead / (1.0 - ahead));
                scoreboards.add(index, if agrees { -ratio } else { ratio });
            }
        }
        self.reliability.add(round);
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

/// Returns team a's log-odds in nats, limited to -[`SUREST`] to [`SUREST`].
fn log_odds(predicted: Probability) -> f64 {
    let odds = libm::log(predicted.get() / predicted.complement().get());
    odds.clamp(-SUREST, SUREST)
}

fn sign(score: Score) -> f64 {
    2.0 * score.value() - 1.0
}

/// Returns `true` if the winners led the scoreboard; `None` if nobody won, or nobody led.
fn agrees(round: &WatchedRound) -> Option<bool> {
    let scoreboard = round.scoreboard.filter(|of| *of != Score::DRAW)?;
    (round.score != Score::DRAW).then(|| scoreboard == round.score)
}

#[cfg(test)]
mod tests;
