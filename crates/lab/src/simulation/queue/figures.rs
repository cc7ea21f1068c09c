use serde::Serialize;

use super::super::community::mean;
use super::crowd::Crowd;
use super::matcher::{Game, theta};
use super::scenario::{GIVE_UP_SECONDS, QueueScenario};

/// Results of some days with a queue.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub(crate) struct Queued {
    pub(crate) matches: usize,
    /// Mean wait of a player before a match, in seconds. A player who left without a match counts as
    /// [`GIVE_UP_SECONDS`].
    pub(crate) mean_wait: f64,
    /// 95th percentile of the wait, in seconds.
    pub(crate) p95_wait: f64,
    /// Fraction of the waits that ended without a match, 0 to 1.
    pub(crate) left: f64,
    /// Mean of |P - 0.5| over the matches, by the hidden skills.
    pub(crate) imbalance: f64,
    /// Mean standard deviation of the hidden skills within a match, in points.
    pub(crate) spread: f64,
    /// Fraction of party members in matches who played on one team with their whole party, 0 to 1.
    pub(crate) parties_kept: f64,
}

#[derive(Clone, Debug, Default)]
pub(super) struct Figures {
    /// Wait in seconds, and number of players who waited.
    waits: Vec<(u32, usize)>,
    left: usize,
    imbalances: Vec<f64>,
    spreads: Vec<f64>,
    in_parties: usize,
    kept: usize,
}

impl Figures {
    pub(super) fn waited(&mut self, seconds: u32, players: usize) {
        self.waits.push((seconds, players));
    }

    pub(super) fn left(&mut self, players: usize) {
        self.waits.push((GIVE_UP_SECONDS, players));
        self.left += players;
    }

    pub(super) fn party(&mut self, players: usize, is_kept: bool) {
        self.in_parties += players;
        self.kept += if is_kept { players } else { 0 };
    }

    pub(super) fn game(&mut self, scenario: &QueueScenario, crowd: &Crowd, game: &Game) {
        let skill = |player: &usize| crowd.players[*player].skill;
        let sum = |team: &[usize]| team.iter().map(skill).sum::<f64>();
        let lead = sum(&game[0]) - sum(&game[1]);
        let for_a = 1.0 / (1.0 + libm::exp(-lead / theta(scenario)));
        self.imbalances.push((for_a - 0.5).abs());
        let all = || game.iter().flatten().map(skill);
        let middle = mean(all());
        self.spreads
            .push(mean(all().map(|skill| (skill - middle) * (skill - middle))).sqrt());
    }

    /// Returns `None` if no match was played.
    pub(super) fn queued(mut self) -> Option<Queued> {
        self.waits.sort_unstable();
        let players: usize = self.waits.iter().map(|(_, players)| players).sum();
        let seconds = self.waits.iter();
        let sum: f64 = seconds
            .map(|(seconds, players)| f64::from(*seconds) * count(*players))
            .sum();
        let mut so_far = 0;
        let p95 = self.waits.iter().find(|(_, more)| {
            so_far += more;
            20 * so_far >= 19 * players
        });
        let (p95, _) = p95?;
        if self.imbalances.is_empty() {
            return None;
        }
        Some(Queued {
            matches: self.imbalances.len(),
            mean_wait: sum / count(players),
            p95_wait: f64::from(*p95),
            left: count(self.left) / count(players),
            imbalance: mean(self.imbalances.into_iter()),
            spread: mean(self.spreads.into_iter()),
            parties_kept: if self.in_parties == 0 {
                1.0
            } else {
                count(self.kept) / count(self.in_parties)
            },
        })
    }
}

fn count(players: usize) -> f64 {
    #[expect(clippy::cast_precision_loss, reason = "far below 2^53")]
    let count = players as f64;
    count
}
