use super::TeamFill;
use super::judge::{Judge, Sums};
use super::placing::{Placing, Seating};
use super::state::{TeamMatch, TeamTallies};
use super::two::{as_two, place_two};
use crate::balance::policy::{MissingWeight, Policy};
use crate::balance::state::{Group, Pick, Player, Power, TeamTally, WeighedTeams};
use crate::balance::sums::Item;
use crate::balance::{MAX_RUNNERS_UP, Placement};
use crate::domain::PlayerId;

/// Placement of players who join a match of several teams.
pub(crate) type TeamPlacement = Placement<PlacedInTeam, TeamSeats, TeamTallies, TeamFill>;

/// An assignment of all players who join a match to its teams.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct TeamSeats {
    /// Joining players with their assigned teams, sorted by player id.
    pub(crate) placed: Vec<PlacedInTeam>,
    /// Sizes and strengths of the teams after this placement, in the order of the match.
    pub(crate) after: TeamTallies,
}

/// A joining player and the assigned team.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct PlacedInTeam {
    pub(crate) id: PlayerId,
    /// Index of the player's assigned team in the match, from 0.
    pub(crate) team: usize,
}

/// Places all players who join a match on its teams at once. `theta` is the pool's logistic scale Θ.
///
/// Placements are compared in this order:
///
/// - the policy finds the teams balanced
/// - no team exceeds the policy's share of players, which is at least an equal part
/// - the sizes are even, unless bots fill up the teams
/// - the strongest and the weakest team are close in weight
/// - the size difference is small
///
/// Members of a party join one team: the team on which members already play, if only one team has members. Matches of
/// two teams are judged by [`place`].
///
/// [`place`]: crate::balance::place()
pub(crate) fn place_in_teams(
    state: &TeamMatch,
    joining: &[Player],
    policy: &Policy,
    theta: f64,
) -> Result<TeamPlacement, MissingWeight> {
    if let Some(state) = as_two(state) {
        return place_two(&state, joining, policy, theta);
    }
    let weighed = WeighedTeams::of(&state.teams, joining, policy)?;
    let before = state.tallies(&weighed, policy);
    // With bots, all teams end with one size, so a player adds only the weight beyond a bot.
    let bot = state.bot_weight(policy);
    let beyond = |power: Power, players: usize| (power - bot * players).steps();
    let values = |team: &TeamTally| beyond(team.power, team.bots + team.size);
    let mut sums = Sums {
        sizes: before.0.iter().map(|team| team.size).collect(),
        values: before.0.iter().map(values).collect(),
    };
    let groups = weighed.groups(|group| (group.power, group.players.len()));
    let (free, fixed): (Vec<Group>, Vec<Group>) =
        (groups.into_iter()).partition(|group| group.fixed.is_none());
    let item = |group: &Group| Item {
        players: group.players.len(),
        value: beyond(group.power, group.players.len()),
    };
    for group in &fixed {
        let Item { players, value } = item(group);
        sums.add(group.fixed.unwrap_or_default(), players, value);
    }
    let players = free.iter().map(|group| group.players.len());
    let all = sums.sizes.iter().sum::<usize>() + players.sum::<usize>();
    let judge = Judge {
        trigger: &policy.trigger,
        theta,
        most: most_of_a_team(all, sums.teams(), policy.largest_team_share),
        sizes_first: policy.bots().is_none(),
    };
    let items: Vec<Item> = free.iter().map(item).collect();
    let (mut seatings, mut optimal) =
        Placing::new(&judge, &items, sums, 1 + MAX_RUNNERS_UP).solve();
    let seats = |chosen: &[usize]| {
        let mut after = before.clone();
        let mut placed = Vec::new();
        let chosen = free.iter().zip(chosen.iter().copied());
        let fixed = fixed
            .iter()
            .map(|group| (group, group.fixed.unwrap_or_default()));
        for (group, team) in chosen.chain(fixed) {
            for player in &group.players {
                weighed.join(&mut after.0[team], player);
                placed.push(PlacedInTeam {
                    id: player.id,
                    team,
                });
            }
        }
        placed.sort_unstable();
        TeamSeats {
            placed,
            after: after.filled(state, policy),
        }
    };
    let faults = |(penalty, _): &Seating| (penalty.fires, penalty.over);
    optimal &= Pick::draw_as_good(state.pick, &mut seatings, faults);
    let mut choices = seatings.iter().map(|(_, chosen)| seats(chosen));
    let best = choices.next().unwrap_or_else(|| seats(&[]));
    Ok(TeamPlacement {
        placed: best.placed,
        // Joining players may change all weights, so the present players are weighed without them.
        before: state.tallies(&WeighedTeams::of(&state.teams, &[], policy)?, policy),
        optimal,
        runners_up: choices.collect(),
        fill: best.after.fill(state, policy),
        after: best.after,
    })
}

/// Returns the maximum number of players on one of `teams`. The policy's `share` is for two teams; with more teams,
/// each may exceed an equal part by the same factor.
fn most_of_a_team(players: usize, teams: usize, share: u32) -> usize {
    let equal = players.div_ceil(teams);
    equal.max(players * 2 * share as usize / (teams * 10_000))
}
