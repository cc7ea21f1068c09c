use std::collections::BTreeSet;

use rbs::domain::{BotLevel, Rating, Round, Side, TeamBots};
use rbs::rating::{BotRatings, EngineError, InMemoryPool, ModelName, Parameters};

/// Standard deviation, in points, of the prior of a level around a new player's rating. So wide that it matters only if
/// the rounds carry no information; the standard error then equals it.
const PRIOR: f64 = 10_000.0;
/// Maximum number of passes. Each pass rates the rounds again with the bot ratings of the pass before.
const MAX_PASSES: u32 = 12;
/// Maximum number of Newton steps in a pass, above any number needed in practice.
const MAX_STEPS: u32 = 60;
/// A step that moves no level by this many points ends the iteration.
const SETTLED: f64 = 0.01;
/// Log-odds are clamped to this absolute value.
const SUREST: f64 = 20.0;

/// Fitted rating of the bots of one level.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct BotFit {
    pub(crate) level: BotLevel,
    /// Maximum-likelihood rating, at least 0.
    pub(crate) rating: Rating,
    /// Standard error in points. It is 10,000 if the rounds carry no information, for example because both teams always
    /// had equally many bots of the level.
    pub(crate) standard_error: f64,
    /// Number of rounds used: rounds in which one team had more bots of the level.
    pub(crate) rounds: u64,
}

struct Played {
    /// Lead of team a without bots, in points.
    ahead: f64,
    /// For each level, the number of bots that team a had more than team b.
    more: Vec<f64>,
    /// Score of team a, 0 to 1.
    score: f64,
}

/// Fits the ratings of bots of each level to `rounds`, oldest first. The first `skipped` rounds are not scored, because
/// ratings mean little at the beginning. Returns no fits if no bots played.
///
/// # Design
/// SynElo rates the rounds. Its predictions without the bots are the offset of a logistic regression whose coefficients
/// are the ratings of the levels. The log loss is convex, so Newton's method with step halving finds its minimum.
/// Player ratings depend on the bot ratings, so the fit is repeated until the bot ratings are stable. The standard
/// errors come from the observed information.
pub(crate) fn fit_bots(
    rounds: &[Round],
    parameters: &Parameters,
    skipped: usize,
) -> Result<Vec<BotFit>, EngineError> {
    let bots = rounds.iter().flat_map(|round| round.parts().bots.iter());
    let levels: BTreeSet<BotLevel> = bots.map(|(_, level, _)| level.clone()).collect();
    let levels: Vec<BotLevel> = levels.into_iter().collect();
    if levels.is_empty() {
        return Ok(Vec::new());
    }
    let mut parameters = parameters.clone();
    let initial = parameters.initial_rating;
    let mut points: Vec<f64> = (levels.iter())
        .map(|level| f64::from(parameters.bots.of(level).unwrap_or(initial).points()))
        .collect();
    for _ in 0..MAX_PASSES {
        parameters.bots = ratings(&levels, &points);
        let played = played(rounds, &parameters, &levels, skipped)?;
        let before = points.clone();
        fit(&played, &parameters, &mut points);
        let moved = points.iter().zip(before);
        if moved.fold(0.0, |most: f64, (now, before)| {
            most.max((now - before).abs())
        }) < 1.0
        {
            break;
        }
    }
    parameters.bots = ratings(&levels, &points);
    let played = played(rounds, &parameters, &levels, skipped)?;
    let information = derivatives(&played, &parameters, &points).1;
    let fitted = levels.into_iter().enumerate().map(|(index, level)| {
        let mut unit = vec![0.0; points.len()];
        unit[index] = 1.0;
        let variance = solve(information.clone(), unit)[index];
        let those = played.iter().filter(|round| round.more[index] != 0.0);
        BotFit {
            level,
            rating: Rating::from_rounded(points[index].max(0.0)),
            standard_error: variance.max(0.0).sqrt(),
            rounds: those.count() as u64,
        }
    });
    Ok(fitted.collect())
}

fn ratings(levels: &[BotLevel], points: &[f64]) -> BotRatings {
    let points = points
        .iter()
        .map(|points| Rating::from_rounded(points.max(0.0)));
    levels.iter().cloned().zip(points).collect()
}

/// Returns the scored rounds with bots, rated with these constants.
fn played(
    rounds: &[Round],
    parameters: &Parameters,
    levels: &[BotLevel],
    skipped: usize,
) -> Result<Vec<Played>, EngineError> {
    let mut pool = InMemoryPool::new(ModelName::SynElo, parameters);
    let mut all = Vec::new();
    for (index, round) in rounds.iter().enumerate() {
        let predicted = pool.rate(round)?.get();
        let parts = round.parts();
        if index < skipped || parts.bots.is_empty() {
            continue;
        }
        let odds = libm::log(predicted / (1.0 - predicted)).clamp(-SUREST, SUREST);
        #[expect(clippy::cast_precision_loss, reason = "far below 2^53")]
        let of_bots = parameters.bots_ahead(&parts.bots) as f64;
        all.push(Played {
            ahead: parameters.theta * odds - of_bots,
            more: more(&parts.bots, levels),
            score: parts.winner.score(Side::A).value(),
        });
    }
    Ok(all)
}

