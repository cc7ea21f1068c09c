use std::iter::{once, repeat};

use crate::api::{
    ApartAnswer, DrawnSplitAnswer, MissingRoleAnswer, NewcomersAnswer, Object, PartiesAnswer,
    RelaxedAnswer, RolesAnswer, ScrambleRequest, SplitAnswer, SpreadAnswer, WaitAnswer,
};
use crate::domain::{Probability, SplitMethod};
use crate::partition::{Candidate, MissingRole, SharedNewcomers, Split, SplitTable, Wishes};
use crate::service::balance::evaluate::drawn;
use crate::service::convert::convert;
use crate::service::phrases::{self, odds::Excess};

/// Returns the reason why the best splits with these wishes may differ more in ratings than the best splits without.
pub(crate) fn excess_with(wishes: &Wishes) -> Excess {
    let hard = !wishes.must_play.is_empty() || !wishes.must_wait.is_empty();
    let paid_for = !wishes.parties.is_empty() && wishes.party_price > 0;
    // A tolerance lets any wish enlarge the difference, by default at least the wish to separate the two best players.
    if hard || paid_for || wishes.tolerance > 0 {
        Excess::Wishes
    } else if wishes.newcomers_price > 0 {
        Excess::Newcomers
    } else {
        Excess::Unasked
    }
}

/// Splits for one scramble of a game server's players, as the API returns them.
#[derive(Clone, Debug, PartialEq)]
pub struct DescribedSplits {
    /// Best split of each team size, ascending by size. The drawn split replaces the best one of its size.
    pub splits: Vec<SplitAnswer>,
    /// Alternative splits of one team size, best first.
    pub alternatives: Vec<SplitAnswer>,
    /// Random draw among the alternative splits, if there was one.
    pub drawn: Option<DrawnSplitAnswer>,
}

impl DescribedSplits {
    /// Applies the random draw of `request`, which replaces the best split of its size. Keeps as many alternative
    /// splits as the request lists. The draw follows the computation, so a table does not depend on the seed.
    fn drawn(mut self, request: &ScrambleRequest) -> Self {
        let Some(pick) = request.pick.map(drawn) else {
            return self;
        };
        let choices = self.alternatives.len().min(pick.of);
        let place = pick.place(choices);
        let split = self.alternatives.get(place);
        let best = self.splits.iter_mut();
        let best = split.and_then(|split| best.into_iter().find(|best| best.size == split.size));
        if let (Some(best), Some(split)) = (best, split) {
            *best = SplitAnswer {
                optimal: split.optimal && place == 0,
                ..split.clone()
            };
            self.drawn = Some(DrawnSplitAnswer {
                size: split.size,
                rank: place + 1,
                of: choices,
            });
        }
        let listed = request
            .alternatives
            .map_or(0, |Object(wanted)| wanted.count.count());
        self.alternatives.truncate(listed);
        self
    }
}

/// Converts a table of splits into the answer to `request`. `excess` is the reason why the best splits may not have the
/// least rating difference. `odds` returns the probability that team A wins.
pub(crate) fn describe_splits<E>(
    request: &ScrambleRequest,
    table: &SplitTable,
    excess: Excess,
    theta: f64,
    odds: impl Fn(&Split) -> Result<Probability, E>,
) -> Result<DescribedSplits, E> {
    let describe = |split, excess| Ok(describe_split(split, excess, odds(split)?, theta));
    let splits = table.splits.iter().map(|split| describe(split, excess));
    // The first alternative is also the best split of its size, so both get the same `excess`.
    let excesses = once(excess).chain(repeat(Excess::Alternative));
    let alternatives = table
        .alternatives
        .iter()
        .zip(excesses)
        .map(|(split, excess)| describe(split, excess));
    let splits: Result<_, E> = splits.collect();
    let described = DescribedSplits {
        splits: splits?,
        alternatives: alternatives.collect::<Result<_, E>>()?,
        drawn: None,
    };
    Ok(described.drawn(request))
}

/// Converts a split into an answer of the API. `excess` is the reason for a larger rating difference than the least,
/// and `for_a` the probability that team A wins.
fn describe_split(split: &Split, excess: Excess, for_a: Probability, theta: f64) -> SplitAnswer {
    // After a search by swaps, a larger difference may come from the search instead of the wishes.
    let is_exact = split.method == SplitMethod::Exact;
    let excess = if is_exact { excess } else { Excess::Unasked };
    let ids = |team: &[Candidate]| team.iter().map(|player| player.id).collect();
    let outcome = split.outcome.clone();
    let missing = outcome.missing_roles.into_iter();
    let waits = split
        .waiting
        .iter()
        .zip(outcome.waited)
        .map(|(player, waited)| WaitAnswer {
            id: player.id,
            waited,
        });
    SplitAnswer {
        size: split.size,
        a: ids(&split.a),
        b: ids(&split.b),
        waiting: ids(&split.waiting),
        sum_a: split.sum_a,
        sum_b: split.sum_b,
        difference: split.difference,
        win_probability_a: for_a,
        method: split.method,
        optimal: split.optimal,
        best_difference: outcome.best_difference,
        moves: outcome.moves,
        parties: PartiesAnswer {
            kept: outcome.kept_parties,
            split: outcome.split_parties,
        },
        apart: ApartAnswer {
            together: outcome.together,
        },
        roles: RolesAnswer {
            missing: missing.map(Into::into).collect(),
        },
        newcomers: outcome.newcomers.map(Into::into),
        relaxed: RelaxedAnswer {
            must_play: outcome.benched,
            must_wait: outcome.drafted,
        },
        waits: waits.collect(),
        spread: SpreadAnswer {
            a: outcome.deviation_a,
            b: outcome.deviation_b,
            top_two_apart: outcome.top_two_apart,
        },
        repeats: outcome.repeats,
        message: phrases::split::split(split, excess, for_a, theta),
    }
}

convert! {
    MissingRole => MissingRoleAnswer { name, missing }
    SharedNewcomers => NewcomersAnswer { a, b, cost }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::partition::Alternatives;

    #[test]
    fn only_wishes_that_trade_the_difference_may_raise_it() {
        let free = Wishes {
            anchor: false,
            sizes: Some(vec![2]),
            alternatives: Some(Alternatives { size: 2, count: 12 }),
            parties: vec![Vec::new()],
            party_price: 0,
            ..Wishes::default()
        };
        assert_eq!(excess_with(&Wishes::default()), Excess::Unasked);
        assert_eq!(excess_with(&free), Excess::Unasked);
        let newcomers = Wishes {
            newcomers_price: 20,
            ..Wishes::default()
        };
        assert_eq!(excess_with(&newcomers), Excess::Newcomers);
        let changes: [fn(&mut Wishes); 4] = [
            |wishes| wishes.must_play = vec!["[U:1:1]".parse().unwrap()],
            |wishes| wishes.must_wait = vec!["[U:1:1]".parse().unwrap()],
            |wishes| wishes.parties = vec![Vec::new()],
            |wishes| wishes.tolerance = 1,
        ];
        for change in changes {
            let mut wishes = Wishes::default();
            change(&mut wishes);
            assert_eq!(excess_with(&wishes), Excess::Wishes, "{wishes:?}");
        }
    }
}
