//! Movement of the mean rating of a pool's active players, by cause.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::number;
use crate::domain::{PlayerId, PlayerMap, Rating, Round, Share, Side, Timestamp};
use crate::rating::{Parameters, RoundResult, carried_over, participation_weight};

/// Minimum sum of the participation weights (1 for a whole round) of a team's rated players for which the mean rating
/// change of these players is computed.
const MIN_WEIGHT: f64 = 0.5;
/// Maximum change of a rating by rounding to whole points, in points.
const ROUNDING: f64 = 0.5;

/// Cause of a change of the mean rating of a pool's active players.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum MeanCause {
    /// Cause of a change of the mean rating: players of the rosters were not rated, or only for a part of the round; or
    /// players outside the rosters were rated.
    Unrated,
    /// Cause of a change of the mean rating: one team began the round with more players than the other.
    TeamSizes,
    /// Cause of a change of the mean rating: players had different K-factors in drawn rounds.
    Draws,
    /// Cause of a change of the mean rating: winners and losers had different K-factors in decided rounds.
    KFactors,
    /// Cause of a change of the mean rating: players at the lowest rating, `min_rating`, lost fewer points than the
    /// formulas took.
    Floor,
    /// Cause of a change of the mean rating: a season started and moved ratings towards the initial rating.
    Seasons,
    /// Cause of a change of the mean rating: admins set or reset ratings.
    Admins,
    /// Cause of a change of the mean rating: players became inactive with more or fewer points than they had when they
    /// joined.
    Departed,
}

impl MeanCause {
    /// All causes of a change of the mean rating, in the order of declaration.
    pub const ALL: [Self; 8] = [
        Self::Unrated,
        Self::TeamSizes,
        Self::Draws,
        Self::KFactors,
        Self::Floor,
        Self::Seasons,
        Self::Admins,
        Self::Departed,
    ];
}

/// Points by which each cause moved the sum of ratings, in the order of [`MeanCause::ALL`].
type Points = [f64; MeanCause::ALL.len()];

/// Change of ratings at one position of a pool's log.
#[derive(Clone, Debug)]
pub enum RatingEvent {
    /// A round was rated, with the changes of the players' ratings.
    Round(RatedRoundSum),
    /// An admin gave the player this rating, in points.
    Changed(PlayerId, Rating),
    /// A season started, with the share of ratings to keep and the parameters of that time.
    Season(Share, Box<Parameters>),
}

/// Changes of players' ratings by one round, with the change of the ratings' sum by cause.
#[derive(Clone, Debug)]
pub struct RatedRoundSum {
    /// Number of the pool's rounds that counted, including this round.
    rounds: u64,
    ended_at: Timestamp,
    points: Points,
    /// Players with their ratings before and after the round, in points.
    players: Box<[(PlayerId, Rating, Rating)]>,
}

#[derive(Clone, Copy, Debug, Default)]
struct TeamSums {
    roster: f64,
    weight: f64,
    /// Sum of a team's rating changes in points, without the points that the lowest possible rating kept.
    moved: f64,
}

impl TeamSums {
    /// Returns the mean rating change of the team's players in this round, in points, weighted by participation; `None`
    /// if the weights sum to less than [`MIN_WEIGHT`].
    fn mean(self) -> Option<f64> {
        (self.weight >= MIN_WEIGHT).then(|| self.moved / self.weight)
    }
}

impl RatedRoundSum {
    /// Computes the rating changes by a round that counts from its `result`. `weighs` is `true` if the model weighs
    /// participants by their part of the round.
    #[must_use]
    pub fn new(round: &Round, result: &RoundResult, weighs: bool, parameters: &Parameters) -> Self {
        let parts = round.parts();
        let mut teams = [TeamSums::default(); 2];
        for (side, _) in round.entries().filter(|(_, entry)| entry.at_start) {
            teams[side as usize].roster += 1.0;
        }
        let half_life = parameters.participation_half_life;
        let mut floor = 0.0;
        let mut players = Vec::new();
        for ((side, entry), change) in round.participants().zip(&result.players) {
            let moved = f64::from(change.after.points() - change.before.points());
            let expected = result.win_probability.of(side);
            let due = change.k * (parts.winner.score(side).value() - expected.get());
            let is_held_up = change.after == parameters.min_rating && moved - due > ROUNDING;
            let held_up = if is_held_up { moved - due } else { 0.0 };
            let presence = entry.presence(parts.round_seconds).filter(|_| weighs);
            let sums = &mut teams[side as usize];
            sums.weight += presence.map_or(1.0, |part| participation_weight(part, half_life));
            sums.moved += moved - held_up;
            floor += held_up;
            players.push((entry.id, change.before, change.after));
        }
        let [a, b] = teams;
        // A team without rated players is assumed to move by the opposite of the other team's mean.
        let (mean_a, mean_b) = match (a.mean(), b.mean()) {
            (Some(mean_a), Some(mean_b)) => (mean_a, mean_b),
            (Some(mean_a), None) => (mean_a, -mean_a),
            (None, Some(mean_b)) => (-mean_b, mean_b),
            (None, None) => (0.0, 0.0),
        };
        let size = f64::midpoint(a.roster, b.roster);
        let whole = a.roster * mean_a + b.roster * mean_b;
        let even = size * (mean_a + mean_b);
        let mut points = Points::default();
        let mut add = |cause, more| points[cause as usize] += more;
        add(MeanCause::Floor, floor);
        add(MeanCause::Unrated, a.moved + b.moved - whole);
        add(MeanCause::TeamSizes, whole - even);
        let is_draw = parts.winner.score(Side::A) == parts.winner.score(Side::B);
        let rest = if is_draw {
            MeanCause::Draws
        } else {
            MeanCause::KFactors
        };
        add(rest, even);
        Self {
            rounds: result.predictions.rounds,
            ended_at: round.ended_at(),
            points,
            players: players.into(),
        }
    }
}