fn more(bots: &TeamBots, levels: &[BotLevel]) -> Vec<f64> {
    let mut more = vec![0.0; levels.len()];
    for (side, level, count) in bots.iter() {
        if let Ok(index) = levels.binary_search(level) {
            more[index] += match side {
                Side::A => f64::from(count),
                Side::B => -f64::from(count),
            };
        }
    }
    more
}

/// Moves the levels to the minimum of the log loss with the prior.
fn fit(played: &[Played], parameters: &Parameters, points: &mut [f64]) {
    let mut least = loss(played, parameters, points);
    for _ in 0..MAX_STEPS {
        let (slope, information) = derivatives(played, parameters, points);
        let mut step = solve(information, slope);
        while step.iter().any(|points| points.abs() >= SETTLED) {
            let next: Vec<f64> = points
                .iter()
                .zip(&step)
                .map(|(now, step)| now + step)
                .collect();
            let found = loss(played, parameters, &next);
            if found <= least {
                least = found;
                points.copy_from_slice(&next);
                break;
            }
            for points in &mut step {
                *points /= 2.0;
            }
        }
        if step.iter().all(|points| points.abs() < SETTLED) {
            return;
        }
    }
}

/// Log-odds of team a winning.
fn odds(round: &Played, parameters: &Parameters, points: &[f64]) -> f64 {
    let of_bots = round.more.iter().zip(points);
    let lead = of_bots.fold(round.ahead, |sum, (more, points)| sum + more * points);
    lead / parameters.theta
}

/// Negative log-likelihood with the prior.
fn loss(played: &[Played], parameters: &Parameters, points: &[f64]) -> f64 {
    let rounds = played.iter().fold(0.0, |sum, round| {
        let odds = odds(round, parameters, points);
        // ln(1 + e^x) without overflow on either side.
        sum + odds.max(0.0) + libm::log1p(libm::exp(-odds.abs())) - round.score * odds
    });
    let initial = f64::from(parameters.initial_rating.points());
    let prior = points.iter().fold(0.0, |sum, points| {
        let from = (points - initial) / PRIOR;
        sum + from * from / 2.0
    });
    rounds + prior
}

/// Gradient of the log-likelihood, and observed information (its negated second derivatives).
fn derivatives(
    played: &[Played],
    parameters: &Parameters,
    points: &[f64],
) -> (Vec<f64>, Vec<Vec<f64>>) {
    let (theta, levels) = (parameters.theta, points.len());
    let initial = f64::from(parameters.initial_rating.points());
    let mut slope: Vec<f64> = points
        .iter()
        .map(|points| (initial - points) / (PRIOR * PRIOR))
        .collect();
    let mut information = vec![vec![0.0; levels]; levels];
    for (index, row) in information.iter_mut().enumerate() {
        row[index] = 1.0 / (PRIOR * PRIOR);
    }
    for round in played {
        let odds = odds(round, parameters, points);
        let expected = 1.0 / (1.0 + libm::exp(-odds));
        let bend = expected * (1.0 - expected) / (theta * theta);
        for (one, more) in round.more.iter().enumerate() {
            slope[one] += more * (round.score - expected) / theta;
            for (entry, other) in information[one].iter_mut().zip(&round.more) {
                *entry += bend * more * other;
            }
        }
    }
    (slope, information)
}

/// Solves linear equations with a symmetric positive definite matrix, so no pivot is 0.
fn solve(mut matrix: Vec<Vec<f64>>, mut right: Vec<f64>) -> Vec<f64> {
    let size = right.len();
    for pivot in 0..size {
        for row in pivot + 1..size {
            let factor = matrix[row][pivot] / matrix[pivot][pivot];
            let above = matrix[pivot].clone();
            for (entry, above) in matrix[row].iter_mut().zip(above) {
                *entry -= factor * above;
            }
            right[row] -= factor * right[pivot];
        }
    }
    for row in (0..size).rev() {
        let known =
            (row + 1..size).fold(0.0, |sum, column| sum + matrix[row][column] * right[column]);
        right[row] = (right[row] - known) / matrix[row][row];
    }
    right
}

#[cfg(test)]
mod tests {
    use super::*;
    use rbs::domain::{Mutators, PlayerEntry, PlayerId, Report, RoundParts, Timestamp, Winner};
    use rbs::rating::win_probability;

    struct Dice(u64);

    impl Dice {
        fn roll(&mut self) -> f64 {
            self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
            let mut mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
            mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
            let bits = u32::try_from((mixed ^ (mixed >> 31)) >> 32).unwrap();
            f64::from(bits) / (f64::from(u32::MAX) + 1.0)
        }

