use super::choose::{Candidates, Choice};
use super::exchange::Exchange;
use crate::balance::MOST_RUNNERS_UP;
use crate::balance::placing::{Fill, fill, fill_without_teams};
use crate::balance::policy::{Act, Ineligible, MissingWeight, Policy, Reason, Suppression};
use crate::balance::state::{Bots, Match, Pick, Player, Tally, WeighedMatch};
use crate::domain::{PlayerId, Side};

/// Whether a match is unbalanced, and what to do about it.
#[derive(Clone, Debug, PartialEq)]
pub struct Verdict {
    /// Why the teams are unbalanced; empty where they are not, or are left alone.
    pub reasons: Vec<Reason>,
    /// Why they are left alone; empty where they are not.
    pub suppressions: Vec<Suppression>,
    /// What to do; nothing where the teams are balanced, or where nothing makes them so.
    pub moves: Vec<Move>,
    /// The teams as they stand.
    pub before: Tally,
    /// The teams once everything is done.
    pub after: Tally,
    /// Whether the teams are balanced then.
    pub balanced_after: bool,
    /// Whether nothing better is proven to exist, of the moves and of the runners-up: where nobody
    /// moves, that nothing that is allowed would balance the teams.
    pub optimal: bool,
    /// The next best choices of as many players that balance the teams too, the best first. Where
    /// none does, those that help at least: none that leaves the teams farther apart, or flips the
    /// favourite beyond the limit.
    pub runners_up: Vec<RunnerUp>,
    /// Who must not be moved away from the team that has too much and, for swaps, from the other.
    pub ineligible: Vec<(PlayerId, Ineligible)>,
    /// The bots, where they are what is done.
    pub fill: Option<Fill>,
}

/// A player who changes teams.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Move {
    /// Who.
    pub id: PlayerId,
    /// From where; the other team is where to.
    pub from: Side,
    /// Who comes in exchange, in a swap.
    pub with: Option<PlayerId>,
    /// The teams after this move alone, and that of the one who comes in exchange.
    pub alone: Tally,
}

/// Another choice.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RunnerUp {
    /// What to do.
    pub moves: Vec<Move>,
    /// The teams then.
    pub after: Tally,
    /// Whether they are balanced then.
    pub balanced_after: bool,
}

/// Judges a match by a policy; `theta` is Θ of the pool.
///
/// The answer does not depend on the order of the players. It moves somebody only where the teams are
/// balanced afterwards, by the same trigger.
///
/// # Errors
/// A player of whom a weight must be sent, and none is.
pub fn balance(state: &Match, policy: &Policy, theta: f64) -> Result<Verdict, MissingWeight> {
    let weighed = WeighedMatch::of(state, &[], policy)?;
    let before = weighed.tally();
    let filled = policy.bots().map(|filling| {
        if policy.trigger.is_without_teams(&state.modes) {
            fill_without_teams(&before, &state.bots, filling)
        } else {
            fill(&before, &state.bots, filling)
        }
    });
    let wanted = filled.map(|(_, tally)| Bots {
        a: tally.a.bots,
        b: tally.b.bots,
        ..state.bots
    });
    let reasons = policy.trigger.reasons(&before, wanted.as_ref(), theta);
    let suppressions = policy.trigger.suppressions(state);
    let calm = Verdict {
        reasons: Vec::new(),
        suppressions,
        moves: Vec::new(),
        before,
        after: before,
        balanced_after: true,
        optimal: true,
        runners_up: Vec::new(),
        ineligible: Vec::new(),
        fill: None,
    };
    if !calm.suppressions.is_empty() {
        return Ok(calm);
    }
    if let Some((fill, after)) = filled {
        return Ok(Verdict {
            reasons,
            after,
            fill: Some(fill),
            ..calm
        });
    }
    if reasons.is_empty() {
        return Ok(calm);
    }
    Ok(Verdict {
        reasons,
        ..exchange(&weighed, policy, theta, state.pick, calm)
    })
}

