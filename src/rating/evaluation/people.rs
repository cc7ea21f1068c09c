//! Players whose rounds differ from those of others by more than chance: groups that share a team, players who leave
//! when they lose, and new players far above their ratings.

use std::collections::HashMap;

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::departures::WatchedRound;
use super::number;
use crate::domain::{PlayerId, PlayerMap, Score, ServerName, Side};

/// Minimum evidence, as a log likelihood ratio in nats, to report that two players always share a team
/// (`PAIR_NAMED`), or that one player has a habit (`PLAYER_NAMED`). Pairs need more, because they are more numerous.
const PAIR_NAMED: f64 = 16.0;
const PLAYER_NAMED: f64 = 14.0;
/// Maximum evidence for a habit above the threshold for a report, in nats. A habit that has ended is withdrawn after a
/// few rounds without it.
const OVER: f64 = 3.0;
/// Assumed shares of rounds in which two players share a team: at most by chance and by scrambles, and if they always
/// play together.
const TOGETHER: [f64; 2] = [0.7, 0.97];
/// Minimum share of the players of two consecutive rounds on a server who changed teams, for the second round's teams
/// to count as new.
const MOVED: f64 = 0.25;
/// Minimum share of a round, 0 to 1, that a player must be present not to count as leaving early.
const STAYED: f64 = 0.8;
/// Assumed shares of rounds that a new player ends in the upper third of the scoreboard: at most for a good player, and
/// for one far above the rating.
const UPPER_THIRD: [f64; 2] = [0.65, 0.97];
/// Number of rated rounds from which a player's scoreboards are no evidence any more that a new player is far above the
/// rating.
const NEW: u32 = 150;
/// Minimum number of rated rounds of a player whose rating counts as known.
const KNOWN: u32 = 50;

/// A player in a [`WatchedRound`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct WatchedPlayer {
    /// Id of the player.
    pub id: PlayerId,
    /// Team of the player.
    pub side: Side,
    /// `true` if the player was on the team when the round began.
    pub at_start: bool,
    /// Share of the round that the player was present, from 0 to 1; `None` if unknown.
    pub presence: Option<f64>,
    /// Share of the other players with a lower score, from 0 to 1; `None` without a scoreboard.
    pub standing: Option<f64>,
    /// Number of the player's rated rounds before the round.
    pub rounds: u32,
}

/// Habit of one player or of a group: sharing a team, leaving lost rounds early, or playing far above the rating.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum Habit {
    /// Players share a team far more often than scrambles would put them together.
    ShareTeam,
    /// A player leaves early far more often in rounds that are lost.
    LeaveWhenLosing,
    /// A new player is far better than the rating says, by scoreboard.
    AboveRating,
}

/// Report of one [`Habit`] that a player, or a group of players, shows more often than chance explains.
#[derive(Clone, Debug, PartialEq)]
pub struct NamedHabit {
    /// Habit that the players show: sharing a team, leaving lost rounds early, or playing far above the rating.
    pub habit: Habit,
    /// Players, in no particular order; several only for [`Habit::ShareTeam`].
    pub players: Vec<PlayerId>,
    /// Number of rounds by which the habit of the players is judged.
    pub rounds: u64,
    /// Number of rounds in which the players showed the habit, of the rounds by which the habit is judged.
    pub shown: u64,
}

/// Evidence about the habits of a pool's players. Rounds are added in their order.
///
/// # Design
/// For every pair or player, a sum of log likelihood ratios compares a habit with an upper bound of what others do, as
/// [`departures`](crate::rating::departures) does for maps and servers. Only pairs with a positive sum take memory.
#[derive(Clone, Debug, Default)]
pub struct People {
    teams: HashMap<ServerName, PlayerMap<Side>>,
    pairs: HashMap<(PlayerId, PlayerId), Evidence>,
    leavers: PlayerMap<Evidence>,
    /// Numbers, by player, of won rounds in which the player's presence is known, and of such rounds that the player
    /// left early.
    won: PlayerMap<(u64, u64)>,
    /// Numbers, summed over all players, of lost rounds in which the player's presence is known, and of such rounds
    /// that the player left early.
    lost: (u64, u64),
    /// Evidence that new players are far above their ratings, by player. Has only players whose first round was among
    /// known players.
    newcomers: PlayerMap<Evidence>,
}

#[derive(Clone, Copy, Debug, Default)]
struct Evidence {
    sum: f64,
    rounds: u64,
    shown: u64,
}

impl Evidence {
    fn add(&mut self, shows: bool, ratio: f64, named: f64) {
        self.sum = (self.sum + ratio).min(named + OVER);
        self.rounds += 1;
        self.shown += u64::from(shows);
        if self.sum <= 0.0 {
            *self = Self::default();
        }
    }

    fn named(&self, habit: Habit, players: Vec<PlayerId>) -> NamedHabit {
        NamedHabit {
            habit,
            players,
            rounds: self.rounds,
            shown: self.shown,
        }
    }
}

/// Returns the log likelihood ratio, in nats, of a player with a habit (such as leaving lost rounds early) against one
/// without. The array has the probabilities of the habit's event without and with the habit.
fn ratio(happened: bool, [usual, habit]: [f64; 2]) -> f64 {
    if happened {
        libm::log(habit / usual)
    } else {
        libm::log((1.0 - habit) / (1.0 - usual))
    }
}