        fn below(&mut self, most: u32) -> u32 {
            #[expect(
                clippy::cast_possible_truncation,
                clippy::cast_sign_loss,
                reason = "below most"
            )]
            let number = (self.roll() * f64::from(most)) as u32;
            number
        }
    }

    /// Rounds of 3 v 3 in a community of 18, with up to three bots per team. Formula F1 draws the winner from the true
    /// ratings.
    fn simulated(count: u32, worth: &[(&str, i32)], dice: &mut Dice) -> Vec<Round> {
        let skill = |number: u32| 820 + 20 * i64::from(number);
        let rounds = (0..count).map(|number| {
            let mut players: Vec<u32> = (0..18).collect();
            for place in 0..6 {
                let other = place + usize::try_from(dice.below(18)).unwrap() % (18 - place);
                players.swap(place, other);
            }
            let (mut bots, mut lead) = ([String::new(), String::new()], 0);
            for (side, sign) in [(0, 1), (1, -1)] {
                let counts: Vec<String> = (worth.iter())
                    .map(|(level, points)| {
                        let count = dice.below(3);
                        lead += sign * i64::from(*points) * i64::from(count);
                        format!("\"{level}\":{count}")
                    })
                    .collect();
                bots[side] = counts.join(",");
            }
            let (a, b) = (&players[..3], &players[3..6]);
            let sum = |team: &[u32]| team.iter().map(|number| skill(*number)).sum::<i64>();
            let for_a = win_probability(sum(a) + lead, sum(b), 800.0).get();
            let entries = |team: &[u32]| {
                let team = team.iter().map(|number| {
                    let id = 76_561_197_960_265_729 + u64::from(*number);
                    PlayerEntry::present(PlayerId::from_steam_id64(id).unwrap())
                });
                team.collect()
            };
            let [bots_a, bots_b] = &bots;
            let text = format!("{{\"a\":{{{bots_a}}},\"b\":{{{bots_b}}}}}");
            let parts = RoundParts {
                round_id: number.to_string().parse().unwrap(),
                server: "s".parse().unwrap(),
                map: None,
                mode: None,
                mutators: Mutators::default(),
                bots: serde_json::from_str(&text).unwrap(),
                ended_at: None,
                pool: None,
                round_seconds: None,
                winner: if dice.roll() < for_a {
                    Winner::A
                } else {
                    Winner::B
                },
                team_a: entries(a),
                team_b: entries(b),
            };
            let report = Report::try_from(parts).unwrap();
            report.settled(Timestamp::UNIX_EPOCH, "default".parse().unwrap())
        });
        rounds.collect()
    }

    fn parameters() -> Parameters {
        Parameters {
            theta: 800.0,
            ..Parameters::default()
        }
    }

    #[test]
    fn what_bots_are_worth_is_found_within_its_error() {
        for seed in 0..3 {
            let worth = [("easy", 600), ("expert", 1400)];
            let rounds = simulated(2500, &worth, &mut Dice(seed));
            let fitted = fit_bots(&rounds, &parameters(), 500).unwrap();
            assert_eq!(fitted.len(), 2);
            for (fit, (level, points)) in fitted.iter().zip(worth) {
                assert_eq!(fit.level.as_str(), level);
                let (miss, error) = (f64::from(fit.rating.points() - points), fit.standard_error);
                assert!((20.0..90.0).contains(&error), "{seed}: {fit:?}");
                assert!(miss.abs() < 2.5 * error, "{seed}: {fit:?} is not {points}");
                assert!((1000..1700).contains(&fit.rounds), "{fit:?}");
            }
        }
    }

    #[test]
    fn nothing_is_found_where_nothing_differs() {
        assert_eq!(
            fit_bots(&simulated(20, &[], &mut Dice(1)), &parameters(), 0).unwrap(),
            []
        );
        let mut rounds = simulated(200, &[("easy", 600)], &mut Dice(1));
        for round in &mut rounds {
            let mut parts = round.parts().clone();
            parts.bots.b = parts.bots.a.clone();
            let report = Report::try_from(parts).unwrap();
            *round = report.settled(Timestamp::UNIX_EPOCH, "default".parse().unwrap());
        }
        let fitted = fit_bots(&rounds, &parameters(), 0).unwrap();
        assert_eq!((fitted[0].rounds, fitted[0].rating.points()), (0, 1000));
        assert!(
            (fitted[0].standard_error - 10_000.0).abs() < 1e-6,
            "{fitted:?}"
        );
    }

    #[test]
    fn no_other_rating_is_more_likely() {
        let rounds = simulated(600, &[("easy", 600), ("hard", 1100)], &mut Dice(5));
        let levels: Vec<BotLevel> = ["easy", "hard"].map(|level| level.parse().unwrap()).into();
        let played = played(&rounds, &parameters(), &levels, 0).unwrap();
        let mut points = vec![1000.0; 2];
        fit(&played, &parameters(), &mut points);
        let least = loss(&played, &parameters(), &points);
        for change in [
            [5.0, 0.0],
            [-5.0, 0.0],
            [0.0, 5.0],
            [0.0, -5.0],
            [5.0, -5.0],
        ] {
            let other: Vec<f64> = points
                .iter()
                .zip(change)
                .map(|(one, more)| one + more)
                .collect();
            assert!(loss(&played, &parameters(), &other) > least, "{change:?}");
        }
    }
}
