use serde::Serialize;

use super::community::{AFTER_SLUMP, Community, Member, SLUMP, mean};
use super::play::{ImpossibleScenario, player_id};
use rbs::rating::{EngineError, InMemoryPool};

/// Number of equal parts of a simulation that are measured separately.
pub(super) const PARTS: usize = 10;
/// Interval, in rounds, at which all ratings are compared with the skills.
const LOOK_EVERY: u32 = 10;
/// Numbers of own rounds after which the error of a newcomer is recorded.
const NEWCOMER_ROUNDS: [(u32, &str); 3] = [
    (25, "newcomer, after 25 rounds"),
    (100, "newcomer, after 100 rounds"),
    (400, "newcomer, after 400 rounds"),
];
const SLUMP_ENDS: &str = "slump, at its end";
const SLUMP_OVER: &str = "slump, 240 rounds later";

/// Results of a simulation.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Simulated {
    /// Results by tenths of the rounds.
    pub(crate) tenths: Vec<Tenth>,
    /// Errors of individually watched players, by what they were watched for.
    pub(crate) watched: Vec<Watched>,
}

/// Means over a tenth of the rounds of a simulation.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub(crate) struct Tenth {
    /// Mean |P - 0.5| of the true win probabilities.
    pub(crate) imbalance: f64,
    /// Pearson's correlation of the regulars' ratings with their skills.
    pub(crate) correlation: f64,
    /// Mean of the regulars' ratings in points. Skills have mean 0; ratings have a floor.
    pub(crate) rating_mean: f64,
    /// Standard deviation of the regulars' ratings, in points.
    pub(crate) rating_spread: f64,
    /// Standard deviation of the regulars' skills, in points.
    pub(crate) skill_spread: f64,
    /// Root mean squared error of the regulars' ratings in points, with ratings and skills centered.
    pub(crate) error: f64,
}

/// Rating errors of watched players, in points.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Watched {
    /// Description of the players and the moment.
    pub(crate) what: &'static str,
    pub(crate) players: u32,
    /// Mean error. For newcomers, in the direction of their skill: negative if the rating still lags, positive if it
    /// overshot. For slumps, rating minus skill.
    pub(crate) error: f64,
    pub(crate) rms: f64,
}

/// Summary of a figure over several seeds.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub(crate) struct Summary {
    pub(crate) mean: f64,
    pub(crate) low: f64,
    pub(crate) high: f64,
    /// Standard error of the mean; `None` for one seed.
    pub(crate) standard_error: Option<f64>,
}

impl Summary {
    /// Summarizes the figures; `None` if there are none.
    #[must_use]
    pub(crate) fn of(figures: &[f64]) -> Option<Self> {
        let (first, _) = figures.split_first()?;
        let mean = mean(figures.iter().copied());
        let squares = figures
            .iter()
            .map(|figure| (figure - mean) * (figure - mean));
        #[expect(clippy::cast_precision_loss, reason = "seeds are few")]
        let count = figures.len() as f64;
        let error =
            (figures.len() > 1).then(|| (squares.sum::<f64>() / (count - 1.0) / count).sqrt());
        Some(Self {
            mean,
            low: figures.iter().copied().fold(*first, f64::min),
            high: figures.iter().copied().fold(*first, f64::max),
            standard_error: error,
        })
    }
}

impl Tenth {
    /// Spread of the ratings as a fraction of the spread of the skills; 1 if the odds have the right scale.
    #[must_use]
    pub(crate) fn spread_ratio(&self) -> f64 {
        self.rating_spread / self.skill_spread
    }
}

/// Accumulates measurements during a simulation.
pub(super) struct Measures {
    rounds: u32,
    parts: [(Tenth, f64, f64); PARTS],
    errors: Vec<(&'static str, Vec<f64>)>,
}

impl Measures {
    pub(super) fn new(rounds: u32) -> Self {
        Self {
            rounds,
            parts: [(Tenth::default(), 0.0, 0.0); PARTS],
            errors: Vec::new(),
        }
    }

    fn part(&mut self, round: u32) -> &mut (Tenth, f64, f64) {
        let parts = u64::try_from(PARTS).unwrap_or(u64::MAX);
        let part = u64::from(round) * parts / u64::from(self.rounds.max(1));
        let part = usize::try_from(part).unwrap_or(usize::MAX);
        &mut self.parts[part.min(PARTS - 1)]
    }

    /// Records the imbalance of a round.
    pub(super) fn take_round(&mut self, round: u32, imbalance: f64) {
        let (sums, rounds, _) = self.part(round);
        sums.imbalance += imbalance;
        *rounds += 1.0;
    }

