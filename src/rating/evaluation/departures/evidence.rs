//! Evidence that the results on one map, on one server or in a whole pool depart from the expected results, summed
//! round by round.

use std::{array, iter};

use super::{DepartureKind, Scope, WatchedRound, agrees};
use crate::domain::{Probability, Score};
use crate::rating::evaluation::number;

/// Evidence at which a departure is reported, as the logarithm of a likelihood ratio in nats. Sums are checked after
/// every round, on every map and server, and for every alternative. Of 200 simulated pools without a fault, at most two
/// reach this evidence within 2,000 rounds.
pub(super) const NAMED: f64 = 12.5;
/// Evidence, in nats, below which a reported departure of results from expectations is withdrawn.
pub(super) const FORGIVEN: f64 = NAMED / 2.0;
/// Maximum of the summed evidence for a departure of results from predictions, in nats. Because of the limit, the
/// departure is withdrawn soon after its cause is repaired.
pub(super) const MAX: f64 = NAMED + 1.0;
/// Minimum number of rounds in the evidence for a reported departure of results from expectations.
pub(super) const MIN_ROUNDS: u64 = 20;
/// Assumed increases of one team's win probability on a map or server, which are compared with no increase. A small
/// increase is found after many rounds, a large one after few.
const LEANS: [f64; 2] = [0.05, 0.15];
/// Assumed shares of the rounds of a map or server that are reported with the loser as the winner. Each share is
/// compared with a share of 0.
const SWAPPED: [f64; 3] = [1.0, 0.3, 0.1];
/// Number of hypotheses tested for each map or server: two directions of each of the [`LEANS`], then [`SWAPPED`]
/// winners by odds and by scoreboard.
const ALTERNATIVES: usize = 2 * LEANS.len() + 2 * SWAPPED.len();
/// Maximum absolute log-odds of a prediction. The limit keeps a single upset from being proof.
const SUREST: f64 = 3.0;
/// Minimum number of rounds on other maps and servers from which to estimate how often winners lead the scoreboard.
const MIN_SCOREBOARDS: u64 = 50;

/// Statistics of how often winners are the predicted favourites or lead the scoreboard.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Reliability {
    /// Σ of the log-odds predicted for the winner (`agreement`), and Σ of the squared log-odds (`squares`), over all
    /// added rounds.
    agreement: f64,
    squares: f64,
    /// Number of decided rounds with a scoreboard, and number of rounds whose winners led the scoreboard.
    scoreboards: u64,
    ahead: u64,
}

impl Reliability {
    pub(super) fn add(&mut self, round: &WatchedRound) {
        let odds = log_odds(round.predicted);
        self.agreement += sign(round.score) * odds;
        self.squares += odds * odds;
        if let Some(agrees) = agrees(round) {
            self.scoreboards += 1;
            self.ahead += u64::from(agrees);
        }
    }

    pub(super) fn without(self, other: &Self) -> Self {
        Self {
            agreement: self.agreement - other.agreement,
            squares: self.squares - other.squares,
            scoreboards: self.scoreboards - other.scoreboards,
            ahead: self.ahead - other.ahead,
        }
    }

    /// Returns the factor by which the predicted log-odds would fit the results best, minus one standard error, 0 to 4.
    /// The first step of Newton's method underestimates the factor rather than overestimating it.
    fn slope(&self) -> f64 {
        if self.squares <= 0.0 {
            return 0.0;
        }
        let slope = 2.0 * self.agreement / self.squares - 2.0 / self.squares.sqrt();
        slope.clamp(0.0, 4.0)
    }

    /// Returns the share of winners who lead the scoreboard, minus two standard errors. Returns `None` for fewer than
    /// [`MIN_SCOREBOARDS`] rounds.
    pub(super) fn ahead(&self) -> Option<f64> {
        (self.scoreboards >= MIN_SCOREBOARDS).then(|| {
            let all = number(self.scoreboards);
            let share = number(self.ahead) / all;
            let error = (share * (1.0 - share) / all).sqrt();
            (share - 2.0 * error).min(0.95)
        })
    }
}

pub(super) struct Sums {
    pub(super) place: Scope,
    pub(super) reliability: Reliability,
    pub(super) evidence: [Evidence; ALTERNATIVES],
}

#[derive(Clone, Copy)]
pub(super) struct Evidence {
    pub(super) kind: DepartureKind,
    /// Evidence for a departure of results, in nats, since the last restart (`sum`), and limited to [`MAX`]
    /// (`bounded`).
    pub(super) sum: f64,
    bounded: f64,
    rounds: u64,
    pub(super) begin: usize,
    pub(super) is_named: bool,
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

    /// Adds a round to this sum of evidence. `ratio` is the logarithm of its likelihood ratio of a fault against no
    /// fault, in nats.
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
    pub(super) fn of(place: Scope) -> Self {
        let mut kinds = [
            (DepartureKind::Side, 2 * LEANS.len()),
            (DepartureKind::Favourites, SWAPPED.len()),
            (DepartureKind::Scoreboards, SWAPPED.len()),
        ]
        .into_iter()
        .flat_map(|(kind, count)| iter::repeat_n(kind, count));
        Self {
            place,
            reliability: Reliability::default(),
            evidence: array::from_fn(|_| {
                Evidence::of(kinds.next().unwrap_or(DepartureKind::Scoreboards))
            }),
        }
    }

    /// Adds a round of this map or server to the evidence. `index` is the number of the pool's earlier rounds, and
    /// `pool` holds the statistics of these rounds.
    pub(super) fn add(&mut self, index: usize, round: &WatchedRound, pool: &Reliability) {
        let miss = round.score.value() - round.predicted.get();
        let (sides, winners) = self.evidence.split_at_mut(2 * LEANS.len());
        let leans = LEANS.iter().flat_map(|lean| [*lean, -lean]);
        for (one, lean) in sides.iter_mut().zip(leans) {
            one.add(index, libm::log1p(4.0 * lean * miss));
        }
        let elsewhere = pool.without(&self.reliability);
        let (favourites, scoreboards) = winners.split_at_mut(SWAPPED.len());
        let odds = elsewhere.slope() * sign(round.score) * log_odds(round.predicted);
        for (one, share) in favourites.iter_mut().zip(SWAPPED) {
            one.add(index, swapped(share, odds));
        }
        if let (Some(agrees), Some(ahead)) = (agrees(round), elsewhere.ahead())
            && ahead > 0.5
        {
            let odds = libm::log(ahead / (1.0 - ahead));
            let odds = if agrees { odds } else { -odds };
            for (one, share) in scoreboards.iter_mut().zip(SWAPPED) {
                one.add(index, swapped(share, odds));
            }
        }
        self.reliability.add(round);
    }
}

/// Returns the log likelihood ratio of a round's result, in nats: if winner and loser are swapped in this `share` of
/// all reports, against correct reports. `odds` are the log-odds of the result with correct reports.
fn swapped(share: f64, odds: f64) -> f64 {
    libm::log1p(share * libm::expm1(-odds))
}

/// Returns the log-odds, in nats, of team a's `predicted` win probability, limited to -[`SUREST`] to [`SUREST`].
fn log_odds(predicted: Probability) -> f64 {
    let odds = libm::log(predicted.get() / predicted.complement().get());
    odds.clamp(-SUREST, SUREST)
}

fn sign(score: Score) -> f64 {
    2.0 * score.value() - 1.0
}
