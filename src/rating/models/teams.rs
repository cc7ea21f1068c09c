//! What models of two teams share that know nothing of a round but who played and who won.

use std::collections::HashMap;

use skillratings::Outcomes;

use crate::domain::{PlayerEntry, PlayerId, Rating, Round, Side, Winner};

/// What a model knows of every player.
#[derive(Debug)]
pub(super) struct Ratings<R> {
    /// Of a player whom it does not know.
    new: R,
    known: HashMap<PlayerId, R>,
}

impl<R: Copy> Ratings<R> {
    /// Those of nobody yet, where a new player's is `new`. Where a model adds up a team, that has to be 0 in the
    /// mean: a player of whom nothing is known must not decide by being there.
    pub(super) fn new(new: R) -> Self {
        let known = HashMap::new();
        Self { new, known }
    }

    /// The ratings of both teams as they stood at the start of the round, in the order sent: what predicts it.
    pub(super) fn rosters(&self, round: &Round) -> [Vec<R>; 2] {
        self.teams(round, |entry| entry.at_start)
    }

    /// The same of those who are rated by the round; `None` where a team has nobody who is.
    pub(super) fn participants(&self, round: &Round) -> Option<[Vec<R>; 2]> {
        let teams = self.teams(round, PlayerEntry::is_rated);
        teams.iter().all(|team| !team.is_empty()).then_some(teams)
    }

    fn teams(&self, round: &Round, is_wanted: impl Fn(&PlayerEntry) -> bool) -> [Vec<R>; 2] {
        [Side::A, Side::B].map(|side| {
            let entries = round.entries();
            let wanted = entries.filter(|(of, entry)| *of == side && is_wanted(entry));
            wanted.map(|(_, entry)| self.get(entry.id)).collect()
        })
    }

    pub(super) fn get(&self, player: PlayerId) -> R {
        self.known.get(&player).copied().unwrap_or(self.new)
    }

    /// Notes what became of the participants, in the order of [`Ratings::participants`].
    pub(super) fn set(&mut self, round: &Round, [a, b]: [Vec<R>; 2]) {
        let participants = round.participants();
        let ids = participants.map(|(_, entry)| entry.id);
        self.known.extend(ids.zip(a.into_iter().chain(b)));
    }
}

/// How a round ended for team a.
pub(super) fn outcome(winner: Winner) -> Outcomes {
    match winner {
        Winner::A => Outcomes::WIN,
        Winner::B => Outcomes::LOSS,
        Winner::Draw => Outcomes::DRAW,
    }
}

/// What a new player's rating is shown as, of a model in which it is 0.
const MIDDLE: f64 = 1000.0;

/// So many points above a new player's rating.
pub(super) fn above_new(points: f64) -> Rating {
    Rating::from_rounded(MIDDLE + points)
}

/// Adds up numbers in ascending order, so that the order of a team's players does not change the result by a bit.
pub(super) fn sum(numbers: impl IntoIterator<Item = f64>) -> f64 {
    let mut numbers: Vec<f64> = numbers.into_iter().collect();
    numbers.sort_unstable_by(f64::total_cmp);
    numbers.into_iter().fold(0.0, |sum, number| sum + number)
}

/// Adds up the numbers of team a and those of team b.
pub(super) fn sums(numbers: impl Iterator<Item = (Side, f64)>) -> [f64; 2] {
    let (a, b): (Vec<_>, Vec<_>) = numbers.partition(|(side, _)| *side == Side::A);
    [a, b].map(|team| sum(team.into_iter().map(|(_, number)| number)))
}