    /// Compares ratings with skills after a round.
    pub(super) fn look(
        &mut self,
        round: u32,
        community: &Community,
        players: &[usize],
        pool: &InMemoryPool,
    ) -> Result<(), ImpossibleScenario> {
        for what in players
            .iter()
            .filter_map(|player| due(community, *player, round))
        {
            let (what, member, sign) = what;
            let error = sign * error_of(member, community, pool)?;
            match self.errors.iter_mut().find(|(known, _)| *known == what) {
                Some((_, errors)) => errors.push(error),
                None => self.errors.push((what, vec![error])),
            }
        }
        if !round.is_multiple_of(LOOK_EVERY) {
            return Ok(());
        }
        let mut pairs = Vec::with_capacity(community.regulars().len());
        for member in community.regulars() {
            pairs.push((points(member, pool)?, member.skill));
        }
        let (rating, skill) = (
            mean(pairs.iter().map(|(rating, _)| *rating)),
            mean(pairs.iter().map(|(_, skill)| *skill)),
        );
        let centred = pairs.iter().map(|(x, y)| (x - rating, y - skill));
        let of = |product: fn((f64, f64)) -> f64| mean(centred.clone().map(product));
        let (ratings, skills) = (of(|(x, _)| x * x).sqrt(), of(|(_, y)| y * y).sqrt());
        let (sums, _, looks) = self.part(round);
        // The correlation is undefined before any player is rated.
        sums.correlation += of(|(x, y)| x * y) / (ratings * skills).max(f64::MIN_POSITIVE);
        sums.rating_mean += rating;
        sums.rating_spread += ratings;
        sums.skill_spread += skills;
        sums.error += of(|(x, y)| (x - y) * (x - y)).sqrt();
        *looks += 1.0;
        Ok(())
    }

    /// Returns the results, without tenths that have no rounds.
    pub(super) fn simulated(self) -> Simulated {
        let tenths = self
            .parts
            .iter()
            .filter(|(_, rounds, looks)| *rounds > 0.0 && *looks > 0.0);
        let tenths = tenths.map(|(sums, rounds, looks)| Tenth {
            imbalance: sums.imbalance / rounds,
            correlation: sums.correlation / looks,
            rating_mean: sums.rating_mean / looks,
            rating_spread: sums.rating_spread / looks,
            skill_spread: sums.skill_spread / looks,
            error: sums.error / looks,
        });
        let watched = self.errors.iter().map(|(what, errors)| Watched {
            what,
            players: u32::try_from(errors.len()).unwrap_or(u32::MAX),
            error: mean(errors.iter().copied()),
            rms: mean(errors.iter().map(|error| error * error)).sqrt(),
        });
        Simulated {
            tenths: tenths.collect(),
            watched: watched.collect(),
        }
    }
}

/// If the player is due to be recorded after a round: the label, the member, and the sign of the error.
fn due(community: &Community, player: usize, round: u32) -> Option<(&'static str, &Member, f64)> {
    let member = community.members.get(player)?;
    if member.is_new {
        let mut moments = NEWCOMER_ROUNDS.iter();
        let (_, what) = moments.find(|(rounds, _)| *rounds == member.rounds)?;
        return Some((what, member, member.skill.signum()));
    }
    let (watched, since) = community
        .watched
        .filter(|(watched, _)| *watched == player)?;
    let member = community.members.get(watched)?;
    let passed = round - since + 1;
    let what = match passed {
        SLUMP => SLUMP_ENDS,
        passed if passed == SLUMP + AFTER_SLUMP => SLUMP_OVER,
        _ => return None,
    };
    Some((what, member, 1.0))
}

/// Rating error of a member, with rating and skill relative to the means of the regulars.
fn error_of(
    member: &Member,
    community: &Community,
    pool: &InMemoryPool,
) -> Result<f64, ImpossibleScenario> {
    let regulars = community.regulars();
    let mut ratings = Vec::with_capacity(regulars.len());
    for regular in regulars {
        ratings.push(points(regular, pool)?);
    }
    let skill = member.skill - member.lacking - mean(regulars.iter().map(|member| member.skill));
    Ok(points(member, pool)? - mean(ratings.into_iter()) - skill)
}

fn points(member: &Member, pool: &InMemoryPool) -> Result<f64, ImpossibleScenario> {
    let rating = pool
        .rating(player_id(member.account)?)
        .map_err(EngineError::from)?;
    Ok(f64::from(rating.points()))
}
