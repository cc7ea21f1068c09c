use crate::domain::Probability;
use crate::service::RecordedRound;
use crate::wire::{PairAnswer, RatedPlayerAnswer};

/// The odds of both teams, where `for_a` is team a's win probability.
pub(super) fn odds(for_a: Probability) -> PairAnswer<Probability> {
    PairAnswer {
        a: for_a,
        b: for_a.complement(),
    }
}

/// What a round made of its participants: team a's, then team b's, each in the order sent.
pub(super) fn rated_players(
    recorded: &RecordedRound,
) -> impl Iterator<Item = RatedPlayerAnswer> + '_ {
    let RecordedRound { logged, result } = recorded;
    let participants = logged.round.participants();
    participants
        .zip(&result.players)
        .map(|((team, entry), rated)| RatedPlayerAnswer {
            id: entry.id,
            team,
            before: rated.before,
            rating: rated.after,
            delta: rated.after.points() - rated.before.points(),
            k: rated.k,
            rounds: rated.rounds,
            visible: rated.visible,
        })
}
