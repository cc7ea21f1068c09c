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
        deviation_a,
        deviation_b,
        top_two_apart,
        repeats,
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
        method: match split.method {
            Method::Exact => MethodName::Exact,
            Method::Greedy => MethodName::Greedy,
        },
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
        spread: SpreadAnswer {
            a: deviation_a,
            b: deviation_b,
            top_two_apart,
        },
        repeats,
        say: say_split(split, theta),
    }
}
