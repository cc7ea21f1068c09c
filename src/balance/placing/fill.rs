use crate::balance::policy::Filling;
use crate::balance::state::{Bots, Power, Tally};
use crate::domain::Side;

/// How many bots there should be, and what is left to make up for.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Fill {
    /// Bots on team a.
    pub bots_a: usize,
    /// Bots on team b.
    pub bots_b: usize,
    /// What each is taken to weigh.
    pub bot_weight: Power,
    /// What the weaker team should be given; `None` where the teams weigh the same, or the weaker
    /// weighs nothing.
    pub advantage: Option<Advantage>,
}

/// How much stronger a team should be made.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Advantage {
    /// Which team.
    pub team: Side,
    /// By what factor, above 1: what the other weighs over what it weighs.
    pub factor: f64,
}

/// The players and bots that each team should have: half of the least number that is even, within
/// what the map is made for, and enough for the larger team.
fn team_size(largest: usize, filling: Filling, map: Option<(usize, usize)>) -> usize {
    let wanted = map.map_or(filling.least_players, |(least, most)| {
        filling.least_players.min(most).max(least)
    });
    wanted.div_ceil(2).max(largest)
}

/// The bots for teams of this tally, and the tally with them in place of those that there are.
pub(in crate::balance) fn fill(tally: &Tally, bots: &Bots, filling: Filling) -> (Fill, Tally) {
    let size = team_size(tally.a.size.max(tally.b.size), filling, bots.map_players);
    let weight = filling.weight_of(bots);
    let mut filled = *tally;
    for side in [Side::A, Side::B] {
        let team = filled.team_mut(side);
        let wanted = size - team.size;
        team.power = team.power - weight * team.bots + weight * wanted;
        team.bots = wanted;
    }
    let (stronger, weaker) = (filled.stronger(), filled.stronger().other());
    let (more, less) = (filled.team(stronger).power, filled.team(weaker).power);
    let fill = Fill {
        bots_a: filled.a.bots,
        bots_b: filled.b.bots,
        bot_weight: weight,
        advantage: (more > less && less > Power::ZERO).then(|| Advantage {
            team: weaker,
            factor: more.points() / less.points(),
        }),
    };
    (fill, filled)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_players_of_a_team_are_the_documents() {
        let filling = |least_players| Filling {
            least_players,
            bot_weight: Power::ZERO,
        };
        for (least, map, largest, expected) in [
            // Clamped to the map's range, made even, enough for the larger team.
            (8, Some((6, 12)), 0, 4),
            (8, Some((6, 12)), 9, 9),
            (8, Some((10, 12)), 3, 5),
            (8, Some((9, 12)), 3, 5),
            (8, Some((2, 4)), 1, 2),
            (8, Some((2, 4)), 3, 3),
            (7, None, 2, 4),
            (0, None, 0, 0),
        ] {
            assert_eq!(
                team_size(largest, filling(least), map),
                expected,
                "{least} {map:?} {largest}"
            );
        }
    }
}
