use std::iter::{once, repeat};

use crate::api::{
    ApartAnswer, MissingRoleAnswer, PartiesAnswer, RelaxedAnswer, RolesAnswer, SplitAnswer,
    SpreadAnswer, WaitAnswer,
};
use crate::domain::SplitMethod;
use crate::partition::{Candidate, Outcome, Split, SplitTable, Wishes};
use crate::rating::win_probability;
use crate::service::phrases;
use crate::service::phrases::odds::Excess;

/// Why the best splits with these wishes may not have the least difference.
pub(crate) fn excess_with(wishes: &Wishes) -> Excess {
    if may_raise_the_difference(wishes) {
        Excess::Wishes
    } else {
        Excess::Unasked
    }
}

/// A table of splits as it is answered: the best of each size, and those to choose from; `excess` is why
/// the best may not have the least difference.
pub(crate) fn describe_splits(
    table: &SplitTable,
    excess: Excess,
    theta: f64,
) -> (Vec<SplitAnswer>, Vec<SplitAnswer>) {
    let splits = table.splits.iter();
    let splits = splits.map(|split| describe_split(split, excess, theta));
    // The first is that of the table, so it is described as it is there.
    let excesses = once(excess).chain(repeat(Excess::Alternative));
    let alternatives = table.alternatives.iter().zip(excesses);
    let alternatives = alternatives.map(|(split, excess)| describe_split(split, excess, theta));
    (splits.collect(), alternatives.collect())
}

/// Whether the best split with these wishes may have a greater difference than the best one without.
fn may_raise_the_difference(wishes: &Wishes) -> bool {
    let hard = !wishes.must_play.is_empty() || !wishes.must_wait.is_empty();
    let paid_for = !wishes.parties.is_empty() && wishes.party_price > 0;
    // Within a tolerance any wish may, and who asks for one has at least the two best apart.
    hard || paid_for || wishes.tolerance > 0
}

/// A split as it is answered, with its odds at Θ = `theta` and what became of the wishes; `excess` is
/// why its difference may not be the least.
fn describe_split(split: &Split, excess: Excess, theta: f64) -> SplitAnswer {
    // What swaps miss is no price of the wishes.
    let is_exact = split.method == SplitMethod::Exact;
    let excess = if is_exact { excess } else { Excess::Unasked };
    let ids = |team: &[Candidate]| team.iter().map(|player| player.id).collect();
    let Outcome {
        best_difference,
        moves,
        kept_parties,
        split_parties,
        together,
        benched,
        drafted,
        waited,
        repeats,
        ..
    } = split.outcome.clone();
    let waiting = split.waiting.iter().zip(waited);
    SplitAnswer {
        size: split.size,
        a: ids(&split.a),
        b: ids(&split.b),
        waiting: ids(&split.waiting),
        sum_a: split.sum_a,
        sum_b: split.sum_b,
        difference: split.difference,
        win_probability_a: win_probability(split.sum_a, split.sum_b, theta),
        method: split.method,
        optimal: split.optimal,
        best_difference,
        moves,
        parties: PartiesAnswer {
            kept: kept_parties,
            split: split_parties,
        },
        apart: ApartAnswer { together },
        roles: roles(&split.outcome),
        relaxed: RelaxedAnswer {
            must_play: benched,
            must_wait: drafted,
        },
        waits: waiting
            .map(|(player, waited)| WaitAnswer {
                id: player.id,
                waited,
            })
            .collect(),
        spread: spread(&split.outcome),
        repeats,
        say: phrases::split::split(split, excess, theta),
    }
}

/// The roles that players are missing for.
fn roles(outcome: &Outcome) -> RolesAnswer {
    let missing = outcome.missing_roles.iter().map(|role| MissingRoleAnswer {
        name: role.name.clone(),
        missing: role.missing,
    });
    RolesAnswer {
        missing: missing.collect(),
    }
}

/// How alike the teams are.
fn spread(outcome: &Outcome) -> SpreadAnswer {
    SpreadAnswer {
        a: outcome.deviation_a,
        b: outcome.deviation_b,
        top_two_apart: outcome.top_two_apart,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::partition::Alternatives;

    #[test]
    fn only_wishes_that_trade_the_difference_may_raise_it() {
        let none = Wishes::default();
        let free = Wishes {
            anchor: false,
            sizes: Some(vec![2]),
            alternatives: Some(Alternatives { size: 2, count: 12 }),
            parties: vec![Vec::new()],
            party_price: 0,
            ..Wishes::default()
        };
        assert!(!may_raise_the_difference(&none) && !may_raise_the_difference(&free));
        let id = "[U:1:1]".parse().unwrap();
        for wishes in [
            Wishes {
                must_play: vec![id],
                ..none.clone()
            },
            Wishes {
                must_wait: vec![id],
                ..none.clone()
            },
            Wishes {
                parties: vec![Vec::new()],
                ..none.clone()
            },
            Wishes {
                tolerance: 1,
                ..none.clone()
            },
        ] {
            assert!(may_raise_the_difference(&wishes), "{wishes:?}");
        }
    }
}
