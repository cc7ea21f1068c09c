use std::cmp::Reverse;

use super::TeamFill;
use super::judge::{Judge, Penalty, Sums};
use super::placing::{Item, Placing};
use super::state::{TeamMatch, TeamTallies, WeighedTeams};
use super::two::{as_two, place_two};
use crate::balance::policy::{MissingWeight, Policy};
use crate::balance::state::{Pick, Player, Power, TeamTally, by_party};
use crate::balance::{MAX_RUNNERS_UP, Placement};
use crate::domain::PlayerId;

/// Placement of players who join a match of several teams.
pub type TeamPlacement = Placement<PlacedInTeam, TeamSeats, TeamTallies, TeamFill>;

/// An assignment of all players who join a match to its teams.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TeamSeats {
    /// Joining players with their assigned teams, sorted by player id.
    pub placed: Vec<PlacedInTeam>,
    /// Sizes and strengths of the teams after this placement, in the order of the match.
    pub after: TeamTallies,
}

/// A joining player and the assigned team.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct PlacedInTeam {
    /// Id of the player.
    pub id: PlayerId,
    /// Index of the player's assigned team in the match, from 0.
    pub team: usize,
}

/// Joining players who are placed on one team. `fixed` is the index of the team on which members of their party play.
struct Group<'all> {
    players: Vec<&'all Player>,
    power: Power,
    fixed: Option<usize>,
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
///
/// # Errors
/// Returns an error if the policy requires a sent weight and a player has none.
pub fn place_in_teams(
    state: &TeamMatch,
    joining: &[Player],
    policy: &Policy,
    theta: f64,
) -> Result<TeamPlacement, MissingWeight> {
    if let Some(state) = as_two(state) {
        return place_two(&state, joining, policy, theta);
    }
    let weighed = WeighedTeams::of(state, joining, policy)?;
    let before = weighed.tallies();
    // With bots, all teams end with one size, so a player adds only the weight beyond a bot.
    let bot = weighed.bot_weight.unwrap_or_default();
    let beyond = |power: Power, players: usize| (power - bot * players).steps();
    let values = |team: &TeamTally| beyond(team.power, team.bots + team.size);
    let mut sums = Sums {
        sizes: before.0.iter().map(|team| team.size).collect(),
        values: before.0.iter().map(values).collect(),
    };
    let (free, fixed): (Vec<Group>, Vec<Group>) =
        (groups(&weighed).into_iter()).partition(|group| group.fixed.is_none());
    let item = |group: &Group| Item {
        players: group.players.len(),
        value: beyond(group.power, group.players.len()),
    };
    for group in &fixed {
        let Item { players, value } = item(group);
        sums.add(group.fixed.unwrap_or_default(), players, value);
    }
    let all = sums.sizes.iter().sum::<usize>() + players_of(&free);
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
                weighed.join(&mut after, team, player);
                placed.push(PlacedInTeam {
                    id: player.id,
                    team,
                });
            }
        }
        placed.sort_unstable();
        TeamSeats {
            placed,
            after: match policy.bots() {
                Some(filling) => after.filled(state, filling),
                None => after,
            },
        }
    };
    let as_good = as_good_as_first(&seatings);
    optimal &= Pick::draw(state.pick, &mut seatings, as_good);
    let mut choices = seatings.iter().map(|(_, chosen)| seats(chosen));
    let best = choices.next().unwrap_or_else(|| seats(&[]));
    Ok(TeamPlacement {
        placed: best.placed,
        // Joining players may change all weights, so the present players are weighed without them.
        before: WeighedTeams::of(state, &[], policy)?.tallies(),
        optimal,
        runners_up: choices.collect(),
        fill: policy.bots().map(|filling| best.after.fill(state, filling)),
        after: best.after,
    })
}

/// Returns the number of placements, sorted best first, that break the limits no more than the first.
fn as_good_as_first(seatings: &[(Penalty, Vec<usize>)]) -> usize {
    let faults = |(penalty, _): &(Penalty, Vec<usize>)| (penalty.fires, penalty.over);
    let least = seatings.first().map(faults);
    seatings
        .iter()
        .take_while(|one| Some(faults(one)) == least)
        .count()
}

/// Returns the maximum number of players on one of `teams`. The policy's `share` is for two teams; with more teams,
/// each may exceed an equal part by the same factor.
fn most_of_a_team(players: usize, teams: usize, share: u32) -> usize {
    let equal = players.div_ceil(teams);
    equal.max(players * 2 * share as usize / (teams * 10_000))
}

fn players_of(groups: &[Group]) -> usize {
    groups.iter().map(|group| group.players.len()).sum()
}

/// Groups the joining players by party, the heaviest group first.
fn groups<'all>(weighed: &WeighedTeams<'all>) -> Vec<Group<'all>> {
    let mut groups: Vec<Group> = by_party(&weighed.joining)
        .into_iter()
        .map(|players| {
            let party = players.first().and_then(|player| player.party.as_ref());
            let friends = party.map(|party| {
                let has = |team: &&Vec<&Player>| {
                    let mut players = team.iter();
                    players.any(|player| player.party.as_ref() == Some(party))
                };
                let mut teams = weighed
                    .teams
                    .iter()
                    .enumerate()
                    .filter(|(_, team)| has(team))
                    .map(|(team, _)| team);
                (teams.next(), teams.next())
            });
            Group {
                power: players.iter().map(|player| weighed.power(player)).sum(),
                fixed: match friends {
                    Some((Some(team), None)) => Some(team),
                    _ => None,
                },
                players,
            }
        })
        .collect();
    groups.sort_by_key(|group| {
        let first = group.players.first().map(|player| player.id);
        (Reverse(group.power), Reverse(group.players.len()), first)
    });
    groups
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::balance::examples::{built_in, rated};

    #[test]
    fn sizes_that_cannot_be_even_are_less_uneven_rather_than_sums_closer() {
        let team = |first: u64, ratings: &[i32]| -> Vec<Player> {
            let rated = (first..).zip(ratings).map(|(n, points)| rated(n, *points));
            rated.collect()
        };
        let state = TeamMatch {
            teams: vec![
                team(1, &[500, 500, 500, 500]),
                Vec::new(),
                team(20, &[500, 500]),
            ],
            ..TeamMatch::default()
        };
        // On one team each, the teams weigh 2000, 2000 and 1300. Both on the empty team, the teams weigh 2000, 2300 and
        // 1000.
        let joining = team(30, &[2000, 300]);
        let placement = place_in_teams(&state, &joining, &built_in("synelo"), 2400.0).unwrap();
        let sizes = placement.after.0.iter().map(|team| team.size);
        assert!(sizes.eq([4, 2, 2]), "{placement:?}");
        assert!(placement.optimal);
    }
}
