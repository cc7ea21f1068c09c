use std::collections::HashMap;

use super::policy_table::ten_thousandths;
use crate::balance::state::{Player, Power};
use crate::catalog::InvalidEntry;
use crate::domain::{PartyName, PlayerId};

/// Figure that counts as a player's weight (strength) when teams are compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Weigh {
    Rating,
    /// Mean of a player's ranks by rating and by points in the match, among all present players. Ranks count from 5 for
    /// the weakest upwards. Tied players share the mean of their ranks.
    RankPower,
    /// Mean of a player's ranks by sent weight and by points in the match. Ranks are counted as in
    /// [`RankPower`](Self::RankPower). Every player must have a sent weight.
    RankWeight,
    /// Weight (strength) that the plugin sends for each player.
    Weight {
        /// Weight of players without a sent weight; `None` makes sent weights mandatory.
        default: Option<Power>,
    },
}

/// Percentages of their weights that members of parties of two, of three, and of four or more count (115 = 1.15 x).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct PartyMultipliers(pub(crate) [u32; 3]);

/// Error for a player whose weight (strength) is required but was not sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{id} has no weight, but the policy needs one; send \"weight\" for this player")]
pub struct MissingWeight {
    /// Id of the player without a weight; the lowest id if several players lack a weight.
    pub(crate) id: PlayerId,
}

/// Rank of the weakest player of a match; above 1, so that every present player has some weight.
const FIRST_PLACE: u32 = 5;

impl PartyMultipliers {
    pub(crate) const NONE: Self = Self([100; 3]);

    /// Creates party multipliers from the setting `party_multipliers`: factors with two decimals at most, such as 1.15.
    pub(crate) fn of(numbers: &[f64]) -> Result<Self, InvalidEntry> {
        let percent = |number: f64| -> Option<u32> {
            let ten_thousandths = ten_thousandths(number, 1.0, 10.0)?;
            let is_whole = ten_thousandths.is_multiple_of(100);
            is_whole.then_some(ten_thousandths / 100)
        };
        let percents: Option<Vec<u32>> = numbers.iter().copied().map(percent).collect();
        let three = percents.and_then(|percents| percents.try_into().ok());
        three.map(Self).ok_or_else(|| {
            InvalidEntry::new(
                "party_multipliers must be three numbers from 1 to 10 with two decimals at most, for parties of two, \
                 of three, and of four or more",
            )
        })
    }

    fn percent(self, members: usize) -> u32 {
        match members {
            0 | 1 => 100,
            2 => self.0[0],
            3 => self.0[1],
            _ => self.0[2],
        }
    }
}

pub(crate) fn party_sizes<'all>(
    players: impl Iterator<Item = &'all Player>,
) -> HashMap<&'all PartyName, usize> {
    let mut sizes = HashMap::new();
    for party in players.filter_map(|player| player.party.as_ref()) {
        *sizes.entry(party).or_default() += 1;
    }
    sizes
}

/// Returns the weight (strength) of each player by id. `players` must be everybody present, in any order.
pub(crate) fn weigh(
    players: &[&Player],
    how: Weigh,
    multipliers: PartyMultipliers,
) -> Result<HashMap<PlayerId, Power>, MissingWeight> {
    let plain: HashMap<PlayerId, Power> = match how {
        Weigh::Rating => players
            .iter()
            .map(|player| (player.id, Power::of_rating(player.rating)))
            .collect(),
        Weigh::RankPower => rank_powers(players, |player| Power::of_rating(player.rating)),
        Weigh::RankWeight => {
            let weights = weights(players, None)?;
            let weight = |player: &Player| weights.get(&player.id).copied().unwrap_or_default();
            rank_powers(players, weight)
        }
        Weigh::Weight { default } => weights(players, default)?,
    };
    let sizes = party_sizes(players.iter().copied());
    let weighed = players.iter().filter_map(|player| {
        let members = player.party.as_ref().and_then(|party| sizes.get(party));
        let percent = multipliers.percent(members.copied().unwrap_or(0));
        Some((player.id, plain.get(&player.id)?.percent(percent)))
    });
    Ok(weighed.collect())
}

fn weights(
    players: &[&Player],
    default: Option<Power>,
) -> Result<HashMap<PlayerId, Power>, MissingWeight> {
    let mut powers = HashMap::new();
    let mut missing = None;
    for player in players {
        match player.weight.or(default) {
            Some(power) => {
                powers.insert(player.id, power);
            }
            None => missing = missing.min(Some(player.id)).or(Some(player.id)),
        }
    }
    missing.map_or(Ok(powers), |id| Err(MissingWeight { id }))
}

