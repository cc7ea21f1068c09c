use crate::balance::policy::Filling;
use crate::balance::state::{Bots, Power, Tally};
use crate::domain::Side;

/// Number of bots that each team should have, and the advantage for the weaker team.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Fill {
    pub(crate) bots_a: usize,
    pub(crate) bots_b: usize,
    /// Strength that each added bot adds to its team's sum, in points.
    pub(crate) bot_weight: Power,
    /// Advantage for the weaker team; `None` if the teams weigh the same or the weaker team weighs nothing.
    pub(crate) advantage: Option<Advantage>,
    /// `true` if everybody plays alone, so that only the total number of bots counts.
    pub(crate) without_teams: bool,
}

/// Factor by which the game should make the weaker team stronger.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Advantage {
    /// Weaker team, which the game should make stronger.
    pub(crate) team: Side,
    /// Weight of the stronger team divided by the weight of the weaker team; above 1.
    pub(crate) factor: f64,
}

/// Computes the number of bots for a match in which everybody plays alone: as many as players are missing.
///
/// Present bots stay on their lists, because the lists are no teams. Surplus bots leave list b first.
pub(crate) fn fill_without_teams(tally: &Tally, bots: &Bots, filling: Filling) -> (Fill, Tally) {
    let players = tally.a.size + tally.b.size;
    let wanted = filling.wanted(bots.map_players).saturating_sub(players);
    let bots_b = bots.b.min(wanted.saturating_sub(bots.a.min(wanted)));
    let filled = with_bots(tally, bots, filling, [wanted - bots_b, bots_b]);
    let fill = Fill {
        bots_a: filled.a.bots,
        bots_b: filled.b.bots,
        bot_weight: bots.mean(filling.bot_weight),
        advantage: None,
        without_teams: true,
    };
    (fill, filled)
}

/// Returns the number of players and bots on each team: half of the wanted number, rounded up, and at least the size of
/// the larger team. `map` is the minimum and maximum number of players that the map is made for.
pub(super) fn team_size(largest: usize, filling: Filling, map: Option<(usize, usize)>) -> usize {
    filling.wanted(map).div_ceil(2).max(largest)
}

/// Computes the number of bots that each of two teams should have. The returned [`Tally`] has the sizes and strengths
/// of the teams with these bots instead of the present ones.
pub(crate) fn fill(tally: &Tally, bots: &Bots, filling: Filling) -> (Fill, Tally) {
    let size = team_size(tally.a.size.max(tally.b.size), filling, bots.map_players);
    let counts = [size - tally.a.size, size - tally.b.size];
    let filled = with_bots(tally, bots, filling, counts);
    let (stronger, weaker) = (filled.stronger(), filled.stronger().other());
    let (more, less) = (filled.team(stronger).power, filled.team(weaker).power);
    let fill = Fill {
        bots_a: filled.a.bots,
        bots_b: filled.b.bots,
        bot_weight: bots.mean(filling.bot_weight),
        advantage: (more > less && less > Power::ZERO).then(|| Advantage {
            team: weaker,
            factor: more.points() / less.points(),
        }),
        without_teams: false,
    };
    (fill, filled)
}

/// Returns the sizes and strengths of the teams with these numbers of bots instead of the present ones.
fn with_bots(tally: &Tally, bots: &Bots, filling: Filling, counts: [usize; 2]) -> Tally {
    let mut filled = *tally;
    for (side, count) in [Side::A, Side::B].into_iter().zip(counts) {
        let team = filled.team_mut(side);
        let power = |count| bots.power(side, count, filling.bot_weight);
        team.power = team.power - power(team.bots) + power(count);
        team.bots = count;
    }
    filled
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn in_a_match_without_teams_all_bots_are_counted_together() {
        let filling = Filling {
            least_players: 8,
            bot_weight: Power::ZERO,
        };
        let of = |players: usize, a: usize, b: usize, map: Option<(usize, usize)>| {
            let bots = Bots {
                a,
                b,
                map_players: map,
                ..Bots::default()
            };
            let mut tally = Tally::default();
            tally.a.size = players;
            (tally.a.bots, tally.b.bots) = (a, b);
            let (fill, _) = fill_without_teams(&tally, &bots, filling);
            (fill.bots_a, fill.bots_b)
        };
        assert_eq!(of(3, 0, 0, None), (5, 0));
        assert_eq!(of(3, 1, 2, None), (3, 2));
        assert_eq!(of(3, 3, 4, None), (3, 2));
        assert_eq!(of(3, 9, 4, None), (5, 0));
        // The map's range applies even if the number is odd, and nobody leaves.
        assert_eq!(of(3, 0, 0, Some((2, 5))), (2, 0));
        assert_eq!(of(3, 0, 0, Some((11, 16))), (8, 0));
        assert_eq!(of(9, 2, 0, Some((2, 5))), (0, 0));
    }

    #[test]
    fn the_players_of_a_team_are_the_documents() {
        for (least, map, largest, expected) in [
            // The number is clamped to the map's range, made even, and raised to the larger team.
            (8, Some((6, 12)), 0, 4),
            (8, Some((6, 12)), 9, 9),
            (8, Some((10, 12)), 3, 5),
            (8, Some((9, 12)), 3, 5),
            (8, Some((2, 4)), 1, 2),
            (8, Some((2, 4)), 3, 3),
            (7, None, 2, 4),
            (0, None, 0, 0),
        ] {
            let filling = Filling {
                least_players: least,
                bot_weight: Power::ZERO,
            };
            let size = team_size(largest, filling, map);
            assert_eq!(size, expected, "{least} {map:?} {largest}");
        }
    }
}
