use super::judge::{Judge, Sums};
use super::moving::{Mover, Moves, Moving};
use super::state::{TeamMatch, TeamTallies};
use super::two::{as_two, balance_two};
use crate::balance::policy::{Ineligible, MissingWeight, Policy, Reason, Suppression};
use crate::balance::state::{Pick, Player, Power, WeighedTeams};
use crate::balance::{MAX_RUNNERS_UP, RunnerUp, Verdict};
use crate::domain::PlayerId;

/// Verdict on the balance of a match of several teams. The alternatives in `runners_up` are not proven to be the next
/// best after the recommended moves.
pub(crate) type TeamVerdict = Verdict<TeamMove, TeamTallies, TeamFill>;

/// A player who changes teams. Teams are indices from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct TeamMove {
    pub(crate) id: PlayerId,
    pub(crate) from: usize,
    pub(crate) to: usize,
}

/// Number of bots that each team should have, and their weight.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct TeamFill {
    /// Number of bots on each team, in the order of the teams.
    pub(crate) bots: Vec<usize>,
    /// Strength that each added bot adds to its team's sum, in points.
    pub(crate) bot_weight: Power,
}

/// Judges a match of several teams by a policy. `theta` is the pool's logistic scale Θ.
///
/// Players move only if the teams are balanced afterwards. The verdict has the fewest moves, and among equally many
/// moves those with the closest strongest and weakest team. If sizes break a limit, players go to smaller teams, else
/// to weaker teams. If the policy swaps, only as many players as the sizes require move without an exchange.
pub(crate) fn balance_teams(
    state: &TeamMatch,
    policy: &Policy,
    theta: f64,
) -> Result<TeamVerdict, MissingWeight> {
    if let Some(state) = as_two(state) {
        return balance_two(&state, policy, theta);
    }
    let weighed = WeighedTeams::of(&state.teams, &[], policy)?;
    let before = state.tallies(&weighed, policy);
    let judge = Judge {
        trigger: &policy.trigger,
        theta,
        most: usize::MAX,
        sizes_first: false,
    };
    let sums = Sums {
        sizes: before.0.iter().map(|team| team.size).collect(),
        values: before.0.iter().map(|team| team.power.steps()).collect(),
    };
    let mut suppressions = policy
        .trigger
        .suppressions(&state.modes, state.seconds_left);
    // In modes without teams, bots cannot fill up several teams.
    suppressions.extend(
        state
            .modes
            .iter()
            .filter(|mode| policy.trigger.is_without_teams(std::slice::from_ref(mode)))
            .cloned()
            .map(Suppression::Mode),
    );
    let mut verdict = TeamVerdict::calm(before, suppressions);
    if !verdict.suppressions.is_empty() {
        return Ok(verdict);
    }
    if policy.bots().is_some() {
        verdict.after = verdict.before.filled(state, policy);
        if verdict.after != verdict.before {
            verdict.reasons.push(Reason::Bots);
        }
        verdict.fill = verdict.after.fill(state, policy);
        return Ok(verdict);
    }
    verdict.reasons = judge.reasons(&sums);
    if verdict.reasons.is_empty() {
        return Ok(verdict);
    }
    Ok(exchange(
        &weighed,
        policy,
        &judge,
        sums,
        (verdict, state.pick),
    ))
}

fn exchange(
    weighed: &WeighedTeams,
    policy: &Policy,
    judge: &Judge,
    sums: Sums,
    (calm, pick): (TeamVerdict, Option<Pick>),
) -> TeamVerdict {
    let (movable, out) = movable(weighed, policy);
    let movers: Vec<Mover> = movable
        .iter()
        .map(|(home, player)| Mover {
            home: *home,
            value: weighed.power(player).steps(),
        })
        .collect();
    let found = Moving {
        judge,
        act: policy.act,
        movers: &movers,
        sums,
        most: 1 + MAX_RUNNERS_UP,
    }
    .solve();
    let choices = found
        .choices
        .into_iter()
        .map(|(penalty, moves)| {
            let (made, after) = described(weighed, &calm.before, &movable, &moves);
            RunnerUp {
                moves: made,
                after,
                balanced_after: !penalty.fires,
            }
        })
        .collect();
    TeamVerdict {
        ineligible: out,
        ..calm.choose(choices, found.proven, pick)
    }
}

type Movable<'all> = (Vec<(usize, &'all Player)>, Vec<(PlayerId, Ineligible)>);

/// Returns the movable players with their teams by [`Player::move_rank`], and the others, by id, with the reasons.
fn movable<'all>(weighed: &WeighedTeams<'all>, policy: &Policy) -> Movable<'all> {
    let mut movable = Vec::new();
    let mut out = Vec::new();
    for home in 0..weighed.teams.len() {
        let (players, others) = weighed.movable(home, policy);
        movable.extend(players.into_iter().map(|player| (home, player)));
        out.extend(others);
    }
    movable.sort_unstable_by_key(|(_, player)| player.move_rank());
    out.sort_unstable_by_key(|(id, _)| *id);
    (movable, out)
}

/// Returns the moves sorted by player id, and the sizes and strengths of the teams after the moves.
fn described(
    weighed: &WeighedTeams,
    before: &TeamTallies,
    movable: &[(usize, &Player)],
    moves: &Moves,
) -> (Vec<TeamMove>, TeamTallies) {
    let mut after = before.clone();
    let mut made: Vec<TeamMove> = moves
        .iter()
        .map(|(mover, to)| {
            let (from, player) = movable[*mover];
            weighed.leave(&mut after.0[from], player);
            weighed.join(&mut after.0[*to], player);
            TeamMove {
                id: player.id,
                from,
                to: *to,
            }
        })
        .collect();
    made.sort_unstable();
    (made, after)
}
