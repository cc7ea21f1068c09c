//! Newcomers, whose ratings are guesses, and how unevenly two teams share them.

use super::seat::Seat;

#[derive(Clone, Debug)]
pub(crate) struct Newcomers {
    /// Flag of each player, `true` for newcomers.
    flags: Vec<bool>,
    /// Indices of players to share evenly, ascending: the newcomers, or the other players if these are fewer.
    pub(crate) shared: Vec<usize>,
    pub(crate) evenness: Evenness,
}

/// Measure of how unevenly two teams share newcomers, from the lead of one team in their number.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Evenness {
    /// Number of newcomers who would have to change teams in the most even split that keeps parties together.
    unavoidable: u64,
}

impl Evenness {
    /// Returns the number of newcomers who would have to change teams for even sharing, beyond the minimum that parties
    /// make unavoidable. If the number of shared players is odd, one team may have one more.
    ///
    /// Waiting players count for neither team, so that nobody plays or waits for the sake of sharing.
    pub(crate) fn excess(self, lead: i64) -> u64 {
        (lead.unsigned_abs() / 2).saturating_sub(self.unavoidable)
    }
}

impl Newcomers {
    /// Creates the set of newcomers from `flags` by player. Returns `None` if every split shares them equally well.
    pub(crate) fn new(flags: Vec<bool>, parties: &[Vec<usize>]) -> Option<Self> {
        let newcomers = flags.iter().filter(|flag| **flag).count();
        // Teams that share the smaller group evenly also share the larger group evenly.
        let are_few = 2 * newcomers <= flags.len();
        let is_shared = |player: &usize| flags[*player] == are_few;
        let shared: Vec<usize> = (0..flags.len()).filter(is_shared).collect();
        let of_parties: Vec<usize> = parties
            .iter()
            .map(|party| party.iter().filter(|member| is_shared(member)).count())
            .filter(|members| *members > 1)
            .collect();
        let alone = shared.len().checked_sub(of_parties.iter().sum())?;
        // Numbers of shared players that a team can have.
        let mut possible = vec![false; shared.len() + 1];
        possible[0] = true;
        for members in of_parties.into_iter().chain(std::iter::repeat_n(1, alone)) {
            for count in (members..possible.len()).rev() {
                possible[count] |= possible[count - members];
            }
        }
        let possible = (0..possible.len()).filter(|count| possible[*count]);
        let too_many = possible.map(|count| count.abs_diff(shared.len() - count) / 2);
        let evenness = Evenness {
            unavoidable: too_many.min().unwrap_or_default() as u64,
        };
        Some(Self {
            flags,
            shared,
            evenness,
        })
        .filter(|newcomers| newcomers.most() > 0)
    }

    pub(crate) fn excess_of(&self, seats: &[Seat]) -> u64 {
        let lead = self.shared.iter().map(|player| seats[*player].weight());
        self.evenness.excess(lead.sum())
    }

    /// Returns the maximum, over all splits, of the newcomers who would have to change teams for even sharing.
    pub(crate) fn most(&self) -> u64 {
        let all = i64::try_from(self.shared.len());
        all.map_or(0, |all| self.evenness.excess(all))
    }

    pub(crate) fn on_teams(&self, seats: &[Seat]) -> (usize, usize) {
        let on = |team| {
            let everybody = self.flags.iter().zip(seats);
            everybody
                .filter(|(flag, seat)| **flag && **seat == team)
                .count()
        };
        (on(Seat::A), on(Seat::B))
    }
}
