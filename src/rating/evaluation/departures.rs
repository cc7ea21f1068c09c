use std::collections::HashMap;

use super::number;
use super::residual::Residual;
use crate::domain::{MapName, Probability, Score, ServerName};
use crate::rating::GroupTotals;

/// Evidence at which a departure is reported, as the logarithm of a likelihood ratio in nats. Sums are checked after
/// every round, on every map and server, and in both directions. Of pools without a fault, about one in 200 reaches
/// this evidence within 1,000 rounds.
const NAMED: f64 = 10.0;
/// Evidence below which a reported departure is withdrawn.
const FORGIVEN: f64 = NAMED / 2.0;
/// Maximum of the bounded evidence. The limit makes a repaired fault disappear again.
const MAX: f64 = NAMED + 1.0;
/// Leans to a team that are tested, as shares: a small lean that lasts, and a large lean that shows at once.
const LEANS: [f64; 2] = [0.05, 0.15];
/// Minimum number of rounds of a reported departure.
const MIN_ROUNDS: u64 = 20;
const MAX_NAMED: usize = 8;
/// Maximum absolute log-odds of a prediction. The limit keeps a single upset from being proof.
const SUREST: f64 = 3.0;
/// Minimum number of rounds elsewhere for an estimate of how often winners lead the scoreboard.
const MIN_SCOREBOARDS: u64 = 50;

/// Round of a pool, as input of [`departures`].
#[derive(Clone, Debug, PartialEq)]
pub struct WatchedRound {
    /// Map of the round, if reported.
    pub map: Option<MapName>,
    /// Server that reported the round.
    pub server: ServerName,
    /// Predicted probability that team a wins.
    pub predicted: Probability,
    /// Score of team a.
    pub score: Score,
    /// Score of team a if the scoreboard decided; `None` without a scoreboard.
    pub scoreboard: Option<Score>,
}

impl WatchedRound {
    /// Returns the sums over this round alone, seen from team a, with a lead of 0.
    #[must_use]
    pub fn totals(&self) -> GroupTotals {
        GroupTotals::of(0, self.predicted, self.score)
    }
}

/// Part of a pool's rounds in which a [`Departure`] was found.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Scope {
    /// All rounds of the pool.
    Everywhere,
    /// All rounds of a server.
    Server(ServerName),
    /// All rounds on a map, on any server.
    Map(MapName),
    /// All rounds on a map of one server.
    MapOnServer(MapName, ServerName),
}

/// Expectation from which results depart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DepartureKind {
    /// Team a scores more or less than predicted.
    Side,
    /// Teams that were predicted to win lose.
    Favourites,
    /// Teams that lead the scoreboard lose.
    Scoreboards,
}

/// Difference between results and expectations that chance does not explain.
#[derive(Clone, Debug, PartialEq)]
pub struct Departure {
    /// Rounds that depart from the expectation.
    pub place: Scope,
    /// Expectation from which the results depart.
    pub kind: DepartureKind,
    /// Number of rounds at `place` since about the start of the departure.
    pub rounds: u64,
    /// Mean expected score in these rounds: of team a, of the favourites, or of the teams ahead on the scoreboard.
    pub expected: f64,
    /// Mean observed score, comparable with `expected`.
    pub observed: f64,
    /// Standard error of the observed mean minus the expected mean; `None` if unknown.
    pub standard_error: Option<f64>,
}

/// Returns the departures in `rounds`, which must be ordered from the oldest. Returns at most 8, the strongest first.
///
/// # Design
/// The method is CUSUM (E. S. Page, 1954). For every place, sums of log likelihood ratios compare a fault with no
/// fault, and restart when they fall to 0. So a fault may begin at any time, a repaired fault is forgotten, and sums
/// may be checked after every round. Without a fault, every likelihood ratio has the mean 1. A sum then reaches b about
/// once in e^b / g rounds, where g is its growth in a round of the fault. The number of places has no effect.
///
/// - Lean of δ to a team: the ratio is 1 ± 4δ(O - P).
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
    /// Number of rounds before the departure began.
    begin: usize,
    evidence: f64,
    /// Share of winners elsewhere who lead the scoreboard.
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

/// Statistics of how far odds and scoreboards can be trusted.
#[derive(Clone, Copy, Debug, Default)]
struct Reliability {
    /// Σ of the winners' log-odds (`agreement`), and Σ of the squared log-odds (`squares`).
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

    /// Returns the factor that would calibrate the log-odds, minus one standard error, 0 to 4. The first step of
    /// Newton's method underestimates the factor rather than overestimating it.
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
    /// Evidence since the last restart (`sum`), and the evidence limited to [`MAX`] (`bounded`).
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

    /// Adds the logarithm of a round's likelihood ratio.
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

    /// Adds a round of this place. `pool` holds the statistics of all earlier rounds of the pool.
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

/// Returns the log-odds of team a in nats, limited to -[`SUREST`] to [`SUREST`].
fn log_odds(predicted: Probability) -> f64 {
    let odds = libm::log(predicted.get() / predicted.complement().get());
    odds.clamp(-SUREST, SUREST)
}

fn sign(score: Score) -> f64 {
    2.0 * score.value() - 1.0
}

/// Returns `true` if the winners lead the scoreboard; `None` if nobody won, or nobody leads.
fn agrees(round: &WatchedRound) -> Option<bool> {
    let scoreboard = round.scoreboard.filter(|of| *of != Score::DRAW)?;
    (round.score != Score::DRAW).then(|| scoreboard == round.score)
}

#[cfg(test)]
mod tests;
