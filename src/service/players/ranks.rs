//! Ranks of a pool's players by rating.

use crate::api::{DivisionAnswer, NextDivisionAnswer, RatingBinAnswer};
use crate::config::LeaderboardSettings;
use crate::domain::{Rating, Timestamp};
use crate::rating::{Parameters, PlayerState, RatingCount, histogram, mean, number};
use crate::store::Ranked;

pub(crate) fn ranked_at(now: Timestamp, parameters: &Parameters) -> Ranked {
    Ranked {
        shadow_rounds: parameters.shadow_rounds,
        stale_before: now.days_earlier(parameters.stale_days),
    }
}

/// Returns `true` if the player has a rank: the rating is shown, and the player is not stale.
pub(crate) fn has_rank(player: &PlayerState, ranked: Ranked) -> bool {
    let is_visible = player.rounds >= ranked.shadow_rounds;
    is_visible
        && player
            .last_played
            .is_some_and(|last| last >= ranked.stale_before)
}

/// Number of ranked players with each rating.
#[derive(Debug, Default)]
pub(crate) struct Ranks {
    count: u64,
    /// Groups of ranked players with equal ratings, highest rating first.
    ties: Vec<RatingTie>,
}

#[derive(Clone, Copy, Debug)]
struct RatingTie {
    rating: Rating,
    /// Number of ranked players with a rating above `rating`.
    better: u64,
    players: u64,
}

impl Ranks {
    /// Creates the ranks from numbers of players per rating, ratings descending.
    pub(crate) fn of(ratings: Vec<(Rating, u64)>) -> Self {
        let mut ranks = Self::default();
        for (rating, players) in ratings {
            let better = ranks.count;
            ranks.count += players;
            ranks.ties.push(RatingTie {
                rating,
                better,
                players,
            });
        }
        ranks
    }

    pub(crate) fn count(&self) -> u64 {
        self.count
    }

    /// Returns the number of ranked players with a higher rating than `rating`.
    pub(crate) fn better(&self, rating: Rating) -> u64 {
        let end = self.ties.partition_point(|tie| tie.rating > rating);
        self.ties.get(end).map_or(self.count, |tie| tie.better)
    }

    /// Returns the number of ranked players whose rank is better than `rank` (1 is the best).
    pub(crate) fn before_rank(&self, rank: u64) -> u64 {
        let end = self.ties.partition_point(|tie| tie.better + 1 < rank);
        self.ties.get(end).map_or(self.count, |tie| tie.better)
    }

    /// Returns the share (0 to 1) of the other ranked players who have a lower rating, for a ranked player with rating
    /// `rating`. `None` if there are no others.
    pub(crate) fn share_below(&self, rating: Rating) -> Option<f64> {
        let others = self.count.checked_sub(1)?;
        let end = self.ties.partition_point(|tie| tie.rating >= rating);
        let lower = self.ties.get(end).map_or(0, |tie| self.count - tie.better);
        mean(number(lower), others)
    }

    /// Returns the next higher leaderboard division for a player with rating `rating`, and the rating needed to enter
    /// it.
    pub(crate) fn next_division(
        &self,
        rating: Rating,
        settings: &LeaderboardSettings,
    ) -> Option<NextDivisionAnswer> {
        let better = self.better(rating);
        let (name, most_better) = settings.next_division(better, self.count)?;
        // A player who reaches another player's rating shares the rank of that player.
        let lowest = self
            .ties
            .iter()
            .find(|tie| tie.better + tie.players > most_better)?;
        Some(NextDivisionAnswer {
            name: name.to_owned(),
            rating: lowest.rating,
            points: lowest.rating.points() - rating.points(),
            ranks: better - lowest.better,
        })
    }

    /// Returns the leaderboard divisions with their numbers of players, highest division first.
    pub(crate) fn divisions(&self, settings: &LeaderboardSettings) -> Vec<DivisionAnswer> {
        let mut divisions: Vec<DivisionAnswer> = settings
            .divisions()
            .map(|(name, from_percentile)| DivisionAnswer {
                name: name.to_owned(),
                from_percentile,
                players: 0,
            })
            .collect();
        for tie in &self.ties {
            let name = settings.division(tie.better, self.count);
            let division = divisions.iter_mut().find(|one| Some(&*one.name) == name);
            if let Some(division) = division {
                division.players += tie.players;
            }
        }
        divisions
    }

    /// Returns the histogram of the ranked players' ratings, ascending.
    pub(crate) fn distribution(&self) -> Vec<RatingBinAnswer> {
        let counts = self.ties.iter().rev().map(|tie| RatingCount {
            rating: tie.rating,
            players: tie.players,
            hidden: 0,
        });
        let bins = histogram(&counts.collect::<Vec<_>>())
            .into_iter()
            .map(|bin| RatingBinAnswer {
                from: bin.from,
                to: bin.to,
                players: bin.visible,
            });
        bins.collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ranks(ties: &[(i32, u64)]) -> Ranks {
        let ties = ties
            .iter()
            .map(|(points, players)| (Rating::new(*points).unwrap(), *players));
        Ranks::of(ties.collect())
    }

    fn rating(points: i32) -> Rating {
        Rating::new(points).unwrap()
    }

    #[test]
    fn equals_share_a_place_and_are_not_below_one_another() {
        let ranks = ranks(&[(1500, 1), (1400, 2), (1000, 2)]);
        let better = |points| ranks.better(rating(points));
        assert_eq!(
            [2000, 1500, 1450, 1400, 1000, 900].map(better),
            [0, 0, 1, 1, 3, 5]
        );
        let below = |points| ranks.share_below(rating(points)).unwrap();
        assert_eq!([1500, 1400, 1000].map(below), [1.0, 0.5, 0.0]);
        assert_eq!(
            super::Ranks::of(vec![(rating(1), 1)]).share_below(rating(1)),
            None
        );
        assert_eq!(Ranks::default().share_below(rating(1)), None);
    }

    #[test]
    fn the_distribution_holds_everybody() {
        let bins = ranks(&[(1500, 1), (1449, 2), (1400, 2)]).distribution();
        let players: Vec<_> = bins
            .iter()
            .map(|bin| (bin.from, bin.to, bin.players))
            .collect();
        assert_eq!(players, [(1400, 1450, 4), (1450, 1500, 0), (1500, 1550, 1)]);
    }
}
