//! An in-memory pool with the minimum state for the rating math.

use std::collections::BTreeMap;

use rbs::domain::{PlayerEntry, PlayerId, Probability, Rating, Score, Side, Winner};
use rbs::rating::{
    Parameters, Rated, Standing, Totals, TotalsStep, Window, boundaries, rate, win_probability,
};

/// A player's rating, and the totals after every rated round.
#[derive(Clone, Debug)]
pub(super) struct Player {
    pub(super) rating: Rating,
    pub(super) rounds: u32,
    /// Index 0 holds zero totals, index n the totals up to the player's n-th entry.
    totals: Vec<Totals>,
}

impl Player {
    pub(super) fn new(parameters: &Parameters) -> Self {
        Self {
            rating: parameters.initial_rating,
            rounds: 0,
            totals: vec![Totals::default()],
        }
    }

    /// Appends an entry to the history; the caller sets the rating.
    pub(super) fn record(&mut self, after: Rating, expected: Probability, score: Score) {
        let step = TotalsStep::of(after, expected, score);
        self.totals.push(self.last().with(step));
        self.rounds += 1;
    }

    /// Makes the player new; older entries remain but no longer count.
    pub(super) fn reset(&mut self, parameters: &Parameters) {
        self.rating = parameters.initial_rating;
        self.rounds = 0;
    }

    pub(super) fn last(&self) -> Totals {
        self.totals[self.totals.len() - 1]
    }

    /// Window of the last `window` rounds, from three look-ups and the last totals.
    pub(super) fn window(&self, window: u32) -> Window {
        let entries = u64::try_from(self.totals.len() - 1).unwrap();
        let ends = boundaries(entries, self.rounds, window);
        let at = |entry: u64| self.totals[usize::try_from(entry).unwrap()];
        Window::between(
            ends,
            at(ends.start),
            at(ends.old_end),
            at(ends.new_start),
            self.last(),
        )
    }

    pub(super) fn standing(&self, parameters: &Parameters) -> Standing {
        Standing {
            rating: self.rating,
            rounds: self.rounds,
            window: self.window(parameters.window),
            since_return: None,
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Result {
    pub(super) id: PlayerId,
    pub(super) expected: Probability,
    pub(super) score: Score,
    pub(super) before: Rating,
    pub(super) rounds_before: u32,
    pub(super) rated: Rated,
}

#[derive(Clone, Debug)]
pub(super) struct Played {
    /// Win probability of team a.
    pub(super) predicted: Probability,
    /// Participants, team a first, in the order given.
    pub(super) results: Vec<Result>,
}

#[derive(Clone, Debug)]
pub(super) struct Projection {
    pub(super) parameters: Parameters,
    pub(super) players: BTreeMap<PlayerId, Player>,
}

impl Projection {
    pub(super) fn new(parameters: Parameters) -> Self {
        Self {
            parameters,
            players: BTreeMap::new(),
        }
    }

    /// The player `id`, created if unknown.
    pub(super) fn player(&mut self, id: PlayerId) -> &mut Player {
        self.players
            .entry(id)
            .or_insert_with(|| Player::new(&self.parameters))
    }

    fn roster_sum(&mut self, team: &[PlayerEntry]) -> i64 {
        team.iter()
            .filter(|entry| entry.at_start)
            .map(|entry| i64::from(self.player(entry.id).rating.points()))
            .sum()
    }

    /// Rates a round: computes all changes from the prior state, then applies them at once.
    pub(super) fn play(
        &mut self,
        winner: Winner,
        team_a: &[PlayerEntry],
        team_b: &[PlayerEntry],
    ) -> Played {
        let sum_a = self.roster_sum(team_a);
        let sum_b = self.roster_sum(team_b);
        let predicted = win_probability(sum_a, sum_b, self.parameters.theta);
        let mut results = Vec::new();
        for (side, team) in [(Side::A, team_a), (Side::B, team_b)] {
            let score = winner.score(side);
            let expected = match side {
                Side::A => predicted,
                Side::B => predicted.complement(),
            };
            for entry in team.iter().filter(|entry| entry.participated) {
                let parameters = self.parameters.clone();
                let standing = self.player(entry.id).standing(&parameters);
                results.push(Result {
                    id: entry.id,
                    expected,
                    score,
                    before: standing.rating,
                    rounds_before: standing.rounds,
                    rated: rate(&standing, expected, score, 1.0, &parameters),
                });
            }
        }
        for result in &results {
            let player = self.player(result.id);
            player.rating = result.rated.rating;
            player.record(result.rated.rating, result.expected, result.score);
        }
        Played { predicted, results }
    }
}
