use super::judge::{Judge, Sums};
use super::moving::{Mover, Moves, Moving};
use super::state::{TeamMatch, TeamTallies, WeighedTeams};
use crate::balance::MOST_RUNNERS_UP;
use crate::balance::policy::{Ineligible, MissingWeight, Policy, Reason, Suppression, ineligible};
use crate::balance::state::{Pick, Player};
use crate::domain::PlayerId;

/// Whether a match of several teams is unbalanced, and what to do about it.
#[derive(Clone, Debug, PartialEq)]
pub struct TeamVerdict {
    /// Why the teams are unbalanced; empty where they are not, or are left alone.
    pub reasons: Vec<Reason>,
    /// Why they are left alone; empty where they are not.
    pub suppressions: Vec<Suppression>,
    /// What to do; nothing where the teams are balanced, or where nothing makes them so.
    pub moves: Vec<TeamMove>,
    /// The teams as they stand.
    pub before: TeamTallies,
    /// The teams once everything is done.
    pub after: TeamTallies,
    /// Whether the teams are balanced then.
    pub balanced_after: bool,
    /// Whether there is proven to be nothing better than the moves; where nobody moves, that nothing
    /// that is allowed would balance the teams.
    pub optimal: bool,
    /// Other choices of as many players that balance the teams too, the best first that were found.
    /// Where none does, those that help at least.
    pub runners_up: Vec<TeamRunnerUp>,
    /// Who must not be moved.
    pub ineligible: Vec<(PlayerId, Ineligible)>,
    /// Whether bots fill up: then the tallies afterwards have those that there should be.
    pub fills: bool,
}

/// A player who changes teams, which are counted from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct TeamMove {
    /// Who.
    pub id: PlayerId,
    /// From where.
    pub from: usize,
    /// To where.
    pub to: usize,
}

/// Another choice.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TeamRunnerUp {
    /// What to do.
    pub moves: Vec<TeamMove>,
    /// The teams then.
    pub after: TeamTallies,
    /// Whether they are balanced then.
    pub balanced_after: bool,
}

impl TeamVerdict {
    /// Takes the choice that is drawn of those that balance the teams, in place of the best.
    pub fn pick(&mut self, pick: Pick) {
        let others = self.runners_up.iter().filter(|one| one.balanced_after);
        let place = pick.place(usize::from(self.balanced_after) + others.count());
        if self.moves.is_empty() || place == 0 {
            return;
        }
        self.optimal = false;
        let drawn = self.runners_up.remove(place - 1);
        let best = TeamRunnerUp {
            moves: std::mem::replace(&mut self.moves, drawn.moves),
            after: std::mem::replace(&mut self.after, drawn.after),
            balanced_after: true,
        };
        self.runners_up.insert(0, best);
    }

    /// Whether there are as many bots as there should be, or bots do not fill up.
    #[must_use]
    pub fn fills_already(&self) -> bool {
        !self.reasons.contains(&Reason::Bots)
    }
}

/// Judges a match of several teams by a policy; `theta` is Θ of the pool.
///
/// As for two teams, somebody is moved only where the teams are balanced afterwards; the moves are the
/// fewest and, of as few, those that leave the least spread. Where sizes are at fault players go
/// to smaller teams, else to weaker ones; where the policy swaps, the sizes stay as they are but for as
/// many as they ask for.
///
/// # Errors
/// A player of whom a weight must be sent, and none is.
pub fn balance_teams(
    state: &TeamMatch,
    policy: &Policy,
    theta: f64,
) -> Result<TeamVerdict, MissingWeight> {
    let weighed = WeighedTeams::of(state, &[], policy)?;
    let before = weighed.tallies();
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
    let mut verdict = TeamVerdict {
        reasons: Vec::new(),
        suppressions: policy.trigger.suppressions(&state.circumstances()),
        moves: Vec::new(),
        after: before.clone(),
        before,
        balanced_after: true,
        optimal: true,
        runners_up: Vec::new(),
        ineligible: Vec::new(),
        fills: false,
    };
    // Several teams of which everybody plays alone are none that bots could fill up.
    let alone = state
        .modes
        .iter()
        .filter(|mode| policy.trigger.is_without_teams(std::slice::from_ref(mode)));
    verdict
        .suppressions
        .extend(alone.cloned().map(Suppression::Mode));
    if !verdict.suppressions.is_empty() {
        return Ok(verdict);
    }
    if let Some(filling) = policy.bots() {
        verdict.fills = true;
        verdict.after = verdict.before.filled(state, filling);
        if verdict.after != verdict.before {
            verdict.reasons.push(Reason::Bots);
        }
        return Ok(verdict);
    }
    verdict.reasons = judge.reasons(&sums);
    if !verdict.reasons.is_empty() {
        exchange(&weighed, policy, &judge, sums, &mut verdict);
    }
    Ok(verdict)
}

/// Completes the verdict on teams that are unbalanced.
fn exchange(
    weighed: &WeighedTeams,
    policy: &Policy,
    judge: &Judge,
    sums: Sums,
    verdict: &mut TeamVerdict,
) {
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
        most: 1 + MOST_RUNNERS_UP,
    }
    .solve();
    let described = found.choices.into_iter().map(|(merit, moves)| {
        let (made, after) = described(weighed, &verdict.before, &movable, &moves);
        TeamRunnerUp {
            moves: made,
            after,
            balanced_after: !merit.fires,
        }
    });
    let mut choices: Vec<TeamRunnerUp> = described.collect();
    verdict.balanced_after = choices.first().is_some_and(|best| best.balanced_after);
    if verdict.balanced_after {
        let best = choices.remove(0);
        verdict.moves = best.moves;
        verdict.after = best.after;
    }
    choices.truncate(MOST_RUNNERS_UP);
    verdict.runners_up = choices;
    verdict.optimal = found.proven;
    verdict.ineligible = out;
}

/// Those who may be moved, each with the team, and those who may not, each with the reason.
type Movable<'all> = (Vec<(usize, &'all Player)>, Vec<(PlayerId, Ineligible)>);

/// Everybody who may be moved, with the team: those with the fewest points first, then who joined last;
/// and who may not, with the reason.
fn movable<'all>(weighed: &WeighedTeams<'all>, policy: &Policy) -> Movable<'all> {
    let present: Vec<&Player> = weighed.teams.iter().flatten().copied().collect();
    let mut movable = Vec::new();
    let mut out: Vec<(PlayerId, Ineligible)> = Vec::new();
    for (home, team) in weighed.teams.iter().enumerate() {
        let stay = ineligible(team, &present, weighed.powers(), policy.eligible);
        let others = team.iter().filter(|player| !stay.contains_key(&player.id));
        movable.extend(others.map(|player| (home, *player)));
        out.extend(stay);
    }
    movable.sort_unstable_by_key(|(_, player)| {
        let joined = player.joined_seconds.unwrap_or(u32::MAX);
        (player.points.unwrap_or(0), joined, player.id)
    });
    out.sort_unstable_by_key(|(id, _)| *id);
    (movable, out)
}

/// Moves with the players who make them, in the order of their ids, and the teams then.
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
            weighed.cross(&mut after, from, *to, player);
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
