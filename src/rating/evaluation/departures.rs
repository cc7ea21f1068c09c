use std::collections::HashMap;

use super::number;
use super::residual::Residual;
use crate::domain::{MapName, Probability, Score, ServerName};
use crate::rating::GroupTotals;

/// How large the evidence must be, as the logarithm of a likelihood ratio in nats, before something is named. The sums
/// are looked at after every round, in every map and server, and either way: so much is found within 1,000 rounds of a
/// pool without a fault about once in two hundred pools.
const NAMED: f64 = 10.0;
/// Below this, what was named is named no more.
const FORGIVEN: f64 = NAMED / 2.0;
/// Evidence above this counts as this, so that a fault that is mended is forgotten again.
const MAX: f64 = NAMED + 1.0;
/// The leans to a team that are looked for, as shares: small ones that last, and large ones at once.
const LEANS: [f64; 2] = [0.05, 0.15];
/// Fewer rounds than these name nothing.
const MIN_ROUNDS: u64 = 20;
/// How much is named at most.
const MAX_NAMED: usize = 8;
/// Beyond these log-odds predictions count as this sure: one upset must not be proof of anything.
const SUREST: f64 = 3.0;
/// The rounds elsewhere that it takes to know how often the winners are ahead on the scoreboard.
const MIN_SCOREBOARDS: u64 = 50;

/// A round as it is looked at for departures.
#[derive(Clone, Debug, PartialEq)]
pub struct WatchedRound {
    /// Where it was played, if that was reported.
    pub map: Option<MapName>,
    /// Who reported it.
    pub server: ServerName,
    /// The probability that team a was given.
    pub predicted: Probability,
    /// What team a got.
    pub score: Score,
    /// What team a would have got if the scoreboard decided; `None` where it says nothing.
    pub scoreboard: Option<Score>,
}

impl WatchedRound {
    /// The sums over this round alone, seen from team a, without its lead.
    #[must_use]
    pub fn totals(&self) -> GroupTotals {
        GroupTotals::of(0, self.predicted, self.score)
    }
}

/// Where results depart.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Scope {
    /// In the whole pool.
    Everywhere,
    /// On a server, whatever is played there.
    Server(ServerName),
    /// On a map, wherever it is played.
    Map(MapName),
    /// On a map of one server.
    MapOnServer(MapName, ServerName),
}

/// From what they depart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DepartureKind {
    /// Team a gets more or less than was predicted of it.
    Side,
    /// Those who were predicted to win lose.
    Favourites,
    /// Those who are ahead on the scoreboard lose.
    Scoreboards,
}

/// Results of a place that are further from what was expected than chance explains.
#[derive(Clone, Debug, PartialEq)]
pub struct Departure {
    /// Where.
    pub place: Scope,
    /// From what.
    pub kind: DepartureKind,
    /// The rounds there since about when it began.
    pub rounds: u64,
    /// The mean that was expected in them: of team a, of the favourites, or of the teams ahead.
    pub expected: f64,
    /// The mean that they got.
    pub observed: f64,
    /// The standard error of what lies between; `None` where it is unknown.
    pub standard_error: Option<f64>,
}

/// What departs from predictions in `rounds`, the oldest first, by more than chance: the strongest first, 8 at most.
///
/// # Design
/// For every place there are running sums of logarithms of likelihood ratios, of a fault against none, that begin
/// anew wherever they fall to 0 (CUSUM, E. S. Page 1954). So it does not matter when a fault began, a fault that
/// is mended is forgotten, and one may look after every round: where nothing is wrong, each factor has the mean 1,
/// and a sum comes to b about once in e^b rounds, divided by what it grows by in a round of the fault, whatever
/// the number of places.
///
/// - A lean of δ to a team: 1 ± 4δ(O - P).
/// - Winners the wrong way round, by the odds: the likelihood of the result the other way round, with log-odds as
///   far from 0 as the rounds elsewhere have borne out. Even odds say nothing.
/// - The same by the scoreboard: how much oftener the winners elsewhere are ahead on it than behind.
///
/// A fault of a map shows on every server that plays it and in the whole pool, too. The place with the strongest
/// evidence is the one that is named; then its rounds are taken out, and what is left is looked at anew.
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

/// A place that is named.
struct Strongest {
    place: Scope,
    kind: DepartureKind,
    /// How many of the rounds were before it began.
    begin: usize,
    evidence: f64,
    /// How often winners elsewhere are ahead on the scoreboard.
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
    // Of equals the first, which is the one that says most.
    named.reduce(|best, one| {
        if one.evidence > best.evidence {
            one
        } else {
            best
        }
    })
}

/// All places, round after round.
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

/// What rounds have shown of how far odds and scoreboards are to be trusted.
#[derive(Clone, Copy, Debug, Default)]
struct Reliability {
    /// Σ of the log-odds of the winners, and of their squares.
    agreement: f64,
    squares: f64,
    /// Decided rounds with a scoreboard, and those whose winners were ahead on it.
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

    /// What log-odds are to be multiplied with to be right, less one standard error, 0 to 4; the first step of
    /// Newton's method, which takes too little rather than too much.
    fn slope(&self) -> f64 {
        if self.squares <= 0.0 {
            return 0.0;
        }
        let slope = 2.0 * self.agreement / self.squares - 2.0 / self.squares.sqrt();
        slope.clamp(0.0, 4.0)
    }

    /// The share of winners who are ahead on the scoreboard, less two standard errors; `None` where too few rounds have
    /// one.
    fn ahead(&self) -> Option<f64> {
        (self.scoreboards >= MIN_SCOREBOARDS).then(|| {
            let all = number(self.scoreboards);
            let share = number(self.ahead) / all;
            let error = (share * (1.0 - share) / all).sqrt();
            (share - 2.0 * error).min(0.95)
        })
    }
}

/// The sums of one place.
struct Sums {
    place: Scope,
    reliability: Reliability,
    evidence: [Evidence; 6],
}

/// One of them.
#[derive(Clone, Copy)]
struct Evidence {
    kind: DepartureKind,
    /// The evidence since it was last 0, and the same with the bound above.
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

    /// Takes in the logarithm of a round's likelihood ratio.
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

    /// Takes in a round of the place, where `pool` is what all rounds before have shown.
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

/// Of team a, in nats.
fn log_odds(predicted: Probability) -> f64 {
    let odds = libm::log(predicted.get() / predicted.complement().get());
    odds.clamp(-SUREST, SUREST)
}

/// 1 where team a won, -1 where it lost.
fn sign(score: Score) -> f64 {
    2.0 * score.value() - 1.0
}

/// Whether the winners are ahead on the scoreboard; `None` of a draw in either.
fn agrees(round: &WatchedRound) -> Option<bool> {
    let scoreboard = round.scoreboard.filter(|of| *of != Score::DRAW)?;
    (round.score != Score::DRAW).then(|| scoreboard == round.score)
}

#[cfg(test)]
mod tests;
