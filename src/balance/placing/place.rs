use super::seating::Question;
use super::{Fill, fill};
use crate::balance::policy::{MissingWeight, Policy};
use crate::balance::state::{Match, Pick, Player, Tally, WeighedMatch, groups};
use crate::balance::{MAX_RUNNERS_UP, Placement};
use crate::domain::{PlayerId, Side};

/// Somebody who joins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Placed {
    /// Who.
    pub id: PlayerId,
    /// Which team.
    pub team: Side,
    /// The teams if nobody else joined.
    pub alone: Tally,
}

/// Another way to place those who join.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OtherPlacement {
    /// Who would go to team a, by id; everybody else goes to team b.
    pub team_a: Vec<PlayerId>,
    /// Who would go to team b, by id.
    pub team_b: Vec<PlayerId>,
    /// The teams then.
    pub after: Tally,
}

/// Places `joining` together on the teams of `state`, friends on one team; `theta` is Θ of the pool.
///
/// Best is what the policy finds nothing wrong with. Then no team gets more players than the policy's
/// share; then the sums come as close as they can, and with them the odds to even; then the sizes.
/// Friends follow those of their party who stand on one team already.
///
/// # Errors
/// A player of whom a weight must be sent, and none is.
pub fn place(
    state: &Match,
    joining: &[Player],
    policy: &Policy,
    theta: f64,
) -> Result<Placement, MissingWeight> {
    let weighed = WeighedMatch::of(state, joining, policy)?;
    let groups = groups(&weighed);
    let question = Question::new(&weighed, policy, &groups, theta);
    let (mut seatings, mut optimal) = question.solve(1 + MAX_RUNNERS_UP);
    if let Some(best) = seatings.first() {
        let least = question.faults(best);
        let as_good = seatings
            .iter()
            .take_while(|seats| question.faults(seats) == least)
            .count();
        optimal &= Pick::draw(state.pick, &mut seatings, as_good);
    }
    let after = |seats: &[Side]| -> (Tally, Option<Fill>) {
        let mut after = weighed.tally();
        for (group, side) in groups.iter().zip(seats) {
            for player in &group.players {
                weighed.join(&mut after, *side, player);
            }
        }
        refilled(after, state, policy)
    };
    let mut seatings = seatings.into_iter();
    let seats = seatings.next().unwrap_or_default();
    let mut placed: Vec<Placed> = Vec::new();
    for (group, side) in groups.iter().zip(&seats) {
        for player in &group.players {
            // What others weigh may depend on who is there, so everybody is weighed once more.
            let alone = WeighedMatch::of(state, std::slice::from_ref(*player), policy)?;
            let mut tally = alone.tally();
            alone.join(&mut tally, *side, player);
            placed.push(Placed {
                id: player.id,
                team: *side,
                alone: refilled(tally, state, policy).0,
            });
        }
    }
    placed.sort_unstable_by_key(|placed| placed.id);
    let runners_up = seatings.map(|seats| {
        let of = |side: Side| -> Vec<PlayerId> {
            let sides = groups.iter().zip(&seats).filter(|(_, team)| **team == side);
            let players = sides.flat_map(|(group, _)| group.players.iter().map(|player| player.id));
            let mut ids: Vec<PlayerId> = players.collect();
            ids.sort_unstable();
            ids
        };
        OtherPlacement {
            team_a: of(Side::A),
            team_b: of(Side::B),
            after: after(&seats).0,
        }
    });
    let (after_all, fill) = after(&seats);
    Ok(Placement {
        placed,
        before: WeighedMatch::of(state, &[], policy)?.tally(),
        after: after_all,
        optimal,
        runners_up: runners_up.collect(),
        fill,
    })
}

/// The tally with the bots that there should be, where the policy has bots.
fn refilled(tally: Tally, state: &Match, policy: &Policy) -> (Tally, Option<Fill>) {
    match policy.bots() {
        Some(filling) => {
            let (fill, tally) = fill(&tally, &state.bots, filling);
            (tally, Some(fill))
        }
        None => (tally, None),
    }
}
