use super::choose::{Candidates, Choice};
use super::exchange::Exchange;
use crate::balance::placing::{fill, fill_without_teams};
use crate::balance::policy::{Act, MissingWeight, Policy};
use crate::balance::state::{Bots, Match, Pick, Player, Tally, WeighedMatch};
use crate::balance::{MAX_RUNNERS_UP, RunnerUp, Verdict};
use crate::domain::{PlayerId, Side};

/// A player who changes teams.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Move {
    pub(crate) id: PlayerId,
    pub(crate) from: Side,
    /// Player of the other team who comes in exchange, if two players swap teams.
    pub(crate) with: Option<PlayerId>,
    /// Sizes and strengths of both teams after this move alone, including the player who comes in exchange.
    pub(crate) alone: Tally,
}

/// Judges a match by a policy. `theta` is the pool's logistic scale Θ.
///
/// The verdict does not depend on the order of the players. Players move only if the teams are balanced afterwards, by
/// the same trigger.
///
/// # Errors
/// Returns an error if the policy requires a sent weight and a player has none.
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
    let suppressions = policy
        .trigger
        .suppressions(&state.modes, state.seconds_left);
    let calm = Verdict::calm(before, suppressions);
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
    let (give, mut out) = weighed.teams.movable(giving as usize, policy);
    let take = if policy.act == Act::Swap {
        let (take, others_out) = weighed.teams.movable(giving.other() as usize, policy);
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
    let solved = exchange.solve(1 + MAX_RUNNERS_UP);
    let mover = Mover {
        weighed,
        before,
        giving,
        give: &give,
        take: &take,
    };
    let choices = solved
        .choices
        .iter()
        .map(|(choice, balances)| mover.runner_up(choice, *balances))
        .collect();
    Verdict {
        ineligible: out,
        ..calm.choose(choices, solved.proven, pick)
    }
}

fn values(weighed: &WeighedMatch, players: &[&Player]) -> Vec<i64> {
    players
        .iter()
        .map(|player| weighed.value(player).steps())
        .collect()
}

/// Converts choices of players into ordered moves, each with the effect that it has alone.
struct Mover<'all> {
    weighed: &'all WeighedMatch<'all>,
    before: Tally,
    giving: Side,
    /// Movable players of the team that gives players; `take` has the movable players of the other team.
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
        // Forms pairs, the best first. Each pair builds on the pairs before it.
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
