use super::rule::Valued;
use crate::balance::state::Power;
use crate::domain::PlayerId;

/// A player of a match, with the power (worth by past scoreboards) of this player.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Standing {
    pub(crate) id: PlayerId,
    pub(crate) valued: Valued,
}

/// Weight (strength) of a player in a match whose teams are compared by powers instead of ratings.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Counted {
    pub(crate) id: PlayerId,
    pub(crate) valued: Valued,
    /// Weight that counts in the team's sum: the player's own power, or a substitute if it is unknown.
    pub(crate) power: Power,
}

/// Returns the weights of all players in a match. Players without a power get the median of the known powers. All
/// weights are rounded to the unit of the strongest player. `None` if nobody has a power.
pub(crate) fn counted(standings: &[Standing]) -> Option<Vec<Counted>> {
    let known = || {
        standings
            .iter()
            .filter_map(|standing| standing.valued.power)
    };
    let unit = known().max()?.unit();
    let mut known: Vec<Power> = known().map(|power| power.rounded(unit)).collect();
    known.sort_unstable();
    let upper = known.len() / 2;
    let lower = (known.len() - 1) / 2;
    let median = Power::halfway(*known.get(lower)?, *known.get(upper)?);
    let counted = standings.iter().map(|standing| {
        let power = standing.valued.power;
        Counted {
            id: standing.id,
            valued: standing.valued,
            power: power.map_or(median, |power| power.rounded(unit)),
        }
    });
    Some(counted.collect())
}

#[cfg(test)]
mod tests {
    use super::super::Source;
    use super::*;
    use crate::balance::examples::player;

    fn powers(known: &[Option<f64>]) -> Option<Vec<f64>> {
        let standings = (1..).zip(known).map(|(number, power)| Standing {
            id: player(number),
            valued: Valued {
                power: power.and_then(Power::computed),
                source: Source::Nothing,
                games: Some(0),
            },
        });
        let counted = counted(&standings.collect::<Vec<_>>())?;
        Some(counted.iter().map(|one| one.power.points()).collect())
    }

    #[test]
    fn who_has_no_power_counts_the_median_of_the_others_and_never_nothing() {
        assert_eq!(
            powers(&[Some(9.0), None, Some(1.0), Some(2.0)]),
            Some(vec![9.0, 2.0, 1.0, 2.0])
        );
        assert_eq!(
            powers(&[None, Some(1.0), Some(2.0)]),
            Some(vec![1.5, 1.0, 2.0])
        );
        // A power of 0 counts as known.
        assert_eq!(powers(&[Some(0.0), None]), Some(vec![0.0, 0.0]));
    }

    #[test]
    fn powers_far_below_one_are_counted_with_the_digits_of_the_strongest() {
        assert_eq!(
            powers(&[Some(0.001_367), Some(0.000_364_16), Some(0.000_021)]),
            Some(vec![0.001_367, 0.000_364, 0.000_021])
        );
        assert_eq!(
            powers(&[Some(24.0), Some(0.000_364)]),
            Some(vec![24.0, 0.0])
        );
    }

    #[test]
    fn where_nobody_has_a_power_there_is_nothing_to_weigh_by() {
        assert_eq!(powers(&[None, None]), None);
        assert_eq!(powers(&[]), None);
    }
}
