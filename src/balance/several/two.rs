//! Conversion of matches of two teams from and to the form for several teams, to use the exact methods for two.

use super::{PlacedInTeam, TeamFill, TeamMatch, TeamMove, TeamPlacement, TeamSeats};
use super::{TeamTallies, TeamVerdict};
use crate::balance::policy::{MissingWeight, Policy};
use crate::balance::state::{Bots, Match, Player, Tally};
use crate::balance::{Fill, Move, RunnerUp, balance, place};

pub(super) fn as_two(state: &TeamMatch) -> Option<Match> {
    let [team_a, team_b] = &state.teams[..] else {
        return None;
    };
    let bots = |team: usize| state.bots.get(team).copied().unwrap_or(0);
    Some(Match {
        team_a: team_a.clone(),
        team_b: team_b.clone(),
        modes: state.modes.clone(),
        seconds_left: state.seconds_left,
        bots: Bots {
            a: bots(0),
            b: bots(1),
            weight: state.bot_weight,
            map_players: state.map_players,
            ..Bots::default()
        },
        pick: state.pick,
        ..Match::default()
    })
}

pub(super) fn balance_two(
    state: &Match,
    policy: &Policy,
    theta: f64,
) -> Result<TeamVerdict, MissingWeight> {
    let found = balance(state, policy, theta)?;
    Ok(TeamVerdict {
        reasons: found.reasons,
        suppressions: found.suppressions,
        moves: moves(&found.moves),
        before: tallies(&found.before),
        after: tallies(&found.after),
        balanced_after: found.balanced_after,
        optimal: found.optimal,
        runners_up: found
            .runners_up
            .iter()
            .map(|other| RunnerUp {
                moves: moves(&other.moves),
                after: tallies(&other.after),
                balanced_after: other.balanced_after,
            })
            .collect(),
        ineligible: found.ineligible,
        fill: found.fill.as_ref().map(fill),
    })
}

pub(super) fn place_two(
    state: &Match,
    joining: &[Player],
    policy: &Policy,
    theta: f64,
) -> Result<TeamPlacement, MissingWeight> {
    let found = place(state, joining, policy, theta)?;
    let seats = |team: usize| move |id| PlacedInTeam { id, team };
    Ok(TeamPlacement {
        placed: found
            .placed
            .iter()
            .map(|one| seats(one.team as usize)(one.id))
            .collect(),
        before: tallies(&found.before),
        after: tallies(&found.after),
        optimal: found.optimal,
        runners_up: found
            .runners_up
            .iter()
            .map(|other| {
                let on_a = other.team_a.iter().copied().map(seats(0));
                let on_b = other.team_b.iter().copied().map(seats(1));
                let mut placed: Vec<PlacedInTeam> = on_a.chain(on_b).collect();
                placed.sort_unstable();
                TeamSeats {
                    placed,
                    after: tallies(&other.after),
                }
            })
            .collect(),
        fill: found.fill.as_ref().map(fill),
    })
}

fn moves(moves: &[Move]) -> Vec<TeamMove> {
    moves
        .iter()
        .map(|one| TeamMove {
            id: one.id,
            from: one.from as usize,
            to: one.from.other() as usize,
        })
        .collect()
}

fn tallies(tally: &Tally) -> TeamTallies {
    TeamTallies(vec![tally.a, tally.b])
}

fn fill(fill: &Fill) -> TeamFill {
    TeamFill {
        bots: vec![fill.bots_a, fill.bots_b],
        bot_weight: fill.bot_weight,
    }
}