/// The verdict on teams that are unbalanced.
fn exchange(
    weighed: &WeighedMatch,
    policy: &Policy,
    theta: f64,
    pick: Option<Pick>,
    calm: Verdict,
) -> Verdict {
    let before = calm.before;
    let (a, b) = (before.a.size, before.b.size);
    let giving = if policy.trigger.size_reasons(a, b).is_empty() {
        before.stronger()
    } else {
        before.larger()
    };
    let (give, mut out) = weighed.movable(giving, policy);
    let take = if policy.act == Act::Swap {
        let (take, others_out) = weighed.movable(giving.other(), policy);
        out.extend(others_out);
        take
    } else {
        Vec::new()
    };
    let (give_values, take_values) = (values(weighed, &give), values(weighed, &take));
    let lead = before.lead_of(giving).steps();
    let mut exchange = Exchange {
        trigger: &policy.trigger,
        act: policy.act,
        tally: before,
        most_lead: policy
            .trigger
            .most_lead(before.total(), weighed.beyond(), theta),
        giving,
        candidates: Candidates::of(&give_values, &take_values, lead),
    };
    let solved = exchange.solve(1 + MOST_RUNNERS_UP);
    let mover = Mover {
        weighed,
        before,
        giving,
        give: &give,
        take: &take,
    };
    let mut choices: Vec<RunnerUp> = solved
        .choices
        .iter()
        .map(|(choice, balances)| mover.runner_up(choice, *balances))
        .collect();
    let balancing = choices.iter().filter(|one| one.balanced_after).count();
    let drawn = pick.map_or(0, |pick| pick.place(balancing));
    let mut verdict = Verdict {
        balanced_after: false,
        optimal: solved.proven,
        ineligible: out,
        ..calm
    };
    if choices.first().is_some_and(|best| best.balanced_after) {
        let best = choices.remove(drawn);
        verdict.moves = best.moves;
        verdict.after = best.after;
        verdict.balanced_after = true;
        verdict.optimal &= drawn == 0;
    }
    choices.truncate(MOST_RUNNERS_UP);
    verdict.runners_up = choices;
    verdict
}

fn values(weighed: &WeighedMatch, players: &[&Player]) -> Vec<i64> {
    players
        .iter()
        .map(|player| weighed.value(player).steps())
        .collect()
}

/// Puts moves in order, with what each does alone.
struct Mover<'all> {
    weighed: &'all WeighedMatch<'all>,
    before: Tally,
    giving: Side,
    /// Who may leave the giving team, and who the other.
    give: &'all [&'all Player],
    take: &'all [&'all Player],
}

impl<'all> Mover<'all> {
    fn runner_up(&self, choice: &Choice, balanced_after: bool) -> RunnerUp {
        let picked = |all: &[&'all Player], places: &[usize]| -> Vec<&'all Player> {
            places.iter().map(|place| all[*place]).collect()
        };
        let mut give = picked(self.give, &choice.give);
        let mut take = picked(self.take, &choice.take);
        let mut after = self.before;
        let (mut transfers, mut swaps) = (Vec::new(), Vec::new());
        // Pairs, the best first, each by the teams that those before it make.
        while let Some((one, other)) = self.best_pair(&after, &give, &take) {
            let (one, other) = (give.remove(one), take.remove(other));
            let alone = self.crossed(&self.before, one, Some(other));
            after = self.crossed(&after, one, Some(other));
            let exchange = [(one, self.giving, other), (other, self.giving.other(), one)];
            swaps.extend(exchange.map(|(who, from, with)| Move {
                id: who.id,
                from,
                with: Some(with.id),
                alone,
            }));
        }
        for one in give {
            after = self.crossed(&after, one, None);
            transfers.push(Move {
                id: one.id,
                from: self.giving,
                with: None,
                alone: self.crossed(&self.before, one, None),
            });
        }
        transfers.sort_by_key(|one| (one.alone.lead().abs(), one.id));
        transfers.extend(swaps);
        RunnerUp {
            moves: transfers,
            after,
            balanced_after,
        }
    }

    fn best_pair(
        &self,
        tally: &Tally,
        give: &[&Player],
        take: &[&Player],
    ) -> Option<(usize, usize)> {
        let lead = tally.lead_of(self.giving).steps();
        let (give_values, take_values) = (values(self.weighed, give), values(self.weighed, take));
        let pairs = (0..give.len()).flat_map(|one| (0..take.len()).map(move |other| (one, other)));
        pairs.min_by_key(|&(one, other)| {
            let left = lead - 2 * (give_values[one] - take_values[other]);
            (left.abs(), give[one].id, take[other].id)
        })
    }

    fn crossed(&self, tally: &Tally, one: &Player, other: Option<&Player>) -> Tally {
        let mut after = *tally;
        self.weighed.cross(&mut after, self.giving, one);
        if let Some(other) = other {
            self.weighed.cross(&mut after, self.giving.other(), other);
        }
        after
    }
}