/// Movement of the active players' mean rating over a span of rounds.
#[derive(Clone, Debug, PartialEq)]
pub struct MeanMovement {
    /// Number of active players in the mean rating.
    pub players: u64,
    /// Mean rating before the first round, in points. A player who came later counts with the player's first rating.
    pub from: f64,
    /// Mean rating of the active players after the span's last round or rating change, in points.
    pub to: f64,
    /// Points by which each cause moved the mean rating, the largest first. Their sum is `to` minus `from`.
    pub causes: Vec<(MeanCause, f64)>,
    /// Course of the mean rating. Each item has the number of counted rounds, the end of the latest round, and the mean
    /// after this round.
    pub course: Vec<(u64, Timestamp, f64)>,
}

struct Followed {
    rating: Rating,
    last_played: Timestamp,
    is_active: bool,
    has_begun: bool,
}

/// Returns the movement of the active players' mean rating, in points, by cause. `events` are the rounds, admin changes
/// and season starts, oldest first. Returns `None` if nobody was rated.
///
/// Active players have played within `stale_days` before the end of the latest round.
#[must_use]
pub fn mean_movement<'events>(
    events: impl Iterator<Item = &'events RatingEvent> + Clone,
    stale_days: u32,
) -> Option<MeanMovement> {
    let rounds = events.clone().filter_map(|event| match event {
        RatingEvent::Round(round) => Some(round),
        _ => None,
    });
    let mut players = followed(rounds.clone(), stale_days)?;
    let (mut count, mut sum) = (0, 0.0);
    for player in players.values().filter(|player| player.is_active) {
        count += 1;
        sum += points(player.rating);
    }
    let from = sum;
    let mut totals = Points::default();
    let mut course = Vec::with_capacity(rounds.count());
    for event in events {
        let mut add = |cause: MeanCause, more: f64| {
            totals[cause as usize] += more;
            sum += more;
        };
        match event {
            RatingEvent::Round(round) => {
                for (cause, more) in MeanCause::ALL.into_iter().zip(round.points) {
                    add(cause, more);
                }
                for (player, before, after) in &round.players {
                    let Some(player) = players.get_mut(player) else {
                        continue;
                    };
                    player.has_begun = true;
                    if player.is_active {
                        // Some models change ratings between rounds.
                        let between = points(*before) - points(player.rating);
                        add(MeanCause::KFactors, between);
                    } else {
                        add(MeanCause::Departed, points(*before) - points(*after));
                    }
                    player.rating = *after;
                }
                course.push((round.rounds, round.ended_at, sum / number(count)));
            }
            RatingEvent::Changed(player, rating) => {
                if let Some(player) = players.get_mut(player).filter(|player| player.has_begun) {
                    if player.is_active {
                        add(MeanCause::Admins, points(*rating) - points(player.rating));
                    }
                    player.rating = *rating;
                }
            }
            RatingEvent::Season(keep, parameters) => {
                for player in players.values_mut().filter(|player| player.has_begun) {
                    let rating = carried_over(player.rating, *keep, parameters);
                    if player.is_active {
                        add(MeanCause::Seasons, points(rating) - points(player.rating));
                    }
                    player.rating = rating;
                }
            }
        }
    }
    // Adding 0 turns -0 into 0.
    let mut causes: Vec<(MeanCause, f64)> = MeanCause::ALL
        .into_iter()
        .zip(totals)
        .map(|(cause, points)| (cause, points / number(count) + 0.0))
        .collect();
    causes.sort_by(|(_, one), (_, other)| other.abs().total_cmp(&one.abs()));
    Some(MeanMovement {
        players: count,
        from: from / number(count),
        to: sum / number(count),
        causes,
        course,
    })
}

/// Returns the players of `rounds`, each with the rating before the player's first round; `None` if nobody was rated.
fn followed<'events>(
    rounds: impl Iterator<Item = &'events RatedRoundSum>,
    stale_days: u32,
) -> Option<PlayerMap<Followed>> {
    let mut players: PlayerMap<Followed> = PlayerMap::default();
    for round in rounds {
        for (player, before, _) in &round.players {
            let followed = players.entry(*player).or_insert(Followed {
                rating: *before,
                last_played: round.ended_at,
                is_active: false,
                has_begun: false,
            });
            followed.last_played = followed.last_played.max(round.ended_at);
        }
    }
    let latest = players.values().map(|player| player.last_played).max()?;
    for player in players.values_mut() {
        player.is_active = player.last_played >= latest.days_earlier(stale_days);
    }
    Some(players)
}

fn points(rating: Rating) -> f64 {
    f64::from(rating.points())
}

#[cfg(test)]
mod tests;
