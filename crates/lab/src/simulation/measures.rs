use serde::Serialize;

use super::community::{AFTER_SLUMP, Community, Member, SLUMP, mean};
use super::play::{ImpossibleScenario, player_id};
use rbs::rating::{EngineError, InMemoryPool};

/// A simulation is measured in so many parts of the same length.
pub(super) const PARTS: usize = 10;
/// The ratings of all are compared with their skills once in so many rounds.
const LOOK_EVERY: u32 = 10;
/// A newcomer is looked at after so many own rounds.
const NEWCOMER_ROUNDS: [(u32, &str); 3] = [
    (25, "newcomer, after 25 rounds"),
    (100, "newcomer, after 100 rounds"),
    (400, "newcomer, after 400 rounds"),
];
const SLUMP_ENDS: &str = "slump, at its end";
const SLUMP_OVER: &str = "slump, 240 rounds later";

/// How a simulation went.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Simulated {
    /// By tenths of its rounds.
    pub(crate) tenths: Vec<Tenth>,
    /// Of those who were watched one by one, by what they were watched for.
    pub(crate) watched: Vec<Watched>,
}

/// The means over a tenth of a simulation's rounds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub(crate) struct Tenth {
    /// How far the true win probabilities were from 0.5.
    pub(crate) imbalance: f64,
    /// Pearson's correlation of the regulars' ratings with their skills.
    pub(crate) correlation: f64,
    /// The mean of the regulars' ratings, in points. Skills have no such level; ratings have a floor.
    pub(crate) rating_mean: f64,
    /// The standard deviation of the regulars' ratings, in points.
    pub(crate) rating_spread: f64,
    /// That of their skills.
    pub(crate) skill_spread: f64,
    /// The root mean squared error of their ratings, both centred, in points.
    pub(crate) error: f64,
}

/// By how much the ratings of those who were watched were off, in points.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Watched {
    /// Who, and when.
    pub(crate) what: &'static str,
    /// How many.
    pub(crate) players: u32,
    /// The mean error. Of newcomers in the direction of their skill: below 0 the rating has not come so far yet,
    /// above 0 it went too far. Of slumps rating less skill.
    pub(crate) error: f64,
    /// The root mean squared error.
    pub(crate) rms: f64,
}

/// A figure over several seeds.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub(crate) struct Summary {
    /// The mean.
    pub(crate) mean: f64,
    /// The lowest.
    pub(crate) low: f64,
    /// The highest.
    pub(crate) high: f64,
    /// The standard error of the mean; `None` of one seed.
    pub(crate) standard_error: Option<f64>,
}

impl Summary {
    /// Of these figures; `None` of none.
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
    /// The spread of the ratings as a share of that of the skills: 1 where odds are of the right size.
    #[must_use]
    pub(crate) fn spread_ratio(&self) -> f64 {
        self.rating_spread / self.skill_spread
    }
}

/// Collects what a simulation shows.
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

    /// Notes how far a round was from even odds.
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
        // Before anybody was rated there is no correlation.
        sums.correlation += of(|(x, y)| x * y) / (ratings * skills).max(f64::MIN_POSITIVE);
        sums.rating_mean += rating;
        sums.rating_spread += ratings;
        sums.skill_spread += skills;
        sums.error += of(|(x, y)| (x - y) * (x - y)).sqrt();
        *looks += 1.0;
        Ok(())
    }

    /// What was found. A tenth without rounds is left out.
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

/// What a player is looked at for after a round, and which way their error counts.
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

/// By how much a rating lies above the skill, both seen from the mean of the regulars.
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