/// Returns the mean of each player's ranks by strength and by points in the match, or the rank by strength if no points
/// are known. Tied players get the mean of their ranks, so that equal players weigh the same.
fn rank_powers(
    players: &[&Player],
    strength: impl Fn(&Player) -> Power,
) -> HashMap<PlayerId, Power> {
    let by_strength = doubled_places(players, strength, |_| true);
    let by_points = if players.iter().any(|player| player.points.is_some()) {
        // Players without points stand at the first place. The first player with points stands there too, because only
        // players with points take up places.
        let points = |player: &Player| player.points.unwrap_or(0).max(0);
        doubled_places(players, points, |points| points > 0)
    } else {
        by_strength.clone()
    };
    let quarters = by_strength.into_iter().map(|(id, place)| {
        let other = by_points.get(&id).copied().unwrap_or(place);
        (id, Power::of_quarters(place + other))
    });
    quarters.collect()
}

/// Returns twice each player's rank by a figure, ascending. Only players whose figure is counted take up ranks.
fn doubled_places<T: Ord + Copy>(
    players: &[&Player],
    figure: impl Fn(&Player) -> T,
    is_counted: impl Fn(T) -> bool,
) -> HashMap<PlayerId, u32> {
    let mut sorted = players.to_vec();
    sorted.sort_unstable_by_key(|player| figure(player));
    let mut places = HashMap::new();
    let mut first = FIRST_PLACE;
    for tied in sorted.chunk_by(|one, other| figure(one) == figure(other)) {
        let is_counted = tied
            .first()
            .is_some_and(|player| is_counted(figure(player)));
        let taken_up = if is_counted {
            u32::try_from(tied.len()).unwrap_or(u32::MAX)
        } else {
            0
        };
        // Sum of the first and the last place of the tied players.
        let doubled = 2 * first + taken_up.saturating_sub(1);
        places.extend(tied.iter().map(|player| (player.id, doubled)));
        first += taken_up;
    }
    places
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::balance::examples::{player, rated};

    fn points_of(players: &[Player], how: Weigh, multipliers: PartyMultipliers) -> Vec<f64> {
        let all: Vec<&Player> = players.iter().collect();
        let powers = weigh(&all, how, multipliers).unwrap();
        players
            .iter()
            .map(|player| powers[&player.id].points())
            .collect()
    }

    #[test]
    fn sorted_power_is_the_mean_of_the_places_by_rating_and_by_points() {
        type Case = (&'static [i32], &'static [i32], &'static [f64]);
        let cases: [Case; 4] = [
            // Places count from 5 upwards.
            (&[900, 1500, 400, 1100], &[], &[6.0, 8.0, 5.0, 7.0]),
            // Places by rating: 5 6 7 8 9. Places by points: 5 5 5 6 7, as the first player with points is at 5 too.
            (
                &[1001, 1002, 1003, 1004, 1005],
                &[0, 0, 10, 30, 20],
                &[5.0, 5.5, 6.0, 7.5, 7.5],
            ),
            // The three tied players take up 5, 6 and 7; the last two take up 9 and 10.
            (
                &[1000, 1000, 1000, 1001, 2000, 2000],
                &[],
                &[6.0, 6.0, 6.0, 8.0, 9.5, 9.5],
            ),
            // By points, players without points stand at 5. Three players take up 5, 6 and 7, and the last player 8.
            (
                &[1000, 1000, 1000, 1001, 2000, 2000],
                &[-3, 0, 9, 9, 9, 20],
                &[5.5, 5.5, 6.0, 7.0, 7.75, 8.75],
            ),
        ];
        for (ratings, points, expected) in cases {
            let players: Vec<Player> = (1..)
                .zip(ratings)
                .enumerate()
                .map(|(place, (number, rating))| Player {
                    points: points.get(place).copied(),
                    ..rated(number, *rating)
                })
                .collect();
            let powers = points_of(&players, Weigh::RankPower, PartyMultipliers::NONE);
            assert_eq!(powers, expected);
        }
    }

    #[test]
    fn a_party_weighs_more_by_how_many_of_it_are_there() {
        let multipliers = PartyMultipliers([115, 120, 125]);
        for (members, expected) in [(1, 10.0), (2, 11.5), (3, 12.0), (4, 12.5), (9, 12.5)] {
            let players: Vec<Player> = (1..=members)
                .map(|number| Player {
                    party: Some("friends".parse().unwrap()),
                    weight: Power::new(10.0),
                    ..rated(number, 1000)
                })
                .collect();
            let powers = points_of(&players, Weigh::Weight { default: None }, multipliers);
            assert!(
                powers.iter().all(|power| *power == expected),
                "{members}: {powers:?}"
            );
        }
    }

    #[test]
    fn a_weight_that_must_be_sent_is_missed_by_the_lowest_id() {
        let with = Player {
            weight: Power::new(1.0),
            ..rated(1, 1000)
        };
        let (second, third) = (rated(2, 1000), rated(3, 1000));
        let all = [&third, &second, &with];
        let missing = weigh(
            &all,
            Weigh::Weight { default: None },
            PartyMultipliers::NONE,
        );
        assert_eq!(missing, Err(MissingWeight { id: player(2) }));
        let default = Weigh::Weight {
            default: Power::new(50.0),
        };
        assert_eq!(
            points_of(&[third, with], default, PartyMultipliers::NONE),
            [50.0, 1.0]
        );
    }
}