impl People {
    /// Adds the pool's next round, in order of the log, to the evidence about its players' habits.
    pub fn add(&mut self, round: &WatchedRound) {
        self.add_pairs(round);
        let known = round.players.iter().filter(|player| player.rounds >= KNOWN);
        // In a new pool all ratings are those of new players, and the best are far above theirs.
        let is_established = 2 * known.count() > round.players.len();
        for player in &round.players {
            let score = match player.side {
                Side::A => round.score,
                Side::B => round.score.complement(),
            };
            self.add_presence(player, score);
            if is_established && player.rounds == 0 {
                self.newcomers.entry(player.id).or_default();
            }
            if player.rounds < NEW
                && let Some(standing) = player.standing
                && let Some(evidence) = self.newcomers.get_mut(&player.id)
            {
                let is_high = standing >= 2.0 / 3.0;
                evidence.add(is_high, ratio(is_high, UPPER_THIRD), PLAYER_NAMED);
            }
        }
    }

    /// Adds evidence of which pairs of players share a team in this round. Ignores the round if the teams are those of
    /// the server's round before.
    fn add_pairs(&mut self, round: &WatchedRound) {
        let starters = round.players.iter().filter(|player| player.at_start);
        let teams: PlayerMap<Side> = starters.map(|player| (player.id, player.side)).collect();
        let before = self.teams.insert(round.server.clone(), teams.clone());
        if before.is_some_and(|before| !are_new(&before, &teams)) {
            return;
        }
        let mut players: Vec<(PlayerId, Side)> = teams.into_iter().collect();
        players.sort_unstable_by_key(|(player, _)| *player);
        for (index, (one, side)) in players.iter().enumerate() {
            for (other, other_side) in &players[index + 1..] {
                let together = side == other_side;
                let pair = (*one, *other);
                if together || self.pairs.contains_key(&pair) {
                    let evidence = self.pairs.entry(pair).or_default();
                    evidence.add(together, ratio(together, TOGETHER), PAIR_NAMED);
                    if evidence.rounds == 0 {
                        self.pairs.remove(&pair);
                    }
                }
            }
        }
    }

    fn add_presence(&mut self, player: &WatchedPlayer, score: Score) {
        let Some(presence) = player.presence.filter(|_| player.at_start) else {
            return;
        };
        let left = presence < STAYED;
        if score == Score::WIN {
            let (rounds, early) = self.won.entry(player.id).or_default();
            *rounds += 1;
            *early += u64::from(left);
        } else if score == Score::LOSS {
            // Share of all players who leave lost rounds early, with two standard errors on top.
            let (rounds, early) = (number(self.lost.0) + 2.0, number(self.lost.1) + 1.0);
            let share = early / rounds;
            let usual = (share + 2.0 * (share * (1.0 - share) / rounds).sqrt()).clamp(0.05, 0.6);
            let habit = (4.0 * usual).clamp(0.5, 0.9);
            self.leavers.entry(player.id).or_default().add(
                left,
                ratio(left, [usual, habit]),
                PLAYER_NAMED,
            );
            self.lost = (self.lost.0 + 1, self.lost.1 + u64::from(left));
        }
    }

    /// Returns the players with a habit: groups first, then players by their ids.
    #[must_use]
    pub fn named(&self) -> Vec<NamedHabit> {
        let mut found = self.groups();
        let leavers = self.leavers.iter().filter(|(player, lost)| {
            let (rounds, early) = self.won.get(player).copied().unwrap_or_default();
            // A player who also leaves won rounds early is short of time.
            lost.sum >= PLAYER_NAMED
                && number(2 * early) * number(lost.rounds) <= number(rounds * lost.shown)
        });
        found.extend(leavers.map(|(id, lost)| lost.named(Habit::LeaveWhenLosing, vec![*id])));
        for (id, evidence) in &self.newcomers {
            if evidence.sum >= PLAYER_NAMED {
                found.push(evidence.named(Habit::AboveRating, vec![*id]));
            }
        }
        found.sort_by_key(|one| (one.habit != Habit::ShareTeam, one.players.first().copied()));
        found
    }

    /// Returns groups of players who share a team too often. Pairs of players with a player in common form one group.
    fn groups(&self) -> Vec<NamedHabit> {
        let mut named: Vec<(&(PlayerId, PlayerId), &Evidence)> = self
            .pairs
            .iter()
            .filter(|(_, evidence)| evidence.sum >= PAIR_NAMED)
            .collect();
        named.sort_by_key(|(pair, _)| **pair);
        let mut groups: Vec<NamedHabit> = Vec::new();
        for ((one, other), evidence) in named {
            let mut group = evidence.named(Habit::ShareTeam, vec![*one, *other]);
            groups.retain(|known| {
                let meets = known.players.contains(one) || known.players.contains(other);
                if meets {
                    group.players.extend(&known.players);
                    if known.rounds < group.rounds {
                        (group.rounds, group.shown) = (known.rounds, known.shown);
                    }
                }
                !meets
            });
            group.players.sort_unstable();
            group.players.dedup();
            groups.push(group);
        }
        groups
    }
}

/// Returns `true` if the teams of a server differ from those of its round before: at least a quarter of the players in
/// both rounds are apart from their former team, or most players are others. The names of the teams do not matter.
fn are_new(before: &PlayerMap<Side>, teams: &PlayerMap<Side>) -> bool {
    let both = teams
        .iter()
        .filter_map(|(player, side)| Some((side, before.get(player)?)));
    let (count, moved) = both.fold((0, 0), |(count, moved), (side, before)| {
        (count + 1, moved + u64::from(side != before))
    });
    let moved = moved.min(count - moved);
    2 * count < teams.len() as u64 || number(moved) >= MOVED * number(count)
}

#[cfg(test)]
mod tests;
