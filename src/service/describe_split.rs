use super::say_split::say_split;
use crate::partition::{Candidate, Method, Outcome, Split};
use crate::rating::win_probability;
use crate::wire::{
    ApartAnswer, MethodName, PartiesAnswer, RelaxedAnswer, SplitAnswer, SpreadAnswer, WaitAnswer,
};

/// A split as it is answered, with its odds at Θ = `theta` and what became of the wishes.
pub(super) fn describe_split(split: &Split, theta: f64) -> SplitAnswer {
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
        method: method_name(split.method),
        optimal: split.optimal,
        best_difference,
        moves,
        parties: PartiesAnswer {
            kept: kept_parties,
            split: split_parties,
        },
        apart: ApartAnswer { together },
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
        say: say_split(split, theta),
    }
}

/// What the answers call a method.
pub(super) fn method_name(method: Method) -> MethodName {
    match method {
        Method::Exact => MethodName::Exact,
        Method::Greedy => MethodName::Greedy,
    }
}

/// How alike the teams are.
pub(super) fn spread(outcome: &Outcome) -> SpreadAnswer {
    SpreadAnswer {
        a: outcome.deviation_a,
        b: outcome.deviation_b,
        top_two_apart: outcome.top_two_apart,
    }
}
