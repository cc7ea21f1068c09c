use super::seating::Question;
use super::{Fill, fill};
use crate::balance::policy::{MissingWeight, Policy};
use crate::balance::state::{Match, Pick, Player, Tally, WeighedMatch};
use crate::balance::{MAX_RUNNERS_UP, Placement};
use crate::domain::{PlayerId, Side};

/// A joining player and the assigned team.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Placed {
    pub(crate) id: PlayerId,
    pub(crate) team: Side,
    /// Sizes and strengths of both teams if only this player joined.
    pub(crate) alone: Tally,
}

/// An alternative placement of the joining players.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OtherPlacement {
    /// Ids of the players who would join team a, ascending.
    pub(crate) team_a: Vec<PlayerId>,
    pub(crate) team_b: Vec<PlayerId>,
    pub(crate) after: Tally,
}

/// Places all players who join a match on its two teams at once. `theta` is the pool's logistic scale Θ.
///
/// Placements are compared in this order:
///
/// - the policy finds the teams balanced
/// - no team exceeds the policy's share of players
/// - the weights of the teams are close
/// - the sizes are close
///
/// Members of a party join one team: the team on which members already play, if only one team has members.
///
/// # Errors
/// Returns an error if the policy requires a sent weight and a player has none.
pub fn place(
    state: &Match,
    joining: &[Player],
    policy: &Policy,
    theta: f64,
) -> Result<Placement, MissingWeight> {
    let weighed = WeighedMatch::of(state, joining, policy)?;
    let groups = weighed
        .teams
        .groups(|group| (group.players.len(), group.power));
    let question = Question::new(&weighed, policy, &groups, theta);
    let (mut seatings, mut optimal) = question.solve(1 + MAX_RUNNERS_UP);
    optimal &= Pick::draw_as_good(state.pick, &mut seatings, |seats| question.faults(seats));
    let after = |seats: &[Side]| -> (Tally, Option<Fill>) {
        let mut after = weighed.tally();
        for (group, side) in groups.iter().zip(seats) {
            for player in &group.players {
                weighed.teams.join(after.team_mut(*side), player);
            }
        }
        refilled(after, state, policy)
    };
    let mut seatings = seatings.into_iter();
    let seats = seatings.next().unwrap_or_default();
    let mut placed: Vec<Placed> = Vec::new();
    for (group, side) in groups.iter().zip(&seats) {
        for player in &group.players {
            // Weights may depend on who is present, so all players are weighed again.
            let alone = WeighedMatch::of(state, std::slice::from_ref(*player), policy)?;
            let mut tally = alone.tally();
            alone.teams.join(tally.team_mut(*side), player);
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

fn refilled(tally: Tally, state: &Match, policy: &Policy) -> (Tally, Option<Fill>) {
    match policy.bots() {
        Some(filling) => {
            let (fill, tally) = fill(&tally, &state.bots, filling);
            (tally, Some(fill))
        }
        None => (tally, None),
    }
}
